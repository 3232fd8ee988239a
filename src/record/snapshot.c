// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/snapshot.h"

#include "base/text.h"
#include "measure/output_element.h"
#include "record/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

char* kai_snapshot_path(const char* folder, const kai_output_def* def, uint64_t number)
{
    const char* file = def->file.text;
    const char* dot = strstr(file, ".csv");
    const int stem = dot == NULL ? (int)strlen(file) : (int)(dot - file);
    char name[KAI_STRING_SIZE + 32];
    snprintf(name, sizeof name, "%.*s-%06llu%s", stem, file, (unsigned long long)number,
             dot == NULL ? "" : dot);
    return kai_file_join(folder, name);
}

// Columns of a particle table are named after the quantity, not with a dot as in time series.
static const char* prefix_of(const char* quantity)
{
    if (strcmp(quantity, "velocity") == 0) return "v";
    if (strcmp(quantity, "rotation") == 0) return "q";
    if (strcmp(quantity, "angular_velocity") == 0) return "w";
    if (strcmp(quantity, "point_a") == 0) return "a";
    if (strcmp(quantity, "point_b") == 0) return "b";
    if (strcmp(quantity, "normal") == 0) return "n";
    if (strcmp(quantity, "force") == 0) return "f";
    if (strcmp(quantity, "torque") == 0) return "t";
    if (strcmp(quantity, "elements") == 0) return "element_";
    return "";
}

// The quantities asked for; without any, what a particle table can hold of motion, or what makes a
// chain of forces.
static uint32_t quantities_of(const kai_world* world, const kai_output_def* def,
                              int32_t out[KAI_OUTPUT_QUANTITIES])
{
    static const char* const element[] = {"number",      "position",       "stress", "von_mises",
                                          "axial_force", "bending_moment", NULL};
    static const char* const motion[] = {"position", "velocity", "rotation", "angular_velocity",
                                         NULL};
    static const char* const chain[] = {"bodies", "point_a", "point_b", "normal",
                                        "gap",    "force",   NULL};
    const char* const* usual = def->target == KAI_OUTPUT_CONTACTS   ? chain
                               : def->target == KAI_OUTPUT_ELEMENTS ? element
                                                                    : motion;
    uint32_t count = 0;
    memcpy(out, def->quantities, sizeof def->quantities);
    if (def->quantity_count > 0) return def->quantity_count;
    for (; *usual; usual++) {
        const int q = kai_output_quantity_find(def->target, *usual);
        if (kai_output_offers(world, def, q)) out[count++] = q;
    }
    return count;
}

/// Columns of elements are named as in time series: stress.xx.
static void add_header(kai_text* text, const kai_world* world, const kai_output_def* def,
                       const int32_t* quantities, uint32_t count)
{
    const char* comma = "";
    for (uint32_t i = 0; i < count; i++) {
        const kai_quantity q = kai_output_quantity_of(world, def, quantities[i]);
        const bool dotted =
            def->target == KAI_OUTPUT_ELEMENTS && q.labels && strcmp(q.name, "position") != 0;
        for (int c = 0; c < q.components; c++, comma = ",") {
            kai_text_add(text, "%s%s%s", comma, dotted ? q.name : prefix_of(q.name),
                         dotted ? "." : "");
            kai_text_add(text, "%s", q.labels ? q.labels[c] : q.name);
        }
    }
    kai_text_add(text, "\n");
}

static kai_result add_row(kai_text* text, kai_world* world, const kai_output_def* def,
                          const kai_output_subject* subject, const int32_t* quantities,
                          uint32_t count, size_t row, kai_error* err)
{
    const char* comma = "";
    for (uint32_t i = 0; i < count; i++) {
        double v[KAI_OUTPUT_COMPONENTS];
        KAI_TRY(kai_output_value(world, def->target, quantities[i], subject, v, err));
        const kai_quantity q = kai_output_quantity_of(world, def, quantities[i]);
        for (int c = 0; c < q.components; c++, comma = ",") {
            if (!isfinite(v[c]))
                return kai_error_set(err, KAI_ERROR_DIVERGED,
                                     "%s: %s%s%s of row %zu is %s at t = %.9g s; must be finite",
                                     def->file.text, q.name, q.labels ? "." : "",
                                     q.labels ? q.labels[c] : "", row, kai_output_odd_word(v[c]),
                                     kai_world_time(world));
            kai_text_add(text, "%s%.17g", comma, v[c]);
        }
    }
    kai_text_add(text, "\n");
    return KAI_OK;
}

