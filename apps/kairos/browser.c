// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "browser.h"

#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

enum { COMMAND_MOST = 32 * 1024 };
static const double ANSWER_SECONDS = 60.0, READY_SECONDS = 60.0;

// Finding and starting ---------------------------------------------------------------------------

bool browser_find_program(const char* name, char* out, size_t size)
{
    const char* path = getenv("PATH");
    while (path != NULL && *path != '\0') {
        const size_t n = strcspn(path, ":");
        if (snprintf(out, size, "%.*s/%s", (int)n, path, name) < (int)size &&
            access(out, X_OK) == 0)
            return true;
        path += n + (path[n] == ':');
    }
    return false;
}

static bool find_browser(char* out, size_t size)
{
    static const char* const names[] = {"chromium", "chromium-browser", "google-chrome",
                                        "google-chrome-stable"};
    const char* given = getenv("KAIROS_CHROMIUM");
    if (given != NULL) {
        snprintf(out, size, "%s", given);
        return access(out, X_OK) == 0;
    }
    for (size_t i = 0; i < KAI_COUNT(names); i++)
        if (browser_find_program(names[i], out, size)) return true;
    return false;
}

// posix_spawn does not change its arguments; its type is older than const.
static int spawn(pid_t* child, const char* program, const posix_spawn_file_actions_t* actions,
                 const char* const* arguments)
{
    union {
        const char* const* in;
        char* const* out;
    } words = {.in = arguments};
    return posix_spawnp(child, program, actions, NULL, words.out, environ);
}

// The browser reads commands from descriptor 3 and writes answers to 4. It finds no host and no
// proxy: pages come from files. Root can have no sandbox; the page is our own (pictures.c).
static bool launch(browser* b, const char* program, int commands, int answers)
{
    char data[64];
    snprintf(data, sizeof data, "--user-data-dir=%s", b->profile);
    const char* arguments[] = {program,
                               "--headless=new",
                               "--remote-debugging-pipe",
                               "--hide-scrollbars",
                               "--no-first-run",
                               "--disable-extensions",
                               "--disable-background-networking",
                               "--disable-component-update",
                               "--host-resolver-rules=MAP * ~NOTFOUND",
                               "--proxy-server=127.0.0.1:9",
                               "--proxy-bypass-list=<-loopback>",
                               "--disable-dev-shm-usage",
                               "--use-angle=swiftshader",
                               "--enable-unsafe-swiftshader",
                               "--ignore-gpu-blocklist",
                               data,
                               geteuid() == 0 ? "--no-sandbox" : "--disable-sync",
                               "about:blank",
                               NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, commands, 3);
    posix_spawn_file_actions_adddup2(&actions, answers, 4);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    const int why = spawn(&b->process, program, &actions, arguments);
    posix_spawn_file_actions_destroy(&actions);
    if (why == 0) return true;
    b->process = 0;
    cli_error("%s: %s", program, strerror(why));
    return false;
}

// Pipes above the numbers that the browser wants, so that none is in the way of another.
static bool make_pipes(int pipes[4])
{
    for (int i = 0; i < 4; i += 2) {
        int ends[2];
        if (pipe(ends) != 0) return false;
        for (int k = 0; k < 2; k++) {
            pipes[i + k] = fcntl(ends[k], F_DUPFD_CLOEXEC, 10);
            close(ends[k]);
            if (pipes[i + k] < 0) return false;
        }
    }
    return true;
}

// Talking ----------------------------------------------------------------------------------------

// Room for more bytes of messages.
static bool make_room(browser* b)
{
    if (b->size + 1 < b->capacity) return true;
    const size_t capacity = b->capacity > 0 ? 2 * b->capacity : 1 << 16;
    char* larger = realloc(b->answer, capacity);
    if (larger == NULL) return false;
    b->answer = larger;
    b->capacity = capacity;
    return true;
}

