// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Shells of linear layers: forces and tangents from the constant matrix K of the measures, whose
// lower triangle lies by rows. Vectors run along measures or along unknowns of one element. Include
// it after `#pragma GCC target`.
//
// Flops an element, however many layers: measures 210, K m 1,350, forces 500: 2.1 k. With tangent:
// K B 32 k (dense, B has 204 entries of 624), Bᵀ (K B) 9.8 k, back to nodes 3.2 k: 47 k. Bytes
// read: 3.2 k of data, 0.4 k of state; written: 0.2 k of forces and 4.6 k of tangent.
#ifndef FEA_ANCF_SHELL_LOOPS_H
#define FEA_ANCF_SHELL_LOOPS_H

#include "base/wide.h"
#include "fea/elements/ancf_shell.h"

#include <string.h>

enum { VECTORS = 7, MEASURES = KAI_ANCF_SHELL_MEASURES, ROWS = 24 };
enum { PADDED = 32, CHUNKS = ROWS / WIDE }; // a row of measures, and one of unknowns
enum { GROUP = WIDE == 8 ? 3 : 2 };         // chunks of a row that fit the registers together

// Measures that hold vector j, and where those of j begin: 68 products of a measure and a vector.
enum { PRODUCTS = 68 };
static const uint8_t BEGIN[VECTORS + 1] = {0, 8, 16, 26, 34, 46, 58, 68};
static const uint8_t MEASURE[PRODUCTS] = {
    0,  2,  3,  6,  8,  9,  18, 19,                 // a₁
    1,  2,  4,  7,  8,  10, 20, 21,                 // a₂
    3,  4,  5,  9,  10, 11, 18, 19, 20, 21,         // b
    18, 19, 20, 21, 22, 23, 24, 25,                 // c₀
    6,  8,  9,  12, 14, 15, 20, 21, 22, 23, 24, 25, // c₁
    7,  8,  10, 13, 14, 16, 18, 19, 22, 23, 24, 25, // c₂
    9,  10, 11, 15, 16, 17, 22, 23, 24, 25,         // e
};

/// Sums that stand in shear and thickness: u_k and w_k at the sides, d_a at the nodes.
typedef struct ends {
    double u[4][3], w[4][3], d[4][3];
} ends;

KAI_INLINE void find_ends(const double y[7][3], ends* out)
{
    for (int k = 0; k < 3; k++) {
        const double a1 = y[0][k], a2 = y[1][k], b = y[2][k];
        const double c0 = y[3][k], c1 = y[4][k], c2 = y[5][k], e = y[6][k];
        out->u[0][k] = a1 - b, out->u[1][k] = a1 + b, out->u[2][k] = a2 - b, out->u[3][k] = a2 + b;
        out->w[0][k] = c0 - c2, out->w[1][k] = c0 + c2;
        out->w[2][k] = c0 - c1, out->w[3][k] = c0 + c1;
        out->d[0][k] = (c0 - c1) - (c2 - e), out->d[1][k] = (c0 + c1) - (c2 + e);
        out->d[2][k] = (c0 + c1) + (c2 + e), out->d[3][k] = (c0 - c1) + (c2 - e);
    }
}

KAI_INLINE void find_measures(const double y[7][3], const ends* x, double* m)
{
    kai_ancf_shell_plane(y, m);
    for (int k = 0; k < 4; k++) {
        m[18 + k] = kai_ancf_shell_dot(x->u[k], x->w[k]);
        m[22 + k] = kai_ancf_shell_dot(x->d[k], x->d[k]);
    }
}

