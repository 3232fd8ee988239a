// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Opening a scene: text → document → includes → overrides → world.
#include "base/check.h"
#include "base/hash.h"
#include "record/file.h"
#include "scene/builder.h"
#include "scene/include.h"
#include "scene/language/spelled.h"
#include "scene/paths.h"
#include "scene/pointer.h"
#include "scene/start.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t COOKIE = UINT64_C(0x4b41494f53534345);

struct kai_scene {
    kai_problems problems;
    kai_world* world;
    kai_scene_settings settings;
    kai_output_def* outputs; // [output_count]
    size_t output_count;
    kai_text text; // resolved document
    uint64_t hash, model_hash;
};

kai_scene_def kai_scene_def_default(void)
{
    return (kai_scene_def){.cookie = COOKIE, .world = kai_world_def_default()};
}

// Reading ----------------------------------------------------------------------------------------

// The text of the main file, which the caller frees; NULL after a report.
static char* read_main(const kai_scene_def* def, kai_document* document, kai_problems* problems,
                       size_t* size, char** real)
{
    kai_paths_file file;
    char* text = NULL;
    kai_result r = kai_paths_open_main(def->path, &file, problems);
    if (r == KAI_OK) {
        r = kai_file_read(file.fd, KAI_DOCUMENT_BYTES, &text, size);
        if (r == KAI_ERROR_FILE)
            kai_problems_add(problems, r, 0, 0, "%s: cannot be read", def->path);
        if (r == KAI_ERROR_LIMIT)
            kai_problems_add(problems, r, 0, 0, "%s: the files of a scene have more than 256 MiB",
                             def->path);
        *real = file.real;
        file.real = NULL;
        kai_document_add_file(document, def->path, file.folder, false);
        kai_paths_close(&file);
    }
    if (r == KAI_ERROR_MEMORY) document->failed = true;
    return r == KAI_OK ? text : NULL;
}

// A template that is opened as a scene: what its preview gives comes first.
static kai_document_node* add_preview(kai_document* document, kai_document_node* root)
{
    const kai_document_node* self = kai_document_get(root, "template");
    const kai_document_node* preview = self ? kai_document_get(self, "preview") : NULL;
    if (!preview || preview->kind != KAI_DOCUMENT_OBJECT) return root;
    kai_document_node* base = kai_document_copy(document, preview);
    if (!base) return root;
    base->key = NULL;
    base->next = NULL;
    kai_include_merge(document, base, root);
    return base;
}

// The resolved root: includes and overrides applied. NULL after a report.
static kai_document_node* read_document(const kai_scene_def* def, kai_include* include)
{
    kai_document* document = include->document;
    kai_problems* problems = include->problems;
    char *owned = NULL, *real = NULL;
    const char* text = def->text;
    size_t size = def->text_size;
    if (text) {
        char* folder = kai_paths_folder(def->path ? def->path : "scene");
        kai_document_add_file(document, def->path ? def->path : "scene", folder, false);
        free(folder);
        if (size > KAI_DOCUMENT_BYTES)
            kai_problems_add(problems, KAI_ERROR_LIMIT, 0, 0,
                             "the text of the scene has more than 256 MiB");
    } else {
        text = owned = read_main(def, document, problems, &size, &real);
    }
    kai_document_node* root = NULL;
    if (text && problems->count == 0) root = kai_document_parse(document, 0, text, size, problems);
    free(owned);
    if (root && root->kind != KAI_DOCUMENT_OBJECT) {
        kai_document_report(document, problems, root, false, "a scene must be an object");
        root = NULL;
    }
    include->bytes = size;
    if (root) root = kai_include_resolve(include, root, real);
    if (root) root = add_preview(document, root);
    free(real);
    for (size_t i = 0; root && i < def->set_count; i++)
        kai_pointer_apply(document, root, def->sets[i], problems);
    return document->failed ? NULL : root;
}

static kai_result create_world(const kai_scene_def* def, kai_scene* scene)
{
    kai_error err = {0};
    const kai_result r = kai_world_create(&def->world, &scene->world, &err);
    if (r != KAI_OK) kai_problems_add(&scene->problems, r, 0, 0, "%s", err.message);
    return r;
}

// Whether a key is part of what the world is made of.
static bool is_of_model(const char* key)
{
    static const char* const OTHERS[] = {"end",        "start", "stop", "outputs",    "checks",
                                         "trajectory", "view",  "name", "description"};
    for (size_t i = 0; i < KAI_COUNT(OTHERS); i++)
        if (strcmp(key, OTHERS[i]) == 0) return false;
    return true;
}

