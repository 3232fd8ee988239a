// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "measure/output_element.h"

#include "base/error.h"
#include "model/id.h"
#include "model/structures/structure.h"

#include <stdlib.h>
#include <string.h>

// Getters ----------------------------------------------------------------------------------------

/// Where in the element: ζ counts in its layer where one is given.
static kai_result output_element_place(kai_world* world, const kai_output_subject* s, double at[3],
                                       kai_error* err)
{
    memcpy(at, s->at, sizeof s->at);
    if (s->layer < 0) return KAI_OK;
    return kai_output_told(
        world, kai_element_layer_at(world, s->element, (size_t)s->layer, s->at[2], &at[2]), err);
}

static kai_result value_of(kai_world* world, const kai_output_subject* s, const char* name,
                           double* out, kai_error* err)
{
    double at[3];
    KAI_TRY(output_element_place(world, s, at, err));
    return kai_output_told(world, kai_element_result_at(world, s->element, name, at, out), err);
}

KAI_OUTPUT_GETTER(get_number)
{
    *out = (double)s->number;
    return KAI_OK;
}

KAI_OUTPUT_GETTER(get_position)
{
    double at[3];
    kai_element_sample sample = {0};
    KAI_TRY(output_element_place(world, s, at, err));
    KAI_TRY(kai_output_told(world, kai_element_sample_at(world, s->element, at, &sample), err));
    out[0] = sample.position.x;
    out[1] = sample.position.y;
    out[2] = sample.position.z;
    return KAI_OK;
}

// The table --------------------------------------------------------------------------------------

static const char* const TENSOR[] = {"xx", "yy", "zz", "yz", "xz", "xy"};
static const char* const PRINCIPAL[] = {"1", "2", "3"};
static const char* const PLANE[] = {"xx", "yy", "xy"};
static const char* const ACROSS[] = {"yz", "xz"};
static const char* const YZ[] = {"y", "z"};

// Names and labels are those of kai_element_result_of; lines have labels of their own for strain.
static const kai_output_table_item ELEMENT[] = {
    KAI_OUTPUT_REAL("number", "", "Number of the element in its structure, from 0.",
                    .get = get_number),
    KAI_OUTPUT_VEC3("position", "m", "Position of the evaluated point, world frame.",
                    .get = get_position),
    KAI_OUTPUT_REAL("energy", "J", "Energy stored in the element.", .get = NULL),
    KAI_OUTPUT_ITEM(
        "strain", "",
        "Green-Lagrange strain with engineering shear strains: of volumes in world axes, of shells in axes of the layer. Of lines: stretch, shear along y and z, twist, curvatures about y and z.",
        TENSOR, .get = NULL),
    KAI_OUTPUT_ITEM(
        "stress", "Pa",
        "Of volumes: Cauchy stress in world axes. Of shells: second Piola-Kirchhoff stress in axes of the layer.",
        TENSOR, .get = NULL),
    KAI_OUTPUT_REAL("von_mises", "Pa", "Von Mises equivalent stress.", .get = NULL),
    KAI_OUTPUT_ITEM("principal_stress", "Pa", "Principal stresses, the largest first.", PRINCIPAL,
                    .get = NULL),
    KAI_OUTPUT_REAL("mean_stress", "Pa",
                    "Of volumes: mean stress, a third of the trace of the stress.", .get = NULL),
    KAI_OUTPUT_ITEM(
        "membrane_force", "N/m",
        "Of shells: membrane force per length of the undeformed shell, in its material axes.",
        PLANE, .get = NULL),
    KAI_OUTPUT_ITEM("plate_moment", "N m/m",
                    "Of shells: bending moment per length about the middle surface, likewise.",
                    PLANE, .get = NULL),
    KAI_OUTPUT_ITEM("plate_shear", "N/m", "Of shells: transverse shear force per length, likewise.",
                    ACROSS, .get = NULL),
    KAI_OUTPUT_REAL("axial_force", "N", "Of lines: axial force; positive: tension.", .get = NULL),
    KAI_OUTPUT_ITEM(
        "shear_force", "N",
        "Of lines: shear force along y and z of the section; of a cable, which has no section, along its curvature and perpendicular to that.",
        YZ, .get = NULL),
    KAI_OUTPUT_REAL("twisting_moment", "N m", "Of lines: twisting moment.", .get = NULL),
    KAI_OUTPUT_ITEM(
        "bending_moment", "N m",
        "Of lines: bending moments about y and z of the section; of a cable, about its binormal (z).",
        YZ, .get = NULL),
};

const kai_output_table kai_output_element_table = {ELEMENT, KAI_COUNT(ELEMENT)};

// Kinds ------------------------------------------------------------------------------------------

const kai_element_kind* kai_output_element_kind(const kai_world* world, const kai_output_def* def)
{
    if (def->target == KAI_OUTPUT_ELEMENT) return kai_element_kind_of(world, def->element);
    return kai_element_kind_of(world, kai_structure_element_at(world, def->structure, 0));
}

static bool is_in_table(const char* name)
{
    for (size_t i = 0; i < KAI_COUNT(ELEMENT); i++)
        if (strcmp(ELEMENT[i].shown.name, name) == 0) return true;
    return false;
}

