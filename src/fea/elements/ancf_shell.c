// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "fea/elements/ancf_shell.h"

#include "base/error.h"

#include <string.h>

enum { MOST = KAI_ANCF_SHELL_MOST, SHEAR = KAI_ANCF_SHELL_SHEAR, MODES = 8 };

static const double GAUSS2 = 0.57735026918962576451; // 1/√3
static const double* const XI = KAI_ANCF_SHELL_XI;
static const double* const ETA = KAI_ANCF_SHELL_ETA;

// Measures ---------------------------------------------------------------------------------------

/// Measure SHEAR + k is u · w, both sums of the vectors.
typedef struct product {
    double u[7], w[7];
} product;

/// Coefficients of r,ξ (or r,η with `along`), and of d, at a point.
static void tangent_at(int along, double xi, double eta, double u[7])
{
    memset(u, 0, 7 * sizeof *u);
    u[along] = 1.0;
    u[2] = along ? xi : eta;
}

static void director_at(double xi, double eta, double w[7])
{
    const double all[7] = {0.0, 0.0, 0.0, 1.0, xi, eta, xi * eta};
    memcpy(w, all, sizeof all);
}

/// Measures beyond those of the plane, in their order; how many they are.
static int products(bool natural, product out[12])
{
    if (natural) {
        for (int k = 0; k < 4; k++) {
            const double side = k % 2 ? 1.0 : -1.0;
            const double xi = k < 2 ? 0.0 : side, eta = k < 2 ? side : 0.0;
            tangent_at(k / 2, xi, eta, out[k].u);
            director_at(xi, eta, out[k].w);
            director_at(XI[k], ETA[k], out[4 + k].u);
            director_at(XI[k], ETA[k], out[4 + k].w);
        }
        return 8;
    }
    for (int k = 0; k < 4; k++) {
        const double xi = GAUSS2 * XI[k], eta = GAUSS2 * ETA[k];
        tangent_at(0, xi, eta, out[k].u);
        tangent_at(1, xi, eta, out[4 + k].u);
        director_at(xi, eta, out[8 + k].u);
        for (int n = 0; n < 12; n += 4) director_at(xi, eta, out[n + k].w);
    }
    return 12;
}

static void combine(const double coefficients[7], const double y[7][3], double out[3])
{
    memset(out, 0, 3 * sizeof *out);
    for (int j = 0; j < 7; j++)
        for (int k = 0; k < 3; k++) out[k] += coefficients[j] * y[j][k];
}

void kai_ancf_shell_measure(const kai_ancf_shell* shell, const double y[7][3], double* m)
{
    product all[12];
    const int count = products(shell->natural, all);
    kai_ancf_shell_plane(y, m);
    for (int i = 0; i < count; i++) {
        double u[3], w[3];
        combine(all[i].u, y, u);
        combine(all[i].w, y, w);
        m[SHEAR + i] = kai_ancf_shell_dot(u, w);
    }
}

static void add_product(double row[21], int i, int j, const double y[7][3])
{
    for (int k = 0; k < 3; k++) {
        row[3 * i + k] += y[j][k];
        row[3 * j + k] += y[i][k];
    }
}

void kai_ancf_shell_gradient(const kai_ancf_shell* shell, const double y[7][3],
                             double out[MOST][21])
{
    // Pairs of vectors of the measures of the plane; two pairs where a measure has two.
    static const int PAIRS[18][4] = {
        {0, 0, -1, 0}, {1, 1, -1, 0}, {0, 1, -1, 0}, {0, 2, -1, 0}, {1, 2, -1, 0}, {2, 2, -1, 0},
        {0, 4, -1, 0}, {1, 5, -1, 0}, {0, 5, 1, 4},  {0, 6, 2, 4},  {1, 6, 2, 5},  {2, 6, -1, 0},
        {4, 4, -1, 0}, {5, 5, -1, 0}, {4, 5, -1, 0}, {4, 6, -1, 0}, {5, 6, -1, 0}, {6, 6, -1, 0}};
    product all[12];
    const int count = products(shell->natural, all);
    memset(out, 0, MOST * sizeof *out);
    for (int m = 0; m < SHEAR; m++) {
        add_product(out[m], PAIRS[m][0], PAIRS[m][1], y);
        if (PAIRS[m][2] >= 0) add_product(out[m], PAIRS[m][2], PAIRS[m][3], y);
    }
    for (int i = 0; i < count; i++) {
        double u[3], w[3];
        combine(all[i].u, y, u);
        combine(all[i].w, y, w);
        for (int j = 0; j < 7; j++)
            for (int k = 0; k < 3; k++)
                out[SHEAR + i][3 * j + k] = all[i].u[j] * w[k] + all[i].w[j] * u[k];
    }
}

