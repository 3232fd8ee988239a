// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A bar that only pulls and pushes: Green-Lagrange strain ε = (l² - L²) / 2L², energy E A L ε² / 2.
#include "base/error.h"

#include <kairos/element_kinds.h>
#include <string.h>

typedef kai_element_bar_params bar;

typedef struct bar_data {
    double length;  // without deformation, m
    double axial;   // E A, N
    double damping; // s
    double line;    // mass a length, kg/m
} bar_data;

static const kai_param PARAMS[] = {
    KAI_PARAM(NODE, bar, nodes, .columns = 2, .required = true, .doc = "Its ends."),
    KAI_PARAM(SOLID, bar, solid, .required = true, .doc = "Material of the element."),
    KAI_PARAM(REAL, bar, area, .unit = "m²", .required = true, .range = KAI_ABOVE(0.0),
              .doc = "Cross section."),
};

/// Young's modulus along x: stress of a strain that leaves the other two directions free.
static double modulus(const kai_solid_view* solid)
{
    const double none[6] = {0.0};
    double d[36];
    solid->kind->evaluate(solid->instance, none, NULL, NULL, d);
    // 1 / (D⁻¹)_xx of the upper left 3 × 3 part
    const double det = d[0] * (d[7] * d[14] - d[8] * d[13]) - d[1] * (d[6] * d[14] - d[8] * d[12]) +
                       d[2] * (d[6] * d[13] - d[7] * d[12]);
    return det / (d[7] * d[14] - d[8] * d[13]);
}

static kai_result prepare(const kai_element_setup* setup, void* data, kai_error* err)
{
    const bar* p = setup->instance;
    bar_data* d = data;
    const double* q = setup->q;
    d->length = sqrt((q[3] - q[0]) * (q[3] - q[0]) + (q[4] - q[1]) * (q[4] - q[1]) +
                     (q[5] - q[2]) * (q[5] - q[2]));
    if (!(d->length > 0.0))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "its length is %g m; must be > 0", d->length);
    d->axial = modulus(setup->solids) * p->area;
    d->damping = kai_solid_view_base(setup->solids)->damping;
    d->line = kai_solid_view_base(setup->solids)->density * p->area;
    return KAI_OK;
}

static void mass(const kai_element_batch* batch, size_t i, double* out)
{
    const bar_data* d = (const bar_data*)batch->data + i;
    const double m = d->line * d->length / 6.0;
    out[0] = out[3] = 2.0 * m;
    out[1] = out[2] = m;
}

static double strain(const bar_data* d, const double* q, double r[3])
{
    for (int k = 0; k < 3; k++) r[k] = q[3 + k] - q[k];
    const double l2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    return 0.5 * (l2 / (d->length * d->length) - 1.0);
}

static double energy(const kai_element_batch* batch, size_t i)
{
    const bar_data* d = (const bar_data*)batch->data + i;
    double r[3];
    const double e = strain(d, batch->q + 6 * i, r);
    return 0.5 * d->axial * d->length * e * e;
}

/// T = p (N/L I + EA/L³ r rᵀ) + v β EA/L³ r rᵀ between the ends, with N the axial force.
static void write_tangent(const kai_element_batch* batch, const bar_data* d, const double r[3],
                          double axial, double* t)
{
    const double l3 = d->length * d->length * d->length;
    const double stretch = (batch->position + batch->velocity * d->damping) * d->axial / l3;
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            const double k =
                stretch * r[a] * r[b] + (a == b ? batch->position * axial / d->length : 0.0);
            t[6 * a + b] = t[6 * (a + 3) + b + 3] = k;
            t[6 * a + b + 3] = t[6 * (a + 3) + b] = -k;
        }
    }
}

static void force(const kai_element_batch* batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const bar_data* d = (const bar_data*)batch->data + i;
        const double *q = batch->q + 6 * i, *v = batch->v + 6 * i;
        double r[3], rate = 0.0;
        const double e = strain(d, q, r);
        for (int k = 0; k < 3; k++) rate += r[k] * (v[3 + k] - v[k]);
        rate /= d->length * d->length;
        const double axial = d->axial * (e + d->damping * rate);
        double* f = batch->force + 6 * i;
        for (int k = 0; k < 3; k++) {
            f[k] = axial * r[k] / d->length;
            f[3 + k] = -f[k];
        }
        if (batch->tangent) write_tangent(batch, d, r, axial, batch->tangent + 36 * i);
    }
}

static void sample(const kai_element_batch* batch, size_t i, const double at[3],
                   kai_element_sample* out)
{
    const bar_data* d = (const bar_data*)batch->data + i;
    const double* q = batch->q + 6 * i;
    double r[3];
    memset(out, 0, sizeof *out);
    out->strain[0] = strain(d, q, r);
    // The force that pulls at its nodes
    out->stress[0] = d->axial * out->strain[0] * sqrt(1.0 + 2.0 * out->strain[0]);
    const double s = 0.5 * (1.0 + at[0]);
    out->position = kai_vec3_make(q[0] + s * r[0], q[1] + s * r[1], q[2] + s * r[2]);
}

static double half_thickness(const kai_element_batch* batch, size_t i)
{
    const double circle = 3.14159265358979323846;
    return sqrt(((const bar*)batch->instances + i)->area / circle);
}

static const kai_element_face FACES[] = {{2, {0, 1}}};

const kai_element_kind kai_element_bar = {
    .kind =
        KAI_KIND("bar", bar, PARAMS,
                 .doc = "Truss member: tension and compression along the line of its two nodes."),
    .nodes = 2,
    .slopes = 0,
    .solids = 1,
    .data_size = sizeof(bar_data),
    .prepare = prepare,
    .mass = mass,
    .force = force,
    .energy = energy,
    .sample = sample,
    .faces = FACES,
    .face_count = KAI_COUNT(FACES),
    .half_thickness = half_thickness};
