// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/integrators/step_spheres.h"

#include "contact/contacts_grains.h"
#include "step/integrators/body_motion.h"

#include <stdatomic.h>

typedef struct step_spheres_context {
    kai_world* world;
    double h;
    size_t equal_begin, equal_end;        // slots of bodies that kai_sphere_motion_step moves
    kai_sphere_motion sphere;             // what they have in common
    const kai_contacts_list_check* check; // of skin boxes that moved spheres may leave
    bool look;                            // check for the step after this one
    atomic_int left;                      // some sphere has left its skin box
    atomic_int bad;                       // some state is not finite
} step_spheres_context;

/// A whole step of bodies [begin, end) that nothing but gravity and `sums` acts on. Returns a sum
/// that is NaN when some state is not finite.
KAI_INLINE double spheres_whole_step(const step_spheres_context* c, size_t begin, size_t end,
                                     const kai_grains_sum* sums)
{
    const kai_bodies* bodies = &c->world->bodies;
    const double half = 0.5 * c->h;
    double sum = 0.0;
    kai_body_motion_group g;
    kai_wrench wrench[KAI_ROTATION_GROUP];
    kai_bodies_mass room[KAI_ROTATION_GROUP];
    for (size_t first = begin; first < end; first += KAI_ROTATION_GROUP) {
        const size_t n = end - first < KAI_ROTATION_GROUP ? end - first : KAI_ROTATION_GROUP;
        kai_motion* motion = &bodies->motion[first];
        kai_body_motion_start(&g, motion, n, half);
        sum +=
            kai_body_motion_move(&g, bodies, &bodies->pose[first], first, n, half, kai_vec3_zero());
        const bool gyroscopic = kai_body_motion_start(&g, motion, n, c->h);
        if (gyroscopic)
            kai_body_motion_gyrate(&g, kai_body_motion_masses(bodies, first, n, room), n, c->h);
        for (size_t i = 0; i < n; i++) {
            const double* f = sums[first - begin + i];
            wrench[i] =
                (kai_wrench){kai_vec3_make(f[0], f[1], f[2]), kai_vec3_make(f[5], f[6], f[7])};
        }
        kai_body_motion_push(&g, bodies, wrench, true, NULL, first, n, c->h);
        kai_body_motion_store(&g, motion, n, c->world->gravity);
        kai_body_motion_start(&g, motion, n, half);
        sum +=
            kai_body_motion_move(&g, bodies, &bodies->pose[first], first, n, half, kai_vec3_zero());
    }
    return sum;
}

/// The same, fast where bodies are equal; and a check of where the next step will find them.
KAI_CLONES
static void spheres_finish_range(size_t begin, size_t end, const kai_grains_sum* sums,
                                 void* context)
{
    step_spheres_context* c = context;
    const kai_bodies* bodies = &c->world->bodies;
    const size_t one = begin > c->equal_begin ? begin : c->equal_begin,
                 other = end < c->equal_end ? end : c->equal_end;
    const bool equal = one < other;
    double sum = spheres_whole_step(c, begin, equal ? one : end, sums);
    bool inside = true;
    if (equal) {
        // Bodies of the check are those that are equal.
        const kai_grains_skin_box* skin_boxes =
            c->look ? c->check->skin_boxes + (one - c->equal_begin) : NULL;
        inside = kai_sphere_motion_step(&c->sphere, (kai_sphere_motion_row*)&bodies->pose[one],
                                        (kai_sphere_motion_row*)&bodies->motion[one],
                                        sums + (one - begin), skin_boxes, other - one);
        sum += spheres_whole_step(c, other, end, sums + (other - begin));
    }
    if (sum != 0.0) atomic_store_explicit(&c->bad, 1, memory_order_relaxed);
    if (c->look && inside) {
        // The bodies before and after those that were checked already.
        const size_t to = equal ? one : end, from = equal ? other : end;
        inside = !kai_contacts_list_check_look(c->check, bodies, 0.5 * c->h, begin, to) &&
                 !kai_contacts_list_check_look(c->check, bodies, 0.5 * c->h, from, end);
    }
    // All of them are bodies of one block.
    if (c->look && c->check->left) c->check->left[begin / KAI_GRAINS_BLOCK] = !inside;
    if (!inside) atomic_store_explicit(&c->left, 1, memory_order_relaxed);
}

