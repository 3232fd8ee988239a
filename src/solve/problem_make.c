// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/problem_make.h"

#include "solve/cone_values.h"

#include <math.h>
#include <stdlib.h>

static const uint32_t NONE = UINT32_MAX;

// Entries of a matrix as they come.
typedef struct entries {
    uint32_t *i, *j;
    double* x;
    size_t count, room;
} entries;

typedef struct maker {
    const kai_cone_problem* cones;
    kai_problem* p;
    uint32_t *at_v, *at_w; // [bodies] first velocity; NONE: has none
    size_t extra;          // the next velocity that is none of bodies
    size_t contact;        // the next contact that stands for a row
    entries M, H, G;
} maker;

static bool take_entries(entries* e, size_t room)
{
    *e = (entries){.room = room};
    e->i = malloc((room + 1) * sizeof *e->i);
    e->j = malloc((room + 1) * sizeof *e->j);
    e->x = malloc((room + 1) * sizeof *e->x);
    return e->i != NULL && e->j != NULL && e->x != NULL;
}

static void free_entries(entries* e)
{
    free(e->i);
    free(e->j);
    free(e->x);
}

static void add(entries* e, size_t i, size_t j, double x)
{
    if (x == 0.0) return;
    e->i[e->count] = (uint32_t)i;
    e->j[e->count] = (uint32_t)j;
    e->x[e->count++] = x;
}

void kai_problem_make_axes(const kai_cone_contact* contact, kai_vec3 axes[3])
{
    axes[0] = contact->normal;
    axes[1] = kai_vec3_perpendicular(contact->normal);
    axes[2] = kai_vec3_cross(axes[0], axes[1]);
}

// Rows of joints ---------------------------------------------------------------------------------

// What a row becomes. Impulses of bands are c + t, |t| ≤ half of the band.
typedef enum row_form {
    ROW_EQUATION, // a column of G
    ROW_ABOVE,    // a contact without friction that pushes: λ = low + r
    ROW_BELOW,    // likewise, λ = high - r
    ROW_BAND,     // friction of a contact whose normal impulse is held by a velocity of its own
    ROW_GIVEN     // low = high: no more than a push
} row_form;

static row_form form_of(const kai_cone_row* row)
{
    const bool low = isfinite(row->low), high = isfinite(row->high);
    if (low && high) return row->low < row->high ? ROW_BAND : ROW_GIVEN;
    return low ? ROW_ABOVE : high ? ROW_BELOW : ROW_EQUATION;
}

// Contacts and equations that rows become.
static void count_rows(const kai_cone_problem* c, size_t* contacts, size_t* equations)
{
    *contacts = *equations = 0;
    for (size_t i = 0; i < c->row_count; i++) {
        const row_form form = form_of(&c->rows[i]);
        *equations += form == ROW_EQUATION;
        *contacts += form == ROW_ABOVE || form == ROW_BELOW || form == ROW_BAND;
    }
}

// What the form has no place for -----------------------------------------------------------------

static kai_result check_form(const kai_cone_problem* c, bool associated, kai_error* err)
{
    for (size_t i = 0; associated && i < c->row_count; i++)
        if (form_of(&c->rows[i]) == ROW_BAND)
            return kai_error_set(err, KAI_ERROR_UNSUPPORTED,
                                 "row %zu of joints has friction or a motor with a limit, which a "
                                 "problem file has a place for with Coulomb's law alone",
                                 i);
    if (c->project != NULL)
        return kai_error_set(err, KAI_ERROR_UNSUPPORTED,
                             "joints or elements are solved beside the contacts; a problem file "
                             "can hold contacts of bodies alone");
    for (size_t i = 0; !c->smooth && c->couple != NULL && i < c->contact_count; i++)
        if (c->contacts[i].rolling > 0.0 || c->contacts[i].spinning > 0.0)
            return kai_error_set(err, KAI_ERROR_UNSUPPORTED,
                                 "contact %zu has rolling or spinning friction, which a problem "
                                 "file has no place for",
                                 i);
    return KAI_OK;
}

