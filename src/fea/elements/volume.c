// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "fea/elements/volume.h"

#include "base/error.h"
#include "fea/elements/corotational.h"
#include "fea/elements/projected.h"
#include "math/dense.h"

#include <string.h>

enum { NODES = KAI_ELEMENT_NODES, DATA = 2048 }; // DATA: numbers, enough for every shape

// Quadrature -------------------------------------------------------------------------------------

const double kai_volume_gauss_8[8][4] = {
    {-0.57735026918962584, -0.57735026918962584, -0.57735026918962584, 1},
    {0.57735026918962584, -0.57735026918962584, -0.57735026918962584, 1},
    {-0.57735026918962584, 0.57735026918962584, -0.57735026918962584, 1},
    {0.57735026918962584, 0.57735026918962584, -0.57735026918962584, 1},
    {-0.57735026918962584, -0.57735026918962584, 0.57735026918962584, 1},
    {0.57735026918962584, -0.57735026918962584, 0.57735026918962584, 1},
    {-0.57735026918962584, 0.57735026918962584, 0.57735026918962584, 1},
    {0.57735026918962584, 0.57735026918962584, 0.57735026918962584, 1}};

const double kai_volume_gauss_27[27][4] = {
    {-0.7745966692414834, -0.7745966692414834, -0.7745966692414834, 0.17146776406035669},
    {0, -0.7745966692414834, -0.7745966692414834, 0.27434842249657065},
    {0.7745966692414834, -0.7745966692414834, -0.7745966692414834, 0.17146776406035669},
    {-0.7745966692414834, 0, -0.7745966692414834, 0.27434842249657065},
    {0, 0, -0.7745966692414834, 0.43895747599451301},
    {0.7745966692414834, 0, -0.7745966692414834, 0.27434842249657065},
    {-0.7745966692414834, 0.7745966692414834, -0.7745966692414834, 0.17146776406035669},
    {0, 0.7745966692414834, -0.7745966692414834, 0.27434842249657065},
    {0.7745966692414834, 0.7745966692414834, -0.7745966692414834, 0.17146776406035669},
    {-0.7745966692414834, -0.7745966692414834, 0, 0.27434842249657065},
    {0, -0.7745966692414834, 0, 0.43895747599451296},
    {0.7745966692414834, -0.7745966692414834, 0, 0.27434842249657065},
    {-0.7745966692414834, 0, 0, 0.43895747599451296},
    {0, 0, 0, 0.7023319615912208},
    {0.7745966692414834, 0, 0, 0.43895747599451296},
    {-0.7745966692414834, 0.7745966692414834, 0, 0.27434842249657065},
    {0, 0.7745966692414834, 0, 0.43895747599451296},
    {0.7745966692414834, 0.7745966692414834, 0, 0.27434842249657065},
    {-0.7745966692414834, -0.7745966692414834, 0.7745966692414834, 0.17146776406035669},
    {0, -0.7745966692414834, 0.7745966692414834, 0.27434842249657065},
    {0.7745966692414834, -0.7745966692414834, 0.7745966692414834, 0.17146776406035669},
    {-0.7745966692414834, 0, 0.7745966692414834, 0.27434842249657065},
    {0, 0, 0.7745966692414834, 0.43895747599451301},
    {0.7745966692414834, 0, 0.7745966692414834, 0.27434842249657065},
    {-0.7745966692414834, 0.7745966692414834, 0.7745966692414834, 0.17146776406035669},
    {0, 0.7745966692414834, 0.7745966692414834, 0.27434842249657065},
    {0.7745966692414834, 0.7745966692414834, 0.7745966692414834, 0.17146776406035669}};

