// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/judge_file.h"

#include <stdlib.h>
#include <string.h>

// What is summed up, in the order of the attribute "judge".
static const size_t NUMBERS[] = {offsetof(kai_judge, measured),     offsetof(kai_judge, sum),
                                 offsetof(kai_judge, cones),        offsetof(kai_judge, dissipated),
                                 offsetof(kai_judge, energy_scale), offsetof(kai_judge, drift),
                                 offsetof(kai_judge, potential),    offsetof(kai_judge, elastic),
                                 offsetof(kai_judge, mass),         offsetof(kai_judge, width),
                                 offsetof(kai_judge, depth),        offsetof(kai_judge, violation)};
enum { COUNTS = 4 };

static const kai_member BREACH[] = {KAI_MEMBER(kai_judge_breach, count, U64, 1),
                                    KAI_MEMBER(kai_judge_breach, first_step, U64, 1),
                                    KAI_MEMBER(kai_judge_breach, first_time, F64, 1),
                                    KAI_MEMBER(kai_judge_breach, worst, F64, 1),
                                    KAI_MEMBER(kai_judge_breach, limit, F64, 1),
                                    KAI_MEMBER(kai_judge_breach, where, U8, KAI_JUDGE_WHERE)};
static const kai_member_list BREACHES = KAI_MEMBER_LIST("breaches", BREACH, kai_judge_breach);

kai_result kai_judge_file_write(const kai_judge* j, hid_t group, kai_error* err)
{
    double numbers[KAI_COUNT(NUMBERS)];
    for (size_t i = 0; i < KAI_COUNT(NUMBERS); i++)
        memcpy(&numbers[i], (const char*)j + NUMBERS[i], sizeof numbers[i]);
    const uint64_t counts[COUNTS] = {j->steps, j->slow_residuals, j->energy_known, j->shapes};
    KAI_TRY(
        kai_h5_write_attribute(group, "judge", KAI_NUMBER_F64, KAI_COUNT(NUMBERS), numbers, err));
    KAI_TRY(kai_h5_write_attribute(group, "judge_counts", KAI_NUMBER_U64, COUNTS, counts, err));
    return kai_h5_write_list(group, &BREACHES, j->breach, KAI_JUDGE_TYPES, err);
}

static kai_result read_breaches(kai_judge* j, hid_t group, kai_error* err)
{
    void* data = NULL;
    size_t count = KAI_JUDGE_TYPES;
    KAI_TRY(kai_h5_read_list(group, &BREACHES, &data, &count, err));
    memcpy(j->breach, data, sizeof j->breach);
    free(data);
    for (int i = 0; i < KAI_JUDGE_TYPES; i++) j->breach[i].where[KAI_JUDGE_WHERE - 1] = '\0';
    return KAI_OK;
}

kai_result kai_judge_file_read(kai_judge* j, hid_t group, kai_error* err)
{
    double numbers[KAI_COUNT(NUMBERS)];
    uint64_t counts[COUNTS];
    memset(j, 0, sizeof *j);
    KAI_TRY(
        kai_h5_read_attribute(group, "judge", KAI_NUMBER_F64, KAI_COUNT(NUMBERS), numbers, err));
    KAI_TRY(kai_h5_read_attribute(group, "judge_counts", KAI_NUMBER_U64, COUNTS, counts, err));
    for (size_t i = 0; i < KAI_COUNT(NUMBERS); i++)
        memcpy((char*)j + NUMBERS[i], &numbers[i], sizeof numbers[i]);
    j->steps = counts[0];
    j->slow_residuals = counts[1];
    j->energy_known = counts[2] != 0;
    j->shapes = counts[3];
    return read_breaches(j, group, err);
}
