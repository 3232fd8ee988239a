// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Results that follow from energy() and sample().
//
// Forces and moments of a shell are sums through its layers, N = ∫ S dz and M = ∫ S z dz a length
// of the undeformed middle surface, by three points of Gauss a layer: exact where stress is a
// polynomial of degree 4 in z. Stresses of a layer are turned from its axes to those of the shell.
#include "fea/results.h"

#include "fea/layers.h"

#include <math.h>
#include <string.h>

static const char* const TENSOR[] = {"xx", "yy", "zz", "yz", "xz", "xy"};
static const char* const PRINCIPAL[] = {"1", "2", "3"};
static const char* const LINE_STRAIN[] = {"axial", "shear_y", "shear_z",
                                          "twist", "bend_y",  "bend_z"};
static const char* const PLANE[] = {"xx", "yy", "xy"};
static const char* const ACROSS[] = {"yz", "xz"};
static const char* const YZ[] = {"y", "z"};

// Getters ----------------------------------------------------------------------------------------

static void get_energy(const kai_element_kind* kind, const kai_element_batch* batch, size_t i,
                       const double at[3], double* out)
{
    (void)at;
    *out = kind->energy ? kind->energy(batch, i) : 0.0;
}

static kai_element_sample sample(const kai_element_kind* kind, const kai_element_batch* batch,
                                 size_t i, const double at[3])
{
    kai_element_sample s;
    kind->sample(batch, i, at, &s);
    return s;
}

/// Some of the six strains or stresses of a sample.
#define SAMPLE_RESULT(name, member, first, count)                                                  \
    static void get_##name(const kai_element_kind* kind, const kai_element_batch* batch, size_t i, \
                           const double at[3], double* out)                                        \
    {                                                                                              \
        const kai_element_sample s = sample(kind, batch, i, at);                                   \
        memcpy(out, s.member + (first), (count) * sizeof *out);                                    \
    }
SAMPLE_RESULT(strain, strain, 0, 6)
SAMPLE_RESULT(stress, stress, 0, 6)
SAMPLE_RESULT(axial_force, stress, 0, 1) // these four: of lines
SAMPLE_RESULT(shear_force, stress, 1, 2)
SAMPLE_RESULT(twisting_moment, stress, 3, 1)
SAMPLE_RESULT(bending_moment, stress, 4, 2)

