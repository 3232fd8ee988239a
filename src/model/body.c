// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Bodies as users see them: own frames outside, principal frames inside (model/bodies.h).
#include "model/body.h"

#include "model/check.h"
#include "model/collision/collision.h"
#include "model/id.h"
#include "model/shape.h"
#include "parallel/comm.h"

static const uint64_t COOKIE = UINT64_C(0x4b41494f53424f44);

typedef kai_body_def def_type;

static const kai_param PARAMS[] = {
    KAI_PARAM(STRING, def_type, name, .placing = KAI_PLACING_NAME,
              .doc = "Unique among bodies; other parts of the scene refer to it."),
    KAI_PARAM(BOOL, def_type, fixed, .doc = "Part of the ground: never moves and needs no mass."),
    KAI_PARAM(REAL, def_type, mass, .unit = "kg", .range = KAI_ABOVE(0.0),
              .doc = "Mass; instead of density."),
    KAI_PARAM(
        INERTIA, def_type, inertia, .placing = KAI_PLACING_OWN, .unit = "kg m²",
        .doc =
            "[ixx, iyy, izz] or [ixx, iyy, izz, ixy, ixz, iyz] about the mass centre, in body axes; "
            "ixy etc. are the elements of the tensor."),
    KAI_PARAM(REAL, def_type, density, .unit = "kg/m³", .range = KAI_ABOVE(0.0),
              .doc = "With shapes: replaces mass, inertia and com."),
    KAI_PARAM(VEC3, def_type, com, .placing = KAI_PLACING_OWN, .unit = "m",
              .doc = "Mass centre in the body's own frame."),
    KAI_PARAM(
        VEC3, def_type, position, .placing = KAI_PLACING_POINT, .unit = "m",
        .doc =
            "Origin of the body's own frame; the mass centre unless com or density puts it elsewhere."),
    KAI_PARAM(ROTATION, def_type, rotation, .placing = KAI_PLACING_POINT,
              .doc = "Orientation: takes body coordinates to world coordinates."),
    KAI_PARAM(VEC3, def_type, velocity, .placing = KAI_PLACING_VECTOR, .unit = "m/s",
              .doc = "Velocity of the origin of the body's own frame, world coordinates."),
    KAI_PARAM(VEC3, def_type, angular_velocity, .placing = KAI_PLACING_AXIAL, .unit = "rad/s",
              .doc = "Angular velocity in WORLD coordinates."),
};

const kai_kind kai_body_kind = KAI_KIND("body", def_type, PARAMS, .doc = "A rigid body.");

kai_body_def kai_body_def_default(void)
{
    kai_body_def def;
    kai_kind_defaults(&kai_body_kind, &def);
    def.cookie = COOKIE;
    return def;
}

kai_result kai_body_id_error(kai_body body, kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_ID, "body id %u is null, stale or from another world",
                         body.index);
}

static kai_mat33 tensor_of(const kai_inertia* i)
{
    return (kai_mat33){{{i->xx, i->xy, i->xz}, {i->xy, i->yy, i->yz}, {i->xz, i->yz, i->zz}}};
}

// Mass -------------------------------------------------------------------------------------------

kai_result kai_body_principal(const kai_mass_properties* mass, kai_vec3* moments, kai_frame* offset,
                              kai_error* err)
{
    KAI_TRY(kai_inertia_check(&mass->inertia, mass->mass, err));
    if (!kai_vec3_is_finite(mass->com))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "body: com is [%g, %g, %g] m; must be finite",
                             mass->com.x, mass->com.y, mass->com.z);
    kai_frame principal = {.position = mass->com};
    kai_inertia_principal(&mass->inertia, moments, &principal.rotation);
    const double least = fmin(moments->x, fmin(moments->y, moments->z));
    if (isinf(1.0 / mass->mass))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "body: mass is %g kg; too small to divide by",
                             mass->mass);
    if (isinf(1.0 / least))
        return kai_error_set(
            err, KAI_ERROR_ARGUMENT,
            "body: inertia has a principal moment of %g kg m²; too small to divide by", least);
    *offset = kai_frame_inverse(principal);
    return KAI_OK;
}

/// Planar mechanisms are often given moments that no real body has; they move well, so the user is
/// told only.
static void warn_of_inertia(const kai_world* world, size_t slot)
{
    const kai_vec3 m = kai_bodies_mass_of(&world->bodies, slot)->moments;
    const kai_mat33 inertia = kai_mat33_diagonal(m);
    if (kai_inertia_is_physical(&inertia)) return;
    char text[KAI_STRING_SIZE + 32];
    kai_bodies_describe(&world->bodies, slot, text, sizeof text);
    kai_world_log(
        world, KAI_LOG_WARNING,
        "%s: inertia has principal moments %g, %g, %g kg m²; of a real body the largest does not exceed "
        "the sum of the others",
        text, m.x, m.y, m.z);
}

