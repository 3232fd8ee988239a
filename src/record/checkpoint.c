// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/checkpoint.h"

#include "base/hash.h"
#include "record/file.h"
#include "record/h5_file.h"
#include "record/param_file.h"
#include "record/world_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The trailer ------------------------------------------------------------------------------------

enum { BLOCK = 1 << 20 }; // bytes that a checksum is of

typedef struct trailer {
    char magic[8];
    uint64_t size; // bytes of the HDF5 file
    uint64_t hash; // of size and all checksums
} trailer;

static const char MAGIC[8] = "KAIROS\n2";

static uint64_t blocks_of(uint64_t size) { return size / BLOCK + (size % BLOCK != 0); }

// The checksum of a block, which also depends on where it stands.
static uint64_t hash_block(const char* data, uint64_t size, uint64_t block)
{
    const uint64_t from = block * BLOCK, rest = size - from;
    const uint64_t start = kai_hash_bytes(KAI_HASH_START, &block, sizeof block);
    return kai_hash_bytes(start, data + from, (size_t)(rest < BLOCK ? rest : BLOCK));
}

static uint64_t hash_table(uint64_t size, const uint64_t* sums)
{
    const uint64_t start = kai_hash_bytes(KAI_HASH_START, &size, sizeof size);
    return kai_hash_bytes(start, sums, (size_t)blocks_of(size) * sizeof *sums);
}

// Checksums of all blocks, in a new block; NULL: no memory.
static uint64_t* hash_blocks(const char* data, uint64_t size)
{
    const uint64_t count = blocks_of(size);
    uint64_t* sums = malloc((size_t)(count + 1) * sizeof *sums);
    for (uint64_t i = 0; sums != NULL && i < count; i++) sums[i] = hash_block(data, size, i);
    return sums;
}

// Checks a whole file that lies in memory; `*size` receives how much of it is HDF5's.
static kai_result check_blocks(const char* data, uint64_t whole, const char* path, uint64_t* size,
                               kai_error* err)
{
    trailer t = {0};
    if (whole > sizeof t) memcpy(&t, data + whole - sizeof t, sizeof t);
    const uint64_t rest = whole - sizeof t;
    if (memcmp(t.magic, MAGIC, sizeof MAGIC - 1) == 0 && t.magic[7] != MAGIC[7])
        return kai_file_malformed(path, "a checkpoint of another version of Kairos", err);
    if (memcmp(t.magic, MAGIC, sizeof MAGIC) != 0 || t.size == 0 || t.size > rest ||
        rest - t.size != blocks_of(t.size) * sizeof(uint64_t))
        return kai_file_malformed(path, "not a checkpoint of Kairos, or cut off", err);
    uint64_t* sums = malloc((size_t)(rest - t.size));
    if (sums == NULL) return kai_file_no_memory(path, err);
    memcpy(sums, data + t.size, (size_t)(rest - t.size));
    kai_result r =
        hash_table(t.size, sums) == t.hash
            ? KAI_OK
            : kai_file_malformed(path, "damaged: its table of checksums does not match", err);
    for (uint64_t i = 0; r == KAI_OK && i < blocks_of(t.size); i++) {
        const uint64_t from = i * BLOCK, end = from + BLOCK < t.size ? from + BLOCK : t.size;
        if (hash_block(data, t.size, i) != sums[i])
            r = kai_error_set(err, KAI_ERROR_FORMAT,
                              "%s: damaged between bytes %llu and %llu: a checksum does not match",
                              path, (unsigned long long)from, (unsigned long long)end - 1);
    }
    free(sums);
    *size = t.size;
    return r;
}

// A whole file in a new block.
static kai_result read_file(const char* path, char** data, size_t* size, kai_error* err)
{
    int descriptor;
    uint64_t expected;
    KAI_TRY(kai_file_open(path, &descriptor, &expected, err));
    const kai_result r = kai_file_read(descriptor, SIZE_MAX - 2, data, size);
    const int why = errno;
    close(descriptor);
    if (r == KAI_ERROR_MEMORY) return kai_file_no_memory(path, err);
    if (r != KAI_OK) return kai_file_error(err, path, why);
    if (*size >= expected) return KAI_OK;
    free(*data);
    *data = NULL;
    return kai_file_malformed(path, "became shorter while it was read", err);
}

// What steps were judged by so far: a resumed run counts on -----------------------------------------

