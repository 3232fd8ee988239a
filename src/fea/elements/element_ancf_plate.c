// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Thin plate of four nodes with a position and two slopes each, 36 coordinates: the middle surface
// is a cubic of twelve terms, normals stay normal (Kirchhoff). Strains of the middle surface and
// its curvature, against those of a reference that may be curved:
//
//     ε_αβ = (r,α · r,β - R,α · R,β) / 2     κ_αβ = R,αβ · N - r,αβ · n     E(z) = ε + z κ
//
// A node's slopes are turned into r,ξ and r,η by factors of the undeformed shape, the same in all
// elements that share a side. 3 × 3 points in the plane; through the thickness in closed form.
//
// Flops an element: 9 points of 1.0 k: 9 k; with tangent 9 × 15 k: 140 k. 3.4 kB of data.
#include "base/error.h"
#include "base/simd.h"
#include "fea/layers.h"

#include <string.h>

enum { NODES = 4, SHAPES = 12, ROWS = 36, POINTS = 9, TERMS = 5 };

typedef kai_element_ancf_plate_params ancf_plate;

/// A point of integration.
typedef struct plate_point {
    double rest[6]; // ε and κ measures without deformation: r,α · r,β / 2 and -r,αβ · n
    double stiffness[6][6]; // of strains along ξ and η, with the weight
} plate_point;

typedef struct plate_data {
    double reference[ROWS];
    double side[NODES][4]; // r,ξ = side[0] r,x + side[1] r,y, r,η likewise
    double damping;        // s
    plate_point point[POINTS];
} plate_data;

static const kai_param PARAMS[] = {
    KAI_PARAM(
        NODE, ancf_plate, nodes, .columns = NODES, .required = true,
        .doc =
            "Its corners, counter-clockwise seen from the top. Their slopes are two tangents of the middle surface, preferably orthogonal unit vectors."),
    KAI_LAYERS_PARAMS(ancf_plate),
};

static const double XI[NODES] = {-1.0, 1.0, 1.0, -1.0}, ETA[NODES] = {-1.0, -1.0, 1.0, 1.0};

// Shapes -----------------------------------------------------------------------------------------

/// Values of the shapes, or their derivatives ,ξ ,η ,ξξ ,ηη ,ξη, at a point. Three a node: for r,
/// r,ξ and r,η.
KAI_INLINE void shapes_at(double xi, double eta, double value[SHAPES], double d[TERMS][SHAPES])
{
    for (int a = 0; a < NODES; a++) {
        const double s = XI[a], t = ETA[a], x = s * xi, y = t * eta;
        double* v = value + 3 * a;
        const double p = 1.0 + x, q = 1.0 + y, k = 2.0 + x + y - x * x - y * y;
        v[0] = 0.125 * p * q * k;
        v[1] = 0.125 * s * p * p * (x - 1.0) * q;
        v[2] = 0.125 * t * q * q * (y - 1.0) * p;
        if (!d) continue;
        const double kx = 1.0 - 2.0 * x, ky = 1.0 - 2.0 * y;
        const double r[TERMS][3] = {
            {0.125 * s * q * (k + p * kx), 0.125 * p * (3.0 * x - 1.0) * q,
             0.125 * s * t * q * q * (y - 1.0)},
            {0.125 * t * p * (k + q * ky), 0.125 * s * t * p * p * (x - 1.0),
             0.125 * q * (3.0 * y - 1.0) * p},
            {0.125 * q * (2.0 * kx - 2.0 * p), 0.125 * s * (6.0 * x + 2.0) * q, 0.0},
            {0.125 * p * (2.0 * ky - 2.0 * q), 0.0, 0.125 * t * (6.0 * y + 2.0) * p},
            {0.125 * s * t * (k + q * ky + p * kx), 0.125 * t * p * (3.0 * x - 1.0),
             0.125 * s * q * (3.0 * y - 1.0)}};
        for (int n = 0; n < TERMS; n++)
            for (int c = 0; c < 3; c++) d[n][3 * a + c] = r[n][c];
    }
}

