// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// ODE: QuickStep; friction by a pyramid along two directions; pairs by its hash space.
#include "peers/bed.h"

#include <ode/ode.h>
#include <stdlib.h>

typedef struct bed {
    dWorldID world;
    dSpaceID space;
    dJointGroupID joints;
    dBodyID* body;
    size_t count, contacts;
    double step, friction;
} bed;

static void destroy(void* data)
{
    bed* b = data;
    dJointGroupDestroy(b->joints);
    dSpaceDestroy(b->space);
    dWorldDestroy(b->world);
    free(b->body);
    free(b);
}

static void* create(const bed_scene* scene)
{
    static int ready = 0;
    if (!ready) ready = dInitODE2(0);
    bed* b = calloc(1, sizeof *b);
    if (!b) return NULL;
    *b = (bed){.world = dWorldCreate(),
               .space = dHashSpaceCreate(0),
               .joints = dJointGroupCreate(0),
               .body = calloc(scene->count, sizeof(dBodyID)),
               .count = scene->count,
               .step = scene->step,
               .friction = scene->friction};
    if (!b->body) {
        destroy(b);
        return NULL;
    }
    dHashSpaceSetLevels(b->space, -7, -6); // cells of 1/128 and 1/64 m
    dWorldSetGravity(b->world, 0, 0, -scene->gravity);
    dWorldSetQuickStepNumIterations(b->world, scene->iterations);
    dCreatePlane(b->space, 0, 0, 1, 0);
    dCreatePlane(b->space, 1, 0, 0, 0);
    dCreatePlane(b->space, -1, 0, 0, -scene->side);
    dCreatePlane(b->space, 0, 1, 0, 0);
    dCreatePlane(b->space, 0, -1, 0, -scene->side);
    dMass mass;
    dMassSetSphere(&mass, scene->density, scene->radius);
    for (size_t i = 0; i < scene->count; i++) {
        b->body[i] = dBodyCreate(b->world);
        dBodySetMass(b->body[i], &mass);
        dBodySetPosition(b->body[i], scene->x[i], scene->y[i], scene->z[i]);
        dGeomSetBody(dCreateSphere(b->space, scene->radius), b->body[i]);
    }
    return b;
}

static void meet(void* data, dGeomID one, dGeomID other)
{
    bed* b = data;
    dContact contact = {.surface = {.mode = dContactApprox1, .mu = b->friction}};
    if (dCollide(one, other, 1, &contact.geom, sizeof contact) == 0) return;
    dJointAttach(dJointCreateContact(b->world, b->joints, &contact), dGeomGetBody(one),
                 dGeomGetBody(other));
    b->contacts++;
}

static void step(void* data)
{
    bed* b = data;
    b->contacts = 0;
    dJointGroupEmpty(b->joints);
    dSpaceCollide(b->space, b, meet);
    dWorldQuickStep(b->world, b->step);
}

static size_t contacts(void* data) { return ((const bed*)data)->contacts; }

static double height(void* data)
{
    const bed* b = data;
    double sum = 0.0;
    for (size_t i = 0; i < b->count; i++) sum += (double)dBodyGetPosition(b->body[i])[2];
    return sum / (double)b->count;
}

const bed_peer bed_ode = {"ODE", "QuickStep", create, step, contacts, height, destroy};