// Walkington, Quadrature on simplices of arbitrary dimension, 2000.
const double kai_volume_tet_14[14][4] = {
    {0.31088591926330061, 0.31088591926330061, 0.31088591926330061, 0.018781320953002643},
    {0.067342242210098213, 0.31088591926330061, 0.31088591926330061, 0.018781320953002643},
    {0.31088591926330061, 0.067342242210098213, 0.31088591926330061, 0.018781320953002643},
    {0.31088591926330061, 0.31088591926330061, 0.067342242210098213, 0.018781320953002643},
    {0.092735250310891221, 0.092735250310891221, 0.092735250310891221, 0.012248840519393659},
    {0.72179424906732637, 0.092735250310891221, 0.092735250310891221, 0.012248840519393659},
    {0.092735250310891221, 0.72179424906732637, 0.092735250310891221, 0.012248840519393659},
    {0.092735250310891221, 0.092735250310891221, 0.72179424906732637, 0.012248840519393659},
    {0.045503704125649649, 0.045503704125649649, 0.45449629587435036, 0.0070910034628469112},
    {0.045503704125649649, 0.45449629587435036, 0.045503704125649649, 0.0070910034628469112},
    {0.045503704125649649, 0.45449629587435036, 0.45449629587435036, 0.0070910034628469112},
    {0.45449629587435036, 0.045503704125649649, 0.045503704125649649, 0.0070910034628469112},
    {0.45449629587435036, 0.045503704125649649, 0.45449629587435036, 0.0070910034628469112},
    {0.45449629587435036, 0.45449629587435036, 0.045503704125649649, 0.0070910034628469112}};

// A product of shares that is 1 at one corner and nothing at the others; along edges where two
// coordinates are 1 it would be nothing at all, and the corners share.
void kai_volume_place_tet(const double cube[3], double at[3])
{
    double share[4], sum = 0.0, s[3];
    for (int i = 0; i < 3; i++) s[i] = 0.5 * (1.0 + cube[i]);
    share[0] = s[0] * (1.0 - s[1]) * (1.0 - s[2]);
    share[1] = s[1] * (1.0 - s[0]) * (1.0 - s[2]);
    share[2] = s[2] * (1.0 - s[0]) * (1.0 - s[1]);
    share[3] = (1.0 - s[0]) * (1.0 - s[1]) * (1.0 - s[2]);
    for (int i = 0; i < 4; i++) sum += share[i];
    for (int i = 0; i < 3; i++) at[i] = sum > 0.0 ? share[i] / sum : s[i] / (s[0] + s[1] + s[2]);
}

// Layout -----------------------------------------------------------------------------------------

/// Jacobian ∂X/∂ξ by rows [axis of X][axis of ξ], its determinant; gradients by X to `gradients`
/// [3][n] when it is not NULL.
static double slopes_at(const kai_volume_shape* shape, const double* x, const double at[3],
                        double jacobian[9], double* gradients)
{
    const int n = shape->nodes;
    double values[NODES], slopes[3 * NODES], c[9];
    shape->evaluate(at, values, slopes);
    kai_total_gradient(x, slopes, n, jacobian);
    const double det = kai_polar_cofactors(jacobian, c);
    for (int a = 0; gradients && a < n; a++)
        for (int i = 0; i < 3; i++)
            gradients[i * n + a] = (c[3 * i] * slopes[a] + c[3 * i + 1] * slopes[n + a] +
                                    c[3 * i + 2] * slopes[2 * n + a]) /
                                   det;
    return det;
}

/// T of enhanced.h from the inverse Jacobian at the centre. Modes are scaled to be strains.
static void lay_map(const double jacobian[9], double det, double map[36])
{
    static const int R[6] = {0, 1, 2, 1, 0, 0}, C[6] = {0, 1, 2, 2, 2, 1};
    double c[9];
    kai_polar_cofactors(jacobian, c);
    // Row i of the inverse, transposed: ∂ξ_k/∂X_i = c[3 i + k] / det
    const double scale = cbrt(det) * cbrt(det) / (det * det);
    for (int to = 0; to < 6; to++) {
        const int i = R[to], j = C[to];
        for (int from = 0; from < 6; from++) {
            const int k = R[from], l = C[from];
            double x = c[3 * i + k] * c[3 * j + l];
            if (from >= 3) x = 0.5 * (x + c[3 * i + l] * c[3 * j + k]);
            map[6 * to + from] = scale * (to < 3 ? x : 2.0 * x);
        }
    }
}

