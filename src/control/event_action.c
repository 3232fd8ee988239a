// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "control/event_action.h"

#include "base/error.h"
#include "base/kind.h"
#include "base/text.h"
#include "model/id.h"

#include <kairos/driveline.h>
#include <kairos/shape.h>
#include <kairos/signal.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef kai_event_action action_type;

static const char* const WORDS[] = {
#define ACTION_WORD(name, word) [KAI_EVENT_##name] = word,
    KAI_EVENT_ACTIONS(ACTION_WORD)
#undef ACTION_WORD
        NULL};

// Description ------------------------------------------------------------------------------------

/// Which keys an action has of those that name a joint or load: their sort and name.
static int thing_of(const action_type* a, const char** sort, const char** name)
{
    const char* const sorts[] = {"joint", "motor", "force", "coupling"};
    const char* const names[] = {a->joint.text, a->motor.text, a->force.text, a->coupling.text};
    int count = 0;
    for (size_t i = 0; i < KAI_COUNT(names); i++) {
        if (names[i][0] == '\0') continue;
        *sort = sorts[i];
        *name = names[i];
        count++;
    }
    return count;
}

/// Names of files that runs write anyway.
static const char* const TAKEN[] = {"trajectory.h5", "checkpoint.h5", "meshes.h5"};

static kai_result lacks(const action_type* a, const char* key, kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s is missing; %s needs it", key,
                         WORDS[a->type]);
}

static kai_result check(const void* instance, kai_error* err)
{
    const action_type* a = instance;
    const char *sort, *name;
    switch ((kai_event_action_type)a->type) {
    case KAI_EVENT_SAVE:
        if (a->file.text[0] == '\0') return lacks(a, "file", err);
        if (strpbrk(a->file.text, "/\\") || a->file.text[0] == '.' ||
            !kai_text_ends(a->file.text, ".h5"))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "file is '%s'; must be a plain file name that ends in .h5",
                                 a->file.text);
        for (size_t i = 0; i < KAI_COUNT(TAKEN); i++)
            if (strcmp(a->file.text, TAKEN[i]) == 0)
                return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                     "file is '%s'; that is a file of every run", TAKEN[i]);
        return KAI_OK;
    case KAI_EVENT_MESSAGE: return a->text.text[0] ? KAI_OK : lacks(a, "text", err);
    case KAI_EVENT_SET: return a->signal.text[0] ? KAI_OK : lacks(a, "signal", err);
    case KAI_EVENT_CONTACT: return a->body.text[0] ? KAI_OK : lacks(a, "body", err);
    case KAI_EVENT_CHANGE:
        if (a->key.text[0] == '\0') return lacks(a, "key", err);
        break;
    case KAI_EVENT_ACTIVATE: break;
    case KAI_EVENT_STOP:
    case KAI_EVENT_ACTION_COUNT: return KAI_OK;
    }
    if (thing_of(a, &sort, &name) == 1) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "%s must name exactly one of joint, motor, force and coupling",
                         WORDS[a->type]);
}

static const kai_param PARAMS[] = {
    KAI_PARAM(ENUM, action_type, type, .words = WORDS, .required = true,
              .doc =
                  "What is done: `stop` ends the run, `save` writes the world to a file, "
                  "`message` says something, `activate` switches a joint, motor, force or "
                  "coupling, `set` gives a signal a value, `change` changes a number of a joint, "
                  "motor, force or coupling, `contact` switches the contacts of a body."),
    KAI_PARAM(STRING, action_type, file,
              .doc = "Of `save`: plain name of a file in the run's folder, ends in .h5."),
    KAI_PARAM(STRING, action_type, text, .doc = "Of `message`: what is said."),
    KAI_PARAM(STRING, action_type, joint, .placing = KAI_PLACING_REFERENCE,
              .doc = "Of `activate` and `change`: name of a joint, or"),
    KAI_PARAM(STRING, action_type, motor, .placing = KAI_PLACING_REFERENCE,
              .doc = "of a motor, or"),
    KAI_PARAM(STRING, action_type, force, .placing = KAI_PLACING_REFERENCE,
              .doc = "of a load of `forces`, or"),
    KAI_PARAM(STRING, action_type, coupling, .placing = KAI_PLACING_REFERENCE,
              .doc = "of a coupling of `driveline`."),
    KAI_PARAM(STRING, action_type, body, .placing = KAI_PLACING_REFERENCE,
              .doc = "Of `contact`: name of a body."),
    KAI_PARAM(SIGNAL, action_type, signal, .doc = "Of `set`: name of a signal that can be set."),
    KAI_PARAM(STRING, action_type, key, .doc = "Of `change`: its key, as in the scene."),
    KAI_PARAM(REAL, action_type, value, .doc = "Of `set` and `change`: the new value."),
    KAI_PARAM(BOOL, action_type, active,
              .doc = "Of `activate` and `contact`: true: on, false: off."),
};

