// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/store.h"
#include "helper.h"

// Two kinds: a plain one, and one with tables and lists inside each other ------------------------

typedef struct dot {
    double x;
    int64_t tag;
} dot;

static const kai_param DOT_PARAMS[] = {
    {.name = "x",
     .type = KAI_PARAM_REAL,
     .offset = offsetof(dot, x),
     .range = KAI_AT_LEAST(0.0),
     .doc = "Place."},
    {.name = "tag", .type = KAI_PARAM_INT, .offset = offsetof(dot, tag), .doc = "Any number."},
};
static const kai_kind DOT = {.name = "dot",
                             .doc = "A dot.",
                             .size = sizeof(dot),
                             .params = DOT_PARAMS,
                             .param_count = KAI_COUNT(DOT_PARAMS)};

typedef struct branch {
    kai_table leaves;
    kai_table cache; // hidden
} branch;

typedef struct tree {
    int64_t tag;
    kai_table roots;
    kai_list branches; // of branch
    kai_table cache;   // hidden
    char bulk[600];    // more than a store keeps on the stack
} tree;

static const kai_param BRANCH_PARAMS[] = {
    {.name = "leaves",
     .type = KAI_PARAM_TABLE,
     .offset = offsetof(branch, leaves),
     .columns = 1,
     .required = true,
     .doc = "Numbers."},
    {.name = "cache",
     .type = KAI_PARAM_TABLE,
     .offset = offsetof(branch, cache),
     .columns = 1,
     .hidden = true},
};
static const kai_kind BRANCH = {.name = "branch",
                                .doc = "A branch.",
                                .size = sizeof(branch),
                                .params = BRANCH_PARAMS,
                                .param_count = KAI_COUNT(BRANCH_PARAMS)};

static const kai_param TREE_PARAMS[] = {
    {.name = "tag", .type = KAI_PARAM_INT, .offset = offsetof(tree, tag), .doc = "Any number."},
    {.name = "roots",
     .type = KAI_PARAM_TABLE,
     .offset = offsetof(tree, roots),
     .columns = 2,
     .doc = "Pairs."},
    {.name = "branches",
     .type = KAI_PARAM_LIST,
     .offset = offsetof(tree, branches),
     .item = &BRANCH,
     .doc = "Branches."},
    {.name = "cache",
     .type = KAI_PARAM_TABLE,
     .offset = offsetof(tree, cache),
     .columns = 1,
     .hidden = true},
};
static const kai_kind TREE = {.name = "tree",
                              .doc = "A tree.",
                              .size = sizeof(tree),
                              .params = TREE_PARAMS,
                              .param_count = KAI_COUNT(TREE_PARAMS)};

static const kai_kind* const KINDS[] = {&DOT, &TREE, NULL};

typedef struct fixture {
    helper_allocator counter;
    kai_memory memory;
    kai_store store;
    kai_error err;
} fixture;

enum { WORLD = 9 };

static void start(fixture* f)
{
    memset(f, 0, sizeof *f);
    const kai_allocator allocator = helper_allocator_make(&f->counter);
    kai_memory_init(&f->memory, &allocator);
    check_ok(kai_store_init(&f->store, &f->memory, "thing", WORLD, KINDS, &f->err));
}

static void finish(fixture* f)
{
    kai_store_free(&f->store);
    assert_int_equal(f->counter.blocks, 0);
    assert_int_equal(f->memory.bytes, 0);
}

/// A kind with a part of its own.
typedef struct meter {
    dot given;
    double turns;
    kai_table log;
} meter;
static const kai_param METER_PARAMS[] = {
    KAI_PARAM(REAL, dot, x, .doc = "Place."),
    KAI_PARAM(REAL, meter, turns, .initial = {-1.0}, .hidden = true),
    KAI_PARAM(TABLE, meter, log, .columns = 1, .hidden = true),
};
static const kai_kind METER =
    KAI_KIND("meter", meter, METER_PARAMS, .given = sizeof(dot), .doc = "A dot that counts.");

