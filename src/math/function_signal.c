// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The value of a signal. Signals are found before anything asks for functions (control/); here their
// values are only looked up, and extrapolated where rows of joints are wanted for another time than
// that of the state (kai_function_set.signals_ahead). Derivatives that nobody knows are NaN, and so is all of a signal that
// has not been found yet.
#include "math/function_signal.h"

#include "math/function_set.h"

typedef kai_function_signal_instance params;
typedef kai_function_signal_params given;

static kai_jet evaluate(const kai_function_set* set, const void* instance, double x)
{
    (void)x;
    const params* p = instance;
    if (p->place < 0 || (size_t)p->place >= set->signals.count)
        return (kai_jet){(double)NAN, (double)NAN, (double)NAN};
    const kai_jet now = ((const kai_jet*)set->signals.data)[p->place];
    const double s = set->signals_ahead;
    if (s == 0.0 || isnan(now.dy)) return now;
    if (isnan(now.ddy)) return (kai_jet){now.y + s * now.dy, now.dy, now.ddy};
    return (kai_jet){now.y + s * (now.dy + 0.5 * s * now.ddy), now.dy + s * now.ddy, now.ddy};
}

static kai_result prepare(const kai_function_set* set, void* instance, kai_error* err)
{
    (void)set, (void)err;
    ((params*)instance)->place = -1;
    return KAI_OK;
}

static const kai_param PARAMS[] = {
    KAI_PARAM(SIGNAL, given, signal, .main = true, .required = true, .doc = "Name of the signal."),
    KAI_PARAM(INT, params, place, .hidden = true, .initial = {-1.0}),
};

const kai_function_kind kai_function_signal = {
    .kind =
        KAI_KIND("signal", params, PARAMS, .given = sizeof(given), .doc = "The value of a signal."),
    .evaluate = evaluate,
    .prepare = prepare};
