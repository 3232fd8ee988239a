// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors

#include "record/h5_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEPTH_MOST = 8,          // groups in groups
    OBJECTS_MOST = 1 << 20,  // groups and datasets
    NAME_MOST = 512,         // bytes
    ATTRIBUTE_MOST = 1 << 20 // bytes
};

typedef struct walk {
    int depth;
    size_t objects;
    char path[2048]; // of the object, for messages
    kai_result result;
    kai_error* err;
} walk;

static herr_t h5_walk_refuse(walk* w, const char* name, const char* why)
{
    w->result = kai_error_set(w->err, KAI_ERROR_FORMAT, "'%s%s' %s", w->path, name, why);
    return -1;
}

// Attributes -------------------------------------------------------------------------------------

static const char* read_attribute(hid_t attribute)
{
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    const size_t size = type >= 0 && kai_h5_set_is_type(type) ? H5Tget_size(type) : 0;
    const H5S_class_t form = space >= 0 ? H5Sget_simple_extent_type(space) : H5S_NO_CLASS;
    const hssize_t count =
        form == H5S_SCALAR || form == H5S_SIMPLE ? H5Sget_simple_extent_npoints(space) : -1;
    const char* wrong = NULL;
    if (size == 0) wrong = "has a wrong type";
    if (wrong == NULL && (count < 0 || (size_t)count > ATTRIBUTE_MOST / size))
        wrong = "has a wrong size";
    void* data = wrong == NULL ? malloc((size_t)count * size + 1) : NULL;
    if (wrong == NULL && (data == NULL || (count > 0 && H5Aread(attribute, type, data) < 0)))
        wrong = "cannot be read";
    free(data);
    if (type >= 0) H5Tclose(type);
    if (space >= 0) H5Sclose(space);
    return wrong;
}

static herr_t check_attribute(hid_t object, const char* name, const H5A_info_t* info, void* context)
{
    (void)info;
    walk* w = context;
    if (strlen(name) > NAME_MOST) return h5_walk_refuse(w, "…", "has too long a name");
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    const char* wrong = attribute < 0 ? "cannot be opened" : read_attribute(attribute);
    if (attribute >= 0) H5Aclose(attribute);
    return wrong == NULL ? 0 : h5_walk_refuse(w, name, wrong);
}

static herr_t check_attributes(hid_t object, walk* w)
{
    hsize_t from = 0;
    const herr_t done =
        H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, &from, check_attribute, w);
    if (done < 0 && w->result == KAI_OK)
        return h5_walk_refuse(w, "", "has attributes that cannot be read");
    return done;
}

// Objects ----------------------------------------------------------------------------------------

static herr_t check_link(hid_t group, const char* name, const H5L_info_t* info, void* context);

static herr_t check_group(hid_t group, walk* w)
{
    hsize_t from = 0;
    const herr_t done = H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, &from, check_link, w);
    if (done < 0 && w->result == KAI_OK)
        return h5_walk_refuse(w, "", "has members that cannot be read");
    return done;
}

static herr_t check_object(hid_t object, walk* w)
{
    kai_h5_set shape;
    switch (H5Iget_type(object)) {
    case H5I_GROUP: return check_group(object, w);
    case H5I_DATASET: w->result = kai_h5_set_check(object, w->path, true, &shape, w->err); break;
    default: return h5_walk_refuse(w, "", "is neither group nor dataset");
    }
    return w->result == KAI_OK ? 0 : -1;
}

static herr_t check_link(hid_t group, const char* name, const H5L_info_t* info, void* context)
{
    walk* w = context;
    const size_t length = strlen(w->path);
    if (strlen(name) > NAME_MOST || length + strlen(name) + 2 > sizeof w->path)
        return h5_walk_refuse(w, "…", "has too long a name");
    if (info->type != H5L_TYPE_HARD)
        return h5_walk_refuse(w, name, "is a link to elsewhere, which is not allowed");
    if (w->depth >= DEPTH_MOST || ++w->objects > OBJECTS_MOST)
        return h5_walk_refuse(w, name, "lies too deep, or is one of too many");
    const hid_t object = H5Oopen(group, name, H5P_DEFAULT);
    if (object < 0) return h5_walk_refuse(w, name, "cannot be opened");
    w->depth++;
    snprintf(w->path + length, sizeof w->path - length, "%s%s", length > 0 ? "/" : "", name);
    herr_t done = check_attributes(object, w);
    if (done >= 0) done = check_object(object, w);
    w->path[length] = '\0';
    w->depth--;
    H5Oclose(object);
    return done;
}

kai_result kai_h5_walk(hid_t file, kai_error* err)
{
    walk w = {.result = KAI_OK, .err = err};
    const hid_t root = H5Gopen2(file, "/", H5P_DEFAULT);
    if (root < 0) return kai_error_set(err, KAI_ERROR_FORMAT, "'/' cannot be opened");
    if (check_attributes(root, &w) >= 0) check_group(root, &w);
    H5Gclose(root);
    return w.result;
}