// Text and hash of the scene spelled out: without parameters, with the things of all instances. A
// run that goes on may have another "end", so that key does not count. False when memory ran out.
static bool keep_text(kai_scene* scene, const kai_builder* builder)
{
    const kai_instances* instances = &builder->instances;
    const uint64_t tables = builder->hash;
    kai_text* text = &scene->text;
    scene->hash = kai_hash_bytes(KAI_HASH_START, &tables, sizeof tables);
    scene->model_hash = scene->hash;
    kai_text_add_bytes(text, "{", 1);
    kai_spelled_key key = {0};
    while (kai_spelled_next(instances, &builder->scene, &key) && !text->failed) {
        if (text->size > 1) kai_text_add_bytes(text, ",", 1);
        const size_t begin = text->size;
        kai_spelled_write(instances, &key, text);
        if (text->failed || strcmp(key.name, "end") == 0) continue;
        scene->hash = kai_hash_bytes(scene->hash, text->data + begin, text->size - begin);
        if (is_of_model(key.name))
            scene->model_hash =
                kai_hash_bytes(scene->model_hash, text->data + begin, text->size - begin);
    }
    kai_text_add_bytes(text, "}", 1);
    return !text->failed;
}

static bool scene_build(const kai_scene_def* def, kai_scene* scene, kai_document* document)
{
    kai_include include = {
        .document = document, .problems = &scene->problems, .allow_outside = def->allow_outside};
    const kai_document_node* root = read_document(def, &include);
    if (!root || create_world(def, scene) != KAI_OK) return !document->failed;
    kai_builder builder;
    kai_builder_init(&builder, scene->world, &include);
    kai_builder_run(&builder, root);
    scene->settings = builder.settings;
    scene->outputs = builder.outputs;
    scene->output_count = builder.output_count;
    builder.outputs = NULL;
    const bool ok = keep_text(scene, &builder);
    const uint64_t tables = builder.hash;
    kai_start_apply(&builder, root, def, scene->model_hash);
    if (builder.hash != tables)
        scene->hash = kai_hash_bytes(scene->hash, &builder.hash, sizeof builder.hash);
    kai_builder_free(&builder);
    return ok && !document->failed;
}

// Calls ------------------------------------------------------------------------------------------

static void out_of_memory(const kai_document* document, kai_error* err)
{
    char limit[24];
    kai_memory_text((double)kai_document_limit(document), limit);
    if (document->why[0])
        kai_error_set(err, KAI_ERROR_MEMORY, "%s", document->why);
    else
        kai_error_set(err, KAI_ERROR_MEMORY,
                      "kai_scene_open: out of memory; the limit of memory is %s (--memory)", limit);
}

kai_result kai_scene_open(const kai_scene_def* def, kai_scene** out, kai_error* err)
{
    KAI_CLEAR(out);
    KAI_GIVEN(err, def, out);
    if (def->cookie != COOKIE)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_scene_open: def was not made by kai_scene_def_default()");
    if (!def->path && !def->text)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_scene_open: def has neither path nor text");
    kai_scene* scene = calloc(1, sizeof *scene);
    kai_document document = {.limit = def->world.memory_limit};
    bool ok = scene && scene_build(def, scene, &document);
    if (ok && scene->problems.code == KAI_ERROR_MEMORY) ok = false;
    if (!ok) {
        kai_scene_close(scene);
        out_of_memory(&document, err);
        kai_document_free(&document);
        return KAI_ERROR_MEMORY;
    }
    kai_document_free(&document);
    *out = scene;
    if (scene->problems.count == 0) return KAI_OK;
    kai_problems_finish(&scene->problems);
    kai_world_destroy(scene->world);
    scene->world = NULL;
    if (err && scene->problems.kept > 0) *err = scene->problems.list[0];
    const bool file = scene->problems.code == KAI_ERROR_FILE;
    return file ? KAI_ERROR_FILE : KAI_ERROR_FORMAT;
}

void kai_scene_close(kai_scene* scene)
{
    if (!scene) return;
    kai_world_destroy(scene->world);
    kai_problems_free(&scene->problems);
    kai_text_free(&scene->text);
    free(scene->outputs);
    free(scene);
}

size_t kai_scene_problem_count(const kai_scene* scene)
{
    KAI_GIVEN_OR(0, scene);
    return scene->problems.kept;
}

const kai_error* kai_scene_problem(const kai_scene* scene, size_t i)
{
    KAI_GIVEN_OR(NULL, scene);
    return i < scene->problems.kept ? &scene->problems.list[i] : NULL;
}

kai_world* kai_scene_world(const kai_scene* scene)
{
    KAI_GIVEN_OR(NULL, scene);
    return scene->world;
}

const kai_scene_settings* kai_scene_get_settings(const kai_scene* scene)
{
    KAI_GIVEN_OR(NULL, scene);
    return &scene->settings;
}

size_t kai_scene_output_count(const kai_scene* scene)
{
    KAI_GIVEN_OR(0, scene);
    return scene->output_count;
}

const kai_output_def* kai_scene_output(const kai_scene* scene, size_t i)
{
    KAI_GIVEN_OR(NULL, scene);
    return i < scene->output_count ? &scene->outputs[i] : NULL;
}

uint64_t kai_scene_hash(const kai_scene* scene)
{
    KAI_GIVEN_OR(0, scene);
    return scene->hash;
}

uint64_t kai_scene_model_hash(const kai_scene* scene)
{
    KAI_GIVEN_OR(0, scene);
    return scene->model_hash;
}

const char* kai_scene_text(const kai_scene* scene)
{
    KAI_GIVEN_OR(NULL, scene);
    return scene->text.data ? scene->text.data : "";
}
