// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The corotational Euler-Bernoulli beam. Sources: B. Nour-Omid, C. C. Rankin, "Finite rotation
// analysis and consistent linearization using projectors", CMAME 93 (1991); C. A. Felippa, B.
// Haugen, "A unified formulation of small-strain corotational finite elements", CMAME 194 (2005).
//
// Axes of the element: e₁ from node 1 to node 2, e₂ in the plane of e₁ and the half sum of the y
// axes of both ends, e₃ = e₁ × e₂. Against them the ends are turned by R_a = exp(θ_a). With l the
// distance of the nodes:
//
//     W = ½ EA L ε² + ½ GJ/L (θ₂x - θ₁x)² + Σ 2 EI/L (θ₁² + θ₁ θ₂ + θ₂²)      about y and z
//     ε = l/L - 1 + Σ (2 θ₁² - θ₁ θ₂ + 2 θ₂²)/30
//
// The sum in ε is how much longer the bent line is than its chord; it makes the geometric stiffness
// of the element. Moments at ends: m_a = D⁻ᵀ(θ_a) ∂W/∂θ_a, D⁻¹(θ) = 1 - ½ θ× + η θ×θ×,
// η = (1 - ½θ cot ½θ)/θ². With s_a the spin of end a and ω that of the element, θ̇_a = D⁻¹ (s_a -
// ω):
//
//     ω = (½ Σ s_a·(y_a × e₃)/y₂ + ω₂ y₁/y₂,  -ẋ₃/l,  ẋ₂/l),   x from node 1 to node 2
//
// so that the power of m_a goes to the nodes as below (forces g, torques h_a): the projector of the
// sources, written out. Tangents differentiate these formulas along the nine motions that count
// (three of x, three of each end), a lane each, and are exact but for the rate of strain.
//
// Flops: force 600, force and tangent 600 + 9·300 = 3,300.
#include "fea/elements/euler_beam.h"

#include "base/simd.h"

#include <string.h>

typedef kai_euler_beam_data beam_data;
typedef kai_euler_beam_state beam_state;

// State ------------------------------------------------------------------------------------------

bool kai_euler_beam_find(const beam_data* data, const double* q, beam_state* out)
{
    const kai_quat turn[2] = {
        kai_quat_mul(kai_quat_make(q[3], q[4], q[5], q[6]), kai_quat_conj(data->own[0])),
        kai_quat_mul(kai_quat_make(q[10], q[11], q[12], q[13]), kai_quat_conj(data->own[1]))};
    out->x[0] = kai_vec3_make(q[0], q[1], q[2]);
    out->x[1] = kai_vec3_make(q[7], q[8], q[9]);
    const kai_vec3 d = kai_vec3_sub(out->x[1], out->x[0]);
    const kai_vec3 y_axis = kai_vec3_make(0.0, 1.0, 0.0);
    const kai_vec3 hint =
        kai_vec3_add(kai_quat_rotate(turn[0], y_axis), kai_quat_rotate(turn[1], y_axis));
    out->length = kai_vec3_norm(d);
    out->e[0] = kai_vec3_scale(d, 1.0 / out->length);
    const kai_vec3 z = kai_vec3_cross(out->e[0], hint);
    const double across = kai_vec3_norm(z);
    out->e[2] = kai_vec3_scale(z, 1.0 / across);
    out->e[1] = kai_vec3_cross(out->e[2], out->e[0]);
    const kai_quat own =
        kai_quat_conj(kai_quat_from_mat33(kai_mat33_from_columns(out->e[0], out->e[1], out->e[2])));
    double longer = 0.0;
    for (int a = 0; a < 2; a++) {
        const kai_quat r = kai_quat_mul(own, turn[a]);
        out->t[a] = kai_quat_to_rotation_vector(r);
        out->y[a] = kai_quat_rotate(r, y_axis);
        longer += 2.0 * (out->t[a].y * out->t[a].y + out->t[a].z * out->t[a].z);
    }
    longer -= out->t[0].y * out->t[1].y + out->t[0].z * out->t[1].z;
    out->strain = (out->length - data->length) / data->length + longer / 30.0;
    out->y_length = 0.5 * (out->y[0].y + out->y[1].y);
    out->lean = 0.5 * (out->y[0].x + out->y[1].x) / out->y_length;
    return across > 1e-9 * kai_vec3_norm(hint) && out->y_length > 1e-6 && isfinite(out->strain);
}

