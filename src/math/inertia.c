// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Inertia tensors. I about the centre of mass c, I_p about a point p, d = p - c, mass m:
//
//     I_p = I + m (|d|² 1 - d dᵀ)                               parallel axes (Huygens, Steiner)
//     I   = I_a + I_b + m_a m_b / (m_a + m_b) (|d|² 1 - d dᵀ)   two parts, d = c_b - c_a
//
// Principal axes by the cyclic Jacobi method: Golub & Van Loan, "Matrix computations", 4th ed.,
// section 8.5. For 3 × 3 it needs four or five sweeps, and unlike the closed form by the cubic it
// keeps full accuracy when moments are close or very different.
#include "base/check.h"
#include "base/error.h"

#include <float.h>
#include <kairos/math.h>

// Principal axes ---------------------------------------------------------------------------------

// Turns the plane (p, q) by the angle that makes a[p][q] zero, and collects the turns in v.
static void jacobi_rotate(double a[3][3], double v[3][3], int p, int q)
{
    const double apq = a[p][q];
    const double theta = (a[q][q] - a[p][p]) / (2.0 * apq);
    // tan of the smaller angle: at most 45°, so axes stay near where they were. hypot: theta may be
    // so large that its square overflows.
    const double t = copysign(1.0, theta) / (fabs(theta) + hypot(theta, 1.0));
    const double c = 1.0 / sqrt(1.0 + t * t), s = t * c;
    const int r = 3 - p - q;
    const double arp = a[r][p], arq = a[r][q];
    a[p][p] -= t * apq;
    a[q][q] += t * apq;
    a[p][q] = a[q][p] = 0.0;
    a[r][p] = a[p][r] = c * arp - s * arq;
    a[r][q] = a[q][r] = s * arp + c * arq;
    for (int i = 0; i < 3; i++) {
        const double vip = v[i][p], viq = v[i][q];
        v[i][p] = c * vip - s * viq;
        v[i][q] = s * vip + c * viq;
    }
}

void kai_inertia_principal(const kai_mat33* inertia, kai_vec3* moments, kai_quat* axes)
{
    KAI_GIVEN_VOID(inertia, moments, axes);
    // A symmetric copy with entries of at most 1, so that nothing over- or underflows. A power of
    // two as scale leaves every bit of the moments alone.
    int exponent = 0;
    (void)frexp(kai_mat33_max_abs(*inertia), &exponent);
    kai_mat33 a, v = kai_mat33_identity();
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) a.m[i][j] = a.m[j][i] = ldexp(inertia->m[i][j], -exponent);

    // Off-diagonal entries count as zero when they are beneath rounding of both diagonal ones.
    static const int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    for (int sweep = 0, turned = 1; turned && sweep < 30; sweep++) {
        turned = 0;
        for (int k = 0; k < 3; k++) {
            const int p = pairs[k][0], q = pairs[k][1];
            const double least = fmin(fabs(a.m[p][p]), fabs(a.m[q][q]));
            if (fabs(a.m[p][q]) <= 0.01 * DBL_EPSILON * least) continue;
            jacobi_rotate(a.m, v.m, p, q);
            turned = 1;
        }
    }
    *moments = kai_vec3_make(ldexp(a.m[0][0], exponent), ldexp(a.m[1][1], exponent),
                             ldexp(a.m[2][2], exponent));
    *axes = kai_quat_from_mat33(v);
}

// Moving and joining -----------------------------------------------------------------------------

// m (|d|² 1 - d dᵀ): the inertia of a point mass at d.
static kai_mat33 point_inertia(double mass, kai_vec3 d)
{
    const double xx = mass * d.x * d.x, yy = mass * d.y * d.y, zz = mass * d.z * d.z;
    const double xy = -mass * d.x * d.y, xz = -mass * d.x * d.z, yz = -mass * d.y * d.z;
    const kai_mat33 r = {{{yy + zz, xy, xz}, {xy, xx + zz, yz}, {xz, yz, xx + yy}}};
    return r;
}

