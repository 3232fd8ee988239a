// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Impeller (input), turbine (output), stator. With speeds against the housing, R = ω_out / ω_in and
// K, μ the curves of capacity and torque ratio:
//
//                                 against the side that drives      on the other side
//     drive,   |ω_out| ≤ |ω_in|:  input:  T = (ω_in / K(R))²        output: μ(R) T
//     overrun, |ω_out| > |ω_in|:  output: T = (ω_out / K(1/R))²     input:  T
//
// In overrun the turbine pumps and the stator runs free: the same capacity at the inverse ratio,
// and no gain. What the two torques leave over goes to the housing. Ratios are held inside of the
// curves at their lower ends, so that a side that turns backwards counts as at rest. Between the
// last point below 1 and R = 1 the capacity 1/K² falls in a straight line to nothing: without that,
// torque would jump where drive and overrun meet. Power that is lost: T (ω_in - μ ω_out), never
// negative, because μ R ≤ 1 is asked of the curve.
#include "model/joints/driveline.h"

/// An instance.
typedef struct params {
    kai_load_torque_converter_params given;
    kai_vec3 direction; // the axis in the principal frame of the housing
} params;

enum { INPUT, OUTPUT, HOUSING, ENDS };

/// The value of a table at a ratio, constant beyond its ends.
static double table_at(const kai_table* t, double ratio)
{
    const kai_curve curve = {0.0, *t};
    if (t->rows < 2) return t->data[1];
    const double x = fmin(fmax(ratio, t->data[0]), t->data[2 * (t->rows - 1)]);
    return kai_curve_at(&curve, x, NULL);
}

/// Torque over the square of the faster side's speed.
static double capacity_at(const params* p, double ratio)
{
    const kai_table* t = &p->given.capacity;
    double last = t->data[0];
    for (uint32_t i = 0; i < t->rows && t->data[2 * i] < 1.0; i++) last = t->data[2 * i];
    const double k = table_at(t, fmin(ratio, last));
    const double fall = ratio > last ? (1.0 - ratio) / (1.0 - last) : 1.0;
    return fall / (k * k);
}

/// Speeds against the housing, and torques on input and output.
typedef struct converter_look {
    double in, out;
    double torque_in, torque_out;
} converter_look;

static converter_look torque_converter_look(const kai_load_batch* b, size_t i)
{
    const params* p = KAI_LOAD_AT(b, params, i);
    const double base = kai_driveline_spin(b, ENDS * i + HOUSING, p->direction);
    converter_look c = {.in = kai_driveline_speed(b, ENDS * i + INPUT) - base,
                        .out = kai_driveline_speed(b, ENDS * i + OUTPUT) - base};
    if (c.in == 0.0 && c.out == 0.0) return c;
    if (fabs(c.out) <= fabs(c.in)) {
        const double ratio = c.out / c.in;
        const double t = capacity_at(p, ratio) * c.in * fabs(c.in);
        c.torque_in = -t;
        c.torque_out = table_at(&p->given.torque_ratio, ratio) * t;
    } else {
        const double t = capacity_at(p, c.in / c.out) * c.out * fabs(c.out);
        c.torque_out = -t;
        c.torque_in = t;
    }
    return c;
}

static void torque_converter_apply(const kai_load_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const converter_look c = torque_converter_look(b, i);
        kai_wrench* out = &b->out[ENDS * i];
        out[INPUT].force.x = c.torque_in;
        out[OUTPUT].force.x = c.torque_out;
        out[HOUSING].torque =
            kai_vec3_scale(KAI_LOAD_AT(b, params, i)->direction, -(c.torque_in + c.torque_out));
    }
}

static double torque_converter_dissipation(const kai_load_batch* b, size_t i)
{
    const converter_look c = torque_converter_look(b, i);
    return -(c.torque_in * c.in + c.torque_out * c.out);
}

static void torque_converter_output(const kai_load_batch* b, size_t i, kai_load_state* state)
{
    const converter_look c = torque_converter_look(b, i);
    state->torque = c.torque_out;
    state->rate = c.out - c.in;
    state->power = c.torque_in * c.in + c.torque_out * c.out;
}

static kai_result check_rows(const char* key, const kai_table* t, kai_error* err)
{
    for (uint32_t i = 1; i < t->rows; i++)
        if (!(t->data[2 * i] > t->data[2 * (i - 1)]))
            return kai_error_set(
                err, KAI_ERROR_ARGUMENT,
                "torque-converter: %s has the speed ratio %.15g after %.15g; must increase", key,
                t->data[2 * i], t->data[2 * (i - 1)]);
    if (t->data[0] <= 0.0) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "torque-converter: %s begins at the speed ratio %.15g; must be <= 0", key,
                         t->data[0]);
}