// The next message, at the start of b->answer; what was read beyond it waits behind.
static bool receive(browser* b, double until)
{
    // The message before goes.
    if (b->taken > 0) memmove(b->answer, b->answer + b->taken, b->size - b->taken);
    b->size -= b->taken;
    b->taken = 0;
    for (size_t looked = 0;;) {
        const char* end =
            b->size > looked ? memchr(b->answer + looked, '\0', b->size - looked) : NULL;
        if (end != NULL) {
            b->taken = (size_t)(end - b->answer) + 1;
            return true;
        }
        looked = b->size;
        const double left = until - cli_now();
        struct pollfd wait = {.fd = b->out, .events = POLLIN};
        if (left <= 0.0 || !make_room(b) || poll(&wait, 1, (int)(1000.0 * left) + 1) <= 0)
            return false;
        const ssize_t n = read(b->out, b->answer + b->size, b->capacity - b->size - 1);
        if (n <= 0) return false;
        b->size += (size_t)n;
    }
}

// Sends a command and waits for its answer; `parameters` is a JSON object.
static bool command(browser* b, const char* method, const char* parameters)
{
    static char text[COMMAND_MOST];
    char id[32];
    const int number = ++b->next;
    const int n =
        snprintf(text, sizeof text, "{\"id\":%d,\"method\":\"%s\",\"params\":%s%s%s%s}", number,
                 method, parameters, b->session[0] != '\0' ? ",\"sessionId\":\"" : "", b->session,
                 b->session[0] != '\0' ? "\"" : "");
    if (n < 0 || (size_t)n >= sizeof text || write(b->in, text, (size_t)n + 1) != n + 1)
        return false;
    snprintf(id, sizeof id, "{\"id\":%d,", number);
    const double until = cli_now() + ANSWER_SECONDS;
    while (receive(b, until))
        if (strncmp(b->answer, id, strlen(id)) == 0) return strstr(b->answer, "\"error\":") == NULL;
    return false;
}

// The text of a key of the last answer, to `out`; false when it has none, or it is too long.
static bool value_of(const browser* b, const char* key, char* out, size_t size)
{
    char mark[64];
    snprintf(mark, sizeof mark, "\"%s\":\"", key);
    const char* found = strstr(b->answer, mark);
    if (found == NULL) return false;
    found += strlen(mark);
    const size_t n = strcspn(found, "\"");
    if (n >= size) return false;
    memcpy(out, found, n);
    out[n] = '\0';
    return true;
}

// Calls ------------------------------------------------------------------------------------------

bool browser_start(browser* b, int width, int height)
{
    char program[PATH_MAX], target[80], parameters[200];
    int pipes[4] = {-1, -1, -1, -1};
    *b = (browser){.in = -1, .out = -1, .profile = "/tmp/kairos-browser-XXXXXX"};
    if (!find_browser(program, sizeof program)) {
        b->profile[0] = '\0';
        cli_error("no browser for pictures: chromium was not found (Debian package chromium)");
        return false;
    }
    if (mkdtemp(b->profile) == NULL || !make_pipes(pipes)) {
        cli_error("%s", strerror(errno));
        return false;
    }
    signal(SIGPIPE, SIG_IGN);
    const bool launched = launch(b, program, pipes[0], pipes[3]);
    close(pipes[0]);
    close(pipes[3]);
    b->in = pipes[1];
    b->out = pipes[2];
    if (!launched) return false;
    bool good = command(b, "Target.createTarget", "{\"url\":\"about:blank\"}") &&
                value_of(b, "targetId", target, sizeof target);
    snprintf(parameters, sizeof parameters, "{\"targetId\":\"%s\",\"flatten\":true}", target);
    char session[sizeof b->session];
    good = good && command(b, "Target.attachToTarget", parameters) &&
           value_of(b, "sessionId", session, sizeof session);
    if (good) memcpy(b->session, session, sizeof session);
    snprintf(parameters, sizeof parameters,
             "{\"width\":%d,\"height\":%d,\"deviceScaleFactor\":1,\"mobile\":false}", width,
             height);
    good = good && command(b, "Emulation.setDeviceMetricsOverride", parameters);
    if (!good) cli_error("%s did not start", program);
    return good;
}

