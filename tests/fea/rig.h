// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// One element on the bench, without a world: its kind's functions on arrays that a test fills.
#ifndef TESTS_FEA_RIG_H
#define TESTS_FEA_RIG_H

#include "helper.h"

#include <kairos/element.h>

// A number, or up to three, for the parameter of a name.
typedef struct rig_param {
    const char* name;
    double value[3];
} rig_param;

typedef struct rig {
    const kai_element_kind* kind;
    size_t each, step, coordinates, rows; // each: coordinates of a node, step: its rows
    kai_solid_view solids[KAI_ELEMENT_SOLIDS];
    _Alignas(64) char instance[8192];
    _Alignas(64) char data[65536];
    double q0[7 * KAI_ELEMENT_NODES]; // undeformed
    double q[7 * KAI_ELEMENT_NODES], v[KAI_ELEMENT_ROWS];
    double force[KAI_ELEMENT_ROWS], tangent[KAI_ELEMENT_ROWS * KAI_ELEMENT_ROWS];
    double position, velocity; // weights of the tangent
} rig;

// Writes a number parameter of an instance.
HELPER void rig_set(const kai_kind* kind, char* instance, const rig_param* p)
{
    const kai_param* found = kai_kind_param(kind, p->name);
    if (!found) fail_msg("%s has no parameter '%s'", kind->name, p->name);
    void* field = instance + found->offset;
    if (found->type == KAI_PARAM_REAL) *(double*)field = p->value[0];
    if (found->type == KAI_PARAM_INT) *(int64_t*)field = (int64_t)p->value[0];
    if (found->type == KAI_PARAM_ENUM) *(int32_t*)field = (int32_t)p->value[0];
    if (found->type == KAI_PARAM_BOOL) *(bool*)field = p->value[0] != 0.0;
    if (found->type == KAI_PARAM_VEC3) memcpy(field, p->value, sizeof p->value);
}

// Everything but prepare(). `params` ends with a NULL name; `solid` goes to every SOLID parameter.
HELPER void rig_lay(rig* r, const kai_element_kind* kind, const rig_param* params,
                    void (*fill)(char* instance), kai_solid_view solid, const double* q)
{
    memset(r, 0, sizeof *r);
    r->kind = kind;
    r->step = kind->slopes < 0 ? 6 : 3 * (size_t)(1 + kind->slopes);
    r->each = kind->slopes < 0 ? 7 : r->step;
    r->coordinates = kai_element_coordinates(kind);
    r->rows = kai_element_rows(kind);
    r->position = 1.0;
    assert_true(kind->kind.size <= sizeof r->instance && kind->data_size <= sizeof r->data);
    kai_kind_defaults(&kind->kind, r->instance);
    for (; params && params->name; params++) rig_set(&kind->kind, r->instance, params);
    if (fill) fill(r->instance);
    for (int i = 0; i < kind->solids; i++) r->solids[i] = solid;
    memcpy(r->q0, q, r->coordinates * sizeof *q);
    memcpy(r->q, q, r->coordinates * sizeof *q);
    if (kind->slopes < 0) memcpy(r->instance + kind->reference, q, r->coordinates * sizeof *q);
}

HELPER kai_result rig_prepare(rig* r, kai_error* err)
{
    const kai_element_setup setup = {.instance = r->instance, .q = r->q0, .solids = r->solids};
    return r->kind->prepare(&setup, r->data, err);
}

HELPER void rig_make(rig* r, const kai_element_kind* kind, const rig_param* params,
                     void (*fill)(char* instance), kai_solid_view solid, const double* q)
{
    kai_error err = {0};
    rig_lay(r, kind, params, fill, solid, q);
    if (rig_prepare(r, &err) != KAI_OK) fail_msg("%s: %s", kind->kind.name, err.message);
}

HELPER kai_element_batch rig_batch(rig* r)
{
    return (kai_element_batch){.instances = r->instance,
                               .data = r->data,
                               .solids = r->solids,
                               .count = 1,
                               .q = r->q,
                               .v = r->v,
                               .position = r->position,
                               .velocity = r->velocity,
                               .force = r->force};
}

HELPER void rig_force(rig* r, bool tangent)
{
    kai_element_batch b = rig_batch(r);
    if (tangent) b.tangent = r->tangent;
    // Kinds write; they do not add.
    for (size_t i = 0; i < r->rows; i++) r->force[i] = 1e300;
    for (size_t i = 0; tangent && i < r->rows * r->rows; i++) r->tangent[i] = 1e300;
    r->kind->force(&b);
}

