// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/check.h"
#include "record/bodies_file.h"
#include "record/checkpoint.h"
#include "record/contact_file.h"
#include "record/param_file.h"
#include "record/store_file.h"
#include "record/world_file.h"

#include <kairos/info.h>
#include <stdlib.h>
#include <string.h>

hid_t kai_world_save_shape_record_type(void)
{
#define RECORD(field)                                            \
    {                                                            \
#field, offsetof(kai_shape_record, field), KAI_H5_U32, 1 \
    }
    static const kai_h5_member members[] = {
        RECORD(body),
        RECORD(next),
        RECORD(material),
        RECORD(frame),
        RECORD(color),
        RECORD(flags),
        {"margin", offsetof(kai_shape_record, margin), KAI_H5_F64, 1}};
    return kai_h5_compound(members, KAI_COUNT(members), sizeof(kai_shape_record));
}

static kai_result write_figures(const kai_world* world, hid_t group, kai_error* err)
{
    const uint32_t format = KAI_WORLD_FILE_FORMAT;
    const uint8_t known = world->energy_known, detect = world->collision_detect;
    KAI_TRY(kai_h5_write_attribute(group, "format", KAI_H5_U32, 1, &format, err));
    KAI_TRY(kai_h5_write_text(group, "version", kai_info_version(), err));
    KAI_TRY(kai_h5_write_attribute(group, "time", KAI_H5_F64, 1, &world->time, err));
    KAI_TRY(kai_h5_write_attribute(group, "steps", KAI_H5_U64, 1, &world->steps, err));
    KAI_TRY(kai_h5_write_attribute(group, "time_base", KAI_H5_F64, 1, &world->time_base, err));
    KAI_TRY(kai_h5_write_attribute(group, "time_step", KAI_H5_F64, 1, &world->time_step, err));
    KAI_TRY(kai_h5_write_attribute(group, "steps_base", KAI_H5_U64, 1, &world->steps_base, err));
    KAI_TRY(kai_h5_write_attribute(group, "gravity", KAI_H5_F64, 3, &world->gravity, err));
    KAI_TRY(kai_h5_write_attribute(group, "integrator_steps", KAI_H5_U64, 1,
                                   &world->integrator_steps, err));
    KAI_TRY(kai_h5_write_attribute(group, "work", KAI_H5_F64, 1, &world->work, err));
    KAI_TRY(kai_h5_write_attribute(group, "dissipated", KAI_H5_F64, 1, &world->dissipated, err));
    KAI_TRY(kai_h5_write_attribute(group, "energy_reference", KAI_H5_F64, 1,
                                   &world->energy_reference, err));
    KAI_TRY(kai_h5_write_attribute(group, "collision_detect", KAI_H5_U8, 1, &detect, err));
    KAI_TRY(kai_h5_write_attribute(group, "collision_reach", KAI_H5_F64, 1, &world->collision_reach,
                                   err));
    return kai_h5_write_attribute(group, "energy_known", KAI_H5_U8, 1, &known, err);
}

static kai_result write_shapes(const kai_world* world, hid_t group, kai_error* err)
{
    KAI_TRY(kai_store_file_write(group, "shapes", &world->shapes, err));
    KAI_TRY(kai_bodies_file_write_frames(group, "shape_frames", &world->shape_frames, err));
    const hid_t type = kai_world_save_shape_record_type();
    if (type < 0) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for 'shape_records'");
    const size_t count = kai_store_last(&world->shapes);
    kai_shape_record* records = malloc((count + 1) * sizeof *records);
    for (size_t i = 0; records && i < count; i++)
        records[i] = kai_shape_record_of(world, (uint32_t)i + 1);
    const kai_result r =
        records ? kai_h5_write(group, "shape_records", type, count, 1, records, err)
                : kai_error_set(err, KAI_ERROR_MEMORY, "no memory for 'shape_records'");
    free(records);
    H5Tclose(type);
    return r;
}

