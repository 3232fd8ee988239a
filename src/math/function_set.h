// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The functions of one world.
#ifndef MATH_FUNCTION_SET_H
#define MATH_FUNCTION_SET_H

#include "base/store.h"

#include <kairos/function.h>

/// How deep functions may be made of functions.
#define KAI_FUNCTION_SET_DEPTH 32

struct kai_function_set {
    kai_store store;
    kai_array signals;    // kai_jet: values of signals, by index of their ids - 1; see control/
    double signals_time;  // for which they were found, s
    double signals_ahead; // functions show them so many seconds later, as far as rates are known
    kai_array depth;      // [entries] uint8_t: 1 for a plain function, 1 + the deepest of its parts
};

/// An empty set with the built-in kinds.
kai_result kai_function_set_init(kai_function_set* set, kai_memory* memory, uint16_t world,
                                 kai_error* err);

/// Creates a function: checks the parameters and the functions it is made of, prepares and copies
/// it.
kai_result kai_function_set_add(kai_function_set* set, const kai_function_kind* kind,
                                const void* params, kai_function* out, kai_error* err);

/// Value and derivatives of a function that is known to be valid.
kai_jet kai_function_set_at(const kai_function_set* set, kai_function function, double x);

/// Checks every VALUE, VALUE3, FUNCTION and list item of an instance: its function must be null or
/// valid.
kai_result kai_function_set_check(const kai_function_set* set, const kai_kind* kind,
                                  const void* instance, kai_error* err);

/// Gives all memory back.
void kai_function_set_free(kai_function_set* set);

#endif
