// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A ray against triangles such that no ray slips between two of them: the axes are turned and
// sheared so that the ray is the z axis, and the signs of three edge functions of the projected
// triangle decide. An edge shared by two triangles gives the same number, with the other sign, in
// both. (S. Woop, C. Benthin, I. Wald, Watertight Ray/Triangle Intersection, JCGT 2 (2013) 65–82.)
#include "base/simd.h"
#include "geometry/mesh.h"

typedef struct ray {
    kai_vec3 origin;
    int x, y, z;       // axes: z is where the direction is longest
    double sx, sy, sz; // shear, and 1 / direction z
    double from[3];    // origin about the mesh's origin
    double inverse[3]; // 1 / direction, ±infinity allowed
    double slack;      // of the boxes, m
} ray;

static double component(kai_vec3 v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

static bool make_ray(ray* r, const kai_mesh* mesh, kai_vec3 origin, kai_vec3 direction)
{
    if (!(kai_vec3_max_abs(direction) > 0.0)) return false;
    const kai_vec3 a = kai_vec3_make(fabs(direction.x), fabs(direction.y), fabs(direction.z));
    r->z = a.x > a.y ? (a.x > a.z ? 0 : 2) : (a.y > a.z ? 1 : 2);
    r->x = (r->z + 1) % 3;
    r->y = (r->z + 2) % 3;
    const double d = component(direction, r->z);
    r->sx = component(direction, r->x) / d;
    r->sy = component(direction, r->y) / d;
    r->sz = 1.0 / d;
    r->origin = origin;
    const kai_vec3 o = kai_vec3_sub(origin, mesh->origin);
    r->slack = 1e-15 * (kai_vec3_max_abs(mesh->origin) + kai_vec3_max_abs(origin));
    for (int k = 0; k < 3; k++) {
        r->from[k] = component(o, k);
        r->inverse[k] = 1.0 / component(direction, k);
    }
    return true;
}

// Whether the ray meets a box before `limit`. A direction of 0 gives infinities, or NaN on the very
// face, which fmin and fmax pass over.
static bool meets(const ray* r, const kai_mesh_node* node, double limit)
{
    double near = 0.0, far = limit;
    for (int k = 0; k < 3; k++) {
        const double low = (double)node->low[k] - r->slack, high = (double)node->high[k] + r->slack;
        const double a = (low - r->from[k]) * r->inverse[k];
        const double b = (high - r->from[k]) * r->inverse[k];
        near = fmax(near, fmin(a, b));
        far = fmin(far, fmax(a, b));
    }
    return near <= far + 1e-14 * fabs(far);
}

static void try_triangle(const ray* r, const kai_mesh* mesh, uint32_t t, double limit,
                         kai_mesh_hit* hit)
{
    double x[3], y[3], z[3];
    for (int k = 0; k < 3; k++) {
        const kai_vec3 p = kai_vec3_sub(mesh->vertices[mesh->triangles[t][k]], r->origin);
        z[k] = component(p, r->z);
        x[k] = component(p, r->x) - r->sx * z[k];
        y[k] = component(p, r->y) - r->sy * z[k];
    }
    // Products apart, not fused (CMakeLists.txt): b c - d e must change its sign exactly when ends
    // are swapped.
    double w[3];
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        w[k] = x[j] * y[i] - y[j] * x[i];
    }
    if ((w[0] < 0.0 || w[1] < 0.0 || w[2] < 0.0) && (w[0] > 0.0 || w[1] > 0.0 || w[2] > 0.0))
        return;
    const double sum = w[0] + w[1] + w[2];
    if (sum == 0.0) return; // seen edge on
    const double d = r->sz * (w[0] * z[0] + w[1] * z[1] + w[2] * z[2]) / sum;
    if (!(d >= 0.0 && d <= limit)) return;
    if (d > hit->distance || (d == hit->distance && t > hit->triangle)) return;
    *hit = (kai_mesh_hit){d, t, w[1] / sum, w[2] / sum};
}

// Calls fn for triangles in boxes that the ray meets before `limit`, which fn may shrink.
KAI_INLINE void walk(const ray* r, const kai_mesh* mesh, double limit, kai_mesh_ray_fn* fn,
                     void* context)
{
    uint32_t stack[KAI_MESH_LEVELS], waiting = 0, here = 0;
    for (;;) {
        const kai_mesh_node* node = &mesh->nodes[here];
        if (meets(r, node, limit)) {
            if (node->count == 0) {
                stack[waiting++] = node->first;
                here++;
                continue;
            }
            for (uint32_t t = node->first; t < node->first + node->count; t++)
                fn(t, &limit, context);
        }
        if (waiting == 0) return;
        here = stack[--waiting];
    }
}

// A ray in search of the first triangle that it hits.
typedef struct search {
    ray ray;
    const kai_mesh* mesh;
    double limit;
    kai_mesh_hit hit;
} search;

static void try_one(uint32_t triangle, double* limit, void* context)
{
    search* s = context;
    try_triangle(&s->ray, s->mesh, triangle, s->limit, &s->hit);
    *limit = fmin(s->limit, s->hit.distance);
}

kai_mesh_hit kai_mesh_ray(const kai_mesh* mesh, kai_vec3 origin, kai_vec3 direction, double limit)
{
    search s = {.mesh = mesh, .limit = limit, .hit = {HUGE_VAL, KAI_MESH_NONE, 0.0, 0.0}};
    if (mesh->node_count > 0 && make_ray(&s.ray, mesh, origin, direction))
        walk(&s.ray, mesh, limit, try_one, &s);
    return s.hit;
}

void kai_mesh_ray_visit(const kai_mesh* mesh, kai_vec3 origin, kai_vec3 direction, double margin,
                        double limit, kai_mesh_ray_fn* fn, void* context)
{
    ray r;
    if (mesh->node_count == 0 || !make_ray(&r, mesh, origin, direction)) return;
    r.slack += margin;
    walk(&r, mesh, limit, fn, context);
}
