// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Shell of four bodies, each with a rotation (Reissner and Mindlin): a director is fixed to every
// body, d = R D, and cannot change its length. Strains are those of the shell with directors
// (fea/elements/ancf_shell.h: assumed natural shear, enhanced strains in plane), whose thickness goes where
// there is no stress across.
//
// Turning a node about its director changes no strain. A weak spring ties it to how the middle
// surface turns there: ½ k δ², δ = t₁ · x,₂ - t₂ · x,₁ with t₁ and t₂ fixed to the body. It must be
// weak: where the shell is curved, a turn about the normal of one element bends its neighbour. At
// 0.01 of the shear stiffness a pinched hemisphere of 8 × 8 is 15 % too stiff, at 1e-4 0.3 %.
//
// Flops an element: those of ancf_shell_linear.c, and 1 k; with tangent 8 k. 3.9 kB of data.
#include "base/error.h"
#include "base/simd.h"
#include "fea/elements/ancf_shell.h"
#include "math/dense.h"

#include <string.h>

enum { NODES = 4, ROWS = 24, MEASURES = KAI_ANCF_SHELL_MEASURES, MOST = KAI_ANCF_SHELL_MOST };
enum { THICKNESS = 22 }; // the first measure of thickness

/// An instance.
typedef struct reissner_shell {
    kai_element_reissner_shell_params given;
    double reference[28]; // frames of its nodes without deformation
} reissner_shell;

/// What is fixed to a body, in its axes.
typedef struct shell_corner {
    double director[3];
    double along[2][3]; // δ = along[0] · r,ξ + along[1] · r,η
    double spring;      // k, N m
} shell_corner;

typedef struct shell_data {
    kai_ancf_shell_data shell; // K without thickness
    shell_corner corner[NODES];
} shell_data;

static const char* const DIRECTORS[] = {"element", "frame", "automatic", NULL};

static const double NEAR = 0.985; // cosine of 10°

static const kai_param PARAMS[] = {
    KAI_PARAM(BODY, kai_element_reissner_shell_params, nodes, .columns = NODES, .required = true,
              .doc = "Bodies at its corners, counter-clockwise seen from the top."),
    KAI_LAYERS_PARAMS(kai_element_reissner_shell_params),
    KAI_PARAM(
        ENUM, kai_element_reissner_shell_params, director, .words = DIRECTORS, .initial = {2},
        .doc =
            "Director at a node: the normal of this element there, or the z axis of the body's frame, which neighbours then share. Automatic: the frame's z axis where it is within 10 degrees of the normal, as structures make it."),
    KAI_PARAM(
        REAL, kai_element_reissner_shell_params, drilling, .initial = {1e-4},
        .range = KAI_ABOVE(0.0),
        .doc =
            "Drilling stiffness: ties rotations of a node about the director to the surface, as a fraction of the in-plane shear stiffness."),
    KAI_PARAM(REAL, reissner_shell, reference, .columns = 7 * NODES, .hidden = true),
};

// Vectors ----------------------------------------------------------------------------------------

KAI_INLINE void cross(const double* a, const double* b, double* out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/// Axes of a body: R of its quaternion.
KAI_INLINE void axes_of(const double* q, double r[3][3])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    r[0][0] = 1.0 - 2.0 * (y * y + z * z), r[0][1] = 2.0 * (x * y - w * z);
    r[0][2] = 2.0 * (x * z + w * y), r[1][0] = 2.0 * (x * y + w * z);
    r[1][1] = 1.0 - 2.0 * (x * x + z * z), r[1][2] = 2.0 * (y * z - w * x);
    r[2][0] = 2.0 * (x * z - w * y), r[2][1] = 2.0 * (y * z + w * x);
    r[2][2] = 1.0 - 2.0 * (x * x + y * y);
}

KAI_INLINE void turn(const double r[3][3], const double* v, double* out)
{
    for (int i = 0; i < 3; i++) out[i] = r[i][0] * v[0] + r[i][1] * v[1] + r[i][2] * v[2];
}

static void turn_back(const double r[3][3], kai_vec3 v, double* out)
{
    for (int i = 0; i < 3; i++) out[i] = r[0][i] * v.x + r[1][i] * v.y + r[2][i] * v.z;
}

