// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/text.h"
#include "model/world.h"
#include "scene/builder.h"
#include "scene/particle_table.h"
#include "scene/paths.h"

#include <kairos/sampler.h>
#include <stdlib.h>
#include <string.h>

// Tables -----------------------------------------------------------------------------------------

// Opens and reads the table of a group. False after a report.
static bool read_table(kai_builder* builder, const kai_document_node* file,
                       kai_particle_table_data* out)
{
    kai_reader* reader = &builder->reader;
    if (file->kind != KAI_DOCUMENT_STRING) return false; // reported with the other keys
    if (!kai_text_ends(file->string, ".csv") && !kai_text_ends(file->string, ".csv.gz"))
        return kai_reader_wrong(reader, file, "the name of a .csv or .csv.gz file");
    kai_paths_file opened;
    if (!kai_builder_open(builder, file, &opened)) return false;
    const kai_result r = kai_particle_table_read(
        opened.fd, opened.shown, kai_document_limit(reader->document), out, reader->problems);
    opened.fd = -1; // closed by the reader
    kai_paths_close(&opened);
    if (r == KAI_ERROR_MEMORY) reader->document->failed = true;
    return r == KAI_OK;
}

// Samplers ---------------------------------------------------------------------------------------

/// The i-th shape kind that can be a domain; NULL beyond the last.
static const char* domain_name(size_t i, const void* context)
{
    const kai_store* shapes = context;
    for (size_t b = 0; b < shapes->batch_count; b++) {
        const kai_shape_kind* kind = (const void*)shapes->batches[b].kind;
        if (kind->depth && kind->bounds && i-- == 0) return kind->kind.name;
    }
    return NULL;
}

static bool read_domain(kai_builder* builder, const kai_document_node* node,
                        kai_sampler_domain* out)
{
    kai_reader* reader = &builder->reader;
    const kai_store* shapes = &reader->world->shapes;
    const kai_document_node* type = kai_builder_type(builder, node);
    if (!type) return false;
    size_t count = 0;
    const kai_kind* kind = NULL;
    for (const char* name; (name = domain_name(count, shapes)) != NULL; count++)
        if (strcmp(name, type->string) == 0) kind = kai_store_kind(shapes, name);
    if (!kind) return kai_reader_unknown_word(reader, type, count, domain_name, shapes);
    void* instance = kai_document_allocate(reader->document, 1, kind->size);
    if (!instance) return false;
    const kai_sections_part* section = &kai_sections_domain_part;
    kai_sections_frame frame;
    kai_kind_defaults(kind, instance);
    kai_kind_defaults(section->kind, &frame);
    const kai_reader_part parts[] = {{section->kind, &frame}, {kind, instance}};
    *out = kai_sampler_domain_default();
    out->shape = (const void*)kind;
    out->params = instance;
    if (!kai_reader_object(reader, node, parts, 2, section->keys, section->key_count)) return false;
    out->at = frame.at;
    out->rotation = frame.rotation;
    return true;
}

static double* copy_column(const double* from, size_t count)
{
    double* copy = from ? malloc(count * sizeof *copy) : NULL;
    if (copy) memcpy(copy, from, count * sizeof *copy);
    return copy;
}

/// Points as a table of one's own, which may be moved.
static bool take_points(const kai_sampler_points* points, kai_particle_table_data* out)
{
    const kai_particle_table table = kai_sampler_table(points);
    out->count = out->capacity = table.count;
    out->column[KAI_PARTICLE_TABLE_x] = copy_column(table.x, table.count);
    out->column[KAI_PARTICLE_TABLE_y] = copy_column(table.y, table.count);
    out->column[KAI_PARTICLE_TABLE_z] = copy_column(table.z, table.count);
    out->column[KAI_PARTICLE_TABLE_radius] = copy_column(table.radius, table.count);
    return out->column[KAI_PARTICLE_TABLE_x] && out->column[KAI_PARTICLE_TABLE_y] &&
           out->column[KAI_PARTICLE_TABLE_z] &&
           (!table.radius || out->column[KAI_PARTICLE_TABLE_radius]);
}

