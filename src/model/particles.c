// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/body.h"
#include "model/check.h"
#include "model/collision/collision.h"
#include "model/id.h"
#include "model/shape.h"

#include <string.h>

static const uint64_t COOKIE = UINT64_C(0x4b41494f53504152);

kai_particles_def kai_particles_def_default(void)
{
    return (kai_particles_def){
        .cookie = COOKIE, .common = kai_shape_def_default(), .rotates = true};
}

// Checks -----------------------------------------------------------------------------------------

static kai_result check_columns(const kai_particle_table* t, kai_error* err)
{
    const kai_result code = KAI_ERROR_ARGUMENT;
    if (t->count > 0 && (!t->x || !t->y || !t->z))
        return kai_error_set(err, code, "table: x, y and z are needed");
    if (!t->vx != !t->vy || !t->vx != !t->vz)
        return kai_error_set(err, code, "table: vx, vy and vz come together");
    if (!t->wx != !t->wy || !t->wx != !t->wz)
        return kai_error_set(err, code, "table: wx, wy and wz come together");
    if (!t->qw != !t->qx || !t->qw != !t->qy || !t->qw != !t->qz)
        return kai_error_set(err, code, "table: qw, qx, qy and qz come together");
    return KAI_OK;
}

static kai_result check_def(const kai_world* world, const kai_particles_def* def, kai_error* err)
{
    const kai_result code = KAI_ERROR_ARGUMENT;
    if (def->cookie != COOKIE)
        return kai_error_set(err, code, "def was not made by kai_particles_def_default()");
    if (!memchr(def->name.text, 0, sizeof def->name.text))
        return kai_error_set(err, code, "particles: name has no end; at most %d bytes",
                             KAI_STRING_SIZE - 1);
    const kai_shape_kind* shape =
        def->shape ? kai_store_table(&world->shapes, def->shape, err) : NULL;
    if (def->shape && !shape) return code;
    if (!shape || !kai_shape_has_volume(shape))
        return kai_error_set(err, code, "particles: shape must be one with a volume");
    if (!(def->density >= 0.0) || isinf(def->density))
        return kai_error_set(err, code, "particles: density is %g kg/m³; must be > 0",
                             def->density);
    if (def->table.count >= UINT32_MAX)
        return kai_error_set(err, KAI_ERROR_LIMIT, "%zu particles; at most %u", def->table.count,
                             UINT32_MAX - 1);
    if (def->table.radius && def->shape != &kai_shape_sphere)
        return kai_error_set(err, code, "particles: a column radius is for spheres; shape is %s",
                             def->shape->kind.name);
    KAI_TRY(check_columns(&def->table, err));
    if (def->table.wx && !def->rotates)
        return kai_error_set(err, code,
                             "particles: rotates is false, but the table has spins wx, wy, wz");
    KAI_TRY(kai_shape_check(world, &def->common, err));
    return kai_kind_check(&shape->kind, def->shape_params, err);
}

/// Reads row i, checked.
static kai_result read_row(const kai_particle_table* t, size_t i, kai_frame* frame,
                           kai_vec3* velocity, kai_vec3* omega, kai_error* err)
{
    frame->position = kai_vec3_make(t->x[i], t->y[i], t->z[i]);
    frame->rotation = kai_quat_identity();
    if (t->qw) frame->rotation = kai_quat_make(t->qw[i], t->qx[i], t->qy[i], t->qz[i]);
    *velocity = t->vx ? kai_vec3_make(t->vx[i], t->vy[i], t->vz[i]) : kai_vec3_zero();
    *omega = t->wx ? kai_vec3_make(t->wx[i], t->wy[i], t->wz[i]) : kai_vec3_zero();
    if (!kai_vec3_is_finite(frame->position) || !kai_vec3_is_finite(*velocity) ||
        !kai_vec3_is_finite(*omega))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "row %zu: a number is not finite", i);
    if (t->qw && !kai_quat_is_unit(frame->rotation, 1e-3))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "row %zu: the norm of qw, qx, qy, qz is %g; must be 1", i,
                             sqrt(kai_quat_norm2(frame->rotation)));
    if (t->radius && !(t->radius[i] > 0.0 && isfinite(t->radius[i])))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "row %zu: radius is %g m; must be > 0", i,
                             t->radius[i]);
    return KAI_OK;
}

// Creation ---------------------------------------------------------------------------------------

/// Mass, moments and own frame of one particle, for density 1.
typedef struct mould {
    double mass;
    kai_vec3 moments;
    kai_frame offset;
} mould;

static kai_result cast_mould(const kai_shape_kind* shape, const void* params,
                             const kai_shape_def* common, mould* out, kai_error* err)
{
    kai_mass_properties mass;
    KAI_TRY(kai_shape_mass(shape, params, common->radius_margin, &mass, err));
    const kai_frame frame = {common->at, kai_quat_normalize(common->rotation)};
    mass = kai_inertia_transform(&mass, &frame);
    out->mass = mass.mass;
    KAI_TRY(kai_body_principal(&mass, &out->moments, &out->offset, err));
    if (kai_vec3_norm2(out->offset.position) == 0.0)
        out->offset.position = kai_vec3_zero(); // not -0
    return KAI_OK;
}