/// The nodes whose halved difference is r,ξ (first two) and r,η at each corner.
static const int SIDE[NODES][4] = {{0, 1, 0, 3}, {0, 1, 1, 2}, {3, 2, 1, 2}, {3, 2, 0, 3}};

/// r,ξ and r,η at a corner of coordinates or velocities that are `step` numbers apart.
KAI_INLINE void sides_at(const double* x, int step, int a, double out[2][3])
{
    for (int g = 0; g < 2; g++)
        for (int k = 0; k < 3; k++)
            out[g][k] = 0.5 * (x[step * SIDE[a][2 * g + 1] + k] - x[step * SIDE[a][2 * g] + k]);
}

/// An element as the shell with directors sees it.
typedef struct directed {
    double q[ROWS], v[ROWS];
    double along[NODES][2][3]; // in world axes
} directed;

KAI_INLINE void direct(const shell_data* d, const double* q, const double* v, directed* out)
{
    for (int a = 0; a < NODES; a++) {
        double r[3][3], *x = out->q + 6 * a, *rate = out->v + 6 * a;
        axes_of(q + 7 * a + 3, r);
        for (int k = 0; k < 3; k++) x[k] = q[7 * a + k], rate[k] = v[6 * a + k];
        turn((const double(*)[3])r, d->corner[a].director, x + 3);
        cross(v + 6 * a + 3, x + 3, rate + 3);
        for (int g = 0; g < 2; g++)
            turn((const double(*)[3])r, d->corner[a].along[g], out->along[a][g]);
    }
}

// Set-up -----------------------------------------------------------------------------------------

static kai_vec3 vec3_of(const double* x) { return kai_vec3_make(x[0], x[1], x[2]); }

/// Eliminates measures of thickness: they go where their stress is zero. `relax` [4][22] gives them
/// of the others; NULL: not wanted.
static bool relax_thickness(double k[MOST * MOST], double relax[4][THICKNESS])
{
    double m[4][4 + THICKNESS];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4 + THICKNESS; j++)
            m[i][j] = k[MOST * (THICKNESS + i) + (j < 4 ? THICKNESS + j : j - 4)];
    if (!kai_dense_reduce(4, 4 + THICKNESS, &m[0][0], 4 + THICKNESS)) return false;
    for (int i = 0; i < THICKNESS; i++)
        for (int j = 0; j < THICKNESS; j++)
            for (int p = 0; p < 4; p++)
                k[MOST * i + j] -= k[MOST * i + THICKNESS + p] * m[p][4 + j];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < THICKNESS; j++) relax[i][j] = -m[i][4 + j];
    return true;
}

/// Directors, and what measures drilling.
static kai_result find_corners(const reissner_shell* p, const double* q, double shear, double* flat,
                               shell_corner* out, kai_error* err)
{
    for (int a = 0; a < NODES; a++) {
        double g[2][3], r[3][3];
        sides_at(q, 7, a, g);
        axes_of(q + 7 * a + 3, r);
        const kai_vec3 x = vec3_of(g[0]), y = vec3_of(g[1]), n = kai_vec3_cross(x, y);
        const double area = kai_vec3_norm(n);
        if (!(area > 0.0) || !isfinite(area))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "its Jacobian at node %d is %g; must be > 0: no two nodes at one "
                                 "place, inner angles below 180°",
                                 a, area);
        const kai_vec3 up = kai_vec3_scale(n, 1.0 / area);
        const kai_vec3 own = kai_vec3_make(r[0][2], r[1][2], r[2][2]);
        const bool shared =
            p->given.director == 1 || (p->given.director == 2 && kai_vec3_dot(own, up) > NEAR);
        const kai_vec3 d = shared ? own : up;
        turn_back((const double(*)[3])r, d, out[a].director);
        for (int k = 0; k < 3; k++) flat[6 * a + k] = q[7 * a + k];
        flat[6 * a + 3] = d.x, flat[6 * a + 4] = d.y, flat[6 * a + 5] = d.z;
        // t₁ along r,ξ: x,₁ = r,ξ / |r,ξ|, and x,₂ = (r,η - (r,η · t₁) x,₁) / (r,η · t₂).
        const kai_vec3 t1 = kai_vec3_normalize(x), t2 = kai_vec3_cross(up, t1);
        const double l = kai_vec3_norm(x), s = kai_vec3_dot(y, t1), h = kai_vec3_dot(y, t2);
        const kai_vec3 u =
            kai_vec3_add(kai_vec3_scale(t2, -1.0 / l), kai_vec3_scale(t1, -s / (l * h)));
        turn_back((const double(*)[3])r, u, out[a].along[0]);
        turn_back((const double(*)[3])r, kai_vec3_scale(t1, 1.0 / h), out[a].along[1]);
        out[a].spring = p->given.drilling * shear * area;
    }
    return KAI_OK;
}

