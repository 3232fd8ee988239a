// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A block of bodies: states in, pairs tested, those that touch laid on the desk, forces, sums out.
//
// Bytes a sphere and step, E pairs in the list, C of them touching, G ghosts: 128 (1 + G) read of
// poses and motions, 4 E read and written, 24 E read and 24 C written of histories, 48 (1 + 2 G)
// written of sums. In a packed bed (E 2.9, C 2.5, G 0.2): 390.
#include "contact/grains.h"

#include "contact/grains_law.h"

#include <string.h>

/// What a thread works on.
typedef struct grains_desk {
    kai_grains_desk rows;
    uint32_t a[KAI_GRAINS_DESK], b[KAI_GRAINS_DESK]; // bodies of the contacts
    uint32_t at[KAI_GRAINS_DESK];                    // their entries
    uint32_t old[KAI_GRAINS_DESK];                   // not 0: touched in the last step
} grains_desk;

/// States and sums of a block's bodies and ghosts, behind the desk.
typedef struct grains_local {
    double (*x)[8]; // position, radius, velocity, inverse mass
    double (*w)[4]; // spin, world; material
    double (*f)[8]; // force, moment
} grains_local;

typedef struct grains_context {
    kai_grains* grains;
    const kai_grains_step* step;
    kai_grains_law law;
} grains_context;

void kai_grains_init(kai_grains* grains, kai_memory* memory)
{
    *grains = (kai_grains){.memory = memory,
                           .equal = true,
                           .spheres = kai_array_make(sizeof(kai_grains_sphere)),
                           .arrivals = kai_array_make(sizeof(uint64_t)),
                           .ghost_force = kai_array_make(sizeof(kai_wrench)),
                           .force = kai_array_make(3 * sizeof(double)),
                           .pairs = kai_array_make(sizeof(kai_grains_pair)),
                           .tallies = kai_array_make(sizeof(kai_grains_tally)),
                           .desks = kai_array_make(64),
                           .tables = kai_array_make(sizeof(uint32_t))};
    kai_grains_list* lists[] = {&grains->list, &grains->last};
    for (int k = 0; k < 2; k++)
        *lists[k] = (kai_grains_list){.blocks = kai_array_make(sizeof(kai_grains_block)),
                                      .entries = kai_array_make(sizeof(uint32_t)),
                                      .history = kai_array_make(3 * sizeof(double)),
                                      .ghosts = kai_array_make(sizeof(uint32_t))};
}

enum { ARRAYS = 16 };

static void arrays_of(kai_grains* g, kai_array** out)
{
    kai_array* arrays[ARRAYS] = {
        &g->spheres,     &g->arrivals,     &g->ghost_force,  &g->force,
        &g->pairs,       &g->tallies,      &g->desks,        &g->tables,
        &g->list.blocks, &g->list.entries, &g->list.history, &g->list.ghosts,
        &g->last.blocks, &g->last.entries, &g->last.history, &g->last.ghosts};
    memcpy(out, arrays, sizeof arrays);
}

void kai_grains_free(kai_grains* grains)
{
    kai_array* arrays[ARRAYS];
    arrays_of(grains, arrays);
    for (int k = 0; k < ARRAYS; k++) kai_array_free(arrays[k], grains->memory);
    kai_grains_init(grains, grains->memory);
}

size_t kai_grains_bytes(const kai_grains* grains)
{
    kai_grains copy = *grains;
    kai_array* arrays[ARRAYS];
    arrays_of(&copy, arrays);
    size_t bytes = 0;
    for (int k = 0; k < ARRAYS; k++) bytes += arrays[k]->capacity * arrays[k]->stride;
    return bytes;
}

// Coefficients -----------------------------------------------------------------------------------

