// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the library and the program kairos-import say to each other. See docs/importing.md.
#ifndef IMPORT_IMPORT_PROTOCOL_H
#define IMPORT_IMPORT_PROTOCOL_H

/// Formats that are read by libraries of others.
typedef enum kai_import_format {
    KAI_IMPORT_NONE,
    KAI_IMPORT_STEP,
    KAI_IMPORT_BREP,
    KAI_IMPORT_IGES,
    KAI_IMPORT_MSH,
    KAI_IMPORT_GLTF,
    KAI_IMPORT_GLB,
    KAI_IMPORT_DAE,
    KAI_IMPORT_FORMATS
} kai_import_format;

#endif
