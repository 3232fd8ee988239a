// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Bridson, "Fast Poisson disk sampling in arbitrary dimensions", SIGGRAPH sketches 2007: candidates
// between d and 2 d around a point that is still open; cells of edge d/√3 hold one point at most.
#include "base/error.h"
#include "model/sampler.h"

#include <kairos/random.h>
#include <stdlib.h>

typedef kai_sampler_poisson_disk_params params;

/// Trials for a first point.
#define FIRST_TRIALS 100000

typedef struct field {
    const kai_sampler_view* view;
    const params* p;
    double distance, edge; // of cells
    double size[3];        // cells along each axis, whole
    uint32_t* cells;       // 1 + index of the point, 0: none
    uint32_t* open;        // indices of points that may have room around them
    size_t open_count;
    uint64_t drawn; // random numbers used
} field;

static double draw(field* f) { return kai_random_uniform((uint64_t)f->p->seed, 0, f->drawn++); }

static void cell_of(const field* f, kai_vec3 point, double out[3])
{
    const kai_vec3 d = kai_vec3_sub(point, f->view->low);
    out[0] = floor(d.x / f->edge);
    out[1] = floor(d.y / f->edge);
    out[2] = floor(d.z / f->edge);
}

static uint32_t* cell_at(const field* f, double x, double y, double z)
{
    return &f->cells[(size_t)((z * f->size[1] + y) * f->size[0] + x)];
}

/// Whether no point is nearer than the distance. Points that near are in cells two away at most.
static bool is_free(const field* f, kai_vec3 point)
{
    double c[3], from[3], to[3];
    cell_of(f, point, c);
    for (int i = 0; i < 3; i++) {
        from[i] = fmax(c[i] - 2.0, 0.0);
        to[i] = fmin(c[i] + 2.0, f->size[i] - 1.0);
    }
    for (double z = from[2]; z <= to[2]; z++)
        for (double y = from[1]; y <= to[1]; y++)
            for (double x = from[0]; x <= to[0]; x++) {
                const uint32_t held = *cell_at(f, x, y, z);
                if (held == 0) continue;
                const kai_vec3 other = kai_sampler_at(f->view, held - 1).position;
                if (kai_vec3_norm(kai_vec3_sub(point, other)) < f->distance) return false;
            }
    return true;
}

static kai_result add_point(field* f, kai_vec3 position, kai_error* err)
{
    const kai_sampler_point point = {.position = position};
    KAI_TRY(kai_sampler_add(f->view, &point, err));
    const uint32_t index = (uint32_t)kai_sampler_count(f->view) - 1;
    double c[3];
    cell_of(f, position, c);
    *cell_at(f, c[0], c[1], c[2]) = index + 1;
    f->open[f->open_count++] = index;
    return KAI_OK;
}

static kai_result first_point(field* f, kai_error* err)
{
    const kai_vec3 low = f->view->low, span = kai_vec3_sub(f->view->high, low);
    for (int i = 0; i < FIRST_TRIALS; i++) {
        const double x = draw(f), y = draw(f), z = draw(f);
        const kai_vec3 p =
            kai_vec3_make(low.x + x * span.x, low.y + y * span.y, low.z + z * span.z);
        if (kai_sampler_fits(f->view, p, 0.0)) return add_point(f, p, err);
    }
    return KAI_OK; // none was found: the caller tells
}

/// A point in the shell between d and 2 d, uniform by volume.
static kai_vec3 candidate(field* f, kai_vec3 around)
{
    const double r = f->distance * cbrt(1.0 + 7.0 * draw(f));
    const double z = 2.0 * draw(f) - 1.0, angle = 2.0 * KAI_PI * draw(f);
    const double across = r * sqrt(1.0 - z * z);
    return kai_vec3_add(around, kai_vec3_make(across * cos(angle), across * sin(angle), r * z));
}

static kai_result grow(field* f, kai_error* err)
{
    while (f->open_count > 0) {
        const size_t k = (size_t)(draw(f) * (double)f->open_count);
        const kai_vec3 around = kai_sampler_at(f->view, f->open[k]).position;
        bool found = false;
        for (int64_t i = 0; i < f->p->attempts && !found; i++) {
            const kai_vec3 p = candidate(f, around);
            found = kai_sampler_fits(f->view, p, 0.0) && is_free(f, p);
            if (found) KAI_TRY(add_point(f, p, err));
        }
        if (!found) f->open[k] = f->open[--f->open_count];
    }
    return KAI_OK;
}

static kai_result sampler_poisson_disk_sample(const kai_sampler_view* view, kai_error* err)
{
    field f = {.view = view, .p = view->instance};
    f.distance = kai_sampler_spacing(view, f.p->distance);
    f.edge = f.distance / sqrt(3.0);
    const kai_vec3 span = kai_vec3_sub(view->high, view->low);
    f.size[0] = floor(span.x / f.edge) + 1.0;
    f.size[1] = floor(span.y / f.edge) + 1.0;
    f.size[2] = floor(span.z / f.edge) + 1.0;
    const double cells = f.size[0] * f.size[1] * f.size[2];
    KAI_TRY(kai_sampler_expect(view, 0.0, cells * 2.0 * sizeof(uint32_t), err));
    f.cells = calloc((size_t)cells, sizeof *f.cells);
    f.open = malloc((size_t)cells * sizeof *f.open);
    kai_result r = f.cells && f.open ? KAI_OK : kai_error_set(err, KAI_ERROR_MEMORY, "no memory");
    if (r == KAI_OK) r = first_point(&f, err);
    if (r == KAI_OK) r = grow(&f, err);
    free(f.open);
    free(f.cells);
    return r;
}

static const kai_param PARAMS[] = {
    KAI_PARAM(REAL, params, distance, .unit = "m", .range = KAI_AT_LEAST(0.0),
              .doc = "No two particles are nearer to each other, centre to centre; 0: the diameter "
                     "of the ball around a particle."),
    KAI_PARAM(INT, params, seed, .doc = "Seed of its random numbers."),
    KAI_PARAM(INT, params, attempts, .initial = {30.0}, .range = KAI_BETWEEN(1, 1000),
              .doc = "Places tried around a particle before it is given up: more fill better."),
};

const kai_sampler_kind kai_sampler_poisson_disk = {
    .kind = KAI_KIND("poisson-disk", params, PARAMS,
                     .doc = "Random places with a least distance between each two, filled until "
                            "hardly one more fits (Bridson)."),
    .sample = sampler_poisson_disk_sample};
