// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/cone_newton_work.h"

#include <string.h>

typedef kai_cone_newton_work work;
typedef kai_cone_newton_point point;
typedef kai_cone_newton_bar bar;

/// Weights at first, over masses: of contacts and of rows with bounds; of other rows.
static const double SOFT = 10.0, HOLD = 1e10;

/// Unknowns from which on threads pay.
enum { MANY = 3000 };

// Bodies -----------------------------------------------------------------------------------------

/// The numbers of a body that move: first, end.
static int first_of(const kai_cone_motion* body) { return body->inverse_mass > 0.0 ? 0 : 3; }
static int end_of(const kai_cone_motion* body) { return body->inverse_moment != 0.0 ? 6 : 3; }

static kai_cone_pair motion_of(const work* w, const double* x, uint32_t node)
{
    const double* at = x + kai_cone_matrix_place(w->matrix, node);
    kai_cone_pair out = {kai_vec3_make(at[0], at[1], at[2]), kai_vec3_zero()};
    if (((const kai_ldl_node*)w->matrix->nodes.data)[node].rows > 3)
        out.k = kai_vec3_make(at[3], at[4], at[5]);
    return out;
}

static void multiply(const double* m, const double* x, double* out)
{
    const double a = x[0], b = x[1], c = x[2];
    out[0] = m[0] * a + m[3] * b + m[4] * c;
    out[1] = m[3] * a + m[1] * b + m[5] * c;
    out[2] = m[4] * a + m[5] * b + m[2] * c;
}

static void weigh(const work* w, uint32_t node, bool inverse, const double* x, double* out)
{
    const uint32_t i = ((const uint32_t*)w->matrix->body_of.data)[node];
    const kai_cone_motion* body = &w->problem->motion[i];
    const size_t at = kai_cone_matrix_place(w->matrix, node);
    for (size_t k = at; k < at + 3; k++)
        out[k] = body->inverse_mass <= 0.0 ? 0.0
                 : inverse                 ? x[k] * body->inverse_mass
                                           : x[k] / body->inverse_mass;
    const double same = body->inverse_moment;
    if (same == 0.0) return;
    if (inverse && same > 0.0)
        for (size_t k = at + 3; k < at + 6; k++) out[k] = same * x[k];
    else
        multiply(inverse ? w->problem->inertia[i]
                         : (const double*)w->matrix->moments.data + 6 * (size_t)node,
                 x + at + 3, out + at + 3);
}

void kai_cone_newton_work_weigh(const work* w, bool inverse, const double* x, double* out)
{
    for (uint32_t n = 0; n < w->matrix->movers; n++) weigh(w, n, inverse, x, out);
}

// Contacts ---------------------------------------------------------------------------------------

static void add_motion(kai_cone_pair* u, kai_cone_pair m, kai_vec3 arm, double sign)
{
    u->f = kai_vec3_mul_add(u->f, kai_vec3_add(m.f, kai_vec3_cross(m.k, arm)), sign);
    u->k = kai_vec3_mul_add(u->k, m.k, sign);
}

kai_cone_pair kai_cone_newton_work_speed(const work* w, const point* c, const double* x)
{
    kai_cone_pair u = {kai_vec3_zero(), kai_vec3_zero()};
    if (c->b != UINT32_MAX) add_motion(&u, motion_of(w, x, c->b), c->contact->arm_b, 1.0);
    if (c->a != UINT32_MAX) add_motion(&u, motion_of(w, x, c->a), c->contact->arm_a, -1.0);
    u.k = kai_vec3_scale(u.k, c->length);
    return u;
}

static void push_node(const work* w, double* x, uint32_t node, kai_vec3 arm, double length,
                      kai_cone_pair g, double s)
{
    const kai_cone_motion* body =
        &w->problem->motion[((const uint32_t*)w->matrix->body_of.data)[node]];
    const kai_vec3 turn = kai_vec3_mul_add(kai_vec3_cross(arm, g.f), g.k, length);
    const double all[6] = {g.f.x, g.f.y, g.f.z, turn.x, turn.y, turn.z};
    double* at = x + kai_cone_matrix_place(w->matrix, node);
    for (int k = first_of(body); k < end_of(body); k++) at[k] += s * all[k];
}

void kai_cone_newton_work_push(const work* w, const point* c, kai_cone_pair g, double s, double* x)
{
    if (c->b != UINT32_MAX) push_node(w, x, c->b, c->contact->arm_b, c->length, g, s);
    if (c->a != UINT32_MAX) push_node(w, x, c->a, c->contact->arm_a, c->length, g, -s);
}

