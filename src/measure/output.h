// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What outputs can write, and its value now. See kairos/output.h.
#ifndef MEASURE_OUTPUT_H
#define MEASURE_OUTPUT_H

#include <kairos/contact.h>
#include <kairos/output.h>

/// Most numbers of one quantity.
#define KAI_OUTPUT_COMPONENTS 6

/// What values are asked about; the system needs neither.
typedef struct kai_output_subject {
    kai_body body;              // a body, or a particle's
    kai_joint joint;            // a joint or motor
    kai_load load;              // a load or motor
    kai_shaft shaft;            // a shaft
    kai_signal signal;          // a signal
    kai_node node;              // a node of finite elements
    kai_element element;        // an element
    size_t number;              // of it in its structure
    double at[3];               // where in it
    int64_t layer;              // of it, -1: none
    kai_structure structure;    // a structure
    kai_sensor sensor;          // a sensor
    const char* set;            // of it; "": all
    int64_t turns;              // whole turns that the joint's angle has made
    kai_collision_hit hit;      // of a query; see output_queries.h
    size_t count, shapes;       // bodies and shapes that an overlap found
    kai_body last;              // of them
    double nothing;             // distance where nothing was found, m
    kai_contact_report contact; // one of all
} kai_output_subject;

/// Whether a target has many things of a sort: one file a sample, and no quantities means the usual
/// ones.
static inline bool kai_output_is_snapshot(kai_output_target target)
{
    return target == KAI_OUTPUT_PARTICLES || target == KAI_OUTPUT_CONTACTS ||
           target == KAI_OUTPUT_ELEMENTS;
}

/// Values of a quantity of a subject.
kai_result kai_output_value(kai_world* world, kai_output_target target, int quantity,
                            const kai_output_subject* subject, double out[KAI_OUTPUT_COMPONENTS],
                            kai_error* err);

/// True when the quantity is as of the last kai_world_evaluate.
bool kai_output_needs_evaluation(kai_output_target target, int quantity);

/// True when the quantity of that output counts the turns of `def->joint`.
bool kai_output_counts_turns(const kai_world* world, const kai_output_def* def, int quantity);

/// Whether a motor, or another load, turns; else it pushes.
bool kai_output_is_turning(const kai_world* world, kai_joint joint, kai_load load);

/// Room for a unit.
#define KAI_OUTPUT_UNIT 32

/// The unit of number `component` of a quantity: where its description names two, as of a motor that
/// turns or pushes ("N m, N"), the one that holds for the thing that the output looks at.
void kai_output_unit(const kai_world* world, const kai_output_def* def, int quantity, int component,
                     char out[KAI_OUTPUT_UNIT]);

/// Whether a kind (the other one is NULL) drives a coordinate.
bool kai_output_is_motor(const kai_joint_kind* joint, const kai_load_kind* load);

/// Checks a definition: target there, quantities known, file name plain, no negative or non-finite
/// interval.
kai_result kai_output_check(const kai_world* world, const kai_output_def* def, kai_error* err);

/// Checks the name of a file of images: it ends in .h5 and is none of the run's own.
kai_result kai_output_check_image_file(const char* file, kai_error* err);
/// The same but for the file.
kai_result kai_output_check_subject(const kai_world* world, const kai_output_def* def,
                                    kai_error* err);

/// "nan", "inf" or "-inf": how messages call a number that is not finite.
const char* kai_output_odd_word(double value);

/// How many rows the active joints have.
uint64_t kai_output_joints_rows(const kai_world* world);

/// The largest violation of an active joint; 0 without joints.
kai_result kai_output_joints_violation(kai_world* world, double* violation);

#endif
