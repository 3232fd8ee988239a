// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Statics of elements of one kind without a world: load steps, Newton's method, elimination in a
// band. It calls the kind's functions as the engine does, so a published case can be run against
// the kind alone, and the engine's own statics against this.
//
// Number nodes along the short side of a mesh: the band is as wide as the numbers of the nodes of
// one element are apart.
#ifndef TESTS_FEA_NEWTON_H
#define TESTS_FEA_NEWTON_H

#include "helper.h"

#include <kairos/element.h>

typedef struct newton {
    const kai_element_kind* kind;
    size_t nodes, elements;
    size_t numbers, rows; // of a node: coordinates and unknowns, 7 and 6 for frames
    double *reference, *q;
    double* load; // [nodes * rows] at factor 1; does not turn with the node
    bool* fixed;  // [nodes * rows]
    uint32_t* corners;
    char *instances, *data;
    kai_solid_view* solids;
    // Loads that depend on the state: adds forces to f and -df/dq to newton_entry(). NULL: none.
    void (*follow)(struct newton* n, double factor, double* f);
    void* context;
    size_t band; // unknowns on either side of the diagonal
    double* matrix;
    int iterations; // of the last solve, over all steps
} newton;

// What the matrix has for unknowns `row` and `column`, which an element has in common.
HELPER double* newton_entry(newton* n, size_t row, size_t column)
{
    return &n->matrix[row * (2 * n->band + 1) + column + n->band - row];
}

HELPER void* newton_zeros(size_t count, size_t size)
{
    void* p = calloc(count ? count : 1, size);
    assert_non_null(p);
    return p;
}

HELPER void newton_init(newton* n, const kai_element_kind* kind, size_t nodes, size_t elements)
{
    memset(n, 0, sizeof *n);
    n->kind = kind;
    n->nodes = nodes;
    n->elements = elements;
    n->numbers = kai_element_coordinates(kind) / (size_t)kind->nodes;
    n->rows = kai_element_rows(kind) / (size_t)kind->nodes;
    n->reference = newton_zeros(nodes * n->numbers, sizeof(double));
    n->q = newton_zeros(nodes * n->numbers, sizeof(double));
    n->load = newton_zeros(nodes * n->rows, sizeof(double));
    n->fixed = newton_zeros(nodes * n->rows, sizeof(bool));
    n->corners = newton_zeros(elements * (size_t)kind->nodes, sizeof(uint32_t));
    n->instances = newton_zeros(elements, kind->kind.size);
    n->data = newton_zeros(elements, kind->data_size);
    n->solids = newton_zeros(elements * (size_t)kind->solids, sizeof(kai_solid_view));
}

HELPER void newton_free(newton* n)
{
    void* all[] = {n->reference, n->q,    n->load,   n->fixed, n->corners,
                   n->instances, n->data, n->solids, n->matrix};
    for (size_t i = 0; i < KAI_COUNT(all); i++) free(all[i]);
}

// Coordinates of a node without deformation.
HELPER void newton_node(newton* n, size_t node, const double* q)
{
    memcpy(n->reference + node * n->numbers, q, n->numbers * sizeof *q);
    memcpy(n->q + node * n->numbers, q, n->numbers * sizeof *q);
}

HELPER void newton_fix(newton* n, size_t node, size_t first, size_t count)
{
    for (size_t k = 0; k < count; k++) n->fixed[node * n->rows + first + k] = true;
}

HELPER void newton_gather(const newton* n, size_t element, const double* from, size_t size,
                          double* out)
{
    const size_t corners = (size_t)n->kind->nodes;
    for (size_t a = 0; a < corners; a++)
        memcpy(out + a * size, from + n->corners[element * corners + a] * size, size * sizeof *out);
}

