// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Checkpoints: one file with a whole world and, for runs, how far its outputs are.
//
// The file is an HDF5 file followed by a checksum of each of its blocks of 1 MiB and a trailer of
// 24 bytes: "KAIROS\n2", the number of bytes of the HDF5 file, and a hash of that number and the
// checksums. HDF5 ignores what follows its own end.
//
// A file is read into memory once. Checksums are checked before HDF5 sees a byte, and say where
// damage is. They are no seal: who writes them anew can write anything. So HDF5 is tried on these
// bytes in a child process first (h5_file.h), and nothing that it reads is believed.
//
// A checkpoint is made in memory, written to PATH.tmp, synced and renamed: at any moment PATH is
// either the old checkpoint or the new one.
#ifndef RECORD_CHECKPOINT_H
#define RECORD_CHECKPOINT_H

#include "base/clock.h"
#include "model/world.h"

#include <kairos/judge.h>
#include <kairos/output.h>

/// How far one output is.
typedef struct kai_checkpoint_output {
    kai_string file;
    uint64_t samples; // taken
    int64_t turns;    // of a joint's angle
    uint64_t bytes;   // of the file; particles: 0
} kai_checkpoint_output;

/// How far a run is.
typedef struct kai_checkpoint_run {
    uint64_t scene_hash, model_hash; // of the scene, and of what its world is made of
    double step;                     // s
    double start_time;               // of the world when the run began, s
    uint64_t start_steps;            // likewise
    double wall_seconds;             // spent so far
    double phase_seconds[KAI_CLOCK_PHASE_COUNT];
    double max_violation;                 // of joints, at samples so far
    double max_penetration;               // of shapes, after steps so far, m
    double contacts_sum;                  // over these steps
    uint64_t contacts_max, contact_steps; // largest of these, and how many steps there were
    uint64_t frames;                      // of the trajectory
    uint64_t held[KAI_STOPS_MOST]; // steps at which each condition to stop has held, in a row
    kai_judge judge;               // what steps were held to so far
    size_t output_count;
    kai_checkpoint_output* outputs; // [output_count]; kai_checkpoint_read allocates, free() it
} kai_checkpoint_run;

/// Writes a world, and a run's state when `run` is not NULL.
kai_result kai_checkpoint_write(const kai_world* world, const kai_checkpoint_run* run,
                                const char* path, kai_error* err);

/// Reads a file into a world (all of it is replaced; on failure it is as it was) and, when `run` is
/// not NULL, the run's state, which must then be there.
kai_result kai_checkpoint_read(kai_world* world, kai_checkpoint_run* run, const char* path,
                               kai_error* err);

/// Reads only the run's state.
kai_result kai_checkpoint_read_run(kai_checkpoint_run* run, const char* path, kai_error* err);

#endif