bool kai_grains_can(const kai_penalty_law* law, const kai_contact_coefficients* pair, bool equal)
{
    const bool hertz = law->kind == &kai_contact_law_hertz,
               hooke = law->kind == &kai_contact_law_hooke;
    if (!hertz && !hooke) return false;
    if (law->tangential == KAI_CONTACT_TANGENTIAL_ONE_STEP) return false;
    if (pair->rolling_friction > 0.0 || pair->spinning_friction > 0.0) return false;
    if (law->tangential == KAI_CONTACT_TANGENTIAL_HISTORY &&
        pair->static_friction != pair->friction)
        return false;
    if (hertz) return !(pair->gn > 0.0 || pair->gt > 0.0 || pair->kt > 0.0) && pair->shear > 0.0;
    return pair->kn > 0.0 || equal;
}

/// A touch at rest, to ask a law about its constants.
static kai_contact_touch probe(const kai_contact_coefficients* c, double overlap, double radius,
                               double mass, kai_contact_history* history)
{
    return (kai_contact_touch){.overlap = overlap,
                               .radius = radius,
                               .mass = mass,
                               .radius_a = 2.0 * radius,
                               .radius_b = 2.0 * radius,
                               .normal = kai_vec3_axis(2),
                               .pair = c,
                               .history = history};
}

/// Attraction at an effective radius: all that is left of the force when surfaces just meet.
static double pull_at(const kai_penalty_law* law, const kai_contact_coefficients* c, double radius)
{
    kai_contact_history history = {0};
    kai_contact_answer answer;
    const kai_contact_touch touch = probe(c, 1e-100, radius, 1.0, &history);
    kai_penalty_evaluate(law, &touch, 1, 1.0, &answer);
    return law->adhesion == KAI_CONTACT_ADHESION_NONE ? 0.0 : -answer.force.z;
}

/// Hooke's constants. The stiffness may follow from radius and mass, where all are equal. Over a
/// step of no length damping is as given.
static void set_hooke(kai_grains_pair* out, const kai_penalty_law* law,
                      const kai_contact_coefficients* c, const kai_grains_law* all)
{
    kai_contact_history history = {0};
    kai_contact_normal e = {0};
    const kai_contact_touch touch =
        probe(c, 1.0, 0.5 * all->radius, 0.5 / all->inverse_mass, &history);
    law->kind->normal(law->instance, &touch, 1, 0.0, &e);
    out->push = e.force;
    out->gn = c->gn > 0.0 ? c->gn : 0.0;
    out->damping = c->gn > 0.0 ? 0.0 : 2.0 * c->damping_ratio * sqrt(e.force);
    out->shear = e.kt;
    out->gt = c->gt > 0.0 ? c->gt : 0.0;
    out->share = c->gt > 0.0 ? 0.0 : KAI_PENALTY_SHARE;
}

static kai_grains_pair pair_of(const kai_penalty_law* law, const kai_contact_coefficients* c,
                               const kai_grains_law* all)
{
    kai_grains_pair out = {.friction = c->friction, .pull = pull_at(law, c, 0.0)};
    out.pull_by = pull_at(law, c, 1.0) - out.pull;
    if (all->hooke) {
        set_hooke(&out, law, c, all);
        return out;
    }
    const kai_penalty_hertz_factors f =
        kai_penalty_hertz_prepare(c->young, c->shear, c->damping_ratio);
    out.push = f.push;
    out.shear = f.shear;
    out.damping = f.damping;
    return out;
}

static const kai_contact_coefficients* coefficients_at(const kai_grains_step* step, size_t i)
{
    return (const void*)((const char*)step->pairs + i * step->pair_stride);
}

static kai_result prepare_law(grains_context* c, kai_error* err)
{
    kai_grains* g = c->grains;
    const kai_grains_step* step = c->step;
    const size_t n = step->materials * step->materials;
    const bool hooke = step->law->kind == &kai_contact_law_hooke,
               smooth = step->law->tangential == KAI_CONTACT_TANGENTIAL_NONE;
    c->law = (kai_grains_law){.hooke = hooke,
                              .smooth = smooth,
                              .equal = g->equal && !hooke && !smooth,
                              .h = step->h,
                              .radius = g->one.radius,
                              .inverse_mass = g->one.inverse_mass};
    if (c->law.equal) {
        const size_t m = g->one.material;
        c->law.pair = pair_of(step->law, coefficients_at(step, m * step->materials + m), &c->law);
        return KAI_OK;
    }
    KAI_TRY(kai_array_resize(&g->pairs, g->memory, n, err));
    kai_grains_pair* pairs = g->pairs.data;
    for (size_t i = 0; i < n; i++) pairs[i] = pair_of(step->law, coefficients_at(step, i), &c->law);
    return KAI_OK;
}