/// η and its derivative by θ².
static void eta(double square, double* value, double* slope)
{
    if (square < 0.25) {
        // Bernoulli numbers |B_2k|/(2k)!; the next terms are below 1e-16 relative.
        static const double C[8] = {1.0 / 720.0,
                                    1.0 / 30240.0,
                                    1.0 / 1209600.0,
                                    1.0 / 47900160.0,
                                    691.0 / 1307674368000.0,
                                    1.0 / 74724249600.0,
                                    3617.0 / 10670622842880000.0,
                                    43867.0 / 5109094217170944000.0};
        *value = 0.0;
        *slope = 0.0;
        for (int k = 7; k >= 0; k--) {
            *value = (*value + C[k]) * square;
            *slope = *slope * square + (k + 1) * C[k];
        }
        *value += 1.0 / 12.0;
        return;
    }
    const double u = 0.5 * sqrt(square), cot = 1.0 / tan(u), sine = sin(u);
    *value = (1.0 - u * cot) / square;
    *slope = -*value / square - (cot - u / (sine * sine)) / (8.0 * u * square);
}

// Forces -----------------------------------------------------------------------------------------

/// What forces and tangents of a state need.
typedef struct moments {
    double eta[2], eta_slope[2];
    kai_vec3 longer[2]; // ∂ε/∂θ_a
    double axial;       // N
    kai_vec3 p[2];      // ∂W/∂θ_a
    kai_vec3 m[2];      // m_a
    kai_vec3 sum;       // μ = m_1 + m_2
    double share;       // ½ μ₁/y₂
    kai_vec3 g;         // force on node 1; -g on node 2
    kai_vec3 h[2];      // minus the torque on each
} moments;

/// Rates of the strain and of both θ.
typedef struct rates {
    kai_vec3 omega, t[2], y[2]; // ω, θ̇, ẏ
    double strain;
} rates;

KAI_INLINE kai_vec3 cross(kai_vec3 a, kai_vec3 b) { return kai_vec3_cross(a, b); }
KAI_INLINE kai_vec3 local(const kai_vec3 e[3], kai_vec3 a)
{
    return kai_vec3_make(kai_vec3_dot(e[0], a), kai_vec3_dot(e[1], a), kai_vec3_dot(e[2], a));
}
KAI_INLINE kai_vec3 global(const kai_vec3 e[3], kai_vec3 a)
{
    return kai_vec3_mul_add(kai_vec3_mul_add(kai_vec3_scale(e[0], a.x), e[1], a.y), e[2], a.z);
}

/// D⁻¹(θ) s for sign -1, and D⁻ᵀ(θ) s for sign 1.
KAI_INLINE kai_vec3 inverse_spin(kai_vec3 t, double n, double sign, kai_vec3 s)
{
    const kai_vec3 c = cross(t, s);
    return kai_vec3_mul_add(kai_vec3_mul_add(s, c, 0.5 * sign), cross(t, c), n);
}

/// What motions x, s_1 and s_2 do to the deformation.
KAI_INLINE rates find_rates(const beam_data* d, const beam_state* b, const moments* m, kai_vec3 x,
                            kai_vec3 s1, kai_vec3 s2)
{
    rates r;
    r.omega.y = -x.z / b->length;
    r.omega.z = x.y / b->length;
    r.omega.x = 0.5 * (s1.x * b->y[0].y - s1.y * b->y[0].x + s2.x * b->y[1].y - s2.y * b->y[1].x) /
                    b->y_length +
                r.omega.y * b->lean;
    s1 = kai_vec3_sub(s1, r.omega);
    s2 = kai_vec3_sub(s2, r.omega);
    r.t[0] = inverse_spin(b->t[0], m->eta[0], -1.0, s1);
    r.t[1] = inverse_spin(b->t[1], m->eta[1], -1.0, s2);
    r.y[0] = cross(s1, b->y[0]);
    r.y[1] = cross(s2, b->y[1]);
    r.strain =
        x.x / d->length + kai_vec3_dot(m->longer[0], r.t[0]) + kai_vec3_dot(m->longer[1], r.t[1]);
    return r;
}