// Points -----------------------------------------------------------------------------------------

/// Base vectors along ξ, η and z, the vectors dual to them, and the volume they span.
typedef struct base {
    kai_vec3 g[3], dual[3];
    double volume;
} base;

static base base_at(const double y[7][3], double xi, double eta, double z)
{
    double g[3][3];
    for (int k = 0; k < 3; k++) {
        g[0][k] = y[0][k] + eta * y[2][k] + z * (y[4][k] + eta * y[6][k]);
        g[1][k] = y[1][k] + xi * y[2][k] + z * (y[5][k] + xi * y[6][k]);
        g[2][k] = y[3][k] + xi * y[4][k] + eta * y[5][k] + xi * eta * y[6][k];
    }
    base b;
    for (int i = 0; i < 3; i++) b.g[i] = kai_vec3_make(g[i][0], g[i][1], g[i][2]);
    b.volume = kai_vec3_dot(b.g[0], kai_vec3_cross(b.g[1], b.g[2]));
    for (int i = 0; i < 3; i++)
        b.dual[i] =
            kai_vec3_scale(kai_vec3_cross(b.g[(i + 1) % 3], b.g[(i + 2) % 3]), 1.0 / b.volume);
    return b;
}

/// Material axes of a layer.
static void axes_at(const base* b, kai_vec3 x_axis, const kai_layers_ply* ply, kai_vec3 out[3])
{
    out[2] = kai_vec3_normalize(kai_vec3_cross(b->g[0], b->g[1]));
    const bool given = kai_vec3_dot(x_axis, x_axis) > 0.0;
    kai_vec3 x = given ? x_axis : b->g[0];
    x = kai_vec3_normalize(kai_vec3_sub(x, kai_vec3_scale(out[2], kai_vec3_dot(x, out[2]))));
    const kai_vec3 y = kai_vec3_cross(out[2], x);
    out[0] = kai_vec3_add(kai_vec3_scale(x, ply->cosine), kai_vec3_scale(y, ply->sine));
    out[1] = kai_vec3_sub(kai_vec3_scale(y, ply->cosine), kai_vec3_scale(x, ply->sine));
}

