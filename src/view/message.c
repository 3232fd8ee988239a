// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "view/message.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static const double FARTHEST = 1e12;          // m; a drag beyond is a mistake
static const double FASTEST = 1e6;            // simulated seconds per second
static const json_int_t STEPS_MOST = 1000000; // in one message

static kai_result message_wrong(kai_error* err, const char* what)
{
    return kai_error_set(err, KAI_ERROR_FORMAT, "message: %s", what);
}

static bool is_number(const json_t* value, double most)
{
    return json_is_number(value) && fabs(json_number_value(value)) <= most;
}

static kai_result read_point(const json_t* root, const char* key, kai_vec3* out, kai_error* err)
{
    const json_t* list = json_object_get(root, key);
    double x[3];
    if (json_array_size(list) != 3) return message_wrong(err, "a point must have three numbers");
    for (size_t i = 0; i < 3; i++) {
        if (!is_number(json_array_get(list, i), FARTHEST))
            return message_wrong(err, "a point must have three finite numbers");
        x[i] = json_number_value(json_array_get(list, i));
    }
    *out = kai_vec3_make(x[0], x[1], x[2]);
    return KAI_OK;
}

static kai_result read_list(const json_t* root, const char* key, double* out, size_t most,
                            size_t* count, kai_error* err)
{
    const json_t* list = json_object_get(root, key);
    if (!json_is_array(list)) return message_wrong(err, "axes and buttons must be lists");
    *count = json_array_size(list) < most ? json_array_size(list) : most;
    for (size_t i = 0; i < *count; i++) {
        const json_t* value = json_array_get(list, i);
        if (!is_number(value, 1.0)) return message_wrong(err, "axes and buttons must be in -1…1");
        out[i] = json_number_value(value);
    }
    return KAI_OK;
}

static kai_result read_count(const json_t* root, const char* key, json_int_t low, long* out,
                             kai_error* err)
{
    const json_t* value = json_object_get(root, key);
    const json_int_t n = json_integer_value(value);
    if (!json_is_integer(value) || n < low || n > INT32_MAX)
        return message_wrong(err, "count or body is no whole number in range");
    *out = (long)n;
    return KAI_OK;
}

static kai_result read_step(const json_t* root, kai_message* m, kai_error* err)
{
    m->count = 1;
    if (json_object_get(root, "count") != NULL)
        KAI_TRY(read_count(root, "count", 1, &m->count, err));
    return m->count <= STEPS_MOST ? KAI_OK : message_wrong(err, "too many steps");
}

static kai_result read_speed(const json_t* root, kai_message* m, kai_error* err)
{
    const json_t* value = json_object_get(root, "factor");
    m->factor = json_number_value(value);
    return is_number(value, FASTEST) && m->factor >= 0.0
               ? KAI_OK
               : message_wrong(err, "factor must be >= 0");
}

static kai_result read_drag(const json_t* root, kai_message* m, kai_error* err)
{
    KAI_TRY(read_count(root, "body", 0, &m->count, err));
    KAI_TRY(read_point(root, "point", &m->point, err));
    return read_point(root, "target", &m->target, err);
}

static kai_result read_key(const json_t* root, kai_message* m, kai_error* err)
{
    const json_t *name = json_object_get(root, "name"), *down = json_object_get(root, "down");
    const size_t size = json_string_length(name);
    if (!json_is_string(name) || size == 0 || size >= sizeof m->key || !json_is_boolean(down))
        return message_wrong(err, "a key must have a short name, and down true or false");
    memcpy(m->key, json_string_value(name), size + 1);
    m->down = json_is_true(down);
    return KAI_OK;
}

static kai_result read_control(const json_t* root, kai_message* m, kai_error* err)
{
    const json_t* value = json_object_get(root, "value");
    KAI_TRY(read_count(root, "control", 0, &m->count, err));
    if (!json_is_null(value) && !is_number(value, FARTHEST))
        return message_wrong(err, "value of a control must be a number or null");
    m->value = json_is_null(value) ? (double)NAN : json_number_value(value);
    return KAI_OK;
}

static kai_result read_gamepad(const json_t* root, kai_message* m, kai_error* err)
{
    KAI_TRY(read_list(root, "axes", m->axes, KAI_MESSAGE_AXES, &m->axis_count, err));
    return read_list(root, "buttons", m->buttons, KAI_MESSAGE_BUTTONS, &m->button_count, err);
}

static kai_result read_show(const json_t* root, kai_message* m, kai_error* err)
{
    const json_t *contacts = json_object_get(root, "contacts"),
                 *field = json_object_get(root, "field");
    const size_t size = json_string_length(field);
    if (contacts != NULL && !json_is_boolean(contacts))
        return message_wrong(err, "contacts must be true or false");
    if (field != NULL && !json_is_null(field) &&
        (!json_is_string(field) || size >= sizeof m->field))
        return message_wrong(err, "field must be a short name or null");
    m->contacts = json_is_true(contacts);
    if (size > 0) memcpy(m->field, json_string_value(field), size + 1);
    return KAI_OK;
}

static const struct {
    const char* name;
    kai_message_type type;
    kai_result (*read)(const json_t* root, kai_message* m, kai_error* err);
} TYPES[] = {
    {"ready", KAI_MESSAGE_READY, NULL},
    {"pause", KAI_MESSAGE_PAUSE, NULL},
    {"continue", KAI_MESSAGE_CONTINUE, NULL},
    {"step", KAI_MESSAGE_STEP, read_step},
    {"speed", KAI_MESSAGE_SPEED, read_speed},
    {"drag", KAI_MESSAGE_DRAG, read_drag},
    {"release", KAI_MESSAGE_RELEASE, NULL},
    {"key", KAI_MESSAGE_PRESS, read_key},
    {"gamepad", KAI_MESSAGE_GAMEPAD, read_gamepad},
    {"control", KAI_MESSAGE_CONTROL, read_control},
    {"show", KAI_MESSAGE_SHOW, read_show},
};

static kai_result read_root(const json_t* root, kai_message* m, kai_error* err)
{
    const char* type = json_string_value(json_object_get(root, "type"));
    if (type == NULL) return message_wrong(err, "type is missing");
    for (size_t i = 0; i < sizeof TYPES / sizeof TYPES[0]; i++) {
        if (strcmp(TYPES[i].name, type) != 0) continue;
        m->type = TYPES[i].type;
        return TYPES[i].read != NULL ? TYPES[i].read(root, m, err) : KAI_OK;
    }
    return message_wrong(err, "unknown type");
}

kai_result kai_message_read(kai_message* out, const char* text, size_t size, kai_error* err)
{
    *out = (kai_message){0};
    json_t* root = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    if (!json_is_object(root)) {
        json_decref(root);
        return message_wrong(err, "is no JSON object");
    }
    const kai_result r = read_root(root, out, err);
    json_decref(root);
    return r;
}