/// Derivatives of the measures, one for each product in the order of MEASURE.
KAI_INLINE void find_gradient(const double y[7][3], const ends* x, double g[PRODUCTS][3])
{
    for (int k = 0; k < 3; k++) {
        const double a1 = y[0][k], a2 = y[1][k], b = y[2][k];
        const double c1 = y[4][k], c2 = y[5][k], e = y[6][k];
        const double *u = &x->u[0][k], *w = &x->w[0][k], *d = &x->d[0][k];
        const double d0 = 2.0 * d[0], d1 = 2.0 * d[3], d2 = 2.0 * d[6], d3 = 2.0 * d[9];
        const double all[PRODUCTS] = {
            2.0 * a1, a2,   b,       c1,       c2, e,       w[0],  w[3],              // a₁
            2.0 * a2, a1,   b,       c2,       c1, e,       w[6],  w[9],              // a₂
            a1,       a2,   2.0 * b, c1,       c2, e,       -w[0], w[3], -w[6], w[9], // b
            u[0],     u[3], u[6],    u[9],     d0, d1,      d2,    d3,                // c₀
            a1,       a2,   b,       2.0 * c1, c2, e,       -u[6], u[9], -d0,   d1,   d2, -d3, // c₁
            a2,       a1,   b,       2.0 * c2, c1, e,       -u[0], u[3], -d0,   -d1,  d2, d3, // c₂
            a1,       a2,   b,       c1,       c2, 2.0 * e, d0,    -d1,  d2,    -d3,          // e
        };
        for (int n = 0; n < PRODUCTS; n++) g[n][k] = all[n];
    }
}

KAI_INLINE wide load(const double* x)
{
    wide v;
    memcpy(&v, x, sizeof v);
    return v;
}

KAI_INLINE void store(double* x, wide v) { memcpy(x, &v, sizeof v); }

KAI_INLINE double sum_of(wide v)
{
    double sum = v[0];
    for (int l = 1; l < WIDE; l++) sum += v[l];
    return sum;
}

/// s = K m by rows from the last to the first. A row is read in whole vectors: what lies beyond its
/// end meets zeros in m, and places in the sum that are done.
KAI_INLINE void multiply(const double* k, const double* m, double* s)
{
    double open[PADDED] = {0.0}, rest[PADDED] = {0.0};
    memcpy(rest, m, MEASURES * sizeof *m);
    for (int i = MEASURES - 1; i >= 0; i--) {
        const double* row = k + i * (i + 1) / 2;
        wide dot = {0.0};
        s[i] = open[i];
        for (int c = 0; c <= i; c += WIDE) {
            const wide part = load(row + c);
            dot += part * load(rest + c);
            store(open + c, load(open + c) + m[i] * part);
        }
        s[i] += sum_of(dot);
        rest[i] = 0.0;
    }
}

/// Adds by[r] times a part of a row to four sums.
KAI_INLINE void add_part(wide sum[4][GROUP], const double* b, double by0, double by1, double by2,
                         double by3)
{
    for (int g = 0; g < GROUP; g++) {
        const wide part = load(b + g * WIDE);
        sum[0][g] += by0 * part;
        sum[1][g] += by1 * part;
        sum[2][g] += by2 * part;
        sum[3][g] += by3 * part;
    }
}

/// Number (i, j) of K, whose upper triangle is not kept.
KAI_INLINE double entry(const double* k, int i, int j)
{
    return i > j ? k[i * (i + 1) / 2 + j] : k[j * (j + 1) / 2 + i];
}

/// out = K b, four rows at a time; the last four begin at row 22 and do two of them again.
KAI_INLINE void multiply_rows(const double* k, const double b[MEASURES][ROWS],
                              double out[MEASURES][ROWS])
{
    for (int block = 0; block < 7; block++) {
        const int i = block < 6 ? 4 * block : MEASURES - 4;
        const double *k0 = k + i * (i + 1) / 2, *k1 = k0 + i + 1, *k2 = k1 + i + 2,
                     *k3 = k2 + i + 3;
        for (int c = 0; c < ROWS; c += GROUP * WIDE) {
            wide sum[4][GROUP];
            memset(sum, 0, sizeof sum);
            for (int m = 0; m < i; m++) add_part(sum, &b[m][c], k0[m], k1[m], k2[m], k3[m]);
            for (int m = i; m < i + 4; m++)
                add_part(sum, &b[m][c], entry(k, i, m), entry(k, i + 1, m), entry(k, i + 2, m),
                         entry(k, i + 3, m));
            const double* row = k3 + i + 4 + i;
            for (int m = i + 4; m < MEASURES; row += ++m)
                add_part(sum, &b[m][c], row[0], row[1], row[2], row[3]);
            for (int r = 0; r < 4; r++)
                for (int g = 0; g < GROUP; g++) store(&out[i + r][c + g * WIDE], sum[r][g]);
        }
    }
}

