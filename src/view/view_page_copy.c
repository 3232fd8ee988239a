// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#define _GNU_SOURCE // memmem
#include "record/file.h"
#include "view/bundle.h"
#include "view/page_file.h"
#include "view/template.h"

#include <kairos/view.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char POLICY[] = "<meta http-equiv=\"Content-Security-Policy\" content=\"" //
    KAI_TEMPLATE_POLICY "'none'\">\n";

static bool put_text(int descriptor, const char* text)
{
    return kai_file_write_all(descriptor, text, strlen(text), NULL);
}

// The viewer up to its data, with the policy as the first thing in its head.
static bool put_head(int descriptor, const kai_template_text* text)
{
    static const char mark[] = "<head>";
    const char* head = memmem(text->head, text->head_size, mark, sizeof mark - 1);
    const size_t before = head ? (size_t)(head - text->head) + sizeof mark - 1 : 0;
    return kai_file_write_all(descriptor, text->head, before, NULL) &&
           put_text(descriptor, head ? POLICY : "") &&
           kai_file_write_all(descriptor, text->head + before, text->head_size - before, NULL);
}

// The bundle took each element up to the first '<', so that none can end early.
static bool put_all(int descriptor, const kai_bundle* b)
{
    const kai_template_text text = kai_template_get();
    bool good = put_head(descriptor, &text) && put_text(descriptor, KAI_PAGE_FILE_MANIFEST) &&
                kai_file_write_all(descriptor, b->manifest, b->manifest_size, NULL) &&
                put_text(descriptor, KAI_PAGE_FILE_END);
    for (size_t k = 0; good && k < b->count; k++) {
        char tag[80];
        snprintf(tag, sizeof tag, KAI_PAGE_FILE_CHUNK, k);
        good = put_text(descriptor, tag) &&
               kai_file_write_all(descriptor, b->text + b->places[k].offset,
                                  (size_t)b->places[k].size, NULL) &&
               put_text(descriptor, KAI_PAGE_FILE_END);
    }
    return good && kai_file_write_all(descriptor, text.tail, text.tail_size, NULL);
}

kai_result kai_view_page_copy(const char* directory, const char* path, kai_error* err)
{
    kai_bundle bundle;
    if (directory == NULL || directory[0] == '\0' || path == NULL || path[0] == '\0')
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_view_page_copy: directory or path is empty");
    KAI_TRY(kai_bundle_open_page(&bundle, directory, err));
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    const bool good = descriptor >= 0 && kai_file_close(descriptor, put_all(descriptor, &bundle));
    const int why = errno;
    if (!good && descriptor >= 0) unlink(path);
    kai_bundle_close(&bundle);
    return good ? KAI_OK : kai_file_error(err, path, why);
}