// What others lay out -----------------------------------------------------------------------------

static bool carries_terms(const kai_bodies* bodies, size_t slot)
{
    return bodies->colds[bodies->shared_properties[slot]].load_count > 0 ||
           (bodies->motion[slot].flags & KAI_BODY_NODE);
}

void kai_body_changed(kai_world* world)
{
    world->bodies_version++;
    world->term_slots_version += world->shafts.count > 0; // their places follow those of bodies
    world->energy_known = false;                          // the balance starts anew
    // Implicit integrators carry accelerations slot by slot.
    if (world->integrator && (world->integrator->capabilities & KAI_INTEGRATOR_IMPLICIT))
        world->integrator_steps = 0;
}

void kai_body_terms_changed(kai_world* world)
{
    world->bodies_version++;
    world->terms_version++;
    world->term_slots_version++;
}

/// The body in a slot became fixed or free, or got another principal frame.
static void slot_changed(kai_world* world, size_t slot)
{
    world->bodies_version++;
    if (carries_terms(&world->bodies, slot)) kai_body_terms_changed(world);
}

/// Changes the mass of a body without moving its own frame: the principal frame is laid anew.
static kai_result set_mass(kai_world* world, size_t slot, const kai_mass_properties* mass,
                           kai_error* err)
{
    kai_bodies* bodies = &world->bodies;
    kai_vec3 moments;
    kai_frame offset;
    uint32_t index;
    KAI_TRY(kai_body_principal(mass, &moments, &offset, err));
    if (kai_vec3_norm2(offset.position) == 0.0) offset.position = kai_vec3_zero(); // not -0
    const kai_frame before = kai_bodies_offset(bodies, slot);
    kai_bodies_cold* cold;
    KAI_TRY(kai_bodies_own(bodies, slot, &cold, err));
    if (cold->load_count > 0 && !kai_frames_equal(&before, &offset))
        return kai_error_set(
            err, KAI_ERROR_ARGUMENT,
            "mass centre or principal axes would move under %u loads; destroy them first",
            cold->load_count);
    KAI_TRY(kai_frames_add(&bodies->offsets, bodies->memory, &offset, &index, err));

    const kai_body body = kai_bodies_id(bodies, slot);
    const kai_frame frame = kai_body_frame(world, body);
    const kai_vec3 velocity = kai_body_velocity(world, body);
    const kai_vec3 omega = kai_body_angular_velocity(world, body);
    const uint32_t old_index = cold->offset;
    cold->offset = index;
    const kai_result r = kai_body_place(bodies, slot, frame, velocity, omega, err);
    if (r != KAI_OK) {
        cold->offset = old_index;
        kai_frames_drop(&bodies->offsets, index);
        return r;
    }
    kai_frames_drop(&bodies->offsets, old_index);
    kai_bodies_set_mass(bodies, slot, mass->mass, moments,
                        bodies->motion[slot].flags & KAI_BODY_FIXED);
    world->energy_known = false;
    slot_changed(world, slot);
    warn_of_inertia(world, slot);
    return KAI_OK;
}

kai_result kai_body_place(kai_bodies* bodies, size_t slot, kai_frame frame, kai_vec3 velocity,
                          kai_vec3 omega, kai_error* err)
{
    if (bodies->motion[slot].flags & KAI_BODY_FIXED) velocity = omega = kai_vec3_zero();
    if (bodies->motion[slot].flags & KAI_BODY_STRAIGHT) omega = kai_vec3_zero();
    const kai_frame offset = kai_bodies_offset(bodies, slot);
    const kai_frame principal = kai_frame_compose(frame, kai_frame_inverse(offset));
    const kai_quat rotation = kai_quat_normalize(principal.rotation);
    const kai_vec3 arm = kai_vec3_sub(principal.position, frame.position);
    const kai_vec3 centre = kai_vec3_add(velocity, kai_vec3_cross(omega, arm));
    const kai_vec3 spin = kai_quat_unrotate(rotation, omega);
    if (!kai_vec3_is_finite(principal.position) || !kai_vec3_is_finite(centre) ||
        !kai_vec3_is_finite(spin))
        return kai_error_set(
            err, KAI_ERROR_ARGUMENT,
            "body: mass centre at [%g, %g, %g] m with velocity [%g, %g, %g] m/s; must be finite",
            principal.position.x, principal.position.y, principal.position.z, centre.x, centre.y,
            centre.z);
    bodies->pose[slot].position = principal.position;
    bodies->pose[slot].rotation = rotation;
    bodies->motion[slot].velocity = centre;
    bodies->motion[slot].spin = spin;
    return KAI_OK;
}

