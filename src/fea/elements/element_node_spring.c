// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A spring and a damper between two nodes: force k (l - l₀) + c dl/dt along their line.
#include "base/error.h"

#include <kairos/element_kinds.h>
#include <string.h>

typedef kai_element_node_spring_params spring;

typedef struct spring_data {
    double stiffness, damping, rest;
} spring_data;

static const kai_param PARAMS[] = {
    KAI_PARAM(NODE, spring, nodes, .columns = 2, .required = true, .doc = "Its ends."),
    KAI_PARAM(REAL, spring, stiffness, .unit = "N/m", .required = true, .range = KAI_AT_LEAST(0.0),
              .doc = "Stiffness: force per metre beyond the rest length."),
    KAI_PARAM(REAL, spring, damping, .unit = "N s/m", .range = KAI_AT_LEAST(0.0),
              .doc = "Damping coefficient: force per rate of the length."),
    KAI_PARAM(REAL, spring, rest_length, .unit = "m", .initial = {-1.0},
              .doc = "Length without force; negative: the length at the start."),
};

/// The line from end to end, of length 1, and its length. Ends that coincide have no line: a spring
/// of rest length 0 needs none.
static double line(const double* q, double n[3])
{
    for (int k = 0; k < 3; k++) n[k] = q[3 + k] - q[k];
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3; k++) n[k] = length > 0.0 ? n[k] / length : 0.0;
    return length;
}

static kai_result prepare(const kai_element_setup* setup, void* data, kai_error* err)
{
    const spring* p = setup->instance;
    spring_data* d = data;
    double n[3];
    const double length = line(setup->q, n);
    if (!isfinite(length))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "its length is %g m; must be finite", length);
    d->stiffness = p->stiffness;
    d->damping = p->damping;
    d->rest = p->rest_length < 0.0 ? length : p->rest_length;
    if (length == 0.0 && d->rest > 0.0)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "its nodes coincide and its rest length is %g m; must be 0, as the "
                             "spring would have no direction",
                             d->rest);
    return KAI_OK;
}

static double energy(const kai_element_batch* batch, size_t i)
{
    const spring_data* d = (const spring_data*)batch->data + i;
    double n[3];
    const double more = line(batch->q + 6 * i, n) - d->rest;
    return 0.5 * d->stiffness * more * more;
}

/// T = along n nᵀ + across (1 - n nᵀ) between the ends, with across = k (1 - l₀/l).
static void write_tangent(const double n[3], double along, double across, double* t)
{
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            const double k = (along - across) * n[a] * n[b] + (a == b ? across : 0.0);
            t[6 * a + b] = t[6 * (a + 3) + b + 3] = k;
            t[6 * a + b + 3] = t[6 * (a + 3) + b] = -k;
        }
    }
}

static void force(const kai_element_batch* batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const spring_data* d = (const spring_data*)batch->data + i;
        const double* v = batch->v + 6 * i;
        double n[3], rate = 0.0, *f = batch->force + 6 * i;
        const double length = line(batch->q + 6 * i, n);
        for (int k = 0; k < 3; k++) rate += n[k] * (v[3 + k] - v[k]);
        const double pull = d->stiffness * (length - d->rest) + d->damping * rate;
        for (int k = 0; k < 3; k++) {
            f[k] = pull * n[k];
            f[3 + k] = -f[k];
        }
        if (!batch->tangent) continue;
        const double share = length > 0.0 ? 1.0 - d->rest / length : 1.0;
        write_tangent(n, batch->position * d->stiffness + batch->velocity * d->damping,
                      batch->position * d->stiffness * share, batch->tangent + 36 * i);
    }
}

static void sample(const kai_element_batch* batch, size_t i, const double at[3],
                   kai_element_sample* out)
{
    const spring_data* d = (const spring_data*)batch->data + i;
    const double* q = batch->q + 6 * i;
    double n[3];
    memset(out, 0, sizeof *out);
    const double length = line(q, n), s = 0.5 * (1.0 + at[0]);
    out->strain[0] = d->rest > 0.0 ? length / d->rest - 1.0 : 0.0;
    out->stress[0] = d->stiffness * (length - d->rest);
    out->position =
        kai_vec3_make(q[0] + s * (q[3] - q[0]), q[1] + s * (q[4] - q[1]), q[2] + s * (q[5] - q[2]));
}

static const kai_element_face FACES[] = {{2, {0, 1}}};

const kai_element_kind kai_element_node_spring = {
    .kind = KAI_KIND("node-spring", spring, PARAMS,
                     .doc = "A spring and a damper between two nodes, without mass."),
    .nodes = 2,
    .slopes = 0,
    .solids = 0,
    .data_size = sizeof(spring_data),
    .prepare = prepare,
    .force = force,
    .energy = energy,
    .sample = sample,
    .faces = FACES,
    .face_count = KAI_COUNT(FACES)};
