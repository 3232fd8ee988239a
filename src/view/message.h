// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What a viewer of a live run says.
#ifndef VIEW_MESSAGE_H
#define VIEW_MESSAGE_H

#include "base/error.h"

#include <kairos/math.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    KAI_MESSAGE_AXES = 16,
    KAI_MESSAGE_BUTTONS = 32,
    KAI_MESSAGE_KEY = 32,
    KAI_MESSAGE_FIELD = 64
};

/// What it is.
typedef enum kai_message_type {
    KAI_MESSAGE_READY, // for the next frame
    KAI_MESSAGE_PAUSE,
    KAI_MESSAGE_CONTINUE,
    KAI_MESSAGE_STEP,
    KAI_MESSAGE_SPEED,
    KAI_MESSAGE_DRAG,
    KAI_MESSAGE_RELEASE,
    KAI_MESSAGE_PRESS, // a key
    KAI_MESSAGE_GAMEPAD,
    KAI_MESSAGE_CONTROL, // a slider
    KAI_MESSAGE_SHOW     // what frames are to hold beside where things are
} kai_message_type;

typedef struct kai_message {
    kai_message_type type;
    double factor;             // SPEED: simulated seconds per second; 0: as fast as possible
    double value;              // CONTROL: where it is to go; NaN: let go
    long count;                // STEP: how many steps; DRAG: number of the mover; CONTROL: its own
    kai_vec3 point, target;    // DRAG: in the body's own frame, and in the world
    char key[KAI_MESSAGE_KEY]; // PRESS: its name
    bool down;
    double axes[KAI_MESSAGE_AXES], buttons[KAI_MESSAGE_BUTTONS]; // GAMEPAD: in -1…1, 0…1
    size_t axis_count, button_count;
    bool contacts;                 // SHOW: wanted
    char field[KAI_MESSAGE_FIELD]; // SHOW: the colour field that is wanted, "": none
} kai_message;

/// Reads a message. KAI_ERROR_FORMAT for anything that is none, with what is wrong.
kai_result kai_message_read(kai_message* out, const char* text, size_t size, kai_error* err);

#endif