bool kai_body_is_rotation(kai_quat q)
{
    const double largest = fmax(fmax(fabs(q.w), fabs(q.x)), fmax(fabs(q.y), fabs(q.z)));
    return isfinite(q.w) && isfinite(q.x) && isfinite(q.y) && isfinite(q.z) && largest > 0.0;
}

// Creation ---------------------------------------------------------------------------------------

static bool has_inertia(const kai_body_def* def)
{
    const kai_inertia* i = &def->inertia;
    return i->xx != 0.0 || i->yy != 0.0 || i->zz != 0.0 || i->xy != 0.0 || i->xz != 0.0 ||
           i->yz != 0.0;
}

static kai_result check_def(const kai_body_def* def, kai_error* err)
{
    if (def->cookie != COOKIE)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "def was not made by kai_body_def_default()");
    KAI_TRY(kai_kind_check(&kai_body_kind, def, err));
    if (has_inertia(def) && !(def->mass > 0.0) && !(def->density > 0.0) && !def->fixed)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "body: mass is 0 kg beside an inertia; must be > 0");
    return KAI_OK;
}

/// Adds a body whose def was checked; there must be room.
static kai_result add(kai_world* world, const kai_body_def* def, bool ghost, kai_body* out,
                      kai_error* err)
{
    kai_bodies* bodies = &world->bodies;
    kai_vec3 moments = kai_vec3_zero();
    kai_frame offset = kai_frame_make(kai_vec3_neg(def->com), kai_quat_identity());
    if (def->mass > 0.0 && has_inertia(def)) {
        const kai_mass_properties mass = {def->mass, def->com, tensor_of(&def->inertia)};
        KAI_TRY(kai_body_principal(&mass, &moments, &offset, err));
    }
    if (kai_vec3_norm2(offset.position) == 0.0) offset.position = kai_vec3_zero(); // not -0
    kai_bodies_cold cold = {.user_data = def->user_data};
    KAI_TRY(kai_frames_add(&bodies->offsets, bodies->memory, &offset, &cold.offset, err));

    const kai_pose pose = {.rotation = kai_quat_identity()};
    const kai_motion motion = {.flags = KAI_BODY_FIXED}; // until its mass is known
    *out = (ghost ? kai_bodies_add_ghost : kai_bodies_add)(bodies, &pose, &motion,
                                                           &(kai_bodies_mass){0}, &cold);
    const size_t slot = kai_bodies_slot(bodies, *out);
    kai_bodies_set_mass(bodies, slot, def->mass, moments, def->fixed);
    const kai_frame frame = kai_frame_make(def->position, kai_quat_normalize(def->rotation));
    const kai_result r =
        kai_body_place(bodies, slot, frame, def->velocity, def->angular_velocity, err);
    if (r != KAI_OK) kai_bodies_remove(bodies, slot);
    return r;
}

/// Adds one body: a ghost with the key of another rank when that is not 0.
static kai_result create(kai_world* world, const kai_body_def* def, uint64_t key, kai_body* out,
                         kai_error* err)
{
    kai_bodies* bodies = &world->bodies;
    KAI_TRY(check_def(def, err));
    KAI_TRY(kai_bodies_reserve(bodies, bodies->count + 1, false, err));
    KAI_TRY(kai_bodies_reserve_shared(bodies, 1, err));
    KAI_TRY(add(world, def, key != 0, out, err));
    const size_t slot = kai_bodies_slot(bodies, *out);
    kai_result r = KAI_OK;
    if (def->name.text[0])
        r = kai_names_add(&bodies->names, "body", def->name.text, KAI_ID_OF(*out),
                          &bodies->colds[bodies->shared_properties[slot]].name, err);
    if (r == KAI_OK && key != 0)
        r = kai_keys_add(&bodies->keys, bodies->memory, out->index, key, err);
    if (r != KAI_OK) {
        kai_bodies_remove(bodies, slot);
        *out = (kai_body){0};
        return r;
    }
    kai_body_changed(world);
    warn_of_inertia(world, slot);
    return KAI_OK;
}

kai_result kai_body_create(kai_world* world, const kai_body_def* def, kai_body* out)
{
    KAI_CLEAR(out);
    KAI_CHANGE(world, def, out);
    kai_body body;
    KAI_TRY(kai_world_fail(world, __func__, create(world, def, 0, &body, &world->error)));
    *out = body;
    return KAI_OK;
}

