// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/contacts_surface.h"

#include "fea/fea.h"

#include <string.h>

typedef kai_contacts_surface_point point;

// Points -----------------------------------------------------------------------------------------

static kai_result make_room(kai_contacts_cones* c, size_t contacts, kai_error* err)
{
    c->points = kai_arena_take(&c->world->arena, 2 * contacts, sizeof *c->points, err);
    c->point_of = kai_arena_take(&c->world->arena, contacts, sizeof *c->point_of, err);
    return c->points && c->point_of ? KAI_OK : KAI_ERROR_MEMORY;
}

static void take_masses(const kai_world* world, const kai_patch_facet* facet, point* p)
{
    for (int k = 0; k < facet->count; k++) {
        p->inverse_mass[k] = kai_patch_inverse_mass(world, facet, k);
        p->inverse_moment[k] =
            facet->frames ? kai_vec3_max_abs(
                                kai_bodies_mass_of(&world->bodies, facet->ends[k])->inverse_moments)
                          : 0.0;
    }
}

kai_result kai_contacts_surface_make(kai_contacts_cones* c, kai_error* err)
{
    const kai_world* world = c->world;
    const size_t contacts = world->collision->proximity.contact_count;
    const uint32_t bodies = (uint32_t)world->bodies.count;
    if (world->collision->surface.facets.count == 0) return KAI_OK;
    KAI_TRY(make_room(c, contacts, err));
    for (size_t i = 0; i < contacts; i++) {
        kai_contacts_surface_map s;
        c->point_of[i][0] = c->point_of[i][1] = KAI_CONE_NONE;
        if (!kai_contacts_surface_map_find(world, i, &s)) continue;
        for (int side = 0; side < 2; side++) {
            if (!s.facet[side]) continue;
            point* p = &c->points[c->point_count];
            *p = (point){.at = s.point[side]};
            take_masses(world, s.facet[side], p);
            c->point_of[i][side] = bodies + (uint32_t)c->point_count++;
        }
    }
    return KAI_OK;
}

// Motions ----------------------------------------------------------------------------------------

/// Velocity and spin of a point from those of its ends before the step.
static kai_wrench motion_before(const kai_contacts_cones* c, const point* p)
{
    const kai_fea* fea = c->world->fea;
    kai_vec3 v[KAI_PATCH_ENDS], w[KAI_PATCH_ENDS];
    for (int k = 0; k < p->at.count; k++) {
        const uint32_t end = p->at.ends[k];
        v[k] = w[k] = kai_vec3_zero();
        if (p->at.frames) {
            v[k] = c->before[end].force;
            w[k] = c->before[end].torque;
        } else {
            memcpy(&v[k], c->start->node_v + ((const uint32_t*)fea->first.data)[end], sizeof v[k]);
        }
    }
    return (kai_wrench){kai_patch_velocity(&p->at, v, w), kai_patch_spin(&p->at, v, w)};
}

/// The same now.
static kai_wrench motion_now(const kai_contacts_cones* c, const point* p)
{
    const kai_node_record* nodes = kai_node_all(c->world);
    kai_vec3 v[KAI_PATCH_ENDS], w[KAI_PATCH_ENDS];
    for (int k = 0; k < p->at.count; k++) {
        const uint32_t end = p->at.ends[k];
        v[k] = p->at.frames ? c->problem.motion[end].v : nodes[end].def.velocity;
        w[k] = p->at.frames ? c->problem.motion[end].w : kai_vec3_zero();
    }
    return (kai_wrench){kai_patch_velocity(&p->at, v, w), kai_patch_spin(&p->at, v, w)};
}

void kai_contacts_surface_follow(const kai_contacts_cones* c)
{
    kai_cone_motion* m = c->problem.motion + c->world->bodies.count;
    for (size_t i = 0; i < c->point_count; i++) {
        c->points[i].given = motion_now(c, &c->points[i]);
        m[i].v = c->points[i].given.force;
        m[i].w = c->points[i].given.torque;
    }
}

/// The share of contact forces that an end of a point gets at most.
static double share_of(const point* p, int k)
{
    if (p->at.frames) return p->at.weight[k];
    return p->at.weight[k] + kai_vec3_norm(p->at.slope[k]) * kai_vec3_norm(p->at.arm);
}

/// Sums of shares at nodes, then at bodies.
static void add_shares(const kai_contacts_cones* c, double* sums)
{
    const kai_world* world = c->world;
    memset(sums, 0, (world->nodes.count + world->bodies.count) * sizeof *sums);
    for (size_t i = 0; i < c->point_count; i++) {
        const point* p = &c->points[i];
        for (int k = 0; k < p->at.count; k++)
            sums[p->at.ends[k] + (p->at.frames ? world->nodes.count : 0)] += share_of(p, k);
    }
    // Bodies that touch things themselves carry these as well.
    for (size_t i = 0; i < c->problem.contact_count; i++) {
        uint32_t owner[2];
        kai_contacts_owners(world, i, &owner[0], &owner[1]);
        for (int side = 0; side < 2; side++)
            if (c->point_of[i][side] == KAI_CONE_NONE)
                sums[world->nodes.count + (owner[side] & ~KAI_BROAD_FIXED)] += 1.0;
    }
}

