// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Vertices are encoded as movers without rotations are, with the same origin and step: planes.h.

#include "model/render_mesh.h"
#include "view/codec.h"
#include "view/field_pack.h"
#include "view/json.h"
#include "view/page_parts.h"
#include "view/planes.h"

#include <stdlib.h>

enum { BLOCK_VALUES = 1 << 21 };

static kai_result no_memory(kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for the meshes of the page");
}

static kai_result add_corners(kai_text* to, const char* key, const uint32_t* corners, size_t count,
                              size_t each, kai_chunks* chunks, kai_error* err)
{
    size_t chunk;
    if (count == 0) return KAI_OK;
    KAI_TRY(kai_chunks_pack(chunks, corners, count * each * sizeof *corners, &chunk, err));
    kai_text_add(to, ",\"%s\":{\"chunk\":%zu,\"count\":%zu}", key, chunk, count);
    return KAI_OK;
}

bool kai_page_render_meshes_describe(const kai_world* world, kai_chunks* chunks, kai_text* to,
                                     kai_result* result, kai_error* err)
{
    const size_t count = kai_render_mesh_count(world);
    *result = KAI_OK;
    if (count == 0) return false;
    kai_text_add(to, ",\"skins\":{\"vertices\":%zu,\"meshes\":[", kai_render_mesh_vertices(world));
    for (size_t k = 0; *result == KAI_OK && k < count; k++) {
        kai_render_mesh m;
        kai_render_mesh_describe(world, k, &m);
        kai_text_add(to, "%s{\"name\":", k > 0 ? "," : "");
        kai_json_string(to, m.name);
        kai_text_add(to, ",\"vertices\":%zu", m.vertex_count);
        if (m.color) {
            kai_text_add(to, ",\"color\":");
            kai_json_vec3(to, *m.color);
        }
        *result = add_corners(to, "triangles", m.triangles, m.triangle_count, 3, chunks, err);
        if (*result == KAI_OK)
            *result = add_corners(to, "lines", m.lines, m.line_count, 2, chunks, err);
        if (*result == KAI_OK && m.elements != NULL)
            *result = add_corners(to, "elements", m.elements, m.triangle_count + m.line_count, 1,
                                  chunks, err);
        kai_text_add(to, "}");
    }
    kai_text_add(to, "]");
    return true;
}

// Frames -----------------------------------------------------------------------------------------

static kai_result page_render_meshes_encode(const kai_frames_plan* p, kai_planes* planes,
                                            size_t block, kai_chunks* chunks, kai_text* to,
                                            double* position, kai_error* err)
{
    const size_t frames = kai_frames_plan_count(p);
    kai_result r = KAI_OK;
    const kai_trajectory_places places = {
        .count = kai_render_mesh_vertices(p->world), .doubles = true, .position = position};
    for (size_t first = 0; r == KAI_OK && first < frames; first += block) {
        const size_t count = frames - first < block ? frames - first : block;
        for (size_t k = first; r == KAI_OK && k < first + count; k++) {
            r = kai_frames_plan_vertices(p, k, position, err);
            if (r == KAI_OK) r = kai_planes_add(planes, &places, NULL, err);
        }
        if (r == KAI_OK) r = kai_frames_plan_end_block(planes, first, count, chunks, to, err);
    }
    return r;
}

kai_result kai_page_render_meshes_write(const kai_frames_plan* p, kai_chunks* chunks, kai_text* to,
                                        kai_error* err)
{
    kai_result r;
    if (!kai_page_render_meshes_describe(p->world, chunks, to, &r, err)) return KAI_OK;
    const size_t vertices = kai_render_mesh_vertices(p->world), frames = kai_frames_plan_count(p);
    const size_t block = kai_codec_block(BLOCK_VALUES, vertices, frames);
    const kai_planes_def def = {.movers = vertices,
                                .frames = block,
                                .step = p->step,
                                .origin = p->origin,
                                .threads = p->threads};
    kai_planes* planes = NULL;
    double* position = malloc((3 * vertices + 1) * sizeof *position);
    if (r == KAI_OK && position == NULL) r = no_memory(err);
    if (r == KAI_OK) r = kai_planes_make(&planes, &def, err);
    kai_text_add(to, ",\"blocks\":[");
    if (r == KAI_OK) r = page_render_meshes_encode(p, planes, block, chunks, to, position, err);
    kai_text_add(to, "]}");
    kai_planes_free(planes);
    free(position);
    return r;
}

// Fields -----------------------------------------------------------------------------------------

// One field of a mesh over all frames. `numbers` is room for its vertices.
static kai_result add_field(const kai_frames_plan* p, size_t mesh, size_t field,
                            kai_field_pack* pack, double* numbers, kai_chunks* chunks, kai_text* to,
                            kai_error* err)
{
    const size_t frames = kai_frames_plan_count(p);
    kai_result r = KAI_OK;
    for (size_t k = 0; r == KAI_OK && k < frames; k++) {
        r = kai_frames_plan_field(p, k, mesh, field, numbers, err);
        float* out = kai_field_pack_next(pack);
        for (size_t i = 0; i < pack->count; i++) out[i] = (float)numbers[i];
        if (r == KAI_OK && (kai_field_pack_is_full(pack) || k + 1 == frames))
            r = kai_field_pack_end(pack, chunks, to, err);
    }
    kai_field_pack_finish(pack, to);
    return r;
}

kai_result kai_page_render_meshes_fields(const kai_frames_plan* p, bool first, kai_chunks* chunks,
                                         kai_text* to, kai_error* err)
{
    kai_result r = KAI_OK;
    for (size_t k = 0; r == KAI_OK && k < kai_render_mesh_count(p->world); k++) {
        kai_render_mesh m;
        kai_field_pack pack;
        kai_render_mesh_describe(p->world, k, &m);
        KAI_TRY(kai_field_pack_make(&pack, m.vertex_count, kai_frames_plan_count(p), err));
        double* numbers = calloc(m.vertex_count + 1, sizeof *numbers);
        if (numbers == NULL) r = no_memory(err);
        for (size_t f = 0; r == KAI_OK && f < m.field_count; f++) {
            kai_page_fields_begin(to, first, m.fields[f].name, m.fields[f].unit, k);
            first = false;
            r = add_field(p, k, f, &pack, numbers, chunks, to, err);
        }
        free(numbers);
        kai_field_pack_free(&pack);
    }
    return r;
}
