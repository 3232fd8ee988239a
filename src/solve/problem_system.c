// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// From impulses to velocities, by the matrices of a problem alone. Nothing of cone_*.c is used: what
// is computed here judges those.
#include "solve/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 6, BLOCK2 = BLOCK * BLOCK };

static const double REDUNDANT = 1e-10; // pivots of G, of what was added and taken away

static kai_result no_memory(kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for the matrices of the problem");
}

static kai_result not_positive(size_t row, kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_FORMAT, "M is not positive definite (row %zu)", row);
}

// Blocks -----------------------------------------------------------------------------------------

// One more than the last velocity that those in [begin, end) are coupled to.
static size_t reach(const kai_problem_matrix* m, size_t begin, size_t end)
{
    size_t most = end;
    for (size_t j = begin; j < most && j < begin + BLOCK; j++)
        if (m->first[j + 1] > m->first[j]) {
            const size_t last = (size_t)m->row[m->first[j + 1] - 1] + 1;
            if (last > most) most = last;
        }
    return most;
}

// As many velocities in a row as M couples, six at most; where it couples fewer, several together.
static kai_result cut(kai_problem* p, kai_error* err)
{
    kai_problem_system* s = &p->system;
    const size_t n = p->velocities;
    if (n + p->equations >= UINT32_MAX / 2)
        return kai_error_set(err, KAI_ERROR_LIMIT, "%zu velocities and %zu equations are too many",
                             n, p->equations);
    s->first = malloc((n + 1) * sizeof *s->first);
    s->block_of = malloc((n + 1) * sizeof *s->block_of);
    if (s->first == NULL || s->block_of == NULL) return no_memory(err);
    for (size_t begin = 0; begin < n;) {
        size_t end = reach(&p->M, begin, begin + 1);
        while (end < n && end < begin + BLOCK) {
            const size_t next = reach(&p->M, end, end + 1);
            if (next > begin + BLOCK) break;
            end = next;
        }
        if (end > begin + BLOCK) end = begin + BLOCK;
        if (end > n) end = n;
        s->first[s->blocks] = (uint32_t)begin;
        for (size_t i = begin; i < end; i++) s->block_of[i] = s->blocks;
        s->blocks++;
        begin = end;
    }
    s->first[s->blocks] = (uint32_t)n;
    return KAI_OK;
}

static bool blocks_apart(const kai_problem* p)
{
    for (size_t j = 0; j < p->velocities; j++)
        for (size_t k = p->M.first[j]; k < p->M.first[j + 1]; k++)
            if (p->system.block_of[p->M.row[k]] != p->system.block_of[j]) return false;
    return true;
}

// The inverse of a symmetric positive definite matrix, in place.
static bool invert(double* a, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const double pivot = a[k * BLOCK + k];
        if (!(pivot > 0.0)) return false;
        a[k * BLOCK + k] = 1.0;
        for (size_t j = 0; j < n; j++) a[k * BLOCK + j] /= pivot;
        for (size_t i = 0; i < n; i++) {
            if (i == k) continue;
            const double factor = a[i * BLOCK + k];
            a[i * BLOCK + k] = 0.0;
            for (size_t j = 0; j < n; j++) a[i * BLOCK + j] -= factor * a[k * BLOCK + j];
        }
    }
    return true;
}

static kai_result invert_blocks(kai_problem* p, kai_error* err)
{
    kai_problem_system* s = &p->system;
    s->inverse = calloc((size_t)s->blocks * BLOCK2 + 1, sizeof *s->inverse);
    if (s->inverse == NULL) return no_memory(err);
    for (size_t j = 0; j < p->velocities; j++) {
        const uint32_t block = s->block_of[j];
        double* a = &s->inverse[(size_t)block * BLOCK2];
        for (size_t k = p->M.first[j]; k < p->M.first[j + 1]; k++)
            a[(p->M.row[k] - s->first[block]) * BLOCK + (j - s->first[block])] = p->M.value[k];
    }
    for (uint32_t i = 0; i < s->blocks; i++)
        if (!invert(&s->inverse[(size_t)i * BLOCK2], s->first[i + 1] - s->first[i]))
            return not_positive(s->first[i], err);
    return KAI_OK;
}

// Factors ----------------------------------------------------------------------------------------

static int by_number(const void* a, const void* b)
{
    const uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return (x > y) - (x < y);
}

