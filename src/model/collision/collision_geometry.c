// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/collision/collision_geometry.h"

#include "geometry/shape_data.h"
#include "geometry/shape_surface.h"
#include "model/collision/patch.h"

size_t kai_collision_geometry_parts(const kai_shape_kind* kind, const void* params)
{
    if (kind != &kai_shape_mesh) return 1;
    const kai_shape_mesh_data* data = ((const kai_shape_mesh_instance*)params)->data;
    return data && data->part_count > 0 ? data->part_count : 1;
}

/// Kinds whose geometry is in their parameters; false: some other.
static bool make_plain(const kai_shape_kind* kind, const void* params, kai_geometry* out)
{
    const kai_shape_round_params* round = params;
    if (kind == &kai_shape_sphere) {
        out->type = KAI_CONVEX_POINT;
        out->margin += ((const kai_shape_sphere_params*)params)->radius;
    } else if (kind == &kai_shape_ellipsoid) {
        out->type = KAI_CONVEX_ELLIPSOID;
        out->size = ((const kai_shape_ellipsoid_params*)params)->semi_axes;
    } else if (kind == &kai_shape_box) {
        out->type = KAI_CONVEX_BOX;
        out->size = kai_vec3_scale(((const kai_shape_box_params*)params)->size, 0.5);
    } else if (kind == &kai_shape_capsule) {
        out->type = KAI_CONVEX_SEGMENT;
        out->margin += round->radius;
        out->size = kai_vec3_make(0.0, 0.0, 0.5 * round->length);
    } else if (kind == &kai_shape_cylinder || kind == &kai_shape_cone) {
        out->type = kind == &kai_shape_cone ? KAI_CONVEX_CONE : KAI_CONVEX_CYLINDER;
        out->size = kai_vec3_make(round->radius, 0.0, 0.5 * round->length);
    } else if (kind == &kai_patch_kind) {
        const kai_patch_params* facet = params;
        out->type = facet->ends[4] >= 1.0 ? KAI_CONVEX_TRIANGLE : KAI_CONVEX_SEGMENT;
        out->margin += facet->radius;
        out->size = kai_vec3_make(0.0, 0.0, facet->corners[1].z);
        out->triangle = facet->corners;
    } else if (kind == &kai_shape_plane) {
        out->type = KAI_GEOMETRY_PLANE;
        out->size = kai_vec3_normalize(((const kai_shape_plane_params*)params)->normal);
    } else {
        return false;
    }
    return true;
}

/// Kinds that point to data which the world has prepared.
static bool make_prepared(const kai_shape_kind* kind, const void* params, size_t part,
                          kai_geometry* out)
{
    if (kind == &kai_shape_hull) {
        const kai_shape_hull_data* data = ((const kai_shape_hull_instance*)params)->data;
        if (!data) return false;
        out->type = KAI_CONVEX_HULL;
        out->hull = &data->hull;
    } else if (kind == &kai_shape_mesh) {
        const kai_shape_mesh_data* data = ((const kai_shape_mesh_instance*)params)->data;
        if (!data) return false;
        out->type = data->part_count > 0 ? KAI_CONVEX_HULL : KAI_GEOMETRY_MESH;
        if (data->part_count > 0)
            out->hull = &data->parts[part];
        else
            out->mesh = &data->mesh;
    } else if (kind->surface) {
        const kai_shape_surface_data* data = kai_shape_surface_of(kind, params);
        if (!data) return false;
        out->type = data->mesh.triangle_count > 0 ? KAI_GEOMETRY_MESH : KAI_CONVEX_HULL;
        if (data->mesh.triangle_count > 0)
            out->mesh = &data->mesh;
        else
            out->hull = &data->hull;
    } else if (kind == &kai_shape_heightfield) {
        const kai_shape_heightfield_data* data =
            ((const kai_shape_heightfield_instance*)params)->data;
        if (!data) return false;
        out->type = KAI_GEOMETRY_HEIGHTFIELD;
        out->field = &data->field;
    } else {
        return false;
    }
    return true;
}

kai_result kai_collision_geometry_make(const kai_shape_kind* kind, const void* params, size_t part,
                                       double margin, kai_geometry* out, kai_error* err)
{
    *out = (kai_geometry){.margin = margin};
    if (make_plain(kind, params, out) || make_prepared(kind, params, part, out)) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_UNSUPPORTED,
                         "%s: shapes of a kind without surface() cannot collide; must have collide "
                         "false",
                         kind->kind.name);
}
