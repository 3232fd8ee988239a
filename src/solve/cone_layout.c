// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/cone_layout.h"

#include "base/parallel.h"
#include "solve/cone_colours.h"
#include "solve/cone_tasks.h"
#include "solve/cone_values.h"

#include <string.h>

enum {
    BLOCK = 256,       // bodies
    LARGE_BLOCK = 512, // likewise,
    LARGE = 1 << 16,   // of at least so many
    CHUNKS = 64,       // at most
    CHUNK = 2048,      // contacts, at least
    BOTH = KAI_CONE_CODE_A_MOVES | KAI_CONE_CODE_B_MOVES
};

// Codes ------------------------------------------------------------------------------------------

// Rounding leaves arms of spheres askew by 1e-16 of the distance from the origin.
static bool along(kai_vec3 arm, kai_vec3 n)
{
    const kai_vec3 off = kai_vec3_mul_add(arm, n, -kai_vec3_dot(arm, n));
    return kai_vec3_norm2(off) <= 1e-20 * kai_vec3_norm2(arm);
}

static bool turns(const kai_cone_problem* p, uint32_t body, kai_vec3 arm, kai_vec3 n)
{
    return body != KAI_CONE_NONE && (p->motion[body].inverse_moment < 0.0 || !along(arm, n));
}

// Kinds of spheres.
static uint32_t grain_of(const kai_cone_layout_work* l, const kai_cone_contact* c)
{
    if (!l->lean || l->problem->contact_count <= KAI_CONE_LAYOUT_FEW) return KAI_CONE_GRAIN;
    if (c->friction != l->cone->friction || c->compliance != l->cone->compliance)
        return KAI_CONE_GRAIN;
    if (c->a == KAI_CONE_NONE || c->b == KAI_CONE_NONE) return KAI_CONE_EQUAL_MASSES;
    const double a = kai_vec3_dot(c->arm_a, c->normal), b = -kai_vec3_dot(c->arm_b, c->normal);
    return fabs(a - b) <= 1e-10 * a ? KAI_CONE_EQUAL_MASSES : KAI_CONE_UNIFORM;
}

static uint32_t kind_of(const kai_cone_layout_work* l, const kai_cone_contact* c)
{
    const kai_cone_problem* p = l->problem;
    if (p->couple != NULL && (c->rolling > 0.0 || c->spinning > 0.0)) return KAI_CONE_COUPLED;
    const bool slick = l->lean && (p->smooth || c->friction == 0.0);
    if (turns(p, c->a, c->arm_a, c->normal) || turns(p, c->b, c->arm_b, c->normal))
        return slick ? KAI_CONE_SMOOTH : KAI_CONE_GENERAL;
    return slick ? KAI_CONE_FRICTIONLESS : grain_of(l, c);
}

static bool bodies_are_good(const kai_cone_problem* p, const kai_cone_contact* c)
{
    return (c->a == KAI_CONE_NONE || c->a < p->body_count) &&
           (c->b == KAI_CONE_NONE || c->b < p->body_count) && c->a != c->b;
}

static kai_result name_bad(const kai_cone_problem* p, size_t i, kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "contact %zu: bodies %u and %u; must be two of %zu, or one and none", i,
                         p->contacts[i].a, p->contacts[i].b, p->body_count);
}

static void note_bad(kai_cone_layout_work* l, size_t i)
{
    size_t first = atomic_load(&l->bad);
    while (i < first && !atomic_compare_exchange_weak(&l->bad, &first, i)) continue;
}

// Bodies that contacts do not move may lie in any block and have any number of contacts.
static kai_cone_code code_of(const kai_cone_layout_work* l, const kai_cone_contact* c)
{
    const kai_cone_motion* motion = l->problem->motion;
    const uint32_t a = c->a == KAI_CONE_NONE ? c->b : c->a;
    const uint32_t b = c->b == KAI_CONE_NONE ? c->a : c->b;
    const bool a_moves = kai_cone_values_moves(&motion[a]);
    const bool b_moves = kai_cone_values_moves(&motion[b]);
    const uint32_t at_a = kai_cone_layout_block(l, a_moves ? a : b),
                   at_b = kai_cone_layout_block(l, b_moves ? b : a);
    const uint32_t place = at_a == at_b ? at_a : (uint32_t)l->blocks + (at_a < at_b ? at_a : at_b);
    return (kai_cone_code){a_moves ? a : b, b_moves ? b : a,
                           place << KAI_CONE_CODE_PLACE | kind_of(l, c) |
                               (a_moves ? KAI_CONE_CODE_A_MOVES : 0u) |
                               (b_moves ? KAI_CONE_CODE_B_MOVES : 0u)};
}