/// out[3 j + k] = Σ g[n][k] rows[MEASURE[n]] over the products n of vector j.
KAI_INLINE void gather(const double g[PRODUCTS][3], const double rows[MEASURES][ROWS],
                       double out[21][ROWS])
{
    for (int j = 0; j < VECTORS; j++)
        for (int c = 0; c < CHUNKS; c += GROUP) {
            wide sum[3][GROUP];
            memset(sum, 0, sizeof sum);
            for (int n = BEGIN[j]; n < BEGIN[j + 1]; n++)
                for (int q = 0; q < GROUP; q++) {
                    const wide part = load(&rows[MEASURE[n]][(c + q) * WIDE]);
                    for (int k = 0; k < 3; k++) sum[k][q] += g[n][k] * part;
                }
            for (int k = 0; k < 3; k++)
                for (int q = 0; q < GROUP; q++) store(&out[3 * j + k][(c + q) * WIDE], sum[k][q]);
        }
}

/// Rows of the vectors turned into rows of the nodes.
KAI_INLINE void to_nodes(const double y[21][ROWS], double* out)
{
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < ROWS; c += WIDE) {
            wide x[VECTORS];
            for (int j = 0; j < VECTORS; j++) x[j] = 0.25 * load(&y[3 * j + k][c]);
            double* o = out + k * ROWS + c;
            const wide sum = x[0] + x[1], apart = x[0] - x[1];
            store(o, x[2] - sum), store(o + 6 * ROWS, apart - x[2]);
            store(o + 12 * ROWS, sum + x[2]), store(o + 18 * ROWS, -apart - x[2]);
            const wide up = x[3] + x[4], down = x[3] - x[4], same = x[5] + x[6],
                       other = x[5] - x[6];
            o += 3 * ROWS;
            store(o, down - other), store(o + 6 * ROWS, up - same);
            store(o + 12 * ROWS, up + same), store(o + 18 * ROWS, down + other);
        }
}

/// The same of one number a row.
KAI_INLINE void force_to_nodes(const double y[21], double* out)
{
    for (int k = 0; k < 3; k++) {
        double x[VECTORS];
        for (int j = 0; j < VECTORS; j++) x[j] = 0.25 * y[3 * j + k];
        const double sum = x[0] + x[1], apart = x[0] - x[1];
        out[k] = x[2] - sum, out[6 + k] = apart - x[2];
        out[12 + k] = sum + x[2], out[18 + k] = -apart - x[2];
        const double up = x[3] + x[4], down = x[3] - x[4], same = x[5] + x[6], other = x[5] - x[6];
        out[3 + k] = down - other, out[9 + k] = up - same;
        out[15 + k] = up + same, out[21 + k] = down + other;
    }
}

/// Σ s_m ∂²m/∂y²: the same number for x, y and z of a pair of vectors.
KAI_INLINE void geometric(const double* s, double g[VECTORS][VECTORS])
{
    const double shear[4] = {s[19] + s[18], s[19] - s[18], s[21] + s[20], s[21] - s[20]};
    const double all = 2.0 * (s[22] + s[23] + s[24] + s[25]);
    const double xi = 2.0 * (s[23] + s[24] - s[22] - s[25]);
    const double eta = 2.0 * (s[24] + s[25] - s[22] - s[23]);
    const double both = 2.0 * (s[22] + s[24] - s[23] - s[25]);
    const double upper[28] = {2.0 * s[0],
                              s[2],
                              s[3],
                              shear[0],
                              s[6],
                              s[8] + shear[1],
                              s[9], // a₁
                              2.0 * s[1],
                              s[4],
                              shear[2],
                              s[8] + shear[3],
                              s[7],
                              s[10], // a₂
                              2.0 * s[5],
                              shear[1] + shear[3],
                              s[9] + shear[2],
                              s[10] + shear[0],
                              s[11], // b
                              all,
                              xi,
                              eta,
                              both, // c₀
                              2.0 * s[12] + all,
                              s[14] + both,
                              s[15] + eta, // c₁
                              2.0 * s[13] + all,
                              s[16] + xi,         // c₂
                              2.0 * s[17] + all}; // e
    const double* u = upper;
    for (int i = 0; i < VECTORS; i++)
        for (int j = i; j < VECTORS; j++) g[i][j] = g[j][i] = *u++;
}