static kai_id add_dot(fixture* f, double x, int64_t tag, const char* name)
{
    const dot d = {x, tag};
    kai_id id = {0};
    check_ok(kai_store_add(&f->store, &DOT, &d, name, &id, &f->err));
    return id;
}

// What a tree points to, on the caller's side.
typedef struct tree_data {
    double roots[4], leaves[2][3];
    branch branches[2];
    tree tree;
} tree_data;

static void make_tree(tree_data* d, int64_t tag)
{
    const double t = (double)tag;
    memset(d, 0, sizeof *d);
    for (int i = 0; i < 4; i++) d->roots[i] = t + i;
    for (int i = 0; i < 6; i++) d->leaves[i / 3][i % 3] = t + 10 + i;
    for (int i = 0; i < 2; i++) d->branches[i].leaves = (kai_table){d->leaves[i], 3, 1};
    d->tree.tag = tag;
    d->tree.roots = (kai_table){d->roots, 2, 2};
    d->tree.branches = (kai_list){d->branches, 2};
}

static void check_tree(const tree* t, int64_t tag)
{
    assert_non_null(t);
    assert_int_equal(t->tag, tag);
    assert_int_equal(t->roots.rows, 2);
    for (int i = 0; i < 4; i++) assert_true(t->roots.data[i] == (double)tag + i);
    assert_int_equal(t->branches.count, 2);
    const branch* b = t->branches.items;
    for (int i = 0; i < 6; i++) assert_true(b[i / 3].leaves.data[i % 3] == (double)tag + 10 + i);
    assert_null(b[0].cache.data);
    assert_null(t->cache.data);
}

// Kinds ------------------------------------------------------------------------------------------

static void test_register(void** state)
{
    fixture f;
    start(&f);
    assert_ptr_equal(kai_store_kind(&f.store, "dot"), &DOT);
    assert_null(kai_store_kind(&f.store, "line"));
    assert_string_equal(kai_store_nearest_kind(&f.store, "dto"), "dot");
    assert_null(kai_store_nearest_kind(&f.store, "polygon"));
    assert_true(kai_store_has(&f.store, &TREE));

    kai_kind line = DOT;
    assert_false(kai_store_has(&f.store, &line));
    check_error(kai_store_register(&f.store, &line, &f.err), KAI_ERROR_NAME);
    assert_string_equal(f.err.message, "thing kind 'dot' exists already");
    line.name = "line";
    line.size = 0;
    line.param_count = 0;
    check_error(kai_store_register(&f.store, &line, &f.err), KAI_ERROR_ARGUMENT);
    assert_string_equal(f.err.message, "thing kind line has instances of 0 bytes; must be > 0");
    line.doc = NULL;
    check_error(kai_store_register(&f.store, &line, &f.err), KAI_ERROR_ARGUMENT);
    assert_int_equal(f.store.batch_count, 2);
    finish(&f);
}

static void test_too_many_kinds(void** state)
{
    enum { MORE = KAI_STORE_KINDS - 1 };
    static kai_kind kinds[MORE];
    static char names[MORE][32];
    fixture f;
    start(&f);
    const kai_id id = add_dot(&f, 1.0, 1, NULL);
    for (int i = 0; i < MORE - 1; i++) {
        snprintf(names[i], sizeof names[i], "kind%d", i);
        kinds[i] = DOT;
        kinds[i].name = names[i];
        check_ok(kai_store_register(&f.store, &kinds[i], &f.err));
    }
    kinds[MORE - 1] = DOT;
    kinds[MORE - 1].name = "last";
    check_error(kai_store_register(&f.store, &kinds[MORE - 1], &f.err), KAI_ERROR_LIMIT);
    assert_string_equal(f.err.message, "thing kind 'last' is one too many; at most 256");
    assert_int_equal(((const dot*)kai_store_at(&f.store, id))->tag, 1);
    finish(&f);
}