// All groups in three lists: how many particles each has, and index and generation of every body.
static kai_result write_particles(const kai_world* world, hid_t group, kai_error* err)
{
    const kai_particles_group* groups = world->groups.data;
    const size_t count = world->groups.count;
    size_t total = 0;
    for (size_t i = 0; i < count; i++) total += groups[i].count;
    uint64_t* counts = malloc((count + 1) * sizeof *counts);
    const char** names = calloc(count + 1, sizeof *names);
    uint32_t* index = malloc((total + 1) * sizeof *index);
    uint16_t* generation = malloc((total + 1) * sizeof *generation);
    kai_result r = counts && names && index && generation
                       ? KAI_OK
                       : kai_error_set(err, KAI_ERROR_MEMORY, "no memory for 'particles'");
    for (size_t i = 0, k = 0; r == KAI_OK && i < count; i++) {
        counts[i] = groups[i].count;
        names[i] = groups[i].name;
        for (size_t j = 0; j < groups[i].count; j++, k++) {
            index[k] = kai_particles_group_body(&groups[i], j).index;
            generation[k] = kai_particles_group_body(&groups[i], j).generation;
        }
    }
    if (r == KAI_OK) r = kai_h5_write(group, "counts", H5T_NATIVE_UINT64, count, 1, counts, err);
    if (r == KAI_OK) r = kai_param_file_write_names(group, names, count, err);
    if (r == KAI_OK) r = kai_h5_write(group, "index", H5T_NATIVE_UINT32, total, 1, index, err);
    if (r == KAI_OK)
        r = kai_h5_write(group, "generation", H5T_NATIVE_UINT16, total, 1, generation, err);
    free(counts);
    free(names);
    free(index);
    free(generation);
    return r;
}

static kai_result write_integrator(const kai_world* world, hid_t group, kai_error* err)
{
    const kai_integrator_kind* kind = world->integrator;
    KAI_TRY(kai_h5_write_text(group, "kind", kind ? kind->kind.name : "", err));
    if (kind == NULL || world->integrator_instance == NULL) return KAI_OK;
    return kai_param_file_write(group, &kind->kind, world->integrator_instance, 1, err);
}

static kai_result write_solver(const kai_world* world, hid_t group, kai_error* err)
{
    KAI_TRY(kai_h5_write_attribute(group, "tally", KAI_H5_F64, KAI_SOLVER_TALLY,
                                   &world->solver_tally, err));
    return kai_param_file_write(group, &kai_solver_kind, &world->solver_def, 1, err);
}

static kai_result in_group(const kai_world* world, hid_t parent, const char* name,
                           kai_result (*write)(const kai_world*, hid_t, kai_error*), kai_error* err)
{
    hid_t group = -1;
    KAI_TRY(kai_h5_make_group(parent, name, &group, err));
    const kai_result r = write(world, group, err);
    H5Gclose(group);
    return r;
}

static kai_result write_world(const kai_world* world, hid_t group, kai_error* err)
{
    KAI_TRY(write_figures(world, group, err));
    KAI_TRY(kai_bodies_file_write(group, &world->bodies, err));
    KAI_TRY(kai_store_file_write(group, "materials", &world->materials, err));
    KAI_TRY(kai_store_file_write(group, "material_pairs", &world->material_pairs, err));
    KAI_TRY(write_shapes(world, group, err));
    KAI_TRY(kai_store_file_write(group, "functions", &world->functions.store, err));
    KAI_TRY(kai_h5_write(group, "functions.depth", H5T_NATIVE_UINT8, world->functions.depth.count,
                         1, world->functions.depth.data, err));
    KAI_TRY(kai_store_file_write(group, "shafts", &world->shafts, err));
    KAI_TRY(kai_store_file_write(group, "states", &world->states, err));
    KAI_TRY(kai_store_file_write(group, "solids", &world->solids, err));
    KAI_TRY(kai_store_file_write(group, "nodes", &world->nodes, err));
    KAI_TRY(kai_store_file_write(group, "elements", &world->elements, err));
    KAI_TRY(kai_store_file_write(group, "structures", &world->structures, err));
    KAI_TRY(kai_store_file_write(group, "loads", &world->loads, err));
    KAI_TRY(kai_store_file_write(group, "joints", &world->joints, err));
    KAI_TRY(kai_h5_write(group, "integrator_state", H5T_NATIVE_DOUBLE,
                         world->integrator_state.count, 1, world->integrator_state.data, err));
    KAI_TRY(in_group(world, group, "particles", write_particles, err));
    KAI_TRY(in_group(world, group, "solver", write_solver, err));
    KAI_TRY(in_group(world, group, "contact", kai_contact_file_write, err));
    return in_group(world, group, "integrator", write_integrator, err);
}

kai_result kai_world_save_group(const kai_world* world, hid_t parent, kai_error* err)
{
    return in_group(world, parent, "world", write_world, err);
}

kai_result kai_world_save(kai_world* world, const char* path)
{
    KAI_CHANGE(world, path);
    if (path[0] == '\0')
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT, "kai_world_save: path is empty");
    return kai_world_fail(world, __func__, kai_checkpoint_write(world, NULL, path, &world->error));
}
