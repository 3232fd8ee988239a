// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contacts laid out for vector units and threads.
//
// Eight contacts that share no moving body make a *group*: rows of eight numbers, one row a cache
// line. Groups are done in *tasks*, one after the other inside of a task. Bodies are cut into
// blocks, which lie together in space where bodies are sorted, and a task has
//
//     contacts inside of a block: its bodies stay in the cache;
//     contacts between two blocks;
//     the few contacts of a block with some others;
//     or, where most contacts lie between blocks anyhow, a part of one colour of these.
//
// Tasks that share a block are done in an order that is fixed by the problem, others at once
// (cone_schedule.h). Few contacts are one task.
#ifndef SOLVE_CONE_PACK_H
#define SOLVE_CONE_PACK_H

#include "solve/cone.h"

enum {
    KAI_CONE_PACK_LANES = 8,
    KAI_CONE_PACK_BLOCKS = 16 // that a task may touch
};

/// Kinds of groups: what they need decides which rows they have.
typedef enum kai_cone_kind {
    KAI_CONE_FRICTIONLESS, // no friction, arms along the normal: one number, bodies do not turn
    KAI_CONE_SMOOTH,       // no friction, any arms and moments: one number
    KAI_CONE_EQUAL_MASSES, // spheres of one size, or one and what does not move: as the next
    KAI_CONE_UNIFORM,      // grains with the friction and the compliance that most contacts have
    KAI_CONE_GRAIN,        // arms along the normal, equal moments: spheres
    KAI_CONE_GENERAL,      // any arms and moments
    KAI_CONE_COUPLED,      // the same with rolling or spinning friction
    KAI_CONE_KINDS
} kai_cone_kind;

/// Rows of a group. Impulses act on b.
enum {
    KAI_CONE_ROW_INDEX =
        0, // uint32_t [8] 8 × body a, [8] 8 × body b; lowest bit: its velocity stays
    KAI_CONE_ROW_NORMAL = 1,
    KAI_CONE_ROW_BIAS = 4,
    KAI_CONE_ROW_FRICTION = 5,
    KAI_CONE_ROW_COMPLIANCE = 6,
    KAI_CONE_ROW_MASS_N = 7,  // 1 / (n·N n + compliance)
    KAI_CONE_ROW_MASS_T = 8,  // 1 / largest eigenvalue of N across n
    KAI_CONE_ROW_IMPULSE = 9, // world
    // grains
    KAI_CONE_ROW_RADIUS_A = 12, // arm_a = radius_a n, arm_b = -radius_b n
    KAI_CONE_ROW_RADIUS_B = 13,
    KAI_CONE_GRAIN_ROWS = 14,
    // uniform, equal masses: the first five rows as above, then
    KAI_CONE_UNIFORM_MASSES = 5, // float [8] MASS_N, [8] MASS_T
    KAI_CONE_UNIFORM_IMPULSE = 6,
    KAI_CONE_UNIFORM_RADIUS_A = 9,
    KAI_CONE_EQUAL_MASSES_ROWS = 10,
    KAI_CONE_UNIFORM_RADIUS_B = 10, // the last row in any case
    KAI_CONE_UNIFORM_ROWS = 11,
    // all others
    KAI_CONE_ROW_ARM_A = 12,
    KAI_CONE_ROW_ARM_B = 15,
    KAI_CONE_ROW_INERTIA_A = 18, // inverse: xx yy zz xy xz yz
    KAI_CONE_ROW_INERTIA_B = 24,
    KAI_CONE_ROW_SIDE = 30, // N n, less what of it is along n
    KAI_CONE_GENERAL_ROWS = 33,
    // with couples
    KAI_CONE_ROW_ROLLING = 33,
    KAI_CONE_ROW_SPINNING = 34,
    KAI_CONE_ROW_MASS_R = 35, // 1 / largest eigenvalue of the sum of inverse inertias across n
    KAI_CONE_ROW_MASS_S = 36, // 1 / its part along n
    KAI_CONE_ROW_LENGTH = 37, // L of cone.h; 0: bodies that do not turn
    KAI_CONE_ROW_COUPLE = 38,
    KAI_CONE_COUPLED_ROWS = 41,
    // without friction: the first five rows as above, then
    KAI_CONE_LEAN_COMPLIANCE = 5,
    KAI_CONE_LEAN_MASS = 6,
    KAI_CONE_LEAN_IMPULSE = 7, // along the normal
    KAI_CONE_FRICTIONLESS_ROWS = 8,
    KAI_CONE_LEAN_TURN_A = 8, // arm × n
    KAI_CONE_LEAN_TURN_B = 11,
    KAI_CONE_LEAN_SPIN_A = 14, // inverse inertia times that
    KAI_CONE_LEAN_SPIN_B = 17,
    KAI_CONE_SMOOTH_ROWS = 20,
    // after these, for methods of gradients
    KAI_CONE_EXTRA_SHARE = 0,   // of the masses: bodies are split among their contacts
    KAI_CONE_EXTRA_PARTS = 1,   // at first: contacts of a, of b
    KAI_CONE_EXTRA_IMPULSE = 1, // of the iterate before
    KAI_CONE_EXTRA_ROWS = 4,
    KAI_CONE_EXTRA_COUPLE = 4,
    KAI_CONE_EXTRA_ROWS_COUPLED = 7
};

