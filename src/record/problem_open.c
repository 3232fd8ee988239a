// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// FCLIB's files, from anywhere. Matrices come in compressed columns (nz = -1), compressed rows (-2)
// or triplets (nz of them: rows in p, columns in i).
#include "base/check.h"
#include "record/h5_file.h"
#include "solve/problem.h"

#include <stdlib.h>

// A matrix as it lies in a file.
typedef struct raw {
    int32_t nzmax, m, n, nz;
    int32_t *p, *i;
    double* x;
    size_t p_count, i_count, x_count;
    uint32_t *row, *column; // [count]
    size_t count;
} raw;

static kai_result wrong(const char* name, const char* what, kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_FORMAT, "%s: %s", name, what);
}

// One whole number, in a dataset of one item.
static kai_result read_int(hid_t parent, const char* name, int32_t* out, kai_error* err)
{
    const hid_t set = kai_h5_has(parent, name) ? H5Dopen2(parent, name, H5P_DEFAULT) : -1;
    if (set < 0) return wrong(name, "is missing", err);
    const hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    const bool good = space >= 0 && type >= 0 && H5Tget_class(type) == H5T_INTEGER &&
                      H5Sget_simple_extent_npoints(space) == 1 &&
                      H5Dread(set, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;
    if (type >= 0) H5Tclose(type);
    if (space >= 0) H5Sclose(space);
    H5Dclose(set);
    return good ? KAI_OK : wrong(name, "is not one whole number", err);
}

// Matrices ---------------------------------------------------------------------------------------

static kai_result read_raw(hid_t group, raw* a, kai_error* err)
{
    void* block = NULL;
    KAI_TRY(read_int(group, "nzmax", &a->nzmax, err));
    KAI_TRY(read_int(group, "m", &a->m, err));
    KAI_TRY(read_int(group, "n", &a->n, err));
    KAI_TRY(read_int(group, "nz", &a->nz, err));
    KAI_TRY(kai_h5_read(group, "p", H5T_NATIVE_INT32, 1, &block, &a->p_count, err));
    a->p = block;
    KAI_TRY(kai_h5_read(group, "i", H5T_NATIVE_INT32, 1, &block, &a->i_count, err));
    a->i = block;
    KAI_TRY(kai_h5_read(group, "x", H5T_NATIVE_DOUBLE, 1, &block, &a->x_count, err));
    a->x = block;
    if (a->m < 0 || a->n < 0)
        return kai_error_set(err, KAI_ERROR_FORMAT, "m is %d and n is %d; must be >= 0", a->m,
                             a->n);
    if (a->nz < -2)
        return kai_error_set(err, KAI_ERROR_FORMAT,
                             "nz is %d; must be -1 (columns), -2 (rows) or the number of triplets",
                             a->nz);
    return KAI_OK;
}

// Where compressed columns or rows begin: one more than there are, ascending, from zero.
static kai_result check_starts(const raw* a, size_t lines, kai_error* err)
{
    if (a->p_count != lines + 1)
        return kai_error_set(err, KAI_ERROR_FORMAT, "p has %zu items; must have %zu", a->p_count,
                             lines + 1);
    if (a->p[0] != 0) return kai_error_set(err, KAI_ERROR_FORMAT, "p(0) is %d; must be 0", a->p[0]);
    for (size_t j = 0; j < lines; j++)
        if (a->p[j + 1] < a->p[j])
            return kai_error_set(err, KAI_ERROR_FORMAT, "p(%zu) is %d after %d; must not fall",
                                 j + 1, a->p[j + 1], a->p[j]);
    return KAI_OK;
}

static kai_result count_entries(raw* a, kai_error* err)
{
    if (a->nz < 0) {
        const size_t lines = (size_t)(a->nz == -1 ? a->n : a->m);
        KAI_TRY(check_starts(a, lines, err));
        a->count = (size_t)a->p[lines];
    } else {
        a->count = (size_t)a->nz;
        if (a->p_count < a->count)
            return kai_error_set(err, KAI_ERROR_FORMAT, "p has %zu items; nz is %d", a->p_count,
                                 a->nz);
    }
    if (a->i_count < a->count || a->x_count < a->count)
        return kai_error_set(err, KAI_ERROR_FORMAT,
                             "i has %zu and x %zu items; there are %zu entries", a->i_count,
                             a->x_count, a->count);
    return KAI_OK;
}

static kai_result place_entries(raw* a, kai_error* err)
{
    a->row = malloc((a->count + 1) * sizeof *a->row);
    a->column = malloc((a->count + 1) * sizeof *a->column);
    if (a->row == NULL || a->column == NULL) return kai_h5_no_memory("i", err);
    size_t line = 0;
    for (size_t k = 0; k < a->count; k++) {
        while (a->nz < 0 && (size_t)a->p[line + 1] <= k) line++;
        const int64_t one = a->nz < 0 ? (int64_t)line : a->p[k], other = a->i[k];
        const int64_t row = a->nz == -1 ? other : one, column = a->nz == -1 ? one : other;
        if (row < 0 || row >= a->m || column < 0 || column >= a->n)
            return kai_error_set(err, KAI_ERROR_FORMAT,
                                 "entry %zu is at (%lld, %lld); the matrix is %d by %d", k,
                                 (long long)row, (long long)column, a->m, a->n);
        a->row[k] = (uint32_t)row;
        a->column[k] = (uint32_t)column;
    }
    return KAI_OK;
}

// Contacts in the plane have two columns of H, and rows and columns of W: a third one follows them.
static uint32_t in_space(uint32_t i, int32_t dimension)
{
    return dimension == 3 ? i : i / 2 * 3 + i % 2;
}

// What a matrix must be like: vectors say how large it is, so that no more memory is taken than the
// file has.
typedef struct shape {
    size_t rows, columns;
    int32_t row_dimension, column_dimension; // of the contacts that they are of; 3: or of none
} shape;

static kai_result check_shape(const raw* a, const shape* s, kai_error* err)
{
    if ((size_t)a->m == s->rows && (size_t)a->n == s->columns) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_FORMAT, "is %d by %d; by the vectors it must be %zu by %zu",
                         a->m, a->n, s->rows, s->columns);
}

