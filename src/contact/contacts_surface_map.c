// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// One contact after the other: facets share nodes, and the order of contacts is that of their
// items, whatever the number of threads.
#include "contact/contacts_surface_map.h"

/// The facets of contact i and the points of their middles; false: none.
static bool find_facets(const kai_world* world, size_t i, const kai_patch_facet* facet[2],
                        kai_vec3 middle[2])
{
    const kai_patch* s = &world->collision->surface;
    const kai_contact* contact = &world->collision->proximity.contacts[i].contact;
    uint32_t owner[2];
    kai_contacts_owners(world, i, &owner[0], &owner[1]);
    for (int side = 0; side < 2; side++) {
        facet[side] = kai_patch_of(s, owner[side] & ~KAI_BROAD_FIXED);
        if (!facet[side]) continue;
        const double radius = kai_patch_instance(s, world, facet[side])->radius;
        middle[side] = kai_vec3_mul_add(side ? contact->point_b : contact->point_a, contact->normal,
                                        side ? radius : -radius);
    }
    return facet[0] || facet[1];
}

static bool is_thin(const kai_patch_facet* facet)
{
    return facet && facet->count == 2 && !facet->frames;
}

/// Moves the place of a contact of a thin line to the line.
static void move_places(const kai_patch_facet* const facet[2], const kai_vec3 middle[2],
                        kai_vec3 at[2])
{
    const int thin = is_thin(facet[1]) ? 1 : 0;
    if (is_thin(facet[0]) == is_thin(facet[1])) return;
    const bool facing = kai_vec3_distance(at[0], at[1]) == 0.0;
    at[thin] = middle[thin];
    if (facing) at[1 - thin] = at[thin];
}

void kai_contacts_surface_map_place(const kai_world* world, size_t i, kai_vec3 at[2])
{
    const kai_patch_facet* facet[2];
    kai_vec3 middle[2];
    if (find_facets(world, i, facet, middle)) move_places(facet, middle, at);
}

bool kai_contacts_surface_map_find(const kai_world* world, size_t i, kai_contacts_surface_map* out)
{
    kai_vec3 middle[2];
    if (world->collision->surface.facets.count == 0 || !find_facets(world, i, out->facet, middle))
        return false;
    kai_contacts_points(&world->collision->proximity.contacts[i].contact, &out->at[0], &out->at[1]);
    move_places(out->facet, middle, out->at);
    for (int side = 0; side < 2; side++)
        if (out->facet[side])
            kai_patch_locate(world, out->facet[side], middle[side], out->at[side],
                             &out->point[side]);
    return true;
}

double kai_contacts_surface_map_inverse_mass(const kai_world* world,
                                             const kai_contacts_surface_map* s, int side)
{
    double sum = KAI_CONTACTS_SURFACE_MAP_LEAST;
    for (int k = 0; k < s->point[side].count; k++)
        sum += s->point[side].weight[k] * s->point[side].weight[k] *
               kai_patch_inverse_mass(world, s->facet[side], k);
    return sum;
}

/// What contact i does to the ends of one side.
static void spread_side(const kai_contacts* c, const kai_contacts_surface_map* s, size_t i,
                        int side, kai_vec3* f, kai_vec3* m)
{
    const kai_wrench* force = (const kai_wrench*)c->force.data + i;
    const double sign = side ? 1.0 : -1.0;
    kai_patch_spread(&s->point[side], kai_vec3_scale(force->force, sign),
                     kai_vec3_scale(force->torque, sign), f, m);
}

void kai_contacts_surface_map_nodes(const kai_contacts* c, const kai_world* world,
                                    const uint32_t* first, double scale, double* x)
{
    kai_contacts_surface_map s;
    kai_vec3 f[KAI_PATCH_ENDS], m[KAI_PATCH_ENDS];
    if (world->collision->surface.facets.count == 0) return;
    for (size_t i = 0; i < world->collision->proximity.contact_count; i++) {
        if (!kai_contacts_surface_map_find(world, i, &s)) continue;
        for (int side = 0; side < 2; side++) {
            if (!s.facet[side] || s.facet[side]->frames) continue;
            spread_side(c, &s, i, side, f, m);
            for (int k = 0; k < s.point[side].count; k++) {
                double* to = x + first[s.point[side].ends[k]];
                to[0] += scale * f[k].x;
                to[1] += scale * f[k].y;
                to[2] += scale * f[k].z;
            }
        }
    }
}

void kai_contacts_surface_map_bodies(const kai_contacts* c, const kai_world* world,
                                     kai_wrench* sums)
{
    kai_contacts_surface_map s;
    kai_vec3 f[KAI_PATCH_ENDS], m[KAI_PATCH_ENDS];
    for (size_t i = 0; i < world->collision->proximity.contact_count; i++) {
        if (!kai_contacts_surface_map_find(world, i, &s)) continue;
        for (int side = 0; side < 2; side++) {
            if (!s.facet[side] || !s.facet[side]->frames) continue;
            spread_side(c, &s, i, side, f, m);
            for (int k = 0; k < s.point[side].count; k++) {
                kai_wrench* sum = &sums[s.point[side].ends[k]];
                sum->force = kai_vec3_add(sum->force, f[k]);
                sum->torque = kai_vec3_add(sum->torque, m[k]);
            }
        }
    }
}
