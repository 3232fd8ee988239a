// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Mass: element by element, and as one sparse matrix over vectors; energy and momentum.
#include "fea/fea_mass.h"

#include "base/error.h"
#include "base/parallel.h"
#include "base/stop.h"

#include <stdlib.h>
#include <string.h>

static const size_t BLOCK = 256; // vectors

/// One number of the matrix before equal places are added up.
typedef struct entry {
    uint32_t row, column;
    uint32_t order; // of elements, so that sums have one order
    double mass, damping;
} entry;

static int by_place(const void* a, const void* b)
{
    const entry *x = a, *y = b;
    if (x->row != y->row) return x->row < y->row ? -1 : 1;
    if (x->column != y->column) return x->column < y->column ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/// Mass of all elements to fea->masses. A mass that is not positive or finite names its element.
static kai_result find_masses(kai_fea* f, kai_world* world, kai_error* err)
{
    const kai_fea_batch* batches = f->batches.data;
    for (size_t b = 0; b < f->batches.count; b++) {
        const kai_fea_batch* batch = &batches[b];
        if (batch->kind->slopes < 0 || !batch->kind->mass) continue;
        const size_t m = batch->rows / 3;
        double* out = (double*)f->masses.data + batch->first_mass;
        const kai_element_batch all = {
            .instances = world->elements.batches[batch->batch].items.data,
            .data = (double*)f->data.data + batch->first_data,
            .solids = (kai_solid_view*)f->solids.data + batch->first_solid,
            .count = batch->count};
        for (size_t i = 0; i < batch->count; i++, out += m * m) {
            KAI_TRY(kai_stop_check(world->stop, err));
            batch->kind->mass(&all, i, out);
            double trace = 0.0;
            for (size_t k = 0; k < m; k++) trace += out[k * m + k];
            if (trace > 0.0 && isfinite(trace)) continue;
            char text[KAI_STRING_SIZE + 64];
            kai_element_describe(world, batch->batch, i, text, sizeof text);
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "%s: its mass is %g kg; must be > 0 and finite", text, trace);
        }
    }
    return KAI_OK;
}

static size_t count_entries(const kai_fea* f, const kai_world* world)
{
    return f->masses.count + world->nodes.count;
}

/// Every number of every element, and the masses of nodes.
static void list_entries(const kai_fea* f, const kai_world* world, entry* e)
{
    const kai_fea_batch* batches = f->batches.data;
    const double *masses = f->masses.data, *damping = f->damping.data;
    const uint32_t* first = f->first.data;
    uint32_t order = 0;
    for (size_t b = 0; b < f->batches.count; damping += batches[b++].count) {
        const kai_fea_batch* batch = &batches[b];
        if (batch->kind->slopes < 0 || !batch->kind->mass) continue;
        const size_t m = batch->rows / 3;
        for (size_t i = 0; i < batch->count; i++) {
            const uint32_t* ends =
                (const uint32_t*)f->ends.data + batch->first_end + i * (size_t)batch->kind->nodes;
            for (size_t r = 0; r < m; r++)
                for (size_t c = 0; c < m; c++, masses++)
                    *e++ = (entry){kai_fea_vector(f, batch, ends, r),
                                   kai_fea_vector(f, batch, ends, c), order++, *masses,
                                   *masses * damping[i]};
        }
    }
    const kai_node_record* nodes = kai_node_all(world);
    for (size_t i = 0; i < world->nodes.count; i++)
        *e++ = (entry){first[i] / 3, first[i] / 3, order++, nodes[i].def.mass, 0.0};
}

/// Sorted entries, equal places added up, to the sparse matrix.
static kai_result compress(kai_fea* f, kai_world* world, entry* e, size_t count, kai_error* err)
{
    const size_t vectors = f->coordinates / 3;
    if (count > 1) qsort(e, count, sizeof *e, by_place);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && e[kept - 1].row == e[i].row && e[kept - 1].column == e[i].column) {
            e[kept - 1].mass += e[i].mass;
            e[kept - 1].damping += e[i].damping;
        } else {
            e[kept++] = e[i];
        }
    }
    kai_memory* m = &world->memory;
    KAI_TRY(kai_array_resize(&f->mass_first, m, vectors + 1, err));
    KAI_TRY(kai_array_resize(&f->mass_column, m, kept, err));
    KAI_TRY(kai_array_resize(&f->mass_value, m, kept, err));
    KAI_TRY(kai_array_resize(&f->damping_value, m, kept, err));
    uint32_t *first = f->mass_first.data, *column = f->mass_column.data;
    double *mass = f->mass_value.data, *damping = f->damping_value.data;
    memset(first, 0, (vectors + 1) * sizeof *first);
    for (size_t i = 0; i < kept; i++) {
        first[e[i].row + 1]++;
        column[i] = e[i].column;
        mass[i] = e[i].mass;
        damping[i] = e[i].damping;
    }
    for (size_t v = 0; v < vectors; v++) first[v + 1] += first[v];
    return KAI_OK;
}