static kai_result read_matrix(hid_t parent, const char* name, shape s, kai_problem_matrix* out,
                              kai_error* err)
{
    hid_t group;
    raw a = {0};
    KAI_TRY(kai_h5_open_group(parent, name, &group, err));
    kai_result r = read_raw(group, &a, err);
    H5Gclose(group);
    if (r == KAI_OK) r = check_shape(&a, &s, err);
    if (r == KAI_OK) r = count_entries(&a, err);
    if (r == KAI_OK) r = place_entries(&a, err);
    for (size_t k = 0; r == KAI_OK && k < a.count; k++) {
        a.row[k] = in_space(a.row[k], s.row_dimension);
        a.column[k] = in_space(a.column[k], s.column_dimension);
    }
    if (r == KAI_OK)
        r = kai_problem_matrix_make(s.row_dimension == 3 ? s.rows : s.rows / 2 * 3,
                                    s.column_dimension == 3 ? s.columns : s.columns / 2 * 3,
                                    a.count, a.row, a.column, a.x, out, err);
    if (r != KAI_OK) kai_error_prefix(err, "%s", name);
    void* const blocks[] = {a.p, a.i, a.x, a.row, a.column};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
    return r;
}

// Vectors ----------------------------------------------------------------------------------------

static kai_result read_vector(hid_t group, const char* name, size_t* count, double** out,
                              kai_error* err)
{
    void* block = NULL;
    KAI_TRY(kai_h5_read(group, name, H5T_NATIVE_DOUBLE, 1, &block, count, err));
    *out = block;
    return *count < INT32_MAX / 3 ? KAI_OK : wrong(name, "is too long", err);
}

// Two or three numbers a contact.
static kai_result read_spatial(hid_t group, const char* name, size_t contacts, int32_t dimension,
                               double** out, kai_error* err)
{
    double* flat = NULL;
    size_t count = 0;
    kai_result r = read_vector(group, name, &count, &flat, err);
    if (r == KAI_OK && count != contacts * (size_t)dimension)
        r = kai_error_set(err, KAI_ERROR_FORMAT,
                          "%s has %zu items; mu has %zu, so it must have %zu", name, count,
                          contacts, contacts * (size_t)dimension);
    if (r == KAI_OK && (*out = kai_problem_numbers(3 * contacts)) == NULL)
        r = kai_h5_no_memory(name, err);
    for (size_t i = 0; r == KAI_OK && i < count; i++)
        (*out)[in_space((uint32_t)i, dimension)] = flat[i];
    free(flat);
    return r;
}

