// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "families.h"

#include "control/block_list.h"
#include "fea/element_list.h"
#include "fea/solid_list.h"
#include "fea/structure_list.h"
#include "geometry/shape_list.h"
#include "math/function_list.h"
#include "model/joint_list.h"
#include "model/law_list.h"
#include "model/load_list.h"
#include "model/sampler_list.h"
#include "model/world.h"
#include "scene/sections.h"
#include "sense/sensor_list.h"

#include <kairos/contact_law.h>
#include <kairos/driveline.h>
#include <kairos/joint_nodes.h>
#include <kairos/signal.h>
#include <string.h>

// clang-format off
#define SHAPE(name)     &kai_shape_##name.kind,
#define FUNCTION(name)  &kai_function_##name.kind,
#define LAW(name)       &kai_contact_law_##name.kind,
#define SOLID(name)     &kai_solid_##name.kind,
#define ELEMENT(name)   &kai_element_##name.kind,
#define STRUCTURE(name) &kai_structure_##name.kind,
#define SENSOR(name)    &kai_sensor_##name.kind,
#define SAMPLER(name)   &kai_sampler_##name.kind,
#define BLOCK(name)     &kai_block_##name.kind,
// clang-format on

static const kai_world* loaded; // what plug-ins registered in it; NULL: none

void docs_families_of(const kai_world* world) { loaded = world; }

/// Kinds of a store of the loaded world, the built-in ones first; NULL beyond the last.
static const kai_kind* loaded_kind(size_t offset, size_t i)
{
    if (!loaded) return NULL;
    const kai_store* store = (const void*)((const char*)loaded + offset);
    return i < store->batch_count ? store->batches[i].kind : NULL;
}

#define FAMILY(call, LIST)                                                                  \
    const kai_kind* docs_##call(size_t i)                                                   \
    {                                                                                       \
        static const kai_kind* const KINDS[] = {LIST};                                      \
        return i < KAI_COUNT(KINDS) ? KINDS[i] : loaded_kind(offsetof(kai_world, call), i); \
    }
FAMILY(shapes, KAI_SHAPE_KINDS(SHAPE))
FAMILY(laws, KAI_CONTACT_LAW_KINDS(LAW))
FAMILY(solids, KAI_SOLID_KINDS(SOLID))
FAMILY(elements, KAI_ELEMENT_KINDS(ELEMENT) KAI_ELEMENT_LOAD_KINDS(ELEMENT))
FAMILY(structures, KAI_STRUCTURE_KINDS(STRUCTURE))
FAMILY(sensors, KAI_SENSOR_KINDS(SENSOR))
FAMILY(signals, KAI_BLOCK_KINDS(BLOCK))
FAMILY(samplers, KAI_SAMPLER_KINDS(SAMPLER))

const kai_kind* docs_functions(size_t i)
{
    static const kai_kind* const KINDS[] = {KAI_FUNCTION_KINDS(FUNCTION)};
    if (i < KAI_COUNT(KINDS)) return KINDS[i];
    return loaded_kind(offsetof(kai_world, functions) + offsetof(kai_function_set, store), i);
}

const kai_kind* docs_domains(size_t i)
{
    const kai_kind* kind;
    for (size_t k = 0; (kind = docs_shapes(k)) != NULL; k++)
        if (((const kai_shape_kind*)(const void*)kind)->depth && i-- == 0) return kind;
    return NULL;
}

static const kai_joint_kind* const JOINT_KINDS[] = {
#define JOINT_KIND_OF(name) &kai_joint_##name,
    KAI_JOINT_KINDS(JOINT_KIND_OF)
#undef JOINT_KIND_OF
};

static const kai_load_kind* const LOAD_KINDS[] = {
#define LOAD_KIND_OF(name) &kai_load_##name,
    KAI_LOAD_KINDS(LOAD_KIND_OF)
#undef LOAD_KIND_OF
};

// The i-th kind of a section, first among joints, then among loads.
static const kai_kind* kind_of_section(const char* section, size_t i)
{
    const size_t joints = offsetof(kai_world, joints), loads = offsetof(kai_world, loads);
    const kai_joint_kind* joint;
    const kai_load_kind* load;
    for (size_t k = 0; (joint = k < KAI_COUNT(JOINT_KINDS) ? JOINT_KINDS[k]
                                                           : (const void*)loaded_kind(joints, k));
         k++)
        if (strcmp(kai_sections_of_joint(joint), section) == 0 && i-- == 0) return &joint->kind;
    for (size_t k = 0;
         (load = k < KAI_COUNT(LOAD_KINDS) ? LOAD_KINDS[k] : (const void*)loaded_kind(loads, k));
         k++)
        if (strcmp(kai_sections_of_load(load), section) == 0 && i-- == 0) return &load->kind;
    return NULL;
}

const kai_kind* docs_joints(size_t i) { return kind_of_section("joints", i); }

const kai_kind* docs_motors(size_t i) { return kind_of_section("motors", i); }

const kai_kind* docs_loads(size_t i) { return kind_of_section("forces", i); }

const kai_kind* docs_couplings(size_t i) { return kind_of_section("driveline", i); }

const kai_kind* docs_integrators(size_t i)
{
    const kai_integrator_kind* kind = kai_integrator_built_in(i);
    return kind ? &kind->kind : NULL;
}

static const kai_param JOINT_BASE_PARAMS[] = {KAI_JOINT_PARAMS};

const kai_kind docs_joint_base = {.name = "joint",
                                  .doc = "Keys of every kind of joint.",
                                  .size = sizeof(kai_joint_base),
                                  .params = JOINT_BASE_PARAMS,
                                  .param_count = KAI_COUNT(JOINT_BASE_PARAMS)};
