// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A browser without a window, driven through its DevTools pipe: commands go in as JSON ended by
// NUL, answers come out likewise.
#ifndef BROWSER_H
#define BROWSER_H

#include <stdbool.h>
#include <stddef.h>
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

/// Writes what is shown to a PNG file.
bool browser_picture(browser* browser, const char* path);

/// Ends it.
void browser_end(browser* browser);

#endif
