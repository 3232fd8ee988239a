// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Products with H element by element, without a matrix: tangents are found anew in every product
// and used while they are in the cache. What is kept is the state that they belong to, and a
// product of each element; diagonal blocks go to the preconditioner.
#include "base/error.h"
#include "step/elements.h"

#include <string.h>

// Layout -----------------------------------------------------------------------------------------

/// Vectors of all elements, those of bodies behind those of nodes. `begin` [elements + 1].
static void list_members(const kai_elements* e, uint32_t* begin, uint32_t* list)
{
    const kai_fea* f = e->fea;
    const kai_fea_batch* batches = f->batches.data;
    uint32_t at = 0;
    *begin = 0;
    for (size_t b = 0; b < f->batches.count; b++) {
        const uint32_t* ends = (const uint32_t*)f->ends.data + batches[b].first_end;
        for (size_t i = 0; i < batches[b].count; i++, ends += batches[b].kind->nodes) {
            for (size_t j = 0; j < batches[b].rows / 3; j++)
                list[at++] = batches[b].kind->slopes >= 0
                                 ? kai_fea_vector(f, &batches[b], ends, j)
                                 : (uint32_t)(f->coordinates / 3 +
                                              2 * kai_fea_forces_place(f, ends[j / 2]) + j % 2);
            *++begin = at;
        }
    }
}

kai_result kai_elements_free_analyze(kai_elements* e, kai_world* world, kai_error* err)
{
    const kai_fea* f = e->fea;
    const size_t vectors = f->coordinates / 3 + 2 * f->bodies.count;
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    uint32_t* begin = kai_arena_take(&world->arena, world->elements.count + 1, sizeof *begin, err);
    uint32_t* list = kai_arena_take(&world->arena, f->forces.count / 3 + 1, sizeof *list, err);
    kai_result r = begin && list ? KAI_OK : KAI_ERROR_MEMORY;
    if (r == KAI_OK) list_members(e, begin, list);
    if (r == KAI_OK) r = kai_elements_block_cg_colour(e, world, begin, list, vectors, err);
    kai_arena_release(&world->arena, mark);
    KAI_TRY(r);
    KAI_TRY(kai_array_resize(&e->frames, &world->memory, f->bodies.count, err));
    return kai_array_resize(&e->state, &world->memory, 2 * f->coordinates, err);
}

void kai_elements_free_note(kai_elements* e, const kai_world* world)
{
    kai_fea_frame* frames = e->frames.data;
    if (e->fea->coordinates > 0)
        kai_fea_read(world, e->state.data, (double*)e->state.data + e->fea->coordinates);
    for (size_t i = 0; i < e->fea->bodies.count; i++)
        kai_fea_forces_frame(e->fea, world, i, &frames[i]);
    e->time = e->fea->time;
    e->fea->has_tangents = e->options.position != 0.0 || e->options.velocity != 0.0;
}

// Passes over the elements -----------------------------------------------------------------------

typedef struct free_context {
    const kai_elements* e;
    const uint32_t* node_of;
    size_t coordinates;
    const double* x;
    const kai_blocks* matrix;
} free_context;

static void pass(free_context* c, const kai_world* world,
                 void (*take)(void* context, size_t element, const double* tangent, size_t rows))
{
    const kai_elements* e = c->e;
    const kai_fea_state state = {.q = e->state.data,
                                 .v = (const double*)e->state.data + e->fea->coordinates,
                                 .frames = e->frames.data,
                                 .time = e->time};
    const kai_fea_sink sink = {.take = take,
                               .context = c,
                               .groups = e->groups.data,
                               .colours = e->colours.data,
                               .colour_count = e->colours.count - 1,
                               .state = &state};
    kai_fea_forces_sink(e->fea, world, &sink, &e->options);
}

static const kai_fea_batch* batch_of(const kai_fea* f, size_t element)
{
    const kai_fea_batch* batch = f->batches.data;
    while (element >= batch->first_element + batch->count) batch++;
    return batch;
}

/// y = T x of an element; the upper triangle of T counts.
static void take_product(void* context, size_t element, const double* t, size_t n)
{
    const free_context* c = context;
    const kai_fea_batch* batch = batch_of(c->e->fea, element);
    const size_t i = element - batch->first_element;
    double x[KAI_ELEMENT_ROWS], y[KAI_ELEMENT_ROWS] = {0.0};
    kai_elements_take(c->e, batch, i, c->node_of, c->coordinates, c->x, x);
    for (size_t r = 0; r < n; r++, t += n) {
        double sum = t[r] * x[r];
        const double xr = x[r];
#pragma omp simd reduction(+ : sum)
        for (size_t k = r + 1; k < n; k++) {
            sum += t[k] * x[k];
            y[k] += t[k] * xr;
        }
        y[r] += sum;
    }
    memcpy((double*)c->e->products.data + batch->first_force + i * n, y, n * sizeof *y);
}

void kai_elements_free_products(const kai_elements* e, const kai_world* world,
                                const uint32_t* node_of, size_t coordinates, const double* x)
{
    free_context c = {.e = e, .node_of = node_of, .coordinates = coordinates, .x = x};
    pass(&c, world, take_product);
}

/// Adds what an element has on the diagonal; groups of a colour share no vector.
static void take_diagonal(void* context, size_t element, const double* t, size_t n)
{
    const free_context* c = context;
    const kai_fea_batch* batch = batch_of(c->e->fea, element);
    const uint32_t* ends = (const uint32_t*)c->e->fea->ends.data + batch->first_end +
                           (element - batch->first_element) * (size_t)batch->kind->nodes;
    kai_elements_place places[2 * KAI_ELEMENT_NODES];
    const size_t count = kai_elements_places(c->e, batch, ends, c->node_of, places);
    for (size_t a = 0; a < count; a++) {
        if (places[a].node == UINT32_MAX) continue;
        double* block = kai_blocks_diagonal(c->matrix, places[a].node);
        for (size_t b = 0; b < count; b++) {
            if (places[b].node != places[a].node) continue;
            for (size_t i = 0; i < places[a].width; i++)
                for (size_t k = 0; k < places[b].width; k++) {
                    const size_t row = places[a].row + i, column = places[b].row + k;
                    block[i * KAI_LDL_WIDTH + k] +=
                        row < column ? t[row * n + column] : t[column * n + row];
                }
        }
    }
}

void kai_elements_free_put(const kai_elements* e, const kai_world* world, const uint32_t* node_of,
                           const kai_blocks* matrix)
{
    free_context c = {.e = e, .node_of = node_of, .matrix = matrix};
    pass(&c, world, take_diagonal);
}