kai_mat33 kai_inertia_shift(const kai_mass_properties* properties, kai_vec3 point)
{
    KAI_GIVEN_OR((kai_mat33){0}, properties);
    const kai_vec3 d = kai_vec3_sub(point, properties->com);
    return kai_mat33_add(properties->inertia, point_inertia(properties->mass, d));
}

kai_mass_properties kai_inertia_unshift(double mass, kai_vec3 com, const kai_mat33* inertia,
                                        kai_vec3 point)
{
    KAI_GIVEN_OR((kai_mass_properties){0}, inertia);
    const kai_mat33 offset = point_inertia(mass, kai_vec3_sub(point, com));
    const kai_mass_properties r = {mass, com, kai_mat33_sub(*inertia, offset)};
    return r;
}

kai_mass_properties kai_inertia_combine(const kai_mass_properties* a, const kai_mass_properties* b)
{
    KAI_GIVEN_OR((kai_mass_properties){0}, a, b);
    const double mass = a->mass + b->mass;
    // Two massless parts: no centre is better than another.
    const double share = mass != 0.0 ? b->mass / mass : 0.5;
    const kai_vec3 d = kai_vec3_sub(b->com, a->com);
    const kai_mass_properties r = {
        mass, kai_vec3_mul_add(a->com, d, share),
        kai_mat33_add(kai_mat33_add(a->inertia, b->inertia), point_inertia(a->mass * share, d))};
    return r;
}

kai_mass_properties kai_inertia_transform(const kai_mass_properties* properties,
                                          const kai_frame* frame)
{
    KAI_GIVEN_OR((kai_mass_properties){0}, properties, frame);
    kai_mat33 inertia =
        kai_mat33_rotate_tensor(kai_quat_to_mat33(frame->rotation), properties->inertia);
    // The two products round differently on both sides of the diagonal.
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++)
            inertia.m[i][j] = inertia.m[j][i] = 0.5 * (inertia.m[i][j] + inertia.m[j][i]);
    const kai_mass_properties r = {properties->mass,
                                   kai_frame_point_to_parent(*frame, properties->com), inertia};
    return r;
}

// Checking ---------------------------------------------------------------------------------------

// Relative slack for what users type or other programs print with few digits.
#define SLACK 1e-9

static kai_result check_entries(const kai_mat33* inertia, kai_error* err)
{
    const double scale = kai_mat33_max_abs(*inertia);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const double value = inertia->m[i][j], mirrored = inertia->m[j][i];
            if (!isfinite(value)) {
                return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                     "inertia i%c%c is %g kg m^2; must be finite", 'x' + i, 'x' + j,
                                     value);
            }
            if (!(fabs(value - mirrored) <= SLACK * scale)) {
                return kai_error_set(
                    err, KAI_ERROR_ARGUMENT,
                    "inertia i%c%c is %.15g but i%c%c is %.15g kg m^2; must be equal", 'x' + i,
                    'x' + j, value, 'x' + j, 'x' + i, mirrored);
            }
        }
    }
    return KAI_OK;
}

kai_result kai_inertia_check(const kai_mat33* inertia, double mass, kai_error* err)
{
    KAI_GIVEN(err, inertia);
    if (!(isfinite(mass) && mass > 0.0)) {
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "mass is %g kg; must be > 0 and finite",
                             mass);
    }
    KAI_TRY(check_entries(inertia, err));

    kai_vec3 m;
    kai_quat axes;
    kai_inertia_principal(inertia, &m, &axes);
    const double largest = fmax(m.x, fmax(m.y, m.z)), smallest = fmin(m.x, fmin(m.y, m.z));
    // Rounding alone can lift a zero moment of a turned rod to this much.
    if (!(smallest > 8.0 * DBL_EPSILON * fabs(largest))) {
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "inertia has a principal moment of %g kg m^2; must be > 0", smallest);
    }
    return KAI_OK;
}

bool kai_inertia_is_physical(const kai_mat33* inertia)
{
    KAI_GIVEN_OR(false, inertia);
    kai_vec3 m;
    kai_quat axes;
    kai_inertia_principal(inertia, &m, &axes);
    const double largest = fmax(m.x, fmax(m.y, m.z));
    return largest <= (m.x + m.y + m.z - largest) * (1.0 + SLACK);
}
