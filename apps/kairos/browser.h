// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A browser without a window, driven through its DevTools pipe: commands go in as JSON ended by
// NUL, answers come out likewise.
#ifndef BROWSER_H
#define BROWSER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct browser {
    pid_t process;
    int in, out;      ///< its commands, its answers
    int next;         ///< number of the next command
    char session[80]; ///< of the page
    char profile[40]; ///< folder that goes away, for the user only
    char* answer;     ///< the last message, ended by NUL, and what was read beyond it
    size_t taken;     ///< bytes of that message
    size_t size, capacity;
} browser;

/// Starts Chromium with an empty page of a size, without a way to any network; false after an
/// error, which it has printed.
bool browser_start(browser* browser, int width, int height);

/// Opens an address and waits until the page says that it is drawn.
bool browser_open(browser* browser, const char* address);

/// Runs a script that may wait; false unless its result is true.
bool browser_script(browser* browser, const char* script);

/// Runs a script and gives the text that it results in, which has no quotes in it; NULL without one.
/// Valid until the next call. `*size`: its length.
const char* browser_text(browser* browser, const char* script, size_t* size);

/// Where a program of the PATH is; false when it is nowhere.
bool browser_find_program(const char* name, char* out, size_t size);

/// Runs a program with its output thrown away; false unless it ends well.
bool browser_run_program(const char* const* arguments);

/// Decodes base64 up to the first other letter into a file; false when that fails.
bool browser_decode(const char* data, FILE* file);

/// Writes what is shown to a PNG file.
bool browser_picture(browser* browser, const char* path);

/// Ends it.
void browser_end(browser* browser);

#endif
