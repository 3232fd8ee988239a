// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Shell of four nodes with a position and a director each, bilinear, that shears and thins: the
// absolute nodal coordinate formulation with assumed natural and enhanced assumed strains
// (Yamashita, Valkeapää, Jayakumar, Sugiyama 2015). fea/elements/ancf_shell.h says how strains are written.
//
// Linear layers go through ancf_shell_linear.c. Others are integrated at each call, here.
#include "fea/elements/ancf_shell.h"

#include "base/error.h"

#include <string.h>

enum { MEASURES = KAI_ANCF_SHELL_MEASURES, MOST = KAI_ANCF_SHELL_MOST, ROWS = 24 };

typedef kai_element_ancf_shell_params ancf_shell;

typedef kai_ancf_shell_data shell_data;

static const kai_param PARAMS[] = {
    KAI_PARAM(
        NODE, ancf_shell, nodes, .columns = 4, .required = true,
        .doc =
            "Its corners, counter-clockwise seen from the side that their slopes point to. The slope of a node is the unit vector through the thickness."),
    KAI_LAYERS_PARAMS(ancf_shell),
    KAI_PARAM(BOOL, ancf_shell, natural_strain, .initial = {1.0},
              .doc =
                  "Assumed natural strains of shear and thickness. Without them thin shells lock."),
    KAI_PARAM(
        BOOL, ancf_shell, enhanced_strain, .initial = {1.0},
        .doc = "Enhanced assumed strains, in plane and of thickness. Without them bending is too "
               "stiff."),
};

// Set-up -----------------------------------------------------------------------------------------

static void shell_of(const ancf_shell* p, const kai_solid_view* solids, kai_ancf_shell* out)
{
    kai_layers_read(&p->layers, solids, &out->layers);
    out->natural = p->natural_strain;
    out->enhanced = p->enhanced_strain;
}

/// The shell of element i, from what prepare() has checked.
static void shell_at(const kai_element_batch* batch, size_t i, kai_ancf_shell* out)
{
    const shell_data* d = (const shell_data*)batch->data + i;
    shell_of((const ancf_shell*)batch->instances + i, batch->solids + i * KAI_LAYERS_SOLIDS, out);
    kai_ancf_shell_init(out, d->reference, NULL);
}

static kai_result prepare(const kai_element_setup* setup, void* data, kai_error* err)
{
    const ancf_shell* p = setup->instance;
    shell_data* d = data;
    kai_ancf_shell shell;
    KAI_TRY(kai_layers_check(&p->layers, setup->solids, err));
    shell_of(p, setup->solids, &shell);
    KAI_TRY(kai_ancf_shell_init(&shell, setup->q, err));
    memset(d, 0, sizeof *d);
    memcpy(d->reference, setup->q, sizeof d->reference);
    memcpy(d->rest, shell.rest, sizeof d->rest);
    kai_ancf_shell_response response;
    if (!kai_ancf_shell_respond(&shell, shell.rest, true, &response))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "one of its solids has no stiffness; must be positive definite");
    d->fast = kai_layers_linear(&shell.layers, &d->damping) && p->natural_strain ? 1.0 : 0.0;
    double* k = d->stiffness;
    for (int i = 0; i < MEASURES; i++)
        for (int j = 0; j <= i; j++) *k++ = response.stiffness[MOST * i + j];
    return KAI_OK;
}

static void mass(const kai_element_batch* batch, size_t i, double* out)
{
    kai_ancf_shell shell;
    shell_at(batch, i, &shell);
    kai_ancf_shell_mass(&shell, out);
}

// Solids of any kind -----------------------------------------------------------------------------

