// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A tetrahedron of four nodes, 1 2 3 counter-clockwise seen from 0's far side: that is, 0 1 2
// counter-clockwise seen from 3 (VTK, Gmsh). One point of quadrature; the strain is constant.
//
// It is the cheapest volume element and the stiffest: refine, or take tet10 where bending or a
// nearly constant volume matters. Isotropic corotational ones go eight at a time (tet4_lanes.h).
#include "fea/elements/tet4_lanes.h"
#include "fea/elements/volume.h"

#include <string.h>

enum { N = 4, POINTS = 1, LANES = KAI_TET4_LANES, COUNT = KAI_VOLUME_TOTAL_COUNT(N, POINTS, 0) };

typedef kai_element_tet4_params instance_type;

static const kai_param PARAMS[] = {KAI_VOLUME_PARAMS(instance_type, N)};

static const double CENTRE[POINTS][4] = {{0.25, 0.25, 0.25, 1.0 / 6.0}};

static void evaluate(const double at[3], double* n, double* slopes)
{
    static const double SLOPES[3 * N] = {-1, 1, 0, 0, -1, 0, 1, 0, -1, 0, 0, 1};
    n[0] = 1.0 - at[0] - at[1] - at[2];
    for (int i = 0; i < 3; i++) n[1 + i] = at[i];
    memcpy(slopes, SLOPES, sizeof SLOPES);
}

static const kai_volume_shape SHAPE = {.nodes = N,
                                       .point_count = POINTS,
                                       .points = CENTRE,
                                       .fine_count = 14,
                                       .fine = kai_volume_tet_14,
                                       .evaluate = evaluate,
                                       .place = kai_volume_place_tet};

static const kai_element_face FACES[] = {
    {3, {0, 2, 1}}, {3, {0, 1, 3}}, {3, {1, 2, 3}}, {3, {2, 0, 3}}};

#define KAI_VOLUME_KIND_OWN_FORCE
#include "fea/elements/volume_kind.h"

// Eight at a time --------------------------------------------------------------------------------

/// Gathers elements [begin, begin + LANES); those beyond `count` repeat the last.
KAI_INLINE bool gather(const kai_element_batch* batch, size_t begin, size_t count,
                       kai_tet4_lanes* e, bool* damped)
{
    *damped = false;
    for (size_t l = 0; l < LANES; l++) {
        const size_t i = begin + (l < count ? l : count - 1);
        const double *data = (const double*)batch->data + COUNT * i, *q = batch->q + 3 * N * i;
        const double *v = batch->v + 3 * N * i, *g = data + KAI_VOLUME_GRADIENTS(N, POINTS);
        const kai_volume_head* head = (const kai_volume_head*)(const void*)data;
        if (head->total || !head->isotropic) return false;
        for (int a = 1; a < N; a++) {
            for (int k = 0; k < 3; k++) {
                e->x[3 * (a - 1) + k][l] = q[3 * a + k] - q[k];
                e->v[3 * (a - 1) + k][l] = v[3 * a + k] - v[k];
                e->g[3 * (a - 1) + k][l] = g[k * N + a];
            }
        }
        e->volume[l] = head->volume;
        e->lambda[l] = head->lambda;
        e->mu[l] = head->mu;
        e->damping[l] = head->damping;
        if (head->damping != 0.0) *damped = true;
    }
    return true;
}

KAI_INLINE void spread(const kai_tet4_lanes* e, size_t l, double* out)
{
    for (int a = 0; a < N; a++) {
        for (int b = 0; b < N; b++) {
            const kai_tet4_lane* block =
                e->tangent[a >= b ? KAI_TET4_BLOCK(a, b) : KAI_TET4_BLOCK(b, a)];
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    out[12 * (3 * a + i) + 3 * b + j] = block[a >= b ? 3 * i + j : 3 * j + i][l];
        }
    }
}

/// False, and nothing done, when one of them is not isotropic and corotational.
KAI_CLONES static bool force_lanes(const kai_element_batch* batch, size_t begin, size_t count)
{
    kai_tet4_lanes e;
    bool damped;
    if (!gather(batch, begin, count, &e, &damped)) return false;
    kai_tet4_lanes_polar(&e);
    kai_tet4_lanes_force(&e);
    if (damped) kai_tet4_lanes_damp(&e);
    for (size_t l = 0; l < count; l++)
        for (int k = 0; k < 3 * N; k++)
            batch->force[3 * N * (begin + l) + (size_t)k] = e.force[k][l];
    if (!batch->tangent) return true;
    kai_tet4_lanes_stiffness(&e, batch->position);
    if (damped && batch->velocity != 0.0) kai_tet4_lanes_viscosity(&e, batch->velocity);
    kai_tet4_lanes_close(&e);
    for (size_t l = 0; l < count; l++) spread(&e, l, batch->tangent + 144 * (begin + l));
    return true;
}

