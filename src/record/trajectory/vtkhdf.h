// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A file of frames in the VTKHDF layout, as ParaView reads it: datasets that grow by rows. (A file
// without a group VTKHDF is not marked as one: images of sensors.)
//
// Rows are gathered in memory, in the precision of the file, and appended in one go; many of them
// by a thread of their own while the next steps are taken. The file is in HDF5's
// single-writer-multiple-readers mode, whose order of writes keeps it readable after a kill. One
// dataset, the times of frames, is written after all others: a frame with a time is whole.
//
// In that mode a chunk that was deflated leaves a hole each time that more rows come to it. So files
// whose frames are small are deflated once they are closed: all of it is copied to a file whose
// chunks hold many frames, in which what hardly moves from frame to frame is found again.
#ifndef RECORD_VTKHDF_H
#define RECORD_VTKHDF_H

#include "base/text.h"
#include "base/worker.h"
#include "record/h5.h"

/// Most datasets of a file.
#define KAI_VTKHDF_SETS 64

/// Datasets of every unstructured grid, as X(place, path, columns, number): its parts, and where the
/// numbers of each step begin.
#define KAI_VTKHDF_PARTS(X)                               \
    X(PART_POINTS, "VTKHDF/NumberOfPoints", 1, I64)       \
    X(PART_CELLS, "VTKHDF/NumberOfCells", 1, I64)         \
    X(PART_IDS, "VTKHDF/NumberOfConnectivityIds", 1, I64) \
    X(CONNECTIVITY, "VTKHDF/Connectivity", 1, I64)        \
    X(OFFSETS, "VTKHDF/Offsets", 1, I64)                  \
    X(TYPES, "VTKHDF/Types", 1, U8)
#define KAI_VTKHDF_STEPS(X)                               \
    X(PART_OFFSETS, "VTKHDF/Steps/PartOffsets", 1, I64)   \
    X(PARTS, "VTKHDF/Steps/NumberOfParts", 1, I64)        \
    X(POINT_OFFSETS, "VTKHDF/Steps/PointOffsets", 1, I64) \
    X(CELL_OFFSETS, "VTKHDF/Steps/CellOffsets", 0, I64)   \
    X(ID_OFFSETS, "VTKHDF/Steps/ConnectivityIdOffsets", 0, I64)

/// An entry of an enum of places, and one of a table of kai_vtkhdf_def, for those lists.
#define KAI_VTKHDF_PLACE(place, path, columns, number) SET_##place,
#define KAI_VTKHDF_DEF(place, path_, columns_, number_) \
    {.path = path_, .columns = columns_, .number = KAI_NUMBER_##number_},

enum {
    KAI_VTKHDF_STEP_ROWS = 256, // rows of a chunk of datasets with a row per frame
    KAI_VTKHDF_MANY = 4096,     // rows a frame from which on a frame is chunks of its own
    KAI_VTKHDF_LATER = 1 << 15  // rows a frame up to which a file is packed when it is closed
};

/// Rows of a chunk of datasets that have so many rows a frame: some frames of few, of many a whole
/// number of chunks a frame.
hsize_t kai_vtkhdf_chunk_rows(size_t rows);

/// A dataset to be made.
typedef struct kai_vtkhdf_def {
    const char* path; // in the file; groups are made. NULL: only its number is taken
    unsigned columns; // 0: one column, but of two dimensions, as VTKHDF wants offsets of cells
    unsigned depth;   // > 0: three dimensions, each row being columns × depth numbers
    kai_number number;
    hsize_t chunk_rows;
    int64_t compression; // deflate level, 0: none
    bool direct; // rows go to the file from where they were gathered, past HDF5's cache. Not with
                 // compression: HDF5 then needs chunks in memory
} kai_vtkhdf_def;

/// The deflate level of a file of so many rows a frame: `asked`, or, when that is negative, 4 up to
/// KAI_VTKHDF_LATER, else none.
int64_t kai_vtkhdf_level(int64_t asked, size_t rows);

/// One dataset: where it stands, rows that wait, and rows that are being appended.
typedef struct kai_vtkhdf_set {
    hid_t dataset; // -1: not there
    char* path;    // in the file
    hsize_t rows;  // in the file
    unsigned columns, depth;
    kai_number number;
    size_t row_bytes;
    kai_text waiting, leaving; // bytes
} kai_vtkhdf_set;

typedef struct kai_vtkhdf {
    char* path;
    hid_t file;
    int descriptor;       // of the file, owned by HDF5
    uint64_t reserved;    // bytes of the file that have room on disk
    uint64_t chunk_bytes; // one chunk of every dataset
    kai_vtkhdf_set sets[KAI_VTKHDF_SETS];
    size_t set_count;
    size_t last;    // the dataset that makes frames whole
    double flushed; // when, by kai_clock_now
    int64_t pack;   // deflate level that the whole file gets when it is closed; 0: stays as it is
    // The thread owns the file, `reserved`, `rows` and `leaving` of the sets, and these three,
    // until kai_worker_wait.
    kai_worker worker;
    bool settled;      // times of frames do not wait in HDF5's memory
    kai_result result; // of the first append that failed; nothing is appended after it
    kai_error error;
} kai_vtkhdf;

/// Begins a file with room for `bytes` bytes, between kai_h5_begin and kai_h5_end. `vtk` stays
/// where it is until it is closed, also after a failure.
kai_result kai_vtkhdf_make(kai_vtkhdf* vtk, const char* path, uint64_t bytes, kai_error* err);

/// Adds a dataset; the first one is number 0. Between kai_h5_begin and kai_h5_end.
kai_result kai_vtkhdf_add(kai_vtkhdf* vtk, const kai_vtkhdf_def* def, kai_error* err);

/// Adds two datasets for numbers of points: VTKHDF/PointData/name, as in `def`, whose path is not
/// read, and where those of each step begin. Not `kept`: only their numbers are taken.
kai_result kai_vtkhdf_add_field(kai_vtkhdf* vtk, const char* name, bool kept,
                                const kai_vtkhdf_def* def, kai_error* err);

/// After all datasets, of which number `last` makes a frame whole: from here on they only grow.
/// Between kai_h5_begin and kai_h5_end.
kai_result kai_vtkhdf_start(kai_vtkhdf* vtk, size_t last, kai_error* err);

/// Adds a whole number to dataset i, and real ones in the precision of the dataset. When memory
/// runs out, kai_vtkhdf_push says so.
void kai_vtkhdf_integer(kai_vtkhdf* vtk, size_t i, int64_t value);
void kai_vtkhdf_reals(kai_vtkhdf* vtk, size_t i, const double* data, size_t count); ///< likewise

/// Room for `rows` rows of dataset i, for the caller to fill; NULL when memory runs out.
void* kai_vtkhdf_room(kai_vtkhdf* vtk, size_t i, size_t rows);

/// After each frame: appends what is gathered when it is much, or has waited long.
kai_result kai_vtkhdf_push(kai_vtkhdf* vtk, kai_error* err);

/// Appends what is gathered; `sync`: waits until it is on disk. On a full disk the file keeps the
/// frames that it has.
kai_result kai_vtkhdf_flush(kai_vtkhdf* vtk, bool sync, kai_error* err);

/// Gives the file another name, in place of a file that may be there.
kai_result kai_vtkhdf_rename(kai_vtkhdf* vtk, const char* path, kai_error* err);

/// Finishes, closes and packs; a file that cannot be packed, for want of room, stays as it is. `discard`: what is gathered is not written, after an error.
kai_result kai_vtkhdf_close(kai_vtkhdf* vtk, bool discard, kai_error* err);

#endif