/// Finds contacts where the middle of the step will be, from the present positions. `*fit` false:
/// some state is not fit for a step that cannot fail.
static kai_result spheres_find_contacts(kai_contacts* contacts, kai_world* world,
                                        const kai_contacts_options* options, bool* fit,
                                        kai_error* err)
{
    kai_contacts_list_check check = {0};
    const bool checked = kai_contacts_grains_watch(contacts, world, &check);
    const bool known = check.left && options->unobserved &&
                       kai_contacts_grains_cache_list_check_valid(contacts, world, options->h);
    const int seen =
        known ? kai_contacts_list_check_again(&check, &world->bodies, options->lead)
              : kai_contacts_list_check_see(&check, &world->bodies, options->lead, world->threads);
    *fit = !(seen & KAI_CONTACTS_LIST_CHECK_OVERFLOW);
    if (!*fit) return KAI_OK;
    if (checked)
        kai_contacts_grains_seen(
            contacts, world,
            !seen || kai_contacts_grains_list_repair(contacts, world, &check, options->lead));
    return kai_contacts_find(contacts, world, options, err);
}

/// The bodies that kai_sphere_motion_step moves: equal, free, with one moment of inertia.
static void spheres_find_equal(const kai_contacts* contacts, step_spheres_context* c)
{
    const kai_world* world = c->world;
    kai_contacts_grains_uniform(contacts, &c->equal_begin, &c->equal_end);
    if (c->equal_begin == c->equal_end) return;
    const kai_bodies_mass* mass = kai_bodies_mass_of(&world->bodies, c->equal_begin);
    const uint64_t flags = world->bodies.motion[c->equal_begin].flags;
    if ((flags & KAI_BODY_FIXED) || !(flags & KAI_BODY_ISOTROPIC) || !contacts->grains.equal)
        c->equal_begin = c->equal_end;
    c->sphere = (kai_sphere_motion){
        .h = c->h,
        .kick = c->h * mass->inverse_mass,
        .turn = c->h * mass->inverse_moments.x,
        .pull = {c->h * world->gravity.x, c->h * world->gravity.y, c->h * world->gravity.z},
        .look = c->look};
    if (!c->look) return;
    c->sphere.radius = c->check->radius;
    c->sphere.origin[0] = c->check->origin.x;
    c->sphere.origin[1] = c->check->origin.y;
    c->sphere.origin[2] = c->check->origin.z;
}

/// Forces and the whole motion of all bodies. Nothing but memory may run out before it begins.
static kai_result spheres_push(kai_contacts* contacts, step_spheres_context* c,
                               const kai_contacts_options* options, kai_error* err)
{
    kai_world* world = c->world;
    kai_contacts_list_check check;
    double heat = 0.0;
    const int outer = kai_clock_begin(&world->clock, KAI_CLOCK_formulation);
    c->look = options->unobserved && kai_contacts_grains_watch(contacts, world, &check);
    c->check = &check;
    spheres_find_equal(contacts, c);
    const kai_result r =
        kai_contacts_grains_step(contacts, world, options, spheres_finish_range, c, &heat, err);
    kai_clock_end(&world->clock, outer);
    KAI_TRY(r);
    world->dissipated += heat;
    kai_contacts_grains_cache_list_check(contacts, world, c->look ? c->h : 0.0);
    return KAI_OK;
}

kai_result kai_step_spheres(kai_system* system, double h, bool* done, kai_error* err)
{
    kai_world* world = system->world;
    kai_contacts* contacts;
    bool alone, fit;
    *done = false;
    if (world->bodies.owned < world->bodies.count) return KAI_OK; // it moves all that it pushes
    KAI_TRY(kai_contacts_get(world, &contacts, err));
    KAI_TRY(kai_contacts_grains_alone(contacts, world, &alone, err));
    if (!alone) return KAI_OK;
    const kai_contacts_options options = {
        .h = h, .lead = 0.5 * h, .spheres_alone = true, .unobserved = system->unobserved};
    kai_result r = spheres_find_contacts(contacts, world, &options, &fit, err);
    if (r == KAI_OK && !fit) return KAI_OK;
    step_spheres_context c = {.world = world, .h = h};
    if (r == KAI_OK) r = spheres_push(contacts, &c, &options, err);
    *done = r == KAI_OK;
    if (*done && atomic_load(&c.bad)) r = kai_system_check_finite(system, system->time + h, err);
    kai_contacts_end(contacts, world, *done);
    return r;
}
