// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A bushing: an elastic and damping joint of all six degrees of freedom.
//
//     x = (Aᵀ d, φ)        place of b's frame and its rotation vector, in the axes of a's frame
//     ẋ = (Aᵀ u, H ω)      with u and ω the velocities of b's frame as seen from a, in these axes
//     H w = w - ½ φ × w + e φ × (φ × w),   e = (1 - ½ θ cot ½ θ) / θ²,   θ = |φ|
//
// (H is the inverse of the left Jacobian of the rotation vector.) Then y = K x + D ẋ resists:
//
//     force on b: -A y_1..3 at the origin of its frame,   torque on b: -A Hᵀ y_4..6
//
// and the opposite at the same place on a. With Hᵀ the elastic part has the energy ½ xᵀ K x
// exactly, for large rotations too; for small ones H = 1.
#include "base/error.h"
#include "model/load_frames.h"

typedef kai_load_bushing_params params;

typedef struct bushing_look {
    kai_joint_view v;
    double x[6], rate[6];
    kai_vec3 phi;
    double e; // of H
} bushing_look;

static double second_factor(double angle2)
{
    if (angle2 < 1e-4) return 1.0 / 12.0 + angle2 / 720.0; // next term: θ⁴/30240
    const double half = 0.5 * sqrt(angle2);
    return (1.0 - half * cos(half) / sin(half)) / angle2;
}

/// H w, or Hᵀ w with sign = -1.
static kai_vec3 times_h(const bushing_look* s, kai_vec3 w, double sign)
{
    const kai_vec3 once = kai_vec3_cross(s->phi, w), twice = kai_vec3_cross(s->phi, once);
    return kai_vec3_mul_add(kai_vec3_mul_add(w, once, -0.5 * sign), twice, s->e);
}

static kai_vec3 to_axes(const kai_vec3 a[3], kai_vec3 w)
{
    return kai_vec3_make(kai_vec3_dot(a[0], w), kai_vec3_dot(a[1], w), kai_vec3_dot(a[2], w));
}

static kai_vec3 from_axes(const kai_vec3 a[3], const double c[3])
{
    return kai_vec3_mul_add(kai_vec3_mul_add(kai_vec3_scale(a[0], c[0]), a[1], c[1]), a[2], c[2]);
}

static void bushing_put(double to[6], kai_vec3 move, kai_vec3 turn)
{
    const double all[6] = {move.x, move.y, move.z, turn.x, turn.y, turn.z};
    for (int k = 0; k < 6; k++) to[k] = all[k];
}

static bushing_look look(const kai_load_batch* b, size_t i)
{
    const kai_joint_base* base = &KAI_LOAD_AT(b, params, i)->base;
    const kai_motion *ma = &b->motion[b->slot[2 * i]], *mb = &b->motion[b->slot[2 * i + 1]];
    bushing_look s = {.v = kai_load_frames_look(b, base, i)};
    const kai_quat a = kai_quat_mul(s.v.qa, base->inner[0].rotation),
                   c = kai_quat_mul(s.v.qb, base->inner[1].rotation);
    s.phi = kai_quat_to_rotation_vector(kai_quat_mul(kai_quat_conj(a), c));
    s.e = second_factor(kai_vec3_norm2(s.phi));
    bushing_put(s.x, to_axes(s.v.a, s.v.d), s.phi);
    const kai_vec3 spin = to_axes(s.v.a, kai_joint_motion_spin(&s.v, ma, mb));
    bushing_put(s.rate, to_axes(s.v.a, kai_joint_motion_drift(&s.v, ma, mb)),
                times_h(&s, spin, 1.0));
    return s;
}

/// y += M x; a table of one row is a diagonal.
static void add_product(const kai_table* m, const double x[6], double y[6])
{
    for (int r = 0; r < 6; r++) {
        if (m->rows == 1) y[r] += m->data[r] * x[r];
        for (int k = 0; m->rows == 6 && k < 6; k++) y[r] += m->data[6 * r + k] * x[k];
    }
}

static void bushing_resistance(const params* p, const bushing_look* s, kai_vec3* force,
                               kai_vec3* torque)
{
    double y[6] = {0};
    if (p->base.active) {
        add_product(&p->stiffness, s->x, y);
        add_product(&p->damping, s->rate, y);
    }
    const kai_vec3 turn = times_h(s, kai_vec3_make(y[3], y[4], y[5]), -1.0);
    const double t[3] = {turn.x, turn.y, turn.z};
    *force = from_axes(s->v.a, y);
    *torque = from_axes(s->v.a, t);
}