// Velocities -------------------------------------------------------------------------------------

static void number_bodies(maker* m)
{
    const kai_cone_problem* c = m->cones;
    for (size_t i = 0; i < c->body_count; i++) m->at_v[i] = m->at_w[i] = NONE;
    for (size_t i = 0; i < c->contact_count; i++) {
        const uint32_t sides[2] = {c->contacts[i].a, c->contacts[i].b};
        for (int k = 0; k < 2; k++)
            if (sides[k] != KAI_CONE_NONE) m->at_v[sides[k]] = 0;
    }
    for (size_t i = 0; i < c->row_count; i++)
        for (uint32_t k = 0; k < c->rows[i].count; k++)
            m->at_v[c->pieces[c->rows[i].first + k].body] = 0;
    size_t n = 0;
    for (size_t i = 0; i < c->body_count; i++) {
        const bool touched = m->at_v[i] == 0;
        m->at_v[i] = NONE;
        if (touched && c->motion[i].inverse_mass > 0.0) m->at_v[i] = (uint32_t)n, n += 3;
        if (touched && c->motion[i].inverse_moment != 0.0) m->at_w[i] = (uint32_t)n, n += 3;
    }
    m->extra = n;
    for (size_t i = 0; i < c->contact_count; i++) n += c->contacts[i].compliance > 0.0;
    for (size_t i = 0; i < c->row_count; i++) n += form_of(&c->rows[i]) == ROW_BAND;
    m->p->velocities = n;
}

static void add_bodies(maker* m)
{
    const kai_cone_problem* c = m->cones;
    double* f = m->p->f;
    for (size_t i = 0; i < c->body_count; i++) {
        const kai_cone_motion* b = &c->motion[i];
        const uint32_t v = m->at_v[i], w = m->at_w[i];
        for (int k = 0; v != NONE && k < 3; k++) {
            add(&m->M, v + k, v + k, 1.0 / b->inverse_mass);
            f[v + k] = kai_vec3_get(b->v, k) / b->inverse_mass;
        }
        if (w == NONE) continue;
        double J[6];
        static const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
        kai_cone_values_inertia(c, i, J);
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++) {
                add(&m->M, w + k, w + l, J[at[k][l]]);
                f[w + k] += J[at[k][l]] * kai_vec3_get(b->w, l);
            }
    }
}

// Contacts ---------------------------------------------------------------------------------------

// The part of one side in a column of H; what has no unknown is added to w.
static void add_side(maker* m, size_t column, uint32_t body, kai_vec3 arm, kai_vec3 axis)
{
    if (body == KAI_CONE_NONE) return;
    const kai_cone_motion* motion = &m->cones->motion[body];
    const kai_vec3 turn = kai_vec3_cross(arm, axis);
    const uint32_t v = m->at_v[body], w = m->at_w[body];
    if (v == NONE) m->p->w[column] += kai_vec3_dot(axis, motion->v);
    if (w == NONE) m->p->w[column] += kai_vec3_dot(turn, motion->w);
    for (int k = 0; k < 3; k++) {
        if (v != NONE) add(&m->H, v + k, column, kai_vec3_get(axis, k));
        if (w != NONE) add(&m->H, w + k, column, kai_vec3_get(turn, k));
    }
}

static void add_contacts(maker* m)
{
    const kai_cone_problem* c = m->cones;
    kai_problem* p = m->p;
    for (size_t i = 0; i < c->contact_count; i++) {
        const kai_cone_contact* row = &c->contacts[i];
        kai_vec3 axes[3];
        kai_problem_make_axes(row, axes);
        p->mu[i] = c->smooth ? 0.0 : row->friction;
        p->w[3 * i] += row->bias;
        for (int k = 0; k < 3; k++) {
            add_side(m, 3 * i + k, row->b, row->arm_b, axes[k]);
            add_side(m, 3 * i + k, row->a, row->arm_a, kai_vec3_neg(axes[k]));
        }
        if (!(row->compliance > 0.0)) continue;
        add(&m->M, m->extra, m->extra, 1.0 / row->compliance);
        add(&m->H, m->extra++, 3 * i, 1.0);
    }
}

