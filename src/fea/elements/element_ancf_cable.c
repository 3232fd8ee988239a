// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A cable that stretches and bends and has no twist: absolute nodal coordinates, two nodes with a
// position and the slope along the line each. Formulas are in ancf_cable_loops.h.
//
// Gauss points: 5 for stretching, where the energy is a polynomial of degree 8 in x and so exact; 3
// for bending, whose energy is no polynomial but of degree 4 where the line is not stretched. More
// points there only add the bending that a cubic has left when it is forced to be inextensible.
#include "base/error.h"
#include "fea/elements/ancf_cable_loops.h"
#include "fea/elements/section.h"

#include <kairos/element_kinds.h>

typedef kai_ancf_cable_data cable_data;

static const double PI = 3.14159265358979323846;

typedef kai_element_ancf_cable_params cable;

static const kai_param PARAMS[] = {
    KAI_PARAM(
        NODE, cable, nodes, .columns = 2, .required = true,
        .doc =
            "Its ends, with one slope each: a unit vector along the cable. Where two cables cross, their node has two slopes, and each cable uses the one along it."),
    KAI_PARAM(SOLID, cable, solid, .required = true, .doc = "Material of the element."),
    KAI_PARAM(REAL, cable, radius, .unit = "m", .initial = {(double)NAN}, .range = KAI_ABOVE(0.0),
              .doc = "Radius of a round cross section; instead of `area`."),
    KAI_PARAM(REAL, cable, area, .unit = "m²", .initial = {(double)NAN}, .range = KAI_ABOVE(0.0),
              .doc = "Area of the cross section; instead of `radius`."),
    KAI_PARAM(REAL, cable, moment, .unit = "m⁴", .initial = {(double)NAN},
              .range = KAI_AT_LEAST(0.0),
              .doc = "Second moment of area; that of a circle with the same area when absent."),
};

// Preparation ------------------------------------------------------------------------------------

static const double AXIAL_WEIGHTS[KAI_ANCF_CABLE_AXIAL] = {
    0.118463442528094544, 0.239314335249683234, 0.284444444444444444, 0.239314335249683234,
    0.118463442528094544};
static const double BENDING_WEIGHTS[KAI_ANCF_CABLE_BENDING] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};

/// ∂r/∂s and ∂²r/∂s² of the cubic.
static void derivatives(const double* q, double length, double s, kai_vec3* a, kai_vec3* b)
{
    double first[3], second[3], u[3][3];
    kai_ancf_cable_first(s, first);
    kai_ancf_cable_second(s, second);
    for (int k = 0; k < 3; k++) {
        u[0][k] = q[6 + k] - q[k];
        u[1][k] = length * q[3 + k];
        u[2][k] = length * q[9 + k];
    }
    double x[3], y[3];
    for (int k = 0; k < 3; k++) {
        x[k] = first[0] * u[0][k] + first[1] * u[1][k] + first[2] * u[2][k];
        y[k] = second[0] * u[0][k] + second[1] * u[1][k] + second[2] * u[2][k];
    }
    *a = kai_vec3_make(x[0], x[1], x[2]);
    *b = kai_vec3_make(y[0], y[1], y[2]);
}

static double square_curvature(kai_vec3 a, kai_vec3 b)
{
    const double n = kai_vec3_norm2(a);
    return kai_vec3_norm2(kai_vec3_cross(a, b)) / (n * n * n);
}

/// Length L with which x = L s is the length along the line: where slopes are unit vectors, the
/// length of the cubic that L makes. A few rounds do, as the length hardly depends on L.
static double line_length(const double* q)
{
    const kai_vec3 d = kai_vec3_make(q[6] - q[0], q[7] - q[1], q[8] - q[2]);
    double length = kai_vec3_norm(d);
    for (int round = 0; round < 30; round++) {
        double sum = 0.0;
        for (int i = 0; i < KAI_ANCF_CABLE_AXIAL; i++) {
            kai_vec3 a, b;
            derivatives(q, length, KAI_ANCF_CABLE_S[i], &a, &b);
            sum += AXIAL_WEIGHTS[i] * kai_vec3_norm(a);
        }
        length = sum;
    }
    return length;
}

static kai_result check(const double* q, double length, kai_error* err)
{
    if (!(length > 0.0) || !isfinite(length))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "its length is %g m; must be > 0", length);
    const kai_vec3 d = kai_vec3_make(q[6] - q[0], q[7] - q[1], q[8] - q[2]);
    for (int k = 0; k < 2; k++) {
        const double* s = q + 3 + 6 * k;
        const kai_vec3 slope = kai_vec3_make(s[0], s[1], s[2]);
        const double norm = kai_vec3_norm(slope);
        if (!(fabs(norm - 1.0) <= 1e-6))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "the slope of its node %d has length %g; must be 1", k, norm);
        if (!(kai_vec3_dot(slope, d) > 0.0))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "the slope of its node %d is [%g, %g, %g]; must point along the "
                                 "cable, from its first node to its second",
                                 k, slope.x, slope.y, slope.z);
    }
    return KAI_OK;
}