/// Small radii make moments that are nothing, large ones that are infinite.
static kai_result check_mass(const kai_bodies_mass* mass, size_t i, kai_error* err)
{
    const kai_vec3 inverse = mass->inverse_moments;
    if (isfinite(mass->mass) && kai_vec3_is_finite(mass->moments) && mass->inverse_mass > 0.0 &&
        isfinite(mass->inverse_mass) && kai_vec3_is_finite(inverse))
        return KAI_OK;
    return kai_error_set(
        err, KAI_ERROR_ARGUMENT,
        "row %zu: mass is %g kg, moments [%g, %g, %g] kg m²; must be > 0 and finite", i, mass->mass,
        mass->moments.x, mass->moments.y, mass->moments.z);
}

/// `shape` is the id index of its shape where there is one already, else 0.
static kai_result add_particle(kai_world* world, const kai_particles_def* def, double density,
                               const mould* cast, size_t i, uint32_t shape, kai_error* err)
{
    kai_bodies* bodies = &world->bodies;
    kai_frame frame;
    kai_vec3 velocity, omega;
    KAI_TRY(read_row(&def->table, i, &frame, &velocity, &omega, err));
    kai_bodies_cold cold = {.group = (uint32_t)world->groups.count + 1,
                            .group_index = (uint32_t)i,
                            .first_shape = shape,
                            .shape_count = shape != 0};
    if (bodies->shared_properties_free == 0) KAI_TRY(kai_bodies_reserve_shared(bodies, 1, err));
    KAI_TRY(kai_frames_add(&bodies->offsets, bodies->memory, &cast->offset, &cold.offset, err));

    const uint64_t straight = def->rotates ? 0 : KAI_BODY_STRAIGHT;
    const kai_motion motion = {.flags = KAI_BODY_FIXED | straight}; // until its mass is set
    kai_bodies_add(bodies, &(kai_pose){0}, &motion, &(kai_bodies_mass){0}, &cold);
    const size_t slot = bodies->owned - 1;
    kai_shape_sphere_params ball;
    const void* params = def->shape_params;
    double scale = density; // of mass; moments grow with the radius squared besides
    kai_vec3 moments = kai_vec3_scale(cast->moments, scale);
    if (def->table.radius) {
        ball.radius = def->table.radius[i];
        const double margin = def->common.radius_margin;
        const double ratio =
            (ball.radius + margin) / (((const kai_shape_sphere_params*)params)->radius + margin);
        scale *= ratio * ratio * ratio;
        moments = kai_vec3_scale(moments, ratio * ratio * ratio * ratio * ratio);
        params = &ball;
    }
    kai_bodies_set_mass(bodies, slot, scale * cast->mass, moments, false);
    KAI_TRY(check_mass(kai_bodies_mass_of(bodies, slot), i, err));
    frame.rotation = kai_quat_normalize(frame.rotation);
    KAI_TRY(kai_body_place(bodies, slot, frame, velocity, omega, err));
    kai_shape own;
    if (!shape) KAI_TRY(kai_shape_add(world, slot, def->shape, params, &def->common, &own, err));
    kai_bodies_share(bodies, slot);
    return KAI_OK;
}

static kai_result particle_density(const kai_world* world, const kai_particles_def* def,
                                   double* density, kai_error* err)
{
    *density = def->density;
    if (*density > 0.0) return KAI_OK;
    kai_material_def material = {0};
    if (!KAI_IS_NULL(def->common.material))
        KAI_TRY(kai_material_get(world, def->common.material, &material));
    *density = material.density;
    if (*density > 0.0) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "particles: no density; give the group or its material one");
}

/// Shapes of particles that are all alike are one run.
static bool are_run(const kai_world* world, const kai_particles_def* def)
{
    return !def->table.radius && def->table.count > 0 &&
           kai_shape_can_run(kai_store_table(&world->shapes, def->shape, NULL), &def->common);
}

/// Makes room for the whole group first, so that a million particles cost a handful of allocations.
static kai_result reserve(kai_world* world, const kai_particles_def* def, kai_error* err)
{
    kai_memory* memory = &world->memory;
    const size_t count = def->table.count;
    KAI_TRY(kai_bodies_reserve(&world->bodies, world->bodies.count + count, true, err));
    if (are_run(world, def)) return KAI_OK;
    KAI_TRY(kai_bodies_reserve_shared(&world->bodies, count, err));
    KAI_TRY(kai_array_reserve(&world->shapes.entries, memory, world->shapes.entries.count + count,
                              err));
    KAI_TRY(
        kai_array_reserve(&world->shape_records, memory, world->shapes.entries.count + count, err));
    for (size_t b = 0; b < world->shapes.batch_count; b++) {
        kai_store_batch* batch = &world->shapes.batches[b];
        if (batch->kind != &def->shape->kind && batch->given != &def->shape->kind) continue;
        KAI_TRY(kai_array_reserve(&batch->items, memory, batch->items.count + count, err));
        KAI_TRY(kai_array_reserve(&batch->owner, memory, batch->owner.count + count, err));
    }
    return KAI_OK;
}

