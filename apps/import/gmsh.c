// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Gmsh, which reads shapes and meshes them. Its library brings a CAD kernel along, so it is opened
// when it is needed and not linked. It decides by the name what a file is, takes what it does not
// know for a script, and reads options beside the file; scripts and options can run programs. So it
// sees the file under a name of ours, in a folder where nothing else is.
#include "import.h"

#include <string.h>

#ifdef KAIROS_HAVE_GMSH

#include <dlfcn.h>
#include <fcntl.h>
#include <gmshc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define CALLS(X)              \
    X(Initialize)             \
    X(Open)                   \
    X(Write)                  \
    X(OptionSetNumber)        \
    X(ModelGetEntities)       \
    X(ModelGetPhysicalGroups) \
    X(ModelAddPhysicalGroup)  \
    X(ModelSetPhysicalName)   \
    X(ModelMeshGenerate)      \
    X(LoggerGetLastError)     \
    X(Free)

static struct {
#define CALL(name) __typeof__(gmsh##name)* name;
    CALLS(CALL)
#undef CALL
} g;

static const char TO[] = "mesh.msh";

void import_gmsh_load(void)
{
    static const char* const NAMES[] = {"libgmsh.so.4.8",  "libgmsh.so.4.11", "libgmsh.so.4.12",
                                        "libgmsh.so.4.13", "libgmsh.so.4",    "libgmsh.so"};
    void* library = NULL;
    bool all = true;
    int bad = 0;
    for (size_t i = 0; !library && i < sizeof NAMES / sizeof NAMES[0]; i++)
        library = dlopen(NAMES[i], RTLD_NOW | RTLD_GLOBAL);
    if (!library)
        import_fail(KAI_IMPORT_MISSING, "Gmsh is not installed (Debian/Ubuntu package: "
                                        "libgmsh-dev)");
#define CALL(name)                                   \
    *(void**)&g.name = dlsym(library, "gmsh" #name); \
    all = all && g.name != NULL;
    CALLS(CALL)
#undef CALL
    if (all) g.Initialize(0, NULL, 0, &bad); // no options of the user
    if (!all || bad) import_fail(KAI_IMPORT_MISSING, "Gmsh does not start");
}

static _Noreturn void fail(const char* what)
{
    char* why = NULL;
    int bad = 0;
    g.LoggerGetLastError(&why, &bad);
    const bool told = !bad && why && why[0];
    import_fail(KAI_IMPORT_BAD, "%s%s%.300s", what, told ? ": " : "", told ? why : "");
}

// Where a shape has no groups, each face (or edge, of surfaces) becomes one.
static void name_parts(int dimension, int* bad)
{
    int *groups = NULL, *parts = NULL;
    size_t group_count = 0, part_count = 0;
    g.ModelGetPhysicalGroups(&groups, &group_count, -1, bad);
    g.Free(groups);
    if (*bad || group_count > 0) return;
    g.ModelGetEntities(&parts, &part_count, dimension - 1, bad);
    for (size_t i = 0; !*bad && i + 1 < part_count; i += 2) {
        char name[48];
        int tag = parts[i + 1];
        snprintf(name, sizeof name, "%s-%d", dimension == 3 ? "face" : "edge", tag);
        const int made = g.ModelAddPhysicalGroup(parts[i], &tag, 1, -1, bad);
        if (!*bad) g.ModelSetPhysicalName(parts[i], made, name, bad);
    }
    g.Free(parts);
}

static void set_options(const kai_import_request* request, int* bad)
{
    const struct {
        const char* name;
        double value;
    } options[] = {{"General.Terminal", 0.0},
                   {"General.AbortOnError", 0.0},
                   {"Mesh.MshFileVersion", 4.1},
                   {"Mesh.Binary", 0.0},
                   {"Mesh.SaveAll", 1.0},
                   {"Mesh.ElementOrder", request->order == 2 ? 2.0 : 1.0},
                   {"Mesh.SecondOrderIncomplete", 1.0},
                   {"Mesh.RecombineAll", request->quads ? 1.0 : 0.0},
                   {"Mesh.MeshSizeMax", request->size > 0.0 ? request->size : 1e22}};
    for (size_t i = 0; i < sizeof options / sizeof options[0] && !*bad; i++)
        g.OptionSetNumber(options[i].name, options[i].value, bad);
}

// The file, from the socket to the working folder.
static void store(const char* name, uint64_t bytes)
{
    char piece[1 << 16];
    const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);
    bool ok = fd >= 0;
    for (uint64_t left = bytes; left > 0;) {
        const size_t n = left < sizeof piece ? (size_t)left : sizeof piece;
        import_receive(piece, n);
        for (size_t done = 0; ok && done < n;) {
            const ssize_t wrote = write(fd, piece + done, n - done);
            ok = wrote > 0;
            done += ok ? (size_t)wrote : 0;
        }
        left -= n;
    }
    if (!ok || close(fd) != 0)
        import_fail(KAI_IMPORT_BAD, "the importer cannot write to its folder for temporary files");
}

static _Noreturn void hand_back(void)
{
    char piece[1 << 16];
    struct stat status;
    const int fd = open(TO, O_RDONLY);
    if (fd < 0 || fstat(fd, &status) != 0)
        import_fail(KAI_IMPORT_BAD, "the mesh of Gmsh is not there");
    import_head(KAI_IMPORT_MSH_TEXT, (uint64_t)status.st_size);
    for (uint64_t left = (uint64_t)status.st_size; left > 0;) {
        const ssize_t n = read(fd, piece, left < sizeof piece ? (size_t)left : sizeof piece);
        if (n <= 0) _exit(1);
        import_send(piece, (size_t)n);
        left -= (uint64_t)n;
    }
    _exit(0); // the CAD kernel does not like to go
}

_Noreturn void import_gmsh_read(const kai_import_request* request)
{
    static const char* const NAMES[] = {[KAI_IMPORT_STEP] = "shape.step",
                                        [KAI_IMPORT_BREP] = "shape.brep",
                                        [KAI_IMPORT_IGES] = "shape.iges",
                                        [KAI_IMPORT_MSH] = "shape.msh"};
    const char* name = NAMES[request->format];
    const bool mesh = request->format == KAI_IMPORT_MSH;
    const int dimension = (int)request->dimension;
    int bad = 0;
    store(name, request->bytes);
    set_options(request, &bad);
    if (bad) fail("Gmsh does not start");
    g.Open(name, &bad);
    if (bad) fail("Gmsh cannot read it");
    if (!mesh) name_parts(dimension, &bad);
    if (!mesh && !bad) g.ModelMeshGenerate(dimension, &bad);
    if (bad) fail("Gmsh cannot mesh it");
    g.Write(TO, &bad);
    if (bad) fail("Gmsh cannot write its mesh");
    hand_back();
}

#else

void import_gmsh_load(void)
{
    import_fail(KAI_IMPORT_MISSING, "Kairos was built without Gmsh, which meshes shapes");
}

_Noreturn void import_gmsh_read(const kai_import_request* request)
{
    (void)request;
    import_fail(KAI_IMPORT_MISSING, "Kairos was built without Gmsh, which meshes shapes");
}

#endif
