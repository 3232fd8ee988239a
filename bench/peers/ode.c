// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// ODE: maximal coordinates; dWorldStep (dense, direct) and QuickStep (50 sweeps).
#include "peers/chain.h"

#include <math.h>
#include <ode/ode.h>
#include <stdlib.h>

typedef struct scene {
    dWorldID world;
    dBodyID* body;
    dJointID* joint;
    int links;
} scene;

static void destroy(void* data)
{
    scene* s = data;
    dWorldDestroy(s->world);
    free(s->body);
    free(s->joint);
    free(s);
}

static void* create(int links)
{
    static int ready = 0;
    if (!ready) ready = dInitODE2(0);
    scene* s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->links = links;
    s->world = dWorldCreate();
    s->body = calloc((size_t)links, sizeof(dBodyID));
    s->joint = calloc((size_t)links, sizeof(dJointID));
    if (!s->body || !s->joint) {
        destroy(s);
        return NULL;
    }
    dWorldSetGravity(s->world, 0, CHAIN_GRAVITY, 0);
    dWorldSetQuickStepNumIterations(s->world, 50);
    for (int i = 0; i < links; i++) {
        dMass mass;
        dMassSetBox(&mass, CHAIN_DENSITY, CHAIN_LENGTH, CHAIN_WIDTH, CHAIN_WIDTH);
        s->body[i] = dBodyCreate(s->world);
        dBodySetMass(s->body[i], &mass);
        dBodySetPosition(s->body[i], CHAIN_LENGTH * (i + 0.5), 0, 0);
        s->joint[i] = dJointCreateHinge(s->world, 0);
        dJointAttach(s->joint[i], s->body[i], i ? s->body[i - 1] : 0);
        dJointSetHingeAnchor(s->joint[i], CHAIN_LENGTH * i, 0, 0);
        dJointSetHingeAxis(s->joint[i], 0, 0, 1);
    }
    return s;
}

static void step_direct(void* data, int count)
{
    for (int i = 0; i < count; i++) dWorldStep(((scene*)data)->world, CHAIN_STEP);
}

static void step_quick(void* data, int count)
{
    for (int i = 0; i < count; i++) dWorldQuickStep(((scene*)data)->world, CHAIN_STEP);
}

static double tip(void* data)
{
    const scene* s = data;
    return (double)dBodyGetPosition(s->body[s->links - 1])[1];
}

static double gap(void* data)
{
    const scene* s = data;
    double most = 0.0;
    for (int i = 0; i < s->links; i++) {
        dVector3 a, b;
        dJointGetHingeAnchor(s->joint[i], a);
        dJointGetHingeAnchor2(s->joint[i], b);
        for (int k = 0; k < 3; k++) most = fmax(most, fabs((double)(a[k] - b[k])));
    }
    return most;
}

const chain_peer chain_ode_step = {"ODE",       "dWorldStep", 100, create,
                                   step_direct, tip,          gap, destroy};
const chain_peer chain_ode_quick = {"ODE", "QuickStep 50", 10000, create, step_quick, tip,
                                    gap,   destroy};