/// Turns 21 rows of the vectors, each `wide` numbers, into 24 rows of the nodes.
static void rows_to_nodes(const double* y, size_t wide, double* out)
{
    for (size_t i = 0; i < ROWS * wide; i++) out[i] = 0.0;
    for (size_t a = 0; a < 4; a++) {
        const double xi = KAI_ANCF_SHELL_XI[a], eta = KAI_ANCF_SHELL_ETA[a];
        const double share[7] = {xi, eta, xi * eta, 1.0, xi, eta, xi * eta};
        for (size_t j = 0; j < 7; j++)
            for (size_t k = 0; k < 3 * wide; k++)
                out[(6 * a + (j < 3 ? 0 : 3)) * wide + k] += 0.25 * share[j] * y[3 * j * wide + k];
    }
}

/// Σ s_m ∂²m/∂y², by the gradient of unit vectors: it is linear.
static void add_geometric(const kai_ancf_shell* shell, const double* s, double by,
                          double out[21][21])
{
    const int count = kai_ancf_shell_count(shell);
    for (int j = 0; j < 7; j++) {
        double unit[7][3] = {{0.0}}, g[MOST][21];
        unit[j][0] = 1.0;
        kai_ancf_shell_gradient(shell, (const double(*)[3])unit, g);
        for (int i = 0; i < 7; i++) {
            double sum = 0.0;
            for (int m = 0; m < count; m++) sum += s[m] * g[m][3 * i];
            for (int k = 0; k < 3; k++) out[3 * i + k][3 * j + k] += by * sum;
        }
    }
}

/// What a batch makes of one element that is integrated.
typedef struct slow {
    kai_ancf_shell shell;
    kai_ancf_shell_response response;
    double y[7][3], rate[7][3];         // vectors, and how fast they change
    double g[MOST][21], dg[MOST][21];   // gradients of both
    double left[MOST][21], sum[21][21]; // (p K + v C) g + p C dg, and with gᵀ before it
} slow;

static void slow_tangent(const kai_element_batch* batch, slow* x, const double* stress, double* t)
{
    const int count = kai_ancf_shell_count(&x->shell);
    const double *k = x->response.stiffness, *c = x->response.damping;
    memset(x->left, 0, sizeof x->left);
    memset(x->sum, 0, sizeof x->sum);
    for (int i = 0; i < count; i++)
        for (int m = 0; m < count; m++) {
            const double stiff =
                             batch->position * k[MOST * i + m] + batch->velocity * c[MOST * i + m],
                         damped = batch->position * c[MOST * i + m];
            for (int j = 0; j < 21; j++) x->left[i][j] += stiff * x->g[m][j] + damped * x->dg[m][j];
        }
    for (int m = 0; m < count; m++)
        for (int i = 0; i < 21; i++)
            for (int j = 0; j < 21; j++) x->sum[i][j] += x->g[m][i] * x->left[m][j];
    add_geometric(&x->shell, stress, batch->position, x->sum);
    for (int i = 0; i < 21; i++)
        for (int j = 0; j < i; j++)
            x->sum[i][j] = x->sum[j][i] = 0.5 * (x->sum[i][j] + x->sum[j][i]);
    double half[ROWS][21], turned[21][ROWS], out[ROWS][ROWS];
    rows_to_nodes(&x->sum[0][0], 21, &half[0][0]);
    for (int i = 0; i < 21; i++)
        for (int j = 0; j < ROWS; j++) turned[i][j] = half[j][i];
    rows_to_nodes(&turned[0][0], ROWS, &out[0][0]);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++) t[ROWS * i + j] = out[j][i];
}

