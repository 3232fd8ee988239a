// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What grains.c does with a pair_chunk of pairs, stage by stage: laid on the pair_batch, evaluated, spread. All
// pairs go this way: four of five touch in a bed, and to evaluate the others costs less than to
// sift them out.
#ifndef CONTACT_GRAINS_BLOCK_H
#define CONTACT_GRAINS_BLOCK_H

#include "contact/grains.h"
#include "contact/grains_law.h"
#include "contact/grains_turn.h"

#include <string.h>

_Static_assert((int)KAI_GRAINS_DESK == KAI_GRAINS_CHUNK, "a pair_chunk fills a pair_batch");

/// What a thread works on: row i is pair i of a pair_chunk.
typedef struct grains_pair_batch {
    kai_grains_pair_batch rows;
    size_t pair[KAI_GRAINS_DESK]; // of materials; not set where all are equal
    kai_grains_turns turns;       // where something resists rolling or spinning
} grains_pair_batch;

/// A pair_chunk: pairs [from, to) of it, all of spheres or all with walls, are worked off together.
typedef struct grains_pair_chunk {
    kai_grains_rows rows;
    double (*turning)[4]; // NULL: nothing turns
    uint32_t* entries;
    size_t place; // of the first entry among all
    bool walls;
} grains_pair_chunk;

/// States and sums of a block's bodies and ghosts, behind the pair_batch.
typedef struct grains_local {
    double (*x)[8]; // position, radius, inverse mass, velocity
    double (*w)[4]; // spin about x and y, world; material; spin about z
    double (*f)[8]; // kai_grains_sum
} grains_local;

typedef struct grains_context {
    kai_grains* grains;
    const kai_grains_step* step;
    size_t turn; // blocks until a thread's next one
    kai_grains_law law;
    kai_grains_coefficients one; // where all spheres are equal
    bool mixed;                  // pairs have several laws
} grains_context;

// States of a block ------------------------------------------------------------------------------

/// The spin that a body has in its own frame, in the world.
KAI_INLINE void turn(const kai_quat* q, double ax, double ay, double az, double* w)
{
    const double tx = 2.0 * (q->y * az - q->z * ay), ty = 2.0 * (q->z * ax - q->x * az),
                 tz = 2.0 * (q->x * ay - q->y * ax);
    w[0] = ax + q->w * tx + q->y * tz - q->z * ty;
    w[1] = ay + q->w * ty + q->z * tx - q->x * tz;
    w[3] = az + q->w * tz + q->x * ty - q->y * tx;
}

/// What a sphere is, where they differ.
KAI_INLINE void load_sphere(const grains_context* c, size_t slot, double* restrict x,
                            double* restrict w)
{
    const kai_grains* g = c->grains;
    const kai_grains_sphere* s =
        g->equal ? &g->one : (const kai_grains_sphere*)g->spheres.data + slot;
    x[3] = s->radius;
    x[4] = s->inverse_mass;
    w[2] = s->material;
}

/// The state of one body.
KAI_INLINE void load(const grains_context* c, size_t slot, double* restrict x, double* restrict w)
{
    const kai_pose* pose = &c->step->pose[slot];
    const kai_motion* motion = &c->step->motion[slot];
    const double lead = c->step->lead;
    x[0] = pose->position.x + lead * motion->velocity.x;
    x[1] = pose->position.y + lead * motion->velocity.y;
    x[2] = pose->position.z + lead * motion->velocity.z;
    x[5] = motion->velocity.x;
    x[6] = motion->velocity.y;
    x[7] = motion->velocity.z;
    turn(&pose->rotation, motion->spin.x, motion->spin.y, motion->spin.z, w);
    x[3] = x[4] = w[2] = 0.0;
    if (!c->law.equal) load_sphere(c, slot, x, w);
}

/// A sphere that nobody can touch; its numbers keep what is computed along finite.
KAI_INLINE void load_nobody(double* restrict x, double* restrict w)
{
    for (int k = 0; k < 8; k++) x[k] = k < 3 ? 1e30 : k < 5 ? 1.0 : 0.0;
    for (int k = 0; k < 4; k++) w[k] = 0.0;
}