kai_result kai_body_create_ghost(kai_world* world, const kai_body_def* def, uint64_t key,
                                 kai_body* out)
{
    KAI_CLEAR(out);
    KAI_CHANGE(world, def, out);
    kai_body body;
    KAI_TRY(kai_world_fail(world, __func__, create(world, def, key, &body, &world->error)));
    *out = body;
    return KAI_OK;
}

kai_result kai_body_create_many(kai_world* world, const kai_body_def* defs, size_t count,
                                kai_body* out)
{
    if (out && count < UINT32_MAX) memset(out, 0, count * sizeof *out);
    KAI_CHANGE(world);
    if (count > 0) KAI_READ(world, defs);
    kai_bodies* bodies = &world->bodies;
    const size_t before = bodies->owned;
    if (count >= UINT32_MAX) // also keeps the sum below from overflowing
        return kai_error_set(&world->error, KAI_ERROR_LIMIT,
                             "kai_body_create_many: %zu bodies; at most %u", count, UINT32_MAX - 1);
    KAI_TRY(kai_world_fail(world, __func__,
                           kai_bodies_reserve(bodies, bodies->count + count, true, &world->error)));
    KAI_TRY(
        kai_world_fail(world, __func__, kai_bodies_reserve_shared(bodies, count, &world->error)));
    for (size_t i = 0; i < count; i++) {
        kai_body body;
        kai_result r = check_def(&defs[i], &world->error);
        if (r == KAI_OK) r = add(world, &defs[i], false, &body, &world->error);
        if (r != KAI_OK) {
            while (bodies->owned > before) kai_bodies_remove(bodies, bodies->owned - 1);
            if (out) memset(out, 0, count * sizeof *out);
            kai_error_prefix(&world->error, "defs[%zu]", i);
            return kai_world_fail(world, __func__, r);
        }
        if (out) out[i] = body;
    }
    kai_body_changed(world);
    for (size_t slot = before; slot < bodies->owned; slot++) warn_of_inertia(world, slot);
    return KAI_OK;
}

// Removal ----------------------------------------------------------------------------------------

/// Room for so many notes of slots that change (kai_collision_note_slots).
static kai_result reserve_notes(kai_world* world, size_t count, kai_error* err)
{
    kai_array* moved = world->collision ? &world->collision->moved : NULL;
    return moved ? kai_array_reserve(moved, &world->memory, moved->count + count, err) : KAI_OK;
}

/// Whether a body is there and carries nothing; what it has is its own then, so that it can go
/// without fail. Adds to `notes` how many it needs room for.
static kai_result prepare_removal(kai_world* world, kai_body body, size_t* notes, kai_error* err)
{
    kai_bodies* bodies = &world->bodies;
    const size_t slot = kai_bodies_slot(bodies, body);
    if (slot == SIZE_MAX) return kai_body_id_error(body, err);
    const uint32_t loads = bodies->colds[bodies->shared_properties[slot]].load_count;
    if (loads == 0) {
        *notes += 3u + bodies->colds[bodies->shared_properties[slot]].shape_count;
        return kai_shape_prepare_destroy_all(world, slot, err);
    }
    char text[KAI_STRING_SIZE + 32];
    kai_bodies_describe(bodies, slot, text, sizeof text);
    return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s still carries %u loads; destroy them first",
                         text, loads);
}

void kai_body_balance(kai_world* world, bool known, double energy)
{
    if (!known || world->comm->size > 1) return;
    world->energy_known = true;
    world->energy_reference += energy;
}

static void remove_prepared(kai_world* world, kai_body body)
{
    kai_bodies* bodies = &world->bodies;
    const size_t slot = kai_bodies_slot(bodies, body);
    // The last one moves into the gap, and the last ghost into that one's.
    const size_t last = (slot < bodies->owned ? bodies->owned : bodies->count) - 1;
    const size_t touched[] = {slot, last, bodies->count - 1};
    for (size_t k = 0; k < KAI_COUNT(touched); k++)
        kai_collision_note_slots(world, touched[k], touched[k] + 1, &world->error);
    const bool follows = kai_collision_can_leave(world, slot), known = world->energy_known;
    double energy[2];
    kai_body_energy(world, slot, energy);
    kai_shape_destroy_all(world, slot);
    const bool gone = carries_terms(bodies, slot),
               moved = slot != last && carries_terms(bodies, last);
    kai_bodies_remove(bodies, slot);
    kai_body_changed(world);
    kai_body_balance(world, known && !gone, -(energy[0] + energy[1]));
    if (follows) kai_collision_particle_left(world);
    if (gone) kai_body_terms_changed(world);
    world->term_slots_version += moved;
}