/// Groups of one kind, one after the other.
typedef struct kai_cone_run {
    uint32_t first, count; // groups
    uint32_t sort;         // kind that they were laid out as
    uint32_t kind;         // that they are packed as
    uint32_t ground; // body at rest that never moves; after it, one that takes what goes nowhere
    size_t value;    // offset of the first group in `values`
    uint32_t rows;   // of a group
    bool stays;      // some body may have a velocity that stays
} kai_cone_run;

/// What a task waits for, and adds one to when it is done: see cone_schedule.h.
typedef struct kai_cone_place {
    uint32_t counter; // a block; or the one after all blocks, which counts tasks
    uint32_t number;  // how far it must be
} kai_cone_place;

typedef struct kai_cone_task {
    uint32_t first, end;     // runs
    uint32_t place, places;  // the first of its places, and how many
    uint32_t owner;          // a block; of parts of a colour the number among them
    uint32_t cost;           // of a pass, ns
    uint32_t order, ordered; // contacts: the first one in `order`, and how many
    uint32_t groups, runs;   // how many
} kai_cone_task;

/// Rows of a group of some kind, extra ones left out.
static inline uint32_t kai_cone_pack_rows(uint32_t kind)
{
    static const uint32_t rows[KAI_CONE_KINDS] = {KAI_CONE_FRICTIONLESS_ROWS, KAI_CONE_SMOOTH_ROWS,
                                                  KAI_CONE_EQUAL_MASSES_ROWS, KAI_CONE_UNIFORM_ROWS,
                                                  KAI_CONE_GRAIN_ROWS,        KAI_CONE_GENERAL_ROWS,
                                                  KAI_CONE_COUPLED_ROWS};
    return rows[kind];
}

/// Lays out contacts and copies motion. `extra`: with rows for methods of gradients. `lean`:
/// contacts without friction have a normal part only; `coulomb`, with that: contacts that are alike
/// go without rows for what they share. kai_cone_pack_fill and
/// kai_cone_kernel.prepare do the rest.
kai_result kai_cone_pack(kai_cone* cone, const kai_cone_problem* problem, bool extra, bool lean,
                         bool coulomb, int threads, kai_error* err);

/// Numbers of contacts, copied to the groups of a run. `extra` as above.
void kai_cone_pack_fill(const kai_cone* cone, const kai_cone_problem* problem,
                        const kai_cone_run* run, bool extra);

/// Copies bodies.
void kai_cone_pack_copy(kai_cone_motion* to, const kai_cone_motion* from, size_t count,
                        int threads);

/// Copies impulses and couples to where the problem wants them.
void kai_cone_pack_read(const kai_cone* cone, const kai_cone_problem* problem, int threads);

#endif
