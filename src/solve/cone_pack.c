// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/cone_pack.h"

#include "base/parallel.h"

#include <string.h>

enum {
    LANES = KAI_CONE_PACK_LANES,
    COLOURS = KAI_CONE_PACK_COLOURS,
    BUCKETS = COLOURS * KAI_CONE_KINDS // of one block, or of all contacts between blocks
};
#define STAYS UINT32_C(0x80000000)

// Colours ----------------------------------------------------------------------------------------

static bool moves(const kai_cone_motion* m)
{
    return m->inverse_mass != 0.0 || m->inverse_moment != 0.0;
}

// Rounding leaves arms of spheres askew by 1e-16 of the distance from the origin.
static bool along(kai_vec3 arm, kai_vec3 n)
{
    const kai_vec3 off = kai_vec3_mul_add(arm, n, -kai_vec3_dot(arm, n));
    return kai_vec3_norm2(off) <= 1e-20 * kai_vec3_norm2(arm);
}

static uint32_t kind_of(const kai_cone_problem* p, const kai_cone_contact* c)
{
    if (p->couple != NULL && (c->rolling > 0.0 || c->spinning > 0.0)) return KAI_CONE_COUPLED;
    if (c->a != KAI_CONE_NONE &&
        (p->motion[c->a].inverse_moment < 0.0 || !along(c->arm_a, c->normal)))
        return KAI_CONE_GENERAL;
    if (c->b != KAI_CONE_NONE &&
        (p->motion[c->b].inverse_moment < 0.0 || !along(c->arm_b, c->normal)))
        return KAI_CONE_GENERAL;
    return KAI_CONE_GRAIN;
}

static kai_result check_bodies(const kai_cone_problem* p, size_t i, kai_error* err)
{
    const uint32_t a = p->contacts[i].a, b = p->contacts[i].b;
    if ((a == KAI_CONE_NONE || a < p->body_count) && (b == KAI_CONE_NONE || b < p->body_count) &&
        a != b)
        return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "contact %zu: bodies %u and %u; must be two of %zu, or one and none", i, a,
                         b, p->body_count);
}

// The bucket of every contact: block, colour, kind. `rest` is the one of contacts that found no
// colour. Returns through `counts` how many are in each.
static kai_result colour(kai_cone* cone, const kai_cone_problem* p, size_t blocks, kai_error* err)
{
    uint64_t* masks = cone->masks.data;
    uint32_t* buckets = cone->buckets.data;
    uint32_t* counts = cone->counts.data;
    const uint32_t rest = (uint32_t)((blocks + 1) * BUCKETS);
    memset(masks, 0, 2 * p->body_count * sizeof *masks);
    memset(counts, 0, (rest + 1) * sizeof *counts);
    for (size_t i = 0; i < p->contact_count; i++) {
        const kai_cone_contact* c = &p->contacts[i];
        KAI_TRY(check_bodies(p, i, err));
        const uint32_t a = c->a == KAI_CONE_NONE ? c->b : c->a;
        const uint32_t b = c->b == KAI_CONE_NONE ? c->a : c->b;
        const bool a_moves = moves(&p->motion[a]), b_moves = moves(&p->motion[b]);
        // Bodies that contacts do not move may lie in any block and have any number of contacts.
        const size_t block_a = (a_moves ? a : b) / KAI_CONE_PACK_BLOCK;
        const size_t block_b = (b_moves ? b : a) / KAI_CONE_PACK_BLOCK;
        const size_t inner = block_a == block_b ? 1 : 0;
        uint64_t taken = 0;
        if (a_moves) taken |= masks[2 * a + inner];
        if (b_moves) taken |= masks[2 * b + inner];
        uint32_t bucket = rest;
        if (~taken != 0) {
            const int k = __builtin_ctzll(~taken);
            if (a_moves) masks[2 * a + inner] |= UINT64_C(1) << k;
            if (b_moves) masks[2 * b + inner] |= UINT64_C(1) << k;
            bucket = (uint32_t)((inner ? block_a : blocks) * BUCKETS) +
                     (uint32_t)k * KAI_CONE_KINDS + kind_of(p, c);
        }
        buckets[i] = bucket;
        counts[bucket]++;
    }
    return KAI_OK;
}

// Layout -----------------------------------------------------------------------------------------