/// The symmetric part of T = Bᵀ K B' + p Σ s ∂²m/∂y², where B' belongs to (p + v β) y + p β ẏ.
KAI_INLINE void write_tangent(const kai_element_batch* batch, const kai_ancf_shell_data* d,
                              const double y[7][3], const double rate[7][3],
                              const double g[PRODUCTS][3], const double* s, double* out)
{
    const double p = batch->position, stiff = p + batch->velocity * d->damping;
    const double damp = p * d->damping;
    double mixed[VECTORS][3], gm[PRODUCTS][3], geo[VECTORS][VECTORS];
    double b[MEASURES][ROWS], kb[MEASURES][ROWS], t[21][ROWS], nodes[ROWS][ROWS];
    ends x;
    for (int j = 0; j < VECTORS; j++)
        for (int k = 0; k < 3; k++) mixed[j][k] = stiff * y[j][k] + damp * rate[j][k];
    find_ends((const double(*)[3])mixed, &x);
    find_gradient((const double(*)[3])mixed, &x, gm);
    memset(b, 0, sizeof b);
    for (int j = 0; j < VECTORS; j++)
        for (int n = BEGIN[j]; n < BEGIN[j + 1]; n++)
            for (int k = 0; k < 3; k++) b[MEASURE[n]][3 * j + k] = gm[n][k];
    multiply_rows(d->stiffness, (const double(*)[ROWS])b, kb);
    gather(g, (const double(*)[ROWS])kb, t);
    geometric(s, geo);
    for (int i = 0; i < VECTORS; i++)
        for (int j = 0; j < VECTORS; j++)
            for (int k = 0; k < 3; k++) t[3 * i + k][3 * j + k] += p * geo[i][j];
    for (int i = 0; d->damping > 0.0 && i < 21; i++)
        for (int j = 0; j < i; j++) t[i][j] = t[j][i] = 0.5 * (t[i][j] + t[j][i]);
    to_nodes((const double(*)[ROWS])t, &nodes[0][0]);
    for (int i = 0; i < 21; i++)
        for (int j = 0; j < ROWS; j++) t[i][j] = nodes[j][i];
    to_nodes((const double(*)[ROWS])t, out);
}

KAI_INLINE void element(const kai_element_batch* batch, size_t e)
{
    const kai_ancf_shell_data* d = (const kai_ancf_shell_data*)batch->data + e;
    double y[VECTORS][3], rate[VECTORS][3], g[PRODUCTS][3], m[MEASURES], s[MEASURES];
    double fy[21] = {0.0};
    ends x;
    kai_ancf_shell_vectors(batch->q + ROWS * e, y);
    kai_ancf_shell_vectors(batch->v + ROWS * e, rate);
    find_ends((const double(*)[3])y, &x);
    find_measures((const double(*)[3])y, &x, m);
    find_gradient((const double(*)[3])y, &x, g);
    for (int k = 0; k < MEASURES; k++) m[k] -= d->rest[k];
    if (d->damping > 0.0)
        for (int j = 0; j < VECTORS; j++)
            for (int n = BEGIN[j]; n < BEGIN[j + 1]; n++)
                m[MEASURE[n]] += d->damping * kai_ancf_shell_dot(g[n], rate[j]);
    multiply(d->stiffness, m, s);
    for (int j = 0; j < VECTORS; j++)
        for (int n = BEGIN[j]; n < BEGIN[j + 1]; n++)
            for (int k = 0; k < 3; k++) fy[3 * j + k] -= s[MEASURE[n]] * g[n][k];
    force_to_nodes(fy, batch->force + ROWS * e);
    if (batch->tangent)
        write_tangent(batch, d, (const double(*)[3])y, (const double(*)[3])rate,
                      (const double(*)[3])g, s, batch->tangent + ROWS * ROWS * e);
}

/// Elements [begin, end) of a batch.
static void elements(const kai_element_batch* batch, size_t begin, size_t end)
{
    for (size_t e = begin; e < end; e++) element(batch, e);
}

#endif
