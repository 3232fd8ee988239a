// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Judging a motion as it is computed: does the solver converge, do joints hold, is energy balanced,
// do bodies stay out of each other? A run does this after every step (scene key "checks"); programs
// that step a world by themselves call kai_judge_step.
#ifndef KAIROS_JUDGE_H
#define KAIROS_JUDGE_H

#include <kairos/kind.h>
#include <kairos/result.h>
#include <kairos/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What is judged.
typedef enum kai_judge_type {
    KAI_JUDGE_RESIDUAL,  ///< contact solver: error of velocities, m/s
    KAI_JUDGE_EQUATIONS, ///< linear solver: what is left of the right-hand side, as a share
    KAI_JUDGE_VIOLATION, ///< joints: how far they are off, m or rad
    KAI_JUDGE_ENERGY,    ///< energy that came from nowhere or went nowhere, as a share
    KAI_JUDGE_OVERLAP,   ///< contacts: depth, as a share of the size of the smaller shape
    KAI_JUDGE_STABILITY, ///< joints under force: step, as a multiple of the longest stable one
    KAI_JUDGE_TYPES      ///< how many there are
} kai_judge_type;

/// Limits; scene key "checks". Zero: chosen for the scene, see docs/scene/run.md.
typedef struct kai_judge_def {
    bool enabled;     ///< false: nothing is judged
    bool strict;      ///< a breach is an error
    double residual;  ///< m/s
    double equations; ///< share of the right-hand side
    double violation; ///< m or rad
    double energy;    ///< share of the energy that has changed its form
    double overlap;   ///< share of the smaller shape's size
    double stability; ///< multiple of the longest stable step
} kai_judge_def;

/// Description of kai_judge_def: defaults, ranges, scene keys.
KAI_API extern const kai_kind kai_judge_kind;

/// Bytes of kai_judge_breach.where.
#define KAI_JUDGE_WHERE 160

/// One kind of breach in all steps that were judged so far.
typedef struct kai_judge_breach {
    uint64_t count;              ///< steps with a breach; 0: none, and the rest means nothing
    uint64_t first_step;         ///< the world's step after which it was first seen
    double first_time;           ///< s
    double worst;                ///< the largest value
    double limit;                ///< that it was held to
    char where[KAI_JUDGE_WHERE]; ///< joint or bodies of the first breach; may be empty
} kai_judge_breach;

/// What was seen so far. Begin with all zeros; plain data, so that it can be saved and restored.
typedef struct kai_judge {
    kai_judge_breach breach[KAI_JUDGE_TYPES];
    uint64_t steps;  ///< judged
    double unsolved; ///< steps of late with a residual above its limit, each as often as that was
                     ///< exceeded
    double measured, sum, cones; ///< tallies of the linear and the contact solver so far
    double dissipated;           ///< largest so far, J
    double energy_scale;         ///< largest amount that has changed its form, J
    bool energy_known;           ///< energy was looked at; what follows is from the first look
    double drift;                ///< of the balance, J
    double potential, elastic;   ///< J
    double mass;                 ///< of all bodies that are not fixed, kg
    double violation; ///< rows of joints that are off by less are not looked at; 0: unknown
    double width;     ///< least half width of shapes, m; 0: not known yet
    double depth;     ///< largest overlap that was looked at, m
    uint64_t shapes;  ///< version of the shapes that the width is of
    double taut;      ///< largest multiplier when stability was looked at, N or N m
} kai_judge;

/// The word of a type, as in run.json: "residual", "equations", "violation", "energy", "overlap",
/// "stability".
KAI_API const char* kai_judge_word(kai_judge_type type);

/// Judges the step of `h` s that the world has just taken. The first breach of each type is a
/// warning in the world's log, with time, names and advice. KAI_ERROR_DIVERGED at a breach when
/// def->strict, with the same text, and when the energy is not finite. Moves nothing. Energy is
/// looked at in the first step and every 256 steps, stability in steps 2, 4, 8 … and, every 256
/// steps, where forces of joints have grown by half.
KAI_API kai_result kai_judge_step(kai_judge* judge, kai_world* world, const kai_judge_def* def,
                                  double h);

/// Looks at the energy once more, after the last step.
KAI_API kai_result kai_judge_end(kai_judge* judge, kai_world* world, const kai_judge_def* def,
                                 double h);

/// Whether the next call of kai_judge_step looks at the energy of the world.
KAI_API bool kai_judge_wants_energy(const kai_judge* judge);

#ifdef __cplusplus
}
#endif

#endif
