// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The corotational Euler-Bernoulli beam: two bodies as nodes, however far they turn. Formulas are
// in euler_beam.c.
//
// Each node gets half of the mass, and the moment of inertia of its half about the beam's axis, the
// same about all axes. So twist has its true inertia, bending one of the size of its true (and
// small) one, and the principal axes of a body do not depend on the beams that meet in it.
#include "base/error.h"
#include "fea/elements/euler_beam.h"
#include "fea/elements/section.h"

#include <kairos/element_kinds.h>
#include <string.h>

typedef kai_euler_beam_data beam_data;

static const double PI = 3.14159265358979323846;

/// An instance.
typedef struct beam {
    kai_element_euler_beam_params given;
    double reference[14]; // frames of its ends without deformation
} beam;

#define SECTION(name_, unit_, doc_)                                                                \
    KAI_PARAM(REAL, kai_element_euler_beam_params, name_, .unit = unit_, .initial = {(double)NAN}, \
              .range = KAI_ABOVE(0.0), .doc = doc_)

static const kai_param PARAMS[] = {
    KAI_PARAM(BODY, kai_element_euler_beam_params, nodes, .columns = 2, .required = true,
              .doc = "Bodies at its ends. The beam runs from mass centre to mass centre."),
    KAI_PARAM(SOLID, kai_element_euler_beam_params, solid, .required = true,
              .doc = "Material of the element."),
    KAI_PARAM(
        VEC3, kai_element_euler_beam_params, y_axis, .placing = KAI_PLACING_VECTOR,
        .initial = {(double)NAN, (double)NAN, (double)NAN},
        .doc =
            "y axis of its section at the start; its part along the beam is removed. When absent, the y axis of the first body."),
    SECTION(radius, "m", "Radius of a round section."),
    KAI_PARAM(REAL, kai_element_euler_beam_params, inner_radius, .unit = "m",
              .range = KAI_AT_LEAST(0.0), .doc = "Inner radius of a tube, with `radius`."),
    SECTION(width, "m", "Width of a rectangular section, along y; instead of `radius`."),
    SECTION(height, "m", "Height of a rectangular section, along z."),
    SECTION(area, "m²",
            "Area of any other section; instead of `radius`, or of `width` and `height`."),
    SECTION(iyy, "m⁴", "Second moment of area for bending about y, with `area`."),
    SECTION(izz, "m⁴", "Second moment of area for bending about z, with `area`."),
    SECTION(torsion, "m⁴", "Torsion constant, with `area`."),
    KAI_PARAM(REAL, beam, reference, .columns = 14, .hidden = true),
};

// Preparation ------------------------------------------------------------------------------------

typedef struct section {
    double area, iyy, izz, torsion;
} section;

/// Torsion constant of a rectangle, long side a: Saint-Venant's series. Terms shrink as 1/k⁵.
static double rectangle_torsion(double width, double height)
{
    const double a = fmax(width, height), b = fmin(width, height);
    double sum = 0.0;
    for (int k = 1; k < 40; k += 2) sum += tanh(0.5 * PI * k * a / b) / pow(k, 5.0);
    return a * b * b * b * (1.0 / 3.0 - 64.0 / pow(PI, 5.0) * b / a * sum);
}