/// Turns strains 11 22 33 23 13 12 along `dual` into strains along `axes`, engineering shears.
KAI_INLINE void turn_at(const kai_vec3 dual[3], const kai_vec3 axes[3], double out[6][6])
{
    static const int PAIR[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
    double p[3][3];
    for (int i = 0; i < 3; i++)
        for (int a = 0; a < 3; a++) p[i][a] = kai_vec3_dot(dual[i], axes[a]);
    for (int r = 0; r < 6; r++) {
        const int a = PAIR[r][0], b = PAIR[r][1];
        for (int c = 0; c < 6; c++) {
            const int i = PAIR[c][0], j = PAIR[c][1];
            const double both = 0.5 * (p[i][a] * p[j][b] + p[j][a] * p[i][b]);
            out[r][c] = r < 3 ? both : 2.0 * both;
        }
    }
}

/// Strains 11 22 33 23 13 12 at a point as sums of measures. `corner`: which Gauss point it is,
/// for shells without assumed natural strains; -1: some other point.
KAI_INLINE void strains_at(bool natural, int corner, double xi, double eta, double z,
                           double out[6][MOST])
{
    memset(out, 0, 6 * sizeof *out);
    const double power[3] = {0.5, z, 0.5 * z * z};
    for (int k = 0; k < 3; k++) {
        // Bending's measures hold both mixed products already.
        const bool mixed = k == 1;
        const double p = power[k], two = mixed ? 1.0 : 2.0, s = two * p;
        const int at = 6 * k;
        out[0][at] = p, out[0][at + 3] = two * eta * p, out[0][at + 5] = eta * eta * p;
        out[1][at + 1] = p, out[1][at + 4] = two * xi * p, out[1][at + 5] = xi * xi * p;
        out[5][at + 2] = s, out[5][at + 3] = s * xi, out[5][at + 4] = s * eta;
        out[5][at + 5] = (mixed ? 2.0 : 1.0) * s * xi * eta;
    }
    if (natural) {
        out[4][SHEAR] = 0.5 * (1.0 - eta), out[4][SHEAR + 1] = 0.5 * (1.0 + eta);
        out[3][SHEAR + 2] = 0.5 * (1.0 - xi), out[3][SHEAR + 3] = 0.5 * (1.0 + xi);
        for (int a = 0; a < 4; a++)
            out[2][SHEAR + 4 + a] = 0.125 * (1.0 + XI[a] * xi) * (1.0 + ETA[a] * eta);
        return;
    }
    for (int a = 0; a < 4; a++) {
        // Away from a Gauss point: extrapolated from all four.
        const double share =
            corner >= 0 ? (corner == a ? 1.0 : 0.0)
                        : 0.25 * (1.0 + XI[a] * xi / GAUSS2) * (1.0 + ETA[a] * eta / GAUSS2);
        out[4][SHEAR + a] = share;
        out[3][SHEAR + 4 + a] = share;
        out[2][SHEAR + 8 + a] = 0.5 * share;
    }
}

/// A point of integration: strain in material axes is a · (m - rest) + g · α.
typedef struct point {
    double a[6][MOST];
    double g[6][MODES];
    double weight; // m³
} point;

/// Enhanced strains, in the base of the centre so that they do no work against constant stress:
/// 11 ξ, 22 η, 12 ξ and η; 33 ζ {1, ξ, η, ξη}, which lets bending thin one side of the shell.
KAI_INLINE void modes_at(const base* centre, const kai_vec3 axes[3], double xi, double eta,
                         double zeta, double factor, double out[6][MODES])
{
    static const int STRAIN[MODES] = {0, 1, 5, 5, 2, 2, 2, 2};
    const double value[MODES] = {xi, eta, xi, eta, zeta, zeta * xi, zeta * eta, zeta * xi * eta};
    const double l1 = kai_vec3_norm(centre->g[0]), l2 = kai_vec3_norm(centre->g[1]);
    const double scale[6] = {l1 * l1, l2 * l2, 1.0, l2, l1, l1 * l2};
    double turn[6][6];
    turn_at(centre->dual, axes, turn);
    for (int k = 0; k < MODES; k++)
        for (int r = 0; r < 6; r++)
            out[r][k] = factor * value[k] * scale[STRAIN[k]] * turn[r][STRAIN[k]];
}

KAI_INLINE void point_at(const kai_ancf_shell* s, const kai_layers_ply* ply, int corner,
                         const double at[3], point* out)
{
    const double xi = at[0], eta = at[1], z = at[2];
    const base b = base_at(s->vectors, xi, eta, z), centre = base_at(s->vectors, 0.0, 0.0, 0.0);
    kai_vec3 axes[3];
    double turn[6][6], strains[6][MOST];
    axes_at(&b, s->layers.x_axis, ply, axes);
    turn_at(b.dual, axes, turn);
    strains_at(s->natural, corner, xi, eta, z, strains);
    memset(out->a, 0, sizeof out->a);
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++)
            for (int m = 0; m < MOST; m++) out->a[r][m] += turn[r][c] * strains[c][m];
    modes_at(&centre, axes, xi, eta, z / s->layers.half, centre.volume / b.volume, out->g);
    out->weight = b.volume;
}

/// Gauss point `corner` of the plane, `side` 0 or 1 of a layer.
KAI_INLINE void gauss_at(const kai_ancf_shell* s, const kai_layers_ply* ply, int corner, int side,
                         point* out)
{
    const double middle = 0.5 * (ply->bottom + ply->top), half = 0.5 * (ply->top - ply->bottom);
    const double at[3] = {GAUSS2 * XI[corner], GAUSS2 * ETA[corner],
                          middle + (side ? half : -half) * GAUSS2};
    point_at(s, ply, corner, at, out);
    out->weight *= half;
}

