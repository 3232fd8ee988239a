// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Rules that every kind of every family keeps. A new kind comes under test by its line in the list
// of its family; nothing is to be added here.
#include "base/kind.h"
#include "fea/element_list.h"
#include "fea/solid_list.h"
#include "fea/structure_list.h"
#include "geometry/shape_list.h"
#include "helper.h"
#include "math/function_list.h"
#include "model/joint_list.h"
#include "model/law_list.h"
#include "model/load_list.h"
#include "step/integrator_list.h"

#include <kairos/kairos.h>
#include <stdlib.h>

static const kai_kind* const KINDS[] = {
#define FUNCTION_KIND(name)   &kai_function_##name.kind,
#define SHAPE_KIND(name)      &kai_shape_##name.kind,
#define LOAD_KIND(name)       &kai_load_##name.kind,
#define INTEGRATOR_KIND(name) &kai_integrator_##name.kind,
    KAI_FUNCTION_KINDS(FUNCTION_KIND) KAI_SHAPE_KINDS(SHAPE_KIND) KAI_LOAD_KINDS(LOAD_KIND)
            KAI_INTEGRATOR_KINDS(INTEGRATOR_KIND) &
        kai_body_kind,
    &kai_material_kind,
    &kai_shape_common,
};

static bool ends_with_full_stop(const char* text)
{
    const size_t n = text ? strlen(text) : 0;
    return n > 1 && text[n - 1] == '.';
}

static bool is_snake_case(const char* text)
{
    if (!(text[0] >= 'a' && text[0] <= 'z')) return false;
    for (; *text; text++)
        if (!((*text >= 'a' && *text <= 'z') || (*text >= '0' && *text <= '9') || *text == '_'))
            return false;
    return true;
}

// Calls fn for a kind and the items of its lists.
static void for_each(const kai_kind* kind, void (*fn)(const kai_kind*))
{
    fn(kind);
    for (size_t i = 0; i < kind->param_count; i++)
        if (kind->params[i].type == KAI_PARAM_LIST) for_each(kind->params[i].item, fn);
}

static void for_all(void (*fn)(const kai_kind*))
{
    for (size_t i = 0; i < KAI_COUNT(KINDS); i++) for_each(KINDS[i], fn);
}

static void check_valid(const kai_kind* kind)
{
    kai_error err = {0};
    if (kai_kind_validate(kind, &err) != KAI_OK) fail_msg("%s", err.message);
}

static void test_tables_are_whole(void** state) { for_all(check_valid); }

static void check_docs(const kai_kind* kind)
{
    // Kinds of one noun, or several joined by hyphens as interface files write them.
    char name[64];
    snprintf(name, sizeof name, "%s", kind->name);
    for (char* c = name; *c; c++)
        if (*c == '-') *c = '_';
    if (!is_snake_case(name)) fail_msg("%s is not lower case", kind->name);
    if (!ends_with_full_stop(kind->doc))
        fail_msg("%s: doc ends without full stop: %s", kind->name, kind->doc);
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        if (!is_snake_case(p->name))
            fail_msg("%s: %s is not lower snake_case", kind->name, p->name);
        if (!p->hidden && !ends_with_full_stop(p->doc))
            fail_msg("%s: %s: doc ends without full stop: %s", kind->name, p->name, p->doc);
    }
}

static void test_docs_are_sentences(void** state) { for_all(check_docs); }

static bool has_required(const kai_kind* kind)
{
    for (size_t i = 0; i < kind->param_count; i++)
        if (kind->params[i].required && !kind->params[i].hidden) return true;
    return false;
}

static void check_defaults(const kai_kind* kind)
{
    char instance[4096];
    kai_error err = {0};
    assert_true(kind->size <= sizeof instance);
    kai_kind_defaults(kind, instance);
    const kai_result r = kai_kind_check(kind, instance, &err);
    if (r != KAI_OK && !has_required(kind)) fail_msg("defaults are refused: %s", err.message);
}

static void test_defaults_pass(void** state) { for_all(check_defaults); }