typedef struct layout {
    kai_cone* cone;
    const kai_cone_problem* problem;
    uint32_t groups;
    size_t value;
    uint32_t task, run; // counts so far
    uint32_t most;      // tasks of a phase
    bool extra;
} layout;

static uint32_t rows_of(const layout* l, uint32_t kind)
{
    uint32_t rows = kai_cone_pack_rows(kind);
    if (l->extra)
        rows += kind == KAI_CONE_COUPLED ? KAI_CONE_EXTRA_ROWS_COUPLED : KAI_CONE_EXTRA_ROWS;
    return rows;
}

static void add_phase(layout* l, uint32_t first)
{
    if (l->task == first) return;
    kai_cone_phase* phases = l->cone->phases.data;
    phases[l->cone->phases.count++] = (kai_cone_phase){first, l->task};
    if (l->task - first > l->most) l->most = l->task - first;
}

static void add_task(layout* l, uint32_t first)
{
    if (l->run == first) return;
    kai_cone_task* tasks = l->cone->tasks.data;
    tasks[l->task++] = (kai_cone_task){first, l->run};
}

// Appends groups to the task whose runs begin at `first`.
static kai_result add_run(layout* l, uint32_t first, uint32_t kind, uint32_t count,
                          uint32_t first_task, kai_error* err)
{
    kai_cone_run* runs = l->cone->runs.data;
    const uint32_t rows = rows_of(l, kind);
    if (l->run > first && runs[l->run - 1].kind == kind) {
        runs[l->run - 1].count += count;
    } else {
        KAI_TRY(kai_array_resize(&l->cone->runs, l->cone->memory, l->run + 1, err));
        runs = l->cone->runs.data;
        runs[l->run++] = (kai_cone_run){.first = l->groups,
                                        .count = count,
                                        .kind = kind,
                                        .ground = 2 * (l->task - first_task),
                                        .value = l->value,
                                        .rows = rows};
    }
    l->groups += count;
    l->value += (size_t)count * rows * LANES;
    return KAI_OK;
}

static uint32_t groups_of(uint32_t contacts) { return (contacts + LANES - 1) / LANES; }

// Tasks are appended one by one; there are few against contacts.
static kai_result room_for_task(layout* l, kai_error* err)
{
    return kai_array_resize(&l->cone->tasks, l->cone->memory, l->task + 1, err);
}

// Turns the count of a bucket into the slot of its first contact.
static uint32_t open_bucket(layout* l, uint32_t* count)
{
    const uint32_t groups = groups_of(*count);
    *count = l->groups * LANES;
    return groups;
}

static kai_result lay_blocks(layout* l, size_t blocks, kai_error* err)
{
    uint32_t* counts = l->cone->counts.data;
    for (size_t block = 0; block < blocks; block++) {
        const uint32_t first = l->run;
        KAI_TRY(room_for_task(l, err));
        for (uint32_t k = 0; k < BUCKETS; k++) {
            const size_t bucket = block * BUCKETS + k;
            if (counts[bucket] == 0) continue;
            const uint32_t groups = open_bucket(l, &counts[bucket]);
            KAI_TRY(add_run(l, first, k % KAI_CONE_KINDS, groups, 0, err));
        }
        add_task(l, first);
    }
    add_phase(l, 0);
    return KAI_OK;
}

static kai_result lay_colours(layout* l, size_t blocks, kai_error* err)
{
    uint32_t* counts = (uint32_t*)l->cone->counts.data + blocks * BUCKETS;
    for (uint32_t k = 0; k < BUCKETS; k += KAI_CONE_KINDS) {
        const uint32_t first_task = l->task;
        for (uint32_t kind = 0; kind < KAI_CONE_KINDS; kind++) {
            if (counts[k + kind] == 0) continue;
            uint32_t groups = open_bucket(l, &counts[k + kind]);
            while (groups > 0) {
                const uint32_t part = groups < KAI_CONE_PACK_TASK ? groups : KAI_CONE_PACK_TASK;
                const uint32_t first = l->run;
                KAI_TRY(room_for_task(l, err));
                KAI_TRY(add_run(l, first, kind, part, first_task, err));
                add_task(l, first);
                groups -= part;
            }
        }
        add_phase(l, first_task);
    }
    return KAI_OK;
}