// An element whose instance is `params`; `solids` are those that the kind wants. Nodes are set.
HELPER void newton_element(newton* n, size_t element, const uint32_t* corners, const void* params,
                           const kai_solid_view* solids)
{
    const size_t count = (size_t)n->kind->nodes, own = (size_t)n->kind->solids;
    memcpy(n->corners + element * count, corners, count * sizeof *corners);
    memcpy(n->instances + element * n->kind->kind.size, params, n->kind->kind.size);
    if (own) memcpy(n->solids + element * own, solids, own * sizeof *solids);
    double q[7 * KAI_ELEMENT_NODES];
    newton_gather(n, element, n->reference, n->numbers, q);
    const kai_element_setup setup = {
        .instance = n->instances + element * n->kind->kind.size, .q = q, .solids = solids};
    kai_error err = {0};
    if (n->kind->prepare(&setup, n->data + element * n->kind->data_size, &err) != KAI_OK) {
        print_error("%s\n", err.message);
        fail();
    }
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < count; b++) {
            const size_t apart =
                corners[a] > corners[b] ? corners[a] - corners[b] : corners[b] - corners[a];
            if ((apart + 1) * n->rows > n->band) n->band = (apart + 1) * n->rows;
        }
}

HELPER kai_element_batch newton_batch(const newton* n, size_t element, const double* q,
                                      const double* v)
{
    kai_element_batch b = {.instances = n->instances + element * n->kind->kind.size,
                           .data = n->data + element * n->kind->data_size,
                           .solids = n->solids + element * (size_t)n->kind->solids,
                           .count = 1,
                           .q = q,
                           .v = v,
                           .position = 1.0};
    return b;
}

HELPER double newton_energy(const newton* n)
{
    double sum = 0.0, q[7 * KAI_ELEMENT_NODES], v[KAI_ELEMENT_ROWS] = {0.0};
    for (size_t e = 0; e < n->elements; e++) {
        newton_gather(n, e, n->q, n->numbers, q);
        const kai_element_batch b = newton_batch(n, e, q, v);
        sum += n->kind->energy(&b, 0);
    }
    return sum;
}

// Forces f of elements and loads, and their -df/dq.
HELPER void newton_assemble(newton* n, double factor, double* f)
{
    const size_t corners = (size_t)n->kind->nodes, rows = kai_element_rows(n->kind);
    const size_t size = n->nodes * n->rows;
    double q[7 * KAI_ELEMENT_NODES], v[KAI_ELEMENT_ROWS] = {0.0}, force[KAI_ELEMENT_ROWS];
    double* tangent = newton_zeros(rows * rows, sizeof *tangent);
    memset(n->matrix, 0, size * (2 * n->band + 1) * sizeof *n->matrix);
    for (size_t i = 0; i < size; i++) f[i] = factor * n->load[i];
    for (size_t e = 0; e < n->elements; e++) {
        newton_gather(n, e, n->q, n->numbers, q);
        kai_element_batch b = newton_batch(n, e, q, v);
        b.force = force;
        b.tangent = tangent;
        n->kind->force(&b);
        for (size_t i = 0; i < rows; i++) {
            const size_t row = n->corners[e * corners + i / n->rows] * n->rows + i % n->rows;
            f[row] += force[i];
            for (size_t j = 0; j < rows; j++) {
                const size_t column = n->corners[e * corners + j / n->rows] * n->rows + j % n->rows;
                *newton_entry(n, row, column) += tangent[i * rows + j];
            }
        }
    }
    free(tangent);
    if (n->follow) n->follow(n, factor, f);
}