// States of a block ------------------------------------------------------------------------------

/// Turns a vector by a rotation.
KAI_INLINE void turn(const kai_quat* q, double ax, double ay, double az, double* out)
{
    const double tx = 2.0 * (q->y * az - q->z * ay), ty = 2.0 * (q->z * ax - q->x * az),
                 tz = 2.0 * (q->x * ay - q->y * ax);
    out[0] = ax + q->w * tx + q->y * tz - q->z * ty;
    out[1] = ay + q->w * ty + q->z * tx - q->x * tz;
    out[2] = az + q->w * tz + q->x * ty - q->y * tx;
}

KAI_INLINE void load(const grains_context* c, size_t slot, double* restrict x, double* restrict w)
{
    const kai_pose* pose = &c->step->pose[slot];
    const kai_motion* motion = &c->step->motion[slot];
    x[0] = pose->position.x;
    x[1] = pose->position.y;
    x[2] = pose->position.z;
    x[4] = motion->velocity.x;
    x[5] = motion->velocity.y;
    x[6] = motion->velocity.z;
    turn(&pose->rotation, motion->spin.x, motion->spin.y, motion->spin.z, w);
    x[3] = x[7] = w[3] = 0.0;
    if (c->law.equal) return;
    const kai_grains* g = c->grains;
    const kai_grains_sphere* s =
        g->equal ? &g->one : (const kai_grains_sphere*)g->spheres.data + slot;
    x[3] = s->radius;
    x[7] = s->inverse_mass;
    w[3] = s->material;
}

// Contacts ---------------------------------------------------------------------------------------

/// Tests entries from `*at` on, until the desk is full or `end` reached; returns how many touch.
KAI_INLINE size_t test(const grains_context* c, grains_desk* restrict desk,
                       const double (*restrict x)[8], uint32_t* restrict entries, size_t* at,
                       size_t end)
{
    const double most = 4.0 * c->law.radius * c->law.radius;
    const bool equal = c->law.equal;
    size_t n = 0, e = *at;
    for (; e < end && n < KAI_GRAINS_DESK; e++) {
        const uint32_t entry = entries[e], a = KAI_GRAINS_A(entry), b = KAI_GRAINS_B(entry);
        const double dx = x[b][0] - x[a][0], dy = x[b][1] - x[a][1], dz = x[b][2] - x[a][2];
        const double r = x[a][3] + x[b][3], reach = equal ? most : r * r;
        const uint32_t touches = dx * dx + dy * dy + dz * dz < reach;
        desk->a[n] = a;
        desk->b[n] = b;
        desk->at[n] = (uint32_t)e;
        desk->old[n] = entry & KAI_GRAINS_TOUCH;
        entries[e] = (entry & ~KAI_GRAINS_TOUCH) | touches << 31;
        n += touches;
    }
    *at = e;
    return n;
}