/// Point of integration g: where it is, and its weight.
KAI_INLINE double gauss_at(int g, double* xi, double* eta)
{
    static const double AT[3] = {-0.77459666924148337704, 0.0, 0.77459666924148337704};
    static const double WEIGHT[3] = {5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0};
    *xi = AT[g % 3];
    *eta = AT[g / 3];
    return WEIGHT[g % 3] * WEIGHT[g / 3];
}

/// Nodal vectors r, r,ξ, r,η from coordinates r, r,x, r,y.
KAI_INLINE void to_sides(const double side[NODES][4], const double* q, double e[SHAPES][3])
{
    for (int a = 0; a < NODES; a++)
        for (int k = 0; k < 3; k++) {
            const double *u = q + 9 * a + k, *c = side[a];
            e[3 * a][k] = u[0];
            e[3 * a + 1][k] = c[0] * u[3] + c[1] * u[6];
            e[3 * a + 2][k] = c[2] * u[3] + c[3] * u[6];
        }
}

/// The way back, for `wide` columns: rows (shape, component) to rows (coordinate).
KAI_INLINE void from_sides(const double side[NODES][4], const double* restrict e, int wide,
                           double* restrict out)
{
    for (int a = 0; a < NODES; a++) {
        const double* c = side[a];
        const double *e0 = e + 9 * a * wide, *e1 = e0 + 3 * wide, *e2 = e1 + 3 * wide;
        double *o0 = out + 9 * a * wide, *o1 = o0 + 3 * wide, *o2 = o1 + 3 * wide;
#pragma omp simd
        for (int k = 0; k < 3 * wide; k++) {
            o0[k] = e0[k];
            o1[k] = c[0] * e1[k] + c[2] * e2[k];
            o2[k] = c[1] * e1[k] + c[3] * e2[k];
        }
    }
}

KAI_INLINE void derivatives(const double s[TERMS][SHAPES], const double e[SHAPES][3],
                            double d[TERMS][3])
{
    for (int p = 0; p < TERMS; p++)
        for (int k = 0; k < 3; k++) {
            double sum = 0.0;
            for (int i = 0; i < SHAPES; i++) sum += s[p][i] * e[i][k];
            d[p][k] = sum;
        }
}

// A point ----------------------------------------------------------------------------------------

/// The middle surface at a point: d are r,ξ r,η r,ξξ r,ηη r,ξη.
typedef struct surface {
    double d[TERMS][3];
    double n[3];         // unit normal
    double dual[2][3];   // a^γ
    double metric[2][2]; // a^γ · a^δ
    double gamma[3][2];  // Γ^γ of 11, 22, 12
    double area;         // |r,ξ × r,η|
} surface;

KAI_INLINE double dot(const double* a, const double* b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

KAI_INLINE void complete(surface* s)
{
    const double *a = s->d[0], *b = s->d[1];
    const double n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                         a[0] * b[1] - a[1] * b[0]};
    s->area = sqrt(dot(n, n));
    for (int k = 0; k < 3; k++) s->n[k] = n[k] / s->area;
    const double aa = dot(a, a), bb = dot(b, b), ab = dot(a, b), by = 1.0 / (s->area * s->area);
    s->metric[0][0] = bb * by, s->metric[1][1] = aa * by;
    s->metric[0][1] = s->metric[1][0] = -ab * by;
    for (int g = 0; g < 2; g++)
        for (int k = 0; k < 3; k++) s->dual[g][k] = s->metric[g][0] * a[k] + s->metric[g][1] * b[k];
    for (int c = 0; c < 3; c++)
        for (int g = 0; g < 2; g++) s->gamma[c][g] = dot(s->dual[g], s->d[2 + c]);
}

/// ε and κ before the reference is taken off; shears twice.
KAI_INLINE void measures(const surface* s, double m[6])
{
    m[0] = 0.5 * dot(s->d[0], s->d[0]);
    m[1] = 0.5 * dot(s->d[1], s->d[1]);
    m[2] = dot(s->d[0], s->d[1]);
    m[3] = -dot(s->d[2], s->n);
    m[4] = -dot(s->d[3], s->n);
    m[5] = -2.0 * dot(s->d[4], s->n);
}