static void shell_of(const reissner_shell* p, const kai_solid_view* solids, kai_ancf_shell* out)
{
    kai_layers_read(&p->given.layers, solids, &out->layers);
    out->natural = out->enhanced = true;
}

static kai_result prepare(const kai_element_setup* setup, void* data, kai_error* err)
{
    const reissner_shell* p = setup->instance;
    shell_data* d = data;
    kai_ancf_shell shell;
    kai_ancf_shell_response response;
    double section[6][6], relax[4][THICKNESS];
    memset(d, 0, sizeof *d);
    KAI_TRY(kai_layers_check(&p->given.layers, setup->solids, err));
    shell_of(p, setup->solids, &shell);
    if (!kai_layers_linear(&shell.layers, &d->shell.damping))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "its layers must be of linear solids (elastic, orthotropic) with the "
                             "same damping; ancf-shell takes others");
    if (!kai_layers_plane(&shell.layers, section))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "one of its solids has no stiffness; must be positive definite");
    KAI_TRY(find_corners(p, setup->q, section[2][2], d->shell.reference, d->corner, err));
    KAI_TRY(kai_ancf_shell_init(&shell, d->shell.reference, err));
    if (!kai_ancf_shell_respond(&shell, shell.rest, true, &response) ||
        !relax_thickness(response.stiffness, relax))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "one of its solids has no stiffness; must be positive definite");
    memcpy(d->shell.rest, shell.rest, sizeof d->shell.rest);
    double* k = d->shell.stiffness;
    for (int i = 0; i < MEASURES; i++)
        for (int j = 0; j <= i; j++) *k++ = i < THICKNESS ? response.stiffness[MOST * i + j] : 0.0;
    return KAI_OK;
}

static void lump(const kai_element_batch* batch, size_t i, kai_element_lump* out)
{
    const shell_data* d = (const shell_data*)batch->data + i;
    kai_ancf_shell shell;
    double m[64], mass, moment;
    shell_of((const reissner_shell*)batch->instances + i, batch->solids + i * KAI_LAYERS_SOLIDS,
             &shell);
    kai_ancf_shell_init(&shell, d->shell.reference, NULL);
    kai_ancf_shell_mass(&shell, m);
    kai_layers_mass(&shell.layers, &mass, &moment);
    for (int a = 0; a < NODES; a++) {
        double sum = 0.0;
        for (int b = 0; b < NODES; b++) sum += m[8 * (2 * a) + 2 * b];
        // The same about all axes: the inertia of a body must not depend on how it has turned.
        const double inertia = sum * moment / mass;
        out[a].mass = sum;
        out[a].inertia = (kai_inertia){inertia, inertia, inertia, 0.0, 0.0, 0.0};
    }
}

// Forces -----------------------------------------------------------------------------------------

/// out += by · [u]× of a 3 × 3 block.
KAI_INLINE void add_skew(double* out, const double* u, double by)
{
    out[1] -= by * u[2], out[2] += by * u[1];
    out[ROWS] += by * u[2], out[ROWS + 2] -= by * u[0];
    out[2 * ROWS] -= by * u[1], out[2 * ROWS + 1] += by * u[0];
}

