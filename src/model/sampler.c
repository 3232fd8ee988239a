// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/sampler.h"

#include "base/kind.h"
#include "model/check.h"
#include "model/shape.h"

#include <stdlib.h>
#include <string.h>

struct kai_sampler_points {
    kai_sampler_domain domain; // kind and instance as the world has them
    double* column[4];         // [capacity] x, y, z, radius
    size_t count, capacity;
    bool sized;   // some have a radius of their own
    size_t limit; // of memory, bytes
};

/// Bytes of a particle: its row, and in a world pose, motion, mass and force of its body, a cache
/// line each, and its shape.
#define PARTICLE_BYTES (4 * sizeof(double) + 5 * KAI_ALIGNMENT)

// Registration -----------------------------------------------------------------------------------

kai_result kai_sampler_register(kai_world* world, const kai_sampler_kind* kind)
{
    KAI_CHANGE(world, kind);
    kai_error* err = &world->error;
    kai_sampler_kind whole;
    kai_result r = kai_kind_read_table(&kind->kind, "sampler", sizeof whole, &whole, err);
    if (r == KAI_OK && !whole.sample)
        r = kai_error_set(err, KAI_ERROR_ARGUMENT, "the kind has no sample()");
    if (r == KAI_OK)
        r = kai_store_register_table(&world->samplers, &kind->kind, sizeof whole, 0, err);
    return kai_world_fail(world, __func__, r);
}

// What sample() uses -----------------------------------------------------------------------------

bool kai_sampler_fits(const kai_sampler_view* view, kai_vec3 position, double radius)
{
    KAI_GIVEN_OR(false, view);
    const kai_sampler_domain* d = &view->points->domain;
    const kai_vec3 local = kai_quat_unrotate(d->rotation, kai_vec3_sub(position, d->at));
    const double ball = radius > 0.0 ? radius : view->radius;
    return d->shape->depth(d->params, local) >= ball * (1.0 - 1e-9);
}

kai_result kai_sampler_expect(const kai_sampler_view* view, double count, double bytes,
                              kai_error* err)
{
    KAI_GIVEN(err, view);
    const double wanted = count * (double)PARTICLE_BYTES + bytes;
    // Points are counted in 32 bits, as bodies are.
    if (count < 4e9 && wanted <= (double)view->points->limit) return KAI_OK;
    char needs[24], limit[24];
    kai_memory_text(wanted, needs);
    kai_memory_text((double)view->points->limit, limit);
    return kai_error_set(err, KAI_ERROR_LIMIT,
                         "so many particles take about %s; the limit of memory is %s (--memory)",
                         needs, limit);
}

static kai_result points_grow(const kai_sampler_view* view, kai_error* err)
{
    kai_sampler_points* p = view->points;
    KAI_TRY(kai_sampler_expect(view, (double)p->count + 1.0, 0.0, err));
    if (p->count < p->capacity) return KAI_OK;
    const size_t capacity = p->capacity ? p->capacity + p->capacity / 2 : 1024;
    for (int i = 0; i < 4; i++) {
        double* grown = realloc(p->column[i], capacity * sizeof *grown);
        if (!grown) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for points");
        p->column[i] = grown;
    }
    p->capacity = capacity;
    return KAI_OK;
}

kai_result kai_sampler_add(const kai_sampler_view* view, const kai_sampler_point* point,
                           kai_error* err)
{
    KAI_GIVEN(err, view, point);
    const kai_vec3 x = point->position;
    if (!kai_vec3_is_finite(x) || !(point->radius >= 0.0) || isinf(point->radius))
        return kai_error_set(
            err, KAI_ERROR_ARGUMENT,
            "point %zu is at [%g, %g, %g] m with a radius of %g m; must be finite, "
            "and the radius >= 0",
            view->points->count, x.x, x.y, x.z, point->radius);
    if (!kai_sampler_fits(view, x, point->radius)) return KAI_OK;
    KAI_TRY(points_grow(view, err));
    kai_sampler_points* p = view->points;
    const double row[4] = {x.x, x.y, x.z, point->radius > 0.0 ? point->radius : view->radius};
    for (int i = 0; i < 4; i++) p->column[i][p->count] = row[i];
    p->sized = p->sized || point->radius > 0.0;
    p->count++;
    return KAI_OK;
}

