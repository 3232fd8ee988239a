// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "run/folder.h"

#include "base/text.h"
#include "measure/output.h"
#include "record/file.h"
#include "record/recorder.h"
#include "record/snapshot.h"
#include "record/trajectory/render_mesh_file.h"
#include "run/figures.h"
#include "view/page.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <kairos/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// Most bytes of a list or a run.json that are looked at: more was not written by a run.
enum { MOST = 1 << 24 };

static const char FILE_WORD[] = "file ", NUMBERED_WORD[] = "numbered ";

static kai_result no_memory(kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for the folder of results");
}

// The lock ---------------------------------------------------------------------------------------

// Holds descriptors 0 to 2, where nobody does.
static void guard_descriptors(void)
{
    int descriptor;
    do descriptor = open("/dev/null", O_RDONLY);
    while (descriptor >= 0 && descriptor <= 2);
    if (descriptor > 2) close(descriptor);
}

// All of a file in a new block, with a zero behind it; NULL when it is none of ours.
static char* read_all(int descriptor)
{
    struct stat info;
    char* text;
    size_t size;
    if (fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) return NULL;
    kai_file_read(descriptor, MOST, &text, &size);
    return text;
}

// Who holds the lock, as its file says.
static kai_result folder_refuse(int lock, const char* directory, kai_error* err)
{
    char host[64] = "", here[64] = "", where[96] = "";
    long process = 0;
    char* text = read_all(lock);
    if (text != NULL && sscanf(text, "process %ld on %63s", &process, host) < 1) process = 0;
    free(text);
    if (gethostname(here, sizeof here - 1) == 0 && host[0] != '\0' && strcmp(host, here) != 0)
        snprintf(where, sizeof where, " on %s", host);
    if (process <= 0)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "%s: another run writes here; choose another folder with -o, or wait",
                             directory);
    return kai_error_set(
        err, KAI_ERROR_ARGUMENT,
        "%s: another run (process %ld%s) writes here; choose another folder with -o, or wait",
        directory, process, where);
}

// Whether the file that was locked is still the one of that name: its holder removes it at its end.
static bool is_current(int lock, const char* path)
{
    struct stat held, named;
    return fstat(lock, &held) == 0 && lstat(path, &named) == 0 && held.st_dev == named.st_dev &&
           held.st_ino == named.st_ino;
}

static kai_result open_lock(kai_folder* folder, const char* path, const kai_world* world,
                            kai_error* err)
{
    const char* directory = folder->directory;
    for (;;) {
        folder->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (folder->lock < 0) return kai_file_error(err, path, errno);
        if (flock(folder->lock, LOCK_EX | LOCK_NB) != 0) {
            if (errno == EINTR) {
                close(folder->lock);
                continue;
            }
            if (errno == EWOULDBLOCK) {
                const kai_result refused = folder_refuse(folder->lock, directory, err);
                close(folder->lock);
                folder->lock = -1;
                return refused;
            }
            kai_world_log(world, KAI_LOG_WARNING,
                          "%s: files cannot be locked there, so that a second run in this folder "
                          "would not be noticed",
                          directory);
            return KAI_OK;
        }
        if (is_current(folder->lock, path)) return KAI_OK;
        close(folder->lock);
    }
}

// Writes who holds the lock, and a list. Without room on the disk the lock holds all the same, and
// it is for the results to say so.
static void write_lock(const kai_folder* folder, const char* list)
{
    char head[128], host[64] = "unknown";
    if (gethostname(host, sizeof host - 1) != 0 || host[0] == '\0') strcpy(host, "unknown");
    const int size = snprintf(head, sizeof head, "process %ld on %s\n", (long)getpid(), host);
    if (lseek(folder->lock, 0, SEEK_SET) == 0 && ftruncate(folder->lock, 0) == 0 &&
        kai_file_write_all(folder->lock, head, (size_t)size, NULL))
        kai_file_write_all(folder->lock, list, strlen(list), NULL);
}

kai_result kai_folder_lock(kai_folder* folder, const char* directory, const kai_world* world,
                           kai_error* err)
{
    *folder = (kai_folder){.lock = -1, .directory = strdup(directory)};
    char* path = kai_file_join(directory, KAI_FOLDER_LOCK);
    guard_descriptors();
    kai_result r = folder->directory && path ? open_lock(folder, path, world, err) : no_memory(err);
    free(path);
    if (r == KAI_OK) {
        char* text = read_all(folder->lock);
        const char* list = text != NULL ? strchr(text, '\n') : NULL;
        if (list != NULL && list[1] != '\0') folder->listed = strdup(list + 1);
        folder->keep = folder->listed != NULL;
        free(text);
        write_lock(folder, folder->listed ? folder->listed : "");
    }
    if (r != KAI_OK) kai_folder_unlock(folder);
    return r;
}

void kai_folder_unlock(kai_folder* folder)
{
    if (folder->lock >= 0) {
        char* path = folder->keep ? NULL : kai_file_join(folder->directory, KAI_FOLDER_LOCK);
        // While the lock is held: who gets it next finds that the name is gone, and begins again.
        if (path != NULL) unlink(path);
        free(path);
        close(folder->lock);
    }
    free(folder->directory);
    free(folder->listed);
    *folder = (kai_folder){.lock = -1};
}

