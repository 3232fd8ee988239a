// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Progress on stderr: one line that is drawn again and again on a terminal, a plain line now and
// then elsewhere.
#include "cli.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const double PLAIN_SECONDS = 5.0;

void cli_progress_init(cli_progress* progress, bool quiet)
{
    *progress =
        (cli_progress){.quiet = quiet, .terminal = isatty(STDERR_FILENO) == 1, .shown = cli_now()};
}

static int terminal_width(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return 80;
}

static void duration(char* out, size_t size, double seconds)
{
    if (!(seconds >= 0.0 && seconds < 3.6e8)) seconds = 0.0;
    const long s = (long)(seconds + 0.5);
    if (s < 3600)
        snprintf(out, size, "%ld:%02ld", s / 60, s % 60);
    else
        snprintf(out, size, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
}

// What there is, each in its own kind: "5 bodies 2000 particles 289 nodes".
static void count(char* out, size_t size, const kai_run_progress* p)
{
    const size_t bodies = p->bodies - p->particles;
    char particles[32] = "", nodes[32] = "";
    if (p->particles > 0) snprintf(particles, sizeof particles, " %zu particles", p->particles);
    if (p->nodes > 0) snprintf(nodes, sizeof nodes, " %zu nodes", p->nodes);
    snprintf(out, size, "%zu bod%s%s%s", bodies, bodies == 1 ? "y" : "ies", particles, nodes);
}

static double share(const kai_run_progress* p)
{
    const double done = p->end > 0.0 ? p->time / p->end : 1.0;
    return done < 0.0 ? 0.0 : done > 1.0 ? 1.0 : done;
}

// The text beside the bar, made shorter until it fits.
static void text_of(const kai_run_progress* p, char* out, size_t size, int room)
{
    char left[32];
    duration(left, sizeof left, p->seconds_left);
    const int percent = (int)(100.0 * share(p));
    char things[96];
    count(things, sizeof things, p);
    int n = snprintf(
        out, size, "%3d%% %.4g/%.4g s RTF %.3g %s %zu contacts %.0f iterations left %s", percent,
        p->time, p->end, p->real_time_factor, things, p->contacts, p->iterations, left);
    if (n > room)
        n = snprintf(out, size, "%3d%% %.4g/%.4g s RTF %.3g %s %zu contacts left %s", percent,
                     p->time, p->end, p->real_time_factor, things, p->contacts, left);
    if (n > room)
        n = snprintf(out, size, "%3d%% %.4g/%.4g s RTF %.3g left %s", percent, p->time, p->end,
                     p->real_time_factor, left);
    if (n > room) n = snprintf(out, size, "%3d%% %.3g s left %s", percent, p->time, left);
    if (n > room) n = snprintf(out, size, "%3d%%", percent);
    if (n > room) out[room > 0 ? room : 0] = '\0';
}

static void draw(const kai_run_progress* p)
{
    enum { BAR_MOST = 40, BAR_LEAST = 8 };
    const int width = terminal_width() - 1; // the last column would wrap on some terminals
    char text[160], bar[BAR_MOST + 3] = "";
    text_of(p, text, sizeof text, width > BAR_LEAST + 6 ? width - BAR_LEAST - 3 : width);
    int cells = width - (int)strlen(text) - 3;
    if (cells > BAR_MOST) cells = BAR_MOST;
    if (cells >= BAR_LEAST - 2) {
        const int full = (int)(share(p) * cells + 0.5);
        bar[0] = '[';
        memset(bar + 1, '#', (size_t)full);
        memset(bar + 1 + full, '.', (size_t)(cells - full));
        strcpy(bar + 1 + cells, "]");
    }
    fprintf(stderr, "\r%s%s%s\033[K", bar, bar[0] != '\0' ? " " : "", text);
    fflush(stderr);
}

void cli_progress_show(void* context, const kai_run_progress* p)
{
    cli_progress* progress = context;
    progress->last = *p;
    if (progress->quiet) return;
    if (progress->terminal) {
        draw(p);
        progress->drawn = true;
        return;
    }
    const double now = cli_now();
    if (now - progress->shown < PLAIN_SECONDS) return;
    progress->shown = now;
    char left[32], things[96];
    duration(left, sizeof left, p->seconds_left);
    count(things, sizeof things, p);
    fprintf(stderr, "%3d%%  t = %.6g of %.6g s  real-time factor %.4g  %s  %zu contacts  %s left\n",
            (int)(100.0 * share(p)), p->time, p->end, p->real_time_factor, things, p->contacts,
            left);
}

void cli_progress_end(cli_progress* progress)
{
    if (progress->drawn) fputc('\n', stderr);
    progress->drawn = false;
}