const kai_element_result* kai_output_element_own(const kai_element_kind* kind, int i)
{
    const kai_element_result* r;
    for (size_t k = 0; kind && i >= 0 && (r = kai_element_result_of(kind, k)) != NULL; k++)
        if (!is_in_table(r->name) && i-- == 0) return r;
    return NULL;
}

kai_result kai_output_element_result(kai_world* world, const kai_output_subject* s, int i,
                                     double* out, kai_error* err)
{
    const int count = kai_output_element_table.count;
    const kai_element_result* own =
        kai_output_element_own(kai_element_kind_of(world, s->element), i - count);
    if (i >= count && own == NULL)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "an element has no such quantity");
    return value_of(world, s, i < count ? ELEMENT[i].shown.name : own->name, out, err);
}

bool kai_output_element_offers(const kai_world* world, const kai_output_def* def, int i)
{
    const kai_element_kind* kind = kai_output_element_kind(world, def);
    if (kind == NULL || i < 0) return false;
    if (i >= kai_output_element_table.count)
        return kai_output_element_own(kind, i - kai_output_element_table.count) != NULL;
    if (ELEMENT[i].get == get_number) return true;
    if (ELEMENT[i].get == get_position) return kind->sample != NULL;
    const kai_element_result* r = kai_element_result_find(kind, ELEMENT[i].shown.name);
    return r != NULL && r->components == ELEMENT[i].shown.components;
}

// Checks -----------------------------------------------------------------------------------------

static kai_result check_place(const kai_world* world, const kai_output_def* def,
                              const kai_element_kind* kind, kai_error* err)
{
    for (int k = 0; k < 3; k++)
        if (!(fabs(def->at[k]) <= 1.0))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "output %s: its place in elements is [%g, %g, %g]; must be from "
                                 "-1 to 1",
                                 def->file.text, def->at[0], def->at[1], def->at[2]);
    if (def->layer < 0) return KAI_OK;
    const kai_element element = def->target == KAI_OUTPUT_ELEMENT
                                    ? def->element
                                    : kai_structure_element_at(world, def->structure, 0);
    const size_t layers = kai_element_layer_count(world, element);
    if ((size_t)def->layer >= layers)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "output %s: its layer is %lld; must be below %zu, the layers of that "
                             "%s",
                             def->file.text, (long long)def->layer, layers, kind->kind.name);
    return KAI_OK;
}

kai_result kai_output_element_check(const kai_world* world, const kai_output_def* def,
                                    kai_error* err)
{
    const char* file = def->file.text;
    if (def->target != KAI_OUTPUT_ELEMENT) {
        if (!kai_store_find(&world->structures, KAI_ID_OF(def->structure)))
            return kai_error_set(err, KAI_ERROR_ID, "output %s: its structure does not exist",
                                 file);
        if (def->set.text[0] && kai_structure_size(world, def->structure, def->set.text) == 0)
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "output %s: structure '%s' has no set '%s'", file,
                                 kai_structure_name(world, def->structure), def->set.text);
        if (def->target == KAI_OUTPUT_STRUCTURE) return KAI_OK;
    }
    const kai_element_kind* kind = kai_output_element_kind(world, def);
    if (kind == NULL)
        return kai_error_set(err, KAI_ERROR_ID, "output %s: its element does not exist", file);
    KAI_TRY(check_place(world, def, kind, err));
    for (uint32_t i = 0; i < def->quantity_count; i++)
        if (!kai_output_element_offers(world, def, def->quantities[i]))
            return kai_error_set(err, KAI_ERROR_ARGUMENT, "output %s: a %s has no %s", file,
                                 kind->kind.name,
                                 kai_output_quantity_of(world, def, def->quantities[i]).name);
    return KAI_OK;
}

size_t kai_output_element_number(const kai_world* world, const kai_output_def* def)
{
    if (def->target != KAI_OUTPUT_ELEMENT || KAI_IS_NULL(def->structure)) return 0;
    const size_t count = kai_structure_element_count(world, def->structure);
    for (size_t i = 0; i < count; i++) {
        const kai_element element = kai_structure_element_at(world, def->structure, i);
        if (KAI_ID_EQUALS(element, def->element)) return i;
    }
    return 0;
}

// Sets -------------------------------------------------------------------------------------------

kai_result kai_output_element_mark(const kai_world* world, const kai_output_def* def,
                                   uint8_t** inside, size_t* size, kai_error* err)
{
    *inside = NULL;
    *size = 0;
    if (def->set.text[0] == '\0') return KAI_OK;
    const size_t count = kai_structure_size(world, def->structure, def->set.text);
    for (size_t i = 0; i < count; i++) {
        const uint32_t index = kai_structure_index(world, def->structure, def->set.text, i);
        if (index >= *size) *size = (size_t)index + 1;
    }
    *inside = calloc(*size + 1, 1);
    if (*inside == NULL) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a set");
    for (size_t i = 0; i < count; i++)
        (*inside)[kai_structure_index(world, def->structure, def->set.text, i)] = 1;
    return KAI_OK;
}

bool kai_output_element_is_in(const kai_world* world, kai_element element, const uint8_t* inside,
                              size_t size)
{
    const kai_element_kind* kind = kai_element_kind_of(world, element);
    const kai_node* nodes = kai_element_params(world, element); // bodies look the same
    if (kind == NULL) return false;
    for (int k = 0; inside != NULL && k < kind->nodes; k++)
        if (nodes[k].index < size && inside[nodes[k].index]) return true;
    return inside == NULL;
}
