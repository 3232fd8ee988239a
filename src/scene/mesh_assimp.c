// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#define _GNU_SOURCE // asprintf
#include "scene/mesh_assimp.h"

#ifdef KAIROS_HAVE_ASSIMP

#include <kairos/math.h>

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Files as Assimp sees them ----------------------------------------------------------------------

// The main file is in memory under this name; others come from a folder.
static const char MAIN[] = "kairos-mesh.";
static const size_t LARGEST = (size_t)1 << 30;

typedef struct source {
    const char* bytes;
    size_t size;
    const char* folder;
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

// All of a plain file inside the folder, links followed; NULL: it is not there, or not inside.
static char* load_beside(const source* s, const char* name, size_t* size)
{
    while (strncmp(name, "./", 2) == 0) name += 2;
    if (name[0] == '/' || name[0] == '\0' || !s->folder) return NULL;
    char *path = NULL, *real = NULL, *bytes = NULL;
    struct stat status;
    const size_t length = strlen(s->folder);
    if (asprintf(&path, "%s/%s", s->folder, name) < 0) return NULL;
    real = realpath(path, NULL);
    free(path);
    const bool inside = real && strncmp(real, s->folder, length) == 0 && real[length] == '/';
    const int fd = inside ? open(real, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    free(real);
    if (fd < 0) return NULL;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
        (uint64_t)status.st_size <= LARGEST)
        bytes = malloc((size_t)status.st_size);
    *size = 0;
    while (bytes && *size < (size_t)status.st_size) {
        const ssize_t got = read(fd, bytes + *size, (size_t)status.st_size - *size);
        if (got <= 0) break;
        *size += (size_t)got;
    }
    close(fd);
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
        o->bytes = o->own = load_beside(s, name, &o->size);
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

static kai_result copy_mesh(kai_mesh_text* out, const struct aiMesh* mesh, kai_error* err)
{
    const size_t first = out->points.count;
    if (first + mesh->mNumVertices > UINT32_MAX / 4)
        return kai_error_set(err, KAI_ERROR_LIMIT, "more than %u points", UINT32_MAX / 4);
    for (unsigned i = 0; i < mesh->mNumVertices; i++) {
        const struct aiVector3D* v = &mesh->mVertices[i];
        const kai_vec3 p = kai_vec3_make((double)v->x, (double)v->y, (double)v->z);
        KAI_TRY(kai_array_append(&out->points, out->memory, &p, 1, err));
    }
    for (unsigned i = 0; i < mesh->mNumFaces; i++) {
        const struct aiFace* face = &mesh->mFaces[i];
        uint32_t t[3];
        if (face->mNumIndices != 3) continue; // points and lines
        for (int k = 0; k < 3; k++) {
            if (face->mIndices[k] >= mesh->mNumVertices)
                return kai_error_set(err, KAI_ERROR_FORMAT,
                                     "triangle %u has vertex %u; there are %u", i,
                                     face->mIndices[k], mesh->mNumVertices);
            t[k] = (uint32_t)first + face->mIndices[k];
        }
        KAI_TRY(kai_array_append(&out->triangles, out->memory, t, 1, err));
    }
    return KAI_OK;
}

kai_result kai_mesh_assimp_read(kai_mesh_text* mesh, const char* bytes, size_t size,
                                const char* extension, const char* folder, kai_error* err)
{
    source s = {bytes, size, folder};
    struct aiFileIO io = {.OpenProc = io_open, .CloseProc = io_close, .UserData = (char*)&s};
    char name[64];
    snprintf(name, sizeof name, "%s%.16s", MAIN, extension);
    const struct aiScene* scene = aiImportFileEx(
        name,
        aiProcess_Triangulate | aiProcess_PreTransformVertices | aiProcess_ValidateDataStructure,
        &io);
    if (!scene)
        return kai_error_set(err, KAI_ERROR_FORMAT, "Assimp cannot read it: %s",
                             aiGetErrorString());
    kai_result r = KAI_OK;
    for (unsigned i = 0; r == KAI_OK && i < scene->mNumMeshes; i++)
        r = copy_mesh(mesh, scene->mMeshes[i], err);
    aiReleaseImport(scene);
    return r;
}

#else

kai_result kai_mesh_assimp_read(kai_mesh_text* mesh, const char* bytes, size_t size,
                                const char* extension, const char* folder, kai_error* err)
{
    (void)mesh, (void)bytes, (void)size, (void)folder;
    return kai_error_set(err, KAI_ERROR_UNSUPPORTED,
                         "a .%s file needs Assimp, and Kairos was built without it (Debian package "
                         "libassimp-dev)",
                         extension);
}

#endif