static void code_chunk(size_t begin, size_t end, void* context)
{
    kai_cone_layout_work* l = context;
    uint32_t* counts = l->starts + begin / l->chunk * 2 * l->blocks;
    bool changed = false, stay = false;
    memset(counts, 0, 2 * l->blocks * sizeof *counts);
    for (size_t i = begin; i < end; i++) {
        const kai_cone_contact* c = &l->problem->contacts[i];
        if (!bodies_are_good(l->problem, c)) {
            note_bad(l, i);
            return;
        }
        const kai_cone_code code = code_of(l, c), old = l->codes[i];
        changed |= code.a != old.a || code.b != old.b || code.what != old.what;
        stay |= (code.what & BOTH) != BOTH;
        l->codes[i] = code;
        counts[code.what >> KAI_CONE_CODE_PLACE]++;
    }
    if (changed) atomic_store_explicit(&l->changed, 1, memory_order_relaxed);
    if (stay) atomic_store_explicit(&l->some_stay, 1, memory_order_relaxed);
}

// Sorting ----------------------------------------------------------------------------------------

static void find_starts(kai_cone_layout_work* l)
{
    uint32_t sum = 0;
    for (size_t p = 0; p < 2 * l->blocks; p++) {
        if (p < l->blocks)
            l->list[p].inside = sum;
        else
            l->list[p - l->blocks].across = sum;
        for (size_t c = 0; c < l->chunks; c++) {
            uint32_t* at = &l->starts[c * 2 * l->blocks + p];
            const uint32_t count = *at;
            *at = sum;
            sum += count;
        }
    }
    l->list[l->blocks] = (kai_cone_block){.inside = l->list[0].across, .across = sum};
}

static void sort_chunk(size_t begin, size_t end, void* context)
{
    const kai_cone_layout_work* l = context;
    uint32_t* next = l->starts + begin / l->chunk * 2 * l->blocks;
    for (size_t i = begin; i < end; i++)
        l->order[next[l->codes[i].what >> KAI_CONE_CODE_PLACE]++] = (uint32_t)i;
}

// All --------------------------------------------------------------------------------------------

// Blocks are a power of two, so that as many threads have as many of them each.
static void choose_blocks(kai_cone_layout_work* l)
{
    const size_t bodies = l->problem->body_count, most = bodies < LARGE ? BLOCK : LARGE_BLOCK;
    l->blocks = 1;
    l->block = (uint32_t)bodies;
    l->inverse = 0;
    if (l->problem->contact_count <= KAI_CONE_LAYOUT_FEW) return;
    while (l->blocks * most < bodies) l->blocks *= 2;
    l->block = (uint32_t)((bodies + l->blocks - 1) / l->blocks);
    l->blocks = (bodies + l->block - 1) / l->block;
    l->inverse = l->blocks > 1 ? (UINT64_C(1) << 40) / l->block + 1 : 0;
}

static kai_result reserve(kai_cone_layout_work* l, kai_error* err)
{
    kai_cone* cone = l->cone;
    const size_t bodies = l->problem->body_count, contacts = l->problem->contact_count;
    choose_blocks(l);
    l->chunk = contacts / CHUNKS + 1 > CHUNK ? contacts / CHUNKS + 1 : CHUNK;
    l->chunks = (contacts + l->chunk - 1) / l->chunk;
    KAI_TRY(kai_array_resize(&cone->codes, cone->memory, contacts, err));
    KAI_TRY(kai_array_reserve(&cone->blocks, cone->memory, l->blocks + 1, err));
    KAI_TRY(kai_array_reserve(&cone->starts, cone->memory, l->chunks * 2 * l->blocks, err));
    KAI_TRY(kai_array_reserve(&cone->order, cone->memory, 2 * contacts, err));
    KAI_TRY(kai_array_reserve(&cone->buckets, cone->memory, contacts, err));
    KAI_TRY(kai_array_reserve(&cone->masks, cone->memory, 2 * bodies, err));
    l->codes = cone->codes.data;
    l->list = cone->blocks.data;
    l->starts = cone->starts.data;
    l->order = cone->order.data;
    l->buckets = cone->buckets.data;
    l->masks = cone->masks.data;
    return KAI_OK;
}

kai_result kai_cone_layout(kai_cone* cone, const kai_cone_problem* problem, bool lean, int threads,
                           kai_error* err)
{
    kai_cone_layout_work l = {
        .cone = cone, .problem = problem, .lean = lean, .threads = threads, .bad = SIZE_MAX};
    const size_t contacts = problem->contact_count, bodies = problem->body_count;
    const bool known = cone->laid && cone->laid_bodies == bodies && cone->codes.count == contacts;
    cone->laid = false;
    KAI_TRY(reserve(&l, err));
    // What most contacts have, it may be hoped; those of walls come first.
    cone->friction = problem->contacts[contacts / 2].friction;
    cone->compliance = problem->contacts[contacts / 2].compliance;
    kai_parallel_for(threads, contacts, l.chunk, code_chunk, &l);
    if (atomic_load(&l.bad) != SIZE_MAX) return name_bad(problem, atomic_load(&l.bad), err);
    cone->laid = true;
    if (known && !atomic_load(&l.changed)) return KAI_OK;
    cone->laid = false;
    cone->queued = 0;
    l.stays = atomic_load(&l.some_stay);
    find_starts(&l);
    kai_parallel_for(threads, contacts, l.chunk, sort_chunk, &l);
    KAI_TRY(kai_cone_tasks(&l, err));
    KAI_TRY(kai_cone_colours(&l, err));
    cone->laid_bodies = bodies;
    cone->laid = true;
    return KAI_OK;
}
