// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What this build of the library is and can do.
#ifndef KAIROS_INFO_H
#define KAIROS_INFO_H

#include <kairos/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The version, such as "0.1.0".
KAI_API const char* kai_info_version(void);

/// One fact about build or machine; both NULL after the last.
typedef struct kai_fact {
    const char* name;  ///< such as "hdf5"
    const char* value; ///< such as "1.10.8"
} kai_fact;

/// Fact number i (version, compiler, CPU model and features, threads, libraries, MPI, CUDA).
KAI_API kai_fact kai_info_fact(int i);

#ifdef __cplusplus
}
#endif

#endif