// What is summed up, in the order of the attribute "judge".
static const size_t NUMBERS[] = {offsetof(kai_judge, measured),     offsetof(kai_judge, sum),
                                 offsetof(kai_judge, cones),        offsetof(kai_judge, dissipated),
                                 offsetof(kai_judge, energy_scale), offsetof(kai_judge, drift),
                                 offsetof(kai_judge, potential),    offsetof(kai_judge, elastic),
                                 offsetof(kai_judge, mass),         offsetof(kai_judge, width),
                                 offsetof(kai_judge, depth),        offsetof(kai_judge, violation),
                                 offsetof(kai_judge, unsolved),     offsetof(kai_judge, taut)};
enum { COUNTS = 3 };

static const kai_member BREACH[] = {KAI_MEMBER(kai_judge_breach, count, U64, 1),
                                    KAI_MEMBER(kai_judge_breach, first_step, U64, 1),
                                    KAI_MEMBER(kai_judge_breach, first_time, F64, 1),
                                    KAI_MEMBER(kai_judge_breach, worst, F64, 1),
                                    KAI_MEMBER(kai_judge_breach, limit, F64, 1),
                                    KAI_MEMBER(kai_judge_breach, where, U8, KAI_JUDGE_WHERE)};
static const kai_member_list BREACHES = KAI_MEMBER_LIST("breaches", BREACH, kai_judge_breach);

static kai_result write_judge(const kai_judge* j, hid_t group, kai_error* err)
{
    double numbers[KAI_COUNT(NUMBERS)];
    for (size_t i = 0; i < KAI_COUNT(NUMBERS); i++)
        memcpy(&numbers[i], (const char*)j + NUMBERS[i], sizeof numbers[i]);
    const uint64_t counts[COUNTS] = {j->steps, j->energy_known, j->shapes};
    KAI_TRY(
        kai_h5_write_attribute(group, "judge", KAI_NUMBER_F64, KAI_COUNT(NUMBERS), numbers, err));
    KAI_TRY(kai_h5_write_attribute(group, "judge_counts", KAI_NUMBER_U64, COUNTS, counts, err));
    return kai_h5_write_list(group, &BREACHES, j->breach, KAI_JUDGE_TYPES, err);
}

static kai_result read_breaches(kai_judge* j, hid_t group, kai_error* err)
{
    void* data = NULL;
    size_t count = KAI_JUDGE_TYPES;
    KAI_TRY(kai_h5_read_list(group, &BREACHES, &data, &count, err));
    memcpy(j->breach, data, sizeof j->breach);
    free(data);
    for (int i = 0; i < KAI_JUDGE_TYPES; i++) j->breach[i].where[KAI_JUDGE_WHERE - 1] = '\0';
    return KAI_OK;
}

static kai_result read_judge(kai_judge* j, hid_t group, kai_error* err)
{
    double numbers[KAI_COUNT(NUMBERS)];
    uint64_t counts[COUNTS];
    memset(j, 0, sizeof *j);
    KAI_TRY(
        kai_h5_read_attribute(group, "judge", KAI_NUMBER_F64, KAI_COUNT(NUMBERS), numbers, err));
    KAI_TRY(kai_h5_read_attribute(group, "judge_counts", KAI_NUMBER_U64, COUNTS, counts, err));
    for (size_t i = 0; i < KAI_COUNT(NUMBERS); i++)
        memcpy((char*)j + NUMBERS[i], &numbers[i], sizeof numbers[i]);
    j->steps = counts[0];
    j->energy_known = counts[1] != 0;
    j->shapes = counts[2];
    return read_breaches(j, group, err);
}

// The run's state --------------------------------------------------------------------------------

