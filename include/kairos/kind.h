// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Self-describing kinds: how Kairos is extended.
//
// A *family* is a sort of thing that comes in many kinds: shapes, functions, loads, integrators,
// and later joints, elements, contact laws, tires. A *kind* is one const table: a name, a sentence,
// the list of parameters of an instance, and the functions that do the work on batches of
// instances.
//
//     typedef struct { kai_body body; double rate; } brake;           // 1 the instance
//     static const kai_param PARAMS[] = {                             // 2 its description
//         KAI_PARAM(BODY, brake, body, .required = true, .doc = "Body that the drag acts on."),
//         KAI_PARAM(REAL, brake, rate, .unit = "1/s", .initial = {1.0}, .range = KAI_AT_LEAST(0.0),
//                   .doc = "Share of speed lost per second.")};
//     static const kai_load_kind BRAKE = {                            // 3 the table
//         .kind = KAI_KIND("brake", brake, PARAMS, KAI_SIZES(kai_load_kind),
//                          .doc = "Slows a body down."),
//         .apply = brake_apply};
//     kai_load_register(world, &BRAKE);                               // 4 or kai_world_def.kinds
//
// From this one description follow: defaults (kai_kind_defaults), validation with messages
// (kai_kind_check), the keys of scene files, "did you mean", the JSON Schema, the reference pages
// in docs/, and the fields of checkpoints. Nothing else has to be written for a new kind.
//
// A param is one of: a scene key (the rule), or with `.hidden` a derived field or inner state of
// the instance that has no key but is kept in checkpoints. Such fields need not be seen by those who
// make instances: the instance then begins with a struct of what is given, and `.given` says its
// size.
//
//     typedef struct { brake_params given; double heat; } brake;
//     KAI_KIND("brake", brake, PARAMS, .given = sizeof(brake_params), …)
#ifndef KAIROS_KIND_H
#define KAIROS_KIND_H

#include <kairos/export.h>
#include <kairos/id.h>
#include <kairos/math.h>
#include <kairos/result.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Values that parameters may hold ----------------------------------------------------------------

/// A number that may vary in time: a constant, or a function when `function` is not null.
typedef struct kai_value {
    double constant;
    kai_function function;
} kai_value;

/// A value that does not vary.
static inline kai_value kai_value_constant(double constant)
{
    kai_value v = {constant, {0, 0, 0}};
    return v;
}

/// Three numbers that may vary in time.
typedef struct kai_value3 {
    kai_value x, y, z;
} kai_value3;

/// Rows of numbers. The creating call copies the data; the caller's copy may go.
typedef struct kai_table {
    const double* data; ///< [rows * columns], by rows
    uint32_t rows;
    uint32_t columns;
} kai_table;

/// A list of items that are described by `kai_param.item`. The creating call copies them.
typedef struct kai_list {
    const void* items; ///< [count * item->size] bytes
    uint32_t count;
} kai_list;

/// A curve y(x): a straight line through the origin, or straight lines from point to point. The
/// creating call copies the points.
typedef struct kai_curve {
    double slope;     ///< y = slope · x when there are no points
    kai_table points; ///< rows [x, y], x increasing, two or more; continues with its end slopes
} kai_curve;

/// A straight line through the origin.
static inline kai_curve kai_curve_line(double slope)
{
    kai_curve c = {slope, {NULL, 0, 0}};
    return c;
}

/// The value of a curve at x; its slope there goes to `*slope`, which may be NULL.
static inline double kai_curve_at(const kai_curve* curve, double x, double* slope)
{
    if (curve->points.rows < 2) {
        if (slope) *slope = curve->slope;
        return curve->slope * x;
    }
    // The piece that holds x: the last point at or before it, but neither end's.
    const double* p = curve->points.data;
    uint32_t low = 0, high = curve->points.rows - 1;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (p[2 * middle] <= x)
            low = middle;
        else
            high = middle;
    }
    const double rise = (p[2 * high + 1] - p[2 * low + 1]) / (p[2 * high] - p[2 * low]);
    if (slope) *slope = rise;
    return p[2 * low + 1] + rise * (x - p[2 * low]);
}

