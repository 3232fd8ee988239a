// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A force and a moment on a node, both in world axes. One table for each sort of node.
//
// The turn of a node is that which fits its slopes d_i best: ω with A ω = Σ d_i × ḋ_i, A = Σ (d_i²
// I - d_i d_iᵀ). A moment m on it does the power m · ω, so that a slope gets Q_i = θ × d_i, A θ =
// m, and Σ d_i × Q_i = m. With one slope, A = d² I does as well: what turns about the slope has no
// effect.
//
// The tangent's part without symmetry is left out: a moment about a fixed axis has no energy. No
// energy is stored either.
#include "base/error.h"

#include <kairos/element_kinds.h>
#include <string.h>

/// An instance.
typedef struct node_load {
    kai_element_node_load_params given;
    double reference[7]; // frame without deformation
} node_load;

static kai_vec3 value_at(const kai_element_batch* batch, const kai_value3* value, double share)
{
    const kai_function_set* set = batch->functions;
    return kai_vec3_make(share * kai_function_set_value(set, &value->x, batch->time).y,
                         share * kai_function_set_value(set, &value->y, batch->time).y,
                         share * kai_function_set_value(set, &value->z, batch->time).y);
}

static void put(kai_vec3 f, double* out)
{
    out[0] = f.x;
    out[1] = f.y;
    out[2] = f.z;
}

// Points and frames ------------------------------------------------------------------------------

static void point_force(const kai_element_batch* batch)
{
    const node_load* p = batch->instances;
    if (batch->tangent) memset(batch->tangent, 0, 9 * batch->count * sizeof(double));
    for (size_t i = 0; i < batch->count; i++) {
        const double* l = p[i].given.lever;
        const kai_vec3 f = value_at(batch, &p[i].given.force, p[i].given.share);
        const kai_vec3 m = value_at(batch, &p[i].given.moment, p[i].given.share);
        for (int k = 0; k < 3; k++)
            batch->force[3 * i + (size_t)k] =
                kai_vec3_get(f, k) + l[3 * k] * m.x + l[3 * k + 1] * m.y + l[3 * k + 2] * m.z;
    }
}

static void frame_force(const kai_element_batch* batch)
{
    const node_load* p = batch->instances;
    if (batch->tangent) memset(batch->tangent, 0, 36 * batch->count * sizeof(double));
    for (size_t i = 0; i < batch->count; i++) {
        put(value_at(batch, &p[i].given.force, p[i].given.share), batch->force + 6 * i);
        put(value_at(batch, &p[i].given.moment, p[i].given.share), batch->force + 6 * i + 3);
    }
}

// Slopes -----------------------------------------------------------------------------------------

/// ∂(A θ)/∂d for a θ that stays: 2 θ dᵀ, and with two slopes - (d · θ) I - d θᵀ.
static kai_mat33 turned_by(kai_vec3 d, kai_vec3 theta, int slopes)
{
    kai_mat33 b = kai_mat33_scale(kai_mat33_outer(theta, d), 2.0);
    if (slopes == 1) return b;
    b = kai_mat33_sub(b, kai_mat33_outer(d, theta));
    const double along = kai_vec3_dot(d, theta);
    for (int k = 0; k < 3; k++) b.m[k][k] -= along;
    return b;
}

/// -position ∂Q_i/∂d_j, its symmetric part: ∂Q_i/∂d_j = [d_i] A⁻¹ ∂(A θ)/∂d_j + [θ] where i = j.
static void write_tangent(const kai_vec3* d, int slopes, kai_mat33 inverse, kai_vec3 theta,
                          double position, double* out)
{
    const size_t n = 3 * (size_t)(1 + slopes);
    for (int i = 0; i < slopes; i++) {
        for (int j = 0; j < slopes; j++) {
            const kai_mat33 t = kai_mat33_mul(
                kai_mat33_skew(d[i]), kai_mat33_mul(inverse, turned_by(d[j], theta, slopes)));
            for (size_t r = 0; r < 3; r++) {
                for (size_t c = 0; c < 3; c++) {
                    const size_t row = 3 * (size_t)(1 + i) + r, column = 3 * (size_t)(1 + j) + c;
                    out[row * n + column] -= 0.5 * position * t.m[r][c];
                    out[column * n + row] -= 0.5 * position * t.m[r][c];
                }
            }
        }
    }
}

