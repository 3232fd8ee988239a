// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Gmsh, which reads shapes and meshes them. Its library brings a CAD kernel along, so it is opened
// when it is needed and not linked. It leaves the mesh as a file of version 4.1, which is read like
// any other.
//
// Gmsh decides by the name what a file is, takes what it does not know for a script, which can run
// programs, and reads options beside the file, which can, too. So it sees a copy, under a name that
// we choose, in a folder where nothing else is.
#include "base/error.h"
#include "scene/structure_data.h"

#include <string.h>

#ifdef KAIROS_HAVE_GMSH

#include "scene/paths.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <gmshc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CALLS(X)              \
    X(Initialize)             \
    X(Finalize)               \
    X(Open)                   \
    X(Write)                  \
    X(OptionSetNumber)        \
    X(ModelGetEntities)       \
    X(ModelGetPhysicalGroups) \
    X(ModelAddPhysicalGroup)  \
    X(ModelSetPhysicalName)   \
    X(ModelMeshGenerate)      \
    X(Free)

typedef struct calls {
#define CALL(name) __typeof__(gmsh##name)* name;
    CALLS(CALL)
#undef CALL
} calls;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // Gmsh has one model for all

static void* open_library(void)
{
    static const char* const NAMES[] = {"libgmsh.so.4.8",  "libgmsh.so.4.11", "libgmsh.so.4.12",
                                        "libgmsh.so.4.13", "libgmsh.so.4",    "libgmsh.so"};
    void* library = NULL;
    for (size_t i = 0; !library && i < KAI_COUNT(NAMES); i++)
        library = dlopen(NAMES[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

static bool find_calls(void* library, calls* out)
{
    bool all = true;
#define CALL(name)                                      \
    *(void**)&out->name = dlsym(library, "gmsh" #name); \
    all = all && out->name != NULL;
    CALLS(CALL)
#undef CALL
    return all;
}

bool kai_structure_gmsh_is_here(void) { return true; }

/// Where a shape has no groups, each face (or edge, of surfaces) becomes one.
static void name_parts(const calls* g, int dimension, int* bad)
{
    int *groups = NULL, *parts = NULL;
    size_t group_count = 0, part_count = 0;
    g->ModelGetPhysicalGroups(&groups, &group_count, -1, bad);
    g->Free(groups);
    if (*bad || group_count > 0) return;
    g->ModelGetEntities(&parts, &part_count, dimension - 1, bad);
    for (size_t i = 0; !*bad && i + 1 < part_count; i += 2) {
        char name[48];
        int tag = parts[i + 1];
        snprintf(name, sizeof name, "%s-%d", dimension == 3 ? "face" : "edge", tag);
        const int made = g->ModelAddPhysicalGroup(parts[i], &tag, 1, -1, bad);
        if (!*bad) g->ModelSetPhysicalName(parts[i], made, name, bad);
    }
    g->Free(parts);
}

static const char* work(const calls* g, const char* path, bool mesh,
                        const kai_element_kind* element, double size, const char* to)
{
    const kai_structure_cell cell = kai_structure_cell_of(element);
    const int dimension = cell == KAI_STRUCTURE_LINE                                           ? 1
                          : cell == KAI_STRUCTURE_TRIANGLE || cell == KAI_STRUCTURE_QUADRANGLE ? 2
                                                                                               : 3;
    int bad = 0;
    const struct {
        const char* name;
        double value;
    } options[] = {{"General.Terminal", 0.0},
                   {"General.AbortOnError", 0.0},
                   {"Mesh.MshFileVersion", 4.1},
                   {"Mesh.Binary", 0.0},
                   {"Mesh.SaveAll", 1.0},
                   {"Mesh.ElementOrder", element->nodes == 10 || element->nodes == 20 ? 2.0 : 1.0},
                   {"Mesh.SecondOrderIncomplete", 1.0},
                   {"Mesh.RecombineAll", cell == KAI_STRUCTURE_QUADRANGLE ? 1.0 : 0.0},
                   {"Mesh.MeshSizeMax", size > 0.0 ? size : 1e22}};
    for (size_t i = 0; i < KAI_COUNT(options) && !bad; i++)
        g->OptionSetNumber(options[i].name, options[i].value, &bad);
    if (!bad) g->Open(path, &bad);
    if (bad) return "Gmsh cannot read it";
    if (!mesh) name_parts(g, dimension, &bad);
    if (!mesh && !bad) g->ModelMeshGenerate(dimension, &bad);
    if (bad) return "Gmsh cannot mesh it";
    g->Write(to, &bad);
    return bad ? "Gmsh cannot write its mesh" : NULL;
}

static kai_result read_back(const char* path, kai_structure_data* data)
{
    char* bytes = NULL;
    size_t count = 0;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return kai_error_set(data->err, KAI_ERROR_FILE, "the mesh of Gmsh is not there");
    kai_result r = kai_paths_read(fd, KAI_STRUCTURE_DATA_BYTES, &bytes, &count);
    close(fd);
    if (r != KAI_OK) return kai_error_set(data->err, r, "%s", kai_result_text(r));
    r = kai_structure_msh_parse(bytes, count, data);
    free(bytes);
    return r;
}

static bool write_bytes(const char* path, const char* bytes, size_t count)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool ok = fd >= 0;
    while (ok && count > 0) {
        const ssize_t n = write(fd, bytes, count);
        ok = n > 0;
        bytes += ok ? n : 0;
        count -= ok ? (size_t)n : 0;
    }
    if (fd >= 0) ok = close(fd) == 0 && ok;
    return ok;
}

static kai_result run(const char* from, const char* to, bool mesh, const kai_element_kind* element,
                      double size, kai_structure_data* data)
{
    pthread_mutex_lock(&lock);
    calls g;
    void* library = open_library();
    const char* message = "Gmsh is not installed (Debian/Ubuntu package: libgmsh-dev)";
    if (library && find_calls(library, &g)) {
        int bad = 0;
        g.Initialize(0, NULL, 0, &bad);
        message = bad ? "Gmsh does not start" : work(&g, from, mesh, element, size, to);
        g.Finalize(&bad);
    }
    pthread_mutex_unlock(&lock); // the library stays: its CAD kernel does not like to go
    return message ? kai_error_set(data->err, KAI_ERROR_UNSUPPORTED, "%s", message)
                   : read_back(to, data);
}

kai_result kai_structure_gmsh_read(kai_import_format format, const char* bytes, size_t count,
                                   const kai_element_kind* element, double size,
                                   kai_structure_data* data)
{
    static const char* const NAMES[KAI_IMPORT_FORMATS] = {[KAI_IMPORT_STEP] = "step",
                                                          [KAI_IMPORT_BREP] = "brep",
                                                          [KAI_IMPORT_IGES] = "iges",
                                                          [KAI_IMPORT_MSH] = "msh"};
    KAI_TRY(kai_import_format_check(format, bytes, count, data->err));
    char folder[] = "/tmp/kairos-XXXXXX", from[64], to[64];
    if (!mkdtemp(folder))
        return kai_error_set(data->err, KAI_ERROR_FILE, "no folder can be made in /tmp");
    snprintf(from, sizeof from, "%s/shape.%s", folder, NAMES[format]);
    snprintf(to, sizeof to, "%s/mesh.msh", folder);
    const kai_result r =
        write_bytes(from, bytes, count)
            ? run(from, to, format == KAI_IMPORT_MSH, element, size, data)
            : kai_error_set(data->err, KAI_ERROR_FILE, "%s cannot be written", from);
    unlink(from);
    unlink(to);
    rmdir(folder);
    return r;
}

#else

bool kai_structure_gmsh_is_here(void) { return false; }

kai_result kai_structure_gmsh_read(kai_import_format format, const char* bytes, size_t count,
                                   const kai_element_kind* element, double size,
                                   kai_structure_data* data)
{
    (void)format, (void)bytes, (void)count, (void)element, (void)size;
    return kai_error_set(data->err, KAI_ERROR_UNSUPPORTED, "Kairos was built without Gmsh");
}

#endif
