// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Signals: numbers that are found from the world and from each other while it moves. A measured
// angle, the error of a controller, a filter, a state machine. Motors, loads and joints read them
// through functions of time of kind `signal`; outputs write them, events watch them.
//
// Signals are found in the order in which they read each other, each time an integrator asks for
// forces. What a signal keeps from step to step is either *states*, numbers y with rates y' that
// are integrated together with the mechanics, or *memory*, which changes between steps only.
// Signals that need no input to know their value (filters, integrators, delays, samples) may stand
// in loops; a loop of others has no solution that could be found one by one, and is refused.
#ifndef KAIROS_SIGNAL_H
#define KAIROS_SIGNAL_H

#include <kairos/function.h>

#ifdef __cplusplus
extern "C" {
#endif

// Kinds of signals -------------------------------------------------------------------------------

/// What a kind works with: one moment of the world.
typedef struct kai_signal_moment {
    const kai_world* world;
    double time;           ///< s
    double step;           ///< in update(): length of the step that has ended, s; else 0
    const kai_jet* inputs; ///< [input_count] values of the SIGNAL and EXPRESSION
                           ///< parameters in their order, those of items of lists too;
                           ///< derivatives that nobody knows are NaN
    size_t input_count;    ///< how many there are
    const kai_function_set* functions; ///< for kai_function_set_value
} kai_signal_moment;

/// A kind of signals. All calls run on the thread that takes the step, one signal after the other.
typedef struct kai_signal_kind {
    kai_kind kind;
    size_t states;      ///< offset of double[state_count] in the instance: y
    size_t state_count; ///< how many states an instance has; 0: none
    bool delayed;       ///< value() looks at states, memory and time only, not at inputs
    /// The value at a moment, with its derivatives in time where they are known, NaN where not. A
    /// kind that is `delayed` is asked without inputs; where somebody needs derivatives (prescribed
    /// motion), it is asked again with them.
    kai_jet (*value)(const kai_signal_moment* m, const void* instance);
    /// The rates y' at a moment. NULL where there are no states.
    void (*rates)(const kai_signal_moment* m, const void* instance, double* rates);
    /// Optional, once, before the first step: gives states and memory their first values. It may be
    /// called again, as long as inputs change by what other signals start with.
    void (*start)(const kai_signal_moment* m, void* instance);
    /// Optional, after each step, of all signals with the same inputs: changes memory and states.
    kai_result (*update)(const kai_signal_moment* m, void* instance, kai_error* err);
    /// Optional, before start() and before update(): reads what cannot be read inside a step.
    kai_result (*sense)(kai_world* world, void* instance, kai_error* err);
    /// Optional: whether sense() shows forces, accelerations or reactions, so that
    /// kai_world_evaluate must come before it.
    bool (*evaluates)(const void* instance);
    /// Optional: whether value() depends on velocities. Integrators then find forces twice.
    bool (*needs_velocity)(const void* instance);
    /// Optional: kai_signal_set and events may give the signal a value.
    void (*set)(void* instance, double value);
    /// Optional, when the instance is created or read from a file: checks what it refers to, and in
    /// files that its memory is sound.
    kai_result (*prepare)(const kai_world* world, void* instance, kai_error* err);
    /// Optional, before a step, once all signals are there: checks those that it reads.
    kai_result (*link)(const kai_world* world, const void* instance, kai_error* err);
} kai_signal_kind;

// Instances of the built-in kinds; each has its table kai_block_<kind> --------------------------

/// A function of time.
typedef struct kai_block_value_params {
    kai_value value;
} kai_block_value_params;

/// A quantity of something, as an output would write it: see output.h.
typedef struct kai_block_measure_params {
    int64_t target;          ///< a kai_output_target
    kai_body body;           ///< the ids, places and rays as in kai_output_def
    kai_joint joint;         ///< …
    kai_load load;           ///< …
    kai_shaft shaft;         ///< …
    kai_node node;           ///< …
    kai_element element;     ///< …
    kai_structure structure; ///< …
    kai_string set;          ///< …
    kai_vec3 at;             ///< …
    int64_t layer;           ///< …
    kai_vec3 ray_from;       ///< …
    kai_vec3 ray_direction;  ///< …
    double ray_length;       ///< …
    kai_string sensor;       ///< name of a sensor, whose last sample is read
    kai_string quantity;     ///< its word, such as "position"
    kai_string component;    ///< label of one of its numbers, such as "x"; "" where it has one
} kai_block_measure_params;

/// One of several inputs.
typedef struct kai_block_input {
    kai_string signal;
    double gain;
} kai_block_input;

/// Σ gain · input
typedef struct kai_block_sum_params {
    kai_list inputs; ///< of kai_block_input
} kai_block_sum_params;

/// Π input, the product of gains as well
typedef struct kai_block_product_params {
    kai_list inputs; ///< of kai_block_input
} kai_block_product_params;

/// gain · input + offset
typedef struct kai_block_gain_params {
    kai_string input;
    double gain, offset;
} kai_block_gain_params;

/// A formula.
typedef struct kai_block_expression_params {
    kai_string value;
} kai_block_expression_params;

/// A low pass: order 1: T y' = u - y; order 2: T² y'' + 2 ζ T y' = u - y.
typedef struct kai_block_filter_params {
    kai_string input;
    double time;    ///< T, s
    int64_t order;  ///< 1 or 2
    double damping; ///< ζ
    double initial; ///< y at the start; NaN: the input's value
} kai_block_filter_params;

/// y' = gain · input, within limits.
typedef struct kai_block_integrator_params {
    kai_string input;
    double gain, initial, low, high;
    kai_string reset; ///< a signal: y is `initial` again when it rises above 0; "": never
} kai_block_integrator_params;

/// The input within limits.
typedef struct kai_block_limiter_params {
    kai_string input;
    double low, high;
} kai_block_limiter_params;

/// Follows the input as fast as limits allow.
typedef struct kai_block_rate_limiter_params {
    kai_string input;
    double rise, fall; ///< largest rates up and down, 1/s
} kai_block_rate_limiter_params;

/// The input of some time ago.
typedef struct kai_block_delay_params {
    kai_string input;
    double time; ///< s
} kai_block_delay_params;

/// A curve over the input: straight lines between points, constant outside.
typedef struct kai_block_table_params {
    kai_string input;
    kai_table points; ///< rows [x, y], x increasing
} kai_block_table_params;

/// The input at equal times, held in between.
typedef struct kai_block_sample_params {
    kai_string input;
    double every; ///< s
} kai_block_sample_params;

/// A controller: p e + i ∫ e dt + d e', within limits.
typedef struct kai_block_pid_params {
    kai_string input; ///< e
    double p, i, d;
    double filter; ///< time constant of e', s
    double low, high;
} kai_block_pid_params;

/// One state of a machine.
typedef struct kai_block_machine_state {
    kai_string name;
    kai_value value; ///< of the signal, a function of the time in the state
} kai_block_machine_state;

/// A way from one state to another.
typedef struct kai_block_machine_transition {
    kai_string from, to;
    kai_string when; ///< a formula, true when it is above 0; "": always
    double after;    ///< least time in the state, s
} kai_block_machine_transition;

/// States and transitions between them.
typedef struct kai_block_state_machine_params {
    kai_list states;      ///< of kai_block_machine_state
    kai_list transitions; ///< of kai_block_machine_transition
    kai_string initial;   ///< "": the first one
} kai_block_state_machine_params;

/// A value for each state of a machine: functions of the time in the state.
typedef struct kai_block_select_params {
    kai_string machine;
    kai_list values; ///< of kai_function_operand, in the order of its states
} kai_block_select_params;

/// A differential equation of the user's own: y' = rate.
typedef struct kai_block_ode_params {
    kai_string rate; ///< a formula
    double initial;
} kai_block_ode_params;

/// Tables of the built-in kinds.
KAI_API extern const kai_signal_kind kai_block_value;
KAI_API extern const kai_signal_kind kai_block_measure;      ///< see kai_block_measure_params
KAI_API extern const kai_signal_kind kai_block_sum;          ///< see kai_block_sum_params
KAI_API extern const kai_signal_kind kai_block_product;      ///< see kai_block_product_params
KAI_API extern const kai_signal_kind kai_block_gain;         ///< see kai_block_gain_params
KAI_API extern const kai_signal_kind kai_block_expression;   ///< see kai_block_expression_params
KAI_API extern const kai_signal_kind kai_block_filter;       ///< see kai_block_filter_params
KAI_API extern const kai_signal_kind kai_block_integrator;   ///< see kai_block_integrator_params
KAI_API extern const kai_signal_kind kai_block_limiter;      ///< see kai_block_limiter_params
KAI_API extern const kai_signal_kind kai_block_rate_limiter; ///< see kai_block_rate_limiter_params
KAI_API extern const kai_signal_kind kai_block_delay;        ///< see kai_block_delay_params
KAI_API extern const kai_signal_kind kai_block_table;        ///< see kai_block_table_params
KAI_API extern const kai_signal_kind kai_block_sample;       ///< see kai_block_sample_params
KAI_API extern const kai_signal_kind kai_block_pid;          ///< see kai_block_pid_params
KAI_API extern const kai_signal_kind
    kai_block_state_machine;                           ///< see kai_block_state_machine_params
KAI_API extern const kai_signal_kind kai_block_select; ///< see kai_block_select_params
KAI_API extern const kai_signal_kind kai_block_ode;    ///< see kai_block_ode_params

// Calls ------------------------------------------------------------------------------------------

/// Adds a kind of the user's own to this world. The table must outlive the world.
KAI_API kai_result kai_signal_register(kai_world* world, const kai_signal_kind* kind);

/// Creates a signal; `params` is an instance of the kind, copied. Other signals refer to it by its
/// name, before or after it is created; what is wrong between them is told by the next step.
KAI_API kai_result kai_signal_create(kai_world* world, const kai_signal_kind* kind,
                                     const void* params, const char* name, kai_signal* out);

/// Removes a signal. Those that read it keep the next step from being taken.
KAI_API kai_result kai_signal_destroy(kai_world* world, kai_signal signal);

/// The signal of a name, null when there is none; its name, "" without one; how many there are; the
/// i-th of them in the order of creation.
KAI_API kai_signal kai_signal_find(const kai_world* world, const char* name);
KAI_API const char* kai_signal_name(const kai_world* world, kai_signal signal); ///< never NULL
KAI_API size_t kai_signal_count(const kai_world* world);                        ///< in all
KAI_API kai_signal kai_signal_at(const kai_world* world, size_t i); ///< null beyond the last

/// Kind and instance of a signal. Either may be NULL. The instance stays valid until the next call
/// that changes the world's signals.
KAI_API kai_result kai_signal_get(const kai_world* world, kai_signal signal,
                                  const kai_signal_kind** kind, const void** instance);

/// The value at the world's present state, with its derivatives where they are known. What signals
/// hold from the last step, such as measured forces, is as it was then.
KAI_API kai_result kai_signal_value(kai_world* world, kai_signal signal, kai_jet* out);

/// Gives a signal a value: a `value` has it from now on, integrators, filters, samples and
/// equations go on from there, a state machine goes to the state of that number, counted from 0.
/// KAI_ERROR_UNSUPPORTED for other kinds.
KAI_API kai_result kai_signal_set(kai_world* world, kai_signal signal, double value);

/// Checks signals as a whole, and those who read them: names that nobody has, loops, formulas. The
/// next step would say the same.
KAI_API kai_result kai_signal_check(kai_world* world);

#ifdef __cplusplus
}
#endif

#endif