/// The integral of a curve from 0 to x.
KAI_API double kai_curve_integral(const kai_curve* curve, double x);

/// Room for a short text parameter such as a name, its end included.
#define KAI_STRING_SIZE 256

/// A short text held in place.
typedef struct kai_string {
    char text[KAI_STRING_SIZE];
} kai_string;

/// Three or six numbers of an inertia: xx yy zz, then xy xz yz (zero when three were given).
typedef struct kai_inertia {
    double xx, yy, zz, xy, xz, yz;
} kai_inertia;

// Descriptions -----------------------------------------------------------------------------------

/// What a parameter is: X(name, C type of the field, text for messages and docs).
#define KAI_PARAM_TYPES(X)                                                          \
    X(BOOL, bool, "true or false")                                                  \
    X(INT, int64_t, "a whole number")                                               \
    X(REAL, double, "a number")                                                     \
    X(VALUE, kai_value, "a number or a function of time")                           \
    X(VALUE3, kai_value3, "three numbers or functions of time")                     \
    X(VEC3, kai_vec3, "three numbers")                                              \
    X(ROTATION, kai_quat, "a rotation: [w,x,y,z], axis and angle, or Euler angles") \
    X(FRAME, kai_frame, "a frame: at and rotation")                                 \
    X(INERTIA, kai_inertia, "three or six numbers")                                 \
    X(COLOR, kai_vec3, "a color: \"#rrggbb\" or three numbers in 0..1")             \
    X(ENUM, int32_t, "one of these words")                                          \
    X(STRING, kai_string, "a text")                                                 \
    X(SIGNAL, kai_string, "the name of a signal")                                   \
    X(EXPRESSION, kai_string, "a formula over signals")                             \
    X(BODY, kai_body, "the name of a body")                                         \
    X(JOINT, kai_joint, "the name of a joint")                                      \
    X(SHAFT, kai_shaft, "the name of a shaft")                                      \
    X(MATERIAL, kai_material, "the name of a material")                             \
    X(NODE, kai_node, "the name of a node")                                         \
    X(SOLID, kai_solid, "the name of a material of elements")                       \
    X(LOAD, kai_load, "the name of a motor, force or coupling")                     \
    X(ELEMENT, kai_element, "the name of an element")                               \
    X(STRUCTURE, kai_structure, "the name of a structure")                          \
    X(FUNCTION, kai_function, "a function")                                         \
    X(LAW, kai_contact_law, "a contact law: a word, or an object with type")        \
    X(TABLE, kai_table, "rows of numbers")                                          \
    X(CURVE, kai_curve, "a number or rows [x, y]")                                  \
    X(LIST, kai_list, "a list")                                                     \
    X(WORDS, uint32_t, "a list of words")

/// What a parameter is, and with it the C type of its field.
typedef enum kai_param_type {
#define KAI_PARAM_ENUM(name, ctype, text) KAI_PARAM_##name,
    KAI_PARAM_TYPES(KAI_PARAM_ENUM)
#undef KAI_PARAM_ENUM
        KAI_PARAM_TYPE_COUNT ///< how many types there are
} kai_param_type;

/// Allowed range of every number in a parameter. A zeroed one allows all finite numbers.
typedef struct kai_range {
    bool bounded;  ///< false: any finite number
    bool open_min; ///< true: the lower bound itself is not allowed
    double min, max;
} kai_range;

/// Greater than `x`.
#define KAI_ABOVE(x)                                                   \
    {                                                                  \
        .bounded = true, .open_min = true, .min = (x), .max = HUGE_VAL \
    }
/// Greater than or equal to `x`.
#define KAI_AT_LEAST(x)                              \
    {                                                \
        .bounded = true, .min = (x), .max = HUGE_VAL \
    }