// Joints -----------------------------------------------------------------------------------------

// A row, times s, as a column of H or G. Returns what bodies without unknowns add to its velocity.
static double add_row(const maker* m, const kai_cone_row* row, double s, entries* to, size_t column)
{
    const kai_cone_problem* c = m->cones;
    double given = 0.0;
    for (uint32_t k = row->first; k < row->first + row->count; k++) {
        const kai_cone_piece* piece = &c->pieces[k];
        const kai_cone_motion* b = &c->motion[piece->body];
        const uint32_t v = m->at_v[piece->body], w = m->at_w[piece->body];
        for (int i = 0; i < 3; i++) {
            if (v != NONE) add(to, v + i, column, s * piece->factor[i]);
            if (v == NONE) given += s * piece->factor[i] * kai_vec3_get(b->v, i);
            if (w != NONE) add(to, w + i, column, s * piece->factor[3 + i]);
            if (w == NONE) given += s * piece->factor[3 + i] * kai_vec3_get(b->w, i);
        }
    }
    return given;
}

// An impulse of a row that is there in any case.
static void push_row(const maker* m, const kai_cone_row* row, double impulse)
{
    for (uint32_t k = row->first; k < row->first + row->count; k++) {
        const kai_cone_piece* piece = &m->cones->pieces[k];
        const uint32_t v = m->at_v[piece->body], w = m->at_w[piece->body];
        for (int i = 0; i < 3; i++) {
            if (v != NONE) m->p->f[v + i] += piece->factor[i] * impulse;
            if (w != NONE) m->p->f[w + i] += piece->factor[3 + i] * impulse;
        }
    }
}

// What a unit of a row's impulse changes its velocity by, for bodies as if their moments were one.
static double weigh_row(const maker* m, const kai_cone_row* row)
{
    double sum = 0.0;
    for (uint32_t k = row->first; k < row->first + row->count; k++) {
        const kai_cone_piece* piece = &m->cones->pieces[k];
        const kai_cone_motion* b = &m->cones->motion[piece->body];
        const double* I = m->cones->inertia ? m->cones->inertia[piece->body] : NULL;
        const double turn = b->inverse_moment >= 0.0 ? b->inverse_moment
                            : I                      ? (I[0] + I[1] + I[2]) / 3.0
                                                     : 0.0;
        for (int i = 0; i < 6; i++)
            sum += (i < 3 ? b->inverse_mass : turn) * piece->factor[i] * piece->factor[i];
    }
    return sum > 0.0 ? sum : 1.0;
}

// Friction whose normal impulse is `half`: z with M z = r_n - half, and u_n = z, is zero only there.
static void add_band(maker* m, const kai_cone_row* row)
{
    kai_problem* p = m->p;
    const size_t i = m->contact++, z = m->extra++;
    const double half = 0.5 * (row->high - row->low);
    add(&m->M, z, z, 1.0 / weigh_row(m, row));
    add(&m->H, z, 3 * i, 1.0);
    p->f[z] = -half;
    p->mu[i] = 1.0;
    p->w[3 * i + 1] = add_row(m, row, 1.0, &m->H, 3 * i + 1) - row->rate;
    push_row(m, row, row->low + half);
}

static void add_bound(maker* m, const kai_cone_row* row, double sign, double bound)
{
    const size_t i = m->contact++;
    m->p->w[3 * i] = add_row(m, row, sign, &m->H, 3 * i) - sign * row->rate;
    push_row(m, row, bound);
}

