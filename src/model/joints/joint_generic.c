// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Locks any of the six relative degrees of freedom. Rows: A_k · d for each axis k along which nothing moves;
// for turns, with k, i, j cyclic,
//     all locked      A_0 · B_1, A_0 · B_2, A_1 · B_2      as `fixed`
//     k free          A_i · B_k, A_j · B_k                 as `revolute` about k
//     k locked        A_i · B_j                            turns about axis i of a and axis j of b
// Rows that are not used are zero.
#include "base/error.h"
#include "model/joint.h"
#include "model/joints/joint_view.h"

typedef kai_joint_generic_params params;

enum { ALL = 63, TURNS = 56, FIRST_TURN = 3 };

static bool is_locked(const params* p, int freedom) { return (p->mask >> freedom) & 1; }

static int rows_of(const void* instance)
{
    int n = 0;
    for (int i = 0; i < 6; i++) n += is_locked(instance, i);
    return n;
}

static int put_turns(const params* p, const kai_joint_view* v, kai_joint_row* row)
{
    const int64_t turns = p->mask & TURNS;
    if (turns == TURNS) {
        kai_joint_view_dot(v, 0, 1, row);
        kai_joint_view_dot(v, 0, 2, row + 1);
        kai_joint_view_dot(v, 1, 2, row + 2);
        return 3;
    }
    int count = 0;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const bool at_i = is_locked(p, FIRST_TURN + i), at_j = is_locked(p, FIRST_TURN + j);
        if (!is_locked(p, FIRST_TURN + k) && at_i && at_j) { // one free: its axes stay parallel
            kai_joint_view_dot(v, i, k, row);
            kai_joint_view_dot(v, j, k, row + 1);
            return 2;
        }
        if (is_locked(p, FIRST_TURN + k) && !at_i && !at_j)
            kai_joint_view_dot(v, i, j, row + count++);
    }
    return count;
}

static void generic_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        const kai_joint_view v = kai_joint_view_look(b, i);
        kai_joint_row* row = b->rows + KAI_JOINT_ROWS * i;
        int count = 0;
        for (int k = 0; k < 3; k++)
            if (is_locked(p, k)) kai_joint_view_point(&v, k, row + count++);
        count += put_turns(p, &v, row + count);
        for (; count < KAI_JOINT_ROWS; count++) row[count] = (kai_joint_row){0};
    }
}

static const char* const WORDS[] = {"tx", "ty", "tz", "rx", "ry", "rz", NULL};

/// The bits of a list.
static kai_result list_bits(const kai_list* list, const char* name, int64_t* bits, kai_error* err)
{
    const int32_t* freedom = list->items;
    *bits = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const int64_t bit = INT64_C(1) << freedom[i];
        if (*bits & bit)
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "generic: %s has %s twice; must have it once", name,
                                 WORDS[freedom[i]]);
        *bits |= bit;
    }
    return KAI_OK;
}

static kai_result find_mask(const params* p, int64_t* mask, kai_error* err)
{
    int64_t free, locked;
    KAI_TRY(list_bits(&p->free, "free", &free, err));
    KAI_TRY(list_bits(&p->locked, "locked", &locked, err));
    if (p->free.count > 0 && p->locked.count > 0)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "generic: free and locked are both given; give one");
    if (free == ALL)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "generic: free has all six degrees of freedom; must lock one or more");
    *mask = p->free.count > 0 ? ALL & ~free : p->locked.count > 0 ? locked : p->mask;
    if (*mask == 0)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "generic: free is missing; give it, or locked");
    if (*mask >= 1 && *mask <= ALL) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT, "generic: mask is %lld; must be from 1 to %d",
                         (long long)*mask, ALL);
}

static kai_result generic_check(const void* instance, kai_error* err)
{
    int64_t mask;
    return find_mask(instance, &mask, err);
}

static kai_result generic_prepare(const kai_world* world, void* instance, kai_error* err)
{
    params* p = instance;
    KAI_TRY(find_mask(p, &p->mask, err));
    // Only where no row looks at the x axis of b, or along z of a.
    const int64_t turns = p->mask & TURNS, bend = (1 << KAI_JOINT_RX) | (1 << KAI_JOINT_RY);
    kai_joint_zero_frames(world, turns == bend || turns == 0, !is_locked(p, KAI_JOINT_TZ),
                          &p->base);
    return KAI_OK;
}

static const kai_param FREEDOM_PARAMS[] = {
    {.name = "freedom",
     .type = KAI_PARAM_ENUM,
     .required = true,
     .main = true,
     .words = WORDS,
     .doc = "Translation along (t) or rotation about (r) an axis of the joint frame."},
};

static const kai_kind FREEDOM = KAI_KIND("freedom", int32_t, FREEDOM_PARAMS,
                                         .doc = "One of the six relative degrees of freedom.");

static const kai_param PARAMS[] = {
    KAI_JOINT_PARAMS,
    KAI_PARAM(
        LIST, params, free, .rows_max = 6, .item = &FREEDOM,
        .doc = "Degrees of freedom that stay free, of tx ty tz rx ry rz; all others are locked."),
    KAI_PARAM(LIST, params, locked, .rows_max = 6, .item = &FREEDOM,
              .doc = "Degrees of freedom that are locked; instead of free."),
    KAI_PARAM(INT, params, mask, .hidden = true),
};

const kai_joint_kind kai_joint_generic = {
    .kind = KAI_KIND(
        "generic", params, PARAMS, .check = generic_check,
        .doc =
            "Locks any of the six degrees of freedom of b in the joint frame of a. With two of the three rotations free, their axes are fixed to a and to b: free x and y, y and z, or z and x, the first on a, the second on b."),
    .rows = KAI_JOINT_ROWS,
    .rows_of = rows_of,
    .evaluate = generic_evaluate,
    .prepare = generic_prepare,
    .has_angle = true,
    .has_travel = true};