/// Derivatives of the measures with respect to d: δκ_αβ = -n · (δr,αβ - Γ^γ_αβ δr,γ).
KAI_INLINE void gradient(const surface* s, double b[6][15])
{
    memset(b, 0, 6 * sizeof *b);
    for (int k = 0; k < 3; k++) {
        b[0][k] = s->d[0][k];
        b[1][3 + k] = s->d[1][k];
        b[2][k] = s->d[1][k];
        b[2][3 + k] = s->d[0][k];
        for (int c = 0; c < 3; c++) {
            const double n = (c == 2 ? -2.0 : -1.0) * s->n[k];
            b[3 + c][6 + 3 * c + k] = n;
            b[3 + c][k] = -s->gamma[c][0] * n;
            b[3 + c][3 + k] = -s->gamma[c][1] * n;
        }
    }
}

/// Σ stress ∂²m/∂d². With w = Σ m^αβ r,αβ, W^γ = w · a^γ, and δn = -(n · δa_γ) a^γ:
/// ∂²(w · n) = -m^αβ [(n·Δa_γ)(a^γ·δr,αβ) + (n·δa_γ)(a^γ·Δr,αβ)] + W^γ (n·Δa_δ)(a^δ·δa_γ)
///             + W^δ (n·δa_γ)(a^γ·Δa_δ) - (w·n) a^γδ (n·δa_γ)(n·Δa_δ)
KAI_INLINE void add_geometric(const surface* s, const double stress[6], double h[15][15])
{
    const double m[3] = {-stress[3], -stress[4], -2.0 * stress[5]};
    double w[3], up[2];
    for (int k = 0; k < 3; k++) w[k] = m[0] * s->d[2][k] + m[1] * s->d[3][k] + m[2] * s->d[4][k];
    for (int g = 0; g < 2; g++) up[g] = dot(w, s->dual[g]);
    const double wn = dot(w, s->n);
    for (int k = 0; k < 3; k++) {
        h[k][k] += stress[0];
        h[3 + k][3 + k] += stress[1];
        h[k][3 + k] += stress[2];
        h[3 + k][k] += stress[2];
    }
    for (int g = 0; g < 2; g++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                // n_i a^γ_j of (n · δa_γ)(a^γ · Δ…)
                const double na = s->n[i] * s->dual[g][j];
                for (int c = 0; c < 3; c++) {
                    h[3 * g + i][6 + 3 * c + j] -= m[c] * na;
                    h[6 + 3 * c + j][3 * g + i] -= m[c] * na;
                }
                for (int e = 0; e < 2; e++) {
                    h[3 * g + i][3 * e + j] += up[e] * na;
                    h[3 * e + j][3 * g + i] += up[e] * na;
                    h[3 * g + i][3 * e + j] -= wn * s->metric[g][e] * s->n[i] * s->n[j];
                }
            }
}

// Set-up -----------------------------------------------------------------------------------------

static kai_vec3 vec3_of(const double* x) { return kai_vec3_make(x[0], x[1], x[2]); }

