// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/error.h"
#include "model/check.h"
#include "model/collision/patch.h"
#include "model/id.h"
#include "model/structures/structure_faces.h"

#include <stdio.h>

// What touches already ---------------------------------------------------------------------------
//
// world->touching holds a name for every line, face and body of a structure that touches things,
// with the id of the body, or of the ball, that stands for it. Twice the same would press twice as
// hard, and would have as many neighbours as there are pairs of facets round a node.

static void face_name(const kai_structure_faces_item* face, bool frames, char out[64])
{
    snprintf(out, 64, "%s/%u/%u/%u/%u", frames ? "bodies" : "nodes", face->key[0], face->key[1],
             face->count > 2 ? face->key[2] : 0, face->count > 3 ? face->key[3] : 0);
}

/// Whether a thing touches already; a name whose body or ball is gone is forgotten.
static bool touches(kai_world* world, const char* name, bool ball)
{
    const kai_id id = kai_names_find(&world->touching, name);
    if (KAI_IS_NULL(id)) return false;
    if (ball ? kai_store_find(&world->shapes, id) != NULL
             : kai_bodies_slot(&world->bodies, KAI_ID_AS(kai_body, id)) != SIZE_MAX)
        return true;
    kai_names_remove(&world->touching, name);
    return false;
}

/// That something touches already is a mistake.
static kai_result refuse(kai_world* world, kai_structure structure, const char* what,
                         const kai_node* nodes, size_t count)
{
    char text[128] = "";
    for (size_t k = 0, at = 0; k < count && at < sizeof text; k++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s#%u", k ? ", " : "", nodes[k].index);
    return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                         "structure '%s': its %s %s touches things already; each can be in one of "
                         "its contacts",
                         kai_structure_name(world, structure), what, text);
}

// Nodes ------------------------------------------------------------------------------------------

/// A ball on a body that is a node.
static kai_result add_ball(kai_world* world, kai_body body, double radius, kai_material material,
                           int family, bool among)
{
    const kai_shape_sphere_params sphere = {radius};
    kai_shape_def def = kai_shape_def_default();
    kai_shape shape;
    def.material = material;
    def.family = family;
    def.visible = false; // what is seen is the mesh
    if (!among) def.mask &= ~(INT64_C(1) << family);
    char name[64];
    snprintf(name, sizeof name, "ball/%u", body.index);
    KAI_TRY(kai_shape_create(world, body, &kai_shape_sphere, &sphere, &def, &shape));
    return kai_names_add(&world->touching, "ball", name, KAI_ID_OF(shape), NULL, &world->error);
}

/// Bodies of a set have no ball yet.
static kai_result check_balls(kai_world* world, kai_structure structure, const char* set)
{
    for (size_t i = 0; i < kai_structure_size(world, structure, set); i++) {
        const kai_body body = kai_structure_body_at(world, structure, set, i);
        const kai_node node = KAI_ID_AS(kai_node, body);
        char name[64];
        snprintf(name, sizeof name, "ball/%u", body.index);
        if (touches(world, name, true)) return refuse(world, structure, "body", &node, 1);
    }
    return KAI_OK;
}

static kai_result add(kai_world* world, kai_structure structure, const char* set, double radius,
                      kai_material material, bool among)
{
    bool frames;
    KAI_TRY(kai_structure_check(world, structure, set, &frames));
    const int family = 1 + (int)(structure.index % 15); // bodies are of family 0 unless told
    const size_t count = kai_structure_size(world, structure, set);
    if (frames) KAI_TRY(check_balls(world, structure, set));
    for (size_t i = 0; i < count; i++)
        KAI_TRY(frames
                    ? add_ball(world, kai_structure_body_at(world, structure, set, i), radius,
                               material, family, among)
                    : kai_node_set_contact(world, kai_structure_node_at(world, structure, set, i),
                                           radius, material, family, among));
    return KAI_OK;
}

kai_result kai_structure_contact(kai_world* world, kai_structure structure, const char* set,
                                 double radius, kai_material material, bool among)
{
    KAI_CHANGE(world);
    return kai_world_fail(world, __func__, add(world, structure, set, radius, material, among));
}

// Lines and faces --------------------------------------------------------------------------------

/// Marks the nodes of a set by the index of their ids; `*size` is how many marks there are.
static uint8_t* mark(kai_world* world, kai_structure structure, const char* set, size_t* size)
{
    const size_t count = kai_structure_size(world, structure, set);
    *size = 1;
    for (size_t i = 0; i < count; i++) {
        const size_t index = kai_structure_index(world, structure, set, i);
        *size = index + 1 > *size ? index + 1 : *size;
    }
    uint8_t* inside = kai_memory_allocate_zeroed(&world->memory, *size, 1);
    for (size_t i = 0; inside && i < count; i++)
        inside[kai_structure_index(world, structure, set, i)] = 1;
    return inside;
}

