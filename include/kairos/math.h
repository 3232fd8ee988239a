// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Vectors, quaternions, matrices and frames: plain values, all in double, right-handed.
//
// Small functions are inline and take values. They assume components whose squares neither overflow
// nor underflow (1e-150 … 1e150) unless they say otherwise; NaN and infinity pass through as NaN.
#ifndef KAIROS_MATH_H
#define KAIROS_MATH_H

#include <kairos/export.h>
#include <kairos/result.h>
#include <math.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// Types ------------------------------------------------------------------------------------------

/// A vector of three components.
typedef struct kai_vec3 {
    double x, y, z;
} kai_vec3;

/// A quaternion w + x i + y j + z k. As a rotation it has norm 1 and takes body to world.
typedef struct kai_quat {
    double w, x, y, z;
} kai_quat;

/// A 3 × 3 matrix, by rows: m[row][column].
typedef struct kai_mat33 {
    double m[3][3];
} kai_mat33;

/// A frame: its origin and the rotation that takes its coordinates to the parent's.
typedef struct kai_frame {
    kai_vec3 position;
    kai_quat rotation;
} kai_frame;

/// Mass, centre of mass and inertia about that centre, in the axes of some frame.
typedef struct kai_mass_properties {
    double mass;       ///< kg
    kai_vec3 com;      ///< centre of mass, m
    kai_mat33 inertia; ///< about the centre of mass, kg m², symmetric
} kai_mass_properties;

/// The number π.
#define KAI_PI 3.14159265358979323846

// Vectors ----------------------------------------------------------------------------------------

/// The vector (x, y, z).
KAI_HD static inline kai_vec3 kai_vec3_make(double x, double y, double z)
{
    kai_vec3 r = {x, y, z};
    return r;
}

/// The vector (0, 0, 0).
KAI_HD static inline kai_vec3 kai_vec3_zero(void) { return kai_vec3_make(0.0, 0.0, 0.0); }

/// The unit vector along axis i: 0 is x, 1 is y, 2 is z.
KAI_HD static inline kai_vec3 kai_vec3_axis(int i)
{
    return kai_vec3_make(i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0);
}