/// Finds r,ξ (or r,η) at a node as a sum of its slopes: along the side, as far as the tangent plane
/// goes, and as long as the arc of a circle over the side would be.
static kai_result find_side(const double* q, int a, const double* chord, double out[2],
                            kai_error* err)
{
    const kai_vec3 x = vec3_of(q + 9 * a + 3), y = vec3_of(q + 9 * a + 6), h = vec3_of(chord);
    const double xx = kai_vec3_dot(x, x), yy = kai_vec3_dot(y, y), xy = kai_vec3_dot(x, y);
    const double det = xx * yy - xy * xy, length = kai_vec3_norm(h);
    if (!(det > 1e-3 * xx * yy) || !isfinite(det))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "the slopes of its node %d are parallel or zero; must span the plate",
                             a);
    if (!(length > 0.0))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "a side at its node %d is %g m long; must "
                             "be > 0",
                             a, length);
    const double hx = kai_vec3_dot(h, x), hy = kai_vec3_dot(h, y);
    const double u = (yy * hx - xy * hy) / det, v = (xx * hy - xy * hx) / det;
    const kai_vec3 flat = kai_vec3_add(kai_vec3_scale(x, u), kai_vec3_scale(y, v));
    const double cosine = kai_vec3_norm(flat) / length;
    if (!(cosine > 0.5))
        return kai_error_set(
            err, KAI_ERROR_ARGUMENT,
            "a side at its node %d leaves the plane of the slopes by %.0f degrees; "
            "must be below 60",
            a, acos(fmin(cosine, 1.0)) * 57.29577951308232);
    const double angle = acos(fmin(cosine, 1.0)), sine = sin(angle);
    const double arc = angle > 1e-4 ? angle / sine : 1.0 + angle * angle / 6.0;
    out[0] = 0.5 * arc / cosine * u;
    out[1] = 0.5 * arc / cosine * v;
    return KAI_OK;
}

static kai_result find_sides(const double* q, double side[NODES][4], kai_error* err)
{
    static const int ALONG[NODES][2] = {{0, 1}, {0, 1}, {3, 2}, {3, 2}};
    static const int ACROSS[NODES][2] = {{0, 3}, {1, 2}, {1, 2}, {0, 3}};
    for (int a = 0; a < NODES; a++) {
        double along[3], across[3];
        for (int k = 0; k < 3; k++) {
            along[k] = q[9 * ALONG[a][1] + k] - q[9 * ALONG[a][0] + k];
            across[k] = q[9 * ACROSS[a][1] + k] - q[9 * ACROSS[a][0] + k];
        }
        KAI_TRY(find_side(q, a, along, side[a], err));
        KAI_TRY(find_side(q, a, across, side[a] + 2, err));
    }
    return KAI_OK;
}

/// Unit vectors along the shell's material x and y.
static void axes_at(const surface* s, kai_vec3 x_axis, kai_vec3 out[2])
{
    const kai_vec3 n = vec3_of(s->n);
    kai_vec3 x = kai_vec3_dot(x_axis, x_axis) > 0.0 ? x_axis : vec3_of(s->d[0]);
    x = kai_vec3_normalize(kai_vec3_sub(x, kai_vec3_scale(n, kai_vec3_dot(x, n))));
    out[0] = x;
    out[1] = kai_vec3_cross(n, x);
}

/// Turns strains 11 22 12 along the dual vectors into strains xx yy xy.
static void turn_at(const surface* s, kai_vec3 x_axis, double out[3][3])
{
    kai_vec3 axes[2];
    double p[2][2];
    axes_at(s, x_axis, axes);
    for (int g = 0; g < 2; g++)
        for (int c = 0; c < 2; c++) p[g][c] = kai_vec3_dot(vec3_of(s->dual[g]), axes[c]);
    for (int c = 0; c < 2; c++) {
        out[c][0] = p[0][c] * p[0][c];
        out[c][1] = p[1][c] * p[1][c];
        out[c][2] = p[0][c] * p[1][c];
    }
    out[2][0] = 2.0 * p[0][0] * p[0][1];
    out[2][1] = 2.0 * p[1][0] * p[1][1];
    out[2][2] = p[0][0] * p[1][1] + p[0][1] * p[1][0];
}

static void surface_at(const plate_data* d, const double* q, double xi, double eta, surface* out)
{
    double e[SHAPES][3], value[SHAPES], s[TERMS][SHAPES];
    to_sides(d->side, q, e);
    shapes_at(xi, eta, value, s);
    derivatives(s, e, out->d);
    complete(out);
}

/// out = weight Tᵀ D T, with T the same for strains and curvatures.
static void turn_stiffness(const double d[6][6], const double t[3][3], double weight,
                           double out[6][6])
{
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            double sum = 0.0;
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    sum += t[k][i % 3] * d[i / 3 * 3 + k][j / 3 * 3 + l] * t[l][j % 3];
            out[i][j] = weight * sum;
        }
}