/// From `a` to `b`, both included.
#define KAI_BETWEEN(a, b)                       \
    {                                           \
        .bounded = true, .min = (a), .max = (b) \
    }

/// For kai_param.columns: every row has as many numbers as the first, one or more.
#define KAI_ANY_COLUMNS UINT32_MAX

/// Number of elements of an array.
#define KAI_COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct kai_kind;

/// How a parameter changes where a scene holds it in an instance of a template, which is moved,
/// turned and perhaps mirrored. Scenes do this; programs give what holds in the world.
typedef enum kai_placing {
    KAI_PLACING_NONE,          ///< it does not
    KAI_PLACING_POINT,         ///< a point of the world; ROTATION: of a body in the world
    KAI_PLACING_VECTOR,        ///< a vector of the world: velocity, force, direction
    KAI_PLACING_AXIAL,         ///< an axial one: angular velocity, torque, axis of a hinge
    KAI_PLACING_JOINT_AXIS,    ///< of a joint: a vector where it has a travel, else axial
    KAI_PLACING_OWN,           ///< point, vector, rotation, frame, inertia in a body's own frame
    KAI_PLACING_OWN_AXIAL,     ///< an axial vector in a body's own frame
    KAI_PLACING_CARRIED_POINT, ///< a point in the frame of `body` where one is given, else the world
    KAI_PLACING_CARRIED_VECTOR, ///< a vector likewise
    KAI_PLACING_JOINT,          ///< TABLE of 6 × 6 in the frame of a joint
    KAI_PLACING_HANDED,         ///< a number whose sign changes in a mirror: the lead of a screw
    KAI_PLACING_NAME,           ///< STRING: the name of the thing itself
    KAI_PLACING_REFERENCE       ///< STRING: the name of another thing
} kai_placing;

/// One parameter of a kind.
typedef struct kai_param {
    const char* name;    ///< key in scene files, lower snake_case
    kai_param_type type; ///< what it is
    size_t offset;       ///< offsetof(instance, field)
    bool required;       ///< true: no default, a scene must give it
    bool hidden;         ///< true: no scene key; derived data or inner state, kept in checkpoints
    bool main;           ///< true: {"kind": X} gives X to this parameter, not an object of keys
    const char* unit;    ///< "m", "N s/m", NULL for none
    const char* doc;     ///< one sentence
    double initial[6];   ///< default of numbers; ENUM: index of the word; BOOL: 0 or 1
    kai_range range;     ///< of each number
    const char* const* words;    ///< ENUM, WORDS: the words, ended by NULL; WORDS: at most 32, one
                                 ///< bit each, the first one is bit 0
    uint32_t rows_min, rows_max; ///< TABLE, LIST: how many rows are allowed; 0 0: one or more, or
                                 ///< none when not required
    uint32_t columns; ///< TABLE: numbers a row, 1: a plain list, or KAI_ANY_COLUMNS; BODY, SHAFT,
                      ///< MATERIAL, NODE, SOLID, VEC3, REAL: how many, 0: one
    const struct kai_kind* item; ///< LIST: description of one item
    kai_placing placing;         ///< in instances of templates
    uint32_t derivatives; ///< VALUE: how many of its derivatives in time are used, 0 to 2; signals
                          ///< that do not know theirs are refused
} kai_param;

/// A kai_param whose key is the name of its field. `type_` is the last word of a kai_param_type,
/// `instance` the C type of an instance; the other members follow as `.unit = "m"` and so on.
#define KAI_PARAM(type_, instance, field, ...)                                          \
    {                                                                                   \
        .name = #field, .type = KAI_PARAM_##type_, .offset = offsetof(instance, field), \
        __VA_ARGS__                                                                     \
    }

/// The same with another key than the name of the field.
#define KAI_PARAM_AS(key, type_, instance, field, ...)                                           \
    {                                                                                            \
        .name = key, .type = KAI_PARAM_##type_, .offset = offsetof(instance, field), __VA_ARGS__ \
    }