// What earlier runs left -------------------------------------------------------------------------

// Whether a name is one that an output may have (see kai_output_check), or a world that an event
// saves.
static bool is_output(const char* name)
{
    return (kai_text_ends(name, ".csv") || kai_text_ends(name, ".csv.gz") ||
            kai_text_ends(name, ".h5")) &&
           strlen(name) < KAI_STRING_SIZE && name[0] != '.' && strchr(name, '/') == NULL;
}

// Removes a plain file; false when there is none.
static bool remove_plain(const char* path)
{
    struct stat info;
    return path != NULL && lstat(path, &info) == 0 && S_ISREG(info.st_mode) && unlink(path) == 0;
}

static void remove_output(const kai_folder* folder, const char* name, bool numbered)
{
    if (!is_output(name)) return;
    if (!numbered) {
        char* path = kai_file_join(folder->directory, name);
        remove_plain(path);
        free(path);
        return;
    }
    kai_output_def def = {0};
    snprintf(def.file.text, sizeof def.file.text, "%s", name);
    bool there = true;
    for (uint64_t k = 0; there; k++) {
        char* path = kai_snapshot_path(folder->directory, &def, k);
        there = remove_plain(path);
        free(path);
    }
}

static void remove_listed(const kai_folder* folder, char* list)
{
    char* rest = NULL;
    for (char* line = strtok_r(list, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        const size_t file = sizeof FILE_WORD - 1, numbered = sizeof NUMBERED_WORD - 1;
        if (strncmp(line, FILE_WORD, file) == 0) remove_output(folder, line + file, false);
        if (strncmp(line, NUMBERED_WORD, numbered) == 0)
            remove_output(folder, line + numbered, true);
    }
}

static void remove_array(const kai_folder* folder, const json_t* names, bool numbered)
{
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char* name = json_string_value(json_array_get(names, i));
        if (name != NULL) remove_output(folder, name, numbered);
    }
}

// What run.json says that its run wrote.
static void remove_summarized(const kai_folder* folder)
{
    char* path = kai_file_join(folder->directory, KAI_RECORDER_SUMMARY);
    const int file = path ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
    free(path);
    if (file < 0) return;
    char* text = read_all(file);
    close(file);
    json_t* root = text != NULL ? json_loads(text, 0, NULL) : NULL;
    free(text);
    remove_array(folder, json_object_get(root, "outputs"), false);
    remove_array(folder, json_object_get(root, "numbered"), true);
    json_decref(root);
}

kai_result kai_folder_clear(kai_folder* folder, kai_error* err)
{
    static const char* const names[] = {KAI_RECORDER_CHECKPOINT,
                                        KAI_FIGURES_FILE,
                                        KAI_FIGURES_FILE ".tmp",
                                        KAI_RECORDER_SUMMARY,
                                        KAI_RECORDER_TRAJECTORY,
                                        KAI_RECORDER_CHECKPOINT ".tmp",
                                        KAI_RECORDER_SUMMARY ".tmp",
                                        KAI_RECORDER_TRAJECTORY ".tmp",
                                        KAI_RENDER_MESH_FILE,
                                        KAI_RENDER_MESH_FILE ".tmp",
                                        KAI_PAGE_FILE,
                                        KAI_PAGE_FILE ".tmp",
                                        KAI_PAGE_SIDE,
                                        KAI_PAGE_SIDE ".tmp",
                                        KAI_PAGE_FILE ".chunks.tmp"};
    for (size_t i = 0; i < KAI_COUNT(names); i++) {
        char* path = kai_file_join(folder->directory, names[i]);
        if (path == NULL) return no_memory(err);
        unlink(path);
        free(path);
        if (i > 0) continue; // the checkpoint is gone; run.json is still there
        remove_summarized(folder);
        if (folder->listed != NULL) remove_listed(folder, folder->listed);
    }
    free(folder->listed);
    folder->listed = NULL;
    folder->keep = false;
    return KAI_OK;
}

// What this run writes ---------------------------------------------------------------------------

kai_result kai_folder_list(kai_folder* folder, const kai_world* world,
                           const kai_output_def* const* outputs, size_t count, kai_error* err)
{
    size_t saves = 0;
    while (kai_event_save(world, saves)) saves++;
    const size_t most = (count + saves) * (KAI_STRING_SIZE + sizeof NUMBERED_WORD + 1) + 1;
    char* list = malloc(most);
    size_t used = 0;
    if (list == NULL) return no_memory(err);
    list[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const char* name = outputs[i]->file.text;
        if (strchr(name, '\n') != NULL) continue; // stays after a kill
        used += (size_t)snprintf(
            list + used, most - used, "%s%s\n",
            kai_output_is_snapshot(outputs[i]->target) ? NUMBERED_WORD : FILE_WORD, name);
    }
    for (size_t i = 0; i < saves; i++)
        used += (size_t)snprintf(list + used, most - used, "%s%s\n", FILE_WORD,
                                 kai_event_save(world, i));
    write_lock(folder, list);
    free(list);
    folder->keep = used > 0;
    return KAI_OK;
}

void kai_folder_listed_elsewhere(kai_folder* folder) { folder->keep = false; }
