// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Assimp. It opens no file: the main one is in memory, others are asked for.
#include "import.h"

#ifdef KAIROS_HAVE_ASSIMP

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Files as Assimp sees them ----------------------------------------------------------------------

// The main file is in memory under this name.
static const char MAIN[] = "kairos-mesh.";

typedef struct source {
    const char* bytes;
    size_t size;
} source;

typedef struct opened {
    struct aiFile file;
    char* own; // NULL: the main file's bytes, which are not ours
    const char* bytes;
    size_t size, at;
} opened;

static size_t file_read(struct aiFile* f, char* to, size_t size, size_t count)
{
    opened* o = (opened*)(void*)f->UserData;
    const size_t left = o->size - o->at, most = size > 0 ? left / size : 0;
    const size_t n = count < most ? count : most;
    memcpy(to, o->bytes + o->at, n * size);
    o->at += n * size;
    return n;
}

static size_t file_write(struct aiFile* f, const char* from, size_t size, size_t count)
{
    (void)f, (void)from, (void)size, (void)count;
    return 0;
}

static size_t file_tell(struct aiFile* f) { return ((opened*)(void*)f->UserData)->at; }
static size_t file_size(struct aiFile* f) { return ((opened*)(void*)f->UserData)->size; }
static void file_flush(struct aiFile* f) { (void)f; }

static enum aiReturn file_seek(struct aiFile* f, size_t offset, enum aiOrigin origin)
{
    opened* o = (opened*)(void*)f->UserData;
    const size_t from = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? o->at : o->size;
    const size_t to = from + offset; // a step back wraps around, as Assimp counts on
    if (to > o->size) return aiReturn_FAILURE;
    o->at = to;
    return aiReturn_SUCCESS;
}

// All of another file, which the other side has or does not give.
static char* ask(const char* name, size_t* size)
{
    kai_import_reply reply;
    const size_t length = strlen(name);
    if (length == 0 || length > KAI_IMPORT_NAME) return NULL;
    import_head(KAI_IMPORT_ASK, length);
    import_send(name, length);
    import_receive(&reply, sizeof reply);
    if (!reply.found) return NULL;
    char* bytes = malloc((size_t)reply.size + 1);
    if (!bytes) import_fail(KAI_IMPORT_MEMORY, "no memory");
    import_receive(bytes, (size_t)reply.size);
    *size = (size_t)reply.size;
    return bytes;
}

static struct aiFile* io_open(struct aiFileIO* io, const char* name, const char* mode)
{
    const source* s = (const source*)(void*)io->UserData;
    opened* o = strchr(mode, 'w') ? NULL : calloc(1, sizeof *o);
    if (!o) return NULL;
    if (strncmp(name, MAIN, sizeof MAIN - 1) == 0) {
        o->bytes = s->bytes;
        o->size = s->size;
    } else {
        o->bytes = o->own = ask(name, &o->size);
    }
    if (!o->bytes) {
        free(o);
        return NULL;
    }
    o->file = (struct aiFile){.ReadProc = file_read,
                              .WriteProc = file_write,
                              .TellProc = file_tell,
                              .FileSizeProc = file_size,
                              .SeekProc = file_seek,
                              .FlushProc = file_flush,
                              .UserData = (char*)o};
    return &o->file;
}

static void io_close(struct aiFileIO* io, struct aiFile* file)
{
    opened* o = (opened*)(void*)file->UserData;
    (void)io;
    free(o->own);
    free(o);
}

// Triangles --------------------------------------------------------------------------------------

// Bytes gathered into larger pieces.
static struct {
    char bytes[1 << 16];
    size_t count;
} gathered;

static void flush(void)
{
    import_send(gathered.bytes, gathered.count);
    gathered.count = 0;
}

static void gather(const void* bytes, size_t size)
{
    if (gathered.count + size > sizeof gathered.bytes) flush();
    memcpy(gathered.bytes + gathered.count, bytes, size);
    gathered.count += size;
}

static kai_import_counts count(const struct aiScene* scene)
{
    kai_import_counts n = {0};
    for (unsigned i = 0; i < scene->mNumMeshes; i++) {
        const struct aiMesh* mesh = scene->mMeshes[i];
        n.points += mesh->mNumVertices;
        for (unsigned k = 0; k < mesh->mNumFaces; k++)
            n.triangles += mesh->mFaces[k].mNumIndices == 3; // others are points and lines
    }
    return n;
}

static void send_points(const struct aiMesh* mesh)
{
    for (unsigned i = 0; i < mesh->mNumVertices; i++) {
        const struct aiVector3D* v = &mesh->mVertices[i];
        const double x[3] = {(double)v->x, (double)v->y, (double)v->z};
        gather(x, sizeof x);
    }
}

static void send_triangles(const struct aiMesh* mesh, uint32_t first)
{
    for (unsigned i = 0; i < mesh->mNumFaces; i++) {
        const struct aiFace* face = &mesh->mFaces[i];
        if (face->mNumIndices != 3) continue;
        uint32_t corners[3];
        for (int k = 0; k < 3; k++) // one that does not exist stays one
            corners[k] =
                face->mIndices[k] < mesh->mNumVertices ? first + face->mIndices[k] : UINT32_MAX;
        gather(corners, sizeof corners);
    }
}

_Noreturn void import_assimp_read(const kai_import_request* request, const char* bytes)
{
    static const char* const ENDS[] = {
        [KAI_IMPORT_GLTF] = "gltf", [KAI_IMPORT_GLB] = "glb", [KAI_IMPORT_DAE] = "dae"};
    source s = {bytes, (size_t)request->bytes};
    struct aiFileIO io = {.OpenProc = io_open, .CloseProc = io_close, .UserData = (char*)&s};
    char name[64];
    snprintf(name, sizeof name, "%s%s", MAIN, ENDS[request->format]);
    const struct aiScene* scene = aiImportFileEx(
        name,
        aiProcess_Triangulate | aiProcess_PreTransformVertices | aiProcess_ValidateDataStructure,
        &io);
    if (!scene) import_fail(KAI_IMPORT_BAD, "Assimp cannot read it: %.300s", aiGetErrorString());
    const kai_import_counts n = count(scene);
    import_head(KAI_IMPORT_TRIANGLES, sizeof n + 24 * n.points + 12 * n.triangles);
    gather(&n, sizeof n);
    for (unsigned i = 0; i < scene->mNumMeshes; i++) send_points(scene->mMeshes[i]);
    uint32_t first = 0;
    for (unsigned i = 0; i < scene->mNumMeshes; i++) {
        send_triangles(scene->mMeshes[i], first);
        first += scene->mMeshes[i]->mNumVertices;
    }
    flush();
    _exit(0);
}

#else

_Noreturn void import_assimp_read(const kai_import_request* request, const char* bytes)
{
    (void)request, (void)bytes;
    import_fail(KAI_IMPORT_MISSING,
                "it needs Assimp, and Kairos was built without it (Debian package libassimp-dev)");
}

#endif