double kai_results_von_mises(const double s[6])
{
    const double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
    return sqrt(0.5 * (a * a + b * b + c * c) + 3.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

static void get_von_mises(const kai_element_kind* kind, const kai_element_batch* batch, size_t i,
                          const double at[3], double* out)
{
    const kai_element_sample s = sample(kind, batch, i, at);
    *out = kai_results_von_mises(s.stress);
}

static void get_principal(const kai_element_kind* kind, const kai_element_batch* batch, size_t i,
                          const double at[3], double* out)
{
    const kai_element_sample x = sample(kind, batch, i, at);
    const double* s = x.stress;
    const kai_mat33 tensor = {{{s[0], s[5], s[4]}, {s[5], s[1], s[3]}, {s[4], s[3], s[2]}}};
    kai_vec3 values;
    kai_quat axes;
    kai_inertia_principal(&tensor, &values, &axes);
    const double high = fmax(values.x, fmax(values.y, values.z)),
                 low = fmin(values.x, fmin(values.y, values.z));
    out[0] = high;
    out[1] = values.x + values.y + values.z - high - low;
    out[2] = low;
}

static void get_mean_stress(const kai_element_kind* kind, const kai_element_batch* batch, size_t i,
                            const double at[3], double* out)
{
    const kai_element_sample s = sample(kind, batch, i, at);
    *out = (s.stress[0] + s.stress[1] + s.stress[2]) / 3.0;
}

// Shells -----------------------------------------------------------------------------------------

/// Sums through the thickness: xx yy xy of force and of moment, then shear yz xz.
typedef struct sums {
    double force[3], moment[3], shear[2];
} sums;

static void add_layer(const kai_element_kind* kind, const kai_element_batch* batch, size_t i,
                      const double at[3], const kai_layers_view* layers, int l, sums* out)
{
    static const double AT[3] = {-0.77459666924148337704, 0.0, 0.77459666924148337704};
    static const double WEIGHT[3] = {5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0};
    const kai_layers_ply* ply = &layers->ply[l];
    const double middle = 0.5 * (ply->top + ply->bottom), half = 0.5 * (ply->top - ply->bottom);
    double turn[3][3];
    kai_layers_turn(ply->cosine, ply->sine, turn);
    for (int g = 0; g < 3; g++) {
        const double z = middle + half * AT[g], w = half * WEIGHT[g];
        const kai_element_sample x =
            sample(kind, batch, i, (const double[]){at[0], at[1], z / layers->half});
        const double own[3] = {x.stress[0], x.stress[1], x.stress[5]};
        for (int k = 0; k < 3; k++) {
            double s = 0.0;
            for (int m = 0; m < 3; m++) s += turn[m][k] * own[m];
            out->force[k] += w * s;
            out->moment[k] += w * z * s;
        }
        out->shear[0] += w * (ply->cosine * x.stress[3] + ply->sine * x.stress[4]);
        out->shear[1] += w * (ply->cosine * x.stress[4] - ply->sine * x.stress[3]);
    }
}

/// All NaN where a kind does not say of what layers it is made.
static sums sums_of(const kai_element_kind* kind, const kai_element_batch* batch, size_t i,
                    const double at[3])
{
    const double none = (double)NAN;
    sums s = {{none, none, none}, {none, none, none}, {none, none}};
    if (kind->layers == 0) return s;
    const kai_element_layers* given =
        (const kai_element_layers*)(const void*)((const char*)batch->instances +
                                                 i * kind->kind.size + kind->layers);
    kai_layers_view layers;
    kai_layers_read(given, batch->solids + i * (size_t)kind->solids, &layers);
    memset(&s, 0, sizeof s);
    for (int l = 0; l < layers.count; l++) add_layer(kind, batch, i, at, &layers, l, &s);
    return s;
}

#define SHELL_RESULT(name, member)                                                                 \
    static void get_##name(const kai_element_kind* kind, const kai_element_batch* batch, size_t i, \
                           const double at[3], double* out)                                        \
    {                                                                                              \
        const sums s = sums_of(kind, batch, i, at);                                                \
        memcpy(out, s.member, sizeof s.member);                                                    \
    }
SHELL_RESULT(membrane_force, force)
SHELL_RESULT(plate_moment, moment)
SHELL_RESULT(plate_shear, shear)

// All of them ------------------------------------------------------------------------------------

#define SCALAR         1, NULL
#define LABELS(labels) (int)KAI_COUNT(labels), labels

/// Forms that have a result.
enum {
    LINES = 1 << KAI_RESULTS_LINE,
    SHELLS = 1 << KAI_RESULTS_SHELL,
    SOLIDS = 1 << KAI_RESULTS_SOLID,
    SURFACES = SHELLS | SOLIDS,
    ALL = 1 << KAI_RESULTS_NONE | LINES | SURFACES
};

static const struct {
    unsigned forms;
    kai_element_result result;
} RESULTS[] = {
    {ALL, {"energy", "J", "Energy stored in the element.", SCALAR, get_energy}},
    {LINES,
     {"strain", "",
      "Lines: stretch, shear along y and z, twist and curvatures about y and z (1/m).",
      LABELS(LINE_STRAIN), get_strain}},
    {LINES,
     {"axial_force", "N", "Lines: force along the line; positive pulls.", SCALAR, get_axial_force}},
    {LINES,
     {"shear_force", "N",
      "Lines: force across it along y and z of its section; of a cable, which has no section, "
      "along its curvature and across that.",
      LABELS(YZ), get_shear_force}},
    {LINES, {"twisting_moment", "N m", "Lines: twisting moment.", SCALAR, get_twisting_moment}},
    {LINES,
     {"bending_moment", "N m",
      "Lines: bending moments about y and z of the section; of a cable, about its binormal (z).",
      LABELS(YZ), get_bending_moment}},
    {SURFACES,
     {"strain", "",
      "Green-Lagrange strain with engineering shear strains: volumes in world axes, shells in axes of the layer.",
      LABELS(TENSOR), get_strain}},
    {SURFACES,
     {"stress", "Pa",
      "Volumes: Cauchy stress in world axes. Shells: second Piola-Kirchhoff stress in axes of the layer.",
      LABELS(TENSOR), get_stress}},
    {SURFACES, {"von_mises", "Pa", "Von Mises equivalent stress.", SCALAR, get_von_mises}},
    {SURFACES,
     {"principal_stress", "Pa", "Principal stresses, the largest first.", LABELS(PRINCIPAL),
      get_principal}},
    {SHELLS,
     {"membrane_force", "N/m",
      "Shells: membrane force per length of the undeformed shell, in its material axes.",
      LABELS(PLANE), get_membrane_force}},
    {SHELLS,
     {"plate_moment", "N m/m",
      "Shells: bending moment per length about the middle surface, likewise.", LABELS(PLANE),
      get_plate_moment}},
    {SHELLS,
     {"plate_shear", "N/m", "Shells: transverse shear force per length, likewise.", LABELS(ACROSS),
      get_plate_shear}},
    {SOLIDS,
     {"mean_stress", "Pa", "Volumes: mean stress, a third of the trace of the stress.", SCALAR,
      get_mean_stress}},
};

kai_results_form kai_results_form_of(const kai_element_kind* kind)
{
    if (!kind->sample || kind->face_count == 0) return KAI_RESULTS_NONE;
    if (kind->face_count > 1) return KAI_RESULTS_SOLID;
    return kind->faces[0].count == 2 ? KAI_RESULTS_LINE : KAI_RESULTS_SHELL;
}

const kai_element_result* kai_results_at(kai_results_form form, size_t i)
{
    for (size_t k = 0; k < KAI_COUNT(RESULTS); k++)
        if (RESULTS[k].forms >> form & 1 && i-- == 0) return &RESULTS[k].result;
    return NULL;
}