kai_result kai_body_destroy(kai_world* world, kai_body body)
{
    KAI_CHANGE(world);
    size_t notes = 0;
    kai_result r = prepare_removal(world, body, &notes, &world->error);
    if (r == KAI_OK) r = reserve_notes(world, notes, &world->error);
    if (r != KAI_OK) return kai_world_fail(world, __func__, r);
    remove_prepared(world, body);
    return KAI_OK;
}

/// Prepares all; `used` of an entry is 2 while its body is on the list, so that it is not there
/// twice.
static kai_result prepare_many(kai_world* world, const kai_body* bodies, size_t count,
                               kai_error* err)
{
    kai_bodies_entry* entries = world->bodies.entries.data;
    kai_result r = KAI_OK;
    size_t ready = 0, notes = 0;
    while (r == KAI_OK && ready < count) {
        r = prepare_removal(world, bodies[ready], &notes, err);
        if (r == KAI_OK && entries[bodies[ready].index - 1].used == 2)
            r = kai_error_set(err, KAI_ERROR_ARGUMENT, "body #%u is there twice",
                              bodies[ready].index);
        if (r == KAI_OK) entries[bodies[ready++].index - 1].used = 2;
    }
    if (r != KAI_OK) kai_error_prefix(err, "bodies[%zu]", ready);
    for (size_t i = 0; i < ready; i++) entries[bodies[i].index - 1].used = 1;
    return r == KAI_OK ? reserve_notes(world, notes, err) : r;
}

kai_result kai_body_destroy_many(kai_world* world, const kai_body* bodies, size_t count)
{
    KAI_CHANGE(world);
    if (count > 0) KAI_READ(world, bodies);
    KAI_TRY(kai_world_fail(world, __func__, prepare_many(world, bodies, count, &world->error)));
    for (size_t i = 0; i < count; i++) remove_prepared(world, bodies[i]);
    return KAI_OK;
}

kai_result kai_body_drop_ghosts(kai_world* world)
{
    kai_bodies* bodies = &world->bodies;
    while (bodies->count > bodies->owned)
        KAI_TRY(kai_body_destroy(world, kai_bodies_id(bodies, bodies->count - 1)));
    return KAI_OK;
}

// Changes ----------------------------------------------------------------------------------------

/// The slot of a body, or the end of the calling function with KAI_ERROR_ID.
#define SLOT_OR_FAIL(slot, world, body)                          \
    const size_t slot = kai_bodies_slot(&(world)->bodies, body); \
    if (slot == SIZE_MAX)                                        \
    return kai_world_fail(world, __func__, kai_body_id_error(body, kai_world_error_of(world)))

kai_result kai_body_set_mass(kai_world* world, kai_body body, const kai_mass_properties* mass)
{
    KAI_CHANGE(world, mass);
    SLOT_OR_FAIL(slot, world, body);
    return kai_world_fail(world, __func__, set_mass(world, slot, mass, &world->error));
}

/// Mass of all shapes of a body, in its own frame.
static kai_result mass_of_shapes(kai_world* world, kai_body body, double density,
                                 kai_mass_properties* sum)
{
    *sum = (kai_mass_properties){0};
    for (kai_shape s = kai_shape_first(world, body); !KAI_IS_NULL(s);
         s = kai_shape_next(world, s)) {
        const kai_shape_kind* kind;
        kai_shape_def def;
        kai_material_def material = {0};
        KAI_TRY(kai_shape_get(world, s, &kind, NULL, &def, NULL));
        if (!kai_shape_has_volume(kai_shape_table(world, s))) continue;
        if (!KAI_IS_NULL(def.material)) KAI_TRY(kai_material_get(world, def.material, &material));
        const double rho = density > 0.0 ? density : material.density;
        if (!(rho > 0.0))
            return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                                 "body: a %s has no density; give the body or its material one",
                                 kind->kind.name);
        kai_mass_properties part;
        KAI_TRY(kai_shape_mass_of(world, s, &part, &world->error));
        part.mass *= rho;
        part.inertia = kai_mat33_scale(part.inertia, rho);
        const kai_frame frame = {def.at, def.rotation};
        part = kai_inertia_transform(&part, &frame);
        *sum = sum->mass > 0.0 ? kai_inertia_combine(sum, &part) : part;
    }
    if (sum->mass > 0.0) return KAI_OK;
    return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                         "body: has no shape with a volume; needs one");
}

