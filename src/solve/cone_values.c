// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/cone_values.h"

#include <string.h>

enum { LANES = KAI_CONE_PACK_LANES, AHEAD = 2 * LANES };

typedef struct inertia {
    double m[6]; // xx yy zz xy xz yz
} inertia;

static inertia inertia_of(const kai_cone_problem* p, uint32_t body)
{
    inertia r = {{0.0}};
    if (body == KAI_CONE_NONE) return r;
    const double same = p->motion[body].inverse_moment;
    if (same >= 0.0)
        r.m[0] = r.m[1] = r.m[2] = same;
    else if (p->inertia != NULL)
        memcpy(r.m, p->inertia[body], sizeof r.m);
    return r;
}

void kai_cone_values_inertia(const kai_cone_problem* p, size_t body, double out[6])
{
    const double same = p->motion[body].inverse_moment;
    memset(out, 0, 6 * sizeof *out);
    if (same > 0.0) out[0] = out[1] = out[2] = 1.0 / same;
    if (same >= 0.0 || p->inertia == NULL) return;
    const double* m = p->inertia[body];
    const double xx = m[0], yy = m[1], zz = m[2], xy = m[3], xz = m[4], yz = m[5];
    const double a = yy * zz - yz * yz, b = xz * yz - xy * zz, c = xy * yz - xz * yy;
    const double det = xx * a + xy * b + xz * c;
    const double s = det > 0.0 ? 1.0 / det : 0.0;
    const double inverse[6] = {s * a, s * (xx * zz - xz * xz), s * (xx * yy - xy * xy), s * b,
                               s * c, s * (xy * xz - xx * yz)};
    memcpy(out, inverse, sizeof inverse);
}

static void put(double* v, int row, kai_vec3 x)
{
    v[row * LANES] = x.x;
    v[(row + 1) * LANES] = x.y;
    v[(row + 2) * LANES] = x.z;
}

static void pack_general(const kai_cone_problem* p, const kai_cone_contact* c, double* v)
{
    const inertia ia = inertia_of(p, c->a), ib = inertia_of(p, c->b);
    put(v, KAI_CONE_ROW_ARM_A, c->a == KAI_CONE_NONE ? kai_vec3_zero() : c->arm_a);
    put(v, KAI_CONE_ROW_ARM_B, c->b == KAI_CONE_NONE ? kai_vec3_zero() : c->arm_b);
    for (int k = 0; k < 6; k++) {
        v[(KAI_CONE_ROW_INERTIA_A + k) * LANES] = ia.m[k];
        v[(KAI_CONE_ROW_INERTIA_B + k) * LANES] = ib.m[k];
    }
}

static void pack_uniform(const kai_cone_problem* p, const kai_cone_contact* c, uint32_t i,
                         bool equal_masses, double* v)
{
    const double a = c->a == KAI_CONE_NONE ? 0.0 : kai_vec3_dot(c->arm_a, c->normal);
    const double b = c->b == KAI_CONE_NONE ? 0.0 : -kai_vec3_dot(c->arm_b, c->normal);
    const bool one = c->a == KAI_CONE_NONE || c->b == KAI_CONE_NONE;
    put(v, KAI_CONE_UNIFORM_IMPULSE, p->impulse[i]);
    v[KAI_CONE_UNIFORM_RADIUS_A * LANES] = !equal_masses ? a : one ? a + b : 0.5 * (a + b);
    if (!equal_masses) v[KAI_CONE_UNIFORM_RADIUS_B * LANES] = b;
}

static void pack_grain(const kai_cone_contact* c, double* v)
{
    v[KAI_CONE_ROW_RADIUS_A * LANES] =
        c->a == KAI_CONE_NONE ? 0.0 : kai_vec3_dot(c->arm_a, c->normal);
    v[KAI_CONE_ROW_RADIUS_B * LANES] =
        c->b == KAI_CONE_NONE ? 0.0 : -kai_vec3_dot(c->arm_b, c->normal);
}

static uint32_t index_of(const kai_cone_problem* p, uint32_t body, const kai_cone_run* run)
{
    if (body == KAI_CONE_NONE) return 8 * run->ground;
    return 8 * body + (run->stays && !kai_cone_values_moves(&p->motion[body]) ? 1 : 0);
}

static kai_vec3 spin_of(const inertia* i, kai_vec3 l)
{
    const double* m = i->m;
    return kai_vec3_make(m[0] * l.x + m[3] * l.y + m[4] * l.z, m[3] * l.x + m[1] * l.y + m[5] * l.z,
                         m[4] * l.x + m[5] * l.y + m[2] * l.z);
}

static void pack_lean(const kai_cone_problem* p, const kai_cone_contact* c, uint32_t i, bool turns,
                      double* v)
{
    v[KAI_CONE_LEAN_COMPLIANCE * LANES] = c->compliance;
    v[KAI_CONE_LEAN_IMPULSE * LANES] =
        p->along ? p->along[i * p->stride] : kai_vec3_dot(p->impulse[i], c->normal);
    if (!turns) return;
    const inertia ia = inertia_of(p, c->a), ib = inertia_of(p, c->b);
    const kai_vec3 zero = kai_vec3_zero();
    const kai_vec3 a = c->a == KAI_CONE_NONE ? zero : kai_vec3_cross(c->arm_a, c->normal);
    const kai_vec3 b = c->b == KAI_CONE_NONE ? zero : kai_vec3_cross(c->arm_b, c->normal);
    put(v, KAI_CONE_LEAN_TURN_A, a);
    put(v, KAI_CONE_LEAN_TURN_B, b);
    put(v, KAI_CONE_LEAN_SPIN_A, spin_of(&ia, a));
    put(v, KAI_CONE_LEAN_SPIN_B, spin_of(&ib, b));
}

