// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Events: what happens when a signal crosses a value. An event is found, and heeded, at the end of
// the step in which its signal crosses; the time of the crossing itself is interpolated between both
// ends of that step. A signal that begins at the value has not crossed it.
//
// Actions change the world between steps: under every integrator the next step begins with what they
// left. To stop, and to save the world to a file, is up to whoever takes the steps: a run does, and
// a program asks kai_event_fired.
#ifndef KAIROS_EVENT_H
#define KAIROS_EVENT_H

#include <kairos/kind.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A world: see world.h.
typedef struct kai_world kai_world;

/// Which crossings count.
typedef enum kai_event_direction {
    KAI_EVENT_ANY,     ///< both
    KAI_EVENT_RISING,  ///< from below
    KAI_EVENT_FALLING, ///< from above
} kai_event_direction;

/// What an action does: X(name, word in scenes).
#define KAI_EVENT_ACTIONS(X) \
    X(STOP, "stop")          \
    X(SAVE, "save")          \
    X(MESSAGE, "message")    \
    X(ACTIVATE, "activate")  \
    X(SET, "set")            \
    X(CHANGE, "change")      \
    X(CONTACT, "contact")

/// What an action does.
typedef enum kai_event_action_type {
#define KAI_EVENT_ACTION_ENUM(name, word) KAI_EVENT_##name,
    KAI_EVENT_ACTIONS(KAI_EVENT_ACTION_ENUM)
#undef KAI_EVENT_ACTION_ENUM
        KAI_EVENT_ACTION_COUNT ///< how many there are
} kai_event_action_type;

/// One action. Things are named; what a type does not use is empty.
typedef struct kai_event_action {
    int32_t type;        ///< a kai_event_action_type
    kai_string file;     ///< SAVE: plain name of a file in the run's folder, ends in .h5
    kai_string text;     ///< MESSAGE: goes to the log and to events.csv
    kai_string joint;    ///< ACTIVATE, CHANGE: name of a joint, …
    kai_string motor;    ///< … or of a motor, …
    kai_string force;    ///< … or of a load, …
    kai_string coupling; ///< … or of a coupling
    kai_string body;     ///< CONTACT: whose shapes
    kai_string signal;   ///< SET: which
    kai_string key;      ///< CHANGE: which parameter, a number
    double value;        ///< SET, CHANGE: to what
    bool active;         ///< ACTIVATE, CONTACT: on or off
} kai_event_action;

/// An event.
typedef struct kai_event_def {
    kai_string signal; ///< that is watched
    double crosses;    ///< the value
    int32_t direction; ///< a kai_event_direction
    bool once;         ///< only the first crossing counts
    kai_list actions;  ///< of kai_event_action, in their order
} kai_event_def;

/// Description of kai_event_def: scene keys of items of "events".
KAI_API extern const kai_kind kai_event_kind;

/// An event of nothing yet.
KAI_API kai_event_def kai_event_def_default(void);

/// Creates an event; the def is copied. Whom it names may come later; the next step says what is
/// not there.
KAI_API kai_result kai_event_create(kai_world* world, const kai_event_def* def, const char* name,
                                    kai_event* out);

/// Removes it.
KAI_API kai_result kai_event_destroy(kai_world* world, kai_event event);

/// The event of a name, null when there is none; its name, "" without one; how many there are.
KAI_API kai_event kai_event_find(const kai_world* world, const char* name);
KAI_API const char* kai_event_name(const kai_world* world, kai_event event); ///< never NULL
KAI_API size_t kai_event_count(const kai_world* world);                      ///< in all

/// The def of an event, valid until the next call that changes the world's events; NULL for an id
/// that leads nowhere. How often it has happened.
KAI_API const kai_event_def* kai_event_get(const kai_world* world, kai_event event);
KAI_API uint64_t kai_event_happened(const kai_world* world, kai_event event); ///< 0 likewise

/// An event of the last step.
typedef struct kai_event_record {
    kai_event event;
    double time; ///< of the crossing, interpolated, s
} kai_event_record;

/// How many events the last step brought, and the i-th in the order in which they were heeded.
KAI_API size_t kai_event_fired_count(const kai_world* world);
KAI_API kai_event_record kai_event_fired(const kai_world* world,
                                         size_t i); ///< null beyond the last

/// The event that asked for a stop after the last step, null when none did. Worlds that are read from
/// a file know it too.
KAI_API kai_event kai_event_stopped(const kai_world* world);

/// The file of the i-th action of all events that saves the world, NULL beyond the last.
KAI_API const char* kai_event_save(const kai_world* world, size_t i);

/// What an action does in words: "activate joint latch: off". `out` gets at most `size` bytes.
KAI_API void kai_event_action_text(const kai_event_action* action, char* out, size_t size);

#ifdef __cplusplus
}
#endif

#endif