/// μ R ≤ 1 in [0, 1]: on a straight piece μ = a + s R the largest value of μ R is at its ends, or
/// where its slope a + 2 s R is zero.
static kai_result check_gain(const kai_table* t, kai_error* err)
{
    double worst = 0.0, most = table_at(t, 1.0);
    if (most > 1.0) worst = 1.0;
    for (uint32_t i = 0; i + 1 < t->rows; i++) {
        const double *p = t->data + 2 * i, *q = p + 2;
        const double slope = (q[1] - p[1]) / (q[0] - p[0]), a = p[1] - slope * p[0];
        const double top = slope != 0.0 ? -a / (2.0 * slope) : p[0];
        const double tries[3] = {p[0], q[0], fmin(fmax(top, p[0]), q[0])};
        for (int k = 0; k < 3; k++) {
            const double x = fmin(fmax(tries[k], 0.0), 1.0), gain = x * table_at(t, x);
            if (gain <= most) continue;
            most = gain;
            worst = x;
        }
    }
    if (most <= 1.0 + 1e-12) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "torque-converter: torque_ratio is %.6g at the speed ratio %.6g, which is "
                         "an efficiency of %.6g; must be at most 1",
                         table_at(t, worst), worst, most);
}

static kai_result torque_converter_check(const void* instance, kai_error* err)
{
    const kai_load_torque_converter_params* p = instance;
    if (!KAI_IS_NULL(p->shafts[0]) && KAI_ID_EQUALS(p->shafts[0], p->shafts[1]))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "torque-converter: input and output are the same; must be two");
    KAI_TRY(kai_driveline_check_axis("torque-converter", "axis", p->axis, err));
    KAI_TRY(check_rows("capacity", &p->capacity, err));
    KAI_TRY(check_rows("torque_ratio", &p->torque_ratio, err));
    for (uint32_t i = 0; i < p->capacity.rows; i++)
        if (!(p->capacity.data[2 * i + 1] > 0.0))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "torque-converter: capacity is %.15g at the speed ratio %.15g; "
                                 "must be > 0",
                                 p->capacity.data[2 * i + 1], p->capacity.data[2 * i]);
    for (uint32_t i = 0; i < p->torque_ratio.rows; i++)
        if (!(p->torque_ratio.data[2 * i + 1] >= 0.0))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "torque-converter: torque_ratio is %.15g at the speed ratio "
                                 "%.15g; must be >= 0",
                                 p->torque_ratio.data[2 * i + 1], p->torque_ratio.data[2 * i]);
    return check_gain(&p->torque_ratio, err);
}

static kai_result torque_converter_prepare(const kai_world* world, void* instance, kai_error* err)
{
    (void)err;
    params* p = instance;
    p->direction = kai_joint_direction(world, p->given.housing, p->given.axis);
    return KAI_OK;
}

static const kai_param PARAMS[] = {
    KAI_PARAM_AS("input", SHAFT, kai_load_torque_converter_params, shafts[0], .required = true,
                 .doc = "Name of the impeller's shaft."),
    KAI_PARAM_AS("output", SHAFT, kai_load_torque_converter_params, shafts[1], .required = true,
                 .doc = "Name of the turbine's shaft."),
    KAI_PARAM(TABLE, kai_load_torque_converter_params, capacity, .unit = "rad/s/√(N m)",
              .columns = 2, .required = true,
              .doc = "Rows [speed ratio, capacity factor]: the input torque is (speed / factor)²."),
    KAI_PARAM(TABLE, kai_load_torque_converter_params, torque_ratio, .columns = 2, .required = true,
              .doc = "Rows [speed ratio, output torque over input torque]."),
    KAI_PARAM(BODY, kai_load_torque_converter_params, housing,
              .doc = "Body that holds the stator; the ground when absent."),
    KAI_PARAM(VEC3, kai_load_torque_converter_params, axis, .placing = KAI_PLACING_AXIAL,
              .initial = {0.0, 0.0, 1.0},
              .doc = "Axis of the shafts in the housing, world coordinates at t = 0."),
    KAI_PARAM(VEC3, params, direction, .hidden = true),
};

const kai_load_kind kai_load_torque_converter = {
    .kind = KAI_KIND(
        "torque-converter", params, PARAMS, .given = sizeof(kai_load_torque_converter_params),
        .check = torque_converter_check,
        .doc =
            "A hydrodynamic torque converter, from its curves over the speed ratio output / input. Where the output is faster it drives the input, with the capacity factor of the inverse ratio and without torque multiplication; between the last row below 1 and ratio 1 the torque falls to zero."),
    .section = "driveline",
    .apply = torque_converter_apply,
    .prepare = torque_converter_prepare,
    .grounded = true,
    .dissipation = torque_converter_dissipation,
    .output = torque_converter_output,
    .outputs = KAI_LOAD_TORQUE | KAI_LOAD_RATE | KAI_LOAD_POWER,
    .needs_velocity = true,
    .stiff = true};
