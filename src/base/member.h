// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// How the numbers of a struct lie in memory, for whoever writes and reads arrays of it.
#ifndef BASE_MEMBER_H
#define BASE_MEMBER_H

#include <stddef.h>

typedef enum kai_number {
    KAI_NUMBER_F64,
    KAI_NUMBER_F32,
    KAI_NUMBER_I64,
    KAI_NUMBER_U64,
    KAI_NUMBER_I32,
    KAI_NUMBER_U32,
    KAI_NUMBER_U16,
    KAI_NUMBER_U8
} kai_number;

/// One member of a struct: `count` numbers in a row at `offset`.
typedef struct kai_member {
    const char* name;
    size_t offset;
    kai_number number;
    unsigned count;
} kai_member;

#endif
