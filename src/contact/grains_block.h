// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What grains.c does with a desk of contacts, stage by stage: tested, laid, evaluated, spread. All
// of it is inlined into one function, which is compiled for several CPUs.
#ifndef CONTACT_GRAINS_BLOCK_H
#define CONTACT_GRAINS_BLOCK_H

#include "contact/grains.h"
#include "contact/grains_law.h"

/// What a thread works on.
typedef struct grains_desk {
    kai_grains_desk rows;
    uint32_t a[KAI_GRAINS_DESK], b[KAI_GRAINS_DESK]; // bodies of the contacts
    uint32_t at[KAI_GRAINS_DESK];                    // their entries
    uint32_t old[KAI_GRAINS_DESK];                   // not 0: touched in the last step
    size_t pair[KAI_GRAINS_DESK];                    // of materials; not set where all are equal
} grains_desk;

/// States and sums of a block's bodies and ghosts, behind the desk.
typedef struct grains_local {
    double (*x)[8]; // position, radius, inverse mass, velocity
    double (*w)[4]; // material; spin, world
    double (*f)[8]; // force, moment
} grains_local;

typedef struct grains_context {
    kai_grains* grains;
    const kai_grains_step* step;
    size_t turn; // blocks until a thread's next one
    kai_grains_law law;
} grains_context;

/// Contacts and those that fill the lanes of vector units.
KAI_INLINE size_t lanes_of(size_t n)
{
    return (n + KAI_GRAINS_LANES - 1) / KAI_GRAINS_LANES * KAI_GRAINS_LANES;
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

/// What a sphere is, where they differ.
KAI_INLINE void load_sphere(const grains_context* c, size_t slot, double* restrict x,
                            double* restrict w)
{
    const kai_grains* g = c->grains;
    const kai_grains_sphere* s =
        g->equal ? &g->one : (const kai_grains_sphere*)g->spheres.data + slot;
    x[3] = s->radius;
    x[4] = s->inverse_mass;
    w[0] = s->material;
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
    turn(&pose->rotation, motion->spin.x, motion->spin.y, motion->spin.z, w + 1);
    x[3] = x[4] = w[0] = 0.0;
    if (!c->law.equal) load_sphere(c, slot, x, w);
}

/// The same of bodies in a row, eight at a time.
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
            to[3][i] = to[4][i] = spin[0][i] = motion[i][7];
            to[5][i] = vx, to[6][i] = vy, to[7][i] = vz;
            spin[1][i] = ax + qw * tx + qy * tz - qz * ty;
            spin[2][i] = ay + qw * ty + qz * tx - qx * tz;
            spin[3][i] = az + qw * tz + qx * ty - qy * tx;
        }
        kai_simd_rows((const double(*)[8])to, x[first], 8);
        kai_simd_rows((const double(*)[8])spin, w[first], 4);
    }
    for (size_t i = whole; i < n; i++) load(c, begin + i, x[i], w[i]);
    for (size_t i = 0; !c->law.equal && i < whole; i++) load_sphere(c, begin + i, x[i], w[i]);
}

// Contacts ---------------------------------------------------------------------------------------