/// The states of bodies in a row, eight at a time.
KAI_INLINE void load_row(const grains_context* c, size_t begin, size_t n, double (*restrict x)[8],
                         double (*restrict w)[4])
{
    enum { LANES = KAI_GRAINS_LANES };
    const double lead = c->step->lead;
    const size_t whole = n / LANES * LANES;
    for (size_t first = 0; first < whole; first += LANES) {
        const double(*pose)[8] = (const void*)&c->step->pose[begin + first];
        const double(*motion)[8] = (const void*)&c->step->motion[begin + first];
        double to[8][LANES], spin[4][LANES];
#pragma omp simd
        for (size_t i = 0; i < LANES; i++) {
            const double vx = motion[i][0], vy = motion[i][1], vz = motion[i][2];
            const double ax = motion[i][3], ay = motion[i][4], az = motion[i][5];
            const double qw = pose[i][4], qx = pose[i][5], qy = pose[i][6], qz = pose[i][7];
            const double tx = 2.0 * (qy * az - qz * ay), ty = 2.0 * (qz * ax - qx * az),
                         tz = 2.0 * (qx * ay - qy * ax);
            to[0][i] = pose[i][0] + lead * vx;
            to[1][i] = pose[i][1] + lead * vy;
            to[2][i] = pose[i][2] + lead * vz;
            // Zero: a row whose last number is used is read whole.
            to[3][i] = to[4][i] = spin[2][i] = motion[i][7];
            to[5][i] = vx, to[6][i] = vy, to[7][i] = vz;
            spin[0][i] = ax + qw * tx + qy * tz - qz * ty;
            spin[1][i] = ay + qw * ty + qz * tx - qx * tz;
            spin[3][i] = az + qw * tz + qx * ty - qy * tx;
        }
        kai_simd_rows((const double(*)[8])to, x[first], 8);
        kai_simd_rows((const double(*)[8])spin, w[first], 4);
    }
    for (size_t i = whole; i < n; i++) load(c, begin + i, x[i], w[i]);
    for (size_t i = 0; !c->law.equal && i < whole; i++) load_sphere(c, begin + i, x[i], w[i]);
}

// Pairs ------------------------------------------------------------------------------------------

/// Lays pairs on the pair_batch where all spheres are equal. On its own, so that what it needs stays in
/// registers.
KAI_CLONES
static void lay_equal(grains_pair_batch* restrict pair_batch, const grains_pair_chunk* pair_chunk,
                      const grains_local* local)
{
    const double(*restrict x)[8] = (const double(*)[8])local->x;
    const double(*restrict w)[4] = (const double(*)[4])local->w;
    const uint32_t* restrict entries = pair_chunk->entries;
    for (size_t i = pair_chunk->rows.from; i < pair_chunk->rows.to; i++) {
        const uint32_t a = KAI_GRAINS_A(entries[i]), b = KAI_GRAINS_B(entries[i]);
        const double *xa = x[a], *xb = x[b], *wa = w[a], *wb = w[b];
        double *d = pair_batch->rows.d[i], *spin = pair_batch->rows.wa[i];
#pragma omp simd
        for (int k = 0; k < 8; k++) d[k] = xb[k] - xa[k];
#pragma omp simd
        for (int k = 0; k < 4; k++) spin[k] = wa[k] + wb[k];
    }
}

/// What all pairs of a block have in common where they have one law.
KAI_INLINE void lay_law(const grains_context* c, grains_pair_batch* restrict pair_batch)
{
    const double* parts = (const double*)&c->one.parts;
    for (int k = KAI_GRAINS_PAIR_OWN; k < KAI_GRAINS_PAIR; k++)
        for (size_t i = 0; i < KAI_GRAINS_DESK; i++) pair_batch->rows.pair[k][i] = parts[k];
}

