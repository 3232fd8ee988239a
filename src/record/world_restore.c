// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "fea/structures/structure_render_mesh.h"
#include "record/part_file.h"
#include "record/world_file.h"

static kai_result read_world(kai_world* world, hid_t group, kai_error* err)
{
    uint32_t format = 0;
    KAI_TRY(kai_h5_read_attribute(group, "format", KAI_NUMBER_U32, 1, &format, err));
    if (format != KAI_WORLD_FILE_FORMAT)
        return kai_error_set(err, KAI_ERROR_FORMAT, "format is %u; this version reads %d", format,
                             KAI_WORLD_FILE_FORMAT);
    kai_part_file_reader reader = kai_part_file_read_from(group, world->tag);
    return kai_part_load_all(world, &reader.base, err);
}

kai_result kai_world_restore(kai_world* world, hid_t parent, kai_error* err)
{
    hid_t group = -1;
    KAI_TRY(kai_h5_open_group(parent, "world", &group, err));
    const kai_result r = read_world(world, group, err);
    H5Gclose(group);
    return r == KAI_OK ? kai_structure_render_mesh_add(world, err) : r;
}