static kai_result prepare(const kai_element_setup* setup, void* data, kai_error* err)
{
    const ancf_plate* p = setup->instance;
    plate_data* d = data;
    kai_layers_view layers;
    double section[6][6];
    KAI_TRY(kai_layers_check(&p->layers, setup->solids, err));
    kai_layers_read(&p->layers, setup->solids, &layers);
    memset(d, 0, sizeof *d);
    if (!kai_layers_linear(&layers, &d->damping))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "its layers must be of linear solids (elastic, orthotropic) with the "
                             "same damping; ancf-shell takes others");
    if (!kai_layers_plane(&layers, section))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "one of its solids has no stiffness; must be positive definite");
    memcpy(d->reference, setup->q, sizeof d->reference);
    KAI_TRY(find_sides(setup->q, d->side, err));
    for (int g = 0; g < POINTS; g++) {
        double xi, eta, turn[3][3], value[SHAPES];
        surface s;
        const double weight = gauss_at(g, &xi, &eta);
        surface_at(d, setup->q, xi, eta, &s);
        // The nodes' own normal says which way round they go.
        double up = 0.0;
        shapes_at(xi, eta, value, NULL);
        for (int a = 0; a < NODES; a++) {
            const double* q = setup->q + 9 * a;
            up += value[3 * a] *
                  kai_vec3_dot(vec3_of(s.n), kai_vec3_cross(vec3_of(q + 3), vec3_of(q + 6)));
        }
        if (!(s.area > 0.0) || !isfinite(s.area) || !(up > 0.0))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "its Jacobian at point %d is %g; must be > 0: nodes go round as "
                                 "their slopes do, inner angles are below 180°",
                                 g, up > 0.0 ? s.area : -s.area);
        measures(&s, d->point[g].rest);
        turn_at(&s, layers.x_axis, turn);
        turn_stiffness((const double(*)[6])section, (const double(*)[3])turn, weight * s.area,
                       d->point[g].stiffness);
    }
    return KAI_OK;
}

static void mass(const kai_element_batch* batch, size_t i, double* out)
{
    // Four points each way: products of the shapes are of degree six.
    static const double AT[4] = {-0.86113631159405257522, -0.33998104358485626480,
                                 0.33998104358485626480, 0.86113631159405257522};
    static const double WEIGHT[4] = {0.34785484513745385737, 0.65214515486254614263,
                                     0.65214515486254614263, 0.34785484513745385737};
    const plate_data* d = (const plate_data*)batch->data + i;
    const ancf_plate* p = (const ancf_plate*)batch->instances + i;
    kai_layers_view layers;
    double area, moment;
    kai_layers_read(&p->layers, batch->solids + i * KAI_LAYERS_SOLIDS, &layers);
    kai_layers_mass(&layers, &area, &moment);
    memset(out, 0, SHAPES * SHAPES * sizeof *out);
    for (int g = 0; g < 16; g++) {
        double value[SHAPES], own[SHAPES];
        surface s;
        surface_at(d, d->reference, AT[g % 4], AT[g / 4], &s);
        shapes_at(AT[g % 4], AT[g / 4], value, NULL);
        for (int a = 0; a < NODES; a++) {
            const double *c = d->side[a], *v = value + 3 * a;
            own[3 * a] = v[0];
            own[3 * a + 1] = c[0] * v[1] + c[2] * v[2];
            own[3 * a + 2] = c[1] * v[1] + c[3] * v[2];
        }
        const double m = WEIGHT[g % 4] * WEIGHT[g / 4] * s.area * area;
        for (int a = 0; a < SHAPES; a++)
            for (int b = 0; b < SHAPES; b++) out[SHAPES * a + b] += m * own[a] * own[b];
    }
}

// Forces -----------------------------------------------------------------------------------------

/// Derivatives of the shapes at all points: the same for all elements.
typedef struct shape_table {
    double d[POINTS][TERMS][SHAPES];
} shape_table;

