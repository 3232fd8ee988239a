// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "contact/contacts_grains.h"
#include "model/body.h"
#include "model/check.h"
#include "record/checkpoint.h"
#include "record/part_file.h"
#include "record/world_file.h"

#include <kairos/info.h>

static kai_result write_world(const kai_world* world, hid_t group, kai_error* err)
{
    const uint32_t format = KAI_WORLD_FILE_FORMAT;
    KAI_TRY(kai_h5_write_attribute(group, "format", KAI_NUMBER_U32, 1, &format, err));
    KAI_TRY(kai_h5_write_text(group, "version", kai_info_version(), err));
    kai_part_file_writer writer = kai_part_file_write_to(group);
    return kai_part_save_all(world, &writer.base, err);
}

kai_result kai_world_save_group(const kai_world* world, hid_t parent, kai_error* err)
{
    // What contacts of spheres remember joins the rest.
    if (world->contact) KAI_TRY(kai_contacts_grains_remember(world->contact->world, err));
    hid_t group = -1;
    KAI_TRY(kai_h5_make_group(parent, "world", &group, err));
    const kai_result r = write_world(world, group, err);
    H5Gclose(group);
    return r;
}

kai_result kai_world_save(kai_world* world, const char* path)
{
    KAI_CHANGE(world, path);
    if (path[0] == '\0')
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT, "kai_world_save: path is empty");
    KAI_TRY(kai_body_drop_ghosts(world)); // their own rank saves them
    return kai_world_fail(world, __func__, kai_checkpoint_write(world, NULL, path, &world->error));
}