/// The facets of one line or face: a quadrangle is two triangles.
static kai_result add_pieces(kai_world* world, const kai_structure_faces_item* face, bool frames,
                             double radius, const kai_shape_def* def)
{
    static const uint8_t CORNERS[2][3] = {{0, 1, 2}, {0, 2, 3}};
    const int count = face->count == 2 ? 2 : 3;
    for (int t = 0; t < (face->count == 4 ? 2 : 1); t++) {
        kai_id ends[KAI_PATCH_ENDS];
        for (int k = 0; k < count; k++) ends[k] = KAI_ID_OF(face->nodes[CORNERS[t][k]]);
        KAI_TRY(
            kai_patch_add(world, ends, count, frames, face->element, radius, def, &world->error));
    }
    char name[64];
    face_name(face, frames, name);
    const kai_body body = kai_body_at(world, kai_body_count(world) - 1);
    return kai_names_add(&world->touching, "face", name, KAI_ID_OF(body), NULL, &world->error);
}

/// Lines or faces of the list do not touch yet.
static kai_result check_faces(kai_world* world, kai_structure structure,
                              const kai_structure_faces_item* all, size_t count, bool lines,
                              bool frames)
{
    for (size_t i = 0; i < count; i++) {
        char name[64];
        if ((all[i].count == 2) != lines) continue;
        face_name(&all[i], frames, name);
        if (touches(world, name, false))
            return refuse(world, structure, lines ? "line of nodes" : "face of nodes", all[i].nodes,
                          all[i].count);
    }
    return KAI_OK;
}

static kai_result add_surface(kai_world* world, kai_structure structure, const char* set,
                              bool lines, double radius, const kai_shape_def* def, bool frames)
{
    size_t size, made = 0;
    kai_array faces = kai_array_make(sizeof(kai_structure_faces_item));
    uint8_t* inside = mark(world, structure, set, &size);
    if (!inside) return kai_error_set(&world->error, KAI_ERROR_MEMORY, "no memory for a surface");
    kai_result r = kai_structure_faces_find(world, structure, inside, size, &faces);
    const kai_structure_faces_item* all = faces.data;
    if (r == KAI_OK) r = check_faces(world, structure, all, faces.count, lines, frames);
    for (size_t i = 0; r == KAI_OK && i < faces.count; i++) {
        if ((all[i].count == 2) != lines) continue;
        r = add_pieces(world, &all[i], frames, radius, def);
        made++;
    }
    kai_array_free(&faces, &world->memory);
    kai_memory_release(&world->memory, inside, size);
    if (r == KAI_OK && made == 0)
        r = kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                          "structure '%s' has no %s whose nodes are all in set '%s'; %s",
                          kai_structure_name(world, structure), lines ? "lines" : "faces",
                          set ? set : "all",
                          lines ? "capsules are for cables, bars and beams"
                                : "triangles are for shells and solids");
    return r;
}

static kai_result add_type(kai_world* world, kai_structure structure, const char* set,
                           kai_structure_contact_type type, double radius, kai_material material,
                           bool among)
{
    bool frames;
    KAI_TRY(kai_structure_check(world, structure, set, &frames));
    if (!(radius > 0.0) || isinf(radius))
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                             "radius is %g m; must be > 0 and finite", radius);
    if (type == KAI_STRUCTURE_CONTACT_NODES)
        return add(world, structure, set, radius, material, among);
    if (type != KAI_STRUCTURE_CONTACT_CAPSULES && type != KAI_STRUCTURE_CONTACT_TRIANGLES)
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                             "type is %d; must be nodes, capsules or triangles", (int)type);
    kai_shape_def def = kai_shape_def_default();
    def.material = material;
    def.family = 1 + (int)(structure.index % 15); // bodies are of family 0 unless told
    def.visible = false;                          // what is seen is the mesh
    if (!among) def.mask &= ~(INT64_C(1) << def.family);
    return add_surface(world, structure, set, type == KAI_STRUCTURE_CONTACT_CAPSULES, radius, &def,
                       frames);
}

kai_result kai_structure_contact_surface(kai_world* world, kai_structure structure, const char* set,
                                         kai_structure_contact_type type, double radius,
                                         kai_material material, bool among)
{
    KAI_CHANGE(world);
    return kai_world_fail(world, __func__,
                          add_type(world, structure, set, type, radius, material, among));
}

kai_element kai_structure_contact_element(const kai_world* world, kai_body body)
{
    KAI_GIVEN_OR((kai_element){0}, world);
    const kai_shape_kind* kind;
    const void* params;
    const kai_shape shape = kai_shape_first(world, body);
    if (KAI_IS_NULL(shape) || kai_shape_get(world, shape, &kind, &params, NULL, NULL) != KAI_OK ||
        kind != &kai_patch_kind)
        return (kai_element){0};
    return kai_patch_element(world, params);
}