static kai_result read_vectors(kai_problem* p, hid_t parent, bool equations, int32_t dimension,
                               kai_error* err)
{
    hid_t group;
    KAI_TRY(kai_h5_open_group(parent, "vectors", &group, err));
    kai_result r = read_vector(group, "mu", &p->contacts, &p->mu, err);
    if (r == KAI_OK)
        r = read_spatial(group, p->global ? "w" : "q", p->contacts, dimension, &p->w, err);
    if (r == KAI_OK && p->global) r = read_vector(group, "f", &p->velocities, &p->f, err);
    if (r == KAI_OK && equations) r = read_vector(group, "b", &p->equations, &p->b, err);
    H5Gclose(group);
    return r;
}

// Problems ---------------------------------------------------------------------------------------

static kai_result read_matrices(kai_problem* p, hid_t group, int32_t dimension, kai_error* err)
{
    const size_t n = p->velocities, c = p->contacts * (size_t)dimension;
    if (!p->global) return read_matrix(group, "W", (shape){c, c, dimension, dimension}, &p->W, err);
    KAI_TRY(read_matrix(group, "M", (shape){n, n, 3, 3}, &p->M, err));
    KAI_TRY(read_matrix(group, "H", (shape){n, c, 3, dimension}, &p->H, err));
    if (p->equations == 0) return KAI_OK;
    return read_matrix(group, "G", (shape){n, p->equations, 3, 3}, &p->G, err);
}

static kai_result read_inside(kai_problem* p, hid_t group, kai_error* err)
{
    int32_t dimension = 3;
    KAI_TRY(read_int(group, "spacedim", &dimension, err));
    if (dimension != 2 && dimension != 3)
        return kai_error_set(err, KAI_ERROR_FORMAT, "spacedim is %d; must be 2 or 3", dimension);
    if (!p->global && (kai_h5_has(group, "V") || kai_h5_has(group, "R")))
        return kai_error_set(err, KAI_ERROR_UNSUPPORTED,
                             "the local problem has equations (V and R); only global problems may "
                             "have some (G)");
    KAI_TRY(read_vectors(p, group, p->global && kai_h5_has(group, "G"), dimension, err));
    return read_matrices(p, group, dimension, err);
}

static kai_result read_form(kai_problem* p, hid_t file, kai_error* err)
{
    hid_t group;
    const char* name = p->global ? "fclib_global" : "fclib_local";
    KAI_TRY(kai_h5_open_group(file, name, &group, err));
    kai_result r = read_inside(p, group, err);
    H5Gclose(group);
    if (r == KAI_OK) r = kai_problem_check(p, err);
    if (r != KAI_OK) kai_error_prefix(err, "%s", name);
    return r;
}

static kai_result read_problem(const char* path, hid_t file, kai_problem** out, kai_error* err)
{
    const bool global = kai_h5_has(file, "fclib_global"), local = kai_h5_has(file, "fclib_local");
    if (!global && !local) {
        kai_error_set(err, KAI_ERROR_FORMAT,
                      "%s: has neither fclib_global nor fclib_local: no problem of FCLIB", path);
        return KAI_ERROR_FORMAT;
    }
    kai_problem* p = kai_problem_new();
    if (p == NULL) return kai_h5_no_memory(path, err);
    p->global = global;
    const kai_result r = read_form(p, file, err);
    if (r == KAI_OK) {
        *out = p;
        return KAI_OK;
    }
    kai_problem_free(p);
    kai_error_prefix(err, "%s", path);
    return r;
}

kai_result kai_problem_open(const char* path, kai_problem** out, kai_error* err)
{
    kai_error own;
    hid_t file = -1;
    if (err == NULL) err = &own;
    KAI_CLEAR(out);
    KAI_GIVEN(err, path, out);
    kai_h5_begin();
    kai_result r = kai_h5_file_open(path, &file, err);
    if (r == KAI_OK) r = read_problem(path, file, out, err);
    if (file >= 0) H5Fclose(file);
    kai_h5_end();
    return r;
}