// One at a time ----------------------------------------------------------------------------------

static void force(const kai_element_batch* batch);

/// The data of a corotational element with its stiffness.
static void settle(const kai_solid_view* solid, const double* data, double* out)
{
    double q[3 * N];
    for (int a = 0; a < 3 * N; a++) q[a] = data[KAI_VOLUME_X + (a % 3) * N + a / 3];
    memcpy(out, data, COUNT * sizeof *data);
    kai_volume_settle(&SHAPE, solid, q, force, out);
}

static void force_one(const kai_element_batch* batch, size_t i)
{
    const double *data = data_of(batch, i), none[6] = {0.0};
    const kai_volume_head* head = (const kai_volume_head*)(const void*)data;
    const kai_solid_view* solid = batch->solids + i;
    if (!head->total) {
        double with[KAI_VOLUME_COROTATIONAL_COUNT(N)];
        settle(solid, data, with);
        kai_corotational_element(with + KAI_VOLUME_X, with + KAI_VOLUME_MEAN(N),
                                 with + KAI_VOLUME_STIFFNESS(N), head->damping, batch, i, N);
        return;
    }
    double d[36];
    if (solid->kind->linear) solid->kind->evaluate(solid->instance, none, NULL, NULL, d);
    kai_total_element(data, solid, solid->kind->linear ? d : NULL, batch, i, N, POINTS, false);
}

static void force(const kai_element_batch* batch)
{
    for (size_t i = 0; i < batch->count; i += LANES) {
        const size_t count = batch->count - i < LANES ? batch->count - i : LANES;
        if (force_lanes(batch, i, count)) continue;
        for (size_t k = 0; k < count; k++) force_one(batch, i + k);
    }
}

// The rest ---------------------------------------------------------------------------------------

static kai_result prepare(const kai_element_setup* setup, void* data, kai_error* err)
{
    const instance_type* p = setup->instance;
    KAI_TRY(kai_volume_choose(setup->solids, p->formulation, data, err));
    return kai_volume_lay(&SHAPE, setup->q, false, data, err);
}

/// Isotropic and corotational: V (μ |U - 1|² + λ/2 (tr U - 3)²).
static double energy_isotropic(const double* data, const double* q)
{
    const kai_volume_head* head = (const kai_volume_head*)(const void*)data;
    const double* g = data + KAI_VOLUME_GRADIENTS(N, POINTS);
    double x[3 * N], f[9], r[9], square = 0.0, trace = 0.0;
    for (int a = 0; a < 3 * N; a++) x[(a % 3) * N + a / 3] = q[a] - q[a % 3];
    kai_total_gradient(x, g, N, f);
    if (!kai_polar(f, r)) return (double)NAN;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const double u = r[i] * f[j] + r[3 + i] * f[3 + j] + r[6 + i] * f[6 + j] - (i == j);
            square += u * u;
            if (i == j) trace += u;
        }
    }
    return head->volume * (head->mu * square + 0.5 * head->lambda * trace * trace);
}

static double energy(const kai_element_batch* batch, size_t i)
{
    const double *data = data_of(batch, i), *q = batch->q + 3 * N * i;
    const kai_volume_head* head = (const kai_volume_head*)(const void*)data;
    double with[KAI_VOLUME_COROTATIONAL_COUNT(N)];
    if (head->total) return kai_volume_energy(&SHAPE, batch->solids + i, data, q);
    if (head->isotropic) return energy_isotropic(data, q);
    settle(batch->solids + i, data, with);
    return kai_volume_energy(&SHAPE, batch->solids + i, with, q);
}

static void sample(const kai_element_batch* batch, size_t i, const double at[3],
                   kai_element_sample* out)
{
    const double* data = data_of(batch, i);
    const kai_volume_head* head = (const kai_volume_head*)(const void*)data;
    double with[KAI_VOLUME_COROTATIONAL_COUNT(N)];
    if (!head->total) {
        settle(batch->solids + i, data, with);
        data = with;
    }
    kai_volume_sample(&SHAPE, batch->solids + i, data, batch->q + 3 * N * i, at, out);
}

const kai_element_kind kai_element_tet4 = KAI_VOLUME_KIND(
    "tet4", "A tetrahedron of four nodes: constant strain, cheap, too stiff in bending.");