static uint64_t pair_of(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

// Pairs of nodes that M or G couple, each once.
static uint64_t* find_pairs(const kai_problem* p, bool with_equations, size_t* count)
{
    const kai_problem_system* s = &p->system;
    const size_t m = p->M.first[p->velocities], g = with_equations ? p->G.first[p->equations] : 0;
    uint64_t* pairs = malloc((m + g + 1) * sizeof *pairs);
    size_t n = 0;
    if (pairs == NULL) return NULL;
    for (size_t j = 0; j < p->velocities; j++)
        for (size_t k = p->M.first[j]; k < p->M.first[j + 1]; k++)
            if (s->block_of[p->M.row[k]] != s->block_of[j])
                pairs[n++] = pair_of(s->block_of[p->M.row[k]], s->block_of[j]);
    for (size_t j = 0; g > 0 && j < p->equations; j++)
        for (size_t k = p->G.first[j]; k < p->G.first[j + 1]; k++)
            pairs[n++] = pair_of(s->block_of[p->G.row[k]], s->blocks + (uint32_t)j);
    qsort(pairs, n, sizeof *pairs, by_number);
    *count = 0;
    for (size_t i = 0; i < n; i++)
        if (*count == 0 || pairs[*count - 1] != pairs[i]) pairs[(*count)++] = pairs[i];
    return pairs;
}

// Where an entry of node a, row i, and node b, row j, lies.
static double* place(const kai_ldl* ldl, const uint64_t* pairs, size_t count, uint32_t a, size_t i,
                     uint32_t b, size_t j)
{
    if (a == b) return &kai_ldl_diagonal(ldl, a)[i * KAI_LDL_WIDTH + j];
    const uint64_t key = pair_of(a, b);
    const uint64_t* found = bsearch(&key, pairs, count, sizeof *pairs, by_number);
    bool flipped;
    double* block = kai_ldl_block(ldl, (uint32_t)(found - pairs), &flipped);
    const bool first = (a < b) != flipped; // the row of a is down
    return &block[(first ? i : j) * KAI_LDL_WIDTH + (first ? j : i)];
}

static void fill(const kai_problem* p, bool with_equations, const uint64_t* pairs, size_t count)
{
    const kai_problem_system* s = &p->system;
    for (size_t j = 0; j < p->velocities; j++)
        for (size_t k = p->M.first[j]; k < p->M.first[j + 1]; k++) {
            const uint32_t i = p->M.row[k], a = s->block_of[i], b = s->block_of[j];
            if (a <= b)
                *place(&s->ldl, pairs, count, a, i - s->first[a], b, j - s->first[b]) =
                    p->M.value[k];
        }
    for (size_t j = 0; with_equations && j < p->equations; j++)
        for (size_t k = p->G.first[j]; k < p->G.first[j + 1]; k++) {
            const uint32_t i = p->G.row[k], a = s->block_of[i];
            *place(&s->ldl, pairs, count, a, i - s->first[a], s->blocks + (uint32_t)j, 0) =
                p->G.value[k];
        }
}

static kai_result factorise(kai_problem* p, bool with_equations, int threads, kai_error* err)
{
    kai_problem_system* s = &p->system;
    const uint32_t node_count = s->blocks + (with_equations ? (uint32_t)p->equations : 0);
    size_t count = 0;
    uint64_t* pairs = find_pairs(p, with_equations, &count);
    kai_ldl_node* nodes = calloc((size_t)node_count + 1, sizeof *nodes);
    kai_ldl_edge* edges = malloc((count + 1) * sizeof *edges);
    kai_result r = pairs && nodes && edges && count < UINT32_MAX ? KAI_OK : no_memory(err);
    for (uint32_t i = 0; r == KAI_OK && i < node_count; i++) {
        const bool equation = i >= s->blocks;
        nodes[i] = (kai_ldl_node){.rows = equation ? 1 : (uint8_t)(s->first[i + 1] - s->first[i]),
                                  .constraint = equation};
    }
    for (size_t i = 0; r == KAI_OK && i < count; i++)
        edges[i] = (kai_ldl_edge){(uint32_t)(pairs[i] >> 32), (uint32_t)pairs[i]};
    if (r == KAI_OK) r = kai_ldl_analyze(&s->ldl, nodes, node_count, edges, (uint32_t)count, err);
    uint32_t bad = 0;
    if (r == KAI_OK) {
        kai_ldl_clear(&s->ldl, threads);
        fill(p, with_equations, pairs, count);
        if (!kai_ldl_factor(&s->ldl, threads, REDUNDANT, &bad))
            r = not_positive(bad < s->blocks ? s->first[bad] : 0, err);
    }
    free(pairs);
    free(nodes);
    free(edges);
    return r;
}

// Weights ----------------------------------------------------------------------------------------

static void apply_inverse(const kai_problem_system* s, uint32_t block, const double* x, double* y)
{
    const double* a = &s->inverse[(size_t)block * BLOCK2];
    const size_t n = s->first[block + 1] - s->first[block];
    for (size_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < n; j++) sum += a[i * BLOCK + j] * x[j];
        y[i] = sum;
    }
}

