// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Where a world takes its memory from.
#ifndef KAIROS_MEMORY_H
#define KAIROS_MEMORY_H

#include <kairos/export.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Alignment in bytes of every block that a world asks for: one cache line.
#define KAI_ALIGNMENT 64

/// A source of memory. Give one in kai_world_def; a zeroed one means the C library's.
typedef struct kai_allocator {
    /// Returns `bytes` bytes (a multiple of KAI_ALIGNMENT) aligned to KAI_ALIGNMENT, or NULL.
    void* (*allocate)(void* context, size_t bytes);
    /// Takes back a block of `bytes` bytes that allocate() gave.
    void (*release)(void* context, void* block, size_t bytes);
    /// Passed to both calls as it is.
    void* context;
} kai_allocator;

/// Most bytes that a world takes unless kai_world_def says otherwise: four fifths of what the
/// machine offers this process, the least of its physical memory, the limits of its control groups
/// and its limits of address space and data. It is found out once.
KAI_API size_t kai_memory_default_limit(void);

#ifdef __cplusplus
}
#endif

#endif
