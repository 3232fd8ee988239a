// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/cone_values.h"

#include <string.h>

enum { LANES = KAI_CONE_PACK_LANES };

typedef struct inertia {
    double m[6]; // xx yy zz xy xz yz
} inertia;

static kai_vec3 inertia_mul(const inertia* i, kai_vec3 v)
{
    const double* m = i->m;
    return kai_vec3_make(m[0] * v.x + m[3] * v.y + m[4] * v.z, m[3] * v.x + m[1] * v.y + m[5] * v.z,
                         m[4] * v.x + m[5] * v.y + m[2] * v.z);
}

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

static double inverse_mass_of(const kai_cone_problem* p, uint32_t body)
{
    return body == KAI_CONE_NONE ? 0.0 : p->motion[body].inverse_mass;
}

// What an impulse at `arm` does to the velocity there, moments only.
static kai_vec3 turn(const inertia* i, kai_vec3 arm, kai_vec3 impulse)
{
    return kai_vec3_cross(inertia_mul(i, kai_vec3_cross(arm, impulse)), arm);
}

// The largest eigenvalue of a symmetric matrix (by columns) across n.
static double across(const kai_vec3 m[3], kai_vec3 n)
{
    const double xx = m[0].x, yy = m[1].y, zz = m[2].z, xy = m[1].x, xz = m[2].x, yz = m[2].y;
    const kai_vec3 mn = {xx * n.x + xy * n.y + xz * n.z, xy * n.x + yy * n.y + yz * n.z,
                         xz * n.x + yz * n.y + zz * n.z};
    // The two eigenvalues of T M T, T = 1 - n nᵀ, have this mean and this product (n·adj(M) n).
    const double mean = 0.5 * (xx + yy + zz - kai_vec3_dot(mn, n));
    const double product =
        n.x * n.x * (yy * zz - yz * yz) + n.y * n.y * (xx * zz - xz * xz) +
        n.z * n.z * (xx * yy - xy * xy) +
        2.0 * (n.x * n.y * (xz * yz - xy * zz) + n.x * n.z * (xy * yz - xz * yy) +
               n.y * n.z * (xy * xz - yz * xx));
    return mean + sqrt(fmax(mean * mean - product, 0.0));
}

static double inverse_or_zero(double x) { return x > 0.0 ? 1.0 / x : 0.0; }

static void put(double* v, int row, kai_vec3 x)
{
    v[row * LANES] = x.x;
    v[(row + 1) * LANES] = x.y;
    v[(row + 2) * LANES] = x.z;
}

static kai_vec3 clip(kai_vec3 v, double limit)
{
    const double length2 = kai_vec3_norm2(v);
    return length2 > limit * limit ? kai_vec3_scale(v, limit / sqrt(length2)) : v;
}

// A number that is not positive becomes 0; NaN stays, to be seen later.
static double positive(double x) { return x > 0.0 ? x : 0.0 * x; }

static double pack_guess(const kai_cone_problem* p, size_t i, double* v)
{
    const kai_cone_contact* c = &p->contacts[i];
    const kai_vec3 g = p->impulse[i], n = c->normal;
    const double along_n = kai_vec3_dot(g, n), normal = positive(along_n);
    const kai_vec3 t = clip(kai_vec3_mul_add(g, n, -along_n), c->friction * normal);
    put(v, KAI_CONE_ROW_IMPULSE, kai_vec3_mul_add(t, n, normal));
    return normal;
}

static void pack_couple(const kai_cone_problem* p, size_t i, double normal, double* v)
{
    const kai_cone_contact* c = &p->contacts[i];
    const kai_vec3 n = c->normal, g = p->couple[i];
    const inertia ia = inertia_of(p, c->a), ib = inertia_of(p, c->b);
    inertia sum;
    for (int k = 0; k < 6; k++) sum.m[k] = ia.m[k] + ib.m[k];
    const kai_vec3 columns[3] = {{sum.m[0], sum.m[3], sum.m[4]},
                                 {sum.m[3], sum.m[1], sum.m[5]},
                                 {sum.m[4], sum.m[5], sum.m[2]}};
    const double mean = (sum.m[0] + sum.m[1] + sum.m[2]) / 3.0;
    const double mass = inverse_mass_of(p, c->a) + inverse_mass_of(p, c->b);
    const kai_vec3 response = {v[KAI_CONE_ROW_RESPONSE * LANES],
                               v[(KAI_CONE_ROW_RESPONSE + 1) * LANES],
                               v[(KAI_CONE_ROW_RESPONSE + 2) * LANES]};
    const double stiff = fmax(kai_vec3_dot(response, n), mass);
    v[KAI_CONE_ROW_ROLLING * LANES] = c->rolling;
    v[KAI_CONE_ROW_SPINNING * LANES] = c->spinning;
    v[KAI_CONE_ROW_MASS_R * LANES] = inverse_or_zero(across(columns, n));
    v[KAI_CONE_ROW_MASS_S * LANES] = inverse_or_zero(kai_vec3_dot(inertia_mul(&sum, n), n));
    v[KAI_CONE_ROW_LENGTH * LANES] = mean > 0.0 ? sqrt(stiff / mean) : 0.0;
    const double about = kai_vec3_dot(g, n);
    const kai_vec3 roll = clip(kai_vec3_mul_add(g, n, -about), c->rolling * normal);
    const kai_vec3 spin = clip(kai_vec3_scale(n, about), c->spinning * normal);
    put(v, KAI_CONE_ROW_COUPLE, mean > 0.0 ? kai_vec3_add(roll, spin) : kai_vec3_zero());
}

