// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Messages that are no errors: a world hands them to one callback, and prints nothing itself.
#ifndef KAIROS_LOG_H
#define KAIROS_LOG_H

/// How much a message matters.
typedef enum kai_log_level {
    KAI_LOG_DEBUG,  ///< for those who debug the engine
    KAI_LOG_INFO,   ///< what was chosen, loaded or written
    KAI_LOG_WARNING ///< the run continues, but the user should know
} kai_log_level;

/// Receives one line without newline. Called from the thread that called the library.
typedef void kai_log_fn(void* context, kai_log_level level, const char* message);

#endif