/// How large the structs of a table were when the program that holds it was compiled. Tables grow at
/// their end from version to version; with these numbers a library reads tables of programs that
/// were compiled for an older one, where slots that came later count as NULL or false.
typedef struct kai_kind_sizes {
    uint32_t table; ///< bytes of the family's table, such as sizeof(kai_load_kind)
    uint16_t head;  ///< sizeof(kai_kind)
    uint16_t param; ///< sizeof(kai_param)
} kai_kind_sizes;

/// The sizes of a table of that type, for its `kind`. Tables without them are refused
/// where they are registered.
#define KAI_SIZES(type) .sizes = {sizeof(type), sizeof(kai_kind), sizeof(kai_param)}

/// The part of a kind that every family has.
typedef struct kai_kind {
    kai_kind_sizes sizes;    ///< KAI_SIZES(type of the table); zeros in tables of the library's own
    const char* name;        ///< the word in scene files, unique in its family
    const char* doc;         ///< one or two sentences
    size_t size;             ///< bytes of one instance
    const kai_param* params; ///< [param_count]
    size_t param_count;
    /// Optional: rules that involve several parameters, or none when NULL. Called after each
    /// parameter passed on its own; writes a message that names the parameter, value and rule.
    kai_result (*check)(const void* instance, kai_error* err);
    bool hidden; ///< true: no word of scenes; other things of the engine make its instances
    /// Bytes at the start of an instance that users give, 0: all. What is behind them is the kind's
    /// own: hidden parameters, which start with their defaults. Calls that take parameters, and
    /// check(), get what is given; all other functions of a kind get instances.
    size_t given;
} kai_kind;

/// A kai_kind with instances of a C type and an array of parameters; the other members follow.
#define KAI_KIND(word, instance, params_, ...)                     \
    {                                                              \
        .name = word, .size = sizeof(instance), .params = params_, \
        .param_count = KAI_COUNT(params_), __VA_ARGS__             \
    }

// What follows from a description ----------------------------------------------------------------

/// Fills what users give of an instance (kind->given bytes, or kind->size) with the defaults.
KAI_API void kai_kind_defaults(const kai_kind* kind, void* instance);

/// Checks every parameter of an instance against its range, then kind->check. The message names the
/// kind, parameter, value and rule, such as "sphere: radius is -1 m; must be > 0".
KAI_API kai_result kai_kind_check(const kai_kind* kind, const void* instance, kai_error* err);

/// Checks the description itself, for kinds that come from outside: names present and unique,
/// offsets inside the instance, words for each enum, items for each list.
KAI_API kai_result kai_kind_validate(const kai_kind* kind, kai_error* err);

/// The parameter of that name (hidden ones excluded), or NULL.
KAI_API const kai_param* kai_kind_param(const kai_kind* kind, const char* name);

/// The visible parameter most like `name`, or NULL when none is near.
KAI_API const char* kai_kind_nearest_param(const kai_kind* kind, const char* name);

/// Bytes of a field of that type.
KAI_API size_t kai_kind_type_size(kai_param_type type);

/// How many fields of its type a parameter has in a row: 2 for the two bodies of a joint.
KAI_API size_t kai_kind_repeats(const kai_param* param);

/// Text of a type for messages, such as "three numbers".
KAI_API const char* kai_kind_type_text(kai_param_type type);

/// How many numbers in a row the field holds for types made of numbers (REAL 1, VEC3 and COLOR 3,
/// ROTATION 4, INERTIA 6, VALUE 1, VALUE3 3; else 0).
KAI_API size_t kai_kind_type_numbers(kai_param_type type);

/// Says a range in words, such as "must be > 0", into `out`.
KAI_API void kai_kind_range_text(const kai_range* range, char* out, size_t size);

#ifdef __cplusplus
}
#endif

#endif
