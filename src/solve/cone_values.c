// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/cone_values.h"

#include <string.h>

enum { LANES = KAI_CONE_PACK_LANES };

typedef struct inertia {
    double m[6]; // xx yy zz xy xz yz
} inertia;

static inertia inertia_of(const kai_cone_problem* p, uint32_t body)
{
    inertia r = {{0.0}};
    if (body == KAI_CONE_NONE) return r;
    const double same = p->motion[body].inverse_moment;
    if (same >= 0.0)
        r.m[0] = r.m[1] = r.m[2] = same;
    else if (p->inertia != NULL)
        memcpy(r.m, p->inertia[body], sizeof r.m);
    return r;
}

static void put(double* v, int row, kai_vec3 x)
{
    v[row * LANES] = x.x;
    v[(row + 1) * LANES] = x.y;
    v[(row + 2) * LANES] = x.z;
}

static void pack_general(const kai_cone_problem* p, const kai_cone_contact* c, double* v)
{
    const inertia ia = inertia_of(p, c->a), ib = inertia_of(p, c->b);
    put(v, KAI_CONE_ROW_ARM_A, c->a == KAI_CONE_NONE ? kai_vec3_zero() : c->arm_a);
    put(v, KAI_CONE_ROW_ARM_B, c->b == KAI_CONE_NONE ? kai_vec3_zero() : c->arm_b);
    for (int k = 0; k < 6; k++) {
        v[(KAI_CONE_ROW_INERTIA_A + k) * LANES] = ia.m[k];
        v[(KAI_CONE_ROW_INERTIA_B + k) * LANES] = ib.m[k];
    }
}

static void pack_grain(const kai_cone_contact* c, double* v)
{
    v[KAI_CONE_ROW_RADIUS_A * LANES] =
        c->a == KAI_CONE_NONE ? 0.0 : kai_vec3_dot(c->arm_a, c->normal);
    v[KAI_CONE_ROW_RADIUS_B * LANES] =
        c->b == KAI_CONE_NONE ? 0.0 : -kai_vec3_dot(c->arm_b, c->normal);
}

static uint32_t index_of(const kai_cone_problem* p, uint32_t body, uint32_t ground)
{
    if (body == KAI_CONE_NONE) return 8 * ground;
    return 8 * body + (kai_cone_values_moves(&p->motion[body]) ? 0 : 1);
}

void kai_cone_values_pack(const kai_cone_problem* p, uint32_t i, const kai_cone_run* run,
                          const uint64_t* degree, double* v, uint32_t* index)
{
    if (i == UINT32_MAX) {
        index[0] = index[LANES] = 8 * run->ground;
        for (uint32_t r = 1; r < run->rows; r++) v[r * LANES] = 0.0;
        return;
    }
    const kai_cone_contact* c = &p->contacts[i];
    index[0] = index_of(p, c->a, run->ground);
    index[LANES] = index_of(p, c->b, run->ground);
    put(v, KAI_CONE_ROW_NORMAL, c->normal);
    v[KAI_CONE_ROW_BIAS * LANES] = c->bias;
    v[KAI_CONE_ROW_FRICTION * LANES] = c->friction;
    v[KAI_CONE_ROW_COMPLIANCE * LANES] = c->compliance;
    put(v, KAI_CONE_ROW_IMPULSE, p->impulse[i]);
    if (run->kind == KAI_CONE_GRAIN)
        pack_grain(c, v);
    else
        pack_general(p, c, v);
    if (run->kind == KAI_CONE_COUPLED) {
        v[KAI_CONE_ROW_ROLLING * LANES] = c->rolling;
        v[KAI_CONE_ROW_SPINNING * LANES] = c->spinning;
        put(v, KAI_CONE_ROW_COUPLE, p->couple[i]);
    }
    if (degree == NULL) return;
    double* parts = v + (kai_cone_pack_rows(run->kind) + KAI_CONE_EXTRA_PARTS) * LANES;
    parts[0] = c->a == KAI_CONE_NONE ? 0.0 : (double)degree[c->a];
    parts[LANES] = c->b == KAI_CONE_NONE ? 0.0 : (double)degree[c->b];
}