static kai_result find_section(const beam* p, section* out, kai_error* err)
{
    const bool round = !isnan(p->given.radius), any = !isnan(p->given.area);
    const bool rectangle = !isnan(p->given.width) || !isnan(p->given.height);
    const bool moments = !isnan(p->given.iyy) || !isnan(p->given.izz) || !isnan(p->given.torsion);
    if (round + any + rectangle != 1)
        return kai_error_set(
            err, KAI_ERROR_ARGUMENT,
            "its section is given in %d ways; must be given by radius, by width and "
            "height, or by area, iyy, izz and torsion",
            round + any + rectangle);
    if ((rectangle && (isnan(p->given.width) || isnan(p->given.height))) ||
        (any && (isnan(p->given.iyy) || isnan(p->given.izz) || isnan(p->given.torsion))) ||
        (moments && !any) || (p->given.inner_radius > 0.0 && !round))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "its section is not whole; must have radius, or width and height, or "
                             "area, iyy, izz and torsion, and nothing else");
    if (round) {
        const double r = p->given.radius, s = p->given.inner_radius;
        if (!(s < r))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "inner_radius is %g m; must be < radius, %g m", s, r);
        const double moment = 0.25 * PI * (r * r * r * r - s * s * s * s);
        *out = (section){PI * (r * r - s * s), moment, moment, 2.0 * moment};
    } else if (rectangle) {
        const double w = p->given.width, h = p->given.height;
        *out =
            (section){w * h, w * h * h * h / 12.0, h * w * w * w / 12.0, rectangle_torsion(w, h)};
    } else {
        *out = (section){p->given.area, p->given.iyy, p->given.izz, p->given.torsion};
    }
    return KAI_OK;
}

/// Axes of the element at the start, as a rotation.
static kai_result find_axes(const beam* p, const double* q, beam_data* d, kai_quat* out,
                            kai_error* err)
{
    const kai_vec3 x = kai_vec3_make(q[7] - q[0], q[8] - q[1], q[9] - q[2]);
    d->length = kai_vec3_norm(x);
    if (!(d->length > 0.0) || !isfinite(d->length))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "its length is %g m; must be > 0", d->length);
    const kai_quat first = kai_quat_make(q[3], q[4], q[5], q[6]);
    const bool given = !isnan(p->given.y_axis.x);
    const kai_vec3 y = given ? p->given.y_axis : kai_quat_rotate(first, kai_vec3_axis(1));
    kai_vec3 e[3] = {kai_vec3_normalize(x)};
    e[2] = kai_vec3_cross(e[0], y);
    if (!(kai_vec3_norm(e[2]) > 1e-3 * kai_vec3_norm(y))) {
        if (given || isnan(p->given.radius))
            return kai_error_set(
                err, KAI_ERROR_ARGUMENT,
                "the y axis of its section is [%g, %g, %g]%s; must not point along "
                "the beam",
                y.x, y.y, y.z, given ? "" : ", that of the first body (y_axis)");
        e[2] = kai_vec3_perpendicular(e[0]); // round: any will do
    }
    e[2] = kai_vec3_normalize(e[2]);
    e[1] = kai_vec3_cross(e[2], e[0]);
    *out = kai_quat_from_mat33(kai_mat33_from_columns(e[0], e[1], e[2]));
    return KAI_OK;
}

static kai_result prepare(const kai_element_setup* setup, void* data, kai_error* err)
{
    const beam* p = setup->instance;
    beam_data* d = data;
    memset(d, 0, sizeof *d);
    section s = {0};
    kai_quat axes = kai_quat_identity();
    KAI_TRY(find_section(p, &s, err));
    KAI_TRY(find_axes(p, setup->q, d, &axes, err));
    for (int a = 0; a < 2; a++) {
        const double* r = setup->q + 7 * a + 3;
        d->own[a] = kai_quat_mul(kai_quat_conj(axes), kai_quat_make(r[0], r[1], r[2], r[3]));
    }
    const kai_section_moduli moduli = kai_section_of(setup->solids);
    const kai_solid_base* base = kai_solid_view_base(setup->solids);
    d->axial = moduli.young * s.area;
    d->twist = moduli.shear * s.torsion;
    d->bending[0] = moduli.young * s.iyy;
    d->bending[1] = moduli.young * s.izz;
    d->damping = base->damping;
    d->mass = 0.5 * base->density * s.area * d->length;
    d->inertia = 0.5 * base->density * (s.iyy + s.izz) * d->length;
    return KAI_OK;
}

// Work -------------------------------------------------------------------------------------------

static void lump(const kai_element_batch* batch, size_t i, kai_element_lump* out)
{
    const beam_data* d = (const beam_data*)batch->data + i;
    for (int a = 0; a < 2; a++)
        out[a] = (kai_element_lump){
            .mass = d->mass, .inertia = {.xx = d->inertia, .yy = d->inertia, .zz = d->inertia}};
}