/// Moments of twist and bending of turns a and b: those at the end that a belongs to.
KAI_INLINE kai_vec3 stiff(const beam_data* d, kai_vec3 a, kai_vec3 b)
{
    const double by = 1.0 / d->length;
    return kai_vec3_make(d->twist * by * (a.x - b.x), d->bending[0] * by * (4.0 * a.y + 2.0 * b.y),
                         d->bending[1] * by * (4.0 * a.z + 2.0 * b.z));
}

/// ∂ of the sum in ε by θ_a, where b is the other one.
KAI_INLINE kai_vec3 lengthen(kai_vec3 a, kai_vec3 b)
{
    return kai_vec3_make(0.0, (4.0 * a.y - b.y) / 30.0, (4.0 * a.z - b.z) / 30.0);
}

static void find_moments(const beam_data* d, const beam_state* b, const double* v, moments* m)
{
    for (int a = 0; a < 2; a++) {
        eta(kai_vec3_norm2(b->t[a]), &m->eta[a], &m->eta_slope[a]);
        m->longer[a] = lengthen(b->t[a], b->t[1 - a]);
    }
    const kai_vec3 x = kai_vec3_make(v[6] - v[0], v[7] - v[1], v[8] - v[2]);
    const rates r =
        find_rates(d, b, m, local(b->e, x), local(b->e, kai_vec3_make(v[3], v[4], v[5])),
                   local(b->e, kai_vec3_make(v[9], v[10], v[11])));
    m->axial = d->axial * (b->strain + d->damping * r.strain);
    for (int a = 0; a < 2; a++) {
        const kai_vec3 own = kai_vec3_mul_add(b->t[a], r.t[a], d->damping);
        const kai_vec3 other = kai_vec3_mul_add(b->t[1 - a], r.t[1 - a], d->damping);
        m->p[a] = kai_vec3_mul_add(stiff(d, own, other), m->longer[a], m->axial * d->length);
        m->m[a] = inverse_spin(b->t[a], m->eta[a], 1.0, m->p[a]);
    }
    m->sum = kai_vec3_add(m->m[0], m->m[1]);
    m->share = 0.5 * m->sum.x / b->y_length;
    m->g =
        kai_vec3_make(m->axial, -m->sum.z / b->length, (m->sum.y + m->sum.x * b->lean) / b->length);
    for (int a = 0; a < 2; a++)
        m->h[a] = kai_vec3_make(m->m[a].x - m->share * b->y[a].y, m->m[a].y + m->share * b->y[a].x,
                                m->m[a].z);
}

// Tangents ---------------------------------------------------------------------------------------

enum { MOTIONS = 9, LANES = 12 };

/// Motions in and changes of g, h_1, h_2 out, in world axes.
typedef struct lanes {
    double in[9][LANES], out[9][LANES];
} lanes;

/// Change of m_a: material parts come weighted in `dp`, the rest is geometry.
KAI_INLINE kai_vec3 turn_moment(const beam_state* b, const moments* m, int a, double position,
                                kai_vec3 dt, kai_vec3 dp)
{
    const kai_vec3 t = b->t[a], p = m->p[a], tp = cross(t, p), dtp = cross(dt, p);
    kai_vec3 out = inverse_spin(t, m->eta[a], 1.0, dp);
    kai_vec3 more = kai_vec3_scale(dtp, 0.5);
    more = kai_vec3_mul_add(more, kai_vec3_add(cross(dt, tp), cross(t, dtp)), m->eta[a]);
    more = kai_vec3_mul_add(more, cross(t, tp), 2.0 * m->eta_slope[a] * kai_vec3_dot(t, dt));
    return kai_vec3_mul_add(out, more, position);
}