static bool evaluate(browser* b, const char* script)
{
    static char parameters[8192];
    const int n =
        snprintf(parameters, sizeof parameters,
                 "{\"expression\":\"%s\",\"awaitPromise\":true,\"returnByValue\":true}", script);
    return n > 0 && (size_t)n < sizeof parameters && command(b, "Runtime.evaluate", parameters);
}

bool browser_script(browser* b, const char* script)
{
    return evaluate(b, script) && strstr(b->answer, "\"value\":true") != NULL;
}

const char* browser_text(browser* b, const char* script, size_t* size)
{
    static const char mark[] = "\"type\":\"string\",\"value\":\"";
    const char* found = evaluate(b, script) ? strstr(b->answer, mark) : NULL;
    if (found == NULL) return NULL;
    found += strlen(mark);
    *size = strcspn(found, "\"");
    return found;
}

bool browser_run_program(const char* const* arguments)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = 1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    const bool began = spawn(&child, arguments[0], &actions, arguments) == 0;
    posix_spawn_file_actions_destroy(&actions);
    return began && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

bool browser_open(browser* b, const char* address)
{
    static char parameters[COMMAND_MOST - 256];
    snprintf(parameters, sizeof parameters, "{\"url\":\"%s\"}", address);
    if (!command(b, "Page.navigate", parameters)) return false;
    const double until = cli_now() + READY_SECONDS;
    // A page without a viewer has nothing to wait for.
    while (cli_now() < until) {
        if (browser_script(b, "document.readyState === 'complete' && (!window.kairos || "
                              "document.documentElement.dataset.kairos === 'ready')"))
            return true;
        if (browser_script(b, "document.documentElement.dataset.kairos === 'failed'")) return false;
        usleep(50000);
    }
    return false;
}

static int letter(char c)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char* found = c != '\0' ? strchr(letters, c) : NULL;
    return found != NULL ? (int)(found - letters) : -1;
}

bool browser_decode(const char* data, FILE* file)
{
    unsigned bits = 0;
    size_t n = 0;
    for (; letter(*data) >= 0; data++, n++) {
        bits = bits << 6 | (unsigned)letter(*data);
        if (n % 4 > 0) putc((int)(bits >> (6 - 2 * (n % 4)) & 255u), file);
    }
    return ferror(file) == 0 && n > 0;
}

bool browser_picture(browser* b, const char* path)
{
    if (!command(b, "Page.captureScreenshot", "{\"format\":\"png\"}")) return false;
    const char* data = strstr(b->answer, "\"data\":\"");
    // A new file: nothing is written through a link that lies in the folder.
    if (data == NULL || (unlink(path) != 0 && errno != ENOENT)) return false;
    FILE* file = fopen(path, "wbx");
    if (file == NULL) return false;
    const bool good = browser_decode(data + strlen("\"data\":\""), file);
    return fclose(file) == 0 && good;
}

void browser_end(browser* b)
{
    int status;
    if (b->in >= 0) {
        b->session[0] = '\0';
        if (b->process > 0) command(b, "Browser.close", "{}");
        close(b->in);
    }
    if (b->out >= 0) close(b->out);
    if (b->process > 0) {
        // It has been asked; what does not go by itself is ended.
        for (int i = 0; i < 100 && waitpid(b->process, &status, WNOHANG) == 0; i++) usleep(50000);
        kill(b->process, SIGKILL);
        waitpid(b->process, &status, 0);
    }
    if (b->profile[0] != '\0') {
        const char* arguments[] = {"rm", "-rf", "--", b->profile, NULL};
        pid_t child;
        if (spawn(&child, "rm", NULL, arguments) == 0) waitpid(child, &status, 0);
    }
    free(b->answer);
}