static void test_add_refuses(void** state)
{
    fixture f;
    start(&f);
    const kai_kind stranger = DOT;
    dot d = {1.0, 2};
    kai_id id = {77, 7, 7};
    check_error(kai_store_add(&f.store, &stranger, &d, NULL, &id, &f.err), KAI_ERROR_ARGUMENT);
    assert_string_equal(f.err.message, "thing kind 'dot' is not registered in this world");
    d.x = -1.0;
    check_error(kai_store_add(&f.store, &DOT, &d, NULL, &id, &f.err), KAI_ERROR_ARGUMENT);
    assert_string_equal(f.err.message, "dot: x is -1; must be >= 0");
    assert_int_equal(id.index, 77);
    assert_int_equal(f.store.count, 0);

    const kai_id good = add_dot(&f, 1.0, 5, "a");
    const uint64_t version = f.store.version;
    check_error(kai_store_set(&f.store, good, &d, &f.err), KAI_ERROR_ARGUMENT);
    assert_int_equal(((const dot*)kai_store_at(&f.store, good))->tag, 5);
    assert_int_equal(f.store.version, version);
    finish(&f);
}

// Ids and names ----------------------------------------------------------------------------------

static void check_bad_id(fixture* f, kai_id id, const char* message)
{
    const dot d = {1.0, 2};
    assert_null(kai_store_find(&f->store, id));
    assert_null(kai_store_at(&f->store, id));
    assert_string_equal(kai_store_name(&f->store, id), "");
    check_error(kai_store_set(&f->store, id, &d, &f->err), KAI_ERROR_ID);
    assert_string_equal(f->err.message, message);
    check_error(kai_store_remove(&f->store, id, &f->err), KAI_ERROR_ID);
    assert_string_equal(f->err.message, message);
}

static void test_bad_ids(void** state)
{
    fixture f;
    start(&f);
    const kai_id a = add_dot(&f, 1.0, 1, NULL), b = add_dot(&f, 2.0, 2, NULL);
    assert_int_equal(a.world, WORLD);
    check_bad_id(&f, (kai_id){0}, "thing id 0 is null");
    check_bad_id(&f, (kai_id){1, 0, WORLD + 1}, "thing id 1 is from another world");
    check_bad_id(&f, (kai_id){3, 0, WORLD}, "thing id 3 is not of this world");
    check_ok(kai_store_remove(&f.store, a, &f.err));
    check_bad_id(&f, a, "thing id 1 is of one that was destroyed");
    const kai_id c = add_dot(&f, 3.0, 3, NULL); // the same place, another generation
    assert_int_equal(c.index, a.index);
    assert_int_equal(c.generation, a.generation + 1);
    check_bad_id(&f, a, "thing id 1 is of one that was destroyed");
    assert_int_equal(((const dot*)kai_store_at(&f.store, b))->tag, 2);
    finish(&f);
}

static void test_generation_wraps(void** state)
{
    fixture f;
    start(&f);
    const kai_id first = add_dot(&f, 1.0, 1, NULL);
    kai_id id = first;
    for (int i = 0; i < 65535; i++) {
        check_ok(kai_store_remove(&f.store, id, &f.err));
        id = add_dot(&f, 1.0, i, NULL);
        assert_int_equal(id.index, 1);
        assert_null(kai_store_find(&f.store, first));
    }
    assert_int_equal(id.generation, UINT16_MAX);
    check_ok(kai_store_remove(&f.store, id, &f.err));
    assert_int_equal(add_dot(&f, 1.0, 2, NULL).generation, 0);
    finish(&f);
}