// Integration ------------------------------------------------------------------------------------

/// Enhanced strains α of a state, and what a change of measures makes of them: dα = -lambda dm.
typedef struct enhanced {
    double alpha[MODES];
    double lambda[MODES][MOST];
} enhanced;

KAI_INLINE void strain_of(const point* p, const double* m, const double* alpha, double out[6])
{
    for (int r = 0; r < 6; r++) {
        double sum = 0.0;
        for (int k = 0; k < MOST; k++) sum += p->a[r][k] * m[k];
        for (int k = 0; k < MODES; k++) sum += p->g[r][k] * alpha[k];
        out[r] = sum;
    }
}

/// Sums over all points: residual gᵀS, matrix gᵀDg and coupling gᵀDa.
typedef struct sums {
    double residual[MODES], matrix[MODES][MODES], coupling[MODES][MOST];
} sums;

KAI_INLINE bool add_point(const point* p, const kai_solid_view* solid, const double* m,
                          const double* alpha, bool coupling, sums* out)
{
    double strain[6], stress[6], d[36], dg[6][MODES];
    strain_of(p, m, alpha, strain);
    if (!solid->kind->evaluate(solid->instance, strain, NULL, stress, d)) return false;
    for (int r = 0; r < 6; r++)
        for (int k = 0; k < MODES; k++) {
            double sum = 0.0;
            for (int c = 0; c < 6; c++) sum += d[6 * r + c] * p->g[c][k];
            dg[r][k] = p->weight * sum;
        }
    for (int i = 0; i < MODES; i++)
        for (int r = 0; r < 6; r++) {
            out->residual[i] += p->weight * p->g[r][i] * stress[r];
            for (int j = 0; j < MODES; j++) out->matrix[i][j] += p->g[r][i] * dg[r][j];
            for (int j = 0; coupling && j < MOST; j++) out->coupling[i][j] += dg[r][i] * p->a[r][j];
        }
    return true;
}

/// Gauss elimination for the residual and all columns of the coupling at once. The matrix is
/// positive definite: no pivots.
KAI_INLINE bool eliminate(sums* s, int columns)
{
    for (int k = 0; k < MODES; k++) {
        if (!(s->matrix[k][k] > 0.0)) return false;
        const double by = 1.0 / s->matrix[k][k];
        for (int i = 0; i < MODES; i++) {
            if (i == k) continue;
            const double f = s->matrix[i][k] * by;
            for (int j = k; j < MODES; j++) s->matrix[i][j] -= f * s->matrix[k][j];
            for (int j = 0; j < columns; j++) s->coupling[i][j] -= f * s->coupling[k][j];
            s->residual[i] -= f * s->residual[k];
        }
    }
    for (int k = 0; k < MODES; k++) {
        s->residual[k] /= s->matrix[k][k];
        for (int j = 0; j < columns; j++) s->coupling[k][j] /= s->matrix[k][k];
    }
    return true;
}

enum { POINTS = 8 * KAI_LAYERS_MOST };

/// All points of integration, eight a layer.
KAI_INLINE int points_of(const kai_ancf_shell* s, point out[POINTS])
{
    for (int n = 0; n < 8 * s->layers.count; n++)
        gauss_at(s, &s->layers.ply[n / 8], n % 4, n / 4 % 2, &out[n]);
    return 8 * s->layers.count;
}

KAI_INLINE bool sum_points(const kai_ancf_shell* s, const point* points, const double* m,
                           const double* alpha, bool coupling, sums* out)
{
    memset(out, 0, sizeof *out);
    for (int n = 0; n < 8 * s->layers.count; n++)
        if (!add_point(&points[n], s->layers.ply[n / 8].solid, m, alpha, coupling, out))
            return false;
    return eliminate(out, coupling ? MOST : 0);
}