size_t kai_sampler_count(const kai_sampler_view* view)
{
    KAI_GIVEN_OR(0, view);
    return view->points->count;
}

kai_sampler_point kai_sampler_at(const kai_sampler_view* view, size_t i)
{
    const kai_sampler_point none = {{0.0, 0.0, 0.0}, 0.0};
    KAI_GIVEN_OR(none, view);
    const kai_sampler_points* p = view->points;
    if (i >= p->count) return none;
    return (kai_sampler_point){{p->column[0][i], p->column[1][i], p->column[2][i]},
                               p->column[3][i]};
}

// Lattices ---------------------------------------------------------------------------------------

kai_sampler_row kai_sampler_row_make(double low, double high, double radius, double spacing)
{
    const double room = high - low - 2.0 * radius;
    if (room < -1e-9 * radius) return (kai_sampler_row){0.0, spacing, 0.0};
    const double gaps = floor(fmax(room, 0.0) / spacing + 1e-9);
    return (kai_sampler_row){0.5 * (low + high - gaps * spacing), spacing, gaps + 1.0};
}

// Balls ------------------------------------------------------------------------------------------

/// Of a sphere its radius; of others half the diagonal of the box around them.
static kai_result ball_of(const kai_shape_kind* kind, const void* instance, double* out,
                          kai_error* err)
{
    const kai_mat33 straight = kai_mat33_identity();
    kai_vec3 centre, half;
    if (!kai_shape_bounds(kind, instance, &straight, &centre, &half))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "a %s has no end, so no sampler can place particles of it",
                             kind->kind.name);
    const bool sphere = strcmp(kind->kind.name, kai_shape_sphere.kind.name) == 0;
    *out = kai_vec3_norm(centre) + (sphere ? half.x : kai_vec3_norm(half));
    return KAI_OK;
}

static kai_result sampler_ball(kai_world* world, const kai_shape_kind* given, const void* params,
                               const kai_shape_def* def, double* out)
{
    kai_error* err = &world->error;
    const kai_shape_kind* kind = kai_store_table(&world->shapes, &given->kind, err);
    if (!kind) return KAI_ERROR_ARGUMENT;
    KAI_TRY(kai_kind_check(&kind->kind, params, err));
    KAI_TRY(kai_shape_check(world, def, err));
    void* copy;
    KAI_TRY(kai_shape_copy(kind, params, &world->memory, &copy, err));
    const kai_result r = ball_of(kind, copy, out, err);
    kai_shape_copy_free(kind, copy, &world->memory);
    if (r == KAI_OK) *out += kai_vec3_norm(def->at) + def->radius_margin;
    return r;
}

kai_result kai_sampler_ball(kai_world* world, const kai_shape_kind* kind, const void* params,
                            const kai_shape_def* def, double* out)
{
    KAI_CLEAR(out);
    KAI_CHANGE(world, kind, params, def, out);
    return kai_world_fail(world, __func__, sampler_ball(world, kind, params, def, out));
}

// Sampling ---------------------------------------------------------------------------------------

kai_sampler_domain kai_sampler_domain_default(void)
{
    return (kai_sampler_domain){.rotation = kai_quat_identity()};
}

static kai_result check_domain(const kai_world* world, const kai_sampler_domain* domain,
                               const kai_shape_kind** out, kai_error* err)
{
    if (!domain->shape || !domain->params)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "the domain has no shape, or no params");
    const kai_shape_kind* kind = kai_store_table(&world->shapes, &domain->shape->kind, err);
    if (!kind) return KAI_ERROR_ARGUMENT;
    if (!kind->depth || !kind->bounds)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "a %s cannot be a domain: its kind has no depth() and bounds()",
                             kind->kind.name);
    if (!kai_vec3_is_finite(domain->at) || !kai_quat_is_unit(domain->rotation, 1e-3))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "the domain's place is not finite, or its rotation not of length 1");
    *out = kind;
    return kai_kind_check(&kind->kind, domain->params, err);
}