/// Lays contacts on the desk.
KAI_INLINE void lay(const grains_context* c, grains_desk* restrict desk, size_t n,
                    const grains_local* local, const double (*restrict history)[3])
{
    kai_grains_desk* rows = &desk->rows;
    for (size_t i = 0; i < n; i++) {
        const double *xa = local->x[desk->a[i]], *xb = local->x[desk->b[i]];
        const double *wa = local->w[desk->a[i]], *wb = local->w[desk->b[i]];
        const double* u = history[desk->at[i]];
        const bool old = desk->old[i] != 0;
        for (int k = 0; k < 8; k++) rows->d[i][k] = xb[k] - xa[k];
        for (int k = 0; k < 3; k++) rows->u[k][i] = old ? u[k] : 0.0;
        if (c->law.equal) {
            for (int k = 0; k < 4; k++) rows->wa[i][k] = wa[k] + wb[k];
            continue;
        }
        const double* pair = (const double*)((const kai_grains_pair*)c->grains->pairs.data +
                                             (size_t)wa[3] * c->step->materials + (size_t)wb[3]);
        for (int k = 0; k < 4; k++) rows->wa[i][k] = wa[k];
        for (int k = 0; k < 4; k++) rows->wb[i][k] = wb[k];
        rows->ra[i] = xa[3];
        rows->rb[i] = xb[3];
        rows->inverse[i] = xa[7] + xb[7];
        for (int k = 0; k < KAI_GRAINS_PAIR; k++) rows->pair[k][i] = pair[k];
    }
}

/// The same contact by the general path, for what the short forms do not cover.
static __attribute__((noinline)) void again(const grains_context* c, grains_desk* desk, size_t i,
                                            const grains_local* local)
{
    kai_grains_desk* rows = &desk->rows;
    const kai_grains_law* law = &c->law;
    const size_t a = desk->a[i], b = desk->b[i], m = c->grains->one.material;
    const double ra = law->equal ? law->radius : rows->ra[i],
                 rb = law->equal ? law->radius : rows->rb[i];
    const kai_vec3 d = kai_vec3_make(rows->d[i][0], rows->d[i][1], rows->d[i][2]);
    const double distance = kai_vec3_norm(d);
    const kai_vec3 n = distance > 1e-150 ? kai_vec3_scale(d, 1.0 / distance) : kai_vec3_axis(2);
    const double overlap = ra + rb - distance;
    rows->arm_a[i] = ra - 0.5 * overlap;
    rows->arm_b[i] = rb - 0.5 * overlap;
    const double *wa = local->w[a], *wb = local->w[b];
    const kai_vec3 spin_a = kai_vec3_make(wa[0], wa[1], wa[2]),
                   spin_b = kai_vec3_make(wb[0], wb[1], wb[2]);
    const kai_vec3 s =
        kai_vec3_mul_add(kai_vec3_scale(spin_a, rows->arm_a[i]), spin_b, rows->arm_b[i]);
    const kai_vec3 v = kai_vec3_make(rows->d[i][4], rows->d[i][5], rows->d[i][6]);
    kai_contact_history history = {.sliding =
                                       kai_vec3_make(rows->u[0][i], rows->u[1][i], rows->u[2][i])};
    const size_t pair = law->equal ? m * c->step->materials + m
                                   : (size_t)wa[3] * c->step->materials + (size_t)wb[3];
    const kai_contact_touch touch = {
        .overlap = overlap,
        .radius = 1.0 / (1.0 / ra + 1.0 / rb),
        .mass = 1.0 / (law->equal ? 2.0 * law->inverse_mass : rows->inverse[i]),
        .radius_a = ra,
        .radius_b = rb,
        .normal = n,
        .velocity = kai_vec3_sub(v, kai_vec3_cross(s, n)),
        .spin = kai_vec3_sub(spin_b, spin_a),
        .pair = coefficients_at(c->step, pair),
        .history = &history};
    kai_contact_answer answer;
    kai_penalty_evaluate(c->step->law, &touch, 1, law->h, &answer);
    const kai_vec3 f = answer.force, moment = kai_vec3_cross(n, f), u = history.sliding;
    const double out[6] = {f.x, f.y, f.z, moment.x, moment.y, moment.z};
    for (int k = 0; k < 6; k++) rows->f[k][i] = out[k];
    rows->u[0][i] = u.x;
    rows->u[1][i] = u.y;
    rows->u[2][i] = u.z;
    rows->energy[i] = answer.energy;
    rows->heat[i] = answer.dissipation;
}