// An instance in which every required parameter has some value that fits.
static void fill_required(const kai_kind* kind, char* instance)
{
    static const double rows[4] = {0.0, 0.25, 0.5, 0.75}; // as [x, y] or as a list; both increase
    static char items[8][512];
    static int used;
    uint32_t shafts = 0;
    kai_kind_defaults(kind, instance);
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        void* field = instance + p->offset;
        if (p->type == KAI_PARAM_JOINT) *(kai_joint*)field = (kai_joint){1, 0, 1};
        if (!p->required) continue;
        const double x = p->range.bounded ? fmin(p->range.min + 1.0, p->range.max) : 1.0;
        if (p->type == KAI_PARAM_TABLE) {
            static const double zeros[36];
            kai_table t = {rows, 4 / p->columns, p->columns};
            if (p->columns > 4) t = (kai_table){zeros, 1, p->columns};
            memcpy(field, &t, sizeof t);
        } else if (p->type == KAI_PARAM_LIST) {
            char* item = items[used++ % 8];
            assert_true(p->item->size <= sizeof items[0]);
            fill_required(p->item, item);
            const kai_list list = {item, 1};
            memcpy(field, &list, sizeof list);
        } else if (p->type == KAI_PARAM_BODY || p->type == KAI_PARAM_MATERIAL ||
                   p->type == KAI_PARAM_FUNCTION || p->type == KAI_PARAM_SHAFT) {
            // Shafts must differ; other ids need not.
            const kai_id id = {p->type == KAI_PARAM_SHAFT ? ++shafts : 1, 0, 1};
            for (size_t k = 0; k < kai_kind_repeats(p); k++) {
                ((kai_id*)field)[k] = id;
                ((kai_id*)field)[k].index += p->type == KAI_PARAM_SHAFT ? (uint32_t)k : 0;
            }
            shafts += (uint32_t)kai_kind_repeats(p);
        } else if (p->type == KAI_PARAM_VALUE || p->type == KAI_PARAM_VALUE3) {
            for (size_t k = 0; k < kai_kind_type_numbers(p->type); k++)
                ((kai_value*)field)[k] = kai_value_constant(x);
        } else {
            const size_t numbers = kai_kind_repeats(p) * kai_kind_type_numbers(p->type);
            for (size_t k = 0; k < numbers; k++) ((double*)field)[k] = x;
        }
    }
}

static double* number_of(const kai_param* p, char* field, size_t k)
{
    const bool value = p->type == KAI_PARAM_VALUE || p->type == KAI_PARAM_VALUE3;
    return value ? &((kai_value*)(void*)field)[k].constant : (double*)(void*)field + k;
}

static void check_refused(const kai_kind* kind, const kai_param* p, size_t k, double x)
{
    char instance[4096], expected[160];
    kai_error err = {0};
    fill_required(kind, instance);
    const kai_result before = kai_kind_check(kind, instance, &err);
    if (before != KAI_OK) fail_msg("a plain instance is refused: %s", err.message);
    *number_of(p, instance + p->offset, k) = x;
    if (kai_kind_check(kind, instance, &err) == KAI_OK)
        fail_msg("%s: %s takes %g", kind->name, p->name, x);
    check_error(err.code, KAI_ERROR_ARGUMENT);
    snprintf(expected, sizeof expected, "%s: %s is ", kind->name, p->name);
    if (strncmp(err.message, expected, strlen(expected)) != 0)
        fail_msg("the message does not begin with '%s': %s", expected, err.message);
    assert_non_null(strstr(err.message, "; must be "));
}

// Values just outside the range, and numbers that are none, in every place of every parameter.
static void check_limits(const kai_kind* kind)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        const kai_range* r = &p->range;
        if (p->hidden || p->type == KAI_PARAM_ENUM || p->type == KAI_PARAM_INT) continue;
        for (size_t k = 0; k < kai_kind_type_numbers(p->type); k++) {
            const double nothing =
                p->initial[k]; // what an optional number may be though out of range
            check_refused(kind, p, k, HUGE_VAL);
            check_refused(kind, p, k, -HUGE_VAL);
            if (!isnan(nothing)) check_refused(kind, p, k, nan(""));
            if (!r->bounded) continue;
            const double below = r->open_min ? r->min : nextafter(r->min, -HUGE_VAL);
            if (isfinite(r->min) && (p->required || below != nothing))
                check_refused(kind, p, k, below);
            if (isfinite(r->max)) check_refused(kind, p, k, nextafter(r->max, HUGE_VAL));
        }
    }
}

