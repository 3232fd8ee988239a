// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/problem_bodies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double ALIKE = 1e-7; // entries of rotations and arms, of their size
static const uint32_t NONE = KAI_CONE_NONE;

enum { WHY = 160 };

typedef struct finder {
    const kai_problem* p;
    kai_problem_matrix Ht; // Hᵀ: contacts of a velocity
    kai_problem_bodies* out;
    uint32_t* soft; // [contacts] the velocity of their compliance; NONE: stiff
    bool* joined;   // [velocities] it stands in an equation or a bound
    double* half;   // [contacts] of a band its half, of a push 0; NAN: neither, a contact
    char* why;
} finder;

// Blocks of matrices -----------------------------------------------------------------------------

static double value_at(const kai_problem_matrix* a, size_t i, size_t j)
{
    for (size_t k = a->first[j]; k < a->first[j + 1] && a->row[k] <= i; k++)
        if (a->row[k] == i) return a->value[k];
    return 0.0;
}

static kai_mat33 block_at(const kai_problem_matrix* a, size_t i, size_t j)
{
    kai_vec3 column[3];
    for (size_t k = 0; k < 3; k++)
        column[k] = kai_vec3_make(value_at(a, i, j + k), value_at(a, i + 1, j + k),
                                  value_at(a, i + 2, j + k));
    return kai_mat33_from_columns(column[0], column[1], column[2]);
}

static bool near(kai_mat33 a, kai_mat33 b, double size)
{
    return kai_mat33_max_abs(kai_mat33_sub(a, b)) <= ALIKE * size;
}

static bool orthonormal(kai_mat33 a)
{
    return near(kai_mat33_mul(kai_mat33_transpose(a), a), kai_mat33_identity(), 1.0);
}

// Nothing of M outside of [begin, end) couples these velocities.
static bool apart(const kai_problem* p, size_t begin, size_t end)
{
    for (size_t j = begin; j < end; j++)
        for (size_t k = p->M.first[j]; k < p->M.first[j + 1]; k++)
            if ((p->M.row[k] < begin || p->M.row[k] >= end) && p->M.value[k] != 0.0) return false;
    return true;
}

static bool mass_only(const kai_problem* p, size_t v)
{
    const kai_mat33 m = block_at(&p->M, v, v);
    const double mass = value_at(&p->M, v, v);
    return near(m, kai_mat33_scale(kai_mat33_identity(), mass), mass);
}

// Contacts of a run of velocities, one after the other: the next after `after`, SIZE_MAX: none.
static size_t next_any(const finder* f, size_t begin, size_t end, size_t after)
{
    size_t least = SIZE_MAX;
    for (size_t i = begin; i < end; i++) {
        size_t low = f->Ht.first[i], high = f->Ht.first[i + 1];
        while (low < high) {
            const size_t middle = low + (high - low) / 2;
            if (after != SIZE_MAX && f->Ht.row[middle] / 3 <= after)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < f->Ht.first[i + 1] && f->Ht.row[low] / 3 < least) least = f->Ht.row[low] / 3;
    }
    return least;
}

static size_t next_contact(const finder* f, size_t begin, size_t end, size_t after)
{
    do after = next_any(f, begin, end, after);
    while (after != SIZE_MAX && !isnan(f->half[after]));
    return after;
}

static bool touched(const finder* f, size_t begin, size_t end)
{
    return next_contact(f, begin, end, SIZE_MAX) != SIZE_MAX;
}

// Rotations --------------------------------------------------------------------------------------

// Qᵀ [d]× of a contact.
static kai_mat33 lever(const kai_problem* p, const kai_problem_body* b, size_t contact)
{
    const kai_mat33 T = block_at(&p->H, b->v, 3 * contact), A = block_at(&p->H, b->w, 3 * contact);
    return kai_mat33_mul(A, kai_mat33_transpose(T));
}

static bool is_skew(kai_mat33 a, double size)
{
    return near(a, kai_mat33_scale(kai_mat33_transpose(a), -1.0), size);
}