/// Forces of what lies on the desk.
KAI_INLINE void evaluate(const grains_context* c, grains_desk* restrict desk, size_t n,
                         const grains_local* local)
{
    kai_grains_desk* rows = &desk->rows;
    const kai_grains_law law = c->law;
    if (law.equal)
        kai_grains_forces_of(rows, n, law, true, false, false);
    else if (law.hooke && !law.smooth)
        kai_grains_forces_of(rows, n, law, false, true, false);
    else if (!law.hooke && !law.smooth)
        kai_grains_forces_of(rows, n, law, false, false, false);
    else if (law.hooke)
        kai_grains_forces_of(rows, n, law, false, true, true);
    else
        kai_grains_forces_of(rows, n, law, false, false, true);
    for (size_t i = 0; i < n; i++)
        if (rows->rare[i] != 0.0) again(c, desk, i, local);
}

/// Adds forces to the bodies and writes histories back, in order.
KAI_INLINE void spread(const grains_context* c, const grains_desk* restrict desk, size_t n,
                       const grains_local* local, double (*restrict history)[3],
                       double (*restrict force)[3])
{
    const kai_grains_desk* rows = &desk->rows;
    const double* arm_b = c->law.equal ? rows->arm_a : rows->arm_b;
    for (size_t i = 0; i < n; i++) {
        double *fa = local->f[desk->a[i]], *fb = local->f[desk->b[i]], *u = history[desk->at[i]],
               *f = force[desk->at[i]];
        const double fx = rows->f[0][i], fy = rows->f[1][i], fz = rows->f[2][i];
        const double mx = rows->f[3][i], my = rows->f[4][i], mz = rows->f[5][i];
        const double ra = rows->arm_a[i], rb = arm_b[i];
        f[0] = fx, f[1] = fy, f[2] = fz;
        fa[0] -= fx, fa[1] -= fy, fa[2] -= fz;
        fa[3] -= ra * mx, fa[4] -= ra * my, fa[5] -= ra * mz;
        fb[0] += fx, fb[1] += fy, fb[2] += fz;
        fb[3] -= rb * mx, fb[4] -= rb * my, fb[5] -= rb * mz;
        u[0] = rows->u[0][i], u[1] = rows->u[1][i], u[2] = rows->u[2][i];
    }
}

KAI_INLINE void count(const grains_desk* restrict desk, size_t n, kai_grains_tally* tally)
{
    const kai_grains_desk* rows = &desk->rows;
    double elastic = 0.0, heat = 0.0, deepest = 0.0, rare = 0.0;
#pragma omp simd reduction(+ : elastic, heat, rare) reduction(max : deepest)
    for (size_t i = 0; i < n; i++) {
        elastic += rows->energy[i];
        heat += rows->heat[i];
        deepest = rows->overlap[i] > deepest ? rows->overlap[i] : deepest;
        rare += rows->rare[i];
    }
    tally->elastic += elastic;
    tally->heat += heat;
    tally->deepest = deepest > tally->deepest ? deepest : tally->deepest;
    tally->touching += n;
    tally->rare += (size_t)rare;
}

// Blocks -----------------------------------------------------------------------------------------

static size_t desk_bytes(size_t locals)
{
    return (sizeof(grains_desk) + 63) / 64 * 64 + locals * (8 + 4 + 8) * sizeof(double);
}

static grains_desk* desk_at(const kai_grains* g, int worker, grains_local* local)
{
    char* desk = (char*)g->desks.data + (size_t)worker * desk_bytes(g->locals);
    double* rest = (double*)(desk + (sizeof(grains_desk) + 63) / 64 * 64);
    local->x = (void*)rest;
    local->f = (void*)(rest + 8 * g->locals);
    local->w = (void*)(rest + 16 * g->locals);
    return (grains_desk*)desk;
}

static void store(kai_wrench* out, const double* f)
{
    out->force = kai_vec3_make(f[0], f[1], f[2]);
    out->torque = kai_vec3_make(f[3], f[4], f[5]);
}