KAI_INLINE void fill_shapes(shape_table* out)
{
    for (int g = 0; g < POINTS; g++) {
        double xi, eta, value[SHAPES];
        gauss_at(g, &xi, &eta);
        shapes_at(xi, eta, value, out->d[g]);
    }
}

/// Adds stiffness h of the derivatives at a point to the rows of shapes, from the diagonal on: rows
/// are filled from a multiple of four.
KAI_INLINE void add_tangent(const double s[TERMS][SHAPES], const double h[15][15],
                            double t[ROWS][ROWS])
{
    double half[15][ROWS];
    for (int r = 0; r < 15; r++)
        for (int i = 0; i < SHAPES; i++)
            for (int k = 0; k < 3; k++) {
                double sum = 0.0;
                for (int q = 0; q < TERMS; q++) sum += s[q][i] * h[r][3 * q + k];
                half[r][3 * i + k] = sum;
            }
    for (int i = 0; i < SHAPES; i++) {
        const double s0 = s[0][i], s1 = s[1][i], s2 = s[2][i], s3 = s[3][i], s4 = s[4][i];
        for (int k = 0; k < 3; k++) {
            double* row = t[3 * i + k];
#pragma omp simd
            for (int c = 3 * i / 4 * 4; c < ROWS; c++)
                row[c] += s0 * half[k][c] + s1 * half[3 + k][c] + s2 * half[6 + k][c] +
                          s3 * half[9 + k][c] + s4 * half[12 + k][c];
        }
    }
}

/// Adds what a point gives to forces on the shapes, and to the tangent.
KAI_INLINE void add_point(const kai_element_batch* batch, const plate_data* d, int g,
                          const double s[TERMS][SHAPES], const double e[SHAPES][3],
                          const double rate[SHAPES][3], double f[SHAPES][3], double t[ROWS][ROWS])
{
    const plate_point* p = &d->point[g];
    double m[6], stress[6] = {0.0}, b[6][15], dd[TERMS][3];
    surface x;
    derivatives(s, e, x.d);
    complete(&x);
    measures(&x, m);
    gradient(&x, b);
    for (int i = 0; i < 6; i++) m[i] -= p->rest[i];
    if (d->damping > 0.0) {
        derivatives(s, rate, dd);
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 15; j++) m[i] += d->damping * b[i][j] * (&dd[0][0])[j];
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) stress[i] += p->stiffness[i][j] * m[j];
    double push[TERMS][3] = {{0.0}};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 15; j++) (&push[0][0])[j] -= b[i][j] * stress[i];
    for (int q = 0; q < TERMS; q++)
        for (int i = 0; i < SHAPES; i++)
            for (int k = 0; k < 3; k++) f[i][k] += s[q][i] * push[q][k];
    if (!t) return;
    // h = weights Bᵀ D B + p Σ stress ∂²m
    const double stiff = batch->position + batch->velocity * d->damping;
    double h[15][15] = {{0.0}};
    for (int i = 0; i < 6; i++) stress[i] *= batch->position;
    add_geometric(&x, stress, h);
    for (int i = 0; i < 6; i++) {
        double db[15] = {0.0};
        for (int j = 0; j < 6; j++)
            for (int c = 0; c < 15; c++) db[c] += stiff * p->stiffness[i][j] * b[j][c];
        for (int r = 0; r < 15; r++)
            for (int c = 0; c < 15; c++) h[r][c] += b[i][r] * db[c];
    }
    add_tangent(s, (const double(*)[15])h, t);
}

KAI_CLONES
static void force(const kai_element_batch* batch)
{
    shape_table shapes;
    fill_shapes(&shapes);
    for (size_t n = 0; n < batch->count; n++) {
        const plate_data* d = (const plate_data*)batch->data + n;
        double e[SHAPES][3], rate[SHAPES][3], f[SHAPES][3] = {{0.0}};
        double t[ROWS][ROWS], turned[ROWS][ROWS];
        to_sides(d->side, batch->q + ROWS * n, e);
        to_sides(d->side, batch->v + ROWS * n, rate);
        if (batch->tangent) memset(t, 0, sizeof t);
        for (int g = 0; g < POINTS; g++)
            add_point(batch, d, g, (const double(*)[SHAPES])shapes.d[g], (const double(*)[3])e,
                      (const double(*)[3])rate, f, batch->tangent ? t : NULL);
        from_sides(d->side, &f[0][0], 1, batch->force + ROWS * n);
        if (!batch->tangent) continue;
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < i; j++) t[i][j] = t[j][i];
        from_sides(d->side, &t[0][0], ROWS, &turned[0][0]);
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < ROWS; j++) t[i][j] = turned[j][i];
        from_sides(d->side, &t[0][0], ROWS, batch->tangent + ROWS * ROWS * n);
    }
}