/// M⁻¹ of projected.h; M is positive definite.
static void lay_projection(const kai_volume_shape* shape, const double* weights, double* out)
{
    const int m = shape->projected;
    double a[KAI_PROJECTED_MOST][2 * KAI_PROJECTED_MOST] = {{0.0}};
    for (int i = 0; i < m; i++) {
        a[i][m + i] = 1.0;
        for (int j = 0; j < m; j++)
            for (int g = 0; g < shape->point_count; g++)
                a[i][j] += weights[g] * kai_projected_function(i, shape->points[g]) *
                           kai_projected_function(j, shape->points[g]);
    }
    kai_dense_reduce(m, 2 * m, &a[0][0], 2 * KAI_PROJECTED_MOST);
    for (int i = 0; i < m * m; i++) out[i] = a[i / m][m + i % m];
}

kai_result kai_volume_lay(const kai_volume_shape* shape, const double* q, bool enhanced,
                          double* data, kai_error* err)
{
    const int n = shape->nodes;
    kai_volume_head* head = (kai_volume_head*)(void*)data;
    double *x = data + KAI_VOLUME_X, *weights = data + KAI_VOLUME_WEIGHTS(n);
    double* gradients = data + KAI_VOLUME_GRADIENTS(n, shape->point_count);
    double* ratios = data + KAI_VOLUME_ENHANCED(n, shape->point_count);
    double jacobian[9], mean[3] = {0.0};
    for (int a = 0; a < 3 * n; a++) mean[a % 3] += q[a] / n;
    for (int a = 0; a < 3 * n; a++) x[(a % 3) * n + a / 3] = q[a] - mean[a % 3];
    head->volume = 0.0;
    head->enhanced = enhanced;
    for (int g = 0; g < shape->point_count; g++) {
        const double* at = shape->points[g];
        const double det = slopes_at(shape, x, at, jacobian, gradients + 3 * n * g);
        if (!(det > 0.0) || !isfinite(det))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "its Jacobian is %g m³ at (%.3f, %.3f, %.3f); must be > 0 (nodes "
                                 "in another order, or an element that is flat or inside out)",
                                 det, at[0], at[1], at[2]);
        weights[g] = det * at[3];
        head->volume += weights[g];
        if (enhanced && !shape->projected) ratios[g] = 1.0 / det;
    }
    if (enhanced && shape->projected) lay_projection(shape, weights, ratios);
    if (!enhanced || shape->projected) return KAI_OK;
    const double centre[3] = {0.0};
    const double det = slopes_at(shape, x, centre, jacobian, NULL);
    if (!(det > 0.0))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "its Jacobian is %g m³ at the centre; must be > 0", det);
    for (int g = 0; g < shape->point_count; g++) ratios[g] *= det;
    lay_map(jacobian, det, ratios + shape->point_count);
    return KAI_OK;
}

kai_result kai_volume_choose(const kai_solid_view* solid, int formulation, kai_volume_head* head,
                             kai_error* err)
{
    const kai_solid_base* base = kai_solid_view_base(solid);
    if (!solid->kind)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "it has no solid; must have one");
    if (formulation == KAI_ELEMENT_COROTATIONAL && !solid->kind->linear)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "its formulation is corotational and its solid %s; must be linear, or "
                             "the formulation total",
                             solid->kind->kind.name);
    head->total = formulation == KAI_ELEMENT_TOTAL || !solid->kind->linear;
    head->isotropic = solid->kind == &kai_solid_elastic;
    head->density = base->density;
    head->damping = base->damping;
    head->lambda = head->mu = 0.0;
    if (head->isotropic) {
        const kai_solid_elastic_params* p = solid->instance;
        head->mu = 0.5 * p->young / (1.0 + p->poisson);
        head->lambda = 2.0 * head->mu * p->poisson / (1.0 - 2.0 * p->poisson);
    }
    return KAI_OK;
}

void kai_volume_settle(const kai_volume_shape* shape, const kai_solid_view* solid, const double* q,
                       void (*force)(const kai_element_batch*), double* data)
{
    const int n = shape->nodes, rows = 3 * n;
    kai_volume_head* head = (kai_volume_head*)(void*)data;
    double f[KAI_ELEMENT_ROWS], v[KAI_ELEMENT_ROWS] = {0.0}, mean[3 * NODES] = {0.0};
    double k[KAI_ELEMENT_ROWS * KAI_ELEMENT_ROWS];
    const kai_element_batch batch = {.data = data,
                                     .solids = solid,
                                     .count = 1,
                                     .q = q,
                                     .v = v,
                                     .position = 1.0,
                                     .force = f,
                                     .tangent = k};
    head->total = 1;
    force(&batch);
    head->total = 0;
    for (int g = 0; g < shape->point_count; g++)
        for (int a = 0; a < rows; a++)
            mean[a] += data[KAI_VOLUME_WEIGHTS(n) + g] / head->volume *
                       data[KAI_VOLUME_GRADIENTS(n, shape->point_count) + rows * g + a];
    memcpy(data + KAI_VOLUME_MEAN(n), mean, (size_t)rows * sizeof *mean);
    double* out = data + KAI_VOLUME_STIFFNESS(n);
    for (int i = 0; i < rows * rows; i++) {
        const int row = i / rows, column = i % rows;
        out[((3 * (row % 3) + column % 3) * n + row / 3) * n + column / 3] = k[i];
    }
}