static kai_result lay_rest(layout* l, size_t blocks, kai_error* err)
{
    const kai_cone_problem* p = l->problem;
    const uint32_t rest = (uint32_t)((blocks + 1) * BUCKETS);
    uint32_t* counts = l->cone->counts.data;
    const uint32_t* buckets = l->cone->buckets.data;
    const uint32_t first = l->run, first_task = l->task;
    if (counts[rest] == 0) return KAI_OK;
    counts[rest] = l->groups * LANES;
    KAI_TRY(room_for_task(l, err));
    for (size_t i = 0; i < p->contact_count; i++) {
        if (buckets[i] != rest) continue;
        KAI_TRY(add_run(l, first, kind_of(p, &p->contacts[i]), 1, first_task, err));
    }
    add_task(l, first);
    add_phase(l, first_task);
    return KAI_OK;
}

static kai_result lay_out(layout* l, kai_error* err)
{
    kai_cone* cone = l->cone;
    const kai_cone_problem* p = l->problem;
    const size_t blocks = (p->body_count + KAI_CONE_PACK_BLOCK - 1) / KAI_CONE_PACK_BLOCK;
    const size_t buckets = (blocks + 1) * BUCKETS + 1;
    KAI_TRY(kai_array_reserve(&cone->masks, cone->memory, 2 * p->body_count, err));
    KAI_TRY(kai_array_reserve(&cone->buckets, cone->memory, p->contact_count, err));
    KAI_TRY(kai_array_reserve(&cone->counts, cone->memory, buckets, err));
    KAI_TRY(kai_array_reserve(&cone->phases, cone->memory, COLOURS + 2, err));
    cone->phases.count = 0;
    cone->runs.count = cone->tasks.count = 0;
    KAI_TRY(colour(cone, p, blocks, err));
    KAI_TRY(lay_blocks(l, blocks, err));
    KAI_TRY(lay_colours(l, blocks, err));
    KAI_TRY(lay_rest(l, blocks, err));
    cone->tasks.count = l->task;
    cone->runs.count = l->run;

    // Slots of contacts; what remains is empty.
    KAI_TRY(kai_array_reserve(&cone->contact_at, cone->memory, (size_t)l->groups * LANES, err));
    KAI_TRY(kai_array_reserve(&cone->values, cone->memory, l->value, err));
    uint32_t* at = cone->contact_at.data;
    uint32_t* counts = cone->counts.data;
    const uint32_t* of = cone->buckets.data;
    memset(at, 0xff, (size_t)l->groups * LANES * sizeof *at);
    for (size_t i = 0; i < p->contact_count; i++) {
        at[counts[of[i]]] = (uint32_t)i;
        counts[of[i]] += of[i] == buckets - 1 ? LANES : 1;
    }
    return KAI_OK;
}

// Values -----------------------------------------------------------------------------------------

typedef struct inertia {
    double m[6]; // xx yy zz xy xz yz
} inertia;

static kai_vec3 inertia_mul(const inertia* i, kai_vec3 v)
{
    const double* m = i->m;
    return kai_vec3_make(m[0] * v.x + m[3] * v.y + m[4] * v.z, m[3] * v.x + m[1] * v.y + m[5] * v.z,
                         m[4] * v.x + m[5] * v.y + m[2] * v.z);
}

static inertia inertia_of(const kai_cone_problem* p, uint32_t body)
{
    inertia r = {{0.0}};
    if (body == KAI_CONE_NONE) return r;
    const double same = p->motion[body].inverse_moment;
    if (same >= 0.0)
        r.m[0] = r.m[1] = r.m[2] = same;
    else if (p->inertia != NULL)
        memcpy(r.m, p->inertia[body], sizeof r.m);
    return r;
}

static double inverse_mass_of(const kai_cone_problem* p, uint32_t body)
{
    return body == KAI_CONE_NONE ? 0.0 : p->motion[body].inverse_mass;
}

// What an impulse at `arm` does to the velocity there, moments only.
static kai_vec3 turn(const inertia* i, kai_vec3 arm, kai_vec3 impulse)
{
    return kai_vec3_cross(inertia_mul(i, kai_vec3_cross(arm, impulse)), arm);
}

