// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Ids: small values that name an object of a world. Zero is "none". An id stays valid until its
// object is destroyed; afterwards, or in another world, calls answer KAI_ERROR_ID.
#ifndef KAIROS_ID_H
#define KAIROS_ID_H

#include <stdbool.h>
#include <stdint.h>

/// All ids have this layout. `index` is one-based so that an all-zero id is null.
#define KAI_ID_FIELDS                                                      \
    uint32_t index;      /* 1 + place in the world's table, 0 = none */    \
    uint16_t generation; /* counts how often that place was used before */ \
    uint16_t world;      /* tag of the world that made it */

/// Any id, where the type of the object is known otherwise.
typedef struct kai_id {
    KAI_ID_FIELDS
} kai_id;

/// A rigid body.
typedef struct kai_body {
    KAI_ID_FIELDS
} kai_body;

/// A shape fixed to a body.
typedef struct kai_shape {
    KAI_ID_FIELDS
} kai_shape;

/// A surface and bulk material.
typedef struct kai_material {
    KAI_ID_FIELDS
} kai_material;

/// What two materials are together.
typedef struct kai_material_pair {
    KAI_ID_FIELDS
} kai_material_pair;

/// A contact law of the penalty method.
typedef struct kai_contact_law {
    KAI_ID_FIELDS
} kai_contact_law;

/// A load (force element).
typedef struct kai_load {
    KAI_ID_FIELDS
} kai_load;

/// A joint between two bodies.
typedef struct kai_joint {
    KAI_ID_FIELDS
} kai_joint;

/// A shaft: one turning coordinate.
typedef struct kai_shaft {
    KAI_ID_FIELDS
} kai_shaft;

/// States of a user's own: y' = f(t, y, world).
typedef struct kai_state {
    KAI_ID_FIELDS
} kai_state;

/// A sensor.
typedef struct kai_sensor {
    KAI_ID_FIELDS
} kai_sensor;

/// A node of finite elements.
typedef struct kai_node {
    KAI_ID_FIELDS
} kai_node;

/// What finite elements are made of.
typedef struct kai_solid {
    KAI_ID_FIELDS
} kai_solid;

/// A finite element.
typedef struct kai_element {
    KAI_ID_FIELDS
} kai_element;

/// A mesh of finite elements, with names for parts of it.
typedef struct kai_structure {
    KAI_ID_FIELDS
} kai_structure;

/// A function of one variable, mostly of time.
typedef struct kai_function {
    KAI_ID_FIELDS
} kai_function;

/// A signal: a number that is found from the world and other signals.
typedef struct kai_signal {
    KAI_ID_FIELDS
} kai_signal;

/// What happens when a signal crosses a value.
typedef struct kai_event {
    KAI_ID_FIELDS
} kai_event;

/// A group of particles.
typedef struct kai_particles {
    KAI_ID_FIELDS
} kai_particles;

/// True for the null id of any type.
#define KAI_IS_NULL(id) ((id).index == 0)

/// True when two ids of the same type name the same object.
#define KAI_ID_EQUALS(a, b) \
    ((a).index == (b).index && (a).generation == (b).generation && (a).world == (b).world)

#endif
