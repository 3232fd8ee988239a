// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What steps were judged by so far, as part of a checkpoint: a resumed run counts on.
#ifndef RECORD_JUDGE_FILE_H
#define RECORD_JUDGE_FILE_H

#include "record/h5.h"

#include <kairos/judge.h>

/// Writes the attributes "judge" and "judge_counts" and the dataset "breaches" into a group.
kai_result kai_judge_file_write(const kai_judge* judge, hid_t group, kai_error* err);

/// Reads them.
kai_result kai_judge_file_read(kai_judge* judge, hid_t group, kai_error* err);

#endif
