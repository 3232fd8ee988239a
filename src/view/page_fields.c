// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "view/page_parts.h"

#include "record/trajectory/trajectory_fields.h"
#include "view/field_pack.h"
#include "view/json.h"

#include <math.h>

void kai_page_fields_begin(kai_text* to, bool first, const char* name, const char* unit,
                           size_t mesh)
{
    kai_text_add(to, "%s{\"name\":", first ? "" : ",");
    kai_json_string(to, name);
    kai_text_add(to, ",\"unit\":");
    kai_json_string(to, unit);
    if (mesh != SIZE_MAX) kai_text_add(to, ",\"mesh\":%zu", mesh);
    kai_text_add(to, ",\"blocks\":[");
}

// A frame's numbers, put from the order of rows into that of movers.
static kai_result read_frame(const kai_frames_plan* p, size_t frame, size_t field, kai_text* rows,
                             float* out, kai_error* err)
{
    const kai_movers* m = p->movers;
    const uint32_t* id;
    size_t count;
    KAI_TRY(kai_trajectory_read_ids(p->reader, frame, &id, &count, err));
    rows->size = 0;
    float* numbers = (float*)(void*)kai_text_room(rows, (count + 1) * sizeof *numbers);
    if (numbers == NULL)
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for fields of the page");
    KAI_TRY(kai_trajectory_read_field(p->reader, frame, field, numbers, err));
    for (size_t i = 0; i < m->count; i++) out[i] = (float)NAN;
    for (size_t i = 0; i < count; i++) {
        const uint32_t mover = id[i] < m->id_count ? m->of_id[id[i]] : UINT32_MAX;
        if (mover != UINT32_MAX) out[mover] = numbers[i];
    }
    return KAI_OK;
}

kai_result kai_page_fields_write(const kai_frames_plan* p, kai_chunks* chunks, kai_text* to,
                                 kai_error* err)
{
    const uint32_t fields = p->reader != NULL ? kai_trajectory_read_fields(p->reader) : 0;
    const size_t frames = kai_frames_plan_count(p);
    if (fields == 0) return KAI_OK;
    kai_field_pack pack;
    kai_text rows = {0};
    KAI_TRY(kai_field_pack_make(&pack, p->movers->count, frames, err));
    kai_result r = KAI_OK;
    for (size_t f = 0; r == KAI_OK && f < KAI_TRAJECTORY_FIELD_COUNT; f++) {
        if (!(fields >> f & 1)) continue;
        kai_page_fields_begin(to, (fields & ((UINT32_C(1) << f) - 1)) == 0,
                              kai_trajectory_fields_word(f), kai_trajectory_fields_unit(f),
                              SIZE_MAX);
        for (size_t k = 0; r == KAI_OK && k < frames; k++) {
            r = read_frame(p, kai_frames_plan_frame(p, k), f, &rows, kai_field_pack_next(&pack),
                           err);
            if (r == KAI_OK && (kai_field_pack_is_full(&pack) || k + 1 == frames))
                r = kai_field_pack_end(&pack, chunks, to, err);
        }
        kai_field_pack_finish(&pack, to);
    }
    kai_text_free(&rows);
    kai_field_pack_free(&pack);
    return r;
}