/// Finds the α that makes the energy stationary, by Newton's method; solids that are linear need
/// one turn. `lambda` as well where it is wanted.
KAI_INLINE bool enhance(const kai_ancf_shell* s, const point* points, const double* m, bool lambda,
                        enhanced* out)
{
    memset(out, 0, sizeof *out);
    if (!s->enhanced) return true;
    bool linear = true, found = false;
    for (int l = 0; l < s->layers.count; l++) linear &= s->layers.ply[l].solid->kind->linear;
    sums all;
    for (int turn = 0; turn < 30 && !found; turn++) {
        if (!sum_points(s, points, m, out->alpha, linear && lambda, &all)) return false;
        double longest = 0.0;
        for (int k = 0; k < MODES; k++) {
            out->alpha[k] -= all.residual[k];
            longest = fmax(longest, fabs(all.residual[k]));
        }
        // α are strains: this is rounding, or what is left of it after squares were taken.
        found = linear || longest < 1e-13 || (turn > 8 && longest < 1e-10);
    }
    if (lambda && !linear && !sum_points(s, points, m, out->alpha, true, &all)) return false;
    if (lambda) memcpy(out->lambda, all.coupling, sizeof out->lambda);
    return found;
}

KAI_INLINE bool respond_point(const kai_ancf_shell* s, const kai_layers_ply* ply, const point* p,
                              const double* m, const enhanced* e, bool stiffness,
                              kai_ancf_shell_response* out)
{
    const int count = kai_ancf_shell_count(s);
    double strain[6], stress[6], d[36], energy, a[6][MOST], da[6][MOST];
    strain_of(p, m, e->alpha, strain);
    const kai_solid_view* solid = ply->solid;
    if (!solid->kind->evaluate(solid->instance, strain, &energy, stress, stiffness ? d : NULL))
        return false;
    const double damping = kai_solid_view_base(solid)->damping;
    out->energy += p->weight * energy;
    for (int r = 0; r < 6; r++)
        for (int j = 0; j < count; j++) out->stress[j] += p->weight * p->a[r][j] * stress[r];
    if (!stiffness) return true;
    memcpy(a, p->a, sizeof a);
    for (int r = 0; r < 6; r++)
        for (int k = 0; k < MODES; k++)
            for (int j = 0; j < count; j++) a[r][j] -= p->g[r][k] * e->lambda[k][j];
    for (int r = 0; r < 6; r++)
        for (int j = 0; j < count; j++) {
            double sum = 0.0;
            for (int c = 0; c < 6; c++) sum += d[6 * r + c] * a[c][j];
            da[r][j] = p->weight * sum;
        }
    for (int i = 0; i < count; i++)
        for (int r = 0; r < 6; r++)
            for (int j = 0; j < count; j++) {
                out->stiffness[MOST * i + j] += a[r][i] * da[r][j];
                out->damping[MOST * i + j] += damping * a[r][i] * da[r][j];
            }
    return true;
}

KAI_CLONES
bool kai_ancf_shell_respond(const kai_ancf_shell* shell, const double* m, bool stiffness,
                            kai_ancf_shell_response* out)
{
    double strained[MOST] = {0.0};
    point points[POINTS];
    enhanced e;
    memset(out, 0, sizeof *out);
    for (int k = 0; k < kai_ancf_shell_count(shell); k++) strained[k] = m[k] - shell->rest[k];
    const int count = points_of(shell, points);
    if (!enhance(shell, points, strained, stiffness, &e)) return false;
    for (int n = 0; n < count; n++)
        if (!respond_point(shell, &shell->layers.ply[n / 8], &points[n], strained, &e, stiffness,
                           out))
            return false;
    return true;
}

bool kai_ancf_shell_sample(const kai_ancf_shell* shell, const double* m, const double at[3],
                           kai_element_sample* out)
{
    double strained[MOST] = {0.0};
    point points[POINTS];
    enhanced e;
    for (int k = 0; k < kai_ancf_shell_count(shell); k++) strained[k] = m[k] - shell->rest[k];
    points_of(shell, points);
    if (!enhance(shell, points, strained, false, &e)) return false;
    const double z = shell->layers.half * at[2];
    const kai_layers_ply* ply = kai_layers_at(&shell->layers, z);
    point p;
    point_at(shell, ply, -1, (const double[]){at[0], at[1], z}, &p);
    strain_of(&p, strained, e.alpha, out->strain);
    return ply->solid->kind->evaluate(ply->solid->instance, out->strain, NULL, out->stress, NULL);
}