/// Weights and undeformed values at Gauss points.
static void set_points(const double* q, cable_data* d)
{
    kai_vec3 a, b;
    for (int i = 0; i < KAI_ANCF_CABLE_AXIAL; i++) {
        derivatives(q, d->length, KAI_ANCF_CABLE_S[i], &a, &b);
        const double g = kai_vec3_norm2(a);
        d->metric[i] = g;
        d->axial[i] = AXIAL_WEIGHTS[i] * sqrt(g) * d->stiffness[0] / (g * g);
    }
    // A line that turns by less than 1e-7 is straight: with a curvature of rounding errors it would
    // have no stiffness across the plane that they happen to lie in.
    const double straight = 1e-14 / (d->length * d->length);
    d->smooth = 1e-12 / (d->length * d->length);
    for (int i = 0; i < KAI_ANCF_CABLE_BENDING; i++) {
        derivatives(q, d->length, KAI_ANCF_CABLE_T[i], &a, &b);
        const double square = square_curvature(a, b);
        d->bending[i] = BENDING_WEIGHTS[i] * kai_vec3_norm(a) * d->stiffness[1];
        if (square > straight) d->curvature[i] = sqrt(square + d->smooth);
    }
}

static void set_mass(double line, cable_data* d)
{
    for (int i = 0; i < KAI_ANCF_CABLE_AXIAL; i++) {
        const double s = KAI_ANCF_CABLE_S[i], l = d->length;
        const double shape[4] = {1.0 - 3.0 * s * s + 2.0 * s * s * s,
                                 l * (s - 2.0 * s * s + s * s * s), 3.0 * s * s - 2.0 * s * s * s,
                                 l * (s * s * s - s * s)};
        const double m = line * AXIAL_WEIGHTS[i] * sqrt(d->metric[i]);
        for (int a = 0, at = 0; a < 4; a++)
            for (int b = a; b < 4; b++, at++) d->mass[at] += m * shape[a] * shape[b];
    }
}

static kai_result prepare(const kai_element_setup* setup, void* data, kai_error* err)
{
    const cable* p = setup->instance;
    cable_data* d = data;
    memset(d, 0, sizeof *d);
    if (isnan(p->radius) == isnan(p->area))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "its cross section is given %s; must be by either radius or area",
                             isnan(p->radius) ? "by nothing" : "by radius and area");
    if (!isnan(p->radius) && !isnan(p->moment))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "moment is %g m⁴ beside radius; must go with area", p->moment);
    const double area = isnan(p->area) ? PI * p->radius * p->radius : p->area;
    const double moment = isnan(p->moment) ? area * area / (4.0 * PI) : p->moment;
    const double young = kai_section_of(setup->solids).young;
    d->length = line_length(setup->q);
    KAI_TRY(check(setup->q, d->length, err));
    d->damping = kai_solid_view_base(setup->solids)->damping;
    d->stiffness[0] = young * area;
    d->stiffness[1] = young * moment;
    set_points(setup->q, d);
    set_mass(kai_solid_view_base(setup->solids)->density * area, d);
    return KAI_OK;
}

// Work -------------------------------------------------------------------------------------------

static void mass(const kai_element_batch* batch, size_t i, double* out)
{
    const cable_data* d = (const cable_data*)batch->data + i;
    for (int a = 0, at = 0; a < 4; a++)
        for (int b = a; b < 4; b++, at++) out[4 * a + b] = out[4 * b + a] = d->mass[at];
}

static void force(const kai_element_batch* batch)
{
    KAI_CPU_BEST(batch_loop, kai_ancf_cable_v3, kai_ancf_cable_v4)(batch);
}

/// κ - κ₀ at a Gauss point.
static double bend(const cable_data* d, int k, double square)
{
    const double before = d->curvature[k];
    return before > 0.0 ? sqrt(square + d->smooth) - before : sqrt(square);
}