static void bushing_apply(const kai_load_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const bushing_look s = look(b, i);
        kai_vec3 force, torque;
        bushing_resistance(KAI_LOAD_AT(b, params, i), &s, &force, &torque);
        kai_load_frames_put(&s.v, kai_vec3_neg(force), kai_vec3_neg(torque), &b->out[2 * i]);
    }
}

static double bushing_product(const kai_table* m, const double x[6])
{
    double y[6] = {0}, sum = 0.0;
    add_product(m, x, y);
    for (int k = 0; k < 6; k++) sum += x[k] * y[k];
    return sum;
}

static double bushing_energy(const kai_load_batch* b, size_t i)
{
    const params* p = KAI_LOAD_AT(b, params, i);
    return p->base.active ? 0.5 * bushing_product(&p->stiffness, look(b, i).x) : 0.0;
}

static double bushing_dissipation(const kai_load_batch* b, size_t i)
{
    const params* p = KAI_LOAD_AT(b, params, i);
    return p->base.active ? bushing_product(&p->damping, look(b, i).rate) : 0.0;
}

static void bushing_output(const kai_load_batch* b, size_t i, kai_load_state* state)
{
    const bushing_look s = look(b, i);
    kai_vec3 force, torque;
    bushing_resistance(KAI_LOAD_AT(b, params, i), &s, &force, &torque);
    state->force = kai_vec3_norm(force);
    state->torque = kai_vec3_norm(torque);
    state->length = kai_vec3_norm(s.v.d);
    state->angle = kai_vec3_norm(s.phi);
}

static kai_result check_table(const kai_table* m, const char* name, bool symmetric, kai_error* err)
{
    if (m->rows != 0 && m->rows != 1 && m->rows != 6)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "bushing: %s has %u rows; must have 6, or 1 for the diagonal", name,
                             m->rows);
    double most = 0.0;
    for (uint32_t k = 0; k < 6 * m->rows; k++) most = fmax(most, fabs(m->data[k]));
    for (int r = 0; symmetric && m->rows == 6 && r < 6; r++)
        for (int k = 0; k < r; k++)
            if (!(fabs(m->data[6 * r + k] - m->data[6 * k + r]) <= 1e-9 * most))
                return kai_error_set(
                    err, KAI_ERROR_ARGUMENT,
                    "bushing: %s has %g in row %d and %g in its mirror; must be symmetric", name,
                    m->data[6 * r + k], r + 1, m->data[6 * k + r]);
    return KAI_OK;
}

static kai_result bushing_check(const void* instance, kai_error* err)
{
    const params* p = instance;
    KAI_TRY(check_table(&p->stiffness, "stiffness", true, err));
    return check_table(&p->damping, "damping", false, err);
}

static kai_result bushing_prepare(const kai_world* world, void* instance, kai_error* err)
{
    return kai_load_frames_set(world, "bushing", NULL, false, false, &((params*)instance)->base,
                               err);
}

static const kai_param PARAMS[] = {
    KAI_JOINT_BASE_PARAMS(true),
    KAI_PARAM(
        TABLE, params, stiffness, .placing = KAI_PLACING_JOINT, .unit = "N/m, N m/rad",
        .columns = 6, .rows_max = 6, .required = true,
        .doc =
            "Stiffness matrix: six symmetric rows of six, or the six diagonal entries: three translations, then three rotations."),
    KAI_PARAM(TABLE, params, damping, .placing = KAI_PLACING_JOINT, .unit = "N s/m, N m s/rad",
              .columns = 6, .rows_max = 6, .doc = "Damping matrix, likewise; none when absent."),
};

const kai_load_kind kai_load_bushing = {
    .kind =
        KAI_KIND("bushing", params, PARAMS, .check = bushing_check,
                 .doc = "A spring and damper in all six degrees of freedom between two bodies."),
    .apply = bushing_apply,
    .prepare = bushing_prepare,
    .energy = bushing_energy,
    .dissipation = bushing_dissipation,
    .output = bushing_output,
    .outputs = KAI_LOAD_FORCE | KAI_LOAD_LENGTH | KAI_LOAD_TORQUE | KAI_LOAD_ANGLE,
    .needs_velocity = true,
    .stiff = true};
