// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A value that is set from outside: it goes from where it was to its goal at a limited rate r,
//
//     y(x) = from + sign(goal - from) min(r (x - since), |goal - from|)
//
// and at once when r = 0. Without anybody who steers it stays at its initial value.
#include "math/function_control.h"

#include "base/error.h"

typedef kai_function_control_instance params;
typedef kai_function_control_params given;

static kai_jet evaluate(const kai_function_set* set, const void* instance, double x)
{
    (void)set;
    const params* p = instance;
    const double way = p->goal - p->from, gone = p->given.rate * (x - p->since);
    if (p->given.rate == 0.0 || gone >= fabs(way)) return (kai_jet){p->goal, 0.0, 0.0};
    if (gone <= 0.0) return (kai_jet){p->from, 0.0, 0.0};
    return (kai_jet){p->from + copysign(gone, way), copysign(p->given.rate, way), 0.0};
}

static double inside(const params* p, double x)
{
    return x >= p->given.low && x <= p->given.high ? x
                                                   : p->given.initial; // NaN from a broken file too
}

// Also called for one that a checkpoint has kept, which stays where it was.
static kai_result prepare(const kai_function_set* set, void* instance, kai_error* err)
{
    (void)set, (void)err;
    params* p = instance;
    p->from = p->steered ? inside(p, p->from) : p->given.initial;
    p->goal = p->steered ? inside(p, p->goal) : p->given.initial;
    if (!p->steered || !isfinite(p->since)) p->since = 0.0;
    return KAI_OK;
}

static kai_result check(const void* instance, kai_error* err)
{
    const given* p = instance;
    if (p->low <= p->initial && p->initial <= p->high) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "initial is %g; must be from low (%g) to high (%g)", p->initial, p->low,
                         p->high);
}

static const kai_param PARAMS[] = {
    KAI_PARAM(STRING, given, key,
              .doc = "Key that leads to `high` while it is down, such as \"ArrowUp\" or \"w\"."),
    KAI_PARAM(STRING, given, key_low, .doc = "Key that leads to `low` while it is down."),
    KAI_PARAM(INT, given, axis, .initial = {-1.0}, .range = KAI_BETWEEN(-1.0, 15.0),
              .doc = "Axis of a game pad: -1 leads to `low`, 1 to `high`; -1 here: none."),
    KAI_PARAM(INT, given, button, .initial = {-1.0}, .range = KAI_BETWEEN(-1.0, 31.0),
              .doc = "Button of a game pad that leads to `high`; -1: none."),
    KAI_PARAM(REAL, given, initial,
              .doc = "Value while nothing is pressed, and in a run that is not live."),
    KAI_PARAM(REAL, given, low, .initial = {-1.0}, .doc = "Smallest value."),
    KAI_PARAM(REAL, given, high, .initial = {1.0}, .doc = "Largest value."),
    KAI_PARAM(REAL, given, rate, .unit = "1/s", .range = KAI_AT_LEAST(0.0),
              .doc = "Maximum change per second; 0: at once."),
    KAI_PARAM(BOOL, params, steered, .hidden = true),
    KAI_PARAM(REAL, params, from, .hidden = true),
    KAI_PARAM(REAL, params, goal, .hidden = true),
    KAI_PARAM(REAL, params, since, .hidden = true),
};

const kai_function_kind kai_function_control = {
    .kind = KAI_KIND("control", params, PARAMS, .given = sizeof(given), .check = check,
                     .doc = "A value that a viewer of a live run sets with keys or a game pad."),
    .evaluate = evaluate,
    .prepare = prepare};