/// Tests entries from `*at` on, until the desk is full or `end` reached, and lays those that touch
/// on the desk behind the n that lie there, where all spheres are equal; returns how many lie there
/// then. Most touch: what is laid in vain costs less than a second look. On its own, so that what
/// it needs stays in registers.
KAI_CLONES
static size_t lay_equal(double radius, grains_desk* restrict desk, size_t n,
                        const grains_local* local, uint32_t* restrict entries,
                        double (*restrict history)[3], size_t* at, size_t end)
{
    const double most = 4.0 * radius * radius;
    const double(*restrict x)[8] = (const double(*)[8])local->x;
    const double(*restrict w)[4] = (const double(*)[4])local->w;
    size_t e = *at;
    for (; e < end && n < KAI_GRAINS_DESK; e++) {
        const uint32_t entry = entries[e], a = KAI_GRAINS_A(entry), b = KAI_GRAINS_B(entry);
        const double *xa = x[a], *xb = x[b], *wa = w[a], *wb = w[b];
        const double dx = xb[0] - xa[0], dy = xb[1] - xa[1], dz = xb[2] - xa[2];
        const uint32_t touches = dx * dx + dy * dy + dz * dz < most;
        double *d = desk->rows.d[n], *spin = desk->rows.wa[n];
#pragma omp simd
        for (int k = 0; k < 8; k++) d[k] = xb[k] - xa[k];
#pragma omp simd
        for (int k = 0; k < 4; k++) spin[k] = wa[k] + wb[k];
        for (int k = 0; k < 3; k++) desk->rows.u[k][n] = history[e][k];
        desk->a[n] = a;
        desk->b[n] = b;
        desk->at[n] = (uint32_t)e;
        if (entry >> 31 != touches) { // seldom; histories begin with nothing
            entries[e] = entry ^ KAI_GRAINS_TOUCH;
            history[e][0] = history[e][1] = history[e][2] = 0.0;
        }
        n += touches;
    }
    *at = e;
    return n;
}