/// What gravity acts on: rows of M times one at every position.
static kai_result find_weights(kai_fea* f, kai_world* world, kai_error* err)
{
    const size_t vectors = f->coordinates / 3;
    KAI_TRY(kai_array_resize(&f->weight, &world->memory, vectors, err));
    bool* position = kai_arena_take(&world->arena, vectors, sizeof *position, err);
    if (!position) return KAI_ERROR_MEMORY;
    memset(position, 0, vectors * sizeof *position);
    for (size_t i = 0; i < world->nodes.count; i++)
        position[((const uint32_t*)f->first.data)[i] / 3] = true;
    const uint32_t *first = f->mass_first.data, *column = f->mass_column.data;
    for (size_t v = 0; v < vectors; v++) {
        double sum = 0.0;
        for (uint32_t k = first[v]; k < first[v + 1]; k++)
            if (position[column[k]]) sum += ((const double*)f->mass_value.data)[k];
        ((double*)f->weight.data)[v] = sum;
    }
    return KAI_OK;
}

/// Every coordinate that can move has mass.
static kai_result check(const kai_fea* f, const kai_world* world, kai_error* err)
{
    const kai_node_record* nodes = kai_node_all(world);
    const uint32_t *first = f->mass_first.data, *column = f->mass_column.data;
    for (size_t i = 0; i < world->nodes.count; i++) {
        for (size_t s = 0; s < kai_node_size(&nodes[i]) / 3; s++) {
            if ((nodes[i].def.fixed >> 3 * s & 7) == 7) continue;
            const uint32_t v = ((const uint32_t*)f->first.data)[i] / 3 + (uint32_t)s;
            double diagonal = 0.0;
            for (uint32_t k = first[v]; k < first[v + 1]; k++)
                if (column[k] == v) diagonal = ((const double*)f->mass_value.data)[k];
            if (diagonal > 0.0) continue;
            char text[KAI_STRING_SIZE + 32];
            kai_node_describe(world, i, text, sizeof text);
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "%s has no mass%s; it needs an element, a mass, or to be fixed",
                                 text, s > 0 ? " for its slopes" : "");
        }
    }
    return KAI_OK;
}

kai_result kai_fea_mass_assemble(kai_fea* f, kai_world* world, kai_error* err)
{
    KAI_TRY(find_masses(f, world, err));
    const size_t count = count_entries(f, world);
    if (count >= UINT32_MAX)
        return kai_error_set(err, KAI_ERROR_LIMIT, "%zu elements; too many for one world",
                             world->elements.count);
    entry* e = kai_memory_allocate(&world->memory, count * sizeof *e);
    if (!e && count > 0)
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for the mass of elements");
    list_entries(f, world, e);
    const kai_result r = compress(f, world, e, count, err);
    kai_memory_release(&world->memory, e, count * sizeof *e);
    KAI_TRY(r);
    KAI_TRY(find_weights(f, world, err));
    return check(f, world, err);
}

// Products ---------------------------------------------------------------------------------------

typedef struct times_context {
    const kai_fea* fea;
    const double *value, *x;
    double* y;
} times_context;

static void times_range(size_t begin, size_t end, void* context)
{
    const times_context* c = context;
    const uint32_t *first = c->fea->mass_first.data, *column = c->fea->mass_column.data;
    for (size_t v = begin; v < end; v++) {
        double sum[3] = {0.0, 0.0, 0.0};
        for (uint32_t k = first[v]; k < first[v + 1]; k++) {
            const double *x = c->x + 3 * (size_t)column[k], m = c->value[k];
            for (int i = 0; i < 3; i++) sum[i] += m * x[i];
        }
        memcpy(c->y + 3 * v, sum, sizeof sum);
    }
}

void kai_fea_mass_times(const kai_fea* f, int threads, const double* x, double* y)
{
    times_context c = {f, f->mass_value.data, x, y};
    kai_parallel_for(threads, f->coordinates / 3, BLOCK, times_range, &c);
}

void kai_fea_mass_damping_times(const kai_fea* f, int threads, const double* x, double* y)
{
    times_context c = {f, f->damping_value.data, x, y};
    kai_parallel_for(threads, f->coordinates / 3, BLOCK, times_range, &c);
}

// One node or element ----------------------------------------------------------------------------

/// The slot of the node that a vector belongs to.
static size_t node_of(const kai_fea* f, const kai_world* world, uint32_t v)
{
    const uint32_t* first = f->first.data;
    size_t low = 0, high = world->nodes.count;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (first[middle] <= 3 * v)
            low = middle;
        else
            high = middle;
    }
    return low;
}

