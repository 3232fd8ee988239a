// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/contact_file.h"

#include "contact/contacts_grains.h"

#include "record/param_file.h"

#include <math.h>
#include <stdlib.h>

static hid_t memory_type(void)
{
    static const kai_h5_member members[] = {
        {"shape_a", offsetof(kai_contact_memory, shape_a), KAI_H5_U32, 1},
        {"shape_b", offsetof(kai_contact_memory, shape_b), KAI_H5_U32, 1},
        {"part_a", offsetof(kai_contact_memory, part_a), KAI_H5_U16, 1},
        {"part_b", offsetof(kai_contact_memory, part_b), KAI_H5_U16, 1},
        {"feature", offsetof(kai_contact_memory, feature), KAI_H5_U32, 1},
        {"data", offsetof(kai_contact_memory, data), KAI_H5_F64, KAI_CONTACT_HISTORY_SIZE},
        {"place", offsetof(kai_contact_memory, place), KAI_H5_F32, 3}};
    return kai_h5_compound(members, KAI_COUNT(members), sizeof(kai_contact_memory));
}

kai_result kai_contact_file_write(const kai_world* world, hid_t group, kai_error* err)
{
    const kai_contacts* contacts = world->contact;
    if (contacts) KAI_TRY(kai_contacts_grains_remember(contacts->world, err));
    KAI_TRY(kai_h5_write_attribute(group, "elastic", KAI_H5_F64, 1, &world->contact_elastic, err));
    KAI_TRY(kai_param_file_write(group, &kai_contact_kind, &world->contact_def, 1, err));
    const hid_t type = memory_type();
    if (type < 0) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for 'remembered'");
    const kai_result r = kai_h5_write(group, "remembered", type, world->contact_memory.count, 1,
                                      world->contact_memory.data, err);
    H5Tclose(type);
    return r;
}

// A place may be infinite: those too far away for a float are none to find again.
static kai_result check(const kai_contact_memory* remembered, size_t count, kai_error* err)
{
    for (size_t i = 0; i < count; i++) {
        double sum = 0.0;
        for (int k = 0; k < KAI_CONTACT_HISTORY_SIZE; k++) sum += 0.0 * remembered[i].data[k];
        if (sum != 0.0)
            return kai_error_set(err, KAI_ERROR_FORMAT, "'remembered' %zu is not finite", i);
    }
    return KAI_OK;
}

static kai_result read_def(hid_t group, kai_contact_def* def, kai_error* err)
{
    kai_param_file_pool* pool = NULL;
    *def = kai_contact_def_default();
    kai_result r = kai_param_file_read(group, &kai_contact_kind, def, 1, 0, &pool, err);
    if (r == KAI_OK) r = kai_kind_check(&kai_contact_kind, def, err);
    kai_param_file_free(pool);
    return r == KAI_ERROR_ARGUMENT ? KAI_ERROR_FORMAT : r;
}

kai_result kai_contact_file_read(hid_t group, kai_memory* memory, kai_contact_def* def,
                                 kai_array* remembered, double* elastic, kai_error* err)
{
    KAI_TRY(kai_h5_read_attribute(group, "elastic", KAI_H5_F64, 1, elastic, err));
    if (!isfinite(*elastic))
        return kai_error_set(err, KAI_ERROR_FORMAT, "elastic is %g J; must be finite", *elastic);
    KAI_TRY(read_def(group, def, err));
    const hid_t type = memory_type();
    if (type < 0) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for 'remembered'");
    void* data = NULL;
    size_t count = 0;
    kai_result r = kai_h5_read(group, "remembered", type, 1, &data, &count, err);
    H5Tclose(type);
    if (r == KAI_OK) r = check(data, count, err);
    if (r == KAI_OK) r = kai_array_append(remembered, memory, data, count, err);
    free(data);
    return r;
}
