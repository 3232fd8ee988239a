// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What a mesh file holds, before the cells of one kind are taken out of it.
#ifndef SCENE_STRUCTURE_DATA_H
#define SCENE_STRUCTURE_DATA_H

#include "base/array.h"
#include "import/import_format.h"

#include <kairos/structure_file.h>

/// A cell: its nodes are [first, first + count) of `nodes`, by the numbers of the file.
typedef struct kai_structure_data_cell {
    size_t first;
    int64_t number; ///< in the file
    uint16_t count;
    uint16_t sort; ///< kai_structure_cell; KAI_STRUCTURE_NONE: only its groups count
} kai_structure_data_cell;

/// A point and its number in the file.
typedef struct kai_structure_data_point {
    int64_t number;
    kai_vec3 at;
} kai_structure_data_point;

/// That a node belongs to a group.
typedef struct kai_structure_data_member {
    uint32_t group;
    int64_t node;
} kai_structure_data_member;

typedef struct kai_structure_data {
    kai_memory memory;
    kai_error* err;
    kai_array points;  // kai_structure_data_point
    kai_array cells;   // kai_structure_data_cell
    kai_array nodes;   // int64_t
    kai_array groups;  // kai_string
    kai_array members; // kai_structure_data_member
} kai_structure_data;

/// Most bytes of a mesh file.
#define KAI_STRUCTURE_DATA_BYTES ((size_t)2 << 30)

void kai_structure_data_init(kai_structure_data* data, kai_error* err);
void kai_structure_data_free(kai_structure_data* data);

/// The group of a name, made when it is new.
kai_result kai_structure_data_group(kai_structure_data* data, const char* name, size_t length,
                                    uint32_t* out);

kai_result kai_structure_data_point_add(kai_structure_data* data, int64_t number, kai_vec3 at);
kai_result kai_structure_data_cell_add(kai_structure_data* data, int64_t number,
                                       kai_structure_cell sort, const int64_t* nodes, size_t count);
kai_result kai_structure_data_member_add(kai_structure_data* data, uint32_t group, int64_t node);

/// Takes out the cells of a kind of element, with their points and groups.
kai_result kai_structure_data_take(kai_structure_data* data, const kai_element_kind* element,
                                   kai_structure_file_params* out);

/// Readers of bytes.
kai_result kai_structure_msh_parse(const char* bytes, size_t size, kai_structure_data* data);
kai_result kai_structure_inp_parse(const char* bytes, size_t size, kai_structure_data* data);

/// Whether Kairos was built with Gmsh, and the bytes of a file that it reads, meshed where it is a
/// shape.
bool kai_structure_import_is_here(void);
kai_result kai_structure_import_read(kai_import_format format, const char* bytes, size_t count,
                                     const kai_element_kind* element, double size,
                                     kai_structure_data* data);

// Text -------------------------------------------------------------------------------------------

/// A place in a text. Lines end at '\n'.
typedef struct kai_structure_data_text {
    const char *at, *end;
    size_t line;
    kai_error* err;
} kai_structure_data_text;

/// The next line without the spaces around it; false at the end.
bool kai_structure_data_line(kai_structure_data_text* text, const char** begin, const char** end);

/// The next word of a line, ended by a space, or by a comma where `commas`; false when there is
/// none.
bool kai_structure_data_word(const char** at, const char* end, bool commas, const char** begin,
                             const char** word_end);

/// A number, or a whole one, out of a word.
kai_result kai_structure_data_real(kai_structure_data_text* text, const char* begin,
                                   const char* end, double* out);
kai_result kai_structure_data_whole(kai_structure_data_text* text, const char* begin,
                                    const char* end, int64_t* out);

/// KAI_ERROR_FORMAT with the line before the message.
kai_result kai_structure_data_bad(const kai_structure_data_text* text, const char* what);

/// The same for a cell with the wrong number of nodes; `type` is what the file calls its type.
kai_result kai_structure_data_miscounted(const kai_structure_data_text* text, int64_t cell,
                                         size_t count, const char* type, size_t wanted);

#endif
