// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/part_file.h"

#include "record/bodies_file.h"
#include "record/param_file.h"
#include "record/store_file.h"

#include <kairos/integrator.h>

static kai_result too_deep(kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_LIMIT, "more than %d groups within each other",
                         KAI_PART_FILE_DEPTH);
}

// Writing ----------------------------------------------------------------------------------------

static hid_t part_file_writes(const kai_part_writer* w)
{
    const kai_part_file_writer* file = (const void*)w;
    return file->groups[file->depth];
}

static kai_result write_begin(kai_part_writer* w, const char* name, kai_error* err)
{
    kai_part_file_writer* file = (void*)w;
    if (file->depth + 1 >= KAI_PART_FILE_DEPTH) return too_deep(err);
    KAI_TRY(kai_h5_make_group(part_file_writes(w), name, &file->groups[file->depth + 1], err));
    file->depth++;
    return KAI_OK;
}

static void write_end(kai_part_writer* w)
{
    kai_part_file_writer* file = (void*)w;
    H5Gclose(file->groups[file->depth--]);
}

static kai_result write_numbers(kai_part_writer* w, const char* name, kai_number number,
                                size_t count, const void* data, kai_error* err)
{
    return kai_h5_write_attribute(part_file_writes(w), name, number, count, data, err);
}

static kai_result write_text(kai_part_writer* w, const char* name, const char* text, kai_error* err)
{
    return kai_h5_write_text(part_file_writes(w), name, text, err);
}

static kai_result write_list(kai_part_writer* w, const kai_part_list* list, const void* items,
                             size_t count, kai_error* err)
{
    return kai_h5_write_list(part_file_writes(w), list, items, count, err);
}

static kai_result write_names(kai_part_writer* w, const char* const* names, size_t count,
                              kai_error* err)
{
    return kai_param_file_write_names(part_file_writes(w), names, count, err);
}

static kai_result write_instance(kai_part_writer* w, const kai_kind* kind, const void* instance,
                                 kai_error* err)
{
    return kai_param_file_write(part_file_writes(w), kind, instance, 1, err);
}

static kai_result write_store(kai_part_writer* w, const char* name, const kai_store* store,
                              kai_error* err)
{
    return kai_store_file_write(part_file_writes(w), name, store, err);
}

static kai_result write_bodies(kai_part_writer* w, const kai_bodies* bodies, kai_error* err)
{
    return kai_bodies_file_write(part_file_writes(w), bodies, err);
}

static kai_result write_frames(kai_part_writer* w, const char* name, const kai_frames* frames,
                               kai_error* err)
{
    return kai_bodies_file_write_frames(part_file_writes(w), name, frames, err);
}

kai_part_file_writer kai_part_file_write_to(hid_t group)
{
    return (kai_part_file_writer){.base = {.begin = write_begin,
                                           .end = write_end,
                                           .numbers = write_numbers,
                                           .text = write_text,
                                           .list = write_list,
                                           .names = write_names,
                                           .instance = write_instance,
                                           .store = write_store,
                                           .bodies = write_bodies,
                                           .frames = write_frames},
                                  .groups = {group}};
}

// Reading ----------------------------------------------------------------------------------------

static hid_t part_file_reads(const kai_part_reader* r)
{
    const kai_part_file_reader* file = (const void*)r;
    return file->groups[file->depth];
}

static kai_result read_begin(kai_part_reader* r, const char* name, kai_error* err)
{
    kai_part_file_reader* file = (void*)r;
    if (file->depth + 1 >= KAI_PART_FILE_DEPTH) return too_deep(err);
    KAI_TRY(kai_h5_open_group(part_file_reads(r), name, &file->groups[file->depth + 1], err));
    file->depth++;
    return KAI_OK;
}

static void read_end(kai_part_reader* r)
{
    kai_part_file_reader* file = (void*)r;
    H5Gclose(file->groups[file->depth--]);
}

static kai_result read_numbers(kai_part_reader* r, const char* name, kai_number number,
                               size_t count, void* data, kai_error* err)
{
    return kai_h5_read_attribute(part_file_reads(r), name, number, count, data, err);
}

static kai_result read_text(kai_part_reader* r, const char* name, char* out, size_t size,
                            kai_error* err)
{
    return kai_h5_read_text(part_file_reads(r), name, out, size, err);
}

static kai_result read_list(kai_part_reader* r, const kai_part_list* list, void** items,
                            size_t* count, kai_error* err)
{
    *count = SIZE_MAX; // as many as there are
    return kai_h5_read_list(part_file_reads(r), list, items, count, err);
}

static kai_result read_names(kai_part_reader* r, size_t limit, kai_part_names* out, kai_error* err)
{
    return kai_param_file_read_names(part_file_reads(r), limit, &out->named, &out->texts,
                                     &out->stride, &out->count, err);
}

static kai_result read_instance(kai_part_reader* r, const kai_kind* kind, void* instance,
                                kai_error* err)
{
    const kai_part_file_reader* file = (const void*)r;
    kai_param_file_pool* pool = NULL;
    kai_result result =
        kai_param_file_read(part_file_reads(r), kind, instance, 1, file->world, &pool, err);
    if (result == KAI_OK) result = kai_kind_check(kind, instance, err);
    kai_param_file_free(pool);
    return result == KAI_ERROR_ARGUMENT ? KAI_ERROR_FORMAT : result;
}

static kai_result read_store(kai_part_reader* r, const char* name, kai_store* store, bool hidden,
                             kai_error* err)
{
    return kai_store_file_read(part_file_reads(r), name, store, hidden, err);
}

static kai_result read_bodies(kai_part_reader* r, kai_bodies* bodies, kai_error* err)
{
    return kai_bodies_file_read(part_file_reads(r), bodies, err);
}

static kai_result read_frames(kai_part_reader* r, const char* name, kai_frames* frames,
                              kai_memory* memory, kai_error* err)
{
    return kai_bodies_file_read_frames(part_file_reads(r), name, frames, memory, err);
}

kai_part_file_reader kai_part_file_read_from(hid_t group, uint16_t world)
{
    return (kai_part_file_reader){.base = {.begin = read_begin,
                                           .end = read_end,
                                           .numbers = read_numbers,
                                           .text = read_text,
                                           .list = read_list,
                                           .names = read_names,
                                           .instance = read_instance,
                                           .store = read_store,
                                           .bodies = read_bodies,
                                           .frames = read_frames,
                                           .integrator = kai_integrator_find},
                                  .groups = {group},
                                  .world = world};
}