static void slope_force(const kai_element_batch* batch, int slopes)
{
    const node_load* p = batch->instances;
    const size_t n = 3 * (size_t)(1 + slopes);
    if (batch->tangent) memset(batch->tangent, 0, n * n * batch->count * sizeof(double));
    for (size_t i = 0; i < batch->count; i++) {
        const double* q = batch->q + n * i;
        double* f = batch->force + n * i;
        const kai_vec3 m = value_at(batch, &p[i].given.moment, p[i].given.share);
        kai_vec3 d[2] = {kai_vec3_zero(), kai_vec3_zero()};
        kai_mat33 a = kai_mat33_diagonal(kai_vec3_zero()), inverse;
        for (int s = 0; s < slopes; s++) {
            d[s] = kai_vec3_make(q[3 + 3 * s], q[4 + 3 * s], q[5 + 3 * s]);
            if (slopes > 1) a = kai_mat33_sub(a, kai_mat33_outer(d[s], d[s]));
            for (int k = 0; k < 3; k++) a.m[k][k] += kai_vec3_norm2(d[s]);
        }
        put(value_at(batch, &p[i].given.force, p[i].given.share), f);
        memset(f + 3, 0, (n - 3) * sizeof *f);
        if (kai_vec3_norm2(m) == 0.0) continue;
        if (!kai_mat33_inverse(a, &inverse)) { // no slope is left that could turn
            f[3] = (double)NAN;
            continue;
        }
        const kai_vec3 theta = kai_mat33_mul_vec(inverse, m);
        for (int s = 0; s < slopes; s++) put(kai_vec3_cross(theta, d[s]), f + 3 + 3 * s);
        if (batch->tangent)
            write_tangent(d, slopes, inverse, theta, batch->position, batch->tangent + n * n * i);
    }
}

static void slope_1_force(const kai_element_batch* batch) { slope_force(batch, 1); }

static void slope_2_force(const kai_element_batch* batch) { slope_force(batch, 2); }

// Tables -----------------------------------------------------------------------------------------

#define PARAMS(type_, moment_)                                                                    \
    {                                                                                             \
        KAI_PARAM(type_, kai_element_node_load_params, nodes, .columns = 1, .required = true,     \
                  .doc = "Node or body that it acts on."),                                        \
            KAI_PARAM(VALUE3, kai_element_node_load_params, force, .placing = KAI_PLACING_VECTOR, \
                      .unit = "N", .doc = "Force, world axes."),                                  \
            KAI_PARAM(VALUE3, kai_element_node_load_params, moment, .placing = KAI_PLACING_AXIAL, \
                      .unit = "N m", .doc = moment_),                                             \
            KAI_PARAM(REAL, kai_element_node_load_params, share, .initial = {1.0},                \
                      .doc = "Factor of force and moment."),                                      \
            KAI_PARAM(REAL, kai_element_node_load_params, lever, .columns = 9, .hidden = true),   \
            KAI_PARAM(REAL, node_load, reference, .columns = 7, .hidden = true)                   \
    }

static const kai_param POINT_PARAMS[] =
    PARAMS(NODE, "Moment on a set of nodes, see structures; a single point cannot rotate.");
static const kai_param SLOPE_PARAMS[] =
    PARAMS(NODE, "Moment on its slopes, world axes; about a single slope it has no effect.");
static const kai_param FRAME_PARAMS[] = PARAMS(BODY, "Torque, world axes.");

#define NODE_LOAD(name_, word_, slopes_, params_, force_)                             \
    const kai_element_kind kai_element_node_load_##name_ = {                          \
        .kind = KAI_KIND("node-load-" word_, node_load, params_,                      \
                         .given = sizeof(kai_element_node_load_params),               \
                         .doc = "A force and a moment on a node that vary in time."), \
        .nodes = 1,                                                                   \
        .slopes = slopes_,                                                            \
        .reference = offsetof(node_load, reference),                                  \
        .force = force_,                                                              \
        .external = true};

NODE_LOAD(0, "0", 0, POINT_PARAMS, point_force)
NODE_LOAD(1, "1", 1, SLOPE_PARAMS, slope_1_force)
NODE_LOAD(2, "2", 2, SLOPE_PARAMS, slope_2_force)
NODE_LOAD(frames, "frames", KAI_ELEMENT_FRAMES, FRAME_PARAMS, frame_force)