/// Component i of v: 0 is x, 1 is y, 2 is z.
KAI_HD static inline double kai_vec3_get(kai_vec3 v, int i)
{
    return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

/// a + b
KAI_HD static inline kai_vec3 kai_vec3_add(kai_vec3 a, kai_vec3 b)
{
    return kai_vec3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

/// a - b
KAI_HD static inline kai_vec3 kai_vec3_sub(kai_vec3 a, kai_vec3 b)
{
    return kai_vec3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

/// -v
KAI_HD static inline kai_vec3 kai_vec3_neg(kai_vec3 v) { return kai_vec3_make(-v.x, -v.y, -v.z); }

/// s v
KAI_HD static inline kai_vec3 kai_vec3_scale(kai_vec3 v, double s)
{
    return kai_vec3_make(s * v.x, s * v.y, s * v.z);
}

/// a + s b
KAI_HD static inline kai_vec3 kai_vec3_mul_add(kai_vec3 a, kai_vec3 b, double s)
{
    return kai_vec3_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

/// a · b
KAI_HD static inline double kai_vec3_dot(kai_vec3 a, kai_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// a × b
KAI_HD static inline kai_vec3 kai_vec3_cross(kai_vec3 a, kai_vec3 b)
{
    return kai_vec3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

/// |v|²
KAI_HD static inline double kai_vec3_norm2(kai_vec3 v) { return kai_vec3_dot(v, v); }

/// |v|
KAI_HD static inline double kai_vec3_norm(kai_vec3 v) { return sqrt(kai_vec3_norm2(v)); }

/// |a - b|
KAI_HD static inline double kai_vec3_distance(kai_vec3 a, kai_vec3 b)
{
    return kai_vec3_norm(kai_vec3_sub(a, b));
}

/// The largest |component| of v.
KAI_HD static inline double kai_vec3_max_abs(kai_vec3 v)
{
    return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
}

/// v / |v| for any finite size of v; the zero vector stays zero.
KAI_HD static inline kai_vec3 kai_vec3_normalize(kai_vec3 v)
{
    double n2 = kai_vec3_norm2(v);
    if (!(n2 > 1e-280 && n2 < 1e280)) {
        // Squares over- or underflow: bring the largest component to 1 first.
        const double m = kai_vec3_max_abs(v);
        if (m == 0.0) return v;
        v = kai_vec3_make(v.x / m, v.y / m, v.z / m);
        n2 = kai_vec3_norm2(v);
    }
    return kai_vec3_scale(v, 1.0 / sqrt(n2));
}

/// a at t = 0, b at t = 1 (both exactly), on the line between them otherwise.
KAI_HD static inline kai_vec3 kai_vec3_lerp(kai_vec3 a, kai_vec3 b, double t)
{
    return kai_vec3_mul_add(kai_vec3_scale(a, 1.0 - t), b, t);
}

/// The smaller of each pair of components.
KAI_HD static inline kai_vec3 kai_vec3_min(kai_vec3 a, kai_vec3 b)
{
    return kai_vec3_make(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}

/// The larger of each pair of components.
KAI_HD static inline kai_vec3 kai_vec3_max(kai_vec3 a, kai_vec3 b)
{
    return kai_vec3_make(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}

/// True when no component is NaN or infinite.
KAI_HD static inline bool kai_vec3_is_finite(kai_vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

/// Some unit vector perpendicular to v, of any finite size; x when v is zero.
KAI_HD static inline kai_vec3 kai_vec3_perpendicular(kai_vec3 v)
{
    // v × the axis it is farthest from: never short, and perpendicular to the last bit.
    const kai_vec3 u = kai_vec3_normalize(v);
    const double x = fabs(u.x), y = fabs(u.y), z = fabs(u.z);
    kai_vec3 r;
    if (x == 0.0 && y == 0.0 && z == 0.0) return kai_vec3_axis(0);
    if (x <= y && x <= z)
        r = kai_vec3_make(0.0, u.z, -u.y);
    else if (y <= z)
        r = kai_vec3_make(-u.z, 0.0, u.x);
    else
        r = kai_vec3_make(u.y, -u.x, 0.0);
    return kai_vec3_normalize(r);
}

// Matrices ---------------------------------------------------------------------------------------

/// The matrix of zeros.
KAI_HD static inline kai_mat33 kai_mat33_zero(void)
{
    kai_mat33 r = {{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
    return r;
}

/// The matrix with d on its diagonal.
KAI_HD static inline kai_mat33 kai_mat33_diagonal(kai_vec3 d)
{
    kai_mat33 r = {{{d.x, 0.0, 0.0}, {0.0, d.y, 0.0}, {0.0, 0.0, d.z}}};
    return r;
}

/// The unit matrix.
KAI_HD static inline kai_mat33 kai_mat33_identity(void)
{
    return kai_mat33_diagonal(kai_vec3_make(1.0, 1.0, 1.0));
}

/// The matrix with rows a, b, c.
KAI_HD static inline kai_mat33 kai_mat33_from_rows(kai_vec3 a, kai_vec3 b, kai_vec3 c)
{
    kai_mat33 r = {{{a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z}}};
    return r;
}

/// The matrix with columns a, b, c.
KAI_HD static inline kai_mat33 kai_mat33_from_columns(kai_vec3 a, kai_vec3 b, kai_vec3 c)
{
    kai_mat33 r = {{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
    return r;
}

/// Row i.
KAI_HD static inline kai_vec3 kai_mat33_row(kai_mat33 a, int i)
{
    return kai_vec3_make(a.m[i][0], a.m[i][1], a.m[i][2]);
}

/// Column i.
KAI_HD static inline kai_vec3 kai_mat33_column(kai_mat33 a, int i)
{
    return kai_vec3_make(a.m[0][i], a.m[1][i], a.m[2][i]);
}

/// Aᵀ
KAI_HD static inline kai_mat33 kai_mat33_transpose(kai_mat33 a)
{
    return kai_mat33_from_columns(kai_mat33_row(a, 0), kai_mat33_row(a, 1), kai_mat33_row(a, 2));
}

/// A + B
KAI_HD static inline kai_mat33 kai_mat33_add(kai_mat33 a, kai_mat33 b)
{
    kai_mat33 r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r.m[i][j] = a.m[i][j] + b.m[i][j];
    return r;
}

/// A - B
KAI_HD static inline kai_mat33 kai_mat33_sub(kai_mat33 a, kai_mat33 b)
{
    kai_mat33 r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r.m[i][j] = a.m[i][j] - b.m[i][j];
    return r;
}

/// s A
KAI_HD static inline kai_mat33 kai_mat33_scale(kai_mat33 a, double s)
{
    kai_mat33 r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r.m[i][j] = s * a.m[i][j];
    return r;
}

/// A B
KAI_HD static inline kai_mat33 kai_mat33_mul(kai_mat33 a, kai_mat33 b)
{
    kai_mat33 r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
    return r;
}

/// A v
KAI_HD static inline kai_vec3 kai_mat33_mul_vec(kai_mat33 a, kai_vec3 v)
{
    return kai_vec3_make(a.m[0][0] * v.x + a.m[0][1] * v.y + a.m[0][2] * v.z,
                         a.m[1][0] * v.x + a.m[1][1] * v.y + a.m[1][2] * v.z,
                         a.m[2][0] * v.x + a.m[2][1] * v.y + a.m[2][2] * v.z);
}

/// Aᵀ v
KAI_HD static inline kai_vec3 kai_mat33_transpose_mul_vec(kai_mat33 a, kai_vec3 v)
{
    return kai_vec3_make(a.m[0][0] * v.x + a.m[1][0] * v.y + a.m[2][0] * v.z,
                         a.m[0][1] * v.x + a.m[1][1] * v.y + a.m[2][1] * v.z,
                         a.m[0][2] * v.x + a.m[1][2] * v.y + a.m[2][2] * v.z);
}

/// The matrix of v ×: skew(v) w = v × w.
KAI_HD static inline kai_mat33 kai_mat33_skew(kai_vec3 v)
{
    kai_mat33 r = {{{0.0, -v.z, v.y}, {v.z, 0.0, -v.x}, {-v.y, v.x, 0.0}}};
    return r;
}

/// a bᵀ
KAI_HD static inline kai_mat33 kai_mat33_outer(kai_vec3 a, kai_vec3 b)
{
    return kai_mat33_from_rows(kai_vec3_scale(b, a.x), kai_vec3_scale(b, a.y),
                               kai_vec3_scale(b, a.z));
}

/// det A
KAI_HD static inline double kai_mat33_determinant(kai_mat33 a)
{
    return kai_vec3_dot(kai_mat33_row(a, 0),
                        kai_vec3_cross(kai_mat33_row(a, 1), kai_mat33_row(a, 2)));
}

/// The largest |entry| of A.
KAI_HD static inline double kai_mat33_max_abs(kai_mat33 a)
{
    return fmax(kai_vec3_max_abs(kai_mat33_row(a, 0)),
                fmax(kai_vec3_max_abs(kai_mat33_row(a, 1)), kai_vec3_max_abs(kai_mat33_row(a, 2))));
}

/// True when no entry is NaN or infinite.
KAI_HD static inline bool kai_mat33_is_finite(kai_mat33 a)
{
    return kai_vec3_is_finite(kai_mat33_row(a, 0)) && kai_vec3_is_finite(kai_mat33_row(a, 1)) &&
           kai_vec3_is_finite(kai_mat33_row(a, 2));
}

/// Writes A⁻¹ and returns true; false, with *inverse untouched, when A is singular to rounding.
KAI_HD static inline bool kai_mat33_inverse(kai_mat33 a, kai_mat33* inverse)
{
    // Rows of unit length: det becomes the volume they span, a measure free of scale and units.
    kai_vec3 row[3];
    double length[3];
    for (int i = 0; i < 3; i++) {
        row[i] = kai_vec3_normalize(kai_mat33_row(a, i));
        length[i] = kai_vec3_dot(row[i], kai_mat33_row(a, i));
    }
    const kai_vec3 c = kai_vec3_cross(row[1], row[2]);
    const double volume = kai_vec3_dot(row[0], c);
    if (!(fabs(volume) > 1e-15)) return false; // what rounding makes of zero
    *inverse = kai_mat33_from_columns(
        kai_vec3_scale(c, 1.0 / volume / length[0]),
        kai_vec3_scale(kai_vec3_cross(row[2], row[0]), 1.0 / volume / length[1]),
        kai_vec3_scale(kai_vec3_cross(row[0], row[1]), 1.0 / volume / length[2]));
    return true;
}

/// R A Rᵀ: the tensor A of a frame with rotation R, in the parent's axes.
KAI_HD static inline kai_mat33 kai_mat33_rotate_tensor(kai_mat33 r, kai_mat33 a)
{
    return kai_mat33_mul(kai_mat33_mul(r, a), kai_mat33_transpose(r));
}

// Rotations --------------------------------------------------------------------------------------

/// The quaternion w + x i + y j + z k.
KAI_HD static inline kai_quat kai_quat_make(double w, double x, double y, double z)
{
    kai_quat r = {w, x, y, z};
    return r;
}

/// No rotation.
KAI_HD static inline kai_quat kai_quat_identity(void) { return kai_quat_make(1.0, 0.0, 0.0, 0.0); }

/// The vector part (x, y, z).
KAI_HD static inline kai_vec3 kai_quat_vector(kai_quat q) { return kai_vec3_make(q.x, q.y, q.z); }

/// a b: first b, then a.
KAI_HD static inline kai_quat kai_quat_mul(kai_quat a, kai_quat b)
{
    return kai_quat_make(a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                         a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                         a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                         a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w);
}

/// The conjugate; for a rotation its inverse.
KAI_HD static inline kai_quat kai_quat_conj(kai_quat q)
{
    return kai_quat_make(q.w, -q.x, -q.y, -q.z);
}

/// |q|²
KAI_HD static inline double kai_quat_norm2(kai_quat q)
{
    return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}

/// q / |q| for any finite size of q; zero becomes the identity.
KAI_HD static inline kai_quat kai_quat_normalize(kai_quat q)
{
    double n2 = kai_quat_norm2(q), s;
    if (!(n2 > 1e-280 && n2 < 1e280)) {
        // Squares over- or underflow: bring the largest component to 1 first.
        const double m = fmax(fabs(q.w), kai_vec3_max_abs(kai_quat_vector(q)));
        if (m == 0.0) return kai_quat_identity();
        q = kai_quat_make(q.w / m, q.x / m, q.y / m, q.z / m);
        n2 = kai_quat_norm2(q);
    }
    s = 1.0 / sqrt(n2);
    return kai_quat_make(s * q.w, s * q.x, s * q.y, s * q.z);
}

/// True when |q| is within tolerance of 1.
KAI_HD static inline bool kai_quat_is_unit(kai_quat q, double tolerance)
{
    return fabs(sqrt(kai_quat_norm2(q)) - 1.0) <= tolerance;
}

/// Body to world: q v q⁻¹.
KAI_HD static inline kai_vec3 kai_quat_rotate(kai_quat q, kai_vec3 v)
{
    const kai_vec3 u = kai_quat_vector(q);
    const kai_vec3 t = kai_vec3_scale(kai_vec3_cross(u, v), 2.0);
    return kai_vec3_add(kai_vec3_mul_add(v, t, q.w), kai_vec3_cross(u, t));
}

/// World to body: q⁻¹ v q.
KAI_HD static inline kai_vec3 kai_quat_unrotate(kai_quat q, kai_vec3 v)
{
    return kai_quat_rotate(kai_quat_conj(q), v);
}

/// exp: the rotation about v by |v| radians; exact to rounding for angles of any size down to zero.
KAI_HD static inline kai_quat kai_quat_from_rotation_vector(kai_vec3 v)
{
    const double a2 = kai_vec3_norm2(v);
    double w, s; // cos(a/2), sin(a/2)/a
    if (a2 < 1e-4) {
        // Next terms: below 1e-19 relative.
        w = 1.0 - a2 / 8.0 * (1.0 - a2 / 48.0 * (1.0 - a2 / 120.0));
        s = 0.5 - a2 / 48.0 * (1.0 - a2 / 80.0 * (1.0 - a2 / 168.0));
    } else {
        const double a = sqrt(a2);
        w = cos(0.5 * a);
        s = sin(0.5 * a) / a;
    }
    return kai_quat_make(w, s * v.x, s * v.y, s * v.z);
}

/// log: the rotation vector of q or -q, whichever is shorter; its length is in [0, π].
KAI_HD static inline kai_vec3 kai_quat_to_rotation_vector(kai_quat q)
{
    const kai_vec3 u = q.w < 0.0 ? kai_vec3_make(-q.x, -q.y, -q.z) : kai_quat_vector(q);
    const double w = fabs(q.w), s2 = kai_vec3_norm2(u);
    if (s2 < 1e-17) return kai_vec3_scale(u, 2.0 / w); // sin x = x to rounding
    const double s = sqrt(s2);
    return kai_vec3_scale(u, 2.0 * atan2(s, w) / s);
}

/// The rotation by `angle` radians about an axis of any length; none when the axis is zero.
KAI_HD static inline kai_quat kai_quat_from_axis_angle(kai_vec3 axis, double angle)
{
    const kai_vec3 u = kai_vec3_scale(kai_vec3_normalize(axis), sin(0.5 * angle));
    if (u.x == 0.0 && u.y == 0.0 && u.z == 0.0) return kai_quat_identity();
    return kai_quat_make(cos(0.5 * angle), u.x, u.y, u.z);
}

/// The rotation matrix R with R v = rotate(q, v), q of norm 1.
KAI_HD static inline kai_mat33 kai_quat_to_mat33(kai_quat q)
{
    const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    kai_mat33 r = {{{1.0 - 2.0 * (yy + zz), 2.0 * (xy - wz), 2.0 * (xz + wy)},
                    {2.0 * (xy + wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz - wx)},
                    {2.0 * (xz - wy), 2.0 * (yz + wx), 1.0 - 2.0 * (xx + yy)}}};
    return r;
}

/// The quaternion of a rotation matrix, accurate for every angle up to π.
KAI_HD static inline kai_quat kai_quat_from_mat33(kai_mat33 r)
{
    // Shepperd's method: divide by the largest of |w|, |x|, |y|, |z|, which is at least 1/2.
    const double xx = r.m[0][0], yy = r.m[1][1], zz = r.m[2][2];
    const double wx = r.m[2][1] - r.m[1][2], wy = r.m[0][2] - r.m[2][0];
    const double wz = r.m[1][0] - r.m[0][1], xy = r.m[0][1] + r.m[1][0];
    const double xz = r.m[0][2] + r.m[2][0], yz = r.m[1][2] + r.m[2][1];
    kai_quat q; // four times the largest component, times q
    if (xx + yy + zz >= fmax(xx, fmax(yy, zz))) {
        q = kai_quat_make(1.0 + xx + yy + zz, wx, wy, wz);
    } else if (xx >= yy && xx >= zz) {
        q = kai_quat_make(wx, 1.0 + xx - yy - zz, xy, xz);
    } else if (yy >= zz) {
        q = kai_quat_make(wy, xy, 1.0 - xx + yy - zz, yz);
    } else {
        q = kai_quat_make(wz, xz, yz, 1.0 - xx - yy + zz);
    }
    return kai_quat_normalize(q);
}

/// q̇ for an angular velocity in world axes: ½ ω q.
KAI_HD static inline kai_quat kai_quat_derivative_world(kai_quat q, kai_vec3 omega)
{
    return kai_quat_mul(kai_quat_make(0.0, 0.5 * omega.x, 0.5 * omega.y, 0.5 * omega.z), q);
}

/// q̇ for an angular velocity in body axes: ½ q ω.
KAI_HD static inline kai_quat kai_quat_derivative_body(kai_quat q, kai_vec3 omega)
{
    return kai_quat_mul(q, kai_quat_make(0.0, 0.5 * omega.x, 0.5 * omega.y, 0.5 * omega.z));
}

/// The orientation after turning for a time h with constant body angular velocity: q exp(h ω),
/// unit.
KAI_HD static inline kai_quat kai_quat_integrate_body(kai_quat q, kai_vec3 omega, double h)
{
    return kai_quat_normalize(
        kai_quat_mul(q, kai_quat_from_rotation_vector(kai_vec3_scale(omega, h))));
}

/// Intrinsic Euler angles in the order of the letters: "xyz" is Rx(a0) Ry(a1) Rz(a2). Other letters
/// than x, y, z turn nothing.
KAI_HD static inline kai_quat kai_quat_from_euler(const double angles[3], const char order[3])
{
    kai_quat q = kai_quat_identity();
    for (int i = 0; i < 3; i++) {
        if (order[i] < 'x' || order[i] > 'z') continue;
        q = kai_quat_mul(q, kai_quat_from_axis_angle(kai_vec3_axis(order[i] - 'x'), angles[i]));
    }
    return q;
}

/// The angle of the rotation from a to b, in [0, π].
KAI_HD static inline double kai_quat_angle_between(kai_quat a, kai_quat b)
{
    return kai_vec3_norm(kai_quat_to_rotation_vector(kai_quat_mul(kai_quat_conj(a), b)));
}

/// Rotates from a (t = 0) to b (t = 1) by the shorter rotation at a constant rate; may end at -b, the same
/// rotation.
KAI_HD static inline kai_quat kai_quat_slerp(kai_quat a, kai_quat b, double t)
{
    const kai_vec3 v = kai_quat_to_rotation_vector(kai_quat_mul(kai_quat_conj(a), b));
    return kai_quat_mul(a, kai_quat_from_rotation_vector(kai_vec3_scale(v, t)));
}

/// The shortest rotation that takes the direction of a to that of b; none when either is zero.
KAI_HD static inline kai_quat kai_quat_from_two_vectors(kai_vec3 a, kai_vec3 b)
{
    const kai_vec3 to = kai_vec3_normalize(b);
    kai_vec3 from = kai_vec3_normalize(a);
    kai_quat half_turn = kai_quat_identity();
    if (kai_vec3_dot(from, to) < 0.0) {
        // Past a right angle: half a turn to -a first, so that what is left stays well-conditioned.
        // Its axis is the one of the whole rotation, any perpendicular one when a and b are
        // opposite.
        kai_vec3 axis = kai_vec3_cross(from, to);
        axis =
            kai_vec3_norm2(axis) > 1e-30 ? kai_vec3_normalize(axis) : kai_vec3_perpendicular(from);
        axis = kai_vec3_normalize(kai_vec3_mul_add(axis, from, -kai_vec3_dot(axis, from)));
        half_turn = kai_quat_make(0.0, axis.x, axis.y, axis.z);
        from = kai_vec3_neg(from);
    }
    const kai_vec3 c = kai_vec3_cross(from, to);
    const double w = 1.0 + kai_vec3_dot(from, to);
    return kai_quat_mul(kai_quat_normalize(kai_quat_make(w, c.x, c.y, c.z)), half_turn);
}

/// The shortest rotation whose third axis points along z.
KAI_HD static inline kai_quat kai_quat_from_z_axis(kai_vec3 z)
{
    return kai_quat_from_two_vectors(kai_vec3_axis(2), z);
}

/// The rotation whose third axis points along z and whose first is as near to x_hint as can be; any
/// first axis when the two are parallel.
KAI_HD static inline kai_quat kai_quat_from_axes(kai_vec3 z, kai_vec3 x_hint)
{
    const kai_vec3 e = kai_vec3_normalize(z), hint = kai_vec3_normalize(x_hint);
    kai_vec3 x = kai_vec3_mul_add(hint, e, -kai_vec3_dot(hint, e));
    if (!(kai_vec3_norm2(x) > 1e-28)) x = kai_vec3_perpendicular(e);
    x = kai_vec3_normalize(x);
    // Once more: what the subtraction left along e has grown with the normalisation.
    x = kai_vec3_normalize(kai_vec3_mul_add(x, e, -kai_vec3_dot(x, e)));
    return kai_quat_from_mat33(kai_mat33_from_columns(x, kai_vec3_cross(e, x), e));
}

// Frames -----------------------------------------------------------------------------------------

/// The parent frame itself.
KAI_HD static inline kai_frame kai_frame_identity(void)
{
    kai_frame r = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
    return r;
}

/// The frame at `position` with rotation `rotation`.
KAI_HD static inline kai_frame kai_frame_make(kai_vec3 position, kai_quat rotation)
{
    kai_frame r = {position, rotation};
    return r;
}

/// A vector of frame f in the parent's axes.
KAI_HD static inline kai_vec3 kai_frame_vector_to_parent(kai_frame f, kai_vec3 v)
{
    return kai_quat_rotate(f.rotation, v);
}

/// A vector of the parent in f's axes.
KAI_HD static inline kai_vec3 kai_frame_vector_from_parent(kai_frame f, kai_vec3 v)
{
    return kai_quat_unrotate(f.rotation, v);
}

/// A point of frame f in the parent's coordinates.
KAI_HD static inline kai_vec3 kai_frame_point_to_parent(kai_frame f, kai_vec3 p)
{
    return kai_vec3_add(f.position, kai_quat_rotate(f.rotation, p));
}

/// A point of the parent in f's coordinates.
KAI_HD static inline kai_vec3 kai_frame_point_from_parent(kai_frame f, kai_vec3 p)
{
    return kai_quat_unrotate(f.rotation, kai_vec3_sub(p, f.position));
}

/// Frame b, given in frame a, in a's parent.
KAI_HD static inline kai_frame kai_frame_compose(kai_frame a, kai_frame b)
{
    return kai_frame_make(kai_frame_point_to_parent(a, b.position),
                          kai_quat_mul(a.rotation, b.rotation));
}

/// The parent as seen from f.
KAI_HD static inline kai_frame kai_frame_inverse(kai_frame f)
{
    return kai_frame_make(kai_vec3_neg(kai_quat_unrotate(f.rotation, f.position)),
                          kai_quat_conj(f.rotation));
}

// Inertia ----------------------------------------------------------------------------------------

/// Principal moments and axes of a symmetric matrix: inertia = R(axes) diag(moments) R(axes)ᵀ. The
/// axes are a proper rotation, the one near the given axes: a diagonal matrix gives exactly the
/// identity and its moments in their order.
KAI_API void kai_inertia_principal(const kai_mat33* inertia, kai_vec3* moments, kai_quat* axes);

/// Parallel axes: the inertia about `point`, in the same axes as `properties`.
KAI_API kai_mat33 kai_inertia_shift(const kai_mass_properties* properties, kai_vec3 point);

/// Parallel axes backwards: the mass properties from an inertia about `point` (not the centre of
/// mass `com`). Not every input makes sense: check the result with kai_inertia_check.
KAI_API kai_mass_properties kai_inertia_unshift(double mass, kai_vec3 com, const kai_mat33* inertia,
                                                kai_vec3 point);

/// The mass properties of two parts together, both given in the same frame.
KAI_API kai_mass_properties kai_inertia_combine(const kai_mass_properties* a,
                                                const kai_mass_properties* b);

/// Mass properties given in `frame`, in the parent's axes and coordinates.
KAI_API kai_mass_properties kai_inertia_transform(const kai_mass_properties* properties,
                                                  const kai_frame* frame);

/// Checks that a mass and an inertia about its centre can be integrated: finite, mass > 0,
/// symmetric (to 1e-9 relative), every principal moment > 0. KAI_ERROR_ARGUMENT otherwise; err,
/// which may be NULL, then names the value and the rule.
KAI_API kai_result kai_inertia_check(const kai_mat33* inertia, double mass, kai_error* err);

/// True when no principal moment exceeds the sum of the other two (to 1e-9 relative), as for every
/// real body. Models of planar mechanisms are often given without care for it, and move well.
KAI_API bool kai_inertia_is_physical(const kai_mat33* inertia);

#ifdef __cplusplus
}
#endif

#endif