// The largest eigenvalue of a symmetric matrix (by columns) across n.
static double across(const kai_vec3 m[3], kai_vec3 n)
{
    const double xx = m[0].x, yy = m[1].y, zz = m[2].z, xy = m[1].x, xz = m[2].x, yz = m[2].y;
    const kai_vec3 mn = {xx * n.x + xy * n.y + xz * n.z, xy * n.x + yy * n.y + yz * n.z,
                         xz * n.x + yz * n.y + zz * n.z};
    // The two eigenvalues of T M T, T = 1 - n nᵀ, have this mean and this product (n·adj(M) n).
    const double mean = 0.5 * (xx + yy + zz - kai_vec3_dot(mn, n));
    const double product =
        n.x * n.x * (yy * zz - yz * yz) + n.y * n.y * (xx * zz - xz * xz) +
        n.z * n.z * (xx * yy - xy * xy) +
        2.0 * (n.x * n.y * (xz * yz - xy * zz) + n.x * n.z * (xy * yz - xz * yy) +
               n.y * n.z * (xy * xz - yz * xx));
    return mean + sqrt(fmax(mean * mean - product, 0.0));
}

static double inverse_or_zero(double x) { return x > 0.0 ? 1.0 / x : 0.0; }

static void put(double* v, int row, kai_vec3 x)
{
    v[row * LANES] = x.x;
    v[(row + 1) * LANES] = x.y;
    v[(row + 2) * LANES] = x.z;
}

static kai_vec3 clip(kai_vec3 v, double limit)
{
    const double length2 = kai_vec3_norm2(v);
    return length2 > limit * limit ? kai_vec3_scale(v, limit / sqrt(length2)) : v;
}

// A number that is not positive becomes 0; NaN stays, to be seen later.
static double positive(double x) { return x > 0.0 ? x : 0.0 * x; }

static double pack_guess(const kai_cone_problem* p, size_t i, double* v)
{
    const kai_cone_contact* c = &p->contacts[i];
    const kai_vec3 g = p->impulse[i], n = c->normal;
    const double along_n = kai_vec3_dot(g, n), normal = positive(along_n);
    const kai_vec3 t = clip(kai_vec3_mul_add(g, n, -along_n), c->friction * normal);
    put(v, KAI_CONE_ROW_IMPULSE, kai_vec3_mul_add(t, n, normal));
    return normal;
}

static void pack_couple(const kai_cone_problem* p, size_t i, double normal, double* v)
{
    const kai_cone_contact* c = &p->contacts[i];
    const kai_vec3 n = c->normal, g = p->couple[i];
    const inertia ia = inertia_of(p, c->a), ib = inertia_of(p, c->b);
    inertia sum;
    for (int k = 0; k < 6; k++) sum.m[k] = ia.m[k] + ib.m[k];
    const kai_vec3 columns[3] = {{sum.m[0], sum.m[3], sum.m[4]},
                                 {sum.m[3], sum.m[1], sum.m[5]},
                                 {sum.m[4], sum.m[5], sum.m[2]}};
    const double mean = (sum.m[0] + sum.m[1] + sum.m[2]) / 3.0;
    const double mass = inverse_mass_of(p, c->a) + inverse_mass_of(p, c->b);
    const kai_vec3 response = {v[KAI_CONE_ROW_RESPONSE * LANES],
                               v[(KAI_CONE_ROW_RESPONSE + 1) * LANES],
                               v[(KAI_CONE_ROW_RESPONSE + 2) * LANES]};
    const double stiff = fmax(kai_vec3_dot(response, n), mass);
    v[KAI_CONE_ROW_ROLLING * LANES] = c->rolling;
    v[KAI_CONE_ROW_SPINNING * LANES] = c->spinning;
    v[KAI_CONE_ROW_MASS_R * LANES] = inverse_or_zero(across(columns, n));
    v[KAI_CONE_ROW_MASS_S * LANES] = inverse_or_zero(kai_vec3_dot(inertia_mul(&sum, n), n));
    v[KAI_CONE_ROW_LENGTH * LANES] = mean > 0.0 ? sqrt(stiff / mean) : 0.0;
    const double about = kai_vec3_dot(g, n);
    const kai_vec3 roll = clip(kai_vec3_mul_add(g, n, -about), c->rolling * normal);
    const kai_vec3 spin = clip(kai_vec3_scale(n, about), c->spinning * normal);
    put(v, KAI_CONE_ROW_COUPLE, mean > 0.0 ? kai_vec3_add(roll, spin) : kai_vec3_zero());
}

