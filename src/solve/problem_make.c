// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/problem_make.h"

#include "solve/cone_values.h"

#include <stdlib.h>
#include <string.h>

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
    entries M, H;
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

// What the form has no place for -----------------------------------------------------------------

static kai_result check_form(const kai_cone_problem* c, kai_error* err)
{
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
    size_t n = 0;
    for (size_t i = 0; i < c->body_count; i++) {
        const bool touched = m->at_v[i] == 0;
        m->at_v[i] = NONE;
        if (touched && c->motion[i].inverse_mass > 0.0) m->at_v[i] = (uint32_t)n, n += 3;
        if (touched && c->motion[i].inverse_moment != 0.0) m->at_w[i] = (uint32_t)n, n += 3;
    }
    m->p->velocities = n;
    for (size_t i = 0; i < c->contact_count; i++)
        m->p->velocities += c->contacts[i].compliance > 0.0;
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
    size_t soft = p->velocities; // those of compliance are the last
    for (size_t i = 0; i < c->contact_count; i++) soft -= c->contacts[i].compliance > 0.0;
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
        add(&m->M, soft, soft, 1.0 / row->compliance);
        add(&m->H, soft++, 3 * i, 1.0);
    }
}

static kai_result fill(maker* m, kai_error* err)
{
    kai_problem* p = m->p;
    const size_t contacts = m->cones->contact_count, bodies = m->cones->body_count;
    m->at_v = malloc((bodies + 1) * sizeof *m->at_v);
    m->at_w = malloc((bodies + 1) * sizeof *m->at_w);
    bool good = m->at_v != NULL && m->at_w != NULL;
    if (good) number_bodies(m);
    p->global = true;
    p->contacts = contacts;
    good = good && take_entries(&m->M, 12 * bodies + contacts);
    good = good && take_entries(&m->H, 37 * contacts);
    good = good && (p->f = kai_problem_numbers(p->velocities)) != NULL;
    good = good && (p->w = kai_problem_numbers(3 * contacts)) != NULL;
    good = good && (p->b = kai_problem_numbers(0)) != NULL;
    good = good && (p->mu = kai_problem_numbers(contacts)) != NULL;
    if (!good) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a problem");
    add_bodies(m);
    add_contacts(m);
    KAI_TRY(kai_problem_matrix_make(p->velocities, p->velocities, m->M.count, m->M.i, m->M.j,
                                    m->M.x, &p->M, err));
    return kai_problem_matrix_make(p->velocities, 3 * contacts, m->H.count, m->H.i, m->H.j, m->H.x,
                                   &p->H, err);
}

kai_result kai_problem_make(const kai_cone_problem* cones, kai_problem** out, kai_error* err)
{
    *out = NULL;
    KAI_TRY(check_form(cones, err));
    maker m = {.cones = cones, .p = kai_problem_new()};
    if (m.p == NULL) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a problem");
    const kai_result r = fill(&m, err);
    free(m.at_v);
    free(m.at_w);
    free_entries(&m.M);
    free_entries(&m.H);
    if (r == KAI_OK)
        *out = m.p;
    else
        kai_problem_free(m.p);
    return r;
}

kai_result kai_problem_make_impulses(kai_problem* problem, const kai_cone_problem* cones,
                                     kai_error* err)
{
    KAI_TRY(kai_problem_make_solution(problem, err));
    for (size_t i = 0; i < cones->contact_count; i++) {
        kai_vec3 axes[3];
        kai_problem_make_axes(&cones->contacts[i], axes);
        for (int k = 0; k < 3; k++)
            problem->r[3 * i + k] = kai_vec3_dot(axes[k], cones->impulse[i]);
    }
    return KAI_OK;
}
