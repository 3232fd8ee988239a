// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What viewers want of a live run: shared by the server's thread, which sets it, and the run's
// thread, which does it before its next step. Everything here is behind one lock that is held for
// a few instructions only.
#ifndef VIEW_LIVE_H
#define VIEW_LIVE_H

#include "view/message.h"
#include "view/movers.h"
#include "view/server.h"

#include <pthread.h>

enum { KAI_LIVE_KEYS = 32, KAI_LIVE_CONTROLS = 64 };

/// A body that a viewer drags.
typedef struct kai_live_pull {
    bool active, changed;
    size_t mover;
    kai_vec3 point, target;
} kai_live_pull;

/// What a viewer does with its hands.
typedef struct kai_live_hands {
    kai_live_pull pull;
    char keys[KAI_LIVE_KEYS][KAI_MESSAGE_KEY]; // that are down; "": free
    double axes[KAI_MESSAGE_AXES], buttons[KAI_MESSAGE_BUTTONS];
    bool contacts;                 // it shows them
    char field[KAI_MESSAGE_FIELD]; // that it colours by; "": none
} kai_live_hands;

/// Figures of the run for viewers.
typedef struct kai_live_state {
    double time, factor; // s; wall seconds per simulated second
    uint64_t steps;
} kai_live_state;

typedef struct kai_live {
    pthread_mutex_t lock;
    pthread_cond_t changed; // somebody said something
    bool paused, ended;
    bool touched; // hands changed since the run looked
    bool asked;   // somebody wants other frames than those so far
    long steps_left;
    double speed; // simulated seconds per second; 0: as fast as possible
    int viewers;
    unsigned wanting; // bit of each viewer that is ready for a newer frame
    kai_live_hands hands[KAI_SERVER_VIEWERS];
    double slid[KAI_LIVE_CONTROLS]; // where sliders send the first controls; NaN: nowhere
    kai_live_state state;
} kai_live;

/// A live run that goes on at the speed of real time.
kai_result kai_live_init(kai_live* live, kai_error* err);

/// The server: does what a message asks for. `movers`: how many can be dragged.
kai_result kai_live_hear(kai_live* live, int viewer, const kai_message* message, size_t movers,
                         kai_error* err);

/// The server: a viewer has come or gone; one that goes lets everything go.
void kai_live_join(kai_live* live);
void kai_live_leave(kai_live* live, int viewer); ///< likewise

/// The server: whether a viewer is ready for a frame that it has not seen.
void kai_live_want(kai_live* live, int viewer, bool wants);

/// Where control `number` should go: from the keys, axes and buttons of all viewers, and where none is
/// pressed from its slider.
double kai_live_goal(const kai_live* live, size_t number,
                     const kai_function_control_params* control);

void kai_live_free(kai_live* live); ///< ends the lock

#endif