static void slow_force(const kai_element_batch* batch, size_t i)
{
    slow x;
    double m[MOST], stress[MOST], rate[MOST] = {0.0}, fy[21] = {0.0};
    double* f = batch->force + ROWS * i;
    double* t = batch->tangent ? batch->tangent + ROWS * ROWS * i : NULL;
    shell_at(batch, i, &x.shell);
    kai_ancf_shell_vectors(batch->q + ROWS * i, x.y);
    kai_ancf_shell_vectors(batch->v + ROWS * i, x.rate);
    kai_ancf_shell_measure(&x.shell, (const double(*)[3])x.y, m);
    bool damped = false;
    for (int l = 0; l < x.shell.layers.count; l++)
        damped |= kai_solid_view_base(x.shell.layers.ply[l].solid)->damping > 0.0;
    if (!kai_ancf_shell_respond(&x.shell, m, t || damped, &x.response)) {
        for (int k = 0; k < ROWS; k++) f[k] = (double)NAN;
        for (int k = 0; t && k < ROWS * ROWS; k++) t[k] = (double)NAN;
        return;
    }
    kai_ancf_shell_gradient(&x.shell, (const double(*)[3])x.y, x.g);
    kai_ancf_shell_gradient(&x.shell, (const double(*)[3])x.rate, x.dg);
    const int count = kai_ancf_shell_count(&x.shell);
    for (int k = 0; k < count; k++)
        for (int j = 0; j < 21; j++) rate[k] += x.g[k][j] * (&x.rate[0][0])[j];
    for (int k = 0; k < count; k++) {
        stress[k] = x.response.stress[k];
        for (int j = 0; j < count; j++) stress[k] += x.response.damping[MOST * k + j] * rate[j];
        for (int j = 0; j < 21; j++) fy[j] -= x.g[k][j] * stress[k];
    }
    rows_to_nodes(fy, 1, f);
    if (t) slow_tangent(batch, &x, stress, t);
}

// The kind ---------------------------------------------------------------------------------------

static void force(const kai_element_batch* batch)
{
    const shell_data* d = batch->data;
    for (size_t i = 0, end; i < batch->count; i = end) {
        for (end = i; end < batch->count && d[end].fast != 0.0;) end++;
        if (end > i)
            kai_ancf_shell_linear_force(batch, i, end);
        else
            slow_force(batch, end++);
    }
}

static double energy(const kai_element_batch* batch, size_t i)
{
    const shell_data* d = (const shell_data*)batch->data + i;
    kai_ancf_shell shell;
    kai_ancf_shell_response response;
    double y[7][3], m[MOST];
    shell_at(batch, i, &shell);
    kai_ancf_shell_vectors(batch->q + ROWS * i, y);
    kai_ancf_shell_measure(&shell, (const double(*)[3])y, m);
    if (d->fast != 0.0) return kai_ancf_shell_stored(d, m);
    return kai_ancf_shell_respond(&shell, m, false, &response) ? response.energy : (double)NAN;
}

static void sample(const kai_element_batch* batch, size_t i, const double at[3],
                   kai_element_sample* out)
{
    const double* q = batch->q + ROWS * i;
    kai_ancf_shell shell;
    double y[7][3], m[MOST];
    memset(out, 0, sizeof *out);
    shell_at(batch, i, &shell);
    kai_ancf_shell_vectors(q, y);
    kai_ancf_shell_measure(&shell, (const double(*)[3])y, m);
    if (!kai_ancf_shell_sample(&shell, m, at, out))
        for (int k = 0; k < 6; k++) out->strain[k] = out->stress[k] = (double)NAN;
    out->position = kai_ancf_shell_place(q, shell.layers.half, at);
}

static double half_thickness(const kai_element_batch* batch, size_t i)
{
    return kai_layers_half(&((const ancf_shell*)batch->instances + i)->layers);
}

static const kai_element_face FACES[] = {{4, {0, 1, 2, 3}}};

const kai_element_kind kai_element_ancf_shell = {
    .kind = KAI_KIND(
        "ancf-shell", ancf_shell, PARAMS,
        .doc =
            "Shell of four nodes with one slope each, the director through its thickness. It bends, shears and changes thickness, may be curved, and may have layers."),
    .nodes = 4,
    .slopes = 1,
    .solids = KAI_LAYERS_SOLIDS,
    .data_size = sizeof(shell_data),
    .prepare = prepare,
    .mass = mass,
    .force = force,
    .energy = energy,
    .sample = sample,
    .faces = FACES,
    .face_count = KAI_COUNT(FACES),
    .half_thickness = half_thickness,
    .layers = offsetof(ancf_shell, layers)};