/// Rows and columns of a director turned into those of a rotation, δd = δθ × d, and what forces on
/// directors do when these turn: (d · f) 1 - d fᵀ.
KAI_INLINE void turn_tangent(const directed* x, const double* force, double position, double* t)
{
    for (int a = 0; a < NODES; a++) {
        const double* d = x->q + 6 * a + 3;
        double* rows = t + (6 * a + 3) * ROWS;
        for (int c = 0; c < ROWS; c++) {
            const double v[3] = {rows[c], rows[ROWS + c], rows[2 * ROWS + c]};
            double r[3];
            cross(d, v, r);
            rows[c] = r[0], rows[ROWS + c] = r[1], rows[2 * ROWS + c] = r[2];
        }
    }
    for (int a = 0; a < NODES; a++) {
        const double *d = x->q + 6 * a + 3, *f = force + 6 * a + 3;
        for (int r = 0; r < ROWS; r++) {
            double* v = t + r * ROWS + 6 * a + 3;
            double out[3];
            cross(d, v, out);
            v[0] = out[0], v[1] = out[1], v[2] = out[2];
        }
        const double df = d[0] * f[0] + d[1] * f[1] + d[2] * f[2];
        double* block = t + (6 * a + 3) * ROWS + 6 * a + 3;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                block[i * ROWS + j] += position * ((i == j ? df : 0.0) - d[i] * f[j]);
    }
}

/// The spring of one corner: force, and tangent where t is given.
KAI_INLINE void add_drilling(const kai_element_batch* batch, const shell_data* d, const directed* x,
                             const double* v, int a, double* f, double* t)
{
    double g[2][3], rate[2][3], slope[ROWS] = {0.0}, turned[3];
    double value = 0.0, speed = 0.0;
    sides_at(x->q, 6, a, g);
    sides_at(x->v, 6, a, rate);
    for (int s = 0; s < 2; s++) {
        const double* u = x->along[a][s];
        value += u[0] * g[s][0] + u[1] * g[s][1] + u[2] * g[s][2];
        speed += u[0] * rate[s][0] + u[1] * rate[s][1] + u[2] * rate[s][2];
        cross(u, g[s], turned);
        for (int k = 0; k < 3; k++) {
            slope[6 * a + 3 + k] += turned[k];
            slope[6 * SIDE[a][2 * s] + k] -= 0.5 * u[k];
            slope[6 * SIDE[a][2 * s + 1] + k] += 0.5 * u[k];
            speed += turned[k] * v[6 * a + 3 + k];
        }
    }
    const double k = d->corner[a].spring;
    const double moment = k * (value + d->shell.damping * speed);
    for (int i = 0; i < ROWS; i++) f[i] -= moment * slope[i];
    if (!t) return;
    const double stiff = (batch->position + batch->velocity * d->shell.damping) * k;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++) t[i * ROWS + j] += stiff * slope[i] * slope[j];
    const double p = batch->position * moment;
    double* own = t + (6 * a + 3) * ROWS + 6 * a + 3;
    for (int s = 0; s < 2; s++) {
        const double* u = x->along[a][s];
        const double ug = u[0] * g[s][0] + u[1] * g[s][1] + u[2] * g[s][2];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                own[i * ROWS + j] +=
                    p * (0.5 * (u[i] * g[s][j] + g[s][i] * u[j]) - (i == j ? ug : 0.0));
        for (int end = 0; end < 2; end++) {
            // δg · (δθ × u) = -δg · [u]× δθ
            const double half = end ? 0.5 * p : -0.5 * p;
            const int row = 6 * SIDE[a][2 * s + end], column = 6 * a + 3;
            add_skew(t + row * ROWS + column, u, -half);
            add_skew(t + column * ROWS + row, u, half);
        }
    }
}