static bool fits(const finder* f, const kai_problem_body* b, size_t begin)
{
    for (size_t c = next_contact(f, begin, begin + 6, SIZE_MAX); c != SIZE_MAX;
         c = next_contact(f, begin, begin + 6, c)) {
        const kai_mat33 K = lever(f->p, b, c);
        if (!is_skew(kai_mat33_mul(b->turn, K), kai_mat33_max_abs(K))) return false;
    }
    return true;
}

// Q from one lever and one of the two arms that it allows.
static kai_mat33 turn_of(kai_mat33 K, kai_vec3 arm)
{
    const double d = kai_vec3_norm(arm);
    const kai_vec3 z = kai_vec3_scale(arm, 1.0 / d), x = kai_vec3_perpendicular(z),
                   y = kai_vec3_cross(z, x);
    // [d]× x = d y and [d]× y = -d x; Qᵀ takes these to columns of K.
    const kai_vec3 qy = kai_vec3_scale(kai_mat33_mul_vec(K, x), 1.0 / d),
                   qx = kai_vec3_scale(kai_mat33_mul_vec(K, y), -1.0 / d),
                   qz = kai_vec3_cross(qx, qy);
    const kai_mat33 from = kai_mat33_from_columns(x, y, z), to = kai_mat33_from_columns(qx, qy, qz);
    return kai_mat33_mul(from, kai_mat33_transpose(to));
}

// The rotation of spins that all contacts of the body agree on.
static bool find_turn(const finder* f, kai_problem_body* b, size_t begin)
{
    kai_mat33 longest = kai_mat33_zero();
    b->turn = kai_mat33_identity();
    if (fits(f, b, begin)) return true;
    for (size_t c = next_contact(f, begin, begin + 6, SIZE_MAX); c != SIZE_MAX;
         c = next_contact(f, begin, begin + 6, c)) {
        const kai_mat33 K = lever(f->p, b, c);
        if (kai_mat33_max_abs(K) > kai_mat33_max_abs(longest)) longest = K;
    }
    // KᵀK = d² 1 - d dᵀ
    const kai_mat33 S = kai_mat33_mul(kai_mat33_transpose(longest), longest);
    double trace = 0.0;
    for (int i = 0; i < 3; i++) trace += kai_vec3_get(kai_mat33_row(S, i), i);
    const kai_mat33 D = kai_mat33_sub(kai_mat33_scale(kai_mat33_identity(), 0.5 * trace), S);
    kai_vec3 arm = kai_vec3_zero();
    for (int i = 0; i < 3; i++)
        if (kai_vec3_norm(kai_mat33_column(D, i)) > kai_vec3_norm(arm))
            arm = kai_mat33_column(D, i);
    arm = kai_vec3_scale(kai_vec3_normalize(arm), sqrt(0.5 * trace));
    for (int sign = 0; sign < 2; sign++) {
        b->turn = turn_of(longest, kai_vec3_scale(arm, sign ? -1.0 : 1.0));
        if (orthonormal(b->turn) && fits(f, b, begin)) return true;
    }
    return false;
}

// Kinds of velocities ----------------------------------------------------------------------------

static bool frames_fit(const finder* f, const kai_problem_body* b, size_t begin, size_t end)
{
    for (size_t c = next_contact(f, begin, end, SIZE_MAX); c != SIZE_MAX;
         c = next_contact(f, begin, end, c))
        if (!orthonormal(block_at(&f->p->H, b->v, 3 * c))) return false;
    return true;
}

static bool is_body(const finder* f, size_t begin, bool spins_first, kai_problem_body* b)
{
    const kai_problem* p = f->p;
    if (begin + 6 > p->velocities || !apart(p, begin, begin + 6)) return false;
    *b = (kai_problem_body){.v = (uint32_t)(begin + (spins_first ? 3 : 0)),
                            .w = (uint32_t)(begin + (spins_first ? 0 : 3))};
    const double size = kai_mat33_max_abs(block_at(&p->M, b->v, b->v));
    if (!mass_only(p, b->v) || !near(block_at(&p->M, b->v, b->w), kai_mat33_zero(), size))
        return false;
    return frames_fit(f, b, begin, begin + 6) && find_turn(f, b, begin);
}