static const kai_member FIGURES[] = {
    KAI_MEMBER(kai_checkpoint_run, scene_hash, U64, 1),
    KAI_MEMBER(kai_checkpoint_run, model_hash, U64, 1),
    KAI_MEMBER(kai_checkpoint_run, step, F64, 1),
    KAI_MEMBER(kai_checkpoint_run, start_time, F64, 1),
    KAI_MEMBER(kai_checkpoint_run, start_steps, U64, 1),
    KAI_MEMBER(kai_checkpoint_run, wall_seconds, F64, 1),
    KAI_MEMBER(kai_checkpoint_run, phase_seconds, F64, KAI_CLOCK_PHASE_COUNT),
    KAI_MEMBER(kai_checkpoint_run, max_violation, F64, 1),
    KAI_MEMBER(kai_checkpoint_run, max_penetration, F64, 1),
    KAI_MEMBER(kai_checkpoint_run, contacts_sum, F64, 1),
    KAI_MEMBER(kai_checkpoint_run, contacts_max, U64, 1),
    KAI_MEMBER(kai_checkpoint_run, contact_steps, U64, 1),
    KAI_MEMBER(kai_checkpoint_run, frames, U64, 1),
    KAI_MEMBER(kai_checkpoint_run, held, U64, KAI_STOPS_MOST)};

static const kai_member OUTPUT[] = {KAI_MEMBER(kai_checkpoint_output, samples, U64, 1),
                                    KAI_MEMBER(kai_checkpoint_output, turns, I64, 1),
                                    KAI_MEMBER(kai_checkpoint_output, bytes, U64, 1),
                                    KAI_MEMBER(kai_checkpoint_output, file, TEXT, KAI_STRING_SIZE)};
static const kai_member_list OUTPUTS = KAI_MEMBER_LIST("outputs", OUTPUT, kai_checkpoint_output);

static kai_result write_run(const kai_checkpoint_run* run, hid_t file, kai_error* err)
{
    hid_t group = -1;
    KAI_TRY(kai_h5_make_group(file, "run", &group, err));
    kai_result r = kai_h5_write_members(group, FIGURES, KAI_COUNT(FIGURES), run, err);
    if (r == KAI_OK) r = write_judge(&run->judge, group, err);
    if (r == KAI_OK) r = kai_h5_write_list(group, &OUTPUTS, run->outputs, run->output_count, err);
    H5Gclose(group);
    return r;
}

static kai_result read_run_figures(kai_checkpoint_run* run, hid_t group, kai_error* err)
{
    KAI_TRY(kai_h5_read_members(group, FIGURES, KAI_COUNT(FIGURES), run, err));
    KAI_TRY(read_judge(&run->judge, group, err));
    if (!(run->step > 0.0) || !isfinite(run->step) || !isfinite(run->start_time))
        return kai_error_set(err, KAI_ERROR_FORMAT, "'step' or 'start_time' breaks its rule");
    return KAI_OK;
}

static kai_result read_run(kai_checkpoint_run* run, hid_t file, kai_error* err)
{
    hid_t group = -1;
    memset(run, 0, sizeof *run);
    if (!kai_h5_has(file, "run"))
        return kai_error_set(err, KAI_ERROR_FORMAT, "holds a world, but no state of a run");
    KAI_TRY(kai_h5_open_group(file, "run", &group, err));
    void* outputs = NULL;
    kai_result r = read_run_figures(run, group, err);
    run->output_count = SIZE_MAX; // as many as there are
    if (r == KAI_OK) r = kai_h5_read_list(group, &OUTPUTS, &outputs, &run->output_count, err);
    run->outputs = outputs;
    for (size_t i = 0; r == KAI_OK && i < run->output_count; i++)
        run->outputs[i].file.text[KAI_STRING_SIZE - 1] = '\0';
    H5Gclose(group);
    return r;
}

// A file made in memory --------------------------------------------------------------------------

// The block that HDF5's memory driver works in; taken over when the file is closed.
typedef struct image {
    void* data;
} image;

static void* image_malloc(size_t size, H5FD_file_image_op_t op, void* context)
{
    (void)op;
    image* m = context;
    return m->data = malloc(size);
}

static void* image_realloc(void* data, size_t size, H5FD_file_image_op_t op, void* context)
{
    (void)op;
    image* m = context;
    void* grown = realloc(data, size);
    if (grown != NULL) m->data = grown;
    return grown;
}