KAI_CLONES
static void force(const kai_element_batch* batch)
{
    for (size_t n = 0; n < batch->count; n++) {
        const shell_data* d = (const shell_data*)batch->data + n;
        const double* v = batch->v + ROWS * n;
        double *f = batch->force + ROWS * n, pull[ROWS];
        double* t = batch->tangent ? batch->tangent + ROWS * ROWS * n : NULL;
        directed x;
        direct(d, batch->q + 7 * NODES * n, v, &x);
        const kai_element_batch shell = {.data = &d->shell,
                                         .count = 1,
                                         .q = x.q,
                                         .v = x.v,
                                         .position = batch->position,
                                         .velocity = batch->velocity,
                                         .force = pull,
                                         .tangent = t};
        kai_ancf_shell_linear_force(&shell, 0, 1);
        if (t) turn_tangent(&x, pull, batch->position, t);
        for (int a = 0; a < NODES; a++) {
            memcpy(f + 6 * a, pull + 6 * a, 3 * sizeof *f);
            cross(x.q + 6 * a + 3, pull + 6 * a + 3, f + 6 * a + 3);
        }
        for (int a = 0; a < NODES; a++) add_drilling(batch, d, &x, v, a, f, t);
    }
}

// The kind ---------------------------------------------------------------------------------------

/// The shell with directors of element i, and its measures; thickness as it wants to be.
static void measure(const kai_element_batch* batch, size_t i, kai_ancf_shell* shell, directed* x,
                    double m[MOST])
{
    const shell_data* d = (const shell_data*)batch->data + i;
    static const double STILL[ROWS] = {0.0};
    double y[7][3];
    shell_of((const reissner_shell*)batch->instances + i, batch->solids + i * KAI_LAYERS_SOLIDS,
             shell);
    kai_ancf_shell_init(shell, d->shell.reference, NULL);
    direct(d, batch->q + 7 * NODES * i, STILL, x);
    kai_ancf_shell_vectors(x->q, y);
    kai_ancf_shell_measure(shell, (const double(*)[3])y, m);
}

static double energy(const kai_element_batch* batch, size_t i)
{
    const shell_data* d = (const shell_data*)batch->data + i;
    kai_ancf_shell shell;
    directed x;
    double m[MOST];
    measure(batch, i, &shell, &x, m);
    double sum = kai_ancf_shell_stored(&d->shell, m);
    for (int a = 0; a < NODES; a++) {
        double g[2][3], value = 0.0;
        sides_at(x.q, 6, a, g);
        for (int s = 0; s < 2; s++) value += kai_ancf_shell_dot(x.along[a][s], g[s]);
        sum += 0.5 * d->corner[a].spring * value * value;
    }
    return sum;
}

static void sample(const kai_element_batch* batch, size_t i, const double at[3],
                   kai_element_sample* out)
{
    kai_ancf_shell shell;
    kai_ancf_shell_response response;
    directed x;
    double m[MOST], relax[4][THICKNESS] = {{0.0}};
    memset(out, 0, sizeof *out);
    measure(batch, i, &shell, &x, m);
    kai_ancf_shell_respond(&shell, shell.rest, true, &response);
    relax_thickness(response.stiffness, relax);
    for (int a = 0; a < 4; a++) {
        m[THICKNESS + a] = shell.rest[THICKNESS + a];
        for (int k = 0; k < THICKNESS; k++)
            m[THICKNESS + a] += relax[a][k] * (m[k] - shell.rest[k]);
    }
    kai_ancf_shell_sample(&shell, m, at, out);
    out->position = kai_ancf_shell_place(x.q, shell.layers.half, at);
}

static double half_thickness(const kai_element_batch* batch, size_t i)
{
    return kai_layers_half(&((const reissner_shell*)batch->instances + i)->given.layers);
}

static const kai_element_face FACES[] = {{4, {0, 1, 2, 3}}};

const kai_element_kind kai_element_reissner_shell = {
    .kind = KAI_KIND(
        "reissner-shell", reissner_shell, PARAMS,
        .given = sizeof(kai_element_reissner_shell_params),
        .doc = "Shell of four bodies. It stretches, bends and shears; the mass of its layers "
               "is added to the bodies."),
    .nodes = NODES,
    .slopes = KAI_ELEMENT_FRAMES,
    .solids = KAI_LAYERS_SOLIDS,
    .data_size = sizeof(shell_data),
    .reference = offsetof(reissner_shell, reference),
    .prepare = prepare,
    .lump = lump,
    .force = force,
    .energy = energy,
    .sample = sample,
    .faces = FACES,
    .face_count = KAI_COUNT(FACES),
    .half_thickness = half_thickness,
    .layers = offsetof(kai_element_reissner_shell_params, layers)};