kai_result kai_body_set_density(kai_world* world, kai_body body, double density)
{
    KAI_CHANGE(world);
    SLOT_OR_FAIL(slot, world, body);
    if (!(density >= 0.0) || isinf(density))
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                             "kai_body_set_density: density is %g kg/m³; must be >= 0", density);
    kai_mass_properties mass;
    kai_result r = mass_of_shapes(world, body, density, &mass);
    if (r == KAI_OK) r = set_mass(world, slot, &mass, &world->error);
    return kai_world_fail(world, __func__, r);
}

kai_result kai_body_set_frame(kai_world* world, kai_body body, kai_frame frame)
{
    KAI_CHANGE(world);
    SLOT_OR_FAIL(slot, world, body);
    if (!kai_vec3_is_finite(frame.position) || !kai_body_is_rotation(frame.rotation))
        return kai_error_set(
            &world->error, KAI_ERROR_ARGUMENT,
            "kai_body_set_frame: position and rotation must be finite, rotation not zero");
    frame.rotation = kai_quat_normalize(frame.rotation);
    const kai_vec3 velocity = kai_body_velocity(world, body),
                   omega = kai_body_angular_velocity(world, body);
    KAI_TRY(kai_world_fail(
        world, __func__,
        kai_body_place(&world->bodies, slot, frame, velocity, omega, &world->error)));
    world->energy_known = false;
    return KAI_OK;
}

kai_result kai_body_set_velocity(kai_world* world, kai_body body, kai_vec3 velocity,
                                 kai_vec3 angular_velocity)
{
    KAI_CHANGE(world);
    SLOT_OR_FAIL(slot, world, body);
    if (!kai_vec3_is_finite(velocity) || !kai_vec3_is_finite(angular_velocity))
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                             "kai_body_set_velocity: both velocities must be finite");
    const kai_frame frame = kai_body_frame(world, body);
    KAI_TRY(kai_world_fail(
        world, __func__,
        kai_body_place(&world->bodies, slot, frame, velocity, angular_velocity, &world->error)));
    world->energy_known = false;
    return KAI_OK;
}

kai_result kai_body_set_fixed(kai_world* world, kai_body body, bool fixed)
{
    KAI_CHANGE(world);
    SLOT_OR_FAIL(slot, world, body);
    KAI_TRY(
        kai_world_fail(world, __func__, kai_bodies_own(&world->bodies, slot, NULL, &world->error)));
    kai_bodies_set_fixed(&world->bodies, slot, fixed);
    if (fixed)
        world->bodies.motion[slot].velocity = world->bodies.motion[slot].spin = kai_vec3_zero();
    slot_changed(world, slot);
    world->energy_known = false;
    return KAI_OK;
}

kai_result kai_body_set_user_data(kai_world* world, kai_body body, uint64_t user_data)
{
    KAI_CHANGE(world);
    SLOT_OR_FAIL(slot, world, body);
    kai_bodies_cold* cold;
    const kai_result r = kai_bodies_own(&world->bodies, slot, &cold, &world->error);
    if (r == KAI_OK) cold->user_data = user_data;
    return kai_world_fail(world, __func__, r);
}

kai_result kai_body_force(const kai_world* world, kai_body body, kai_vec3* force, kai_vec3* torque)
{
    KAI_READ(world, force, torque);
    SLOT_OR_FAIL(slot, world, body);
    const kai_wrench none = {0};
    const kai_wrench* w = world->bodies.wrench ? &world->bodies.wrench[slot] : &none;
    *force = w->force;
    *torque = kai_quat_rotate(world->bodies.pose[slot].rotation, w->torque);
    return KAI_OK;
}

kai_result kai_body_mass(const kai_world* world, kai_body body, kai_mass_properties* out)
{
    KAI_READ(world, out);
    SLOT_OR_FAIL(slot, world, body);
    const kai_bodies_mass* mass = kai_bodies_mass_of(&world->bodies, slot);
    const kai_frame principal = kai_frame_inverse(kai_bodies_offset(&world->bodies, slot));
    const kai_mass_properties inner = {mass->mass, kai_vec3_zero(),
                                       kai_mat33_diagonal(mass->moments)};
    *out = kai_inertia_transform(&inner, &principal);
    return KAI_OK;
}

// Queries ----------------------------------------------------------------------------------------

/// The slot of a body; SIZE_MAX and a message when the id is no good.
static size_t slot_or_message(const kai_world* world, const char* function, kai_body body)
{
    const size_t slot = kai_bodies_slot(&world->bodies, body);
    if (slot == SIZE_MAX)
        kai_world_fail(world, function, kai_body_id_error(body, kai_world_error_of(world)));
    return slot;
}

bool kai_body_is_valid(const kai_world* world, kai_body body)
{
    KAI_GIVEN_OR(false, world);
    return kai_bodies_slot(&world->bodies, body) != SIZE_MAX;
}

