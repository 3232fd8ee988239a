// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors

/// Visibility of public symbols. The library is compiled with hidden visibility, so only what is
/// declared with KAI_API leaves the shared object.

#ifndef KAIROS_EXPORT_H
#define KAIROS_EXPORT_H

/// Marks a function or object as part of the public binary interface.
#define KAI_API __attribute__((visibility("default")))

#ifdef __CUDACC__
/// Marks an inline function that runs on the processor and, where CUDA compiles it, on the device.
#define KAI_HD __host__ __device__
#else
/// Marks an inline function that runs on the processor and, where CUDA compiles it, on the device.
#define KAI_HD
#endif

#endif // KAIROS_EXPORT_H