// Solves with the matrix, which is overwritten. Fixed unknowns come out as zero.
HELPER void newton_eliminate(newton* n, double* x)
{
    const size_t size = n->nodes * n->rows, band = n->band, wide = 2 * band + 1;
    double* m = n->matrix;
    for (size_t i = 0; i < size; i++) {
        if (!n->fixed[i]) continue;
        const size_t first = i > band ? i - band : 0, last = i + band < size ? i + band : size - 1;
        for (size_t j = first; j <= last; j++)
            *newton_entry(n, i, j) = *newton_entry(n, j, i) = i == j ? 1.0 : 0.0;
        x[i] = 0.0;
    }
    for (size_t k = 0; k < size; k++) {
        const double* pivot = m + k * wide + band;
        assert_true(pivot[0] != 0.0);
        const size_t last = k + band < size ? k + band : size - 1;
        for (size_t i = k + 1; i <= last; i++) {
            double* row = m + i * wide + band - (i - k);
            if (row[0] == 0.0) continue;
            const double by = row[0] / pivot[0];
            for (size_t j = 1; j <= last - k; j++) row[j] -= by * pivot[j];
            x[i] -= by * x[k];
        }
    }
    for (size_t k = size; k-- > 0;) {
        const size_t last = k + band < size ? k + band : size - 1;
        for (size_t j = k + 1; j <= last; j++) x[k] -= m[k * wide + band + j - k] * x[j];
        x[k] /= m[k * wide + band];
    }
}

// Adds a step to the coordinates; frames are turned by a rotation vector in world axes.
HELPER void newton_move(newton* n, const double* step)
{
    for (size_t a = 0; a < n->nodes; a++) {
        double* q = n->q + a * n->numbers;
        const double* d = step + a * n->rows;
        if (n->kind->slopes >= 0) {
            for (size_t k = 0; k < n->rows; k++) q[k] += d[k];
            continue;
        }
        for (size_t k = 0; k < 3; k++) q[k] += d[k];
        const kai_quat turn = kai_quat_from_rotation_vector(kai_vec3_make(d[3], d[4], d[5]));
        const kai_quat now =
            kai_quat_normalize(kai_quat_mul(turn, (kai_quat){q[3], q[4], q[5], q[6]}));
        q[3] = now.w, q[4] = now.x, q[5] = now.y, q[6] = now.z;
    }
}

// Newton's method at one load factor until the last step is shorter than `tolerance` times the
// longest coordinate. False: `most` iterations were not enough, or the numbers ran away.
HELPER bool newton_equilibrium(newton* n, double factor, double tolerance, int most)
{
    const size_t size = n->nodes * n->rows;
    double* step = newton_zeros(size, sizeof *step);
    bool done = false;
    if (!n->matrix) n->matrix = newton_zeros(size * (2 * n->band + 1), sizeof(double));
    for (int k = 0; k < most && !done; k++) {
        newton_assemble(n, factor, step);
        newton_eliminate(n, step);
        double longest = 0.0, scale = 1e-300;
        for (size_t i = 0; i < size; i++) longest = fmax(longest, fabs(step[i]));
        for (size_t i = 0; i < n->nodes * n->numbers; i++) scale = fmax(scale, fabs(n->q[i]));
        if (!isfinite(longest)) break;
        newton_move(n, step);
        n->iterations++;
        done = longest <= tolerance * scale;
    }
    free(step);
    return done;
}

// From equilibrium at load factor `from` to that at `to`, by halves where Newton's method gets
// lost.
HELPER bool newton_advance(newton* n, double from, double to, double tolerance, int depth)
{
    const size_t size = n->nodes * n->numbers * sizeof *n->q;
    double* before = newton_zeros(size, 1);
    memcpy(before, n->q, size);
    bool found = newton_equilibrium(n, to, tolerance, 20);
    if (!found && depth > 0) {
        memcpy(n->q, before, size);
        const double middle = 0.5 * (from + to);
        found = newton_advance(n, from, middle, tolerance, depth - 1) &&
                newton_advance(n, middle, to, tolerance, depth - 1);
    }
    free(before);
    return found;
}

// Load factors 1/steps … 1.
HELPER void newton_solve(newton* n, int steps, double tolerance)
{
    n->iterations = 0;
    for (int k = 1; k <= steps; k++)
        assert_true(newton_advance(n, (k - 1.0) / steps, (double)k / steps, tolerance, 6));
}

#endif