/// What differs from contact to contact where spheres do; and always with walls.
KAI_INLINE void lay_pair(const grains_context* c, grains_pair_batch* restrict pair_batch, size_t i,
                         size_t ma, size_t mb)
{
    const size_t pair = ma * c->step->materials + mb;
    const kai_grains_coefficients* from =
        (const kai_grains_coefficients*)c->grains->pairs.data + pair;
    const double* parts = (const double*)&from->parts;
    const int few = 3; // factors: what most laws have
    for (int k = 0; k < KAI_GRAINS_PAIR_OWN; k++) pair_batch->rows.pair[k][i] = parts[k];
    for (int k = 0; k < few; k++) pair_batch->rows.lanes.factors[k][i] = from->factors.f[k];
    for (int k = few; k < from->factor_count; k++)
        pair_batch->rows.lanes.factors[k][i] = from->factors.f[k];
    for (int k = KAI_GRAINS_PAIR_OWN; c->mixed && k < KAI_GRAINS_PAIR; k++)
        pair_batch->rows.pair[k][i] = parts[k];
    pair_batch->pair[i] = pair;
}

/// Lays pairs of spheres that differ on the pair_batch.
KAI_INLINE void lay(const grains_context* c, grains_pair_batch* restrict pair_batch,
                    const grains_pair_chunk* pair_chunk, const grains_local* local)
{
    kai_grains_pair_batch* rows = &pair_batch->rows;
    for (size_t i = pair_chunk->rows.from; i < pair_chunk->rows.to; i++) {
        const uint32_t a = KAI_GRAINS_A(pair_chunk->entries[i]),
                       b = KAI_GRAINS_B(pair_chunk->entries[i]);
        const double *xa = local->x[a], *xb = local->x[b], *wa = local->w[a], *wb = local->w[b];
        double *d = rows->d[i], *spin_a = rows->wa[i], *spin_b = rows->wb[i];
#pragma omp simd
        for (int k = 0; k < 8; k++) d[k] = xb[k] - xa[k];
#pragma omp simd
        for (int k = 0; k < 4; k++) spin_a[k] = wa[k];
#pragma omp simd
        for (int k = 0; k < 4; k++) spin_b[k] = wb[k];
        rows->ra[i] = xa[3];
        rows->rb[i] = xb[3];
        rows->inverse[i] = xa[4] + xb[4];
        lay_pair(c, pair_batch, i, (size_t)wa[2], (size_t)wb[2]);
    }
#pragma omp simd
    for (size_t i = pair_chunk->rows.from; i < pair_chunk->rows.to; i++) {
        rows->lanes.radius[i] = rows->ra[i] * rows->rb[i] / (rows->ra[i] + rows->rb[i]);
        rows->lanes.mass[i] = 1.0 / rows->inverse[i];
    }
}

/// A wall is a sphere of the same size on the other side of its plane, with the curvature of none,
/// that does not move.
KAI_INLINE void lay_walls(const grains_context* c, grains_pair_batch* restrict pair_batch,
                          const grains_pair_chunk* pair_chunk, const grains_local* local)
{
    const kai_grains* g = c->grains;
    const kai_grains_wall* walls = g->walls.data;
    kai_grains_pair_batch* rows = &pair_batch->rows;
    for (size_t i = pair_chunk->rows.from; i < pair_chunk->rows.to; i++) {
        const uint32_t a = KAI_GRAINS_A(pair_chunk->entries[i]),
                       b = KAI_GRAINS_B(pair_chunk->entries[i]);
        const double *x = local->x[a], *w = local->w[a];
        const kai_grains_wall* wall = &walls[b];
        const kai_vec3 m = wall->normal;
        const double r = c->law.equal ? g->one.radius : x[3];
        // Where the other sphere would be on this side, the general path takes over.
        const double height = m.x * x[0] + m.y * x[1] + m.z * x[2] - wall->offset,
                     away = height + r > 1e-3 * r ? -(height + r) : 0.0;
        rows->d[i][0] = away * m.x;
        rows->d[i][1] = away * m.y;
        rows->d[i][2] = away * m.z;
        for (int k = 5; k < 8; k++) rows->d[i][k] = -x[k];
        for (int k = 0; k < 4; k++) rows->wa[i][k] = w[k];
        for (int k = 0; k < 4; k++) rows->wb[i][k] = 0.0;
        rows->ra[i] = rows->rb[i] = rows->lanes.radius[i] = r;
        rows->inverse[i] = c->law.equal ? g->one.inverse_mass : x[4];
        rows->lanes.mass[i] = 1.0 / rows->inverse[i];
        lay_pair(c, pair_batch, i, c->law.equal ? g->one.material : (size_t)w[2], wall->material);
    }
}