// Arms, inertia and masses; false: nothing can move.
static bool pack_general(const kai_cone_problem* p, const kai_cone_contact* c, double* v)
{
    const inertia ia = inertia_of(p, c->a), ib = inertia_of(p, c->b);
    const double mass = inverse_mass_of(p, c->a) + inverse_mass_of(p, c->b);
    const kai_vec3 arm_a = c->a == KAI_CONE_NONE ? kai_vec3_zero() : c->arm_a;
    const kai_vec3 arm_b = c->b == KAI_CONE_NONE ? kai_vec3_zero() : c->arm_b;
    kai_vec3 columns[3];
    for (int k = 0; k < 3; k++) {
        const kai_vec3 e = kai_vec3_axis(k);
        columns[k] = kai_vec3_add(kai_vec3_scale(e, mass),
                                  kai_vec3_add(turn(&ia, arm_a, e), turn(&ib, arm_b, e)));
    }
    const kai_vec3 n = c->normal;
    const kai_vec3 response = {kai_vec3_dot(columns[0], n), kai_vec3_dot(columns[1], n),
                               kai_vec3_dot(columns[2], n)};
    const double stiff = kai_vec3_dot(response, n);
    if (stiff <= 0.0) return false;
    v[KAI_CONE_ROW_MASS_N * LANES] = 1.0 / (stiff + c->compliance);
    v[KAI_CONE_ROW_MASS_T * LANES] = inverse_or_zero(across(columns, n));
    put(v, KAI_CONE_ROW_ARM_A, arm_a);
    put(v, KAI_CONE_ROW_ARM_B, arm_b);
    for (int k = 0; k < 6; k++) {
        v[(KAI_CONE_ROW_INERTIA_A + k) * LANES] = ia.m[k];
        v[(KAI_CONE_ROW_INERTIA_B + k) * LANES] = ib.m[k];
    }
    put(v, KAI_CONE_ROW_RESPONSE, response);
    return true;
}

static bool pack_grain(const kai_cone_problem* p, const kai_cone_contact* c, double* v)
{
    const bool has_a = c->a != KAI_CONE_NONE, has_b = c->b != KAI_CONE_NONE;
    const double ra = has_a ? kai_vec3_dot(c->arm_a, c->normal) : 0.0;
    const double rb = has_b ? -kai_vec3_dot(c->arm_b, c->normal) : 0.0;
    const double mass = inverse_mass_of(p, c->a) + inverse_mass_of(p, c->b);
    const double moment_a = has_a ? p->motion[c->a].inverse_moment : 0.0;
    const double moment_b = has_b ? p->motion[c->b].inverse_moment : 0.0;
    if (mass <= 0.0) return false;
    v[KAI_CONE_ROW_MASS_N * LANES] = 1.0 / (mass + c->compliance);
    v[KAI_CONE_ROW_MASS_T * LANES] = 1.0 / (mass + ra * ra * moment_a + rb * rb * moment_b);
    v[KAI_CONE_ROW_RADIUS_A * LANES] = ra;
    v[KAI_CONE_ROW_RADIUS_B * LANES] = rb;
    return true;
}

static uint32_t index_of(const kai_cone_problem* p, uint32_t body, uint32_t ground)
{
    if (body == KAI_CONE_NONE) return 8 * ground;
    return 8 * body + (kai_cone_values_moves(&p->motion[body]) ? 0 : 1);
}

static void pack_empty(double* v, uint32_t* index, uint32_t rows, uint32_t ground)
{
    index[0] = index[LANES] = 8 * ground;
    for (uint32_t r = 1; r < rows; r++) v[r * LANES] = 0.0;
    v[KAI_CONE_ROW_MASS_N * LANES] = v[KAI_CONE_ROW_MASS_T * LANES] = 1.0;
}

