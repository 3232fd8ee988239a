// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What goes onto a page and what is read back from one. The first byte says which: text to be
// escaped, an index.html, a view.bin, a time series.
#include "view/bundle.h"
#include "view/json.h"
#include "view/series.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Whatever the bytes, the string is JSON, cannot leave its element and has no NUL.
static void escape(const char* data, size_t size)
{
    kai_text text = {0}, laid = {0};
    kai_text_add(&text, "[");
    kai_json_bytes(&text, data, size);
    kai_text_add(&text, "]");
    if (memchr(text.data, '<', text.size) || memchr(text.data, '\0', text.size)) abort();
    json_t* root = json_loadb(text.data, text.size, JSON_ALLOW_NUL, NULL);
    if (root == NULL) abort();
    json_decref(root);
    // Laid out, JSON is still the same value; anything else is still some text.
    kai_json_layout(&laid, data, size, 40);
    json_t* before = json_loadb(data, size, JSON_ALLOW_NUL, NULL);
    if (before != NULL) {
        json_t* after = json_loadb(laid.data, laid.size, JSON_ALLOW_NUL, NULL);
        if (after == NULL || !json_equal(before, after)) abort();
        json_decref(after);
    }
    json_decref(before);
    kai_text_free(&text);
    kai_text_free(&laid);
}

static void put(const char* folder, const char* name, const void* data, size_t size)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (descriptor < 0 || write(descriptor, data, size) != (ssize_t)size) abort();
    close(descriptor);
}

static void serve(const char* folder)
{
    static const char* const names[] = {"",        "manifest.json", "chunk/0", "chunk/1",
                                        "chunk/7", "csv/a.csv",     "csv/",    "csv/../x"};
    kai_bundle bundle;
    kai_error err = {0};
    if (kai_bundle_open(&bundle, folder, &err) != KAI_OK) {
        if (err.message[0] == '\0') abort();
        return;
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        kai_server_body body = {.descriptor = -1};
        if (!kai_bundle_find(&bundle, names[i], &body)) continue;
        volatile unsigned char sum = 0; // every byte can be read
        for (size_t k = 0; body.data != NULL && k < body.size; k++)
            sum = (unsigned char)(sum + ((const unsigned char*)body.data)[k]);
        free(body.owned);
    }
    kai_bundle_close(&bundle);
}

static void read_series(const char* folder)
{
    char path[128];
    kai_series series;
    snprintf(path, sizeof path, "%s/a.csv", folder);
    if (kai_series_read(&series, path, 2, NULL) == KAI_OK) kai_series_free(&series);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static char folder[] = "/tmp/kairos-fuzz-XXXXXX";
    static bool made;
    if (!made && mkdtemp(folder) == NULL) abort();
    made = true;
    if (size == 0) return 0;
    const char* rest = (const char*)data + 1;
    switch (data[0] % 4) {
    case 0: escape(rest, size - 1); break;
    case 1:
        put(folder, "index.html", rest, size - 1);
        serve(folder);
        break;
    case 2:
        put(folder, "view.bin", rest, size - 1);
        serve(folder);
        break;
    default: put(folder, "a.csv", rest, size - 1); read_series(folder);
    }
    static const char* const names[] = {"index.html", "view.bin", "a.csv"};
    for (size_t i = 0; i < 3; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    return 0;
}