static void test_limits_are_kept(void** state) { for_all(check_limits); }

// Every word is found again, and a letter left out is guessed.
static void check_names(const kai_kind* kind)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        if (p->hidden) continue;
        assert_ptr_equal(kai_kind_param(kind, p->name), p);
        assert_string_equal(kai_kind_nearest_param(kind, p->name), p->name);
    }
}

static void test_names_are_found(void** state) { for_all(check_names); }

// What users give -------------------------------------------------------------------------------

/// The families that KINDS lacks: they have suites of their own.
static const kai_kind* const OTHERS[] = {
#define JOINT_KIND(name)     &kai_joint_##name.kind,
#define ELEMENT_KIND(name)   &kai_element_##name.kind,
#define SOLID_KIND(name)     &kai_solid_##name.kind,
#define STRUCTURE_KIND(name) &kai_structure_##name.kind,
#define LAW_KIND(name)       &kai_contact_law_##name.kind,
    KAI_JOINT_KINDS(JOINT_KIND) KAI_ELEMENT_KINDS(ELEMENT_KIND) KAI_ELEMENT_LOAD_KINDS(ELEMENT_KIND)
            KAI_SOLID_KINDS(SOLID_KIND) KAI_STRUCTURE_KINDS(STRUCTURE_KIND)
                KAI_CONTACT_LAW_KINDS(LAW_KIND) &
        kai_node_kind,
    &kai_shaft_kind,
};

/// Hidden parameters that lie in public structs: bases that kinds of users share, results that are
/// documented, and what only C can give.
static const char* const PUBLIC_HIDDEN[] = {
    "made",         "inner_a",      "inner_b", "bodies", // kai_joint_base
    "direction",                                         // kai_load_shaft_base
    "nodes",        "elements",     "sets",    "frames", // kai_structure_base
    "integral",     "force",                             // states and results
    "mask",         "lever",        "name",              // what only C gives
    "node_numbers", "cell_numbers", NULL};

static void check_given(const kai_kind* kind)
{
    kai_error err;
    if (kind->size == 0) return;
    check_valid(kind);
    void* given = malloc(kai_kind_given(kind)); // reading on would be found by the sanitizer
    void* whole = malloc(kind->size);
    assert_true(given && whole);
    kai_kind_defaults(kind, given);
    (void)kai_kind_check(kind, given, &err);
    kai_kind_take(kind, given, whole);
    free(given);
    free(whole);
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        bool allowed = !p->hidden || p->offset >= kai_kind_given(kind);
        for (size_t k = 0; !allowed && PUBLIC_HIDDEN[k]; k++)
            allowed = strcmp(PUBLIC_HIDDEN[k], p->name) == 0;
        if (!allowed) fail_msg("%s: %s is hidden, but in what users give", kind->name, p->name);
    }
}

static void test_users_give_parameters_only(void** state)
{
    for_all(check_given);
    for (size_t i = 0; i < KAI_COUNT(OTHERS); i++) for_each(OTHERS[i], check_given);
}

static void test_functions_of_tables(void** state)
{
#define FUNCTION_EVALUATES(name) assert_non_null((void*)(uintptr_t)kai_function_##name.evaluate);
#define LOAD_APPLIES(name)       assert_non_null((void*)(uintptr_t)kai_load_##name.apply);
#define INTEGRATOR_STEPS(name)   assert_non_null((void*)(uintptr_t)kai_integrator_##name.step);
    KAI_FUNCTION_KINDS(FUNCTION_EVALUATES)
    KAI_LOAD_KINDS(LOAD_APPLIES)
    KAI_INTEGRATOR_KINDS(INTEGRATOR_STEPS)
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables_are_whole),
        cmocka_unit_test(test_docs_are_sentences),
        cmocka_unit_test(test_defaults_pass),
        cmocka_unit_test(test_limits_are_kept),
        cmocka_unit_test(test_names_are_found),
        cmocka_unit_test(test_users_give_parameters_only),
        cmocka_unit_test(test_functions_of_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
