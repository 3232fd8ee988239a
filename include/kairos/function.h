// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Functions of one variable with exact first and second derivatives: "any number that may vary in
// time takes a function", and so do curves over other variables later.
#ifndef KAIROS_FUNCTION_H
#define KAIROS_FUNCTION_H

#include <kairos/kind.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A world: bodies, shapes, loads and all that moves them. See world.h.
typedef struct kai_world kai_world;

/// A value with its first and second derivative.
typedef struct kai_jet {
    double y, dy, ddy;
} kai_jet;

/// The functions of one world; kinds get it to evaluate the functions that they are made of.
typedef struct kai_function_set kai_function_set;

/// A kind of function.
typedef struct kai_function_kind {
    kai_kind kind;
    /// Value and derivatives at x.
    kai_jet (*evaluate)(const kai_function_set* set, const void* instance, double x);
    /// Optional: data made once, when the function is created. NULL: nothing to prepare.
    kai_result (*prepare)(const kai_function_set* set, void* instance, kai_error* err);
} kai_function_kind;

// Instances of the built-in kinds; each has its table kai_function_<kind> ------------------------

/// amplitude · sin(2π frequency x + phase) + offset
typedef struct kai_function_sine_params {
    double amplitude, frequency, phase, offset;
} kai_function_sine_params;

/// slope · (x - start) from start on, zero before.
typedef struct kai_function_ramp_params {
    double slope, start;
} kai_function_ramp_params;

/// From one value to another over a duration, twice continuously differentiable (quintic).
typedef struct kai_function_step_params {
    double from, to, at, duration;
} kai_function_step_params;

/// How a table is interpolated.
typedef enum kai_interpolation {
    KAI_INTERPOLATION_LINEAR, ///< straight lines between the points
    KAI_INTERPOLATION_CUBIC   ///< natural cubic spline, twice continuously differentiable
} kai_interpolation;

/// Through given points; constant outside.
typedef struct kai_function_table_params {
    kai_table points;      ///< rows [x, y], x increasing
    int32_t interpolation; ///< a kai_interpolation
} kai_function_table_params;

/// c0 + c1 x + c2 x² + …
typedef struct kai_function_polynomial_params {
    kai_table coefficients; ///< one column
} kai_function_polynomial_params;

/// One piece of a sequence.
typedef struct kai_function_piece {
    kai_value value; ///< function of the time since the piece began
    double duration; ///< s
} kai_function_piece;

/// One piece after the other, each with its own clock; the last one continues.
typedef struct kai_function_sequence_params {
    kai_list pieces; ///< of kai_function_piece
} kai_function_sequence_params;

/// A function repeated with a period.
typedef struct kai_function_repeat_params {
    kai_value function;
    double period, start;
} kai_function_repeat_params;

/// One operand of a sum or product.
typedef struct kai_function_operand {
    kai_value value;
} kai_function_operand;

/// Sum, or product, of several values.
typedef struct kai_function_operands_params {
    kai_list operands; ///< of kai_function_operand
} kai_function_operands_params;

/// A value that is set while a run goes: by kai_function_steer, or by keys and game pads of those
/// who view a live run.
typedef struct kai_function_control_params {
    kai_string key, key_low;   ///< keys that lead to high and low; may be empty
    int64_t axis, button;      ///< of a game pad; -1: none
    double initial, low, high; ///< at rest, and the range
    double rate;               ///< maximum change per second; 0: at once
} kai_function_control_params;

/// The value of a signal (signal.h), as it was last found, whatever x is.
typedef struct kai_function_signal_params {
    kai_string signal; ///< its name; it may be created later
} kai_function_signal_params;

/// Tables of the built-in kinds.
KAI_API extern const kai_function_kind kai_function_sine;
KAI_API extern const kai_function_kind kai_function_ramp;  ///< see kai_function_ramp_params
KAI_API extern const kai_function_kind kai_function_step;  ///< see kai_function_step_params
KAI_API extern const kai_function_kind kai_function_table; ///< see kai_function_table_params
KAI_API extern const kai_function_kind
    kai_function_polynomial; ///< see kai_function_polynomial_params
KAI_API extern const kai_function_kind kai_function_sequence; ///< see kai_function_sequence_params
KAI_API extern const kai_function_kind kai_function_repeat;   ///< see kai_function_repeat_params
KAI_API extern const kai_function_kind kai_function_sum;      ///< see kai_function_operands_params
KAI_API extern const kai_function_kind kai_function_product;  ///< see kai_function_operands_params
KAI_API extern const kai_function_kind kai_function_signal;   ///< see kai_function_signal_params
KAI_API extern const kai_function_kind kai_function_control;  ///< see kai_function_control_params

// Calls ------------------------------------------------------------------------------------------

/// Adds a kind of the user's own to this world. The table must outlive the world.
/// KAI_ERROR_NAME when the name is taken, KAI_ERROR_ARGUMENT when the table is not whole.
KAI_API kai_result kai_function_register(kai_world* world, const kai_function_kind* kind);

/// Creates a function; `params` is an instance of the kind and is copied, tables and lists with it.
KAI_API kai_result kai_function_create(kai_world* world, const kai_function_kind* kind,
                                       const void* params, kai_function* out);

/// Value and derivatives of a function at x. KAI_ERROR_ID for a null, stale or foreign id.
KAI_API kai_result kai_function_at(const kai_world* world, kai_function function, double x,
                                   kai_jet* out);

/// Sends a `control` to a value between its low and its high, from the present time on.
/// KAI_ERROR_ARGUMENT for a function of another kind, or a goal that is not finite.
KAI_API kai_result kai_function_steer(kai_world* world, kai_function function, double goal);

/// Value and derivatives, from inside a kind's evaluate: of a number or function at x.
KAI_API kai_jet kai_function_set_value(const kai_function_set* set, const kai_value* value,
                                       double x);

#ifdef __cplusplus
}
#endif

#endif