const kai_kind kai_event_action_kind =
    KAI_KIND("action", action_type, PARAMS, .check = check, .doc = "What an event does.");

void kai_event_action_text(const kai_event_action* a, char* out, size_t size)
{
    const char *sort = "", *name = "";
    if (!a || !out || size == 0) return;
    thing_of(a, &sort, &name);
    switch ((kai_event_action_type)a->type) {
    case KAI_EVENT_SAVE: snprintf(out, size, "save %s", a->file.text); return;
    case KAI_EVENT_MESSAGE: snprintf(out, size, "message: %s", a->text.text); return;
    case KAI_EVENT_SET: snprintf(out, size, "set %s to %.9g", a->signal.text, a->value); return;
    case KAI_EVENT_CONTACT:
        snprintf(out, size, "contact of %s %s", a->body.text, a->active ? "on" : "off");
        return;
    case KAI_EVENT_ACTIVATE:
        snprintf(out, size, "%s %s %s", sort, name, a->active ? "on" : "off");
        return;
    case KAI_EVENT_CHANGE:
        snprintf(out, size, "%s of %s %s to %.9g", a->key.text, sort, name, a->value);
        return;
    case KAI_EVENT_STOP:
    case KAI_EVENT_ACTION_COUNT: break;
    }
    snprintf(out, size, "stop");
}

// What they name ---------------------------------------------------------------------------------

/// A joint or a load: motors and couplings may be either.
typedef struct named_thing {
    const char *sort, *name;
    kai_joint joint;
    kai_load load;
} named_thing;

static kai_result find_thing(const kai_world* world, const action_type* a, named_thing* out,
                             kai_error* err)
{
    *out = (named_thing){.sort = "", .name = ""};
    thing_of(a, &out->sort, &out->name);
    const bool force = strcmp(out->sort, "force") == 0, joint = strcmp(out->sort, "joint") == 0;
    if (!force) out->joint = kai_joint_find(world, out->name);
    if (!joint && KAI_IS_NULL(out->joint)) out->load = kai_load_find(world, out->name);
    if (!KAI_IS_NULL(out->joint) || !KAI_IS_NULL(out->load)) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_NAME, "there is no %s '%s'", out->sort, out->name);
}

/// The kind of a thing and its instance.
static kai_result get_thing(const kai_world* world, const named_thing* thing, const kai_kind** kind,
                            const void** instance)
{
    const kai_joint_kind* joint = NULL;
    const kai_load_kind* load = NULL;
    if (!KAI_IS_NULL(thing->joint)) {
        KAI_TRY(kai_joint_get(world, thing->joint, &joint, instance));
        *kind = &joint->kind;
        return KAI_OK;
    }
    KAI_TRY(kai_load_get(world, thing->load, &load, instance));
    *kind = &load->kind;
    return KAI_OK;
}

/// The number that `change` means.
static kai_result find_number(const kai_kind* kind, const action_type* a, const kai_param** out,
                              kai_error* err)
{
    const char* near = kai_kind_nearest_param(kind, a->key.text);
    const kai_param* p = *out = kai_kind_param(kind, a->key.text);
    if (!p && near)
        return kai_error_set(err, KAI_ERROR_NAME, "a %s has no key '%s'; did you mean '%s'?",
                             kind->name, a->key.text, near);
    if (!p)
        return kai_error_set(err, KAI_ERROR_NAME, "a %s has no key '%s'", kind->name, a->key.text);
    const bool number =
        p->type == KAI_PARAM_REAL || p->type == KAI_PARAM_VALUE || (p->type == KAI_PARAM_CURVE);
    if (number && kai_kind_repeats(p) == 1) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_UNSUPPORTED,
                         "%s of a %s is %s; only a number can be changed", p->name, kind->name,
                         kai_kind_type_text(p->type));
}

/// Gives a number of an instance its new value, and to `*before` what it was.
static void put_number(const kai_param* p, void* field, double value, kai_curve* before)
{
    *before = (kai_curve){0};
    if (p->type == KAI_PARAM_REAL) {
        before->slope = *(double*)field;
        *(double*)field = value;
    } else if (p->type == KAI_PARAM_VALUE) {
        *(kai_value*)field = kai_value_constant(value);
    } else {
        *before = *(kai_curve*)field;
        *(kai_curve*)field = kai_curve_line(value);
    }
}

/// Whether an instance may have that number.
static kai_result check_number(kai_world* world, const kai_kind* kind, const void* instance,
                               const action_type* a, kai_error* err)
{
    const kai_param* p;
    kai_curve before;
    KAI_TRY(find_number(kind, a, &p, err));
    char* copy = kai_memory_allocate(&world->memory, kind->size);
    if (!copy) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for an event");
    memcpy(copy, instance, kind->size);
    put_number(p, copy + p->offset, a->value, &before);
    const kai_result r = kai_kind_check(kind, copy, err);
    kai_memory_release(&world->memory, copy, kind->size);
    return r;
}

