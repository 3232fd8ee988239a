// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/judge_file.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 12, COUNTS = 4 };

static hid_t breach_type(void)
{
    static const kai_h5_member members[] = {
        {"count", offsetof(kai_judge_breach, count), KAI_H5_U64, 1},
        {"first_step", offsetof(kai_judge_breach, first_step), KAI_H5_U64, 1},
        {"first_time", offsetof(kai_judge_breach, first_time), KAI_H5_F64, 1},
        {"worst", offsetof(kai_judge_breach, worst), KAI_H5_F64, 1},
        {"limit", offsetof(kai_judge_breach, limit), KAI_H5_F64, 1},
        {"where", offsetof(kai_judge_breach, where), KAI_H5_U8, KAI_JUDGE_WHERE}};
    return kai_h5_compound(members, KAI_COUNT(members), sizeof(kai_judge_breach));
}

kai_result kai_judge_file_write(const kai_judge* j, hid_t group, kai_error* err)
{
    const double numbers[NUMBERS] = {j->measured,     j->sum,   j->cones,     j->dissipated,
                                     j->energy_scale, j->drift, j->potential, j->elastic,
                                     j->mass,         j->width, j->depth,     j->violation};
    const uint64_t counts[COUNTS] = {j->steps, j->slow_residuals, j->energy_known, j->shapes};
    KAI_TRY(kai_h5_write_attribute(group, "judge", KAI_H5_F64, NUMBERS, numbers, err));
    KAI_TRY(kai_h5_write_attribute(group, "judge_counts", KAI_H5_U64, COUNTS, counts, err));
    const hid_t type = breach_type();
    if (type < 0) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for 'breaches'");
    const kai_result r = kai_h5_write(group, "breaches", type, KAI_JUDGE_TYPES, 1, j->breach, err);
    H5Tclose(type);
    return r;
}

static kai_result read_breaches(kai_judge* j, hid_t group, kai_error* err)
{
    const hid_t type = breach_type();
    if (type < 0) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for 'breaches'");
    void* data = NULL;
    const kai_result r =
        kai_h5_read_exactly(group, "breaches", type, 1, KAI_JUDGE_TYPES, &data, err);
    if (r == KAI_OK) memcpy(j->breach, data, sizeof j->breach);
    free(data);
    H5Tclose(type);
    for (int i = 0; i < KAI_JUDGE_TYPES; i++) j->breach[i].where[KAI_JUDGE_WHERE - 1] = '\0';
    return r;
}

kai_result kai_judge_file_read(kai_judge* j, hid_t group, kai_error* err)
{
    double numbers[NUMBERS];
    uint64_t counts[COUNTS];
    memset(j, 0, sizeof *j);
    KAI_TRY(kai_h5_read_attribute(group, "judge", KAI_H5_F64, NUMBERS, numbers, err));
    KAI_TRY(kai_h5_read_attribute(group, "judge_counts", KAI_H5_U64, COUNTS, counts, err));
    double* const to[NUMBERS] = {&j->measured,     &j->sum,   &j->cones,     &j->dissipated,
                                 &j->energy_scale, &j->drift, &j->potential, &j->elastic,
                                 &j->mass,         &j->width, &j->depth,     &j->violation};
    for (int i = 0; i < NUMBERS; i++) *to[i] = numbers[i];
    j->steps = counts[0];
    j->slow_residuals = counts[1];
    j->energy_known = counts[2] != 0;
    j->shapes = counts[3];
    return read_breaches(j, group, err);
}
