// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Pictures and films of a page, taken by a browser without a window. The page in the folder may be of
// anyone: the browser sees a new one, with our viewer and the data of that one.
#include "browser.h"
#include "cli.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

// The address of the page with the keys of a look.
static bool open_page(browser* b, const cli_pictures* p, const char* page)
{
    static char base[4 * PATH_MAX], address[5 * PATH_MAX];
    file_address(page, base, sizeof base);
    snprintf(address, sizeof address, "%s#bare&frame=%zu&theme=%s%s%s%s", base, p->first, p->theme,
             p->look != NULL ? "&" : "", p->look != NULL ? p->look : "",
             p->fps > 0 ? "" : "&ao=1"); // the first of equal keys counts
    if (browser_open(b, address)) return true;
    cli_error("%s: the browser could not show it", p->directory);
    return false;
}

static bool take_all(browser* b, const cli_pictures* p, const char* page)
{
    static char picture[2 * PATH_MAX];
    if (!open_page(b, p, page)) return false;
    for (size_t k = p->first; k < p->end; k += p->every) {
        snprintf(picture, sizeof picture, "%s/frame-%06zu.png", p->output, k);
        if (show(b, k) && browser_picture(b, picture)) continue;
        cli_error("%s: could not be made", picture);
        return false;
    }
    return true;
}

// Films ------------------------------------------------------------------------------------------

static const double FILM_SECONDS = 6.0 * 3600.0; // the longest wait for one

// Starts the film; `webm`: in that format, finely enough to be encoded once more.
static bool film_start(browser* b, const cli_pictures* p, bool webm, bool fine)
{
    char from[40] = "undefined", to[40] = "undefined", script[400];
    if (p->begin >= 0.0) snprintf(from, sizeof from, "%.17g", p->begin);
    if (p->stop >= 0.0) snprintf(to, sizeof to, "%.17g", p->stop);
    snprintf(script, sizeof script,
             "kairos.filmStart({width: %d, height: %d, fps: %d, from: %s, to: %s, speed: %.17g,"
             " format: '%s', quality: %g})",
             p->width, p->height, p->fps, from, to, p->speed, webm ? "webm" : "mp4",
             fine ? 6.0 : 1.0);
    return browser_script(b, script);
}

// Waits until it is made; how many pieces it has, 0 after an error, which it has printed.
static size_t film_wait(browser* b, const cli_pictures* p)
{
    const double until = cli_now() + FILM_SECONDS;
    const bool shown = isatty(STDERR_FILENO);
    while (cli_now() < until) {
        size_t size, pieces = 0;
        double done = 0.0;
        const char* state = browser_text(
            b, "(s => s.done + ' ' + s.pieces + ' ' + s.problem)(kairos.filmState())", &size);
        if (state == NULL) break;
        int read = 0;
        if (sscanf(state, "%lf %zu %n", &done, &pieces, &read) < 2) break;
        if ((size_t)read < size) {
            cli_error("%s: no film: %.*s", p->directory, (int)(size - (size_t)read), state + read);
            return 0;
        }
        if (shown) fprintf(stderr, "\r%5.1f %%", 100.0 * done);
        if (shown && pieces > 0) fprintf(stderr, "\r       \r");
        if (pieces > 0) return pieces;
        usleep(100000);
    }
    cli_error("%s: the browser made no film", p->directory);
    return 0;
}

static bool film_save(browser* b, size_t pieces, const char* path)
{
    // A new file: nothing is written through a link that lies in the folder.
    if (unlink(path) != 0 && errno != ENOENT) return false;
    FILE* file = fopen(path, "wbx");
    bool good = file != NULL;
    for (size_t k = 0; good && k < pieces; k++) {
        char script[60];
        size_t size;
        snprintf(script, sizeof script, "kairos.filmPiece(%zu)", k);
        const char* data = browser_text(b, script, &size);
        good = data != NULL && browser_decode(data, file);
    }
    return file != NULL && fclose(file) == 0 && good;
}

// WebM to MP4 with the encoder x264.
static bool film_convert(const char* webm, const char* mp4)
{
    const char* arguments[] = {"ffmpeg",    "-y",         "-v",   "error", "-i",       webm,
                               "-c:v",      "libx264",    "-crf", "18",    "-pix_fmt", "yuv420p",
                               "-movflags", "+faststart", mp4,    NULL};
    return (unlink(mp4) == 0 || errno == ENOENT) && browser_run_program(arguments);
}

// What makes the film: the browser's own encoder of H.264, or ffmpeg behind its VP9, or VP9 alone.
static bool film_make(browser* b, const cli_pictures* p, const char* page)
{
    char ffmpeg[PATH_MAX], script[120], first[2 * PATH_MAX], path[2 * PATH_MAX];
    size_t size;
    if (!open_page(b, p, page)) return false;
    snprintf(script, sizeof script,
             "kairos.filmCodec({width: %d, height: %d, fps: %d, format: 'mp4'})", p->width,
             p->height, p->fps);
    const char* codec = p->webm ? NULL : browser_text(b, script, &size);
    const bool own = codec != NULL && strncmp(codec, "avc1", 4) == 0,
               convert = !own && !p->webm && browser_find_program("ffmpeg", ffmpeg, sizeof ffmpeg);
    snprintf(path, sizeof path, "%s/film.%s", p->output, own || convert ? "mp4" : "webm");
    snprintf(first, sizeof first, "%s/film.webm", convert ? b->profile : p->output);
    if (!film_start(b, p, !own, convert)) return false;
    const size_t pieces = film_wait(b, p);
    if (pieces == 0) return false;
    if (!film_save(b, pieces, own ? path : first) || (convert && !film_convert(first, path))) {
        cli_error("%s: could not be made", path);
        return false;
    }
    const char* how = own       ? "H.264, encoded by the browser"
                      : convert ? "H.264, encoded by ffmpeg (libx264)"
                                : "VP9 or VP8, encoded by the browser";
    fprintf(stderr, "%s: %s\n", path, how);
    if (!own && !convert && !p->webm)
        fprintf(stderr, "the browser cannot encode H.264 and ffmpeg is not there (Debian package "
                        "ffmpeg): the film is WebM\n");
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
    good = good && (p->fps > 0 ? film_make(&b, p, page) : take_all(&b, p, page));
    browser_end(&b);
    return good;
}
