// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// libccd, double precision in Debian's build: GJK with EPA, and MPR. It has no meshes.
#include "peers/narrow.h"

#include <ccd/ccd.h>
#include <ccd/quat.h>
#include <math.h>
#include <stdlib.h>

typedef struct object {
    const narrow_shape* shape;
    narrow_kind kind;
    ccd_vec3_t position;
    ccd_quat_t rotation, inverse;
} object;

typedef struct scene {
    const narrow_task* task;
    object* objects; // [2 pair_count]
    ccd_t settings;
} scene;

static void support(const void* p, const ccd_vec3_t* direction, ccd_vec3_t* out)
{
    const object* o = p;
    const narrow_shape* s = o->shape;
    ccd_vec3_t d;
    ccdVec3Copy(&d, direction);
    ccdQuatRotVec(&d, &o->inverse);
    if (o->kind == NARROW_BOX) {
        ccdVec3Set(out, copysign(s->size[0], d.v[0]), copysign(s->size[1], d.v[1]),
                   copysign(s->size[2], d.v[2]));
    } else if (o->kind == NARROW_ELLIPSOID) {
        const double x = s->size[0] * d.v[0], y = s->size[1] * d.v[1], z = s->size[2] * d.v[2];
        const double k = 1.0 / sqrt(x * x + y * y + z * z);
        ccdVec3Set(out, k * x * s->size[0], k * y * s->size[1], k * z * s->size[2]);
    } else {
        int best = 0;
        double most = -HUGE_VAL;
        for (int i = 0; i < s->vertex_count; i++) {
            const double* v = s->vertices + 3 * i;
            const double x = v[0] * d.v[0] + v[1] * d.v[1] + v[2] * d.v[2];
            if (x > most) {
                most = x;
                best = i;
            }
        }
        const double* v = s->vertices + 3 * best;
        ccdVec3Set(out, v[0], v[1], v[2]);
    }
    ccdQuatRotVec(out, &o->rotation);
    ccdVec3Add(out, &o->position);
}

static void centre(const void* p, ccd_vec3_t* out)
{
    ccdVec3Copy(out, &((const object*)p)->position);
}

static void place(object* o, const narrow_task* task, int shape, const narrow_pose* pose)
{
    o->shape = &task->shapes[shape];
    o->kind = task->kind;
    ccdVec3Set(&o->position, pose->position[0], pose->position[1], pose->position[2]);
    ccdQuatSet(&o->rotation, pose->rotation[1], pose->rotation[2], pose->rotation[3],
               pose->rotation[0]);
    ccdQuatInvert2(&o->inverse, &o->rotation);
}

static void* create(const narrow_task* task)
{
    scene* s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->task = task;
    s->objects = calloc(2 * (size_t)task->pair_count, sizeof *s->objects);
    if (!s->objects) {
        free(s);
        return NULL;
    }
    for (int i = 0; i < task->pair_count; i++) {
        const narrow_pair* p = &task->pairs[i];
        place(&s->objects[2 * i], task, p->a, &p->pose_a);
        place(&s->objects[2 * i + 1], task, p->b, &p->pose_b);
    }
    CCD_INIT(&s->settings);
    s->settings.support1 = s->settings.support2 = support;
    s->settings.center1 = s->settings.center2 = centre;
    s->settings.max_iterations = 200;
    s->settings.epa_tolerance = 1e-4;
    s->settings.mpr_tolerance = 1e-4;
    return s;
}

static void run_epa(void* p, double* gap)
{
    const scene* s = p;
    for (int i = 0; i < s->task->pair_count; i++) {
        ccd_real_t depth;
        ccd_vec3_t direction, position;
        const int r = ccdGJKPenetration(&s->objects[2 * i], &s->objects[2 * i + 1], &s->settings,
                                        &depth, &direction, &position);
        gap[i] = r == 0 ? -depth : HUGE_VAL;
    }
}

static void run_mpr(void* p, double* gap)
{
    const scene* s = p;
    for (int i = 0; i < s->task->pair_count; i++) {
        ccd_real_t depth;
        ccd_vec3_t direction, position;
        const int r = ccdMPRPenetration(&s->objects[2 * i], &s->objects[2 * i + 1], &s->settings,
                                        &depth, &direction, &position);
        gap[i] = r == 0 ? -depth : HUGE_VAL;
    }
}

static void destroy(void* p)
{
    scene* s = p;
    free(s->objects);
    free(s);
}

static bool can(narrow_kind kind) { return kind != NARROW_MESH; }

const narrow_peer narrow_ccd_epa = {"libccd", "GJK + EPA", can, create, run_epa, destroy};
const narrow_peer narrow_ccd_mpr = {"libccd", "MPR", can, create, run_mpr, destroy};