size_t kai_body_count(const kai_world* world)
{
    KAI_GIVEN_OR(0, world);
    return world->bodies.owned;
}

kai_body kai_body_at(const kai_world* world, size_t i)
{
    KAI_GIVEN_OR((kai_body){0}, world);
    return i < world->bodies.owned ? kai_bodies_id(&world->bodies, i) : (kai_body){0};
}

kai_body kai_body_find(const kai_world* world, const char* name)
{
    KAI_GIVEN_OR((kai_body){0}, world, name);
    const kai_id id = kai_names_find(&world->bodies.names, name);
    return KAI_ID_AS(kai_body, id);
}

uint64_t kai_body_key(const kai_world* world, kai_body body)
{
    KAI_GIVEN_OR(0, world);
    const bool valid = kai_bodies_slot(&world->bodies, body) != SIZE_MAX;
    return valid ? kai_keys_of(&world->bodies.keys, KAI_ID_OF(body)) : 0;
}

kai_body kai_body_by_key(const kai_world* world, uint64_t key)
{
    KAI_GIVEN_OR((kai_body){0}, world);
    const kai_bodies* bodies = &world->bodies;
    kai_id id = {.world = world->tag};
    if (!kai_keys_find(&bodies->keys, key, &id) && id.index != 0)
        id.generation = ((const kai_bodies_entry*)bodies->entries.data)[id.index - 1].generation;
    const kai_body body = KAI_ID_AS(kai_body, id);
    return kai_bodies_slot(bodies, body) != SIZE_MAX ? body : (kai_body){0};
}

const char* kai_body_name(const kai_world* world, kai_body body)
{
    KAI_GIVEN_OR("", world);
    const size_t slot = slot_or_message(world, __func__, body);
    const char* name =
        slot == SIZE_MAX ? NULL : world->bodies.colds[world->bodies.shared_properties[slot]].name;
    return name ? name : "";
}

static kai_frame frame_of(const kai_world* world, size_t slot)
{
    const kai_pose* pose = &world->bodies.pose[slot];
    const kai_frame principal = kai_frame_make(pose->position, pose->rotation);
    return kai_frame_compose(principal, kai_bodies_offset(&world->bodies, slot));
}

kai_frame kai_body_frame(const kai_world* world, kai_body body)
{
    KAI_GIVEN_OR((kai_frame){0}, world);
    const size_t slot = slot_or_message(world, __func__, body);
    return slot == SIZE_MAX ? (kai_frame){0} : frame_of(world, slot);
}

kai_vec3 kai_body_position(const kai_world* world, kai_body body)
{
    KAI_GIVEN_OR((kai_vec3){0}, world);
    const size_t slot = slot_or_message(world, __func__, body);
    return slot == SIZE_MAX ? kai_vec3_zero() : frame_of(world, slot).position;
}

kai_quat kai_body_rotation(const kai_world* world, kai_body body)
{
    KAI_GIVEN_OR((kai_quat){0}, world);
    const size_t slot = slot_or_message(world, __func__, body);
    return slot == SIZE_MAX ? (kai_quat){0} : frame_of(world, slot).rotation;
}

/// From the mass centre to the origin of the own frame, world frame.
static kai_vec3 arm_to_origin(const kai_world* world, size_t slot)
{
    const kai_frame offset = kai_bodies_offset(&world->bodies, slot);
    return kai_quat_rotate(world->bodies.pose[slot].rotation, offset.position);
}

kai_vec3 kai_body_angular_velocity(const kai_world* world, kai_body body)
{
    KAI_GIVEN_OR((kai_vec3){0}, world);
    const size_t slot = slot_or_message(world, __func__, body);
    if (slot == SIZE_MAX) return kai_vec3_zero();
    return kai_quat_rotate(world->bodies.pose[slot].rotation, world->bodies.motion[slot].spin);
}

kai_vec3 kai_body_velocity(const kai_world* world, kai_body body)
{
    KAI_GIVEN_OR((kai_vec3){0}, world);
    const size_t slot = slot_or_message(world, __func__, body);
    if (slot == SIZE_MAX) return kai_vec3_zero();
    const kai_vec3 omega = kai_body_angular_velocity(world, body);
    return kai_vec3_add(world->bodies.motion[slot].velocity,
                        kai_vec3_cross(omega, arm_to_origin(world, slot)));
}

kai_vec3 kai_body_angular_acceleration(const kai_world* world, kai_body body)
{
    KAI_GIVEN_OR((kai_vec3){0}, world);
    const size_t slot = slot_or_message(world, __func__, body);
    if (slot == SIZE_MAX || !world->bodies.acceleration) return kai_vec3_zero();
    return kai_quat_rotate(world->bodies.pose[slot].rotation,
                           world->bodies.acceleration[slot].torque);
}