static kai_result run_kind(kai_world* world, const kai_sampler_kind* kind, const void* params,
                           double radius, kai_sampler_points* points)
{
    const kai_sampler_domain* domain = &points->domain;
    const kai_mat33 turned = kai_quat_to_mat33(domain->rotation);
    kai_vec3 centre, half;
    domain->shape->bounds(domain->params, &turned, &centre, &half);
    centre = kai_vec3_add(centre, domain->at);
    const kai_sampler_view view = {.instance = params,
                                   .low = kai_vec3_sub(centre, half),
                                   .high = kai_vec3_add(centre, half),
                                   .radius = radius,
                                   .points = points};
    kai_error said = {0};
    const kai_result r = kind->sample(&view, &said);
    kai_error* err = &world->error;
    const char* name = kind->kind.name;
    if (r != KAI_OK)
        return kai_error_set(err, r, "sampler %s: %s", name,
                             said.message[0] ? said.message : "sample() gives no reason");
    if (points->count > 0) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "sampler %s: no particle fits into the domain; the ball around one has a "
                         "radius of %g m",
                         name, radius);
}

/// The same with an instance of the sampler's own, whose hidden fields have their defaults.
static kai_result sample_prepared(kai_world* world, const kai_sampler_kind* kind,
                                  const void* params, double radius, kai_sampler_points* points)
{
    void* instance = kai_memory_allocate_zeroed(&world->memory, 1, kind->kind.size);
    if (!instance) return kai_error_set(&world->error, KAI_ERROR_MEMORY, "no memory");
    kai_kind_take(&kind->kind, params, instance);
    const kai_result r = run_kind(world, kind, instance, radius, points);
    kai_memory_release(&world->memory, instance, kind->kind.size);
    return r;
}

static kai_result sampler_sample(kai_world* world, const kai_sampler_kind* given,
                                 const void* params, const kai_sampler_domain* domain,
                                 double radius, kai_sampler_points* points)
{
    kai_error* err = &world->error;
    const kai_sampler_kind* kind = kai_store_table(&world->samplers, &given->kind, err);
    if (!kind) return KAI_ERROR_ARGUMENT;
    KAI_TRY(kai_kind_check(&kind->kind, params, err));
    if (!(radius > 0.0) || isinf(radius))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "radius is %g m; must be > 0 and finite",
                             radius);
    points->domain = *domain;
    KAI_TRY(check_domain(world, domain, &points->domain.shape, err));
    points->domain.rotation = kai_quat_normalize(domain->rotation);
    points->limit = world->memory.limit;
    void* shape;
    KAI_TRY(kai_shape_copy(points->domain.shape, domain->params, &world->memory, &shape, err));
    points->domain.params = shape;
    const kai_result r = sample_prepared(world, kind, params, radius, points);
    kai_shape_copy_free(points->domain.shape, shape, &world->memory);
    return r;
}

kai_result kai_sampler_sample(kai_world* world, const kai_sampler_kind* kind, const void* params,
                              const kai_sampler_domain* domain, double radius,
                              kai_sampler_points** out)
{
    KAI_CLEAR(out);
    KAI_CHANGE(world, kind, params, domain, out);
    kai_sampler_points* points = calloc(1, sizeof *points);
    kai_result r = points ? sampler_sample(world, kind, params, domain, radius, points)
                          : kai_error_set(&world->error, KAI_ERROR_MEMORY, "no memory");
    if (r == KAI_OK)
        *out = points;
    else
        kai_sampler_free(points);
    return kai_world_fail(world, __func__, r);
}

kai_particle_table kai_sampler_table(const kai_sampler_points* points)
{
    const kai_particle_table none = {0};
    KAI_GIVEN_OR(none, points);
    return (kai_particle_table){.count = points->count,
                                .x = points->column[0],
                                .y = points->column[1],
                                .z = points->column[2],
                                .radius = points->sized ? points->column[3] : NULL};
}

void kai_sampler_free(kai_sampler_points* points)
{
    if (!points) return;
    for (int i = 0; i < 4; i++) free(points->column[i]);
    free(points);
}