static void force(const kai_element_batch* batch)
{
    const beam_data* d = batch->data;
    for (size_t i = 0; i < batch->count; i++)
        kai_euler_beam_force(d + i, batch->q + 14 * i, batch->v + 12 * i, batch->position,
                             batch->velocity, batch->force + 12 * i,
                             batch->tangent ? batch->tangent + 144 * i : NULL);
}

static double energy(const kai_element_batch* batch, size_t i)
{
    const beam_data* d = (const beam_data*)batch->data + i;
    kai_euler_beam_state b;
    if (!kai_euler_beam_find(d, batch->q + 14 * i, &b)) return (double)NAN;
    const kai_vec3 *s = &b.t[0], *t = &b.t[1];
    const double twist = t->x - s->x;
    return 0.5 * d->axial * d->length * b.strain * b.strain +
           0.5 * d->twist / d->length * twist * twist +
           2.0 * d->bending[0] / d->length * (s->y * s->y + s->y * t->y + t->y * t->y) +
           2.0 * d->bending[1] / d->length * (s->z * s->z + s->z * t->z + t->z * t->z);
}

static void sample(const kai_element_batch* batch, size_t i, const double at[3],
                   kai_element_sample* out)
{
    const beam_data* d = (const beam_data*)batch->data + i;
    kai_euler_beam_state b;
    memset(out, 0, sizeof *out);
    if (!kai_euler_beam_find(d, batch->q + 14 * i, &b)) return;
    const double s = 0.5 * (1.0 + at[0]), l = d->length;
    // Curvatures of the cubic through both turns
    const double first = (6.0 * s - 4.0) / l, second = (6.0 * s - 2.0) / l;
    out->strain[0] = b.strain;
    out->strain[3] = (b.t[1].x - b.t[0].x) / l;
    out->strain[4] = first * b.t[0].y + second * b.t[1].y;
    out->strain[5] = first * b.t[0].z + second * b.t[1].z;
    out->stress[0] = d->axial * out->strain[0];
    // Balance of moments along the beam
    out->stress[1] = -6.0 * d->bending[1] / (l * l) * (b.t[0].z + b.t[1].z);
    out->stress[2] = 6.0 * d->bending[0] / (l * l) * (b.t[0].y + b.t[1].y);
    out->stress[3] = d->twist * out->strain[3];
    out->stress[4] = d->bending[0] * out->strain[4];
    out->stress[5] = d->bending[1] * out->strain[5];
    const double start = l * (s - 2.0 * s * s + s * s * s), end = l * (s * s * s - s * s);
    kai_vec3 r = kai_vec3_lerp(b.x[0], b.x[1], s);
    r = kai_vec3_mul_add(r, b.e[1], start * b.t[0].z + end * b.t[1].z);
    out->position = kai_vec3_mul_add(r, b.e[2], -(start * b.t[0].y + end * b.t[1].y));
}

static double half_thickness(const kai_element_batch* batch, size_t i)
{
    const beam* p = (const beam*)batch->instances + i;
    if (!isnan(p->given.radius)) return p->given.radius;
    return isnan(p->given.area) ? 0.5 * fmin(p->given.width, p->given.height)
                                : sqrt(p->given.area / PI);
}

static const kai_element_face FACES[] = {{2, {0, 1}}};

const kai_element_kind kai_element_euler_beam = {
    .kind = KAI_KIND(
        "euler-beam", beam, PARAMS, .given = sizeof(kai_element_euler_beam_params),
        .doc =
            "A slender beam (Euler-Bernoulli, corotational) between two bodies: stretching, twisting and bending at any rotation."),
    .nodes = 2,
    .slopes = KAI_ELEMENT_FRAMES,
    .solids = 1,
    .data_size = sizeof(beam_data),
    .reference = offsetof(beam, reference),
    .prepare = prepare,
    .lump = lump,
    .force = force,
    .energy = energy,
    .sample = sample,
    .faces = FACES,
    .face_count = KAI_COUNT(FACES),
    .half_thickness = half_thickness};