kai_cone_pair kai_cone_newton_work_slope(const point* c, kai_cone_pair u, double s)
{
    const double in[6] = {u.f.x, u.f.y, u.f.z, u.k.x, u.k.y, u.k.z};
    const int d = c->cone.couples ? 6 : 3;
    double out[6] = {0.0};
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) out[i] += s * c->slope[i * d + j] * in[j];
    return (kai_cone_pair){{out[0], out[1], out[2]}, {out[3], out[4], out[5]}};
}

// Rows -------------------------------------------------------------------------------------------

double kai_cone_newton_work_row_speed(const work* w, const kai_cone_row* row, const double* x)
{
    double sum = 0.0;
    for (uint32_t k = row->first; k < row->first + row->count; k++) {
        const kai_cone_piece* piece = &w->problem->pieces[k];
        const uint32_t node = kai_cone_matrix_node(w->matrix, piece->body);
        if (node == UINT32_MAX) continue;
        const kai_cone_motion* body = &w->problem->motion[piece->body];
        const double* at = x + kai_cone_matrix_place(w->matrix, node);
        for (int i = first_of(body); i < end_of(body); i++) sum += piece->factor[i] * at[i];
    }
    return sum;
}

void kai_cone_newton_work_push_row(const work* w, const kai_cone_row* row, double impulse,
                                   double* x)
{
    for (uint32_t k = row->first; k < row->first + row->count; k++) {
        const kai_cone_piece* piece = &w->problem->pieces[k];
        const uint32_t node = kai_cone_matrix_node(w->matrix, piece->body);
        if (node == UINT32_MAX) continue;
        const kai_cone_motion* body = &w->problem->motion[piece->body];
        double* at = x + kai_cone_matrix_place(w->matrix, node);
        for (int i = first_of(body); i < end_of(body); i++) at[i] += impulse * piece->factor[i];
    }
}

// Set-up -----------------------------------------------------------------------------------------

/// What a side of a contact adds to n·N n, and to the mean inverse moment.
static void add_response(const work* w, uint32_t body, uint32_t node, kai_vec3 arm, kai_vec3 n,
                         double* stiff, double* moment)
{
    if (node == UINT32_MAX) return;
    const kai_cone_motion* m = &w->problem->motion[body];
    const kai_vec3 l = kai_vec3_cross(arm, n);
    *stiff += m->inverse_mass;
    if (m->inverse_moment >= 0.0) {
        *stiff += m->inverse_moment * kai_vec3_norm2(l);
        *moment += m->inverse_moment;
        return;
    }
    const double *q = w->problem->inertia[body], in[3] = {l.x, l.y, l.z};
    double out[3];
    multiply(q, in, out);
    *stiff += in[0] * out[0] + in[1] * out[1] + in[2] * out[2];
    *moment += (q[0] + q[1] + q[2]) / 3.0;
}

/// The relative velocity and bias before the solution.
static kai_cone_pair speed_before(const work* w, const kai_cone_contact* c, double length)
{
    const kai_cone_motion* motion = w->problem->motion;
    kai_cone_pair u = {kai_vec3_zero(), kai_vec3_zero()};
    if (c->b != KAI_CONE_NONE)
        add_motion(&u, (kai_cone_pair){motion[c->b].v, motion[c->b].w}, c->arm_b, 1.0);
    if (c->a != KAI_CONE_NONE)
        add_motion(&u, (kai_cone_pair){motion[c->a].v, motion[c->a].w}, c->arm_a, -1.0);
    return (kai_cone_pair){kai_vec3_mul_add(u.f, c->normal, c->bias), kai_vec3_scale(u.k, length)};
}

/// Contacts of which nothing moves are left out.
static void begin_point(work* w, uint32_t i)
{
    const kai_cone_problem* p = w->problem;
    const kai_cone_contact* c = &p->contacts[i];
    point* at = &w->points[w->count];
    *at = (point){.contact = c, .index = i};
    at->a = kai_cone_matrix_node(w->matrix, c->a);
    at->b = kai_cone_matrix_node(w->matrix, c->b);
    double stiff = 0.0, moment = 0.0;
    add_response(w, c->a, at->a, c->arm_a, c->normal, &stiff, &moment);
    add_response(w, c->b, at->b, c->arm_b, c->normal, &stiff, &moment);
    if (!(stiff > 0.0)) return;
    at->mass = 1.0 / (stiff + c->compliance);
    at->weight = SOFT * at->mass;
    at->stiff = c->compliance * at->weight;
    const bool couples = p->couple && (c->rolling > 0.0 || c->spinning > 0.0) && moment > 0.0;
    at->length = couples ? sqrt(stiff / moment) : 0.0;
    at->cone = kai_cone_friction_of(c, at->length, p->smooth);
    at->speed = speed_before(w, c, at->length);
    kai_cone_pair g = {p->impulse[i], kai_vec3_zero()};
    if (at->cone.couples) g.k = kai_vec3_scale(p->couple[i], 1.0 / at->length);
    at->guess = kai_cone_friction_nearest(&at->cone, g, 0.0, NULL);
    w->count++;
}