kai_result kai_volume_prepare(const kai_volume_shape* shape, const kai_element_setup* setup,
                              int formulation, bool enhanced,
                              void (*force)(const kai_element_batch*), double* data, kai_error* err)
{
    kai_volume_head* head = (kai_volume_head*)(void*)data;
    KAI_TRY(kai_volume_choose(setup->solids, formulation, head, err));
    KAI_TRY(kai_volume_lay(shape, setup->q, enhanced, data, err));
    if (!head->total) kai_volume_settle(shape, setup->solids, setup->q, force, data);
    return KAI_OK;
}

// Mass, energy -----------------------------------------------------------------------------------

void kai_volume_mass(const kai_volume_shape* shape, const double* data, double* out)
{
    const int n = shape->nodes;
    const kai_volume_head* head = (const kai_volume_head*)(const void*)data;
    memset(out, 0, (size_t)(n * n) * sizeof *out);
    for (int g = 0; g < shape->fine_count; g++) {
        double values[NODES], slopes[3 * NODES], jacobian[9];
        const double* at = shape->fine[g];
        const double det = slopes_at(shape, data + KAI_VOLUME_X, at, jacobian, NULL);
        shape->evaluate(at, values, slopes);
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                out[a * n + b] += head->density * det * at[3] * values[a] * values[b];
    }
}

/// Compatible strains of all points: Green-Lagrange ones of coordinates x, or linear ones of
/// displacements u, both [3][n].
static bool strains(const kai_volume_shape* shape, const double* laid, const double* x, bool linear,
                    const kai_solid_view* solid, double (*e)[6])
{
    const int n = shape->nodes;
    for (int g = 0; g < shape->point_count; g++) {
        double f[9], c[9];
        kai_total_gradient(x, laid + KAI_VOLUME_GRADIENTS(n, shape->point_count) + 3 * n * g, n, f);
        if (linear) {
            const double all[6] = {f[0], f[4], f[8], f[5] + f[7], f[2] + f[6], f[1] + f[3]};
            memcpy(e[g], all, sizeof all);
            continue;
        }
        if (!solid->kind->linear && !(kai_polar_cofactors(f, c) > 0.0)) return false;
        kai_total_green(f, e[g]);
    }
    return true;
}

/// Modes for strains of all points. Without any they are zero.
static bool find_modes(const kai_volume_shape* shape, const double* laid,
                       const kai_solid_view* solid, const double (*e)[6], kai_enhanced* out)
{
    const kai_volume_head* head = (const kai_volume_head*)(const void*)laid;
    double d[36];
    const double none[6] = {0.0};
    memset(out, 0, sizeof *out);
    if (!head->enhanced || shape->projected) return true;
    out->weights = laid + KAI_VOLUME_WEIGHTS(shape->nodes);
    out->ratios = laid + KAI_VOLUME_ENHANCED(shape->nodes, shape->point_count);
    out->map = out->ratios + shape->point_count;
    if (solid->kind->linear) solid->kind->evaluate(solid->instance, none, NULL, NULL, d);
    return kai_enhanced_solve(out, solid, solid->kind->linear ? d : NULL, e);
}

/// Coordinates [3][n] about the first node.
static void gather(int n, const double* q, double* x)
{
    for (int a = 0; a < 3 * n; a++) x[(a % 3) * n + a / 3] = q[a] - q[a % 3];
}

static bool projects(const kai_volume_shape* shape, const double* laid)
{
    return ((const kai_volume_head*)(const void*)laid)->enhanced && shape->projected;
}

