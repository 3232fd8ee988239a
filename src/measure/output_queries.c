// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors

#include "measure/output_table.h"
#include "model/world.h"

// Questions --------------------------------------------------------------------------------------

static kai_result cast_ray(kai_world* world, const kai_output_def* def, kai_output_subject* subject,
                           kai_error* err)
{
    kai_collision_ray ray = {.from = def->ray_from,
                             .direction = def->ray_direction,
                             .length = def->ray_length,
                             .ignore = def->body};
    if (!KAI_IS_NULL(def->body)) {
        const kai_frame frame = kai_body_frame(world, def->body);
        ray.from = kai_frame_point_to_parent(frame, ray.from);
        ray.direction = kai_frame_vector_to_parent(frame, ray.direction);
    }
    return kai_output_told(world, kai_collision_rays(world, &ray, 1, &subject->hit), err);
}

static kai_result find_nearest(kai_world* world, const kai_output_def* def,
                               kai_output_subject* subject, kai_error* err)
{
    kai_collision_point point = {
        .at = def->ray_from, .limit = def->ray_length, .ignore = def->body};
    if (!KAI_IS_NULL(def->body))
        point.at = kai_frame_point_to_parent(kai_body_frame(world, def->body), point.at);
    return kai_output_told(world, kai_collision_closest(world, &point, 1, &subject->hit), err);
}

/// Bodies that touch the body's shapes. Shapes of one body stand side by side.
static kai_result count_bodies(const kai_world* world, const kai_shape* shapes, size_t count,
                               kai_output_subject* subject, kai_error* err)
{
    subject->count = 0;
    subject->shapes = count;
    subject->hit = (kai_collision_hit){.distance = HUGE_VAL};
    for (size_t i = 0; i < count; i++) {
        kai_body body;
        KAI_TRY(
            kai_output_told(world, kai_shape_get(world, shapes[i], NULL, NULL, NULL, &body), err));
        if (i > 0 && body.index == subject->last.index) continue;
        subject->count++;
        subject->last = body;
        if (KAI_IS_NULL(subject->hit.body) || body.index < subject->hit.body.index)
            subject->hit.body = body;
    }
    return KAI_OK;
}

static kai_result find_overlap(kai_world* world, const kai_output_def* def,
                               kai_output_subject* subject, kai_error* err)
{
    enum { FEW = 64 };
    const kai_collision_probe probe = {.body = def->body};
    kai_shape few[FEW];
    size_t first[2];
    kai_result r = kai_collision_overlap(world, &probe, 1, first, few, FEW);
    if (r != KAI_ERROR_LIMIT) {
        KAI_TRY(kai_output_told(world, r, err));
        return count_bodies(world, few, first[1], subject, err);
    }
    const size_t bytes = first[1] * sizeof(kai_shape);
    kai_shape* many = kai_memory_allocate(&world->memory, bytes);
    if (!many) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for an overlap");
    r = kai_output_told(world, kai_collision_overlap(world, &probe, 1, first, many, first[1]), err);
    if (r == KAI_OK) r = count_bodies(world, many, first[1], subject, err);
    kai_memory_release(&world->memory, many, bytes);
    return r;
}

kai_result kai_output_queries_ask(kai_world* world, const kai_output_def* def,
                                  kai_output_subject* subject, kai_error* err)
{
    if (def->target == KAI_OUTPUT_RAY) return cast_ray(world, def, subject, err);
    if (def->target == KAI_OUTPUT_NEAREST) return find_nearest(world, def, subject, err);
    if (def->target == KAI_OUTPUT_OVERLAP) return find_overlap(world, def, subject, err);
    return KAI_OK;
}

kai_result kai_output_queries_check(const kai_world* world, const kai_output_def* def,
                                    kai_error* err)
{
    const bool ray = def->target == KAI_OUTPUT_RAY, overlap = def->target == KAI_OUTPUT_OVERLAP;
    if ((overlap || !KAI_IS_NULL(def->body)) && !kai_body_is_valid(world, def->body))
        return kai_error_set(err, KAI_ERROR_ID, "output %s: its body does not exist",
                             def->file.text);
    if (overlap) return KAI_OK;
    if (!kai_vec3_is_finite(def->ray_from) || !(def->ray_length >= 0.0) ||
        (ray && (!kai_vec3_is_finite(def->ray_direction) ||
                 !(kai_vec3_max_abs(def->ray_direction) > 0.0))))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "output %s: its %s", def->file.text,
                             ray ? "ray must begin at a point, have a direction and a length >= 0"
                                 : "point must be finite and its limit >= 0");
    return KAI_OK;
}

// Answers ----------------------------------------------------------------------------------------

// Distance, body, point (3), normal (3), bodies and shapes.
KAI_OUTPUT_GETTER(get_hit)
{
    const bool hit = !KAI_IS_NULL(s->hit.body);
    out[0] = hit ? s->hit.distance : s->nothing;
    out[1] = (double)s->hit.body.index;
    kai_output_put(out + 2, hit ? s->hit.point : kai_vec3_zero());
    kai_output_put(out + 5, hit ? s->hit.normal : kai_vec3_zero());
    out[8] = (double)s->count;
    out[9] = (double)s->shapes;
    return KAI_OK;
}

static const kai_output_table_item RAY[] = {
    KAI_OUTPUT_REAL("distance", "m",
                    "Distance from its origin to the first shape that it hits; -1: none.",
                    .get = get_hit),
    KAI_OUTPUT_REAL("body", "",
                    "Number of the body it hits, from 1 in the order of creation; 0: none.",
                    .get = get_hit, .first = 1),
    KAI_OUTPUT_VEC3("point", "m",
                    "Point where it hits the shape, world frame; 0 when it hits none.",
                    .get = get_hit, .first = 2),
    KAI_OUTPUT_VEC3("normal", "", "Normal of the surface there, world frame; 0 when it hits none.",
                    .get = get_hit, .first = 5),
};

static const kai_output_table_item NEAREST[] = {
    KAI_OUTPUT_REAL(
        "distance", "m",
        "Distance to the nearest surface; negative inside a shape; an empty cell when none is within the limit.",
        .get = get_hit),
    KAI_OUTPUT_REAL("body", "", "Number of its body, from 1 in the order of creation; 0: none.",
                    .get = get_hit, .first = 1),
    KAI_OUTPUT_VEC3("point", "m",
                    "Nearest point of that surface, world frame; 0 when there is none.",
                    .get = get_hit, .first = 2),
    KAI_OUTPUT_VEC3("normal", "",
                    "Outward normal of the surface there, world frame; 0 when there is none.",
                    .get = get_hit, .first = 5),
};

static const kai_output_table_item OVERLAP[] = {
    KAI_OUTPUT_REAL("count", "", "Number of other bodies that overlap shapes of this one.",
                    .get = get_hit, .first = 8),
    KAI_OUTPUT_REAL("shapes", "", "Number of shapes of those bodies that do.", .get = get_hit,
                    .first = 9),
    KAI_OUTPUT_REAL("body", "",
                    "The lowest number of one of them, from 1 in the order of creation; 0: none.",
                    .get = get_hit, .first = 1),
};

const kai_output_table kai_output_queries_ray = {RAY, KAI_COUNT(RAY)};
const kai_output_table kai_output_queries_nearest = {NEAREST, KAI_COUNT(NEAREST)};
const kai_output_table kai_output_queries_overlap = {OVERLAP, KAI_COUNT(OVERLAP)};