static bool is_point(const finder* f, size_t begin, kai_problem_body* b)
{
    if (begin + 3 > f->p->velocities || !apart(f->p, begin, begin + 3)) return false;
    *b = (kai_problem_body){.v = (uint32_t)begin, .w = NONE, .turn = kai_mat33_identity()};
    return mass_only(f->p, begin) && frames_fit(f, b, begin, begin + 3);
}

// A compliance: one entry of H, in the column of a normal.
static bool is_soft(const finder* f, size_t i)
{
    if (!apart(f->p, i, i + 1) || f->Ht.first[i + 1] - f->Ht.first[i] != 1) return false;
    const uint32_t column = f->Ht.row[f->Ht.first[i]];
    if (column % 3 != 0 || f->soft[column / 3] != NONE) return false;
    f->soft[column / 3] = (uint32_t)i;
    return true;
}

static bool refuse(const finder* f, const char* what, size_t i, const char* why)
{
    snprintf(f->why, WHY, "%s %zu %s", what, i, why);
    return false;
}

static bool joined(const finder* f, size_t begin, size_t end)
{
    for (size_t i = begin; i < end && i < f->p->velocities; i++)
        if (f->joined[i]) return true;
    return false;
}

static bool find_velocities(finder* f)
{
    kai_problem_bodies* out = f->out;
    for (size_t i = 0; i < f->p->velocities;) {
        kai_problem_body b;
        if (touched(f, i, i + 1) && is_soft(f, i)) {
            i++;
            continue;
        }
        const bool six = is_body(f, i, false, &b) || is_body(f, i, true, &b);
        const bool any = six && (touched(f, i, i + 6) || joined(f, i, i + 6));
        if (!any && !touched(f, i, i + 1) && !(joined(f, i, i + 3) && is_point(f, i, &b))) {
            i++; // no contact touches it
            continue;
        }
        if (!any && !is_point(f, i, &b))
            return refuse(f, "velocity", i, "is not that of a rigid body or a point");
        const size_t end = i + (any ? 6 : 3);
        for (; i < end; i++) out->body_of[i] = (uint32_t)out->count;
        out->bodies[out->count++] = b;
    }
    return true;
}

// Contacts ---------------------------------------------------------------------------------------

static size_t entries_of(const kai_problem_matrix* a, size_t column)
{
    return a->first[column + 1] - a->first[column];
}

// Rows of joints with bounds: a push has nothing along its tangents; a band has a velocity of its own
// that holds its normal impulse, h r + f + M w / h = 0, and nothing along its second tangent.
static void find_bounds(finder* f)
{
    const kai_problem* p = f->p;
    for (size_t i = 0; i < p->contacts; i++) {
        const size_t n = entries_of(&p->H, 3 * i), t = entries_of(&p->H, 3 * i + 1);
        f->half[i] = (double)NAN;
        if (entries_of(&p->H, 3 * i + 2) > 0 || n == 0) continue;
        if (t == 0 && p->mu[i] == 0.0) f->half[i] = 0.0;
        const size_t z = p->H.row[p->H.first[3 * i]];
        if (t > 0 && n == 1 && entries_of(&f->Ht, z) == 1 && apart(p, z, z + 1)) {
            const double h = p->H.value[p->H.first[3 * i]];
            const double r = -(p->f[z] + value_at(&p->M, z, z) * p->w[3 * i] / h) / h;
            if (r > 0.0 && p->mu[i] > 0.0) f->half[i] = p->mu[i] * r;
        }
        if (isnan(f->half[i])) continue;
        const size_t column = 3 * i + (t > 0);
        for (size_t k = p->H.first[column]; k < p->H.first[column + 1]; k++)
            f->joined[p->H.row[k]] = true;
        f->out->bound_of[f->out->bound_count++] = (uint32_t)i;
    }
}

// The bodies of a contact, at most two.
static int bodies_of(const finder* f, size_t contact, uint32_t found[2])
{
    int count = 0;
    for (size_t j = 3 * contact; j < 3 * contact + 3; j++)
        for (size_t k = f->p->H.first[j]; k < f->p->H.first[j + 1]; k++) {
            const uint32_t body = f->out->body_of[f->p->H.row[k]];
            if (body == NONE || (count > 0 && found[0] == body) || (count > 1 && found[1] == body))
                continue;
            if (count == 2) return 3;
            found[count++] = body;
        }
    return count;
}

