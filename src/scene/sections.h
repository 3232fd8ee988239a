// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Descriptions of the fixed parts of a scene file, in the same form as those of kinds. A key that a
// kai_param cannot describe (a list of bodies, say) is a kai_sections_key beside them. The schema and
// the reference page are made from the same descriptions by tools/gendocs, which has words for those
// keys (keys.c).
#ifndef SCENE_SECTIONS_H
#define SCENE_SECTIONS_H

#include <kairos/joint.h>
#include <kairos/output.h>

/// A key that is read by code of its own.
typedef struct kai_sections_key {
    const char* name;
    bool required;
} kai_sections_key;

/// One sort of object in a scene file: keys of one or more kinds, and keys of its own.
typedef struct kai_sections_part {
    const kai_kind* kind;         // may be NULL
    const kai_sections_key* keys; // [key_count]
    size_t key_count;
} kai_sections_part;

/// Keys of the whole scene.
typedef struct kai_sections_scene {
    int64_t kairos;
    kai_string name;
    kai_vec3 gravity;
    double end;
    int32_t analysis;
} kai_sections_scene;

/// A particle group.
typedef struct kai_sections_particles {
    kai_string name;
    kai_string file;
    kai_vec3 at;
    kai_quat rotation;
    double density;
    kai_material material;
    bool rotates;
} kai_sections_particles;

/// An output.
typedef struct kai_sections_output {
    double every;
    kai_string file;
} kai_sections_output;

/// The ray of an output.
typedef struct kai_sections_ray {
    kai_vec3 from, to, direction; // to, direction: NaN when not given
    double length;
    kai_body body;
} kai_sections_ray;

/// A point whose nearest surface an output writes.
typedef struct kai_sections_nearest {
    kai_vec3 at;
    double limit;
    kai_body body;
} kai_sections_nearest;

/// An element, elements of a structure or a structure that an output writes about.
typedef struct kai_sections_place {
    kai_string name;      // of an element by itself
    kai_string structure; // of the structure that it is in
    int64_t number;       // in it; -1: not given
    kai_string set;
    kai_vec3 at;
    int64_t layer;
} kai_sections_place;

/// What every joint, motor and load takes beside the keys of its kind.
typedef struct kai_sections_element {
    kai_string name;
} kai_sections_element;

/// A frame.
typedef struct kai_sections_frame {
    kai_vec3 at;
    kai_quat rotation;
} kai_sections_frame;

/// Rotations given as objects.
typedef struct kai_sections_axis_angle {
    kai_vec3 axis;
    double angle;
} kai_sections_axis_angle;

typedef struct kai_sections_euler {
    kai_vec3 euler;
    int32_t order; // into kai_sections_orders
} kai_sections_euler;

extern const kai_sections_part kai_sections_scene_part;
extern const kai_sections_part kai_sections_include_part;
extern const kai_sections_part kai_sections_body_part;
extern const kai_sections_part kai_sections_shape_part;
extern const kai_sections_part kai_sections_particles_part;
extern const kai_sections_part kai_sections_sampler_part; ///< of particles
extern const kai_sections_part kai_sections_domain_part;  ///< of a sampler
extern const kai_sections_part kai_sections_load_part;
extern const kai_sections_part kai_sections_joint_part;
extern const kai_sections_part kai_sections_motor_part;
extern const kai_sections_part kai_sections_coupling_part;
extern const kai_sections_part kai_sections_sensor_part;
extern const kai_sections_part kai_sections_signal_part;
extern const kai_sections_part kai_sections_item_part;    ///< of sections of a program's own
extern const kai_sections_part kai_sections_measure_part; ///< of a signal that measures
extern const kai_sections_part kai_sections_output_part;
extern const kai_sections_part kai_sections_stop_part;
extern const kai_sections_part kai_sections_integrator_part;
extern const kai_sections_part kai_sections_law_part;

extern const kai_kind kai_sections_axis_angle_kind;
extern const kai_kind kai_sections_euler_kind;
extern const kai_kind kai_sections_frame_kind;
extern const kai_kind
    kai_sections_load_kind; // what a load takes beside its kind, and so for three more
extern const kai_kind kai_sections_joint_kind;
extern const kai_kind kai_sections_shaft_kind;
extern const kai_kind kai_sections_signal_kind;
extern const kai_kind kai_sections_event_kind;
extern const kai_kind kai_sections_coupling_kind;
extern const kai_kind kai_sections_sensor_kind;
extern const kai_kind kai_sections_item_kind;
extern const kai_kind kai_sections_ray_kind;
extern const kai_kind kai_sections_nearest_kind;
extern const kai_kind kai_sections_one_element_kind; ///< of kai_sections_place, and so for two more
extern const kai_kind kai_sections_all_elements_kind;
extern const kai_kind kai_sections_whole_kind;

/// The list of scene files in which a kind stands.
const char* kai_sections_of_joint(const kai_joint_kind* kind);
const char* kai_sections_of_load(const kai_load_kind* kind);

/// What a parameter is, in words: "three numbers", "a list of 2, each the name of a body".
void kai_sections_type_text(const kai_param* param, char* out, size_t size);

/// True for a table with as many rows as columns, which may be given by its diagonal.
bool kai_sections_is_square(const kai_param* param);

/// How many rows a table or list must have at least.
uint32_t kai_sections_rows_min(const kai_param* param);

/// The twelve orders of Euler angles, ended by NULL.
extern const char* const kai_sections_orders[];

#endif