static double energy(const kai_element_batch* batch, size_t i)
{
    const cable_data* d = (const cable_data*)batch->data + i;
    const double* q = batch->q + 12 * i;
    double sum = 0.0;
    kai_vec3 a, b;
    for (int k = 0; k < KAI_ANCF_CABLE_AXIAL; k++) {
        derivatives(q, d->length, KAI_ANCF_CABLE_S[k], &a, &b);
        const double e = 0.5 * (kai_vec3_norm2(a) - d->metric[k]);
        sum += 0.5 * d->axial[k] * e * e;
    }
    for (int k = 0; k < KAI_ANCF_CABLE_BENDING; k++) {
        derivatives(q, d->length, KAI_ANCF_CABLE_T[k], &a, &b);
        const double more = bend(d, k, square_curvature(a, b));
        sum += 0.5 * d->bending[k] * more * more;
    }
    return sum;
}

/// Force across the line, -E I ∂³r/∂x³ without what lies along it: in the direction of curvature,
/// and across both. Where the line is straight the first is the size of all.
static void shear(const cable_data* d, const double* q, kai_vec3 a, kai_vec3 b, double out[2])
{
    // The third derivative of the cubic is the same everywhere.
    kai_vec3 first, second, b0, b1;
    derivatives(q, d->length, 0.0, &first, &b0);
    derivatives(q, d->length, 1.0, &second, &b1);
    const double size = kai_vec3_norm(a);
    const kai_vec3 along = kai_vec3_scale(a, 1.0 / size);
    kai_vec3 v = kai_vec3_scale(kai_vec3_sub(b1, b0), -d->stiffness[1] / (size * size * size));
    v = kai_vec3_mul_add(v, along, -kai_vec3_dot(along, v));
    const kai_vec3 across = kai_vec3_mul_add(b, along, -kai_vec3_dot(along, b));
    const double bent = kai_vec3_norm(across);
    if (!(bent > d->length * d->smooth)) {
        out[0] = kai_vec3_norm(v);
        return;
    }
    const kai_vec3 y = kai_vec3_scale(across, 1.0 / bent);
    out[0] = kai_vec3_dot(v, y);
    out[1] = kai_vec3_dot(v, kai_vec3_cross(along, y));
}

/// Strain and curvature of the nearest Gauss point, where they are best.
static void sample(const kai_element_batch* batch, size_t i, const double at[3],
                   kai_element_sample* out)
{
    const cable_data* d = (const cable_data*)batch->data + i;
    const double *q = batch->q + 12 * i, s = 0.5 * (1.0 + at[0]), l = d->length;
    memset(out, 0, sizeof *out);
    int x = 0, y = 0;
    for (int k = 1; k < KAI_ANCF_CABLE_AXIAL; k++)
        if (fabs(KAI_ANCF_CABLE_S[k] - s) < fabs(KAI_ANCF_CABLE_S[x] - s)) x = k;
    for (int k = 1; k < KAI_ANCF_CABLE_BENDING; k++)
        if (fabs(KAI_ANCF_CABLE_T[k] - s) < fabs(KAI_ANCF_CABLE_T[y] - s)) y = k;
    kai_vec3 a, b;
    derivatives(q, l, KAI_ANCF_CABLE_S[x], &a, &b);
    out->strain[0] = 0.5 * (kai_vec3_norm2(a) / d->metric[x] - 1.0);
    derivatives(q, l, KAI_ANCF_CABLE_T[y], &a, &b);
    out->strain[5] = bend(d, y, square_curvature(a, b));
    out->stress[0] = d->stiffness[0] * out->strain[0] * sqrt(1.0 + 2.0 * out->strain[0]);
    out->stress[5] = d->stiffness[1] * out->strain[5];
    shear(d, q, a, b, out->stress + 1);
    const double n[4] = {1.0 - 3.0 * s * s + 2.0 * s * s * s, l * (s - 2.0 * s * s + s * s * s),
                         3.0 * s * s - 2.0 * s * s * s, l * (s * s * s - s * s)};
    double r[3];
    for (int k = 0; k < 3; k++)
        r[k] = n[0] * q[k] + n[1] * q[3 + k] + n[2] * q[6 + k] + n[3] * q[9 + k];
    out->position = kai_vec3_make(r[0], r[1], r[2]);
}

static double half_thickness(const kai_element_batch* batch, size_t i)
{
    const cable* p = (const cable*)batch->instances + i;
    return isnan(p->area) ? p->radius : sqrt(p->area / PI);
}

static const kai_element_face FACES[] = {{2, {0, 1}}};

const kai_element_kind kai_element_ancf_cable = {
    .kind = KAI_KIND(
        "ancf-cable", cable, PARAMS,
        .doc =
            "A cable with stretching and bending at any displacement; its nodes have one slope."),
    .nodes = 2,
    .slopes = 1,
    .solids = 1,
    .data_size = sizeof(cable_data),
    .prepare = prepare,
    .mass = mass,
    .force = force,
    .energy = energy,
    .sample = sample,
    .faces = FACES,
    .face_count = KAI_COUNT(FACES),
    .half_thickness = half_thickness};