static kai_vec3 arm_of(const kai_problem* p, const kai_problem_body* b, size_t contact)
{
    if (b->w == NONE) return kai_vec3_zero();
    const kai_mat33 S = kai_mat33_mul(b->turn, lever(p, b, contact));
    return kai_vec3_make(kai_vec3_get(kai_mat33_row(S, 2), 1), kai_vec3_get(kai_mat33_row(S, 0), 2),
                         kai_vec3_get(kai_mat33_row(S, 1), 0));
}

// Ground that moves along the surface: a body of its own.
static void add_ground(finder* f, size_t contact, const kai_vec3* axes, kai_cone_contact* c)
{
    kai_problem_bodies* out = f->out;
    const double* w = &f->p->w[3 * contact];
    const kai_vec3 u = kai_vec3_add(kai_vec3_scale(axes[1], w[1]), kai_vec3_scale(axes[2], w[2]));
    c->a = (uint32_t)out->cones.body_count++;
    out->start[c->a] = (kai_cone_motion){.v = kai_vec3_neg(u)};
}

static bool find_contact(finder* f, size_t i)
{
    const kai_problem* p = f->p;
    kai_problem_bodies* out = f->out;
    uint32_t sides[2] = {NONE, NONE};
    const int count = bodies_of(f, i, sides);
    if (count == 0 || count > 2) return refuse(f, "contact", i, "is not one of one or two bodies");
    const kai_problem_body* b = &out->bodies[sides[0]];
    const kai_mat33 E = block_at(&p->H, b->v, 3 * i);
    const size_t at = out->cones.contact_count++;
    kai_cone_contact* c = &out->contacts[at];
    out->contact_of[at] = (uint32_t)i;
    for (int k = 0; k < 3; k++) out->axes[at][k] = kai_mat33_column(E, k);
    *c = (kai_cone_contact){.a = NONE,
                            .b = sides[0],
                            .normal = kai_vec3_normalize(out->axes[at][0]),
                            .arm_b = arm_of(p, b, i),
                            .bias = p->w[3 * i],
                            .friction = p->mu[i]};
    const bool moves = p->w[3 * i + 1] != 0.0 || p->w[3 * i + 2] != 0.0;
    if (count == 2) {
        const kai_problem_body* a = &out->bodies[sides[1]];
        if (!near(block_at(&p->H, a->v, 3 * i), kai_mat33_scale(E, -1.0), 1.0))
            return refuse(f, "contact", i, "has different axes on its two bodies");
        if (moves) return refuse(f, "contact", i, "of two bodies has a tangential part of w");
        c->a = sides[1];
        c->arm_a = arm_of(p, a, i);
    } else if (moves) {
        add_ground(f, i, out->axes[at], c);
    }
    if (f->soft[i] == NONE) return true;
    const double h = value_at(&p->H, f->soft[i], 3 * i),
                 m = value_at(&p->M, f->soft[i], f->soft[i]);
    c->compliance = h * h / m;
    c->bias += h * p->f[f->soft[i]] / m;
    return true;
}

static bool find_body(finder* f, size_t i)
{
    const kai_problem* p = f->p;
    const kai_problem_body* b = &f->out->bodies[i];
    kai_cone_motion* m = &f->out->start[i];
    const double mass = value_at(&p->M, b->v, b->v);
    *m = (kai_cone_motion){.inverse_mass = 1.0 / mass};
    m->v = kai_vec3_scale(kai_vec3_make(p->f[b->v], p->f[b->v + 1], p->f[b->v + 2]), 1.0 / mass);
    if (b->w == NONE) return true;
    kai_mat33 inverse;
    if (!kai_mat33_inverse(block_at(&p->M, b->w, b->w), &inverse))
        return refuse(f, "velocity", b->w, "has no regular inertia");
    const kai_vec3 L = kai_vec3_make(p->f[b->w], p->f[b->w + 1], p->f[b->w + 2]);
    m->w = kai_mat33_mul_vec(b->turn, kai_mat33_mul_vec(inverse, L));
    const kai_mat33 J = kai_mat33_rotate_tensor(b->turn, inverse);
    const kai_vec3 x = kai_mat33_row(J, 0), y = kai_mat33_row(J, 1), z = kai_mat33_row(J, 2);
    const double inertia[6] = {x.x, y.y, z.z, x.y, x.z, y.z};
    const bool same = x.x == y.y && x.x == z.z && x.y == 0.0 && x.z == 0.0 && y.z == 0.0;
    m->inverse_moment = same ? x.x : -1.0;
    memcpy(f->out->inertia[i], inertia, sizeof inertia);
    return true;
}