// Checks -----------------------------------------------------------------------------------------

static kai_result check_set(const kai_world* world, const action_type* a, kai_error* err)
{
    const kai_signal_kind* kind = NULL;
    const kai_signal signal = kai_signal_find(world, a->signal.text);
    if (KAI_IS_NULL(signal))
        return kai_error_set(err, KAI_ERROR_NAME, "there is no signal '%s'", a->signal.text);
    KAI_TRY(kai_signal_get(world, signal, &kind, NULL));
    if (kind->set) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_UNSUPPORTED,
                         "signal '%s' is a %s, which follows from others and cannot be set",
                         a->signal.text, kind->kind.name);
}

kai_result kai_event_action_check(kai_world* world, const kai_event_action* a, kai_error* err)
{
    named_thing thing;
    const kai_kind* kind;
    const void* instance;
    switch ((kai_event_action_type)a->type) {
    case KAI_EVENT_SET: return check_set(world, a, err);
    case KAI_EVENT_CONTACT:
        if (!KAI_IS_NULL(kai_body_find(world, a->body.text))) return KAI_OK;
        return kai_error_set(err, KAI_ERROR_NAME, "there is no body '%s'", a->body.text);
    case KAI_EVENT_ACTIVATE: return find_thing(world, a, &thing, err);
    case KAI_EVENT_CHANGE:
        KAI_TRY(find_thing(world, a, &thing, err));
        KAI_TRY(get_thing(world, &thing, &kind, &instance));
        return check_number(world, kind, instance, a, err);
    case KAI_EVENT_STOP:
    case KAI_EVENT_SAVE:
    case KAI_EVENT_MESSAGE:
    case KAI_EVENT_ACTION_COUNT: break;
    }
    return KAI_OK;
}

// Doing ------------------------------------------------------------------------------------------

/// The result of a call on the world, whose message goes to `err`.
static kai_result told(const kai_world* world, kai_result r, kai_error* err)
{
    if (r != KAI_OK && err && err != &world->error) *err = world->error;
    return r;
}

static kai_result do_activate(kai_world* world, const action_type* a, kai_error* err)
{
    named_thing thing;
    KAI_TRY(find_thing(world, a, &thing, err));
    if (!KAI_IS_NULL(thing.joint))
        return told(world, kai_joint_set_active(world, thing.joint, a->active), err);
    return told(world, kai_load_set_active(world, thing.load, a->active), err);
}

/// Numbers are read as they stand when forces and rows are found. (To create the thing anew would take
/// its points, which are those of the start, for those of now.) What is stored more or less by springs
/// is work.
static kai_result do_change(kai_world* world, const action_type* a, kai_error* err)
{
    named_thing thing;
    const kai_kind* kind;
    const void* instance;
    const kai_param* p;
    kai_curve old;
    kai_energy before, after;
    KAI_TRY(find_thing(world, a, &thing, err));
    KAI_TRY(get_thing(world, &thing, &kind, &instance));
    KAI_TRY(check_number(world, kind, instance, a, err));
    KAI_TRY(find_number(kind, a, &p, err));
    KAI_TRY(told(world, kai_world_energy(world, &before), err));
    put_number(p, (char*)(uintptr_t)instance + p->offset, a->value, &old);
    if (old.points.rows > 0)
        kai_memory_release(&world->memory, (double*)(uintptr_t)old.points.data,
                           (size_t)old.points.rows * old.points.columns * sizeof(double));
    world->joints.version += !KAI_IS_NULL(thing.joint);
    world->loads.version += !KAI_IS_NULL(thing.load);
    KAI_TRY(told(world, kai_world_energy(world, &after), err));
    world->work += after.elastic - before.elastic;
    return KAI_OK;
}

kai_result kai_event_action_do(kai_world* world, const kai_event_action* a, kai_error* err)
{
    kai_result r = KAI_OK;
    switch ((kai_event_action_type)a->type) {
    case KAI_EVENT_SET:
        r = told(world, kai_signal_set(world, kai_signal_find(world, a->signal.text), a->value),
                 err);
        break;
    case KAI_EVENT_ACTIVATE: r = do_activate(world, a, err); break;
    case KAI_EVENT_CHANGE: r = do_change(world, a, err); break;
    case KAI_EVENT_CONTACT:
        r = told(world,
                 kai_shape_set_colliding(world, kai_body_find(world, a->body.text), a->active),
                 err);
        break;
    case KAI_EVENT_STOP:
    case KAI_EVENT_SAVE:
    case KAI_EVENT_MESSAGE:
    case KAI_EVENT_ACTION_COUNT: return KAI_OK;
    }
    world->integrator_steps = 0; // forces are no longer those that the last step ended with
    return r;
}
