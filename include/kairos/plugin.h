// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Plug-ins: kinds and sections of a toolkit in a shared object, which the command line loads where it is
// told to (`kairos run SCENE --load FILE.so`). No scene can load one.
//
//     static kai_result add(kai_world* world, kai_error* err)
//     {
//         (void)err;
//         KAI_TRY(kai_load_register(world, &WIND));
//         return kai_section_register(world, &VEHICLES);
//     }
//     KAI_PLUGIN("vehicles", add)
#ifndef KAIROS_PLUGIN_H
#define KAIROS_PLUGIN_H

#include <kairos/export.h>
#include <kairos/result.h>
#include <kairos/version.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A world: see world.h.
typedef struct kai_world kai_world;

/// What a shared object says of itself.
typedef struct kai_plugin {
    uint32_t size;    ///< sizeof(kai_plugin)
    uint16_t major;   ///< version of the headers that it was compiled with
    uint16_t minor;   ///< likewise; both must be those of the library
    const char* name; ///< for messages
    /// Registers kinds and sections in a new world. A message goes to `err`; without one, that of the
    /// last call on the world that failed is told.
    kai_result (*add)(kai_world* world, kai_error* err);
} kai_plugin;

/// What a shared object exports.
#define KAI_PLUGIN_SYMBOL "kai_plugin_entry"

/// Exports it: stands once in a shared object.
#define KAI_PLUGIN(name_, add_)                                                                    \
    KAI_API extern const kai_plugin kai_plugin_entry;                                              \
    const kai_plugin kai_plugin_entry = {sizeof(kai_plugin), KAI_VERSION_MAJOR, KAI_VERSION_MINOR, \
                                         name_, add_};

/// Whether a plug-in was made for this library: KAI_ERROR_UNSUPPORTED says for which. Worlds ask this
/// before they call add().
KAI_API kai_result kai_plugin_check(const kai_plugin* plugin, kai_error* err);

/// The reference of the sections and kinds that a plug-in registers, in Markdown, as docs/scene has of
/// the built-in ones: free() it.
KAI_API kai_result kai_plugin_reference(const kai_plugin* plugin, char** out, kai_error* err);

#ifdef __cplusplus
}
#endif

#endif