// Arms, inertia and masses; false: nothing can move.
static bool pack_general(const kai_cone_problem* p, const kai_cone_contact* c, double* v)
{
    const inertia ia = inertia_of(p, c->a), ib = inertia_of(p, c->b);
    const double mass = inverse_mass_of(p, c->a) + inverse_mass_of(p, c->b);
    const kai_vec3 arm_a = c->a == KAI_CONE_NONE ? kai_vec3_zero() : c->arm_a;
    const kai_vec3 arm_b = c->b == KAI_CONE_NONE ? kai_vec3_zero() : c->arm_b;
    kai_vec3 columns[3];
    for (int k = 0; k < 3; k++) {
        const kai_vec3 e = kai_vec3_axis(k);
        columns[k] = kai_vec3_add(kai_vec3_scale(e, mass),
                                  kai_vec3_add(turn(&ia, arm_a, e), turn(&ib, arm_b, e)));
    }
    const kai_vec3 n = c->normal;
    const kai_vec3 response = {kai_vec3_dot(columns[0], n), kai_vec3_dot(columns[1], n),
                               kai_vec3_dot(columns[2], n)};
    const double stiff = kai_vec3_dot(response, n);
    if (stiff <= 0.0) return false;
    v[KAI_CONE_ROW_MASS_N * LANES] = 1.0 / (stiff + c->compliance);
    v[KAI_CONE_ROW_MASS_T * LANES] = inverse_or_zero(across(columns, n));
    put(v, KAI_CONE_ROW_ARM_A, arm_a);
    put(v, KAI_CONE_ROW_ARM_B, arm_b);
    for (int k = 0; k < 6; k++) {
        v[(KAI_CONE_ROW_INERTIA_A + k) * LANES] = ia.m[k];
        v[(KAI_CONE_ROW_INERTIA_B + k) * LANES] = ib.m[k];
    }
    put(v, KAI_CONE_ROW_RESPONSE, response);
    return true;
}

static bool pack_grain(const kai_cone_problem* p, const kai_cone_contact* c, double* v)
{
    const bool has_a = c->a != KAI_CONE_NONE, has_b = c->b != KAI_CONE_NONE;
    const double ra = has_a ? kai_vec3_dot(c->arm_a, c->normal) : 0.0;
    const double rb = has_b ? -kai_vec3_dot(c->arm_b, c->normal) : 0.0;
    const double mass = inverse_mass_of(p, c->a) + inverse_mass_of(p, c->b);
    const double moment_a = has_a ? p->motion[c->a].inverse_moment : 0.0;
    const double moment_b = has_b ? p->motion[c->b].inverse_moment : 0.0;
    if (mass <= 0.0) return false;
    v[KAI_CONE_ROW_MASS_N * LANES] = 1.0 / (mass + c->compliance);
    v[KAI_CONE_ROW_MASS_T * LANES] = 1.0 / (mass + ra * ra * moment_a + rb * rb * moment_b);
    v[KAI_CONE_ROW_RADIUS_A * LANES] = ra;
    v[KAI_CONE_ROW_RADIUS_B * LANES] = rb;
    return true;
}

static uint32_t index_of(const kai_cone_problem* p, uint32_t body, uint32_t ground)
{
    if (body == KAI_CONE_NONE) return ground;
    return moves(&p->motion[body]) ? body : body | STAYS;
}

static void pack_empty(double* v, uint32_t* index, uint32_t rows, uint32_t ground)
{
    index[0] = index[LANES] = ground;
    for (uint32_t r = 1; r < rows; r++) v[r * LANES] = 0.0;
    v[KAI_CONE_ROW_MASS_N * LANES] = v[KAI_CONE_ROW_MASS_T * LANES] = 1.0;
}