static void test_names(void** state)
{
    fixture f;
    start(&f);
    const kai_id plain = add_dot(&f, 1.0, 1, NULL), empty = add_dot(&f, 1.0, 2, "");
    const kai_id a = add_dot(&f, 1.0, 3, "a"), b = add_dot(&f, 1.0, 4, "b");
    assert_string_equal(kai_store_name(&f.store, plain), "");
    assert_string_equal(kai_store_name(&f.store, empty), "");
    assert_string_equal(kai_store_name(&f.store, a), "a");
    const dot d = {1.0, 5};
    kai_id id;
    check_error(kai_store_add(&f.store, &DOT, &d, "a", &id, &f.err), KAI_ERROR_NAME);
    assert_string_equal(f.err.message, "thing name \"a\" is used twice; must be unique");
    assert_int_equal(f.store.count, 4);

    check_ok(kai_store_remove(&f.store, plain, &f.err)); // the last one, b, moves into its slot
    assert_string_equal(kai_store_name(&f.store, b), "b");
    assert_true(KAI_ID_EQUALS(kai_names_find(&f.store.names, "b"), b));
    check_ok(kai_store_remove(&f.store, a, &f.err));
    assert_true(KAI_IS_NULL(kai_names_find(&f.store.names, "a")));
    const kai_id again = add_dot(&f, 1.0, 6, "a");
    assert_true(KAI_ID_EQUALS(kai_names_find(&f.store.names, "a"), again));
    finish(&f);
}

// Copies -----------------------------------------------------------------------------------------

static void test_deep_copies(void** state)
{
    fixture f;
    start(&f);
    tree_data* d = malloc(sizeof *d);
    assert_non_null(d);
    make_tree(d, 100);
    kai_id id;
    check_ok(kai_store_add(&f.store, &TREE, &d->tree, NULL, &id, &f.err));
    memset(d, 0x77, sizeof *d);
    check_tree(kai_store_at(&f.store, id), 100);
    make_tree(d, 200);
    check_ok(kai_store_set(&f.store, id, &d->tree, &f.err));
    memset(d, 0x77, sizeof *d);
    free(d);
    check_tree(kai_store_at(&f.store, id), 200);
    check_ok(kai_store_remove(&f.store, id, &f.err));
    finish(&f);
}

// What a caller left in hidden tables may be anything; it is neither read nor kept, at any depth.
static void test_hidden_tables_are_dropped(void** state)
{
    fixture f;
    start(&f);
    tree_data d;
    make_tree(&d, 1);
    d.tree.cache = (kai_table){(const double*)(uintptr_t)8, 1000, 1000};
    d.branches[0].cache = (kai_table){(const double*)(uintptr_t)16, 1u << 31, 1};
    kai_id id;
    check_ok(kai_store_add(&f.store, &TREE, &d.tree, NULL, &id, &f.err));
    check_tree(kai_store_at(&f.store, id), 1);
    check_ok(kai_store_set(&f.store, id, &d.tree, &f.err));
    check_tree(kai_store_at(&f.store, id), 1);
    finish(&f);
}

// Users give the start of an instance; what lies behind it starts with its defaults.
static void test_part_of_its_own(void** state)
{
    fixture f;
    start(&f);
    check_ok(kai_store_register(&f.store, &METER, &f.err));
    dot* given = malloc(sizeof *given); // reading on would be found by the sanitizer
    assert_non_null(given);
    *given = (dot){.x = 3.0};
    const double log[2] = {4.0, 5.0};
    kai_id id;
    check_ok(kai_store_add(&f.store, &METER, given, NULL, &id, &f.err));
    const meter* m = kai_store_at(&f.store, id);
    assert_true(m->given.x == 3.0 && m->turns == -1.0 && m->log.rows == 0);
    // Whole instances keep it; tables of the kind's own only where they are prepared.
    const meter whole = {.given = *given, .turns = 7.0, .log = {log, 2, 1}};
    check_ok(kai_store_add_whole(&f.store, &METER, &whole, &id, &f.err));
    m = kai_store_at(&f.store, id);
    assert_true(m->turns == 7.0 && m->log.rows == 0);
    check_ok(kai_store_add_prepared(&f.store, &METER, &whole, NULL, &id, &f.err));
    m = kai_store_at(&f.store, id);
    assert_true(m->turns == 7.0 && m->log.rows == 2 && m->log.data[1] == 5.0);
    check_ok(kai_store_set(&f.store, id, &whole, &f.err));
    m = kai_store_at(&f.store, id);
    assert_true(m->turns == 7.0 && m->log.rows == 0);
    free(given);
    finish(&f);
}