/// The same contact by the general path, for what the short forms do not cover.
static __attribute__((noinline)) void again(const grains_context* c, grains_pair_batch* pair_batch,
                                            const grains_pair_chunk* pair_chunk, size_t i,
                                            const grains_local* local)
{
    kai_grains_pair_batch* rows = &pair_batch->rows;
    const kai_grains_law* law = &c->law;
    const uint32_t a = KAI_GRAINS_A(pair_chunk->entries[i]),
                   b = KAI_GRAINS_B(pair_chunk->entries[i]);
    const bool wall = pair_chunk->walls, equal = law->equal && !wall;
    double* u = pair_chunk->rows.u[i];
    const double ra = equal ? law->radius : rows->ra[i], rb = equal ? law->radius : rows->rb[i];
    const kai_vec3 d = kai_vec3_make(rows->d[i][0], rows->d[i][1], rows->d[i][2]);
    const double distance = kai_vec3_norm(d);
    double overlap = ra + rb - distance;
    kai_vec3 n = distance > 1e-150 ? kai_vec3_scale(d, 1.0 / distance) : kai_vec3_axis(2);
    if (wall) {
        const kai_grains_wall* w = (const kai_grains_wall*)c->grains->walls.data + b;
        const double* x = local->x[a];
        n = kai_vec3_neg(w->normal);
        overlap = ra - (kai_vec3_dot(w->normal, kai_vec3_make(x[0], x[1], x[2])) - w->offset);
    }
    // Rounding: what touches by the short forms does so here.
    if (overlap > 0.0)
        rows->lanes.overlap[i] = overlap;
    else
        overlap = rows->lanes.overlap[i];
    const double arm_a = ra - 0.5 * overlap, arm_b = rb - 0.5 * overlap;
    static const double still[4];
    const double *wa = local->w[a], *wb = wall ? still : local->w[b];
    const kai_vec3 spin_a = kai_vec3_make(wa[0], wa[1], wa[3]),
                   spin_b = kai_vec3_make(wb[0], wb[1], wb[3]);
    const kai_vec3 s = kai_vec3_mul_add(kai_vec3_scale(spin_a, arm_a), spin_b, arm_b);
    const kai_vec3 v = kai_vec3_make(rows->d[i][5], rows->d[i][6], rows->d[i][7]);
    kai_contact_history history = {.sliding = kai_vec3_make(u[0], u[1], u[2])};
    double* turning = c->grains->turns ? pair_chunk->turning[i] : NULL;
    if (turning) history.rolling = kai_vec3_make(turning[0], turning[1], turning[2]);
    if (turning) history.spinning = turning[3];
    const size_t m = c->grains->one.material,
                 pair = equal ? m * c->step->materials + m : pair_batch->pair[i];
    const kai_contact_touch touch = {.overlap = overlap,
                                     .radius = equal ? 0.5 * ra : rows->lanes.radius[i],
                                     .mass = equal ? 1.0 / (2.0 * law->inverse_mass)
                                                   : rows->lanes.mass[i],
                                     .radius_a = ra,
                                     .radius_b = wall ? HUGE_VAL : rb,
                                     .normal = n,
                                     .velocity = kai_vec3_sub(v, kai_vec3_cross(s, n)),
                                     .spin = kai_vec3_sub(spin_b, spin_a),
                                     .pair = kai_grains_coefficients_of(c->step, pair),
                                     .history = &history};
    kai_contact_answer answer;
    kai_penalty_evaluate(kai_grains_law_of(c->step, pair), &touch, 1, law->h, &answer);
    const kai_vec3 f = answer.force, moment = kai_vec3_cross(n, f);
    const double by = equal ? -arm_a : 1.0, third = equal ? answer.energy : -arm_a,
                 fourth = equal ? answer.dissipation : -arm_b;
    const double out[8] = {f.x,    f.y,           f.z,           third,
                           fourth, by * moment.x, by * moment.y, by * moment.z};
    for (int k = 0; k < 8; k++) rows->f[i][k] = out[k];
    u[0] = history.sliding.x, u[1] = history.sliding.y, u[2] = history.sliding.z;
    rows->energy[i] = answer.energy;
    rows->heat[i] = answer.dissipation;
    if (!turning) return;
    const double after[4] = {history.rolling.x, history.rolling.y, history.rolling.z,
                             history.spinning},
                 couple[3] = {answer.couple.x, answer.couple.y, answer.couple.z};
    memcpy(turning, after, sizeof after);
    for (int k = 0; k < 3; k++) pair_batch->turns.couple[k][i] = couple[k];
}

