// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "view/manifest.h"

#include "view/json.h"

#include <jansson.h>
#include <kairos/info.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 100, TEXT_MOST = 2 << 20 };

// The scene as people read it; one that is too long to be read is cut.
static void add_scene(const kai_manifest* m, kai_text* to)
{
    kai_text text = {0};
    const char* scene = m->scene_text != NULL ? m->scene_text : "";
    const size_t size = strlen(scene);
    kai_json_layout(&text, scene, size < TEXT_MOST ? size : TEXT_MOST, WIDTH);
    if (size > TEXT_MOST) kai_text_add(&text, "\n… %zu bytes more", size - TEXT_MOST);
    to->failed = to->failed || text.failed;
    kai_text_add(to, ",\"scene_text\":");
    kai_json_bytes(to, text.data != NULL ? text.data : "", text.size);
    kai_text_free(&text);
}

// run.json, and its warnings once more where the page looks for them.
static void add_summary(const kai_manifest* m, kai_text* to)
{
    json_t* root = m->summary != NULL ? json_loads(m->summary, 0, NULL) : NULL;
    char* whole = root != NULL ? json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    const json_t* list = json_object_get(root, "warnings");
    char* warnings = json_is_array(list) ? json_dumps(list, JSON_COMPACT) : NULL;
    const char *summary = whole != NULL ? whole : "{}", *told = warnings != NULL ? warnings : "[]";
    kai_text_add(to, ",\"summary\":");
    kai_json_raw(to, summary, strlen(summary));
    kai_text_add(to, ",\"warnings\":");
    kai_json_raw(to, told, strlen(told));
    free(whole);
    free(warnings);
    json_decref(root);
}

// Against gravity, along the nearest axis.
static kai_vec3 up_of(kai_vec3 g)
{
    const double most = kai_vec3_max_abs(g);
    if (!(most > 0.0)) return kai_vec3_make(0.0, 0.0, 1.0);
    if (fabs(g.z) == most) return kai_vec3_make(0.0, 0.0, g.z > 0.0 ? -1.0 : 1.0);
    if (fabs(g.y) == most) return kai_vec3_make(0.0, g.y > 0.0 ? -1.0 : 1.0, 0.0);
    return kai_vec3_make(g.x > 0.0 ? -1.0 : 1.0, 0.0, 0.0);
}

static void add_point(kai_text* to, const char* key, kai_vec3 v)
{
    kai_text_add(to, "\"%s\":", key);
    if (isfinite(v.x))
        kai_json_vec3(to, v);
    else
        kai_text_add(to, "null");
}

static void add_view(const kai_manifest* m, kai_text* to)
{
    const kai_view_def* view = m->view;
    kai_text_add(to, ",\"view\":{");
    add_point(to, "camera", view->camera);
    kai_text_add(to, ",");
    add_point(to, "target", view->target);
    kai_text_add(to, ",\"follow\":");
    kai_json_string(to, KAI_IS_NULL(view->follow) ? NULL : kai_body_name(m->world, view->follow));
    kai_text_add(to, ",\"frame_rate\":");
    kai_json_number(to, view->frame_rate);
    kai_text_add(to, ",\"budget\":");
    kai_json_number(to, view->budget);
    kai_text_add(to, "}");
}

void kai_manifest_write(const kai_manifest* m, kai_text* to)
{
    const kai_vec3 gravity = kai_world_gravity(m->world);
    kai_text_add(to, "\"kairos\":1,\"version\":");
    kai_json_string(to, kai_info_version());
    kai_text_add(to, ",\"name\":");
    kai_json_string(to, m->name != NULL ? m->name : "");
    kai_text_add(to, ",\"live\":%s", m->live ? "true" : "false");
    add_scene(m, to);
    add_summary(m, to);
    kai_text_add(to, ",\"gravity\":");
    kai_json_vec3(to, gravity);
    kai_text_add(to, ",\"up\":");
    kai_json_vec3(to, up_of(gravity));
    add_view(m, to);
}