static void pack_rough(const kai_cone_problem* p, const kai_cone_contact* c, uint32_t i,
                       uint32_t kind, double* v)
{
    v[KAI_CONE_ROW_FRICTION * LANES] = p->smooth ? 0.0 : c->friction;
    v[KAI_CONE_ROW_COMPLIANCE * LANES] = c->compliance;
    put(v, KAI_CONE_ROW_IMPULSE, p->impulse[i]);
    if (kind == KAI_CONE_GRAIN)
        pack_grain(c, v);
    else
        pack_general(p, c, v);
    if (kind != KAI_CONE_COUPLED) return;
    v[KAI_CONE_ROW_ROLLING * LANES] = p->smooth ? 0.0 : c->rolling;
    v[KAI_CONE_ROW_SPINNING * LANES] = p->smooth ? 0.0 : c->spinning;
    put(v, KAI_CONE_ROW_COUPLE, p->couple[i]);
}

static void pack_lane(const kai_cone_problem* p, uint32_t i, const kai_cone_run* run, double* v,
                      uint32_t* index)
{
    const kai_cone_contact* c = &p->contacts[i];
    index[0] = index_of(p, c->a, run);
    index[LANES] = index_of(p, c->b, run);
    put(v, KAI_CONE_ROW_NORMAL, c->normal);
    v[KAI_CONE_ROW_BIAS * LANES] = c->bias;
    if (run->kind == KAI_CONE_FRICTIONLESS || run->kind == KAI_CONE_SMOOTH)
        pack_lean(p, c, i, run->kind == KAI_CONE_SMOOTH, v);
    else if (run->kind == KAI_CONE_EQUAL_MASSES || run->kind == KAI_CONE_UNIFORM)
        pack_uniform(p, c, i, run->kind == KAI_CONE_EQUAL_MASSES, v);
    else
        pack_rough(p, c, i, run->kind, v);
}

static void pack_parts(const kai_cone_contact* c, const uint64_t* degree, double* parts)
{
    parts[0] = c->a == KAI_CONE_NONE ? 0.0 : (double)degree[c->a];
    parts[LANES] = c->b == KAI_CONE_NONE ? 0.0 : (double)degree[c->b];
}

// Contacts of a group lie anywhere: what the group after next needs is asked for.
static void ask_ahead(const kai_cone_problem* p, uint32_t i)
{
    if (i == UINT32_MAX) return;
    const char* contact = (const char*)&p->contacts[i];
    __builtin_prefetch(contact);
    __builtin_prefetch(contact + 64);
    __builtin_prefetch(contact + sizeof *p->contacts - 1);
    __builtin_prefetch(p->along ? (const void*)&p->along[i * p->stride] : &p->impulse[i]);
}

void kai_cone_values_pack(const kai_cone_problem* problem, const kai_cone_run* run,
                          const uint32_t* at, const uint64_t* degree, double* v)
{
    const uint32_t* end = at + (size_t)run->count * LANES;
    for (uint32_t g = 0; g < run->count; g++, v += run->rows * LANES, at += LANES) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            uint32_t* index = (uint32_t*)v + lane;
            if (end - at > AHEAD) ask_ahead(problem, at[AHEAD + lane]);
            if (at[lane] == UINT32_MAX) {
                index[0] = index[LANES] = 8 * run->ground;
                for (uint32_t r = 1; r < run->rows; r++) v[r * LANES + lane] = 0.0;
                continue;
            }
            pack_lane(problem, at[lane], run, v + lane, index);
            if (degree)
                pack_parts(&problem->contacts[at[lane]], degree,
                           v + (kai_cone_pack_rows(run->kind) + KAI_CONE_EXTRA_PARTS) * LANES +
                               lane);
        }
    }
}

static kai_vec3 get(const double* v, int row)
{
    return kai_vec3_make(v[row * LANES], v[(row + 1) * LANES], v[(row + 2) * LANES]);
}

void kai_cone_values_read(const kai_cone_problem* problem, const kai_cone_run* run,
                          const uint32_t* at, const double* v)
{
    const bool lean = run->kind == KAI_CONE_FRICTIONLESS || run->kind == KAI_CONE_SMOOTH;
    const bool alike = run->kind == KAI_CONE_EQUAL_MASSES || run->kind == KAI_CONE_UNIFORM;
    const int impulse = alike ? KAI_CONE_UNIFORM_IMPULSE : KAI_CONE_ROW_IMPULSE;
    const uint32_t* end = at + (size_t)run->count * LANES;
    for (uint32_t g = 0; g < run->count; g++, v += run->rows * LANES, at += LANES) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            const uint32_t i = at[lane];
            if (end - at > AHEAD && at[AHEAD + lane] != UINT32_MAX)
                __builtin_prefetch(problem->along
                                       ? &problem->along[at[AHEAD + lane] * problem->stride]
                                       : &problem->impulse[at[AHEAD + lane]].x,
                                   1);
            if (i == UINT32_MAX) continue;
            if (lean && problem->along) {
                problem->along[i * problem->stride] = v[KAI_CONE_LEAN_IMPULSE * LANES + lane];
                continue;
            }
            problem->impulse[i] = lean ? kai_vec3_scale(get(v + lane, KAI_CONE_ROW_NORMAL),
                                                        v[KAI_CONE_LEAN_IMPULSE * LANES + lane])
                                       : get(v + lane, impulse);
            if (problem->couple)
                problem->couple[i] = run->kind == KAI_CONE_COUPLED
                                         ? get(v + lane, KAI_CONE_ROW_COUPLE)
                                         : kai_vec3_zero();
        }
    }
}