// How stiff one body is at the contact: along n, across n, in rotation.
typedef struct stiffness {
    double n, t, r;
} stiffness;

static stiffness stiffness_of(const kai_cone_problem* p, uint32_t body, kai_vec3 arm, kai_vec3 n)
{
    const inertia i = inertia_of(p, body);
    const double mass = inverse_mass_of(p, body);
    kai_vec3 columns[3];
    if (body == KAI_CONE_NONE) return (stiffness){0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        const kai_vec3 e = kai_vec3_axis(k);
        columns[k] = kai_vec3_mul_add(turn(&i, arm, e), e, mass);
    }
    return (stiffness){mass + kai_vec3_dot(turn(&i, arm, n), n), across(columns, n),
                       i.m[0] + i.m[1] + i.m[2]};
}

// Bodies are split into as many parts as they have contacts, and each contact has its own (mass
// splitting, Tonge and others 2012): all contacts may then act at once. The share is by how much
// that lowers the masses of the contact.
static double share_of(const kai_cone_problem* p, const kai_cone_contact* c, const uint64_t* degree)
{
    const stiffness a = stiffness_of(p, c->a, c->arm_a, c->normal);
    const stiffness b = stiffness_of(p, c->b, c->arm_b, c->normal);
    const double na = c->a == KAI_CONE_NONE ? 0.0 : (double)degree[c->a];
    const double nb = c->b == KAI_CONE_NONE ? 0.0 : (double)degree[c->b];
    double share = (a.n + b.n + c->compliance) / (na * a.n + nb * b.n + c->compliance);
    if (a.t + b.t > 0.0) share = fmin(share, (a.t + b.t) / (na * a.t + nb * b.t));
    if (a.r + b.r > 0.0) share = fmin(share, (a.r + b.r) / (na * a.r + nb * b.r));
    return share;
}

// How much normal and tangential parts of the 3 × 3 block mix: its largest eigenvalue, in the
// metric of the masses, is at most 1 + this.
static double mixing(uint32_t kind, const kai_cone_contact* c, const double* v)
{
    if (kind == KAI_CONE_GRAIN) return 0.0;
    const double* r = v + KAI_CONE_ROW_RESPONSE * LANES;
    const kai_vec3 response = {r[0], r[LANES], r[2 * LANES]};
    const kai_vec3 side = kai_vec3_mul_add(response, c->normal, -kai_vec3_dot(response, c->normal));
    return kai_vec3_norm(side) *
           sqrt(v[KAI_CONE_ROW_MASS_N * LANES] * v[KAI_CONE_ROW_MASS_T * LANES]);
}

static void pack_extra(const kai_cone_problem* p, const kai_cone_contact* c,
                       const kai_cone_run* run, const uint64_t* degree, double* v)
{
    const uint32_t base = kai_cone_pack_rows(run->kind);
    double* extra = v + base * LANES;
    extra[KAI_CONE_EXTRA_SHARE * LANES] = share_of(p, c, degree) / (1.0 + mixing(run->kind, c, v));
    for (int k = 0; k < 3; k++)
        extra[(KAI_CONE_EXTRA_IMPULSE + k) * LANES] = v[(KAI_CONE_ROW_IMPULSE + k) * LANES];
    if (run->kind != KAI_CONE_COUPLED) return;
    for (int k = 0; k < 3; k++)
        extra[(KAI_CONE_EXTRA_COUPLE + k) * LANES] = v[(KAI_CONE_ROW_COUPLE + k) * LANES];
}

void kai_cone_values_pack(const kai_cone_problem* p, uint32_t i, const kai_cone_run* run,
                          const uint64_t* degree, double* v, uint32_t* index)
{
    if (i == UINT32_MAX) {
        pack_empty(v, index, run->rows, run->ground);
        return;
    }
    const kai_cone_contact* c = &p->contacts[i];
    const bool fine = run->kind == KAI_CONE_GRAIN ? pack_grain(p, c, v) : pack_general(p, c, v);
    if (!fine) {
        pack_empty(v, index, run->rows, run->ground);
        return;
    }
    index[0] = index_of(p, c->a, run->ground);
    index[LANES] = index_of(p, c->b, run->ground);
    put(v, KAI_CONE_ROW_NORMAL, c->normal);
    v[KAI_CONE_ROW_BIAS * LANES] = c->bias;
    v[KAI_CONE_ROW_FRICTION * LANES] = c->friction;
    v[KAI_CONE_ROW_COMPLIANCE * LANES] = c->compliance;
    const double normal = pack_guess(p, i, v);
    if (run->kind == KAI_CONE_COUPLED) pack_couple(p, i, normal, v);
    if (degree != NULL) pack_extra(p, c, run, degree, v);
}