static void pack_lane(const kai_cone_problem* p, uint32_t i, const kai_cone_run* run, double* v,
                      uint32_t* index)
{
    if (i == UINT32_MAX) {
        pack_empty(v, index, run->rows, run->ground);
        return;
    }
    const kai_cone_contact* c = &p->contacts[i];
    const bool fine = run->kind == KAI_CONE_GRAIN ? pack_grain(p, c, v) : pack_general(p, c, v);
    if (!fine) {
        pack_empty(v, index, run->rows, run->ground);
        return;
    }
    index[0] = index_of(p, c->a, run->ground);
    index[LANES] = index_of(p, c->b, run->ground);
    put(v, KAI_CONE_ROW_NORMAL, c->normal);
    v[KAI_CONE_ROW_BIAS * LANES] = c->bias;
    v[KAI_CONE_ROW_FRICTION * LANES] = c->friction;
    v[KAI_CONE_ROW_COMPLIANCE * LANES] = c->compliance;
    const double normal = pack_guess(p, i, v);
    if (run->kind == KAI_CONE_COUPLED) pack_couple(p, i, normal, v);
}

typedef struct packing {
    kai_cone* cone;
    const kai_cone_problem* problem;
} packing;

static void pack_tasks(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    const packing* k = context;
    const kai_cone_task* tasks = k->cone->tasks.data;
    const kai_cone_run* runs = k->cone->runs.data;
    const uint32_t* at = k->cone->contact_at.data;
    for (uint32_t r = tasks[begin].first; r < tasks[end - 1].end; r++) {
        double* v = (double*)k->cone->values.data + runs[r].value;
        for (uint32_t g = 0; g < runs[r].count; g++, v += runs[r].rows * LANES) {
            const uint32_t* slot = at + (size_t)(runs[r].first + g) * LANES;
            for (uint32_t lane = 0; lane < LANES; lane++)
                pack_lane(k->problem, slot[lane], &runs[r], v + lane, (uint32_t*)v + lane);
        }
    }
}

kai_result kai_cone_pack(kai_cone* cone, const kai_cone_problem* problem, bool extra, int threads,
                         kai_error* err)
{
    layout l = {.cone = cone, .problem = problem, .extra = extra};
    KAI_TRY(lay_out(&l, err));
    const size_t spare = 2 * (size_t)l.most; // for tasks of a phase: the ground and a sink each
    KAI_TRY(kai_array_reserve(&cone->motion, cone->memory, problem->body_count + spare, err));
    kai_cone_motion* motion = cone->motion.data;
    cone->motion.count = problem->body_count + spare;
    memcpy(motion, problem->motion, problem->body_count * sizeof *motion);
    memset(motion + problem->body_count, 0, spare * sizeof *motion);
    kai_cone_run* runs = cone->runs.data;
    for (uint32_t r = 0; r < l.run; r++) runs[r].ground += (uint32_t)problem->body_count;
    packing k = {cone, problem};
    if (l.task > 0) kai_parallel_for(threads, l.task, 1, pack_tasks, &k);
    return KAI_OK;
}

static void read_tasks(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    const packing* k = context;
    const kai_cone_task* tasks = k->cone->tasks.data;
    const kai_cone_run* runs = k->cone->runs.data;
    const uint32_t* at = k->cone->contact_at.data;
    const kai_cone_problem* p = k->problem;
    for (uint32_t r = tasks[begin].first; r < tasks[end - 1].end; r++) {
        const size_t step = (size_t)runs[r].rows * LANES;
        for (size_t s = 0; s < (size_t)runs[r].count * LANES; s++) {
            const uint32_t i = at[(size_t)runs[r].first * LANES + s];
            if (i == UINT32_MAX) continue;
            const double* v =
                (double*)k->cone->values.data + runs[r].value + s / LANES * step + s % LANES;
            const double* x = v + KAI_CONE_ROW_IMPULSE * LANES;
            p->impulse[i] = kai_vec3_make(x[0], x[LANES], x[2 * LANES]);
            if (p->couple == NULL) continue;
            const double* y = v + KAI_CONE_ROW_COUPLE * LANES;
            p->couple[i] = runs[r].kind == KAI_CONE_COUPLED
                               ? kai_vec3_make(y[0], y[LANES], y[2 * LANES])
                               : kai_vec3_zero();
        }
    }
}

void kai_cone_pack_read(const kai_cone* cone, const kai_cone_problem* problem, int threads)
{
    packing k = {(kai_cone*)(uintptr_t)cone, problem};
    if (cone->tasks.count > 0) kai_parallel_for(threads, cone->tasks.count, 1, read_tasks, &k);
}