// The kind ---------------------------------------------------------------------------------------

static double energy(const kai_element_batch* batch, size_t i)
{
    const plate_data* d = (const plate_data*)batch->data + i;
    double sum = 0.0;
    for (int g = 0; g < POINTS; g++) {
        double xi, eta, m[6];
        surface s;
        gauss_at(g, &xi, &eta);
        surface_at(d, batch->q + ROWS * i, xi, eta, &s);
        measures(&s, m);
        for (int a = 0; a < 6; a++) m[a] -= d->point[g].rest[a];
        for (int a = 0; a < 6; a++)
            for (int b = 0; b < 6; b++) sum += 0.5 * m[a] * d->point[g].stiffness[a][b] * m[b];
    }
    return sum;
}

static void sample(const kai_element_batch* batch, size_t i, const double at[3],
                   kai_element_sample* out)
{
    const plate_data* d = (const plate_data*)batch->data + i;
    const ancf_plate* p = (const ancf_plate*)batch->instances + i;
    const double* q = batch->q + ROWS * i;
    kai_layers_view layers;
    surface now, before;
    double m[6], rest[6], turn[3][3], strain[3] = {0.0}, stress[3], own[3];
    double e[SHAPES][3], value[SHAPES], r[3] = {0.0};
    memset(out, 0, sizeof *out);
    kai_layers_read(&p->layers, batch->solids + i * KAI_LAYERS_SOLIDS, &layers);
    surface_at(d, q, at[0], at[1], &now);
    surface_at(d, d->reference, at[0], at[1], &before);
    measures(&now, m);
    measures(&before, rest);
    turn_at(&before, layers.x_axis, turn);
    const double z = layers.half * at[2];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            strain[a] += turn[a][b] * (m[b] - rest[b] + z * (m[3 + b] - rest[3 + b]));
    kai_layers_stress(kai_layers_at(&layers, z), strain, stress, own);
    static const int PLACE[3] = {0, 1, 5};
    for (int k = 0; k < 3; k++) out->strain[PLACE[k]] = own[k], out->stress[PLACE[k]] = stress[k];
    to_sides(d->side, q, e);
    shapes_at(at[0], at[1], value, NULL);
    for (int a = 0; a < SHAPES; a++)
        for (int k = 0; k < 3; k++) r[k] += value[a] * e[a][k];
    out->position = kai_vec3_add(vec3_of(r), kai_vec3_scale(vec3_of(now.n), z));
}

static double half_thickness(const kai_element_batch* batch, size_t i)
{
    return kai_layers_half(&((const ancf_plate*)batch->instances + i)->layers);
}

static const kai_element_face FACES[] = {{4, {0, 1, 2, 3}}};

const kai_element_kind kai_element_ancf_plate = {
    .kind = KAI_KIND(
        "ancf-plate", ancf_plate, PARAMS,
        .doc =
            "Thin plate or shell (Kirchhoff) of four nodes with two slopes each, tangents of its middle surface. It stretches and bends without transverse shear."),
    .nodes = NODES,
    .slopes = 2,
    .solids = KAI_LAYERS_SOLIDS,
    .data_size = sizeof(plate_data),
    .prepare = prepare,
    .mass = mass,
    .force = force,
    .energy = energy,
    .sample = sample,
    .faces = FACES,
    .face_count = KAI_COUNT(FACES),
    .half_thickness = half_thickness,
    .layers = offsetof(ancf_plate, layers)};
