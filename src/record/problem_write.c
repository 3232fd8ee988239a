// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Problems as FCLIB's files: groups with matrices in compressed columns (nz = -1), vectors and
// numbers as datasets.
#include "base/check.h"
#include "record/file.h"
#include "record/h5.h"
#include "solve/problem.h"

#include <kairos/info.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

// The block that HDF5's memory driver works in.
typedef struct image {
    void* data;
} image;

static void* problem_write_malloc(size_t size, H5FD_file_image_op_t op, void* context)
{
    (void)op;
    image* m = context;
    return m->data = malloc(size);
}

static void* problem_write_realloc(void* data, size_t size, H5FD_file_image_op_t op, void* context)
{
    (void)op;
    image* m = context;
    void* grown = realloc(data, size);
    if (grown != NULL) m->data = grown;
    return grown;
}

static hid_t create(image* m)
{
    H5FD_file_image_callbacks_t calls = {.image_malloc = problem_write_malloc,
                                         .image_realloc = problem_write_realloc,
                                         .image_free = kai_h5_image_keep,
                                         .udata_copy = kai_h5_image_context,
                                         .udata_free = kai_h5_image_leave,
                                         .udata = m};
    enum { GROWTH = 4 << 20 };
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file = -1;
    if (access >= 0 && H5Pset_fapl_core(access, GROWTH, 0) >= 0 &&
        H5Pset_file_image_callbacks(access, &calls) >= 0)
        file = H5Fcreate("problem", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    if (access >= 0) H5Pclose(access);
    return file;
}

// Groups -----------------------------------------------------------------------------------------

static kai_result write_int(hid_t parent, const char* name, int32_t value, kai_error* err)
{
    return kai_h5_write(parent, name, H5T_NATIVE_INT32, 1, 1, &value, err);
}

static kai_result write_numbers(hid_t parent, const char* name, const double* x, size_t count,
                                kai_error* err)
{
    return kai_h5_write(parent, name, H5T_NATIVE_DOUBLE, count, 1, x, err);
}

static kai_result write_text(hid_t parent, const char* name, const char* text, kai_error* err)
{
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    hid_t set = -1;
    if (type >= 0 && space >= 0 && H5Tset_size(type, strlen(text) + 1) >= 0)
        set = H5Dcreate2(parent, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const bool good = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    if (set >= 0) H5Dclose(set);
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    return good ? KAI_OK : kai_error_set(err, KAI_ERROR_MEMORY, "HDF5 could not write '%s'", name);
}

static kai_result write_entries(hid_t group, const kai_problem_matrix* a, kai_error* err)
{
    const size_t count = a->first[a->columns];
    int32_t* first = malloc((a->columns + 1) * sizeof *first);
    if (first == NULL) return kai_h5_no_memory("p", err);
    for (size_t j = 0; j <= a->columns; j++) first[j] = (int32_t)a->first[j];
    kai_result r = write_int(group, "nzmax", (int32_t)count, err);
    if (r == KAI_OK) r = write_int(group, "m", (int32_t)a->rows, err);
    if (r == KAI_OK) r = write_int(group, "n", (int32_t)a->columns, err);
    if (r == KAI_OK) r = write_int(group, "nz", -1, err);
    if (r == KAI_OK) r = kai_h5_write(group, "p", H5T_NATIVE_INT32, a->columns + 1, 1, first, err);
    free(first);
    KAI_TRY(r);
    // Row numbers are below 2³¹: the same bits with and without a sign.
    KAI_TRY(kai_h5_write(group, "i", H5T_NATIVE_INT32, count, 1, a->row, err));
    return write_numbers(group, "x", a->value, count, err);
}

static kai_result write_matrix(hid_t parent, const char* name, const kai_problem_matrix* a,
                               kai_error* err)
{
    hid_t group;
    if (a->first[a->columns] > INT32_MAX || a->rows > INT32_MAX || a->columns > INT32_MAX)
        return kai_error_set(err, KAI_ERROR_LIMIT,
                             "%s has %zu entries; FCLIB's files hold 2^31 - 1", name,
                             a->first[a->columns]);
    KAI_TRY(kai_h5_make_group(parent, name, &group, err));
    const kai_result r = write_entries(group, a, err);
    H5Gclose(group);
    return r;
}

static kai_result write_vectors(const kai_problem* p, hid_t group, kai_error* err)
{
    KAI_TRY(write_numbers(group, p->global ? "w" : "q", p->w, 3 * p->contacts, err));
    KAI_TRY(write_numbers(group, "mu", p->mu, p->contacts, err));
    if (p->global) KAI_TRY(write_numbers(group, "f", p->f, p->velocities, err));
    return p->equations > 0 ? write_numbers(group, "b", p->b, p->equations, err) : KAI_OK;
}

static kai_result write_info(hid_t group, kai_error* err)
{
    KAI_TRY(write_text(group, "title", "contact problem of a step", err));
    KAI_TRY(write_text(group, "description", "written by Kairos", err));
    return write_text(group, "math_info", "SI units; r is an impulse, v and u are velocities", err);
}

static kai_result write_inside(const kai_problem* p, hid_t group, kai_error* err)
{
    hid_t inner;
    KAI_TRY(write_int(group, "spacedim", 3, err));
    if (p->global) {
        KAI_TRY(write_matrix(group, "M", &p->M, err));
        KAI_TRY(write_matrix(group, "H", &p->H, err));
        if (p->equations > 0) KAI_TRY(write_matrix(group, "G", &p->G, err));
    } else {
        KAI_TRY(write_matrix(group, "W", &p->W, err));
    }
    KAI_TRY(kai_h5_make_group(group, "vectors", &inner, err));
    kai_result r = write_vectors(p, inner, err);
    H5Gclose(inner);
    KAI_TRY(r);
    KAI_TRY(kai_h5_make_group(group, "info", &inner, err));
    r = write_info(inner, err);
    H5Gclose(inner);
    return r;
}

static kai_result write_solution(const kai_problem* p, hid_t group, kai_error* err)
{
    if (p->velocities > 0) KAI_TRY(write_numbers(group, "v", p->v, p->velocities, err));
    KAI_TRY(write_numbers(group, "u", p->u, 3 * p->contacts, err));
    KAI_TRY(write_numbers(group, "r", p->r, 3 * p->contacts, err));
    return p->equations > 0 ? write_numbers(group, "l", p->l, p->equations, err) : KAI_OK;
}

static kai_result write_all(const kai_problem* p, hid_t file, kai_error* err)
{
    hid_t group;
    KAI_TRY(kai_h5_make_group(file, p->global ? "fclib_global" : "fclib_local", &group, err));
    kai_result r = write_inside(p, group, err);
    H5Gclose(group);
    KAI_TRY(r);
    if (p->r == NULL) return KAI_OK;
    KAI_TRY(kai_h5_make_group(file, "solution", &group, err));
    r = write_solution(p, group, err);
    H5Gclose(group);
    return r;
}

// Files ------------------------------------------------------------------------------------------

static kai_result build(const kai_problem* p, image* m, size_t* size, kai_error* err)
{
    const hid_t file = create(m);
    if (file < 0)
        return kai_error_set(err, KAI_ERROR_MEMORY, "HDF5 could not make a file in memory");
    kai_result r = write_all(p, file, err);
    if (r == KAI_OK && H5Fflush(file, H5F_SCOPE_GLOBAL) < 0)
        r = kai_error_set(err, KAI_ERROR_MEMORY, "HDF5 could not finish a file in memory");
    const ssize_t bytes = r == KAI_OK ? H5Fget_file_image(file, NULL, 0) : 0;
    if (H5Fclose(file) < 0 || bytes < 0)
        r = kai_error_set(err, KAI_ERROR_MEMORY, "HDF5 could not close a file in memory");
    *size = (size_t)bytes;
    return r;
}

kai_result kai_problem_write(const kai_problem* problem, const char* path, kai_error* err)
{
    image m = {0};
    size_t size = 0;
    KAI_GIVEN(err, problem, path);
    if (path[0] == '\0')
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "kai_problem_write: path is empty");
    KAI_TRY(kai_h5_room(path, err));
    kai_h5_begin();
    kai_result r = build(problem, &m, &size, err);
    kai_h5_end();
    if (r == KAI_OK)
        r = kai_file_replace(path, &(kai_file_piece){m.data, size}, 1, err);
    else
        kai_error_prefix(err, "%s", path);
    free(m.data);
    return r;
}