static kai_result add_contacts(kai_text* text, kai_world* world, const kai_output_def* def,
                               const int32_t* quantities, uint32_t count, kai_error* err)
{
    const size_t contacts = kai_contact_report_count(world);
    for (size_t k = 0; k < contacts; k++) {
        kai_output_subject subject = {.turns = 0};
        const kai_result r = kai_contact_report_at(world, k, &subject.contact);
        if (r != KAI_OK && err != NULL) *err = *kai_world_error(world);
        KAI_TRY(r);
        KAI_TRY(add_row(text, world, def, &subject, quantities, count, k + 1, err));
    }
    return KAI_OK;
}

static kai_result add_rows(kai_text* text, kai_world* world, const kai_output_def* def,
                           const int32_t* quantities, uint32_t count, kai_error* err)
{
    const size_t particles = kai_particles_count(world, def->particles);
    for (size_t k = 0; k < particles; k++) {
        const kai_body body = kai_particles_body(world, def->particles, k);
        if (!kai_body_is_valid(world, body)) continue;
        const kai_output_subject subject = {.body = body};
        KAI_TRY(add_row(text, world, def, &subject, quantities, count, k + 1, err));
    }
    return KAI_OK;
}

static kai_result add_elements(kai_text* text, kai_world* world, const kai_output_def* def,
                               const int32_t* quantities, uint32_t count, kai_error* err)
{
    uint8_t* inside = NULL;
    size_t size = 0;
    KAI_TRY(kai_output_element_mark(world, def, &inside, &size, err));
    kai_result r = KAI_OK;
    const size_t elements = kai_structure_element_count(world, def->structure);
    for (size_t k = 0; r == KAI_OK && k < elements; k++) {
        const kai_output_subject subject = {.element =
                                                kai_structure_element_at(world, def->structure, k),
                                            .number = k,
                                            .at = {def->at[0], def->at[1], def->at[2]},
                                            .layer = def->layer};
        if (!kai_output_element_is_in(world, subject.element, inside, size)) continue;
        r = add_row(text, world, def, &subject, quantities, count, k + 1, err);
    }
    free(inside);
    return r;
}

// Deflates into gzip's format; `*out` is to be freed.
static kai_result compress_text(const kai_text* text, void** out, size_t* size, const char* path,
                                kai_error* err)
{
    enum { GZIP = 15 + 16, MEMORY = 8 };
    z_stream z = {0};
    if (text->size > UINT32_MAX / 2 ||
        deflateInit2(&z, 6, Z_DEFLATED, GZIP, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return kai_error_set(err, KAI_ERROR_LIMIT, "%s: cannot be compressed (%zu bytes)", path,
                             text->size);
    const size_t room = deflateBound(&z, text->size);
    *out = malloc(room);
    int done = Z_MEM_ERROR;
    if (*out != NULL) {
        z.next_in = (unsigned char*)text->data;
        z.avail_in = (unsigned)text->size;
        z.next_out = *out;
        z.avail_out = (unsigned)room;
        done = deflate(&z, Z_FINISH);
    }
    *size = z.total_out;
    deflateEnd(&z);
    return done == Z_STREAM_END ? KAI_OK : kai_file_no_memory(path, err);
}

kai_result kai_snapshot_write(kai_world* world, const kai_output_def* def, const char* path,
                              kai_error* err)
{
    int32_t quantities[KAI_OUTPUT_QUANTITIES];
    const uint32_t count = quantities_of(world, def, quantities);
    kai_text text = {0};
    add_header(&text, world, def, quantities, count);
    kai_result r;
    if (def->target == KAI_OUTPUT_CONTACTS)
        r = add_contacts(&text, world, def, quantities, count, err);
    else if (def->target == KAI_OUTPUT_ELEMENTS)
        r = add_elements(&text, world, def, quantities, count, err);
    else
        r = add_rows(&text, world, def, quantities, count, err);
    if (r == KAI_OK && text.failed) r = kai_file_no_memory(path, err);
    if (r == KAI_OK && kai_text_ends(path, ".gz")) {
        void* packed = NULL;
        size_t size = 0;
        r = compress_text(&text, &packed, &size, path, err);
        const kai_file_piece piece = {packed, size};
        if (r == KAI_OK) r = kai_file_replace(path, &piece, 1, err);
        free(packed);
    } else if (r == KAI_OK) {
        const kai_file_piece piece = {text.data, text.size};
        r = kai_file_replace(path, &piece, 1, err);
    }
    kai_text_free(&text);
    return r;
}