/// Tests entries likewise, without laying them.
KAI_INLINE size_t test(grains_desk* restrict desk, size_t n, const double (*restrict x)[8],
                       uint32_t* restrict entries, size_t* at, size_t end)
{
    size_t e = *at;
    for (; e < end && n < KAI_GRAINS_DESK; e++) {
        const uint32_t entry = entries[e], a = KAI_GRAINS_A(entry), b = KAI_GRAINS_B(entry);
        const double dx = x[b][0] - x[a][0], dy = x[b][1] - x[a][1], dz = x[b][2] - x[a][2];
        const double reach = x[a][3] + x[b][3];
        const uint32_t touches = dx * dx + dy * dy + dz * dz < reach * reach;
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

/// The same of pairs of a sphere and a wall.
KAI_INLINE size_t test_walls(const grains_context* c, grains_desk* restrict desk, size_t n,
                             const double (*restrict x)[8], uint32_t* restrict entries, size_t* at,
                             size_t end)
{
    const kai_grains_wall* walls = c->grains->walls.data;
    size_t e = *at;
    for (; e < end && n < KAI_GRAINS_DESK; e++) {
        const uint32_t entry = entries[e], a = KAI_GRAINS_A(entry), b = KAI_GRAINS_B(entry);
        const kai_vec3 m = walls[b].normal;
        const double height = m.x * x[a][0] + m.y * x[a][1] + m.z * x[a][2] - walls[b].offset;
        const uint32_t touches = height < (c->law.equal ? c->law.radius : x[a][3]);
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

/// What differs from contact to contact where spheres do; and always with walls.
KAI_INLINE void lay_pair(const grains_context* c, grains_desk* restrict desk, size_t i, size_t ma,
                         size_t mb)
{
    const size_t pair = ma * c->step->materials + mb;
    const double* from = (const double*)((const kai_grains_pair*)c->grains->pairs.data + pair);
    for (int k = 0; k < KAI_GRAINS_PAIR; k++) desk->rows.pair[k][i] = from[k];
    desk->pair[i] = pair;
}

/// Lays contacts of spheres that differ on the desk.
KAI_INLINE void lay(const grains_context* c, grains_desk* restrict desk, size_t n,
                    const grains_local* local, const double (*restrict history)[3])
{
    kai_grains_desk* rows = &desk->rows;
    for (size_t i = 0; i < n; i++) {
        const double *xa = local->x[desk->a[i]], *xb = local->x[desk->b[i]];
        const double *wa = local->w[desk->a[i]], *wb = local->w[desk->b[i]];
        const double* u = history[desk->at[i]];
        const bool old = desk->old[i] != 0;
        double *d = rows->d[i], *spin_a = rows->wa[i], *spin_b = rows->wb[i];
#pragma omp simd
        for (int k = 0; k < 8; k++) d[k] = xb[k] - xa[k];
        for (int k = 0; k < 3; k++) rows->u[k][i] = old ? u[k] : 0.0;
#pragma omp simd
        for (int k = 0; k < 4; k++) spin_a[k] = wa[k];
#pragma omp simd
        for (int k = 0; k < 4; k++) spin_b[k] = wb[k];
        rows->ra[i] = xa[3];
        rows->rb[i] = xb[3];
        rows->radius[i] = xa[3] * xb[3] / (xa[3] + xb[3]);
        rows->inverse[i] = xa[4] + xb[4];
        lay_pair(c, desk, i, (size_t)wa[0], (size_t)wb[0]);
    }
}

/// A wall is a sphere of the same size on the other side of its plane, with the curvature of none,
/// that does not move.
KAI_INLINE void lay_walls(const grains_context* c, grains_desk* restrict desk, size_t n,
                          const grains_local* local, const double (*restrict history)[3])
{
    const kai_grains* g = c->grains;
    const kai_grains_wall* walls = g->walls.data;
    kai_grains_desk* rows = &desk->rows;
    for (size_t i = 0; i < n; i++) {
        const double *x = local->x[desk->a[i]], *w = local->w[desk->a[i]];
        const kai_grains_wall* wall = &walls[desk->b[i]];
        const double* u = history[desk->at[i]];
        const bool old = desk->old[i] != 0;
        const kai_vec3 m = wall->normal;
        const double r = c->law.equal ? g->one.radius : x[3];
        // Where the other sphere would be on this side, the general path takes over.
        const double height = m.x * x[0] + m.y * x[1] + m.z * x[2] - wall->offset,
                     away = height + r > 1e-3 * r ? -(height + r) : 0.0;
        rows->d[i][0] = away * m.x;
        rows->d[i][1] = away * m.y;
        rows->d[i][2] = away * m.z;
        for (int k = 5; k < 8; k++) rows->d[i][k] = -x[k];
        for (int k = 0; k < 3; k++) rows->u[k][i] = old ? u[k] : 0.0;
        for (int k = 0; k < 4; k++) rows->wa[i][k] = w[k];
        for (int k = 0; k < 4; k++) rows->wb[i][k] = 0.0;
        rows->ra[i] = rows->rb[i] = rows->radius[i] = r;
        rows->inverse[i] = c->law.equal ? g->one.inverse_mass : x[4];
        lay_pair(c, desk, i, c->law.equal ? g->one.material : (size_t)w[0], wall->material);
    }
}

/// The same contact by the general path, for what the short forms do not cover.
static __attribute__((noinline)) void again(const grains_context* c, grains_desk* desk, size_t i,
                                            const grains_local* local, bool wall)
{
    kai_grains_desk* rows = &desk->rows;
    const kai_grains_law* law = &c->law;
    const bool equal = law->equal && !wall;
    const double ra = equal ? law->radius : rows->ra[i], rb = equal ? law->radius : rows->rb[i];
    const kai_vec3 d = kai_vec3_make(rows->d[i][0], rows->d[i][1], rows->d[i][2]);
    const double distance = kai_vec3_norm(d);
    double overlap = ra + rb - distance;
    kai_vec3 n = distance > 1e-150 ? kai_vec3_scale(d, 1.0 / distance) : kai_vec3_axis(2);
    if (wall) {
        const kai_grains_wall* w = (const kai_grains_wall*)c->grains->walls.data + desk->b[i];
        const double* x = local->x[desk->a[i]];
        n = kai_vec3_neg(w->normal);
        overlap = ra - (kai_vec3_dot(w->normal, kai_vec3_make(x[0], x[1], x[2])) - w->offset);
    }
    rows->overlap[i] = overlap;
    const double arm_a = ra - 0.5 * overlap, arm_b = rb - 0.5 * overlap;
    static const double still[4];
    const double *wa = local->w[desk->a[i]], *wb = wall ? still : local->w[desk->b[i]];
    const kai_vec3 spin_a = kai_vec3_make(wa[1], wa[2], wa[3]),
                   spin_b = kai_vec3_make(wb[1], wb[2], wb[3]);
    const kai_vec3 s = kai_vec3_mul_add(kai_vec3_scale(spin_a, arm_a), spin_b, arm_b);
    const kai_vec3 v = kai_vec3_make(rows->d[i][5], rows->d[i][6], rows->d[i][7]);
    kai_contact_history history = {.sliding =
                                       kai_vec3_make(rows->u[0][i], rows->u[1][i], rows->u[2][i])};
    const size_t m = c->grains->one.material,
                 pair = equal ? m * c->step->materials + m : desk->pair[i];
    const kai_contact_touch touch = {
        .overlap = overlap,
        .radius = equal ? 0.5 * ra : rows->radius[i],
        .mass = 1.0 / (equal ? 2.0 * law->inverse_mass : rows->inverse[i]),
        .radius_a = ra,
        .radius_b = wall ? HUGE_VAL : rb,
        .normal = n,
        .velocity = kai_vec3_sub(v, kai_vec3_cross(s, n)),
        .spin = kai_vec3_sub(spin_b, spin_a),
        .pair = (const void*)((const char*)c->step->pairs + pair * c->step->pair_stride),
        .history = &history};
    kai_contact_answer answer;
    kai_penalty_evaluate(c->step->law, &touch, 1, law->h, &answer);
    const kai_vec3 f = answer.force, moment = kai_vec3_cross(n, f), u = history.sliding;
    const double by = equal ? -arm_a : 1.0;
    const double out[8] = {f.x,    f.y,           f.z,           -arm_a,
                           -arm_b, by * moment.x, by * moment.y, by * moment.z};
    for (int k = 0; k < 8; k++) rows->f[i][k] = out[k];
    rows->u[0][i] = u.x;
    rows->u[1][i] = u.y;
    rows->u[2][i] = u.z;
    rows->energy[i] = answer.energy;
    rows->heat[i] = answer.dissipation;
}

/// Forces of what lies on the desk where contacts differ, apart from the rest: it is large.
KAI_CLONES
static void evaluate_others(const grains_context* c, grains_desk* restrict desk, size_t n)
{
    kai_grains_desk* rows = &desk->rows;
    const kai_grains_law law = c->law;
    if (law.hooke && !law.smooth)
        kai_grains_forces_of(rows, n, law, false, true, false);
    else if (!law.hooke && !law.smooth)
        kai_grains_forces_of(rows, n, law, false, false, false);
    else if (law.hooke)
        kai_grains_forces_of(rows, n, law, false, true, true);
    else
        kai_grains_forces_of(rows, n, law, false, false, true);
}

/// The same where spheres are equal.
KAI_CLONES
static void evaluate_equal(const grains_context* c, grains_desk* restrict desk, size_t n)
{
    kai_grains_forces_of(&desk->rows, n, c->law, true, false, false);
}

/// Forces of what lies on the desk.
KAI_INLINE void evaluate(const grains_context* c, grains_desk* restrict desk, size_t n,
                         const grains_local* local, bool walls)
{
    if (c->law.equal && !walls)
        evaluate_equal(c, desk, n);
    else
        evaluate_others(c, desk, n);
    const size_t lanes = lanes_of(n);
    double rare = 0.0;
#pragma omp simd reduction(+ : rare)
    for (size_t i = 0; i < lanes; i++) rare += desk->rows.rare[i];
    for (size_t i = 0; rare != 0.0 && i < n; i++)
        if (desk->rows.rare[i] != 0.0) again(c, desk, i, local, walls);
}

/// Adds forces to the bodies and writes histories back, in order, where spheres are equal: their
/// moments are too.
KAI_CLONES
static void spread_equal(const grains_desk* restrict desk, size_t n, const grains_local* local,
                         double (*restrict history)[3])
{
    static const double sign[8] = {-1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    const kai_grains_desk* rows = &desk->rows;
    for (size_t i = 0; i < n; i++) {
        const double* f = rows->f[i];
        double *fa = local->f[desk->a[i]], *fb = local->f[desk->b[i]], *u = history[desk->at[i]];
#pragma omp simd
        for (int k = 0; k < 8; k++) fa[k] += sign[k] * f[k];
#pragma omp simd
        for (int k = 0; k < 8; k++) fb[k] += f[k];
        u[0] = rows->u[0][i], u[1] = rows->u[1][i], u[2] = rows->u[2][i];
    }
}

/// The same where spheres differ.
KAI_INLINE void spread(const grains_desk* restrict desk, size_t n, const grains_local* local,
                       double (*restrict history)[3])
{
    const kai_grains_desk* rows = &desk->rows;
    for (size_t i = 0; i < n; i++) {
        const double *f = rows->f[i], ra = f[3], rb = f[4];
        double *fa = local->f[desk->a[i]], *fb = local->f[desk->b[i]], *u = history[desk->at[i]];
        for (int k = 0; k < 3; k++) fa[k] -= f[k];
        for (int k = 5; k < 8; k++) fa[k] += ra * f[k];
        for (int k = 0; k < 3; k++) fb[k] += f[k];
        for (int k = 5; k < 8; k++) fb[k] += rb * f[k];
        u[0] = rows->u[0][i], u[1] = rows->u[1][i], u[2] = rows->u[2][i];
    }
}

/// The same with walls, whose bodies feel `thrusts`.
KAI_INLINE void spread_walls(const grains_context* c, const grains_desk* restrict desk, size_t n,
                             const grains_local* local, double (*restrict history)[3],
                             kai_wrench* restrict thrusts)
{
    const kai_grains_desk* rows = &desk->rows;
    const kai_grains_wall* walls = c->grains->walls.data;
    for (size_t i = 0; i < n; i++) {
        const double *x = local->x[desk->a[i]], *row = rows->f[i], r = -row[3];
        double *fa = local->f[desk->a[i]], *u = history[desk->at[i]];
        const kai_vec3 f = kai_vec3_make(row[0], row[1], row[2]);
        const kai_grains_wall* wall = &walls[desk->b[i]];
        const kai_vec3 point = kai_vec3_mul_add(kai_vec3_make(x[0], x[1], x[2]), wall->normal, -r);
        const kai_vec3 moment = kai_vec3_cross(kai_vec3_sub(point, wall->centre), f);
        kai_wrench* thrust = &thrusts[desk->b[i]];
        fa[0] -= f.x, fa[1] -= f.y, fa[2] -= f.z;
        fa[5] -= r * row[5], fa[6] -= r * row[6], fa[7] -= r * row[7];
        thrust->force = kai_vec3_add(thrust->force, f);
        thrust->torque = kai_vec3_add(thrust->torque, moment);
        u[0] = rows->u[0][i], u[1] = rows->u[1][i], u[2] = rows->u[2][i];
    }
}

/// Keeps forces for those who may ask.
KAI_INLINE void keep(const grains_desk* restrict desk, size_t n, double (*restrict force)[3])
{
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) force[desk->at[i]][k] = desk->rows.f[i][k];
}

KAI_INLINE void count(grains_desk* restrict desk, size_t n, kai_grains_tally* tally)
{
    kai_grains_desk* rows = &desk->rows;
    const size_t lanes = lanes_of(n);
    double elastic = 0.0, heat = 0.0, deepest = 0.0, rare = 0.0;
    for (size_t i = n; i < lanes; i++)
        rows->energy[i] = rows->heat[i] = rows->overlap[i] = rows->rare[i] = 0.0;
#pragma omp simd reduction(+ : elastic, heat, rare) reduction(max : deepest)
    for (size_t i = 0; i < lanes; i++) {
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

#endif