/// Asks each law about its own pairs, where a pair_batch has several: all laws answer about all
/// pairs, and what is not theirs is dropped.
static __attribute__((noinline)) void ask_laws(const grains_context* c,
                                               grains_pair_batch* restrict pair_batch,
                                               const kai_grains_rows* rows)
{
    enum { ANSWERS = 5 };
    const kai_grains_coefficients* pairs = c->grains->pairs.data;
    const size_t begin = kai_grains_begin(rows), end = begin + kai_grains_lanes(rows);
    kai_contact_lanes* lanes = &pair_batch->rows.lanes;
    double* answer[ANSWERS] = {lanes->force, lanes->damping, lanes->kt, lanes->gt, lanes->energy};
    double kept[ANSWERS][KAI_GRAINS_DESK] = {{0.0}};
    for (uint32_t law = 0; law < c->step->law_count; law++) {
        const kai_penalty_law* l = &c->step->laws[law];
        size_t found = 0;
        for (size_t i = rows->from; i < rows->to; i++) {
            if (pairs[pair_batch->pair[i]].law != law) continue;
            if (found++ == 0) l->kind->lanes(l->instance, lanes, begin, end);
            for (int k = 0; k < ANSWERS; k++) kept[k][i] = answer[k][i];
        }
        if (found == rows->to - rows->from) return;
    }
    for (int k = 0; k < ANSWERS; k++) memcpy(answer[k], kept[k], sizeof kept[k]);
}

/// Forces of what lies on the pair_batch where pairs differ, apart from the rest: it is large.
KAI_CLONES
static size_t evaluate_others(const grains_context* c, grains_pair_batch* restrict pair_batch,
                              const kai_grains_rows* rows)
{
    const kai_grains_law law = c->law;
    kai_contact_lanes* lanes = &pair_batch->rows.lanes;
    const size_t touching = kai_grains_meet(&pair_batch->rows, rows, law.radius, false),
                 begin = kai_grains_begin(rows);
    if (touching == 0) return 0;
    lanes->uniform = false;
    lanes->h = law.h;
    if (c->mixed)
        ask_laws(c, pair_batch, rows);
    else
        c->step->laws[c->one.law].kind->lanes(c->step->laws[c->one.law].instance, lanes, begin,
                                              begin + kai_grains_lanes(rows));
    if (law.smooth)
        kai_grains_forces_of(&pair_batch->rows, rows, law, false, true);
    else
        kai_grains_forces_of(&pair_batch->rows, rows, law, false, false);
    return touching;
}

/// The same where spheres are equal.
KAI_CLONES
static size_t evaluate_equal(const grains_context* c, grains_pair_batch* restrict pair_batch,
                             const kai_grains_rows* rows)
{
    const kai_grains_law law = c->law;
    const kai_penalty_law* l = &c->step->laws[c->one.law];
    kai_contact_lanes* lanes = &pair_batch->rows.lanes;
    const size_t touching = kai_grains_meet(&pair_batch->rows, rows, law.radius, true),
                 begin = kai_grains_begin(rows);
    if (touching == 0) return 0;
    lanes->uniform = true;
    lanes->h = law.h;
    lanes->radius[0] = 0.5 * law.radius;
    lanes->mass[0] = 1.0 / (2.0 * law.inverse_mass);
    for (int k = 0; k < KAI_CONTACT_FACTORS; k++) lanes->factors[k][0] = c->one.factors.f[k];
    l->kind->lanes(l->instance, lanes, begin, begin + kai_grains_lanes(rows));
    kai_grains_forces_of(&pair_batch->rows, rows, law, true, false);
    return touching;
}