KAI_CLONES static void differentiate(const beam_data* d, const beam_state* b, const moments* m,
                                     double position, double velocity, lanes* l)
{
    const double both = position + velocity * d->damping, length = b->length;
    const double bow = position * m->axial * d->length;
#pragma omp simd
    for (int k = 0; k < LANES; k++) {
        const kai_vec3 x = kai_vec3_make(l->in[0][k], l->in[1][k], l->in[2][k]);
        const kai_vec3 s1 = kai_vec3_make(l->in[3][k], l->in[4][k], l->in[5][k]);
        const kai_vec3 s2 = kai_vec3_make(l->in[6][k], l->in[7][k], l->in[8][k]);
        const rates r = find_rates(d, b, m, x, s1, s2);
        const double axial = both * d->axial * r.strain;
        kai_vec3 p1 = kai_vec3_scale(stiff(d, r.t[0], r.t[1]), both);
        kai_vec3 p2 = kai_vec3_scale(stiff(d, r.t[1], r.t[0]), both);
        p1 = kai_vec3_mul_add(p1, m->longer[0], axial * d->length);
        p2 = kai_vec3_mul_add(p2, m->longer[1], axial * d->length);
        p1 = kai_vec3_mul_add(p1, lengthen(r.t[0], r.t[1]), bow);
        p2 = kai_vec3_mul_add(p2, lengthen(r.t[1], r.t[0]), bow);
        const kai_vec3 m1 = turn_moment(b, m, 0, position, r.t[0], p1);
        const kai_vec3 m2 = turn_moment(b, m, 1, position, r.t[1], p2);
        const kai_vec3 sum = kai_vec3_add(m1, m2);
        const double y = 0.5 * (r.y[0].y + r.y[1].y) / b->y_length;
        const double lean = 0.5 * (r.y[0].x + r.y[1].x) / b->y_length - b->lean * y;
        const double share = 0.5 * sum.x / b->y_length - position * m->share * y;
        const double shrink = position * x.x / length, fixed = position * m->share;
        const kai_vec3 w = kai_vec3_scale(r.omega, position);
        kai_vec3 g = {axial, -sum.z / length - shrink * m->g.y,
                      (sum.y + sum.x * b->lean + position * m->sum.x * lean) / length -
                          shrink * m->g.z};
        kai_vec3 h1 = {m1.x - share * b->y[0].y - fixed * r.y[0].y,
                       m1.y + share * b->y[0].x + fixed * r.y[0].x, m1.z};
        kai_vec3 h2 = {m2.x - share * b->y[1].y - fixed * r.y[1].y,
                       m2.y + share * b->y[1].x + fixed * r.y[1].x, m2.z};
        g = global(b->e, kai_vec3_add(g, cross(w, m->g)));
        h1 = global(b->e, kai_vec3_add(h1, cross(w, m->h[0])));
        h2 = global(b->e, kai_vec3_add(h2, cross(w, m->h[1])));
        l->out[0][k] = g.x, l->out[1][k] = g.y, l->out[2][k] = g.z;
        l->out[3][k] = h1.x, l->out[4][k] = h1.y, l->out[5][k] = h1.z;
        l->out[6][k] = h2.x, l->out[7][k] = h2.y, l->out[8][k] = h2.z;
    }
}

static void write_tangent(const lanes* l, double* t)
{
    // Rows and columns of x are those of node 2, and with the other sign those of node 1.
    static const uint8_t PLACE[9] = {6, 7, 8, 3, 4, 5, 9, 10, 11};
    for (int i = 0; i < MOTIONS; i++) {
        for (int k = 0; k < MOTIONS; k++) {
            const double x = l->out[i][k];
            t[12 * PLACE[i] + PLACE[k]] = x;
            if (i < 3) t[12 * i + PLACE[k]] = -x;
            if (k < 3) t[12 * PLACE[i] + k] = -x;
            if (i < 3 && k < 3) t[12 * i + k] = x;
        }
    }
}

void kai_euler_beam_force(const beam_data* data, const double* q, const double* v, double position,
                          double velocity, double* force, double* tangent)
{
    beam_state b;
    moments m;
    if (!kai_euler_beam_find(data, q, &b)) {
        for (int i = 0; i < 12; i++) force[i] = (double)NAN;
        for (int i = 0; tangent && i < 144; i++) tangent[i] = (double)NAN;
        return;
    }
    find_moments(data, &b, v, &m);
    const kai_vec3 g = global(b.e, m.g), h1 = global(b.e, m.h[0]), h2 = global(b.e, m.h[1]);
    const double f[12] = {g.x,  g.y,  g.z,  -h1.x, -h1.y, -h1.z,
                          -g.x, -g.y, -g.z, -h2.x, -h2.y, -h2.z};
    memcpy(force, f, sizeof f);
    if (!tangent) return;
    lanes l;
    memset(l.in, 0, sizeof l.in);
    for (int part = 0; part < 3; part++)
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++) l.in[3 * part + c][3 * part + k] = kai_vec3_get(b.e[c], k);
    differentiate(data, &b, &m, position, velocity, &l);
    write_tangent(&l, tangent);
}
