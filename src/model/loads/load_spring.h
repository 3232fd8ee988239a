// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A spring with its ends on the bodies, for those that draw it.
#ifndef MODEL_LOAD_SPRING_H
#define MODEL_LOAD_SPRING_H

#include <kairos/load.h>

typedef struct kai_load_spring_instance {
    kai_load_spring_params given;
    kai_vec3 inner[2]; // the ends in the principal frames
} kai_load_spring_instance;

#endif