/// Adds the couple of pair i to the sums of its bodies, next to its force: sums must not depend on
/// where in a list pairs are.
KAI_INLINE void add_couple(const grains_pair_batch* restrict pair_batch, size_t i,
                           double* restrict fa, double* restrict fb)
{
    const double(*couple)[KAI_GRAINS_DESK] = pair_batch->turns.couple;
    if (!(pair_batch->rows.lanes.overlap[i] > 0.0)) return;
    for (int k = 0; k < 3; k++) fa[5 + k] -= couple[k][i];
    for (int k = 0; fb && k < 3; k++) fb[5 + k] += couple[k][i];
}

/// Forces and couples, where spheres are equal.
KAI_CLONES
static void spread_equal_turning(const grains_pair_batch* pair_batch,
                                 const grains_pair_chunk* pair_chunk, const grains_local* local)
{
    static const double to_a[8] = {-1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0, 1.0},
                        to_b[8] = {1.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0};
    for (size_t i = pair_chunk->rows.from; i < pair_chunk->rows.to; i++) {
        const double* f = pair_batch->rows.f[i];
        double *fa = local->f[KAI_GRAINS_A(pair_chunk->entries[i])],
               *fb = local->f[KAI_GRAINS_B(pair_chunk->entries[i])];
#pragma omp simd
        for (int k = 0; k < 8; k++) fa[k] += to_a[k] * f[k];
#pragma omp simd
        for (int k = 0; k < 8; k++) fb[k] += to_b[k] * f[k];
        add_couple(pair_batch, i, fa, fb);
    }
}

/// Adds forces to the bodies, in order, where spheres are equal: their moments are too.
KAI_CLONES
static void spread_equal(const grains_pair_batch* restrict pair_batch,
                         const grains_pair_chunk* pair_chunk, const grains_local* local)
{
    static const double to_a[8] = {-1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0, 1.0},
                        to_b[8] = {1.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0};
    const uint32_t* restrict entries = pair_chunk->entries;
    double(*restrict sums)[8] = local->f;
    for (size_t i = pair_chunk->rows.from; i < pair_chunk->rows.to; i++) {
        const double* f = pair_batch->rows.f[i];
        double *fa = sums[KAI_GRAINS_A(entries[i])], *fb = sums[KAI_GRAINS_B(entries[i])];
#pragma omp simd
        for (int k = 0; k < 8; k++) fa[k] += to_a[k] * f[k];
#pragma omp simd
        for (int k = 0; k < 8; k++) fb[k] += to_b[k] * f[k];
    }
}

/// The same where spheres differ.
KAI_INLINE void spread(const grains_pair_batch* restrict pair_batch,
                       const grains_pair_chunk* pair_chunk, const grains_local* local)
{
    for (size_t i = pair_chunk->rows.from; i < pair_chunk->rows.to; i++) {
        const double *f = pair_batch->rows.f[i], ra = f[3], rb = f[4];
        double *fa = local->f[KAI_GRAINS_A(pair_chunk->entries[i])],
               *fb = local->f[KAI_GRAINS_B(pair_chunk->entries[i])];
        for (int k = 0; k < 3; k++) fa[k] -= f[k];
        fa[3] += pair_batch->rows.energy[i], fa[4] += pair_batch->rows.heat[i];
        for (int k = 5; k < 8; k++) fa[k] += ra * f[k];
        for (int k = 0; k < 3; k++) fb[k] += f[k];
        for (int k = 5; k < 8; k++) fb[k] += rb * f[k];
        if (pair_chunk->turning) add_couple(pair_batch, i, fa, fb);
    }
}

