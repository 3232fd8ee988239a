// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "view/export_frames.h"

#include "record/file.h"
#include "record/recorder.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static kai_result export_frames_choose(kai_export_frames* f, const kai_view_export_def* def,
                                       kai_error* err)
{
    f->chosen = calloc(f->catalog.count + 1, sizeof *f->chosen);
    if (f->chosen == NULL) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for bodies");
    for (size_t i = 0; i < f->catalog.count; i++) f->chosen[i] = def->body_count == 0;
    for (size_t i = 0; i < def->body_count; i++) {
        const size_t row = kai_catalog_find(&f->catalog, def->bodies[i]);
        if (row != SIZE_MAX) {
            f->chosen[row] = true;
            continue;
        }
        const char* near = kai_catalog_nearest(&f->catalog, def->bodies[i]);
        return near != NULL
                   ? kai_error_set(err, KAI_ERROR_NAME,
                                   "there is no body '%.64s'; did you mean '%.64s'?",
                                   def->bodies[i], near)
                   : kai_error_set(err, KAI_ERROR_NAME, "there is no body '%.64s'", def->bodies[i]);
    }
    return KAI_OK;
}

static kai_result open_all(kai_export_frames* f, const kai_view_export_def* def, kai_error* err)
{
    char* path = kai_file_join(def->directory, KAI_RECORDER_TRAJECTORY);
    if (path == NULL) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a path");
    kai_result r;
    if (access(path, R_OK) != 0)
        r = kai_error_set(err, KAI_ERROR_FILE, "%s: cannot be read; is it the folder of a run?",
                          path);
    else
        r = kai_trajectory_read_open(&f->reader, path, UINT32_MAX, err);
    free(path);
    if (r == KAI_OK) r = kai_catalog_read(&f->catalog, f->reader, err);
    if (r == KAI_OK) r = export_frames_choose(f, def, err);
    return r;
}

kai_result kai_export_frames_open(kai_export_frames* f, const kai_view_export_def* def,
                                  kai_error* err)
{
    *f = (kai_export_frames){.every = def->every > 0 ? def->every : 1};
    if (def->directory == NULL || def->output == NULL || def->output[0] == '\0')
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "def needs directory and output");
    kai_result r = open_all(f, def, err);
    if (r == KAI_OK) r = kai_file_make_folder(def->output, err);
    if (r != KAI_OK) kai_export_frames_close(f);
    return r;
}

size_t kai_export_frames_row(const kai_export_frames* f, uint32_t id)
{
    if (id >= f->catalog.id_count) return SIZE_MAX;
    const uint32_t row = f->catalog.row_of_id[id];
    return row != UINT32_MAX && f->chosen[row] ? row : SIZE_MAX;
}

kai_result kai_export_frames_write(const kai_view_export_def* def, const char* name,
                                   const kai_text* text, kai_error* err)
{
    char* path = kai_file_join(def->output, name);
    if (path == NULL || text->failed) {
        free(path);
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for %s", name);
    }
    const int descriptor = kai_file_create(path);
    const bool good =
        descriptor >= 0 &&
        kai_file_close(descriptor, kai_file_write_all(descriptor, text->data, text->size, NULL));
    const kai_result r = good ? KAI_OK : kai_file_error(err, path, errno);
    free(path);
    return r;
}

void kai_export_frames_array(kai_text* head, kai_text* data, const char* type, const char* name,
                             int components, size_t bytes)
{
    const uint64_t size = bytes;
    kai_text_add(head,
                 "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" "
                 "format=\"appended\" offset=\"%zu\"/>\n",
                 type, name, components, data->size);
    kai_text_add_bytes(data, &size, sizeof size);
}

kai_result kai_export_frames_end(const kai_view_export_def* def, const char* name, kai_text* head,
                                 const kai_text* data, kai_error* err)
{
    kai_text_add(head, "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
    kai_text_add_bytes(head, data->data, data->size);
    kai_text_add(head, "\n</AppendedData>\n</VTKFile>\n");
    head->failed = head->failed || data->failed;
    return kai_export_frames_write(def, name, head, err);
}

void kai_export_frames_close(kai_export_frames* f)
{
    kai_trajectory_read_close(f->reader);
    kai_catalog_free(&f->catalog);
    free(f->chosen);
    *f = (kai_export_frames){0};
}
