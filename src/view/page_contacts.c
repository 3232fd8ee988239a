// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A block of n frames with T contacts in all is u32 counts [n], f32 points [T][3] relative to the
// origin, f32 gaps [T], f32 forces [T][3] where they are known, i16 normals [T][3] times 32767, and
// movers a [T], then b [T], in byte planes, where these are known;
// docs/page-format.md.
#include "view/page_parts.h"

#include "view/json.h"
#include "view/spread.h"

#include <math.h>

enum {
    BLOCK_FRAMES = 64,
    BLOCK_CONTACTS = 1 << 16, // a block ends at the first frame that brings it here
    CONTACT_BYTES = 30,       // 22 bytes that hardly shrink, as base64
    FORCE_BYTES = 16,         // 12 more
    PAIR_BYTES = 1,           // 8 that repeat from frame to frame, in planes
    FORCES_EACH = 4           // every so many-th force tells how strong they are
};
static const double IMPACT = 8.0; // times the usual force: the longest arrows

// What a block is made of, in its order.
enum { COUNTS, POINTS, GAPS, FORCES, NORMALS, FIRST, SECOND, LISTS };

typedef struct block {
    size_t first, frames;
    kai_text lists[LISTS];
} block;

// Of all contacts: least and largest gap, and how strong forces are.
typedef struct extent {
    double least, most;
    kai_spread forces;
} extent;

static kai_result no_memory(kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for the contacts of the page");
}

static void free_block(block* b)
{
    for (int i = 0; i < LISTS; i++) kai_text_free(&b->lists[i]);
}

static bool is_touching(const kai_frames_plan* p)
{
    return p->reader != NULL && kai_trajectory_read_touching(p->reader);
}

size_t kai_page_contacts_stride(const kai_frames_plan* p, double room)
{
    if (!is_touching(p)) return 1;
    double bytes = 0.0;
    const int each = CONTACT_BYTES + (kai_trajectory_read_pushing(p->reader) ? FORCE_BYTES : 0) +
                     (kai_trajectory_read_pairing(p->reader) ? PAIR_BYTES : 0);
    for (size_t k = 0; k < kai_frames_plan_count(p); k++)
        bytes += each *
                 (double)kai_trajectory_read_contact_count(p->reader, kai_frames_plan_frame(p, k));
    const double stride = ceil(bytes / room);
    return stride > 1.0 && stride < 1e9 ? (size_t)stride : 1;
}

static uint32_t mover_of(const kai_movers* movers, uint32_t id)
{
    return id < movers->id_count ? movers->of_id[id] : UINT32_MAX;
}

// One contact; false for one that is not finite, such as the last ones of a run that failed.
static bool add_contact(block* b, const kai_frames_plan* p, const kai_trajectory_contacts* c,
                        size_t i, extent* range)
{
    const kai_vec3 origin = p->origin;
    const double *x = c->point + 3 * i, *n = c->normal + 3 * i;
    const float point[3] = {(float)(x[0] - origin.x), (float)(x[1] - origin.y),
                            (float)(x[2] - origin.z)};
    const float gap = (float)c->gap[i];
    float force[3] = {0};
    double size = 0.0;
    int16_t normal[3];
    for (int k = 0; k < 3; k++) {
        if (!isfinite(point[k]) || !(fabs(n[k]) <= 1.001)) return false;
        normal[k] = (int16_t)lrint(32767.0 * fmin(fmax(n[k], -1.0), 1.0));
        if (c->force == NULL) continue;
        force[k] = (float)c->force[3 * i + (size_t)k];
        size += (double)force[k] * (double)force[k];
    }
    if (!isfinite(gap) || !isfinite(size)) return false;
    kai_text_add_bytes(&b->lists[POINTS], point, sizeof point);
    kai_text_add_bytes(&b->lists[GAPS], &gap, sizeof gap);
    kai_text_add_bytes(&b->lists[NORMALS], normal, sizeof normal);
    if (c->force != NULL) kai_text_add_bytes(&b->lists[FORCES], force, sizeof force);
    for (size_t k = 0; c->body != NULL && k < 2; k++) {
        const uint32_t mover = mover_of(p->movers, c->body[2 * i + k]);
        kai_text_add_bytes(&b->lists[FIRST + k], &mover, sizeof mover);
    }
    range->least = fmin(range->least, (double)gap);
    range->most = fmax(range->most, (double)gap);
    if (c->force == NULL || i % FORCES_EACH != 0 || !(size > 0.0)) return true;
    const float strength = (float)sqrt(size);
    kai_spread_add(&range->forces, &strength, 1);
    return true;
}