/// The same with walls, whose bodies feel `wall_forces`.
KAI_INLINE void spread_walls(const grains_context* c, const grains_pair_batch* restrict pair_batch,
                             const grains_pair_chunk* pair_chunk, const grains_local* local,
                             kai_wrench* restrict wall_forces)
{
    const kai_grains_wall* walls = c->grains->walls.data;
    for (size_t i = pair_chunk->rows.from; i < pair_chunk->rows.to; i++) {
        const uint32_t a = KAI_GRAINS_A(pair_chunk->entries[i]),
                       b = KAI_GRAINS_B(pair_chunk->entries[i]);
        const double *x = local->x[a], *row = pair_batch->rows.f[i], r = -row[3];
        double* fa = local->f[a];
        const kai_vec3 f = kai_vec3_make(row[0], row[1], row[2]);
        const kai_vec3 point =
            kai_vec3_mul_add(kai_vec3_make(x[0], x[1], x[2]), walls[b].normal, -r);
        const kai_vec3 moment = kai_vec3_cross(kai_vec3_sub(point, walls[b].centre), f);
        kai_wrench* wall_force = &wall_forces[b];
        fa[0] -= f.x, fa[1] -= f.y, fa[2] -= f.z;
        fa[3] += pair_batch->rows.energy[i], fa[4] += pair_batch->rows.heat[i];
        fa[5] -= r * row[5], fa[6] -= r * row[6], fa[7] -= r * row[7];
        wall_force->force = kai_vec3_add(wall_force->force, f);
        wall_force->torque = kai_vec3_add(wall_force->torque, moment);
        if (!pair_chunk->turning || !(pair_batch->rows.lanes.overlap[i] > 0.0)) continue;
        const double(*couple)[KAI_GRAINS_DESK] = pair_batch->turns.couple;
        add_couple(pair_batch, i, fa, NULL);
        wall_force->torque = kai_vec3_add(wall_force->torque,
                                          kai_vec3_make(couple[0][i], couple[1][i], couple[2][i]));
    }
}

// Rolling and spinning ---------------------------------------------------------------------------

/// Lays the difference of spins on the pair_batch.
KAI_CLONES
static void lay_spins(kai_grains_turns* restrict turns, const grains_pair_chunk* pair_chunk,
                      const grains_local* local)
{
    static const double still[4];
    const double(*restrict w)[4] = (const double(*)[4])local->w;
    const uint32_t* restrict entries = pair_chunk->entries;
    for (size_t i = pair_chunk->rows.from; i < pair_chunk->rows.to; i++) {
        const double *wa = w[KAI_GRAINS_A(entries[i])],
                     *wb = pair_chunk->walls ? still : w[KAI_GRAINS_B(entries[i])];
#pragma omp simd
        for (int k = 0; k < 4; k++) turns->spin[i][k] = wb[k] - wa[k];
    }
}

/// Lays arms on the pair_batch: those of `one` where all pairs are alike, else NULL.
KAI_INLINE void lay_arms(const grains_context* c, grains_pair_batch* restrict pair_batch,
                         const grains_pair_chunk* pair_chunk, const kai_contact_coefficients* one)
{
    kai_grains_turns* turns = &pair_batch->turns;
    turns->spins = false;
    for (size_t i = pair_chunk->rows.from; i < pair_chunk->rows.to; i++) {
        const kai_contact_coefficients* pair =
            one ? one : kai_grains_coefficients_of(c->step, pair_batch->pair[i]);
        turns->rolling[i] = pair->rolling_friction;
        turns->spinning[i] = pair->spinning_friction;
        turns->spins |= pair->spinning_friction > 0.0;
    }
}

/// Couples against rolling and spinning of what touches.
static __attribute__((noinline)) void turn_pairs(const grains_context* c,
                                                 grains_pair_batch* restrict pair_batch,
                                                 const grains_pair_chunk* pair_chunk,
                                                 const grains_local* local)
{
    const size_t m = c->grains->one.material;
    const bool equal = c->law.equal && !pair_chunk->walls;
    kai_grains_turns* turns = &pair_batch->turns;
    lay_spins(turns, pair_chunk, local);
    if (equal)
        lay_arms(c, pair_batch, pair_chunk,
                 kai_grains_coefficients_of(c->step, m * c->step->materials + m));
    else
        lay_arms(c, pair_batch, pair_chunk, NULL);
    const kai_grains_turn_rows rows = {&pair_chunk->rows, pair_chunk->turning};
    if (equal)
        kai_grains_turn_equal(&pair_batch->rows, turns, &rows, &c->law);
    else
        kai_grains_turn_others(&pair_batch->rows, turns, &rows, &c->law);
}

