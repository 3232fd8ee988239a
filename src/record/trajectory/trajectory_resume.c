// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Going on with a trajectory: its first frames are read, whatever state a kill left the file in,
// and written to a new file that then takes its name.
#include "record/file.h"
#include "record/trajectory/trajectory_read.h"

#include <stdlib.h>
#include <unistd.h>

static kai_result copy_frames(kai_trajectory* to, const char* path, uint64_t frames, kai_error* err)
{
    kai_trajectory_read* from = NULL;
    kai_result r = kai_trajectory_read_open(&from, path, frames, err);
    if (r == KAI_OK && kai_trajectory_read_frames(from) != frames)
        r = kai_error_set(err, KAI_ERROR_FORMAT, "%s: has %zu frames; the checkpoint has %llu",
                          path, kai_trajectory_read_frames(from), (unsigned long long)frames);
    for (size_t k = 0; r == KAI_OK && k < frames; k++) {
        kai_trajectory_frame frame;
        r = kai_trajectory_read_frame(from, k, &frame, err);
        if (r == KAI_OK) r = kai_trajectory_add(to, &frame, err);
    }
    kai_trajectory_read_close(from);
    if (r == KAI_ERROR_FORMAT && err != NULL)
        kai_error_set(err, r, "%s; remove it to go on without its frames", err->message);
    return r == KAI_OK ? kai_trajectory_flush(to, true, err) : r;
}

kai_result kai_trajectory_resume(kai_trajectory** out, const char* path, const kai_world* world,
                                 const kai_trajectory_def* def, const char* scene, uint64_t frames,
                                 kai_error* err)
{
    char* aside = kai_file_aside(path);
    *out = NULL;
    if (aside == NULL) return kai_file_no_memory(path, err);
    kai_trajectory* t = NULL;
    kai_result r = kai_trajectory_create(&t, aside, world, def, scene, err);
    if (r == KAI_OK) r = copy_frames(t, path, frames, err);
    if (r == KAI_OK) r = kai_trajectory_rename(t, path, err);
    if (r == KAI_OK) {
        *out = t;
    } else {
        kai_trajectory_close(t, true, NULL);
        unlink(aside);
    }
    free(aside);
    return r;
}