kai_vec3 kai_fea_mass_pull(const kai_fea* f, const kai_world* world, size_t v)
{
    const uint32_t *first = f->mass_first.data, *column = f->mass_column.data;
    const double *mass = f->mass_value.data, *damping = f->damping_value.data;
    kai_vec3 sum = kai_vec3_zero();
    for (uint32_t k = first[v]; k < first[v + 1]; k++) {
        const size_t node = node_of(f, world, column[k]);
        kai_node_record* def = &kai_node_all(world)[node];
        const size_t at = 3 * (size_t)column[k] - ((const uint32_t*)f->first.data)[node];
        const double *a = kai_node_a(def) + at, *u = kai_node_v(def) + at;
        sum = kai_vec3_mul_add(sum, kai_vec3_make(a[0], a[1], a[2]), mass[k]);
        sum = kai_vec3_mul_add(sum, kai_vec3_make(u[0], u[1], u[2]), damping[k]);
    }
    return sum;
}

double kai_fea_mass_kinetic(const kai_fea* f, const kai_world* world, size_t batch, size_t index)
{
    const kai_fea_batch* batches = f->batches.data;
    double sum = 0.0;
    for (size_t b = 0; b < f->batches.count; b++) {
        const kai_fea_batch* own = &batches[b];
        if (own->batch != batch || own->kind->slopes < 0 || !own->kind->mass) continue;
        const size_t m = own->rows / 3, each = (size_t)(1 + own->kind->slopes);
        const double* mass = (const double*)f->masses.data + own->first_mass + index * m * m;
        const uint32_t* ends =
            (const uint32_t*)f->ends.data + own->first_end + index * (size_t)own->kind->nodes;
        kai_node_record* nodes = kai_node_all(world);
        for (size_t r = 0; r < m; r++) {
            const double* u = kai_node_v(&nodes[ends[r / each]]) + 3 * (r % each);
            for (size_t c = 0; c < m; c++) {
                const double* w = kai_node_v(&nodes[ends[c / each]]) + 3 * (c % each);
                sum += 0.5 * mass[r * m + c] * (u[0] * w[0] + u[1] * w[1] + u[2] * w[2]);
            }
        }
    }
    return sum;
}

// Energy and momentum ----------------------------------------------------------------------------

/// q, v and M v of all nodes, in scratch memory.
static kai_result take_motion(kai_world* world, const kai_fea* f, double** q, double** v,
                              double** mv, kai_error* err)
{
    *q = kai_arena_take(&world->arena, f->coordinates, sizeof(double), err);
    *v = kai_arena_take(&world->arena, f->coordinates, sizeof(double), err);
    *mv = kai_arena_take(&world->arena, f->coordinates, sizeof(double), err);
    if (!*q || !*v || !*mv) return KAI_ERROR_MEMORY;
    kai_fea_read(world, *q, *v);
    kai_fea_mass_times(f, world->threads, *v, *mv);
    return KAI_OK;
}

kai_result kai_fea_mass_energy(kai_world* world, double* kinetic, double* potential,
                               double* elastic, kai_error* err)
{
    kai_fea* f;
    *kinetic = *potential = *elastic = 0.0;
    KAI_TRY(kai_fea_get(world, &f, err));
    if (!f) return KAI_OK;
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    double *q, *v, *mv;
    kai_result r = take_motion(world, f, &q, &v, &mv, err);
    if (r == KAI_OK) {
        const double *weight = f->weight.data, *g = &world->gravity.x;
        for (size_t i = 0; i < f->coordinates; i++) {
            *kinetic += 0.5 * v[i] * mv[i];
            *potential -= weight[i / 3] * g[i % 3] * q[i];
        }
        r = kai_fea_forces_stored(f, world, elastic, err);
    }
    kai_arena_release(&world->arena, mark);
    return r;
}

kai_result kai_fea_mass_momentum(kai_world* world, kai_vec3* linear, kai_vec3* angular,
                                 kai_error* err)
{
    kai_fea* f;
    *linear = *angular = kai_vec3_zero();
    KAI_TRY(kai_fea_get(world, &f, err));
    if (!f) return KAI_OK;
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    double *q, *v, *mv;
    const kai_result r = take_motion(world, f, &q, &v, &mv, err);
    // Positions and slopes turn alike, so L = Σ q × (M v) over all vectors; of P only the part
    // that moves with a shift of all positions counts: weight · v.
    for (size_t i = 0; r == KAI_OK && i < f->coordinates / 3; i++) {
        const kai_vec3 x = kai_vec3_make(q[3 * i], q[3 * i + 1], q[3 * i + 2]);
        const kai_vec3 p = kai_vec3_make(mv[3 * i], mv[3 * i + 1], mv[3 * i + 2]);
        const kai_vec3 u = kai_vec3_make(v[3 * i], v[3 * i + 1], v[3 * i + 2]);
        *angular = kai_vec3_add(*angular, kai_vec3_cross(x, p));
        *linear = kai_vec3_mul_add(*linear, u, ((const double*)f->weight.data)[i]);
    }
    kai_arena_release(&world->arena, mark);
    return r;
}
