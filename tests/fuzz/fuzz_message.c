// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Messages to a live run from anyone: lines, each a message of one of two viewers.
#include "view/live.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check(const kai_message* m)
{
    if (!kai_vec3_is_finite(m->point) || !kai_vec3_is_finite(m->target)) abort();
    if (!(m->factor >= 0.0) || !isfinite(m->factor) || m->count < 0) abort();
    if (strnlen(m->key, sizeof m->key) == sizeof m->key) abort();
    if (m->axis_count > KAI_MESSAGE_AXES || m->button_count > KAI_MESSAGE_BUTTONS) abort();
    for (size_t i = 0; i < KAI_MESSAGE_AXES; i++)
        if (!(fabs(m->axes[i]) <= 1.0)) abort();
    for (size_t i = 0; i < KAI_MESSAGE_BUTTONS; i++)
        if (!(fabs(m->buttons[i]) <= 1.0)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    kai_live live;
    if (kai_live_init(&live, NULL) != KAI_OK) abort();
    kai_live_join(&live);
    kai_live_join(&live);
    const kai_function_control_params control = {
        .key = {"ArrowUp"}, .key_low = {"a"}, .axis = 3, .button = 31, .low = -2, .high = 5};
    int viewer = 0;
    for (size_t at = 0; at < size; viewer ^= 1) {
        const uint8_t* end = memchr(data + at, '\n', size - at);
        const size_t n = end != NULL ? (size_t)(end - data) - at : size - at;
        kai_message message;
        kai_error err = {0};
        const kai_result r = kai_message_read(&message, (const char*)data + at, n, &err);
        if (r == KAI_OK) {
            check(&message);
            kai_live_hear(&live, viewer, &message, 3, &err);
        } else if (err.message[0] == '\0') {
            abort();
        }
        const double goal = kai_live_goal(&live, 0, &control);
        if (!(goal >= control.low && goal <= control.high)) abort();
        at += n + 1;
    }
    kai_live_leave(&live, 0);
    kai_live_leave(&live, 1);
    if (kai_live_goal(&live, 0, &control) != control.initial) abort();
    kai_live_free(&live);
    return 0;
}