/// What a push on a point meets, and a couple.
static void set_mass(const kai_contacts_cones* c, const point* p, const double* sums,
                     kai_cone_motion* m)
{
    m->inverse_mass = KAI_CONTACTS_SURFACE_MAP_LEAST;
    m->inverse_moment = 0.0;
    for (int k = 0; k < p->at.count; k++) {
        const double slope = kai_vec3_norm(p->at.slope[k]), arm2 = kai_vec3_norm2(p->at.arm),
                     sum = sums[p->at.ends[k] + (p->at.frames ? c->world->nodes.count : 0)];
        const double share = share_of(p, k) * sum;
        if (p->at.frames) {
            m->inverse_mass += share * (p->inverse_mass[k] + arm2 * p->inverse_moment[k]);
            m->inverse_moment += share * p->inverse_moment[k];
        } else {
            m->inverse_mass += share * p->inverse_mass[k];
            m->inverse_moment += slope * sum * p->inverse_mass[k];
        }
    }
    if (!c->problem.couple) m->inverse_moment = 0.0;
}

void kai_contacts_surface_fill(kai_contacts_cones* c)
{
    if (c->point_count == 0) return;
    const size_t bodies = c->world->bodies.count;
    add_shares(c, c->shares);
    kai_contacts_surface_follow(c);
    for (size_t i = 0; i < c->point_count; i++) {
        c->points[i].first = c->points[i].given;
        c->before[bodies + i] = motion_before(c, &c->points[i]);
        set_mass(c, &c->points[i], c->shares, &c->problem.motion[bodies + i]);
    }
}

// Impulses ---------------------------------------------------------------------------------------

/// An impulse and its moment on a body of the problem.
static void push_body(const kai_contacts_cones* c, uint32_t slot, kai_vec3 p, kai_vec3 l)
{
    kai_cone_motion* m = &c->problem.motion[slot];
    const double* I = c->inertia[slot];
    m->v = kai_vec3_mul_add(m->v, p, m->inverse_mass);
    m->w = kai_vec3_add(m->w, m->inverse_moment >= 0.0
                                  ? kai_vec3_scale(l, m->inverse_moment)
                                  : kai_vec3_make(I[0] * l.x + I[3] * l.y + I[4] * l.z,
                                                  I[3] * l.x + I[1] * l.y + I[5] * l.z,
                                                  I[4] * l.x + I[5] * l.y + I[2] * l.z));
}

void kai_contacts_surface_spread(const kai_contacts_cones* c, bool fresh, bool still,
                                 const uint32_t* first, double* x)
{
    const kai_cone_motion* motion = c->problem.motion + c->world->bodies.count;
    for (size_t i = 0; i < c->point_count; i++) {
        const point* p = &c->points[i];
        const kai_wrench* from = fresh ? &p->first : &p->given;
        const kai_cone_motion* m = &motion[i];
        kai_vec3 v = still ? m->v : kai_vec3_sub(m->v, from->force),
                 w = still ? m->w : kai_vec3_sub(m->w, from->torque);
        if (kai_vec3_norm2(v) + kai_vec3_norm2(w) == 0.0) continue;
        kai_vec3 f[KAI_PATCH_ENDS], l[KAI_PATCH_ENDS];
        v = kai_vec3_scale(v, 1.0 / m->inverse_mass);
        w = m->inverse_moment > 0.0 ? kai_vec3_scale(w, 1.0 / m->inverse_moment) : kai_vec3_zero();
        kai_patch_spread(&p->at, v, w, f, l);
        for (int k = 0; k < p->at.count; k++) {
            if (p->at.frames) {
                push_body(c, p->at.ends[k], f[k], l[k]);
                continue;
            }
            double* to = x + first[p->at.ends[k]];
            to[0] += f[k].x;
            to[1] += f[k].y;
            to[2] += f[k].z;
        }
    }
}

kai_result kai_contacts_surface_move(const kai_contacts_cones* c, kai_error* err)
{
    const kai_fea* fea = c->world->fea;
    if (c->point_count == 0) return KAI_OK;
    double* x = kai_arena_take(&c->world->arena, fea->coordinates, sizeof *x, err);
    if (!x) return KAI_ERROR_MEMORY;
    memset(x, 0, fea->coordinates * sizeof *x);
    kai_contacts_surface_spread(c, false, true, fea->first.data, x);
    kai_fea_clear_fixed(c->world, x);
    // Every node is moved once, by all that pushes it.
    for (size_t i = 0; i < c->point_count; i++) {
        const point* p = &c->points[i];
        for (int k = 0; !p->at.frames && k < p->at.count; k++) {
            double* push = x + ((const uint32_t*)fea->first.data)[p->at.ends[k]];
            kai_node_record* node = &kai_node_all(c->world)[p->at.ends[k]];
            const double scale = c->h * p->inverse_mass[k];
            node->def.position = kai_vec3_mul_add(node->def.position,
                                                  kai_vec3_make(push[0], push[1], push[2]), scale);
            memset(push, 0, 3 * sizeof *push);
        }
    }
    return KAI_OK;
}
