// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/start.h"

#include "base/hash.h"
#include "model/world.h"
#include "record/checkpoint.h"
#include "record/file.h"
#include "scene/paths.h"
#include "scene/reader.h"

#include <kairos/log.h>
#include <stdlib.h>
#include <string.h>

static const kai_param PARAMS[] = {
    KAI_PARAM(STRING, kai_start_keys, file, .required = true,
              .doc = "checkpoint.h5 of a run, or a file that kai_world_save wrote."),
    KAI_PARAM(BOOL, kai_start_keys, keep_time,
              .doc = "false: bodies, shafts, nodes and states take the state of those of the same "
                     "name, and time begins at 0. true: the run of the file goes on, with the same "
                     "bits as if it had not ended there; the scene must be the same but for end, "
                     "outputs, stop, checks, trajectory, view, name and description."),
};

const kai_kind kai_start_kind =
    KAI_KIND("start", kai_start_keys, PARAMS, .doc = "The saved world that the scene begins with.");

// Where it is asked for.
typedef struct source {
    const kai_document_node* node; // NULL: by the program
    const char* path;
    bool keep_time;
} source;

static void report(kai_builder* builder, const source* s, kai_result code, const char* text)
{
    kai_reader* reader = &builder->reader;
    if (code == KAI_ERROR_MEMORY)
        reader->document->failed = true;
    else if (s->node)
        kai_reader_report(reader, s->node, "%s", text);
    else
        kai_problems_add(reader->problems, code, 0, 0, "%s", text);
}

static void log_taken(kai_builder* builder, const source* s, const kai_world* from,
                      const kai_world_taken* t)
{
    kai_world* world = builder->reader.world;
    kai_world_log(
        world, KAI_LOG_INFO,
        "start: the state of %zu bodies, %zu shafts, %zu nodes and %zu states is that of %s "
        "at t = %.9g s",
        t->bodies, t->shafts, t->nodes, t->states, s->path, kai_world_time(from));
    if (t->missing > 0)
        kai_world_log(
            world, KAI_LOG_INFO,
            "start: not in that file, or another number there: '%s'%s%.0zu%s; begins as the "
            "scene says",
            t->first_missing.text, t->missing > 1 ? " and " : "", t->missing - 1,
            t->missing > 1 ? " more" : "");
    if (t->left > 0)
        kai_world_log(world, KAI_LOG_INFO, "start: not in the scene: '%s'%s%.0zu%s",
                      t->first_left.text, t->left > 1 ? " and " : "", t->left - 1,
                      t->left > 1 ? " more" : "");
}

static kai_result take_by_name(kai_builder* builder, const source* s, const kai_scene_def* def,
                               kai_error* err)
{
    kai_world* from = NULL;
    kai_world_taken taken;
    KAI_TRY(kai_world_load(&def->world, s->path, &from, err));
    const kai_result r = kai_world_take(builder->reader.world, from, &taken);
    if (r == KAI_OK)
        log_taken(builder, s, from, &taken);
    else
        *err = *kai_world_error(builder->reader.world);
    kai_world_destroy(from);
    return r;
}

// All of it, what contacts remember too.
static kai_result take_all(kai_builder* builder, const source* s, uint64_t model, kai_error* err)
{
    kai_checkpoint_run run;
    KAI_TRY(kai_checkpoint_read_run(&run, s->path, err));
    free(run.outputs);
    if (run.model_hash != model)
        return kai_error_set(err, KAI_ERROR_FORMAT,
                             "%s is of another scene; without keep_time it can be begun with",
                             s->path);
    return kai_checkpoint_read(builder->reader.world, NULL, s->path, err);
}

// What is in the file is part of the scene: a resumed run must begin with the same.
static kai_result hash_file(kai_builder* builder, const source* s, kai_error* err)
{
    char* bytes = NULL;
    size_t size = 0;
    const kai_result r = kai_paths_load(s->path, SIZE_MAX - 2, &bytes, &size, err);
    if (r != KAI_OK) {
        kai_error_prefix(err, "%s", s->path);
        return r;
    }
    builder->hash = kai_hash_bytes(builder->hash, bytes, size);
    free(bytes);
    return KAI_OK;
}

static void apply(kai_builder* builder, const source* s, const kai_scene_def* def, uint64_t model)
{
    kai_error err = {0};
    kai_result r = hash_file(builder, s, &err);
    if (r == KAI_OK && s->keep_time) r = take_all(builder, s, model, &err);
    if (r == KAI_OK && !s->keep_time) r = take_by_name(builder, s, def, &err);
    if (r != KAI_OK) report(builder, s, r, err.message);
}

// The key: the name of a file, or an object.
static void apply_key(kai_builder* builder, const kai_document_node* node, const kai_scene_def* def,
                      uint64_t model)
{
    kai_start_keys keys;
    const kai_document_node* file = node;
    kai_paths_file opened;
    kai_kind_defaults(&kai_start_kind, &keys);
    if (node->kind == KAI_DOCUMENT_OBJECT) {
        if (!kai_reader_instance(&builder->reader, node, &kai_start_kind, &keys)) return;
        file = kai_document_get(node, "file");
    } else if (node->kind != KAI_DOCUMENT_STRING) {
        kai_reader_wrong(&builder->reader, node, "the name of a file, or an object");
        return;
    }
    if (!kai_builder_open(builder, file, &opened)) return;
    const source s = {file, opened.real, keys.keep_time};
    apply(builder, &s, def, model);
    kai_paths_close(&opened);
}

void kai_start_apply(kai_builder* builder, const kai_document_node* root, const kai_scene_def* def,
                     uint64_t model)
{
    const kai_document_node* node = kai_document_get(root, "start");
    if (builder->reader.problems->count > 0) return;
    if (def->start != NULL) {
        const source s = {NULL, def->start, false};
        apply(builder, &s, def, model);
    } else if (node) {
        apply_key(builder, node, def, model);
    }
}
