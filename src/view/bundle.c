// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#define _GNU_SOURCE // memmem
#include "view/bundle.h"

#include "record/file.h"
#include "view/page.h"
#include "view/page_file.h"
#include "view/template.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static kai_result no_memory(kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for the page");
}

static kai_result bundle_malformed(const char* folder, const char* file, kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_FORMAT, "%s/%s: is no page of a run", folder, file);
}

// Files ------------------------------------------------------------------------------------------

static int open_in(const char* folder, const char* name)
{
    char* path = kai_file_join(folder, name);
    if (path == NULL) return -1;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    free(path);
    struct stat info;
    if (descriptor >= 0 && (fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode))) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

static bool read_at(int descriptor, void* to, size_t size, uint64_t offset)
{
    for (size_t done = 0; done < size;) {
        const ssize_t n = pread(descriptor, (char*)to + done, size - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        done += (size_t)n;
    }
    return true;
}

// view.bin ---------------------------------------------------------------------------------------

static bool bundle_inside(kai_chunks_place place, uint64_t size)
{
    return place.offset <= size && place.size <= size - place.offset;
}

static bool read_side(kai_bundle* b)
{
    struct stat info;
    char magic[8];
    uint64_t index, head[3];
    if (fstat(b->descriptor, &info) != 0 || !read_at(b->descriptor, magic, sizeof magic, 0) ||
        memcmp(magic, KAI_CHUNKS_MAGIC, sizeof magic) != 0 ||
        !read_at(b->descriptor, &index, sizeof index, sizeof magic) ||
        !read_at(b->descriptor, head, sizeof head, index))
        return false;
    const uint64_t size = (uint64_t)info.st_size;
    const kai_chunks_place manifest = {head[0], head[1]};
    if (!bundle_inside(manifest, size) || head[2] > size / sizeof *b->places) return false;
    b->count = (size_t)head[2];
    b->manifest_size = (size_t)head[1];
    b->manifest = malloc(b->manifest_size + 1);
    b->places = malloc((b->count + 1) * sizeof *b->places);
    if (b->manifest == NULL || b->places == NULL ||
        !read_at(b->descriptor, b->manifest, b->manifest_size, manifest.offset) ||
        !read_at(b->descriptor, b->places, b->count * sizeof *b->places, index + sizeof head))
        return false;
    for (size_t i = 0; i < b->count; i++)
        if (!bundle_inside(b->places[i], size)) return false;
    return true;
}

// index.html -------------------------------------------------------------------------------------

// The text between a tag and the end of its element, from `*at` on.
static bool bundle_element(const char* text, size_t size, size_t* at, const char* tag,
                           kai_chunks_place* out)
{
    const size_t length = strlen(tag);
    const char* found = memmem(text + *at, size - *at, tag, length);
    if (found == NULL) return false;
    const size_t begin = (size_t)(found - text) + length;
    const char* end = memchr(text + begin, '<', size - begin);
    if (end == NULL) return false;
    *out = (kai_chunks_place){begin, (size_t)(end - text) - begin};
    *at = (size_t)(end - text);
    return true;
}

static bool read_page(kai_bundle* b, size_t size)
{
    size_t at = 0, capacity = 0;
    kai_chunks_place place;
    if (!bundle_element(b->text, size, &at, KAI_PAGE_FILE_MANIFEST, &place)) return false;
    b->manifest = b->text + place.offset;
    b->manifest_size = place.size;
    for (;;) {
        char tag[80];
        snprintf(tag, sizeof tag, KAI_PAGE_FILE_CHUNK, b->count);
        if (!bundle_element(b->text, size, &at, tag, &place)) return true;
        if (b->count == capacity) {
            capacity = capacity > 0 ? 2 * capacity : 64;
            kai_chunks_place* places = realloc(b->places, capacity * sizeof *places);
            if (places == NULL) return false;
            b->places = places;
        }
        b->places[b->count++] = place;
    }
}

static int bundle_letter(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// Base64 undone, into a new block; NULL when it is none.
static void* undo_base64(const char* text, size_t size, size_t* out_size)
{
    while (size > 0 && text[size - 1] == '=') size--;
    unsigned char *data = malloc(size / 4 * 3 + 3), *to = data;
    unsigned bits = 0;
    for (size_t i = 0; data != NULL && i < size; i++) {
        const int value = bundle_letter(text[i]);
        if (value < 0) {
            free(data);
            return NULL;
        }
        bits = bits << 6 | (unsigned)value;
        if (i % 4 > 0) *to++ = (unsigned char)(bits >> (6 - 2 * (i % 4)));
    }
    *out_size = data != NULL ? (size_t)(to - data) : 0;
    return data;
}

// Opening ----------------------------------------------------------------------------------------

// A plain name that a run may give to a time series.
static bool is_plain(const char* name)
{
    return kai_text_ends(name, ".csv") && strlen(name) < 256 && name[0] != '.' &&
           strchr(name, '/') == NULL;
}

// The time series that the manifest names: nothing else of the folder is handed out.
static bool read_files(kai_bundle* b)
{
    json_t* root = json_loadb(b->manifest, b->manifest_size, 0, NULL);
    const json_t* list = json_object_get(root, "series");
    const size_t count = json_array_size(list);
    b->files = calloc(count + 1, sizeof *b->files);
    bool good = json_is_object(root) && b->files != NULL;
    for (size_t i = 0; good && i < count; i++) {
        const char* name = json_string_value(json_object_get(json_array_get(list, i), "file"));
        if (name == NULL || !is_plain(name)) continue;
        b->files[b->file_count] = strdup(name);
        good = b->files[b->file_count++] != NULL;
    }
    json_decref(root);
    return good;
}

char* kai_bundle_viewer(size_t* size)
{
    const kai_template_text text = kai_template_get();
    *size = text.head_size + text.tail_size;
    char* page = malloc(*size + 1);
    if (page == NULL) return NULL;
    memcpy(page, text.head, text.head_size);
    memcpy(page + text.head_size, text.tail, text.tail_size);
    return page;
}

static kai_result open_bundle(kai_bundle* b, const char* folder, bool side, kai_error* err)
{
    *b = (kai_bundle){.descriptor = side ? open_in(folder, KAI_PAGE_SIDE) : -1,
                      .folder = strdup(folder)};
    const char* file = b->descriptor >= 0 ? KAI_PAGE_SIDE : KAI_PAGE_FILE;
    bool good = b->folder != NULL;
    if (good && b->descriptor >= 0) {
        good = read_side(b);
    } else if (good) {
        size_t size = 0;
        const int descriptor = open_in(folder, KAI_PAGE_FILE);
        if (descriptor < 0) {
            kai_bundle_close(b);
            return kai_error_set(err, KAI_ERROR_FILE,
                                 "%s: has no index.html; is it the folder of a run?", folder);
        }
        good = kai_file_read(descriptor, SIZE_MAX - 2, &b->text, &size) == KAI_OK &&
               read_page(b, size);
        close(descriptor);
    }
    if (good) good = read_files(b);
    if (!good) {
        kai_bundle_close(b);
        return bundle_malformed(folder, file, err);
    }
    b->page = kai_bundle_viewer(&b->page_size);
    if (b->page != NULL) return KAI_OK;
    kai_bundle_close(b);
    return no_memory(err);
}

kai_result kai_bundle_open(kai_bundle* b, const char* folder, kai_error* err)
{
    return open_bundle(b, folder, true, err);
}

kai_result kai_bundle_open_page(kai_bundle* b, const char* folder, kai_error* err)
{
    return open_bundle(b, folder, false, err);
}

// Serving ----------------------------------------------------------------------------------------

bool kai_bundle_number(const char* name, const char* prefix, size_t* number)
{
    const size_t n = strlen(prefix);
    if (strncmp(name, prefix, n) != 0) return false;
    const char* digits = name + n;
    if (digits[0] == '\0' || (digits[0] == '0' && digits[1] != '\0')) return false;
    size_t value = 0;
    for (; *digits != '\0'; digits++) {
        if (*digits < '0' || *digits > '9' || value > 100000000) return false;
        value = 10 * value + (size_t)(*digits - '0');
    }
    *number = value;
    return true;
}

static bool find_chunk(const kai_bundle* b, size_t k, kai_server_body* out)
{
    if (k >= b->count) return false;
    const kai_chunks_place place = b->places[k];
    out->type = "application/octet-stream";
    if (b->text == NULL) {
        out->descriptor = b->descriptor;
        out->offset = place.offset;
        out->size = (size_t)place.size;
        return true;
    }
    out->owned = undo_base64(b->text + place.offset, (size_t)place.size, &out->size);
    out->data = out->owned;
    return out->data != NULL;
}

static bool find_file(const kai_bundle* b, const char* name, kai_server_body* out)
{
    for (size_t i = 0; i < b->file_count; i++) {
        if (strcmp(b->files[i], name) != 0) continue;
        const int descriptor = open_in(b->folder, name);
        if (descriptor < 0) return false;
        char* data;
        kai_file_read(descriptor, SIZE_MAX - 2, &data, &out->size);
        close(descriptor);
        out->data = out->owned = data;
        out->type = "text/csv; charset=utf-8";
        return data != NULL;
    }
    return false;
}

bool kai_bundle_find(void* bundle, const char* name, kai_server_body* out)
{
    const kai_bundle* b = bundle;
    size_t number;
    if (name[0] == '\0' || strcmp(name, KAI_PAGE_FILE) == 0) {
        out->data = b->page;
        out->size = b->page_size;
        out->type = "text/html; charset=utf-8";
        return true;
    }
    if (strcmp(name, "manifest.json") == 0) {
        out->data = b->manifest;
        out->size = b->manifest_size;
        out->type = "application/json";
        return true;
    }
    if (kai_bundle_number(name, "chunk/", &number)) return find_chunk(b, number, out);
    return strncmp(name, "csv/", 4) == 0 && find_file(b, name + 4, out);
}

void kai_bundle_close(kai_bundle* b)
{
    if (b->text == NULL) free(b->manifest);
    free(b->text);
    free(b->places);
    for (size_t i = 0; i < b->file_count; i++) free(b->files[i]);
    free(b->files);
    free(b->page);
    free(b->folder);
    if (b->descriptor >= 0) close(b->descriptor);
    *b = (kai_bundle){.descriptor = -1};
}
