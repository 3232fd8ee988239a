// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Threads that help with a piece of work. OpenMP's end of a parallel region waits for every member
// of the team, also for those that other programs keep from running: with one busy program beside
// it a run on two cores took nearly three times as long as on one. Here nobody waits for a thread
// that has not begun.
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

/// What a member does; `worker` is in [0, threads), another one for each. Members share the work
/// among themselves, and one that comes late may find nothing to do.
typedef void kai_team_fn(int worker, void* context);

/// Calls fn(0) on this thread and fn(1) to fn(threads - 1) on helpers, as far as these are free
/// before fn(0) is done; returns when all that have begun are done. fn(0) alone must do all of the
/// work. Inside of a team, and while another thread has the helpers, it is fn(0) alone.
void kai_team_run(int threads, kai_team_fn* fn, void* context);

#endif