/// G M⁻¹ Gᵀ of a row; with two vectors as scratch.
static double softness(const work* w, const kai_cone_row* row)
{
    double sum = 0.0;
    for (uint32_t k = row->first; k < row->first + row->count; k++) {
        const kai_cone_piece* piece = &w->problem->pieces[k];
        const kai_cone_motion* body = &w->problem->motion[piece->body];
        const uint32_t node = kai_cone_matrix_node(w->matrix, piece->body);
        if (node == UINT32_MAX) continue;
        const size_t at = kai_cone_matrix_place(w->matrix, node);
        double *f = w->gradient + at, *v = w->step + at;
        for (int i = 0; i < end_of(body); i++) f[i] = i < first_of(body) ? 0.0 : piece->factor[i];
        weigh(w, node, true, w->gradient, w->step);
        for (int i = first_of(body); i < end_of(body); i++) sum += f[i] * v[i];
    }
    return sum;
}

static void begin_bar(work* w, uint32_t group, uint32_t place, uint32_t r)
{
    const kai_cone_problem* p = w->problem;
    const kai_cone_row* row = &p->rows[r];
    bar* b = &w->bars[r];
    *b = (bar){.row = row, .group = group, .place = place, .speed = -row->rate};
    for (uint32_t k = row->first; k < row->first + row->count; k++) {
        const kai_cone_motion* m = &p->motion[p->pieces[k].body];
        const double* f = p->pieces[k].factor;
        b->speed += f[0] * m->v.x + f[1] * m->v.y + f[2] * m->v.z + f[3] * m->w.x + f[4] * m->w.y +
                    f[5] * m->w.z;
    }
    const double stiff = softness(w, row);
    b->bounded = isfinite(row->low) || isfinite(row->high);
    b->mass = stiff > 0.0 ? 1.0 / stiff : 0.0;
    b->weight = (b->bounded ? SOFT : HOLD) * b->mass;
    b->guess = b->impulse = fmin(fmax(p->multiplier[r], row->low), row->high);
}

static kai_result take_vectors(work* w)
{
    const kai_cone_matrix* m = w->matrix;
    kai_array* vectors = &w->newton->vectors;
    w->unknowns = m->nodes.count > 0 ? ((const uint32_t*)m->ldl.first_row.data)[m->nodes.count] : 0;
    w->threads = w->unknowns < MANY ? 1 : w->options->threads;
    KAI_TRY(kai_array_resize(vectors, m->memory, 5 * w->unknowns, w->err));
    w->x = vectors->data;
    if (w->unknowns > 0) memset(w->x, 0, 5 * w->unknowns * sizeof *w->x);
    w->step = w->x + w->unknowns;
    w->gradient = w->step + w->unknowns;
    w->free = w->gradient + w->unknowns;
    w->kept = w->free + w->unknowns;
    return KAI_OK;
}

kai_result kai_cone_newton_work_begin(work* w)
{
    kai_cone_newton* newton = w->newton;
    kai_memory* memory = w->matrix->memory;
    const kai_cone_problem* p = w->problem;
    KAI_TRY(kai_cone_matrix_lay(w->matrix, p, w->options->stop, w->err));
    KAI_TRY(kai_array_reserve(&newton->points, memory, p->contact_count, w->err));
    KAI_TRY(kai_array_reserve(&newton->bars, memory, p->row_count, w->err));
    KAI_TRY(take_vectors(w));
    w->points = newton->points.data;
    w->bars = newton->bars.data;
    w->stiff = SOFT;
    for (uint32_t i = 0; i < p->contact_count; i++) begin_point(w, i);
    for (uint32_t g = 0; g < w->matrix->groups.count; g++) {
        const kai_cone_group* group = (const kai_cone_group*)w->matrix->groups.data + g;
        for (uint32_t r = 0; r < group->count; r++) begin_bar(w, g, r, group->row + r);
    }
    return KAI_OK;
}
