// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/builder.h"

#include "model/shape.h"

#include <string.h>

// Shapes -----------------------------------------------------------------------------------------

bool kai_builder_bodies_shape(kai_builder* builder, const kai_document_node* node,
                              kai_builder_shape* out)
{
    kai_reader* reader = &builder->reader;
    const kai_sections_part* section = &kai_sections_shape_part;
    const kai_kind* kind = kai_builder_kind(builder, node, &reader->world->shapes);
    if (!kind) return false;
    out->kind = (const kai_shape_kind*)(const void*)kind;
    out->instance = kai_document_allocate(reader->document, 1, kind->size);
    if (!out->instance) return false;
    out->def = kai_shape_def_default();
    kai_kind_defaults(kind, out->instance);
    const kai_reader_part parts[] = {{section->kind, &out->def}, {kind, out->instance}};
    return kai_reader_object(reader, node, parts, 2, section->keys, section->key_count) &&
           kai_reader_place_shape(reader, node, kind, out->instance) &&
           kai_builder_shapes_load(builder, node, out->kind, out->instance);
}

// All shapes of a body. False after a report.
static bool read_shapes(kai_builder* builder, const kai_document_node* body,
                        kai_builder_shape** out, size_t* count)
{
    *out = NULL;
    *count = 0;
    const kai_document_node* list = kai_document_get(body, "shapes");
    if (!list) return true;
    if (list->kind != KAI_DOCUMENT_LIST) return kai_reader_wrong(&builder->reader, list, "a list");
    *out = kai_document_allocate(builder->reader.document, list->count, sizeof **out);
    if (!*out) return false;
    bool ok = true;
    for (const kai_document_node* node = list->first; node; node = node->next)
        ok = kai_builder_bodies_shape(builder, node, &(*out)[(*count)++]) && ok;
    return ok;
}

// Where mass comes from --------------------------------------------------------------------------

typedef enum mass_source {
    MASS_NONE,    // fixed, or given in full
    MASS_DENSITY, // from density, or the densities of materials, and shapes
    MASS_SHARE,   // the mass is given, its distribution comes from the shapes
    MASS_BAD      // reported
} mass_source;

static mass_source bad_mass(kai_reader* reader, const kai_document_node* node, const char* text)
{
    kai_reader_report(reader, node, "%s", text);
    return MASS_BAD;
}

// True when every shape with a volume has a material with a density, and there is one.
static bool materials_have_density(const kai_reader* reader, const kai_builder_shape* shapes,
                                   size_t count)
{
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        kai_material_def material;
        if (!kai_shape_has_volume(shapes[i].kind)) continue;
        if (KAI_IS_NULL(shapes[i].def.material)) return false;
        if (kai_material_get(reader->world, shapes[i].def.material, &material) != KAI_OK)
            return false;
        if (!(material.density > 0.0)) return false;
        any = true;
    }
    return any;
}

static mass_source find_mass(kai_reader* reader, const kai_document_node* node,
                             const kai_body_def* def, const kai_builder_shape* shapes, size_t count)
{
    const bool mass = kai_document_get(node, "mass"), inertia = kai_document_get(node, "inertia");
    const kai_document_node* density = kai_document_get(node, "density");
    if (def->fixed) return MASS_NONE;
    if (density && count > 0) return MASS_DENSITY;
    if (density) return bad_mass(reader, density, "density needs shapes; the body has none");
    if (mass && inertia) return MASS_NONE;
    if (mass && count == 0)
        return bad_mass(reader, node,
                        "inertia is missing: the body has a mass, and no shapes to take it from");
    if (mass && kai_document_get(node, "com"))
        return bad_mass(reader, node, "inertia is missing: it goes with com");
    if (mass) return MASS_SHARE;
    if (inertia) return bad_mass(reader, node, "mass is missing: the body has an inertia");
    if (materials_have_density(reader, shapes, count)) return MASS_DENSITY;
    return bad_mass(
        reader, node,
        "body has no mass: give mass and inertia, or density with shapes, or \"fixed\": true");
}

// Gives a body its own mass, spread as its shapes are: by the densities of materials, or evenly.
static kai_result share_mass(kai_world* world, kai_body body, double mass, bool by_materials)
{
    kai_mass_properties properties;
    KAI_TRY(kai_body_set_density(world, body, by_materials ? 0.0 : 1.0));
    KAI_TRY(kai_body_mass(world, body, &properties));
    const double scale = mass / properties.mass;
    properties.mass = mass;
    properties.inertia = kai_mat33_scale(properties.inertia, scale);
    return kai_body_set_mass(world, body, &properties);
}

// Bodies -----------------------------------------------------------------------------------------

static kai_result create_body(const kai_reader* reader, kai_body_def* def, mass_source source,
                              const kai_builder_shape* shapes, size_t count)
{
    kai_world* world = reader->world;
    const double mass = def->mass;
    if (source != MASS_NONE) {
        def->mass = 0.0;
        def->inertia = (kai_inertia){0};
        def->com = kai_vec3_zero();
    }
    kai_body body;
    KAI_TRY(kai_body_create(world, def, &body));
    for (size_t i = 0; i < count; i++) {
        kai_shape shape;
        KAI_TRY(kai_shape_create(world, body, shapes[i].kind, shapes[i].instance, &shapes[i].def,
                                 &shape));
    }
    if (source == MASS_DENSITY) return kai_body_set_density(world, body, def->density);
    if (source != MASS_SHARE) return KAI_OK;
    return share_mass(world, body, mass, materials_have_density(reader, shapes, count));
}

static void warn_replaced(const kai_reader* reader, const kai_document_node* node)
{
    static const char* const keys[] = {"mass", "inertia", "com"};
    char where[256];
    for (size_t i = 0; i < KAI_COUNT(keys); i++) {
        if (!kai_document_get(node, keys[i]) || !kai_document_get(node, "density")) continue;
        kai_document_pointer(node, where, sizeof where);
        kai_world_log(reader->world, KAI_LOG_WARNING, "%s: density with shapes replaces %s", where,
                      keys[i]);
    }
}

static void read_body(kai_builder* builder, const kai_document_node* node, bool first)
{
    kai_reader* reader = &builder->reader;
    kai_body_def def = kai_body_def_default();
    bool ok = kai_reader_section(reader, node, &kai_sections_body_part, &def);
    if (node->kind != KAI_DOCUMENT_OBJECT) return;
    kai_builder_shape* shapes;
    size_t count;
    // Without all shapes it is not known where mass comes from, so the question waits.
    const bool whole = read_shapes(builder, node, &shapes, &count);
    const mass_source source = whole ? find_mass(reader, node, &def, shapes, count) : MASS_BAD;
    ok = ok && source != MASS_BAD && first;
    if (!ok) return;
    if (source == MASS_DENSITY) warn_replaced(reader, node);
    if (create_body(reader, &def, source, shapes, count) == KAI_OK) return;
    // All values were right one by one: what remains is mass, best told at the inertia.
    const kai_document_node* inertia = kai_document_get(node, "inertia");
    kai_reader_failed(reader, inertia ? inertia : node);
}

void kai_builder_bodies(kai_builder* builder)
{
    kai_builder_each(builder, "bodies", "body", &builder->reader.bodies, read_body);
}