/// Coefficients of the projected change of volume: J - 1 of coordinates x, or the trace of the
/// gradient of displacements x, which is that of their linear strain.
static void fit_growth(const kai_volume_shape* shape, const double* laid, const double* x,
                       bool linear, double* growth, double* fit)
{
    const int n = shape->nodes, points = shape->point_count;
    for (int g = 0; g < points; g++) {
        double f[9];
        kai_total_gradient(x, laid + KAI_VOLUME_GRADIENTS(n, points) + 3 * n * g, n, f);
        growth[g] = linear ? f[0] + f[4] + f[8] : kai_projected_growth(f);
    }
    kai_projected_fit(shape->points, laid + KAI_VOLUME_WEIGHTS(n),
                      laid + KAI_VOLUME_ENHANCED(n, points), points, shape->projected, growth, fit);
}

/// From E to Ē at all points.
static bool project(const kai_volume_shape* shape, const double* laid, const double* x,
                    double (*e)[6])
{
    double growth[KAI_TOTAL_POINTS], fit[KAI_PROJECTED_MOST];
    fit_growth(shape, laid, x, false, growth, fit);
    for (int g = 0; g < shape->point_count; g++) {
        kai_projected_point p;
        const double bar = kai_projected_at(fit, shape->projected, shape->points[g]);
        if (!kai_projected_strain(e[g], growth[g], bar, &p)) return false;
        memcpy(e[g], p.strain, sizeof p.strain);
    }
    return true;
}

double kai_volume_energy(const kai_volume_shape* shape, const kai_solid_view* solid,
                         const double* data, const double* q)
{
    const int n = shape->nodes;
    const kai_volume_head* head = (const kai_volume_head*)(const void*)data;
    double sum = 0.0;
    if (!head->total) {
        kai_corotational e;
        double p[3 * NODES];
        if (!kai_corotational_frame(&e, data + KAI_VOLUME_X, data + KAI_VOLUME_MEAN(n), q, n))
            return (double)NAN;
        kai_corotational_times(data + KAI_VOLUME_STIFFNESS(n), e.u, n, p);
        for (int a = 0; a < 3 * n; a++) sum += 0.5 * p[a] * e.u[a];
        return sum;
    }
    double x[3 * NODES], e[KAI_TOTAL_POINTS][6];
    kai_enhanced modes;
    gather(n, q, x);
    if (!strains(shape, data, x, false, solid, e) ||
        !find_modes(shape, data, solid, (const double(*)[6])e, &modes) ||
        (projects(shape, data) && !project(shape, data, x, e)))
        return (double)NAN;
    for (int g = 0; g < shape->point_count; g++) {
        double more[6], w;
        if (head->enhanced && !shape->projected) {
            kai_enhanced_strain(modes.alpha, modes.map, modes.ratios[g], shape->points[g], more);
            for (int k = 0; k < 6; k++) e[g][k] += more[k];
        }
        if (!solid->kind->evaluate(solid->instance, e[g], &w, NULL, NULL)) return (double)NAN;
        sum += data[KAI_VOLUME_WEIGHTS(n) + g] * w;
    }
    return sum;
}

// Samples ----------------------------------------------------------------------------------------

/// scale A S Aᵀ of a symmetric S.
static void carry_stress(const double a[9], const double s[6], double scale, double out[6])
{
    static const int R[6] = {0, 1, 2, 1, 0, 0}, C[6] = {0, 1, 2, 2, 2, 1};
    const double m[9] = {s[0], s[5], s[4], s[5], s[1], s[3], s[4], s[3], s[2]};
    for (int k = 0; k < 6; k++) {
        out[k] = 0.0;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                out[k] += scale * a[3 * R[k] + i] * m[3 * i + j] * a[3 * C[k] + j];
    }
}

/// The strain at one point with the projected change of volume; F becomes the one that goes with
/// it.
static bool project_at(const kai_volume_shape* shape, const double* laid, const double* x,
                       bool linear, const double at[3], double f[9], double e[6])
{
    double growth[KAI_TOTAL_POINTS], fit[KAI_PROJECTED_MOST];
    fit_growth(shape, laid, x, linear, growth, fit);
    const double bar = kai_projected_at(fit, shape->projected, at);
    if (linear) {
        const double more = (bar - e[0] - e[1] - e[2]) / 3.0;
        for (int k = 0; k < 3; k++) e[k] += more;
        return true;
    }
    kai_projected_point p;
    if (!kai_projected_strain(e, kai_projected_growth(f), bar, &p)) return false;
    memcpy(e, p.strain, sizeof p.strain);
    for (int k = 0; k < 9; k++) f[k] *= sqrt(p.c);
    return true;
}