static void add_rows(maker* m)
{
    size_t equation = 0;
    for (size_t i = 0; i < m->cones->row_count; i++) {
        const kai_cone_row* row = &m->cones->rows[i];
        switch (form_of(row)) {
        case ROW_EQUATION:
            m->p->b[equation] = add_row(m, row, 1.0, &m->G, equation) - row->rate;
            equation++;
            break;
        case ROW_ABOVE: add_bound(m, row, 1.0, row->low); break;
        case ROW_BELOW: add_bound(m, row, -1.0, row->high); break;
        case ROW_BAND: add_band(m, row); break;
        case ROW_GIVEN: push_row(m, row, row->low); break;
        }
    }
}

static bool take(maker* m)
{
    kai_problem* p = m->p;
    const kai_cone_problem* c = m->cones;
    size_t rows = 0, pieces = 0;
    m->at_v = malloc((c->body_count + 1) * sizeof *m->at_v);
    m->at_w = malloc((c->body_count + 1) * sizeof *m->at_w);
    if (m->at_v == NULL || m->at_w == NULL) return false;
    number_bodies(m);
    count_rows(c, &rows, &p->equations);
    for (size_t i = 0; i < c->row_count; i++) pieces += c->rows[i].count;
    p->global = true;
    p->contacts = c->contact_count + rows;
    m->contact = c->contact_count;
    return take_entries(&m->M, 12 * c->body_count + p->contacts) &&
           take_entries(&m->H, 37 * p->contacts + 6 * pieces) && take_entries(&m->G, 6 * pieces) &&
           (p->f = kai_problem_numbers(p->velocities)) != NULL &&
           (p->w = kai_problem_numbers(3 * p->contacts)) != NULL &&
           (p->b = kai_problem_numbers(p->equations)) != NULL &&
           (p->mu = kai_problem_numbers(p->contacts)) != NULL;
}

static kai_result fill(maker* m, kai_error* err)
{
    kai_problem* p = m->p;
    if (!take(m)) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a problem");
    add_bodies(m);
    add_contacts(m);
    add_rows(m);
    KAI_TRY(kai_problem_matrix_make(p->velocities, p->velocities, m->M.count, m->M.i, m->M.j,
                                    m->M.x, &p->M, err));
    KAI_TRY(kai_problem_matrix_make(p->velocities, 3 * p->contacts, m->H.count, m->H.i, m->H.j,
                                    m->H.x, &p->H, err));
    return kai_problem_matrix_make(p->velocities, p->equations, m->G.count, m->G.i, m->G.j, m->G.x,
                                   &p->G, err);
}

kai_result kai_problem_make(const kai_cone_problem* cones, bool associated, kai_problem** out,
                            kai_error* err)
{
    *out = NULL;
    KAI_TRY(check_form(cones, associated, err));
    maker m = {.cones = cones, .p = kai_problem_new()};
    if (m.p == NULL) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a problem");
    const kai_result r = fill(&m, err);
    free(m.at_v);
    free(m.at_w);
    free_entries(&m.M);
    free_entries(&m.H);
    free_entries(&m.G);
    if (r == KAI_OK)
        *out = m.p;
    else
        kai_problem_free(m.p);
    return r;
}

kai_result kai_problem_make_impulses(kai_problem* problem, const kai_cone_problem* cones,
                                     kai_error* err)
{
    if (problem->contacts > cones->contact_count) return KAI_OK; // bounds of joints are not told
    KAI_TRY(kai_problem_make_solution(problem, err));
    for (size_t i = 0; i < cones->contact_count; i++) {
        kai_vec3 axes[3];
        kai_problem_make_axes(&cones->contacts[i], axes);
        for (int k = 0; k < 3; k++)
            problem->r[3 * i + k] = kai_vec3_dot(axes[k], cones->impulse[i]);
    }
    return KAI_OK;
}