/// Keeps couples for those who may ask.
KAI_INLINE void keep_turns(const grains_pair_batch* restrict pair_batch,
                           const grains_pair_chunk* pair_chunk, double (*restrict couple)[3])
{
    for (size_t i = pair_chunk->rows.from; i < pair_chunk->rows.to; i++) {
        const bool touches = pair_batch->rows.lanes.overlap[i] > 0.0;
        for (int k = 0; k < 3; k++)
            couple[pair_chunk->place + i][k] = touches ? pair_batch->turns.couple[k][i] : 0.0;
    }
}

/// Keeps forces for those who may ask.
KAI_INLINE void keep(const grains_pair_batch* restrict pair_batch,
                     const grains_pair_chunk* pair_chunk, double (*restrict force)[3])
{
    for (size_t i = pair_chunk->rows.from; i < pair_chunk->rows.to; i++)
        for (int k = 0; k < 3; k++) force[pair_chunk->place + i][k] = pair_batch->rows.f[i][k];
}

/// Notes which pairs touch, where that has changed: seldom. Displacements end with the touch.
KAI_INLINE void mark(const grains_pair_batch* restrict pair_batch,
                     const grains_pair_chunk* pair_chunk)
{
    const double* restrict overlap = pair_batch->rows.lanes.overlap;
    uint32_t* restrict entries = pair_chunk->entries;
    int changed = 0;
#pragma omp simd reduction(| : changed)
    for (size_t i = pair_chunk->rows.from; i < pair_chunk->rows.to; i++)
        changed |= (overlap[i] > 0.0) != entries[i] >> 31;
    for (size_t i = pair_chunk->rows.from; changed && i < pair_chunk->rows.to; i++) {
        const bool touches = overlap[i] > 0.0;
        if (touches == entries[i] >> 31) continue;
        entries[i] ^= KAI_GRAINS_TOUCH;
        if (!touches) memset(pair_chunk->rows.u[i], 0, sizeof *pair_chunk->rows.u);
        if (!touches && pair_chunk->turning)
            memset(pair_chunk->turning[i], 0, sizeof *pair_chunk->turning);
    }
}

/// How many pairs of the pair_batch are rare, and the deepest overlap.
KAI_INLINE kai_grains_tally count(const grains_pair_batch* restrict pair_batch,
                                  const grains_pair_chunk* pair_chunk)
{
    const kai_grains_pair_batch* rows = &pair_batch->rows;
    double deepest = 0.0, rare = 0.0;
#pragma omp simd reduction(+ : rare) reduction(max : deepest)
    for (size_t i = pair_chunk->rows.from; i < pair_chunk->rows.to; i++) {
        const double overlap = rows->lanes.overlap[i];
        deepest = overlap > deepest ? overlap : deepest;
        rare += rows->rare[i];
    }
    return (kai_grains_tally){.deepest = deepest, .rare = (size_t)rare};
}

/// Energy and heat of a block's contacts, summed by body: sums by pair would tell which pairs are
/// in the list without touching. Whole rows are added, four sums side by side.
KAI_INLINE void count_energy(const grains_local* local, size_t own, kai_grains_tally* tally)
{
    double sum[4][8] = {0};
    size_t i = 0;
    for (; i + 4 <= own; i += 4)
        for (size_t k = 0; k < 4; k++)
#pragma omp simd
            for (int j = 0; j < 8; j++) sum[k][j] += local->f[i + k][j];
    for (; i < own; i++)
        for (int j = 3; j < 5; j++) sum[0][j] += local->f[i][j];
    tally->elastic = (sum[0][3] + sum[1][3]) + (sum[2][3] + sum[3][3]);
    tally->heat = (sum[0][4] + sum[1][4]) + (sum[2][4] + sum[3][4]);
}

#endif