static kai_result add_frame(block* b, const kai_frames_plan* p, size_t k, size_t stride,
                            extent* range, kai_error* err)
{
    kai_trajectory_contacts contacts;
    KAI_TRY(kai_trajectory_read_contacts(p->reader, kai_frames_plan_frame(p, k), &contacts, err));
    uint32_t count = 0;
    for (size_t i = 0; i < contacts.count; i += stride)
        count += add_contact(b, p, &contacts, i, range);
    kai_text_add_bytes(&b->lists[COUNTS], &count, sizeof count);
    b->frames++;
    return KAI_OK;
}

// Numbers of 32 bits as planes of bytes: all lowest ones, then the second ones …
static void make_planes(kai_text* numbers)
{
    kai_text planes = {0};
    const size_t n = numbers->size / sizeof(uint32_t);
    char* to = n > 0 ? kai_text_room(&planes, n * sizeof(uint32_t)) : NULL;
    const uint32_t* from = (const uint32_t*)(const void*)numbers->data;
    for (size_t k = 0; to != NULL && k < sizeof(uint32_t); k++)
        for (size_t i = 0; i < n; i++) *to++ = (char)(from[i] >> 8 * k);
    planes.failed = planes.failed || numbers->failed;
    kai_text_free(numbers);
    *numbers = planes;
}

// Packs what is gathered, and begins the next block.
static kai_result end_block(block* b, kai_chunks* chunks, kai_text* to, kai_error* err)
{
    size_t chunk;
    const size_t first = b->first, frames = b->frames;
    kai_text* all = &b->lists[COUNTS];
    for (int i = FIRST; i <= SECOND; i++) make_planes(&b->lists[i]);
    for (int i = COUNTS + 1; i < LISTS; i++) {
        kai_text_add_bytes(all, b->lists[i].data, b->lists[i].size);
        all->failed = all->failed || b->lists[i].failed;
    }
    if (all->failed) return no_memory(err);
    KAI_TRY(kai_chunks_pack_numbers(chunks, all->data, all->size, &chunk, err));
    kai_text_add(to, "%s{\"first\":%zu,\"count\":%zu,\"chunk\":%zu}", first > 0 ? "," : "", first,
                 frames, chunk);
    free_block(b);
    *b = (block){.first = first + frames};
    return KAI_OK;
}

kai_result kai_page_contacts_write(const kai_frames_plan* p, size_t stride, kai_chunks* chunks,
                                   kai_text* to, kai_error* err)
{
    if (!is_touching(p)) return KAI_OK;
    const size_t frames = kai_frames_plan_count(p);
    extent seen = {.least = HUGE_VAL, .most = -HUGE_VAL};
    block b = {0};
    kai_result r = KAI_OK;
    kai_text_add(to, ",\"contacts\":{\"stride\":%zu,\"blocks\":[", stride);
    for (size_t k = 0; r == KAI_OK && k < frames; k++) {
        r = add_frame(&b, p, k, stride, &seen, err);
        const bool full =
            b.frames == BLOCK_FRAMES || b.lists[GAPS].size >= BLOCK_CONTACTS * sizeof(float);
        if (r == KAI_OK && (full || k + 1 == frames)) r = end_block(&b, chunks, to, err);
    }
    free_block(&b);
    if (!(seen.least <= seen.most)) seen.least = seen.most = 0.0;
    const double gap[2] = {seen.least, seen.most};
    kai_text_add(to, "],\"gap\":");
    kai_json_numbers(to, gap, 2);
    if (kai_trajectory_read_pushing(p->reader)) {
        kai_text_add(to, ",\"force\":");
        // Rare impacts are many times as strong as what carries weight, which is to be seen.
        kai_json_number(
            to, fmin(kai_spread_at(&seen.forces, 0.98), IMPACT * kai_spread_at(&seen.forces, 0.5)));
    }
    kai_spread_free(&seen.forces);
    kai_text_add(to, "%s}", kai_trajectory_read_pairing(p->reader) ? ",\"bodies\":true" : "");
    return r;
}
