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
    KAI_NUMBER_U8,
    KAI_NUMBER_TEXT // a byte of a text that ends with a zero
} kai_number;

/// One member of a struct: `count` numbers in a row at `offset`.
typedef struct kai_member {
    const char* name;
    size_t offset;
    kai_number number;
    unsigned count;
} kai_member;

/// A member under its own name or another: KAI_MEMBER(kai_pose, position, F64, 3).
#define KAI_MEMBER(type, field, number, count) KAI_MEMBER_AS(#field, type, field, number, count)
#define KAI_MEMBER_AS(name, type, field, number, count)         \
    {                                                           \
        name, offsetof(type, field), KAI_NUMBER_##number, count \
    }

/// A list of equal structs in a file: its name there, and what an item is.
typedef struct kai_member_list {
    const char* name;
    const kai_member* members; // NULL: plain numbers
    size_t member_count;
    kai_number number; // of a plain one
    size_t size;       // bytes an item
} kai_member_list;

/// The list of that name of items of a type, whose members `list` describes.
#define KAI_MEMBER_LIST(name_, list, type)                                                  \
    {                                                                                       \
        .name = (name_), .members = (list), .member_count = sizeof(list) / sizeof(list)[0], \
        .size = sizeof(type)                                                                \
    }

#endif