// Equations --------------------------------------------------------------------------------------

static void add_factor(const finder* f, size_t velocity, double value, kai_cone_row* row)
{
    kai_problem_bodies* out = f->out;
    const uint32_t body = out->body_of[velocity];
    const kai_problem_body* b = &out->bodies[body];
    uint32_t k = row->first;
    while (k < row->first + row->count && out->pieces[k].body != body) k++;
    kai_cone_piece* piece = &out->pieces[k];
    if (k == row->first + row->count) {
        row->count++;
        *piece = (kai_cone_piece){.body = body};
    }
    if (velocity >= b->v && velocity < b->v + 3) {
        piece->factor[velocity - b->v] += value;
        return;
    }
    const kai_vec3 w = kai_vec3_scale(kai_mat33_column(b->turn, (int)(velocity - b->w)), value);
    for (int i = 0; i < 3; i++) piece->factor[3 + i] += kai_vec3_get(w, i);
}

// Whether a column couples bodies alone.
static bool of_bodies(const finder* f, const kai_problem_matrix* a, size_t column)
{
    for (size_t k = a->first[column]; k < a->first[column + 1]; k++)
        if (f->out->body_of[a->row[k]] == NONE) return false;
    return true;
}

static size_t bound_column(const finder* f, size_t bound)
{
    const size_t i = f->out->bound_of[bound];
    return 3 * i + (f->half[i] > 0.0 ? 1 : 0);
}

static void make_row(const finder* f, const kai_problem_matrix* a, size_t column, kai_cone_row row,
                     kai_cone_row* out)
{
    *out = row;
    for (size_t k = a->first[column]; k < a->first[column + 1]; k++)
        add_factor(f, a->row[k], a->value[k], out);
}

