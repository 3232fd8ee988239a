// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A four-node shell with directors, r = Σ N_a (r_a + z d_a), in numbers that do not see rotations.
//
// The bilinear middle surface and director are sums of seven vectors, free of translations:
//
//     r,ξ = a₁ + η b     r,η = a₂ + ξ b     d = c₀ + ξ c₁ + η c₂ + ξη e
//
// All strains at all points are sums, with coefficients that never change, of dot products of these
// vectors: the *measures*. Membrane 6, bending 6, their squares in z 6, transverse shear 4 (at the
// middles of the sides: assumed natural strain), thickness 4 (at the nodes: assumed natural
// strain). So the energy of linear layers is ½ (m - m₀)ᵀ K (m - m₀), K made once, whatever the
// layers and the shape; enhanced strains are eliminated from K once and for all.
//
// Without assumed natural strains shear and thickness are taken at the four Gauss points: 30
// measures.
#ifndef FEA_ANCF_SHELL_H
#define FEA_ANCF_SHELL_H

#include "base/cpu.h"
#include "base/simd.h"
#include "fea/layers.h"

enum {
    KAI_ANCF_SHELL_MEASURES = 26, ///< with assumed natural strains
    KAI_ANCF_SHELL_SHEAR = 18,    ///< the first measure of shear
    KAI_ANCF_SHELL_MOST = 30,     ///< without
    KAI_ANCF_SHELL_TRIANGLE = KAI_ANCF_SHELL_MEASURES * (KAI_ANCF_SHELL_MEASURES + 1) / 2
};

/// Sides of a quadrangle's corners in ξ and η.
static const double KAI_ANCF_SHELL_XI[4] = {-1.0, 1.0, 1.0, -1.0};
static const double KAI_ANCF_SHELL_ETA[4] = {-1.0, -1.0, 1.0, 1.0}; ///< likewise

/// A shell as it is without deformation.
typedef struct kai_ancf_shell {
    kai_layers_view layers;
    double vectors[7][3];             ///< a₁ a₂ b c₀ c₁ c₂ e
    double rest[KAI_ANCF_SHELL_MOST]; ///< measures
    bool natural;                     ///< assumed natural strains
    bool enhanced;                    ///< enhanced assumed strains
} kai_ancf_shell;

/// What a state of measures gives.
typedef struct kai_ancf_shell_response {
    double energy;
    double stress[KAI_ANCF_SHELL_MOST];                          ///< ∂W/∂m
    double stiffness[KAI_ANCF_SHELL_MOST * KAI_ANCF_SHELL_MOST]; ///< ∂²W/∂m²
    double damping[KAI_ANCF_SHELL_MOST * KAI_ANCF_SHELL_MOST];   ///< stress a rate of m
} kai_ancf_shell_response;

/// What an element keeps.
typedef struct kai_ancf_shell_data {
    double reference[24];
    double rest[KAI_ANCF_SHELL_MEASURES];
    double damping; ///< s
    double fast;    ///< 1: linear layers that damp alike, natural strains
    double stiffness[KAI_ANCF_SHELL_TRIANGLE + 8]; ///< K, its lower triangle by rows
} kai_ancf_shell_data;

/// How many measures it has.
static inline int kai_ancf_shell_count(const kai_ancf_shell* shell)
{
    return shell->natural ? KAI_ANCF_SHELL_MEASURES : KAI_ANCF_SHELL_MOST;
}

/// The vectors of 24 coordinates, or of their velocities.
KAI_INLINE void kai_ancf_shell_vectors(const double* q, double y[7][3])
{
    for (int k = 0; k < 3; k++) {
        const double r0 = q[k], r1 = q[6 + k], r2 = q[12 + k], r3 = q[18 + k];
        const double d0 = q[3 + k], d1 = q[9 + k], d2 = q[15 + k], d3 = q[21 + k];
        y[0][k] = 0.25 * ((r1 - r0) + (r2 - r3));
        y[1][k] = 0.25 * ((r3 - r0) + (r2 - r1));
        y[2][k] = 0.25 * ((r2 - r3) - (r1 - r0));
        y[3][k] = 0.25 * ((d0 + d1) + (d2 + d3));
        y[4][k] = 0.25 * ((d1 - d0) + (d2 - d3));
        y[5][k] = 0.25 * ((d3 - d0) + (d2 - d1));
        y[6][k] = 0.25 * ((d2 - d3) - (d1 - d0));
    }
}

KAI_INLINE double kai_ancf_shell_dot(const double* a, const double* b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// The first 18 measures, those of the plane.
KAI_INLINE void kai_ancf_shell_plane(const double y[7][3], double* m)
{
    const double *a1 = y[0], *a2 = y[1], *b = y[2], *c1 = y[4], *c2 = y[5], *e = y[6];
#define DOT kai_ancf_shell_dot
    m[0] = DOT(a1, a1), m[1] = DOT(a2, a2), m[2] = DOT(a1, a2);
    m[3] = DOT(a1, b), m[4] = DOT(a2, b), m[5] = DOT(b, b);
    m[6] = DOT(a1, c1), m[7] = DOT(a2, c2), m[8] = DOT(a1, c2) + DOT(a2, c1);
    m[9] = DOT(a1, e) + DOT(b, c1), m[10] = DOT(a2, e) + DOT(b, c2), m[11] = DOT(b, e);
    m[12] = DOT(c1, c1), m[13] = DOT(c2, c2), m[14] = DOT(c1, c2);
    m[15] = DOT(c1, e), m[16] = DOT(c2, e), m[17] = DOT(e, e);
#undef DOT
}

/// All measures of some vectors.
void kai_ancf_shell_measure(const kai_ancf_shell* shell, const double y[7][3], double* m);

/// Their derivatives with respect to the vectors, [count][21]; linear in y.
void kai_ancf_shell_gradient(const kai_ancf_shell* shell, const double y[7][3],
                             double out[KAI_ANCF_SHELL_MOST][21]);

/// Sets a shell up from its 24 coordinates. The message says what is wrong with its shape.
kai_result kai_ancf_shell_init(kai_ancf_shell* shell, const double* q, kai_error* err);

/// Integrates over the shell at measures m; stiffness and damping too where they are wanted. False:
/// a solid cannot be strained like that.
bool kai_ancf_shell_respond(const kai_ancf_shell* shell, const double* m, bool stiffness,
                            kai_ancf_shell_response* out);

/// Strain and stress in material axes at ξ, η, ζ.
bool kai_ancf_shell_sample(const kai_ancf_shell* shell, const double* m, const double at[3],
                           kai_element_sample* out);

/// Energy of linear layers at measures m.
double kai_ancf_shell_stored(const kai_ancf_shell_data* data, const double* m);

/// The point at ξ, η, ζ of coordinates q.
kai_vec3 kai_ancf_shell_place(const double* q, double half, const double at[3]);

/// Mass of pairs of the eight shape functions N_a, z N_a.
void kai_ancf_shell_mass(const kai_ancf_shell* shell, double out[64]);

/// Forces and tangents of elements [begin, end) of a batch, all of them `fast`.
void kai_ancf_shell_linear_force(const kai_element_batch* batch, size_t begin, size_t end);
void kai_ancf_shell_v3(const kai_element_batch* batch, size_t begin, size_t end); ///< AVX2
void kai_ancf_shell_v4(const kai_element_batch* batch, size_t begin, size_t end); ///< AVX-512

#endif