KAI_CLONES
static void push_block(size_t begin, size_t end, int worker, void* context)
{
    const grains_context* c = context;
    const kai_grains* g = c->grains;
    const kai_grains_list* list = &g->list;
    const size_t block = begin / KAI_GRAINS_BLOCK, own = end - begin;
    const kai_grains_block* range = (const kai_grains_block*)list->blocks.data + block;
    const size_t first = range[0].ghost, ghosts = range[1].ghost - first;
    const uint32_t* slots = (const uint32_t*)list->ghosts.data + first;
    kai_wrench *sums = c->step->sums + begin, *others = (kai_wrench*)g->ghost_force.data + first;
    uint32_t* entries = list->entries.data;
    double(*history)[3] = list->history.data;
    kai_grains_tally tally = {0};
    grains_local local;
    grains_desk* desk = desk_at(g, worker, &local);

    for (size_t i = 0; i < own; i++) load(c, begin + i, local.x[i], local.w[i]);
    for (size_t i = 0; i < ghosts; i++) load(c, slots[i], local.x[own + i], local.w[own + i]);
    memset(local.f, 0, (own + ghosts) * sizeof *local.f);
    for (size_t at = range[0].entry; at < range[1].entry;) {
        const size_t n = test(c, desk, (const double(*)[8])local.x, entries, &at, range[1].entry);
        lay(c, desk, n, &local, (const double(*)[3])history);
        evaluate(c, desk, n, &local);
        spread(c, desk, n, &local, history, g->force.data);
        count(desk, n, &tally);
    }
    for (size_t i = 0; i < own; i++) store(&sums[i], local.f[i]);
    for (size_t i = 0; i < ghosts; i++) store(&others[i], local.f[own + i]);
    ((kai_grains_tally*)g->tallies.data)[block] = tally;
}

/// Fetches what other blocks have summed for the bodies of a block.
static void fetch_block(size_t begin, size_t end, int worker, void* context)
{
    (void)end;
    (void)worker;
    const grains_context* c = context;
    const kai_grains* g = c->grains;
    const kai_grains_block* range =
        (const kai_grains_block*)g->list.blocks.data + begin / KAI_GRAINS_BLOCK;
    const uint64_t* arrivals = g->arrivals.data;
    const kai_wrench* others = g->ghost_force.data;
    for (size_t k = range[0].arrival; k < range[1].arrival; k++) {
        kai_wrench* sum = &c->step->sums[arrivals[k] >> 32];
        const kai_wrench* other = &others[(uint32_t)arrivals[k]];
        sum->force = kai_vec3_add(sum->force, other->force);
        sum->torque = kai_vec3_add(sum->torque, other->torque);
    }
}

kai_result kai_grains_push(kai_grains* grains, int threads, const kai_grains_step* step,
                           kai_error* err)
{
    if (threads < 1) threads = 1;
    grains_context c = {.grains = grains, .step = step};
    KAI_TRY(prepare_law(&c, err));
    const size_t desks = (desk_bytes(grains->locals) * (size_t)threads + 63) / 64;
    if (grains->desks.count < desks) {
        const size_t had = grains->desks.count;
        KAI_TRY(kai_array_resize(&grains->desks, grains->memory, desks, err));
        memset((char*)grains->desks.data + 64 * had, 0, 64 * (desks - had));
    }
    grains->tally = (kai_grains_tally){0};
    kai_parallel_for(threads, grains->count, KAI_GRAINS_BLOCK, push_block, &c);
    kai_parallel_for(threads, grains->count, KAI_GRAINS_BLOCK, fetch_block, &c);
    const kai_grains_tally* tallies = grains->tallies.data;
    for (size_t k = 0; k < grains->tallies.count; k++) {
        grains->tally.elastic += tallies[k].elastic;
        grains->tally.heat += tallies[k].heat;
        grains->tally.touching += tallies[k].touching;
        grains->tally.rare += tallies[k].rare;
        grains->tally.deepest = fmax(grains->tally.deepest, tallies[k].deepest);
    }
    return KAI_OK;
}
