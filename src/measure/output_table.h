// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The tables of quantities, one per target. A new quantity is a getter and a line.
#ifndef MEASURE_OUTPUT_TABLE_H
#define MEASURE_OUTPUT_TABLE_H

#include "base/error.h"
#include "measure/output.h"

/// Most numbers that a getter finds.
#define KAI_OUTPUT_NUMBERS 18

/// How numbers of a subject are found; one getter may serve several quantities. NULL: a result of an
/// element, found by the name of the quantity.
#define KAI_OUTPUT_GETTER(name)                                                              \
    static kai_result name(__attribute__((unused)) kai_world* world,                         \
                           __attribute__((unused)) const kai_output_subject* s, double* out, \
                           __attribute__((unused)) kai_error* err)

/// When a quantity can be read.
typedef enum kai_output_moment {
    KAI_OUTPUT_STEPS,      // between steps
    KAI_OUTPUT_POSITIONS,  // at any moment of a step, from positions alone
    KAI_OUTPUT_VELOCITIES, // likewise, from velocities too
} kai_output_moment;

/// A quantity and how its numbers are found.
typedef struct kai_output_table_item {
    kai_quantity shown;
    kai_result (*get)(kai_world* world, const kai_output_subject* s, double out[KAI_OUTPUT_NUMBERS],
                      kai_error* err);
    int first;      // of what get() finds
    bool evaluated; // needs accelerations, forces or reactions at the state that is shown
    kai_output_moment moment;
    unsigned offered; // JOINT: HAS_… of the kind; FORCE: kai_load_output_bit; 0: always
} kai_output_table_item;

/// Items with numbers that have labels, with x, y and z, and with one number; then `.get = …` and what
/// else they have.
#define KAI_OUTPUT_ITEM(name, unit, doc, labels, ...)                      \
    {                                                                      \
        .shown = {name, unit, doc, KAI_COUNT(labels), labels}, __VA_ARGS__ \
    }
#define KAI_OUTPUT_VEC3(name, unit, doc, ...) \
    KAI_OUTPUT_ITEM(name, unit, doc, kai_output_xyz, __VA_ARGS__)
#define KAI_OUTPUT_REAL(name, unit, doc, ...)            \
    {                                                    \
        .shown = {name, unit, doc, 1, NULL}, __VA_ARGS__ \
    }
extern const char* const kai_output_xyz[3];

/// The quantities of a target.
typedef struct kai_output_table {
    const kai_output_table_item* list;
    int count;
} kai_output_table;

extern const kai_output_table kai_output_node_table;
extern const kai_output_table kai_output_element_table;   ///< of ELEMENT and ELEMENTS
extern const kai_output_table kai_output_structure_table; ///< likewise
extern const kai_output_table kai_output_contact_table;
extern const kai_output_table kai_output_queries_ray;     ///< see output_queries.h
extern const kai_output_table kai_output_queries_nearest; ///< likewise
extern const kai_output_table kai_output_queries_overlap; ///< likewise

/// When quantity i of a target can be read.
kai_output_moment kai_output_when(kai_output_target target, int i);

static inline void kai_output_put(double* out, kai_vec3 v)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

/// The result of a call on the world, whose message goes to `err`.
static inline kai_result kai_output_told(const kai_world* world, kai_result r, kai_error* err)
{
    if (r != KAI_OK && err != NULL) *err = *kai_world_error(world);
    return r;
}

/// Asks the query of an output that has one, so that the values of its quantities are known.
kai_result kai_output_queries_ask(kai_world* world, const kai_output_def* def,
                                  kai_output_subject* subject, kai_error* err);

/// Checks the query of a definition.
kai_result kai_output_queries_check(const kai_world* world, const kai_output_def* def,
                                    kai_error* err);

/// A getter of two vectors a and b, such as a force and a torque, that a call on the world finds.
#define KAI_OUTPUT_TWO_VECTORS(name, call)          \
    KAI_OUTPUT_GETTER(name)                         \
    {                                               \
        kai_vec3 a, b;                              \
        KAI_TRY(kai_output_told(world, call, err)); \
        kai_output_put(out, a);                     \
        kai_output_put(out + 3, b);                 \
        return KAI_OK;                              \
    }

#endif