// An instance may come out of the store itself, whose arrays move while it is added.
static void test_instance_of_the_store_itself(void** state)
{
    fixture f;
    start(&f);
    tree_data d;
    make_tree(&d, 5);
    kai_id first, id;
    check_ok(kai_store_add(&f.store, &TREE, &d.tree, NULL, &first, &f.err));
    const kai_id small = add_dot(&f, 3.0, 8, NULL);
    for (int i = 0; i < 100; i++) {
        check_ok(kai_store_add(&f.store, &TREE, kai_store_at(&f.store, first), NULL, &id, &f.err));
        check_tree(kai_store_at(&f.store, id), 5);
        check_ok(kai_store_add(&f.store, &DOT, kai_store_at(&f.store, small), NULL, &id, &f.err));
        assert_int_equal(((const dot*)kai_store_at(&f.store, id))->tag, 8);
    }
    check_ok(kai_store_set(&f.store, first, kai_store_at(&f.store, first), &f.err));
    check_tree(kai_store_at(&f.store, first), 5);
    finish(&f);
}

// Churn ------------------------------------------------------------------------------------------

enum { MOST = 64 };

typedef struct twin {
    kai_id id;
    int64_t tag;
    bool is_tree;
    char name[32];
} twin;

static void check_twins(const fixture* f, const twin* twins, size_t count)
{
    assert_int_equal(f->store.count, count);
    for (size_t i = 0; i < count; i++) {
        const void* at = kai_store_at(&f->store, twins[i].id);
        if (twins[i].is_tree)
            check_tree(at, twins[i].tag);
        else
            assert_int_equal(((const dot*)at)->tag, twins[i].tag);
        assert_string_equal(kai_store_name(&f->store, twins[i].id), twins[i].name);
    }
    // Every instance in every batch leads back to itself.
    for (size_t b = 0; b < f->store.batch_count; b++) {
        for (size_t s = 0; s < f->store.batches[b].items.count; s++) {
            const kai_store_entry* e = kai_store_find(&f->store, kai_store_id(&f->store, b, s));
            assert_non_null(e);
            assert_int_equal(e->batch, b);
            assert_int_equal(e->slot, s);
        }
    }
}

static void churn_add(fixture* f, twin* t, int64_t tag)
{
    *t = (twin){.tag = tag, .is_tree = tag % 3 == 0};
    if (tag % 4 == 0) snprintf(t->name, sizeof t->name, "n%d", (int)tag);
    tree_data data;
    make_tree(&data, tag);
    const dot d = {1.0, tag};
    check_ok(kai_store_add(&f->store, t->is_tree ? &TREE : &DOT,
                           t->is_tree ? (void*)&data.tree : &d, t->name, &t->id, &f->err));
}

static void churn_set(fixture* f, twin* t, int64_t tag)
{
    tree_data data;
    make_tree(&data, tag);
    const dot d = {1.0, tag};
    t->tag = tag;
    check_ok(kai_store_set(&f->store, t->id, t->is_tree ? (void*)&data.tree : &d, &f->err));
}

// 10,000 changes at random against a plain list.
static void test_churn(void** state)
{
    fixture f;
    start(&f);
    twin twins[MOST];
    kai_id stale[256];
    size_t count = 0, removed = 0;
    for (uint64_t step = 0; step < 10000; step++) {
        const double what = kai_random_uniform(3, 0, step);
        const size_t i = (size_t)(kai_random_uniform(3, 1, step) * (double)count);
        if (count == 0 || (what < 0.4 && count < MOST)) {
            churn_add(&f, &twins[count++], (int64_t)step);
        } else if (what < 0.6) {
            churn_set(&f, &twins[i], (int64_t)step);
        } else {
            check_ok(kai_store_remove(&f.store, twins[i].id, &f.err));
            stale[removed++ % 256] = twins[i].id;
            twins[i] = twins[--count];
        }
        if (step % 10 == 0) check_twins(&f, twins, count);
        for (size_t k = 0; k < removed && k < 256; k += 17)
            assert_null(kai_store_find(&f.store, stale[k]));
    }
    check_twins(&f, twins, count);
    finish(&f);
}