double kai_ancf_shell_stored(const kai_ancf_shell_data* d, const double* m)
{
    const double* k = d->stiffness;
    double sum = 0.0;
    for (int a = 0; a < KAI_ANCF_SHELL_MEASURES; a++)
        for (int b = 0; b <= a; b++)
            sum += (a == b ? 0.5 : 1.0) * *k++ * (m[a] - d->rest[a]) * (m[b] - d->rest[b]);
    return sum;
}

kai_vec3 kai_ancf_shell_place(const double* q, double half, const double at[3])
{
    double r[3] = {0.0};
    for (int a = 0; a < 4; a++) {
        const double n = 0.25 * (1.0 + XI[a] * at[0]) * (1.0 + ETA[a] * at[1]);
        for (int k = 0; k < 3; k++) r[k] += n * (q[6 * a + k] + at[2] * half * q[6 * a + 3 + k]);
    }
    return kai_vec3_make(r[0], r[1], r[2]);
}

void kai_ancf_shell_mass(const kai_ancf_shell* shell, double out[64])
{
    // Three points each way: exact for the products of shape functions on a curved shell.
    static const double AT[3] = {-0.77459666924148337704, 0.0, 0.77459666924148337704};
    static const double WEIGHT[3] = {5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0};
    memset(out, 0, 64 * sizeof *out);
    for (int n = 0; n < 27 * shell->layers.count; n++) {
        const kai_layers_ply* ply = &shell->layers.ply[n / 27];
        const int i = n % 3, j = n / 3 % 3, k = n / 9 % 3;
        const double half = 0.5 * (ply->top - ply->bottom);
        const double z = 0.5 * (ply->top + ply->bottom) + half * AT[k];
        const base b = base_at(shell->vectors, AT[i], AT[j], z);
        const double mass = WEIGHT[i] * WEIGHT[j] * WEIGHT[k] * half * b.volume *
                            kai_solid_view_base(ply->solid)->density;
        double shape[8];
        for (int a = 0; a < 4; a++) {
            shape[2 * a] = 0.25 * (1.0 + XI[a] * AT[i]) * (1.0 + ETA[a] * AT[j]);
            shape[2 * a + 1] = z * shape[2 * a];
        }
        for (int a = 0; a < 8; a++)
            for (int c = 0; c < 8; c++) out[8 * a + c] += mass * shape[a] * shape[c];
    }
}

// Set-up -----------------------------------------------------------------------------------------

kai_result kai_ancf_shell_init(kai_ancf_shell* shell, const double* q, kai_error* err)
{
    for (int a = 0; a < 4; a++) {
        const double length = sqrt(kai_ancf_shell_dot(q + 6 * a + 3, q + 6 * a + 3));
        if (!(fabs(length - 1.0) <= 1e-3))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "the slope of its node %d has length %g; must be 1, across the "
                                 "shell",
                                 a, length);
    }
    kai_ancf_shell_vectors(q, shell->vectors);
    kai_ancf_shell_measure(shell, (const double(*)[3])shell->vectors, shell->rest);
    for (int n = 0; n < 8; n++) {
        const double z = (n & 4 ? 1.0 : -1.0) * shell->layers.half;
        const base b = base_at(shell->vectors, XI[n % 4], ETA[n % 4], z);
        if (!(b.volume > 0.0) || !isfinite(b.volume))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "its Jacobian at node %d is %g; must be > 0: nodes go round "
                                 "counter-clockwise seen from where slopes point, inner angles are "
                                 "below 180°",
                                 n % 4, b.volume);
        const kai_vec3 x = kai_vec3_normalize(shell->layers.x_axis);
        const kai_vec3 normal = kai_vec3_normalize(kai_vec3_cross(b.g[0], b.g[1]));
        if (kai_vec3_dot(x, x) > 0.0 && !(fabs(kai_vec3_dot(x, normal)) < 0.999))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "its x_axis (%g, %g, %g) stands on the shell at node %d; must "
                                 "lie along it",
                                 x.x, x.y, x.z, n % 4);
    }
    return KAI_OK;
}