// Columns of G and bounds as rows, where they couple bodies alone.
static bool make_rows(finder* f)
{
    const kai_problem* p = f->p;
    kai_problem_bodies* out = f->out;
    const double infinite = (double)INFINITY;
    size_t count = p->equations > 0 ? p->G.first[p->equations] : 0;
    for (size_t j = 0; j < p->equations; j++)
        if (!of_bodies(f, &p->G, j)) return true;
    for (size_t j = 0; j < out->bound_count; j++) {
        if (!of_bodies(f, &p->H, bound_column(f, j))) return true;
        count += entries_of(&p->H, bound_column(f, j));
    }
    const size_t n = p->equations + out->bound_count;
    out->rows = calloc(n + 1, sizeof *out->rows);
    out->pieces = calloc(count + 1, sizeof *out->pieces);
    out->multiplier = calloc(n + 1, sizeof *out->multiplier);
    if (!out->rows || !out->pieces || !out->multiplier) return false;
    kai_cone_row row = {.low = -infinite, .high = infinite};
    for (size_t j = 0; j < n; j++) {
        const bool bound = j >= p->equations;
        const size_t column = bound ? bound_column(f, j - p->equations) : j;
        const double half = bound ? f->half[column / 3] : infinite;
        row.rate = bound ? -p->w[column] : -p->b[j];
        row.low = -half;
        row.high = half > 0.0 ? half : infinite;
        make_row(f, bound ? &p->H : &p->G, column, row, &out->rows[j]);
        row.first += out->rows[j].count;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------

static kai_result transpose(const kai_problem_matrix* a, kai_problem_matrix* out, kai_error* err)
{
    const size_t count = a->first[a->columns];
    uint32_t* j = malloc((count + 1) * sizeof *j);
    if (j == NULL) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for %zu entries", count);
    for (size_t c = 0; c < a->columns; c++)
        for (size_t k = a->first[c]; k < a->first[c + 1]; k++) j[k] = (uint32_t)c;
    const kai_result r =
        kai_problem_matrix_make(a->columns, a->rows, count, j, a->row, a->value, out, err);
    free(j);
    return r;
}

static bool take(const kai_problem* p, kai_problem_bodies* out, finder* f)
{
    const size_t most = p->velocities / 3 + p->contacts + 1; // bodies, and ground that moves
    out->bodies = calloc(p->velocities / 3 + 1, sizeof *out->bodies);
    out->body_of = malloc((p->velocities + 1) * sizeof *out->body_of);
    out->axes = calloc(p->contacts + 1, sizeof *out->axes);
    out->start = calloc(most, sizeof *out->start);
    out->motion = calloc(most, sizeof *out->motion);
    out->inertia = calloc(most, sizeof *out->inertia);
    out->contacts = calloc(p->contacts + 1, sizeof *out->contacts);
    out->impulse = calloc(p->contacts + 1, sizeof *out->impulse);
    out->contact_of = calloc(p->contacts + 1, sizeof *out->contact_of);
    out->bound_of = calloc(p->contacts + 1, sizeof *out->bound_of);
    f->soft = malloc((p->contacts + 1) * sizeof *f->soft);
    f->half = kai_problem_numbers(p->contacts);
    f->joined = calloc(p->velocities + 1, sizeof *f->joined);
    if (!out->bodies || !out->body_of || !out->axes || !out->start || !out->motion ||
        !out->inertia || !out->contacts || !out->impulse || !out->contact_of || !out->bound_of ||
        !f->soft || !f->half || !f->joined)
        return false;
    memset(out->body_of, 0xff, p->velocities * sizeof *out->body_of);
    memset(f->soft, 0xff, p->contacts * sizeof *f->soft);
    for (size_t k = 0; p->equations > 0 && k < p->G.first[p->equations]; k++)
        f->joined[p->G.row[k]] = true;
    return true;
}

static bool find(finder* f)
{
    kai_problem_bodies* out = f->out;
    find_bounds(f);
    if (!find_velocities(f)) return false;
    out->cones.body_count = out->count;
    for (size_t i = 0; i < out->count; i++)
        if (!find_body(f, i)) return false;
    for (size_t i = 0; i < f->p->contacts; i++)
        if (isnan(f->half[i]) && !find_contact(f, i)) return false;
    for (size_t j = 0; j < f->p->equations; j++)
        for (size_t k = f->p->G.first[j]; k < f->p->G.first[j + 1]; k++) {
            const size_t i = f->p->G.row[k];
            if (out->body_of[i] == NONE && touched(f, i, i + 1))
                return refuse(f, "equation", j, "couples the compliance of a contact");
        }
    out->cones.motion = out->motion;
    out->cones.inertia = (const double(*)[6])out->inertia;
    out->cones.contacts = out->contacts;
    out->cones.impulse = out->impulse;
    return true;
}

kai_result kai_problem_bodies_find(const kai_problem* p, kai_problem_bodies* out, bool* found,
                                   char why[160], kai_error* err)
{
    *out = (kai_problem_bodies){0};
    *found = false;
    why[0] = '\0';
    if (!p->global) {
        snprintf(why, WHY, "the problem is local");
        return KAI_OK;
    }
    finder f = {.p = p, .out = out, .why = why};
    kai_result r = transpose(&p->H, &f.Ht, err);
    if (r == KAI_OK && !take(p, out, &f))
        r = kai_error_set(err, KAI_ERROR_MEMORY, "no memory for the bodies of the problem");
    if (r == KAI_OK) *found = find(&f);
    if (*found && !make_rows(&f))
        r = kai_error_set(err, KAI_ERROR_MEMORY, "no memory for the joints of the problem");
    free(f.soft);
    free(f.joined);
    free(f.half);
    kai_problem_matrix_free(&f.Ht);
    return r;
}

void kai_problem_bodies_free(kai_problem_bodies* bodies)
{
    void* const blocks[] = {
        bodies->bodies,     bodies->body_of,    bodies->axes,    bodies->start, bodies->motion,
        bodies->inertia,    bodies->contacts,   bodies->impulse, bodies->rows,  bodies->pieces,
        bodies->multiplier, bodies->contact_of, bodies->bound_of};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
    *bodies = (kai_problem_bodies){0};
}