HELPER double rig_energy(rig* r)
{
    const kai_element_batch b = rig_batch(r);
    return r->kind->energy(&b, 0);
}

HELPER kai_element_sample rig_sample(rig* r, double x, double y, double z)
{
    const kai_element_batch b = rig_batch(r);
    const double at[3] = {x, y, z};
    kai_element_sample out;
    r->kind->sample(&b, 0, at, &out);
    return out;
}

HELPER kai_vec3 rig_vec3(const double* x) { return kai_vec3_make(x[0], x[1], x[2]); }

HELPER void rig_put(double* x, kai_vec3 a)
{
    x[0] = a.x;
    x[1] = a.y;
    x[2] = a.z;
}

// Turns a frame by a rotation vector in world axes.
HELPER void rig_turn_frame(double* q, kai_vec3 angle)
{
    const double a = kai_vec3_norm(angle);
    if (a == 0.0) return;
    const kai_quat turn = kai_quat_from_axis_angle(kai_vec3_scale(angle, 1.0 / a), a);
    const kai_quat was = {q[3], q[4], q[5], q[6]};
    const kai_quat r = kai_quat_mul(turn, was);
    q[3] = r.w;
    q[4] = r.x;
    q[5] = r.y;
    q[6] = r.z;
}

// Moves row k of the element by `delta`.
HELPER void rig_nudge(rig* r, size_t k, double delta)
{
    const size_t node = k / r->step, part = k % r->step;
    double* q = r->q + node * r->each;
    if (r->kind->slopes >= 0 || part < 3) {
        q[part] += delta;
        return;
    }
    double angle[3] = {0.0};
    angle[part - 3] = delta;
    rig_turn_frame(q, rig_vec3(angle));
}

// A rigid motion of coordinates: x → R x + t; slopes and frames turn along.
HELPER void rig_carry(const rig* r, kai_quat turn, kai_vec3 shift, double* q)
{
    for (int n = 0; n < r->kind->nodes; n++, q += r->each) {
        rig_put(q, kai_vec3_add(kai_quat_rotate(turn, rig_vec3(q)), shift));
        for (int s = 1; s <= r->kind->slopes; s++)
            rig_put(q + 3 * s, kai_quat_rotate(turn, rig_vec3(q + 3 * s)));
        if (r->kind->slopes >= 0) continue;
        const kai_quat own = kai_quat_mul(turn, (kai_quat){q[3], q[4], q[5], q[6]});
        const double all[4] = {own.w, own.x, own.y, own.z};
        memcpy(q + 3, all, sizeof all);
    }
}

// Largest distance between nodes.
HELPER double rig_size(const rig* r)
{
    double most = 0.0;
    for (int a = 0; a < r->kind->nodes; a++)
        for (int b = 0; b < a; b++)
            most = fmax(most, kai_vec3_distance(rig_vec3(r->q0 + (size_t)a * r->each),
                                                rig_vec3(r->q0 + (size_t)b * r->each)));
    return most;
}

// A random state near the undeformed one, turned and moved as a whole: number `seed`.
HELPER void rig_deform(rig* r, uint64_t seed, double amount, bool rates)
{
    const double size = rig_size(r);
    memcpy(r->q, r->q0, sizeof r->q);
    for (size_t k = 0; k < r->rows; k++) {
        const double length = k % r->step < 3 ? size : 1.0;
        rig_nudge(r, k, amount * length * helper_random(1000 * seed + k));
        r->v[k] = rates ? length * helper_random(1000 * seed + 500 + k) : 0.0;
    }
    rig_carry(r, helper_random_rotation(seed), helper_random_vec3(seed), r->q);
}

// Largest of n numbers, by size.
HELPER double rig_most(const double* x, size_t n)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++)
        if (!(fabs(x[i]) <= most)) most = fabs(x[i]);
    return most;
}

// The solids that tests use: steel-like ν, a modulus that leaves numbers readable.
static const kai_solid_elastic_params RIG_ELASTIC = {{1000.0, 0.01, 0.0}, 1e7, 0.3};

HELPER kai_solid_view rig_elastic(void)
{
    return (kai_solid_view){&kai_solid_elastic, &RIG_ELASTIC};
}

#endif