/// Strain that the solid sees at a point: compatible and enhanced. x: coordinates or displacements.
static bool strain_at(const kai_volume_shape* shape, const kai_solid_view* solid,
                      const double* laid, const double* x, bool linear, const double at[3],
                      double out[6], double f[9])
{
    const kai_volume_head* head = (const kai_volume_head*)(const void*)laid;
    double gradients[3 * NODES], jacobian[9], e[KAI_TOTAL_POINTS][6];
    kai_enhanced modes;
    const double det = slopes_at(shape, laid + KAI_VOLUME_X, at, jacobian, gradients);
    kai_total_gradient(x, gradients, shape->nodes, f);
    kai_total_green(f, out);
    if (linear) {
        const double all[6] = {f[0], f[4], f[8], f[5] + f[7], f[2] + f[6], f[1] + f[3]};
        memcpy(out, all, sizeof all);
    }
    if (!head->enhanced) return true;
    if (shape->projected) return project_at(shape, laid, x, linear, at, f, out);
    if (!strains(shape, laid, x, linear, solid, e) ||
        !find_modes(shape, laid, solid, (const double(*)[6])e, &modes))
        return false;
    // j₀/j: the ratio of some point, scaled
    const double first = slopes_at(shape, laid + KAI_VOLUME_X, shape->points[0], jacobian, NULL);
    double more[6];
    kai_enhanced_strain(modes.alpha, modes.map, modes.ratios[0] * first / det, at, more);
    for (int k = 0; k < 6; k++) out[k] += more[k];
    return true;
}

void kai_volume_sample(const kai_volume_shape* shape, const kai_solid_view* solid,
                       const double* data, const double* q, const double cube[3],
                       kai_element_sample* out)
{
    const int n = shape->nodes;
    const kai_volume_head* head = (const kai_volume_head*)(const void*)data;
    double at[3] = {cube[0], cube[1], cube[2]}, laid[DATA], values[NODES], slopes[3 * NODES];
    double x[3 * NODES], f[9], strain[6], s[6], c[9], p[3] = {0.0};
    if (shape->place) shape->place(cube, at);
    shape->evaluate(at, values, slopes);
    for (int a = 0; a < 3 * n; a++) p[a % 3] += values[a / 3] * q[a];
    out->position = kai_vec3_make(p[0], p[1], p[2]);
    gather(n, q, x);
    for (int k = 0; k < 6; k++) out->strain[k] = out->stress[k] = (double)NAN;
    if (head->total) {
        if (!strain_at(shape, solid, data, x, false, at, out->strain, f) ||
            !solid->kind->evaluate(solid->instance, out->strain, NULL, s, NULL))
            return;
        carry_stress(f, s, 1.0 / kai_polar_cofactors(f, c), out->stress);
        return;
    }
    // Gradients have given way to the stiffness: lay them again.
    kai_corotational e;
    double reference[3 * NODES];
    for (int a = 0; a < 3 * n; a++) reference[a] = data[KAI_VOLUME_X + (a % 3) * n + a / 3];
    memcpy(laid, data, sizeof(kai_volume_head));
    if (kai_volume_lay(shape, reference, head->enhanced, laid, NULL) != KAI_OK ||
        !kai_corotational_frame(&e, data + KAI_VOLUME_X, data + KAI_VOLUME_MEAN(n), q, n) ||
        !strain_at(shape, solid, laid, e.u, true, at, strain, f) ||
        !solid->kind->evaluate(solid->instance, strain, NULL, s, NULL))
        return;
    carry_stress(e.r, s, 1.0, out->stress);
    double gradients[3 * NODES], jacobian[9];
    slopes_at(shape, laid + KAI_VOLUME_X, at, jacobian, gradients);
    kai_total_gradient(x, gradients, n, f);
    kai_total_green(f, out->strain);
}