// n·N n of a contact, from the blocks that its normal touches.
static double weigh(const kai_problem* p, size_t contact)
{
    const kai_problem_matrix* h = &p->H;
    const kai_problem_system* s = &p->system;
    double sum = 0.0;
    for (size_t k = h->first[3 * contact], end = h->first[3 * contact + 1]; k < end;) {
        const uint32_t block = s->block_of[h->row[k]];
        double x[BLOCK] = {0.0}, y[BLOCK];
        for (; k < end && s->block_of[h->row[k]] == block; k++)
            x[h->row[k] - s->first[block]] = h->value[k];
        apply_inverse(s, block, x, y);
        for (size_t i = 0; i < s->first[block + 1] - s->first[block]; i++) sum += x[i] * y[i];
    }
    return sum;
}

static void weigh_by_factors(const kai_problem* p, int threads)
{
    const kai_problem_matrix* h = &p->H;
    const kai_problem_system* s = &p->system;
    for (size_t i = 0; i < p->contacts; i++) {
        memset(s->x, 0, p->velocities * sizeof *s->x);
        for (size_t k = h->first[3 * i]; k < h->first[3 * i + 1]; k++)
            s->x[h->row[k]] = h->value[k];
        kai_ldl_solve(&s->ldl, threads, s->x);
        for (size_t k = h->first[3 * i]; k < h->first[3 * i + 1]; k++)
            s->weight[i] += h->value[k] * s->x[h->row[k]];
    }
}

// The diagonal of W.
static void weigh_local(const kai_problem* p)
{
    for (size_t i = 0; i < p->contacts; i++)
        for (size_t k = p->W.first[3 * i]; k < p->W.first[3 * i + 1]; k++)
            if (p->W.row[k] == 3 * i) p->system.weight[i] = p->W.value[k];
}

// ------------------------------------------------------------------------------------------------

static kai_result make_global(kai_problem* p, int threads, kai_error* err)
{
    kai_problem_system* s = &p->system;
    KAI_TRY(cut(p, err));
    if (blocks_apart(p)) {
        KAI_TRY(invert_blocks(p, err));
        for (size_t i = 0; i < p->contacts; i++) s->weight[i] = weigh(p, i);
    } else {
        KAI_TRY(factorise(p, false, threads, err));
        weigh_by_factors(p, threads);
    }
    return p->equations > 0 ? factorise(p, true, threads, err) : KAI_OK;
}

kai_result kai_problem_system_make(kai_problem* p, int threads, kai_error* err)
{
    kai_problem_system* s = &p->system;
    if (p->ready) return KAI_OK;
    kai_problem_system_free(p);
    kai_ldl_init(&s->ldl, &s->memory);
    s->weight = kai_problem_numbers(p->contacts);
    s->x = kai_problem_numbers(p->velocities + p->equations);
    if (s->weight == NULL || s->x == NULL) return no_memory(err);
    if (p->global)
        KAI_TRY(make_global(p, threads, err));
    else
        weigh_local(p);
    p->ready = true;
    return KAI_OK;
}

void kai_problem_system_free(kai_problem* p)
{
    kai_problem_system* s = &p->system;
    if (s->weight != NULL) kai_ldl_free(&s->ldl);
    free(s->first);
    free(s->block_of);
    free(s->inverse);
    free(s->x);
    free(s->weight);
    *s = (kai_problem_system){.memory = s->memory};
    p->ready = false;
}

void kai_problem_system_solve(const kai_problem* p, int threads, const double* rhs, double* v,
                              double* l)
{
    const kai_problem_system* s = &p->system;
    if (p->equations == 0 && s->inverse != NULL) {
        for (uint32_t i = 0; i < s->blocks; i++)
            apply_inverse(s, i, rhs + s->first[i], v + s->first[i]);
        return;
    }
    memcpy(s->x, rhs, p->velocities * sizeof *s->x);
    for (size_t i = 0; i < p->equations; i++) s->x[p->velocities + i] = -p->b[i];
    kai_ldl_solve(&s->ldl, threads, s->x);
    memcpy(v, s->x, p->velocities * sizeof *v);
    for (size_t i = 0; i < p->equations; i++) l[i] = -s->x[p->velocities + i];
}

kai_result kai_problem_system_apply(const kai_problem* p, int threads, const double* r, double* v,
                                    double* l, double* u, kai_error* err)
{
    memcpy(u, p->w, 3 * p->contacts * sizeof *u);
    if (!p->global) {
        kai_problem_multiply(&p->W, 1.0, r, u);
        return KAI_OK;
    }
    double* rhs = kai_problem_numbers(p->velocities);
    if (rhs == NULL) return no_memory(err);
    memcpy(rhs, p->f, p->velocities * sizeof *rhs);
    kai_problem_multiply(&p->H, 1.0, r, rhs);
    kai_problem_system_solve(p, threads, rhs, v, l);
    kai_problem_multiply_transposed(&p->H, 1.0, v, u);
    free(rhs);
    return KAI_OK;
}
