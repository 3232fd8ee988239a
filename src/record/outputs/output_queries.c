// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/outputs/output_queries.h"

#include "base/error.h"
#include "model/world.h"

static kai_result told(const kai_world* world, kai_result r, kai_error* err)
{
    if (r != KAI_OK && err) *err = *kai_world_error(world);
    return r;
}

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
    return told(world, kai_collision_rays(world, &ray, 1, &subject->hit), err);
}

static kai_result find_nearest(kai_world* world, const kai_output_def* def,
                               kai_output_subject* subject, kai_error* err)
{
    kai_collision_point point = {
        .at = def->ray_from, .limit = def->ray_length, .ignore = def->body};
    if (!KAI_IS_NULL(def->body))
        point.at = kai_frame_point_to_parent(kai_body_frame(world, def->body), point.at);
    return told(world, kai_collision_closest(world, &point, 1, &subject->hit), err);
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
        KAI_TRY(told(world, kai_shape_get(world, shapes[i], NULL, NULL, NULL, &body), err));
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
        KAI_TRY(told(world, r, err));
        return count_bodies(world, few, first[1], subject, err);
    }
    const size_t bytes = first[1] * sizeof(kai_shape);
    kai_shape* many = kai_memory_allocate(&world->memory, bytes);
    if (!many) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for an overlap");
    r = told(world, kai_collision_overlap(world, &probe, 1, first, many, first[1]), err);
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

static bool is_hit(const kai_output_subject* s) { return !KAI_IS_NULL(s->hit.body); }

static void put3(double* out, kai_vec3 v)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

kai_result kai_output_queries_distance(kai_world* world, const kai_output_subject* s, double* out,
                                       kai_error* err)
{
    (void)world;
    (void)err;
    *out = is_hit(s) ? s->hit.distance : s->nothing;
    return KAI_OK;
}

kai_result kai_output_queries_body(kai_world* world, const kai_output_subject* s, double* out,
                                   kai_error* err)
{
    (void)world;
    (void)err;
    *out = (double)s->hit.body.index;
    return KAI_OK;
}

kai_result kai_output_queries_point(kai_world* world, const kai_output_subject* s, double* out,
                                    kai_error* err)
{
    (void)world;
    (void)err;
    put3(out, is_hit(s) ? s->hit.point : kai_vec3_zero());
    return KAI_OK;
}

kai_result kai_output_queries_normal(kai_world* world, const kai_output_subject* s, double* out,
                                     kai_error* err)
{
    (void)world;
    (void)err;
    put3(out, is_hit(s) ? s->hit.normal : kai_vec3_zero());
    return KAI_OK;
}

kai_result kai_output_queries_count(kai_world* world, const kai_output_subject* s, double* out,
                                    kai_error* err)
{
    (void)world;
    (void)err;
    *out = (double)s->count;
    return KAI_OK;
}

kai_result kai_output_queries_shapes(kai_world* world, const kai_output_subject* s, double* out,
                                     kai_error* err)
{
    (void)world;
    (void)err;
    *out = (double)s->shapes;
    return KAI_OK;
}