// Runs -------------------------------------------------------------------------------------------

static void check_dot(const fixture* f, uint32_t index, int64_t tag)
{
    const dot* d = kai_store_at(&f->store, (kai_id){index, 0, WORLD});
    assert_non_null(d);
    assert_int_equal(d->tag, tag);
}

// A dot, five equal ones, a dot, three equal ones, a dot; the third of the five goes, then the three.
static void test_runs(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    const dot dots[] = {{1.0, 1}, {2.0, 2}, {3.0, 3}, {4.0, 4}, {5.0, 5}};
    kai_id id[3];
    uint32_t first[2];
    check_ok(kai_store_add(&f.store, &DOT, &dots[0], NULL, &id[0], &f.err));
    check_ok(kai_store_add_run(&f.store, &DOT, &dots[1], 5, &first[0], &f.err));
    check_ok(kai_store_add(&f.store, &DOT, &dots[2], "c", &id[1], &f.err));
    check_ok(kai_store_add_run(&f.store, &DOT, &dots[3], 3, &first[1], &f.err));
    check_ok(kai_store_add(&f.store, &DOT, &dots[4], NULL, &id[2], &f.err));
    assert_int_equal(f.store.count, 11);
    assert_int_equal(f.store.entries.count, 3);
    assert_int_equal(kai_store_last(&f.store), 11);
    static const int64_t TAGS[] = {1, 2, 2, 2, 2, 2, 3, 4, 4, 4, 5};
    for (uint32_t i = 1; i <= 11; i++) check_dot(&f, i, TAGS[i - 1]);
    assert_null(kai_store_find(&f.store, (kai_id){12, 0, WORLD}));
    assert_null(kai_store_find(&f.store, (kai_id){3, 1, WORLD}));
    const kai_store_batch* batch = &f.store.batches[kai_store_find(&f.store, id[0])->batch];
    assert_int_equal(kai_store_members(&f.store, batch, 1), 5);

    check_ok(kai_store_prepare_remove(&f.store, (kai_id){4, 0, WORLD}, &f.err));
    check_ok(kai_store_remove(&f.store, (kai_id){4, 0, WORLD}, &f.err));
    assert_int_equal(f.store.runs.count, 2);
    assert_int_equal(f.store.count, 10);
    assert_int_equal(kai_store_range(&f.store, batch, 1), 5);
    assert_int_equal(kai_store_members(&f.store, batch, 1), 4);
    for (uint32_t i = 1; i <= 11; i++)
        if (i != 4) check_dot(&f, i, TAGS[i - 1]);
    assert_null(kai_store_find(&f.store, (kai_id){4, 0, WORLD}));
    assert_false(kai_store_in_use(&f.store, 4));
    assert_int_equal(kai_store_remove(&f.store, (kai_id){4, 0, WORLD}, &f.err), KAI_ERROR_ID);
    assert_string_equal(kai_store_name(&f.store, id[1]), "c");
    // An id of a run is not used again.
    check_ok(kai_store_add(&f.store, &DOT, &dots[1], NULL, &id[0], &f.err));
    assert_int_equal(id[0].index, 12);

    // The first one unfolded and folded again: what is gone stays gone.
    check_ok(kai_store_unfold(&f.store, 0, &f.err));
    assert_int_equal(f.store.entries.count, 9);
    for (uint32_t i = 1; i <= 11; i++)
        if (i != 4) check_dot(&f, i, TAGS[i - 1]);
    assert_null(kai_store_find(&f.store, (kai_id){4, 0, WORLD}));
    check_ok(kai_store_fold(&f.store, first[0], 5, &f.err));
    assert_int_equal(f.store.entries.count, 4);
    assert_int_equal(f.store.count, 11);
    for (uint32_t i = 1; i <= 11; i++)
        if (i != 4) check_dot(&f, i, TAGS[i - 1]);
    assert_null(kai_store_find(&f.store, (kai_id){4, 0, WORLD}));

    // All of the second one go, and its instance with the last.
    const size_t dots_left = batch->items.count;
    for (uint32_t i = 0; i < 3; i++)
        check_ok(kai_store_remove(&f.store, (kai_id){first[1] + i, 0, WORLD}, &f.err));
    assert_int_equal(batch->items.count, dots_left - 1);
    assert_int_equal(f.store.count, 8);
    check_dot(&f, 11, 5);
    for (uint32_t i = 8; i <= 10; i++) assert_null(kai_store_find(&f.store, (kai_id){i, 0, WORLD}));
    assert_false(kai_store_can_run(&TREE));
    finish(&f);
}

