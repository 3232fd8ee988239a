// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A JSON document as scenes need it: a tree of nodes that know the file, line and column they came
// from.
//
// Jansson reads the text and decides what is valid; a scanner then walks the same text in step with
// Jansson's tree (which keeps the order of keys) and notes where every key and value stands. Nodes
// of several files may live in one document: includes and overrides move nodes from tree to tree.
#ifndef SCENE_DOCUMENT_H
#define SCENE_DOCUMENT_H

#include "base/text.h"
#include "scene/problems.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Largest file, and deepest nesting of lists and objects, that is read.
#define KAI_DOCUMENT_BYTES (UINT64_C(256) << 20)
#define KAI_DOCUMENT_DEPTH 100

typedef enum kai_document_kind {
    KAI_DOCUMENT_NULL,
    KAI_DOCUMENT_BOOL,
    KAI_DOCUMENT_NUMBER,
    KAI_DOCUMENT_STRING,
    KAI_DOCUMENT_LIST,
    KAI_DOCUMENT_OBJECT
} kai_document_kind;

/// Where something stands: a file of the document, 1-based line and column (in characters).
typedef struct kai_document_place {
    uint32_t file, line, column;
} kai_document_place;

typedef struct kai_document_node kai_document_node;
struct kai_document_node {
    kai_document_kind kind;
    bool boolean;
    bool resolved;                // its formulas, names and places are worked out
    uint32_t count;               // of children
    uint32_t index;               // among the children of the parent
    double number;                // finite
    const char* string;           // STRING: UTF-8, no NUL inside
    const char* key;              // in an object; NULL otherwise
    kai_document_place place;     // of the value
    kai_document_place key_place; // of the key
    kai_document_node *parent, *first, *last, *next;
};

/// A file that nodes came from.
typedef struct kai_document_file {
    char* name; // as the user gave it
    char*
        folder;  // real path of the folder that its relative paths start from; NULL: that of file 0
    bool is_set; // an override such as "--set /step=1": has no lines
} kai_document_file;

typedef struct kai_document_block kai_document_block;

typedef struct kai_document {
    kai_document_block* blocks; // memory of nodes and texts, given back all at once
    kai_document_file* files;   // [file_count]
    size_t file_count;
    size_t limit;             // most bytes of nodes and texts; 0: the default limit of memory
    size_t bytes;             // of them so far
    uint64_t looked;          // children looked through on the way of pointers
    const char* context;      // what is being read, for messages: an instance; NULL or "": none
    bool failed;              // memory ran out; results since then are NULL
    char why[KAI_ERROR_SIZE]; // where it did, "" when that is not known
} kai_document;

/// The limit of memory for what a scene is read into, bytes.
size_t kai_document_limit(const kai_document* document);

/// Gives all memory back.
void kai_document_free(kai_document* document);

/// Zeroed memory that lives as long as the document; NULL (and failed) when there is none.
void* kai_document_allocate(kai_document* document, size_t count, size_t size);

/// Adds a file and returns its index. `folder` may be NULL.
uint32_t kai_document_add_file(kai_document* document, const char* name, const char* folder,
                               bool is_set);

/// Reads JSON text; problems (one at most) go to the list. NULL when it is not valid.
kai_document_node* kai_document_parse(kai_document* document, uint32_t file, const char* text,
                                      size_t size, kai_problems* problems);

/// Reads the value of an override: JSON, or else a plain text.
kai_document_node* kai_document_parse_value(kai_document* document, uint32_t file,
                                            const char* text);

/// True for a text that is valid UTF-8.
bool kai_document_parse_is_utf8(const char* text);

/// The child of a key, NULL when there is none or the node is no object.
kai_document_node* kai_document_get(const kai_document_node* node, const char* key);

/// Adds a child at the end; `key` is that of the child.
void kai_document_append(kai_document_node* parent, kai_document_node* child);

/// Takes a child out of its parent.
void kai_document_remove(kai_document_node* child);

/// Gives `node` the value and place of `source`; its key and position in the tree stay. `source`
/// must not be used afterwards.
void kai_document_assign(kai_document_node* node, kai_document_node* source);

/// A node with all that is below it, in no tree; NULL when memory ran out.
kai_document_node* kai_document_copy(kai_document* document, const kai_document_node* node);

/// Those who read a document get const nodes; a node whose value is worked out (formulas, instances
/// of templates) is changed by these alone.
void kai_document_set_number(const kai_document_node* node, double number);
void kai_document_set_string(kai_document* document, const kai_document_node* node,
                             const char* text);
void kai_document_set_numbers(kai_document* document, const kai_document_node* node,
                              const double* numbers, size_t count);
/// The words whose bits are set.
void kai_document_set_words(kai_document* document, const kai_document_node* node,
                            const char* const* words, uint32_t bits);
void kai_document_set_bool(const kai_document_node* node, bool value);
void kai_document_set_key(kai_document* document, const kai_document_node* node, const char* key);
void kai_document_set_resolved(const kai_document_node* node);

/// Writes the JSON pointer of a node, "" for the root; cut when it does not fit.
void kai_document_pointer(const kai_document_node* node, char* out, size_t size);

/// Says what a node is for a message: "heavy", -2, a list of 3, an object.
void kai_document_describe(const kai_document_node* node, char* out, size_t size);

/// Reports a problem of a node (at its key when `at_key`), formatted, as FILE:LINE:COL: /pointer:
/// text.
void kai_document_report(const kai_document* document, kai_problems* problems,
                         const kai_document_node* node, bool at_key, const char* format, ...)
    __attribute__((format(printf, 5, 6)));

void kai_document_reportv(const kai_document* document, kai_problems* problems,
                          const kai_document_node* node, bool at_key, const char* format,
                          va_list args) __attribute__((format(printf, 5, 0)));

/// Marks the document as failed for want of memory, and keeps the first reason with its place.
void kai_document_fail(kai_document* document, const kai_document_node* node, const char* text);

/// Appends the node as compact JSON, numbers with as many digits as they need; and the key of a child with its colon.
void kai_document_write(const kai_document_node* node, kai_text* out);
void kai_document_write_key(const kai_document_node* child, kai_text* out);

#endif