static hid_t create_in_memory(image* m)
{
    H5FD_file_image_callbacks_t calls = {.image_malloc = image_malloc,
                                         .image_realloc = image_realloc,
                                         .image_free = kai_h5_image_keep,
                                         .udata_copy = kai_h5_image_context,
                                         .udata_free = kai_h5_image_leave,
                                         .udata = m};
    enum { GROWTH = 8 << 20 };
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file = -1;
    if (access >= 0 && H5Pset_fapl_core(access, GROWTH, 0) >= 0 &&
        H5Pset_file_image_callbacks(access, &calls) >= 0)
        file = H5Fcreate("checkpoint", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    if (access >= 0) H5Pclose(access);
    return file;
}

// Builds the file; `m->data` [*size] is the caller's to free, also on failure.
static kai_result checkpoint_build(const kai_world* world, const kai_checkpoint_run* run, image* m,
                                   size_t* size, kai_error* err)
{
    const hid_t file = create_in_memory(m);
    if (file < 0)
        return kai_error_set(err, KAI_ERROR_MEMORY, "HDF5 could not make a file in memory");
    kai_result r = kai_world_save_group(world, file, err);
    if (r == KAI_OK && run != NULL) r = write_run(run, file, err);
    if (r == KAI_OK && H5Fflush(file, H5F_SCOPE_GLOBAL) < 0)
        r = kai_error_set(err, KAI_ERROR_MEMORY, "HDF5 could not finish a file in memory");
    const ssize_t bytes = r == KAI_OK ? H5Fget_file_image(file, NULL, 0) : 0;
    if (H5Fclose(file) < 0 || bytes < 0)
        r = kai_error_set(err, KAI_ERROR_MEMORY, "HDF5 could not close a file in memory");
    *size = (size_t)bytes;
    return r;
}

static kai_result write_image(const char* data, size_t size, const char* path, kai_error* err)
{
    uint64_t* sums = hash_blocks(data, size);
    if (sums == NULL) return kai_file_no_memory(path, err);
    trailer t = {.size = size, .hash = hash_table(size, sums)};
    memcpy(t.magic, MAGIC, sizeof MAGIC);
    const kai_file_piece pieces[] = {
        {data, size}, {sums, (size_t)blocks_of(size) * sizeof *sums}, {&t, sizeof t}};
    const kai_result r = kai_file_replace(path, pieces, KAI_COUNT(pieces), err);
    free(sums);
    return r;
}

kai_result kai_checkpoint_write(const kai_world* world, const kai_checkpoint_run* run,
                                const char* path, kai_error* err)
{
    image m = {0};
    size_t size = 0;
    KAI_TRY(kai_h5_room(path, err));
    kai_h5_begin();
    kai_result r = checkpoint_build(world, run, &m, &size, err);
    kai_h5_end();
    if (r == KAI_OK)
        r = write_image(m.data, size, path, err);
    else
        kai_error_prefix(err, "%s", path);
    free(m.data);
    return r;
}

// Reading ----------------------------------------------------------------------------------------

static kai_result read_open(kai_world* world, kai_checkpoint_run* run, hid_t file, kai_error* err)
{
    if (run != NULL) KAI_TRY(read_run(run, file, err));
    return world == NULL ? KAI_OK : kai_world_restore(world, file, err);
}

static kai_result read_image(kai_world* world, kai_checkpoint_run* run, const char* data,
                             uint64_t whole, const char* path, kai_error* err)
{
    uint64_t size = 0;
    hid_t file = -1;
    KAI_TRY(check_blocks(data, whole, path, &size, err));
    kai_h5_begin();
    kai_result r = kai_h5_file_open_image(data, (size_t)size, path, &file, err);
    if (r == KAI_OK) {
        r = read_open(world, run, file, err);
        if (r != KAI_OK) kai_error_prefix(err, "%s", path);
        H5Fclose(file);
    }
    kai_h5_end();
    return r;
}

kai_result kai_checkpoint_read(kai_world* world, kai_checkpoint_run* run, const char* path,
                               kai_error* err)
{
    char* data = NULL;
    size_t whole = 0;
    if (run != NULL) memset(run, 0, sizeof *run);
    KAI_TRY(read_file(path, &data, &whole, err));
    kai_result r = read_image(world, run, data, whole, path, err);
    free(data);
    if (r != KAI_OK && run != NULL) {
        free(run->outputs);
        memset(run, 0, sizeof *run);
    }
    // Names used twice, values out of range: whatever it is called inside, the file is to blame.
    if (r != KAI_OK && r != KAI_ERROR_MEMORY && r != KAI_ERROR_FILE) {
        r = KAI_ERROR_FORMAT;
        if (err != NULL) err->code = r;
    }
    return r;
}

kai_result kai_checkpoint_read_run(kai_checkpoint_run* run, const char* path, kai_error* err)
{
    return kai_checkpoint_read(NULL, run, path, err);
}