/// Takes the last `made` bodies away, and their shapes.
static void destroy_all(kai_world* world, size_t made, bool run)
{
    for (; made > 0; made--) {
        const size_t slot = world->bodies.owned - 1;
        if (run)
            kai_bodies_remove(&world->bodies, slot);
        else
            kai_body_destroy(world, kai_bodies_id(&world->bodies, slot));
    }
    if (run) kai_shape_drop_run(world);
}

static kai_result create_all(kai_world* world, const kai_particles_def* def, kai_error* err)
{
    double density;
    mould cast;
    KAI_TRY(particle_density(world, def, &density, err));
    KAI_TRY(cast_mould(def->shape, def->shape_params, &def->common, &cast, err));
    KAI_TRY(reserve(world, def, err));
    const bool run = are_run(world, def);
    uint32_t shape = 0;
    if (run)
        KAI_TRY(kai_shape_add_run(world, def->shape, def->shape_params, &def->common,
                                  (uint32_t)world->bodies.entries.count + 1, def->table.count,
                                  &shape, err));
    for (size_t i = 0; i < def->table.count; i++) {
        const size_t before = world->bodies.owned;
        const kai_result r =
            add_particle(world, def, density, &cast, i, run ? shape + (uint32_t)i : 0, err);
        if (r == KAI_OK) continue;
        if (world->bodies.owned > before) kai_bodies_remove(&world->bodies, before);
        const kai_error keep = *err;
        destroy_all(world, i, run);
        *err = keep;
        return r;
    }
    return KAI_OK;
}

kai_result kai_particles_create(kai_world* world, const kai_particles_def* def, kai_particles* out)
{
    KAI_CLEAR(out);
    KAI_CHANGE(world, def, out);
    kai_error* err = &world->error;
    kai_memory* memory = &world->memory;
    const bool current = kai_collision_is_current(world);
    const size_t before = world->bodies.owned;
    KAI_TRY(kai_world_fail(world, __func__, check_def(world, def, err)));
    KAI_TRY(kai_world_fail(
        world, __func__, kai_array_reserve(&world->groups, memory, world->groups.count + 1, err)));
    // Particles get new ids, in a row.
    kai_particles_group group = {
        .count = def->table.count,
        .first = {(uint32_t)world->bodies.entries.count + 1, 0, world->tag}};
    const kai_id id = {(uint32_t)world->groups.count + 1, 0, world->tag};
    kai_result r = KAI_OK;
    if (def->name.text[0])
        r = kai_names_add(&world->group_names, "particles", def->name.text, id, &group.name, err);
    if (r == KAI_OK) {
        r = create_all(world, def, err);
        if (r != KAI_OK && group.name) kai_names_remove(&world->group_names, group.name);
    }
    if (r != KAI_OK) return kai_world_fail(world, __func__, r);
    const bool known = world->energy_known;
    double sum = 0.0, energy[2];
    for (size_t slot = before; slot < world->bodies.owned; slot++) {
        kai_body_energy(world, slot, energy);
        sum += energy[0] + energy[1];
    }
    kai_body_changed(world);
    kai_body_balance(world, known, sum);
    world->tame_steps = 0;
    if (current) kai_collision_particles_came(world, before);
    ((kai_particles_group*)world->groups.data)[world->groups.count++] = group;
    *out = KAI_ID_AS(kai_particles, id);
    return KAI_OK;
}

// Queries ----------------------------------------------------------------------------------------

static const kai_particles_group* group_of(const kai_world* world, kai_particles group)
{
    if (group.index == 0 || group.index > world->groups.count || group.world != world->tag)
        return NULL;
    return (const kai_particles_group*)world->groups.data + (group.index - 1);
}

kai_particles kai_particles_find(const kai_world* world, const char* name)
{
    KAI_GIVEN_OR((kai_particles){0}, world, name);
    const kai_id id = kai_names_find(&world->group_names, name);
    return KAI_ID_AS(kai_particles, id);
}

size_t kai_particles_groups(const kai_world* world)
{
    KAI_GIVEN_OR(0, world);
    return world->groups.count;
}

kai_particles kai_particles_at(const kai_world* world, size_t i)
{
    KAI_GIVEN_OR((kai_particles){0}, world);
    return i < world->groups.count ? (kai_particles){(uint32_t)i + 1, 0, world->tag}
                                   : (kai_particles){0};
}

const char* kai_particles_name(const kai_world* world, kai_particles group)
{
    KAI_GIVEN_OR("", world);
    const kai_particles_group* g = group_of(world, group);
    return g && g->name ? g->name : "";
}

size_t kai_particles_count(const kai_world* world, kai_particles group)
{
    KAI_GIVEN_OR(0, world);
    const kai_particles_group* g = group_of(world, group);
    return g ? g->count : 0;
}

kai_body kai_particles_body(const kai_world* world, kai_particles group, size_t i)
{
    KAI_GIVEN_OR((kai_body){0}, world);
    const kai_particles_group* g = group_of(world, group);
    return g && i < g->count ? kai_particles_group_body(g, i) : (kai_body){0};
}