kai_vec3 kai_body_acceleration(const kai_world* world, kai_body body)
{
    KAI_GIVEN_OR((kai_vec3){0}, world);
    const size_t slot = slot_or_message(world, __func__, body);
    if (slot == SIZE_MAX || !world->bodies.acceleration) return kai_vec3_zero();
    const kai_vec3 arm = arm_to_origin(world, slot), omega = kai_body_angular_velocity(world, body);
    const kai_vec3 alpha = kai_body_angular_acceleration(world, body);
    const kai_vec3 turning =
        kai_vec3_add(kai_vec3_cross(alpha, arm), kai_vec3_cross(omega, kai_vec3_cross(omega, arm)));
    return kai_vec3_add(world->bodies.acceleration[slot].force, turning);
}

kai_vec3 kai_body_com_position(const kai_world* world, kai_body body)
{
    KAI_GIVEN_OR((kai_vec3){0}, world);
    const size_t slot = slot_or_message(world, __func__, body);
    return slot == SIZE_MAX ? kai_vec3_zero() : world->bodies.pose[slot].position;
}

kai_vec3 kai_body_com_velocity(const kai_world* world, kai_body body)
{
    KAI_GIVEN_OR((kai_vec3){0}, world);
    const size_t slot = slot_or_message(world, __func__, body);
    return slot == SIZE_MAX ? kai_vec3_zero() : world->bodies.motion[slot].velocity;
}

kai_vec3 kai_body_point_velocity(const kai_world* world, kai_body body, kai_vec3 point)
{
    KAI_GIVEN_OR((kai_vec3){0}, world);
    const size_t slot = slot_or_message(world, __func__, body);
    if (slot == SIZE_MAX) return kai_vec3_zero();
    const kai_vec3 arm = kai_vec3_sub(point, world->bodies.pose[slot].position);
    return kai_vec3_add(world->bodies.motion[slot].velocity,
                        kai_vec3_cross(kai_body_angular_velocity(world, body), arm));
}

kai_vec3 kai_body_point_to_world(const kai_world* world, kai_body body, kai_vec3 point)
{
    KAI_GIVEN_OR((kai_vec3){0}, world);
    const size_t slot = slot_or_message(world, __func__, body);
    return slot == SIZE_MAX ? kai_vec3_zero()
                            : kai_frame_point_to_parent(frame_of(world, slot), point);
}

kai_vec3 kai_body_point_from_world(const kai_world* world, kai_body body, kai_vec3 point)
{
    KAI_GIVEN_OR((kai_vec3){0}, world);
    const size_t slot = slot_or_message(world, __func__, body);
    return slot == SIZE_MAX ? kai_vec3_zero()
                            : kai_frame_point_from_parent(frame_of(world, slot), point);
}

kai_vec3 kai_body_vector_to_world(const kai_world* world, kai_body body, kai_vec3 vector)
{
    KAI_GIVEN_OR((kai_vec3){0}, world);
    const size_t slot = slot_or_message(world, __func__, body);
    return slot == SIZE_MAX ? kai_vec3_zero()
                            : kai_frame_vector_to_parent(frame_of(world, slot), vector);
}

kai_vec3 kai_body_vector_from_world(const kai_world* world, kai_body body, kai_vec3 vector)
{
    KAI_GIVEN_OR((kai_vec3){0}, world);
    const size_t slot = slot_or_message(world, __func__, body);
    return slot == SIZE_MAX ? kai_vec3_zero()
                            : kai_frame_vector_from_parent(frame_of(world, slot), vector);
}

bool kai_body_is_fixed(const kai_world* world, kai_body body)
{
    KAI_GIVEN_OR(false, world);
    const size_t slot = slot_or_message(world, __func__, body);
    return slot != SIZE_MAX && (world->bodies.motion[slot].flags & KAI_BODY_FIXED);
}

uint64_t kai_body_user_data(const kai_world* world, kai_body body)
{
    KAI_GIVEN_OR(0, world);
    const size_t slot = slot_or_message(world, __func__, body);
    return slot == SIZE_MAX ? 0
                            : world->bodies.colds[world->bodies.shared_properties[slot]].user_data;
}

bool kai_body_is_asleep(const kai_world* world, kai_body body)
{
    KAI_GIVEN_OR(false, world);
    const size_t slot = kai_bodies_slot(&world->bodies, body);
    return slot != SIZE_MAX && (world->bodies.motion[slot].flags & KAI_BODY_ASLEEP);
}
