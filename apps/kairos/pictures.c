// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Pictures of a page, taken by a browser without a window. The page in the folder may be of
// anyone: the browser sees a new one, with our viewer and the data of that one.
#include "browser.h"
#include "cli.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// A path as an address: everything but plain letters as %XX.
static void file_address(const char* path, char* out, size_t size)
{
    size_t n = (size_t)snprintf(out, size, "file://");
    for (; *path != '\0' && n + 4 < size; path++) {
        const unsigned char c = (unsigned char)*path;
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || strchr("/-_.~", c) != NULL;
        n += (size_t)snprintf(out + n, size - n, plain ? "%c" : "%%%02X", c);
    }
}

// Shows a frame and waits until it is drawn.
static bool show(browser* b, size_t frame)
{
    char script[400];
    snprintf(script, sizeof script,
             "(async () => { if (!window.kairos) return true; await kairos.setFrame(%zu);"
             " const draw = () => new Promise(done => requestAnimationFrame(done));"
             " for (let i = 0; i < 600; i++) { await draw();"
             " if (kairos.shownTime === kairos.times[%zu]) { await draw(); return true; } }"
             " return false; })()",
             frame, frame);
    return browser_script(b, script);
}

static bool take_all(browser* b, const cli_pictures* p, const char* page)
{
    static char base[4 * PATH_MAX], address[5 * PATH_MAX], picture[2 * PATH_MAX];
    file_address(page, base, sizeof base);
    snprintf(address, sizeof address, "%s#bare&frame=%zu&theme=%s%s%s", base, p->first, p->theme,
             p->look != NULL ? "&" : "", p->look != NULL ? p->look : "");
    if (!browser_open(b, address)) {
        cli_error("%s: the browser could not show it", p->directory);
        return false;
    }
    for (size_t k = p->first; k < p->end; k += p->every) {
        snprintf(picture, sizeof picture, "%s/frame-%06zu.png", p->output, k);
        if (show(b, k) && browser_picture(b, picture)) continue;
        cli_error("%s: could not be made", picture);
        return false;
    }
    return true;
}

bool cli_pictures_write(const cli_pictures* p)
{
    char page[80];
    kai_error error = {0};
    browser b;
    bool good = browser_start(&b, p->width, p->height);
    snprintf(page, sizeof page, "%s/page.html", b.profile);
    if (good && kai_view_page_copy(p->directory, page, &error) != KAI_OK) {
        cli_error("%s", error.message);
        good = false;
    }
    if (good && mkdir(p->output, 0777) != 0 && errno != EEXIST) {
        cli_error("%s: %s", p->output, strerror(errno));
        good = false;
    }
    good = good && take_all(&b, p, page);
    browser_end(&b);
    return good;
}