// Failing allocator ------------------------------------------------------------------------------

// Adds, sets and removes until a call fails; what was there before that call is still there.
static bool scenario(fixture* f, uint64_t fail_at)
{
    twin twins[12];
    size_t count = 0;
    f->counter.fail_at = f->counter.calls + fail_at;
    kai_result r = KAI_OK;
    for (int64_t tag = 0; r == KAI_OK && tag < 12; tag++) {
        twin t = {.tag = tag, .is_tree = tag % 2 == 0};
        if (tag >= 6) snprintf(t.name, sizeof t.name, "n%d", (int)tag);
        tree_data data;
        make_tree(&data, tag);
        const dot d = {1.0, tag};
        const uint64_t version = f->store.version;
        r = kai_store_add(&f->store, t.is_tree ? &TREE : &DOT, t.is_tree ? (void*)&data.tree : &d,
                          t.name, &t.id, &f->err);
        if (r == KAI_OK) twins[count++] = t;
        if (r != KAI_OK) assert_int_equal(f->store.version, version);
        if (r == KAI_OK && t.is_tree) {
            make_tree(&data, tag + 50);
            r = kai_store_set(&f->store, t.id, &data.tree, &f->err);
            if (r == KAI_OK) twins[count - 1].tag = tag + 50;
        }
    }
    f->counter.fail_at = 0;
    check_twins(f, twins, count);
    if (r == KAI_OK) return true;
    check_error(r, KAI_ERROR_MEMORY);
    check_error(f->err.code, KAI_ERROR_MEMORY);
    assert_non_null(strstr(f->err.message, "no memory"));
    return false;
}

static void test_out_of_memory(void** state)
{
    bool whole = false;
    uint64_t n = 1;
    for (; !whole; n++) {
        fixture f;
        start(&f);
        whole = scenario(&f, n);
        finish(&f);
    }
    assert_true(n > 40); // it did fail at many places
}

static void test_out_of_memory_at_birth(void** state)
{
    for (uint64_t n = 1; n <= 3; n++) {
        fixture f = {0};
        const kai_allocator allocator = helper_allocator_make(&f.counter);
        kai_memory_init(&f.memory, &allocator);
        f.counter.fail_at = n;
        const kai_result r = kai_store_init(&f.store, &f.memory, "thing", WORLD, KINDS, &f.err);
        check_error(r, n <= 2 ? KAI_ERROR_MEMORY : KAI_OK);
        finish(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_register),
        cmocka_unit_test(test_too_many_kinds),
        cmocka_unit_test(test_add_refuses),
        cmocka_unit_test(test_bad_ids),
        cmocka_unit_test(test_generation_wraps),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_deep_copies),
        cmocka_unit_test(test_hidden_tables_are_dropped),
        cmocka_unit_test(test_part_of_its_own),
        cmocka_unit_test(test_instance_of_the_store_itself),
        cmocka_unit_test(test_churn),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_out_of_memory_at_birth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