/// `shape` NULL: that of the particles was not read, and only problems are looked for.
static bool read_sampler(kai_builder* builder, const kai_document_node* node,
                         const kai_builder_shape* shape, kai_particle_table_data* out)
{
    kai_reader* reader = &builder->reader;
    kai_world* world = reader->world;
    const kai_kind* kind;
    void* instance = kai_builder_instance(builder, node, &world->samplers, &kind);
    if (!instance) return false;
    const kai_reader_part part = {kind, instance};
    const kai_sections_part* section = &kai_sections_sampler_part;
    bool ok = kai_reader_object(reader, node, &part, 1, section->keys, section->key_count);
    const kai_document_node* domain_node = kai_document_get(node, "domain");
    kai_sampler_domain domain;
    ok = domain_node && read_domain(builder, domain_node, &domain) && ok;
    if (!ok || !shape) return false;
    double ball;
    kai_sampler_points* points = NULL;
    if (kai_sampler_ball(world, shape->kind, shape->instance, &shape->def, &ball) != KAI_OK ||
        kai_sampler_sample(world, (const void*)kind, instance, &domain, ball, &points) != KAI_OK) {
        kai_reader_failed(reader, node);
        return false;
    }
    if (!take_points(points, out)) {
        kai_particle_table_free(out);
        reader->document->failed = true;
    }
    kai_sampler_free(points);
    return !reader->document->failed;
}

// Groups -----------------------------------------------------------------------------------------

/// Where the particles of a group lie, from just one of its two keys. False after a report.
static bool read_places(kai_builder* builder, const kai_document_node* node,
                        const kai_builder_shape* shape, kai_particle_table_data* out)
{
    kai_reader* reader = &builder->reader;
    const kai_document_node *file = kai_document_get(node, "file"),
                            *sampler = kai_document_get(node, "sampler");
    if (file && sampler)
        return kai_reader_report(reader, sampler, "file and sampler exclude each other");
    if (!file && !sampler)
        return kai_reader_report(reader, node, "file is missing; or give a sampler");
    const bool ok =
        file ? read_table(builder, file, out) : read_sampler(builder, sampler, shape, out);
    if (ok) builder->hash = kai_particle_table_hash(out, builder->hash);
    return ok;
}

static void make_group(kai_builder* builder, const kai_document_node* node,
                       const kai_sections_particles* group, const kai_builder_shape* shape,
                       const kai_particle_table_data* table)
{
    kai_reader* reader = &builder->reader;
    kai_particles_def def = kai_particles_def_default();
    def.name = group->name;
    def.density = group->density;
    def.rotates = group->rotates;
    def.shape = shape->kind;
    def.shape_params = shape->instance;
    def.common = shape->def;
    if (!KAI_IS_NULL(group->material)) def.common.material = group->material;
    def.table = kai_particle_table_view(table);
    kai_particles particles;
    if (kai_particles_create(reader->world, &def, &particles) != KAI_OK)
        kai_reader_failed(reader, node);
}

static void read_group(kai_builder* builder, const kai_document_node* node, bool first)
{
    kai_reader* reader = &builder->reader;
    kai_sections_particles group;
    kai_kind_defaults(kai_sections_particles_part.kind, &group);
    bool ok = kai_reader_section(reader, node, &kai_sections_particles_part, &group);
    if (node->kind != KAI_DOCUMENT_OBJECT) return;
    kai_builder_shape shape = {0};
    const kai_document_node* shape_node = kai_document_get(node, "shape");
    const bool shaped = shape_node && kai_builder_bodies_shape(builder, shape_node, &shape);
    kai_particle_table_data table = {0};
    ok = read_places(builder, node, shaped ? &shape : NULL, &table) && shaped && ok;
    if (kai_placement_is_mirrored(&reader->scope->placement))
        ok = kai_reader_report(reader, node,
                               "particles cannot be mirrored; place the instance "
                               "without mirror");
    if (ok && !kai_particle_table_place(&table, group.at, group.rotation))
        reader->document->failed = true;
    if (ok && first) make_group(builder, node, &group, &shape, &table);
    kai_particle_table_free(&table);
}

void kai_builder_particles(kai_builder* builder)
{
    kai_builder_each(builder, "particles", "particle group", &builder->groups, read_group);
}
