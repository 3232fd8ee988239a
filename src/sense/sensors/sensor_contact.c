// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "sense/sensors/sensor_error.h"

#include "base/error.h"

#include <kairos/body.h>
#include <kairos/contact.h>
#include <kairos/world.h>

static bool is_body(kai_body a, kai_body b) { return a.index == b.index; }

// Contacts of the body with another, or with any: how many, and their force on it.
static kai_result add_up(const kai_sensor_view* view, kai_vec3* force, double* count)
{
    const kai_sensor_contact_params* g = view->instance;
    kai_world* world = view->world;
    *force = kai_vec3_zero();
    *count = 0.0;
    KAI_TRY(kai_contact_report_update(world));
    const size_t contacts = kai_contact_report_count(world);
    for (size_t i = 0; i < contacts; i++) {
        kai_contact_report c;
        KAI_TRY(kai_contact_report_at(world, i, &c));
        const bool on_b = is_body(c.contact.body_b, g->place.body);
        if (!on_b && !is_body(c.contact.body_a, g->place.body)) continue;
        const kai_body other = on_b ? c.contact.body_a : c.contact.body_b;
        if (!KAI_IS_NULL(g->with) && !is_body(other, g->with)) continue;
        if (!(kai_vec3_norm2(c.force) > 0.0)) continue;
        *force = kai_vec3_mul_add(*force, c.force, on_b ? 1.0 : -1.0);
        *count += 1.0;
    }
    return KAI_OK;
}

static kai_result measure_contact(const kai_sensor_view* view, double* values, kai_error* err)
{
    const kai_sensor_contact_params* g = view->instance;
    kai_vec3 force;
    const kai_result r = add_up(view, &force, &values[1]);
    if (r != KAI_OK) {
        if (err) *err = *kai_world_error(view->world);
        return r;
    }
    const kai_frame frame = kai_sensor_frame(view->world, &g->place);
    kai_vec3 f = kai_frame_vector_from_parent(frame, force);
    if (g->noise > 0.0) f = kai_vec3_mul_add(f, kai_sensor_error_draw(view, 0), g->noise);
    values[0] = values[1] > 0.0 && kai_vec3_norm(f) > g->threshold ? 1.0 : 0.0;
    values[2] = f.x;
    values[3] = f.y;
    values[4] = f.z;
    return KAI_OK;
}

static const kai_param PARAMS[] = {
    KAI_SENSOR_PARAMS(100.0),
    KAI_SENSOR_PLACE_PARAMS(kai_sensor_contact_params, true, "Body whose contacts count."),
    KAI_PARAM(BODY, kai_sensor_contact_params, with,
              .doc = "Only contacts with this body count; absent: with any."),
    KAI_PARAM(REAL, kai_sensor_contact_params, threshold, .unit = "N", .range = KAI_AT_LEAST(0.0),
              .doc = "It is touched when the force is larger than this."),
    KAI_PARAM(REAL, kai_sensor_contact_params, noise, .unit = "N", .range = KAI_AT_LEAST(0.0),
              .doc = "Standard deviation of each component of the force."),
};

static const char* const XYZ[] = {"x", "y", "z"};
static const kai_sensor_channel CHANNELS[] = {
    {"touched", "", "1 when something presses on the body harder than the threshold, else 0.", 1,
     NULL},
    {"contacts", "", "How many contacts press or pull.", 1, NULL},
    {"force", "N", "Sum of their forces on the body in the last step, sensor's frame.", 3, XYZ},
    {NULL, NULL, NULL, 0, NULL}};

const kai_sensor_kind kai_sensor_contact = {
    .kind = KAI_KIND("contact", kai_sensor_contact_params, PARAMS,
                     .doc = "A contact sensor: whether something touches a body, and how hard."),
    .channels = CHANNELS,
    .measure = measure_contact};
