// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Cone problems: time a contact and iteration of every method on 1, 2, 4 … threads, up to the
// processors there are, and residuals against iterations. Contacts are laid out anew in every solve,
// as where they come and go. Gains: of an iteration, and of a whole solve of 50.
//
//     bed      settled spheres of diameter 0.01 m in a box, from ../shared/bench when it is there,
//              else a close packing made here; μ 0.5, h 1e-3, envelope 0.1 R; --size N: so many,
//              the bed side by side
//     stack    20 boxes on the ground, 80 contacts
//
// Velocities before contacts are those of rest plus h g. Overlaps are not pushed out: a jammed bed
// between walls that must expand has no solution that methods could be compared by.
#include "common.h"

#include "base/clock.h"
#include "base/thread_pool.h"
#include "solve/cone.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define RADIUS  0.005
#define DENSITY 2500.0
#define H       1e-3

static const struct method {
    const char* name;
    kai_cone_method method;
} METHODS[] = {
    {"psor", KAI_CONE_PSOR}, {"bb", KAI_CONE_BB}, {"apgd", KAI_CONE_APGD}, {"admm", KAI_CONE_ADMM}};
enum { METHOD_COUNT = sizeof METHODS / sizeof METHODS[0] };

typedef struct scene {
    const char* name;
    size_t body_count, contact_count, contact_room;
    kai_vec3* position;
    kai_cone_motion *start, *motion;
    double (*inertia)[6];
    kai_cone_contact* contacts;
    kai_vec3* impulse;
} scene;

static void* take(size_t count, size_t size)
{
    void* p = calloc(count + 1, size);
    if (!p) exit(1);
    return p;
}

// Beds -------------------------------------------------------------------------------------------

typedef struct box {
    double x, y; // floor from 0 to here; walls there too
} box;

static size_t read_bed(kai_vec3* out, size_t room, box* walls)
{
    FILE* f = popen("gzip -dc ../shared/bench/bed20k.csv.gz 2>/dev/null", "r");
    char line[256];
    size_t n = 0;
    while (f && n < room && fgets(line, sizeof line, f)) {
        kai_vec3 p;
        if (sscanf(line, "%lf,%lf,%lf", &p.x, &p.y, &p.z) == 3) out[n++] = p;
    }
    if (f) pclose(f);
    *walls = (box){0.212, 0.212};
    return n;
}

// Layers of a close packing, shaken a little.
static size_t make_bed(kai_vec3* out, size_t room, box* walls)
{
    const double d = 2.0 * RADIUS * 0.999;
    enum { SIDE = 21, DEEP = 24 };
    size_t n = 0;
    for (int k = 0; n + SIDE * DEEP <= room; k++) {
        for (int j = 0; j < DEEP; j++) {
            for (int i = 0; i < SIDE; i++) {
                const double x = i + 0.5 * ((j + k) % 2), y = sqrt(0.75) * (j + (k % 2) / 3.0);
                out[n++] =
                    (kai_vec3){RADIUS + d * x, RADIUS + d * y, RADIUS + d * sqrt(2.0 / 3.0) * k};
            }
        }
    }
    *walls = (box){RADIUS * 2.0 + d * (SIDE - 0.5), RADIUS * 2.0 + d * sqrt(0.75) * (DEEP - 0.66)};
    return n;
}

static uint64_t spread(uint64_t x)
{
    uint64_t r = 0;
    for (int i = 0; i < 21; i++) r |= (x >> i & 1) << 3 * i;
    return r;
}

static uint64_t morton(const kai_vec3* p)
{
    const double s = 2.0 * RADIUS;
    return spread((uint64_t)(p->x / s)) | spread((uint64_t)(p->y / s)) << 1 |
           spread((uint64_t)(fmax(p->z, 0.0) / s)) << 2;
}

static int by_place(const void* a, const void* b)
{
    const uint64_t x = morton(a), y = morton(b);
    return (x > y) - (x < y);
}

static kai_cone_contact* add_contact(scene* s)
{
    if (s->contact_count == s->contact_room) {
        s->contact_room = s->contact_room * 2 + 1024;
        s->contacts = realloc(s->contacts, s->contact_room * sizeof *s->contacts);
        if (!s->contacts) exit(1);
    }
    kai_cone_contact* c = &s->contacts[s->contact_count++];
    memset(c, 0, sizeof *c);
    c->friction = 0.5;
    return c;
}

static void touch(scene* s, uint32_t a, uint32_t b, kai_vec3 n, double gap)
{
    if (gap > 0.1 * RADIUS) return;
    kai_cone_contact* c = add_contact(s);
    c->a = a;
    c->b = b;
    c->normal = n;
    c->arm_a = kai_vec3_scale(n, RADIUS);
    c->arm_b = kai_vec3_scale(n, -RADIUS);
    c->bias = fmax(gap / H, 0.0);
}

static void touch_walls(scene* s, uint32_t i, const box* w)
{
    const kai_vec3 p = s->position[i];
    touch(s, KAI_CONE_NONE, i, (kai_vec3){0.0, 0.0, 1.0}, p.z - RADIUS);
    touch(s, KAI_CONE_NONE, i, (kai_vec3){1.0, 0.0, 0.0}, p.x - RADIUS);
    touch(s, KAI_CONE_NONE, i, (kai_vec3){-1.0, 0.0, 0.0}, w->x - p.x - RADIUS);
    touch(s, KAI_CONE_NONE, i, (kai_vec3){0.0, 1.0, 0.0}, p.y - RADIUS);
    touch(s, KAI_CONE_NONE, i, (kai_vec3){0.0, -1.0, 0.0}, w->y - p.y - RADIUS);
}

// Chains of bodies in cells of 2.2 R.
static void find_contacts(scene* s, const box* w)
{
    const double cell = 2.2 * RADIUS;
    const size_t nx = (size_t)(w->x / cell) + 3, ny = (size_t)(w->y / cell) + 3, nz = 512;
    uint32_t* head = take(nx * ny * nz, sizeof *head);
    uint32_t* next = take(s->body_count, sizeof *next);
    for (size_t i = s->body_count; i-- > 0;) {
        const kai_vec3 p = s->position[i];
        const size_t at = ((size_t)(p.x / cell) + 1) +
                          nx * (((size_t)(p.y / cell) + 1) + ny * ((size_t)(p.z / cell) + 1));
        next[i] = head[at];
        head[at] = (uint32_t)i + 1;
    }
    for (uint32_t i = 0; i < s->body_count; i++) {
        const kai_vec3 p = s->position[i];
        touch_walls(s, i, w);
        for (size_t k = 0; k < 27; k++) {
            const size_t at =
                ((size_t)(p.x / cell) + k % 3) +
                nx * (((size_t)(p.y / cell) + k / 3 % 3) + ny * ((size_t)(p.z / cell) + k / 9));
            for (uint32_t j = head[at]; j != 0; j = next[j - 1]) {
                if (j - 1 <= i) continue;
                const kai_vec3 d = kai_vec3_sub(s->position[j - 1], p);
                const double r = kai_vec3_norm(d);
                touch(s, i, j - 1, kai_vec3_scale(d, 1.0 / r), r - 2.0 * RADIUS);
            }
        }
    }
    free(head);
    free(next);
}

static scene make_bed_scene(size_t bodies)
{
    enum { ROOM = 20000 };
    scene s = {.name = "bed"};
    kai_vec3* bed = take(ROOM, sizeof *bed);
    box walls;
    size_t n = read_bed(bed, ROOM, &walls);
    if (n < ROOM) n = make_bed(bed, ROOM, &walls);
    const size_t copies = bodies <= n ? 1 : (bodies + n / 2) / n;
    size_t across = (size_t)sqrt((double)copies);
    while (copies % across) across--;
    s.body_count = n * copies;
    s.position = take(s.body_count, sizeof *s.position);
    for (size_t i = 0; i < s.body_count; i++) {
        const size_t k = i / n;
        s.position[i] = kai_vec3_add(bed[i % n], (kai_vec3){walls.x * (double)(k % across),
                                                            walls.y * (double)(k / across), 0.0});
    }
    walls = (box){walls.x * (double)across, walls.y * (double)(copies / across)};
    qsort(s.position, s.body_count, sizeof *s.position, by_place);
    s.start = take(s.body_count, sizeof *s.start);
    const double mass = DENSITY * 4.0 / 3.0 * KAI_PI * pow(RADIUS, 3);
    for (size_t i = 0; i < s.body_count; i++)
        s.start[i] = (kai_cone_motion){.v = {0.0, 0.0, -9.81 * H},
                                       .inverse_mass = 1.0 / mass,
                                       .inverse_moment = 2.5 / (mass * RADIUS * RADIUS)};
    find_contacts(&s, &walls);
    free(bed);
    return s;
}

// Stack ------------------------------------------------------------------------------------------

static scene make_stack_scene(void)
{
    enum { BOXES = 20 };
    scene s = {.name = "stack", .body_count = BOXES};
    s.start = take(BOXES, sizeof *s.start);
    s.inertia = take(BOXES, sizeof *s.inertia);
    for (uint32_t i = 0; i < BOXES; i++) {
        s.start[i] = (kai_cone_motion){
            .v = {0.0, 0.0, -9.81 * H}, .inverse_mass = 1.0, .inverse_moment = -1.0};
        for (int k = 0; k < 3; k++) s.inertia[i][k] = 6.0;
        for (int k = 0; k < 4; k++) {
            kai_cone_contact* c = add_contact(&s);
            const double x = k % 2 ? 0.5 : -0.5, y = k / 2 ? 0.5 : -0.5;
            c->a = i == 0 ? KAI_CONE_NONE : i - 1;
            c->b = i;
            c->normal = (kai_vec3){0.0, 0.0, 1.0};
            c->arm_a = (kai_vec3){x, y, 0.5};
            c->arm_b = (kai_vec3){x, y, -0.5};
        }
    }
    return s;
}

static void finish_scene(scene* s)
{
    s->motion = take(s->body_count, sizeof *s->motion);
    s->impulse = take(s->contact_count, sizeof *s->impulse);
}

static void free_scene(scene* s)
{
    free(s->position);
    free(s->start);
    free(s->motion);
    free(s->inertia);
    free(s->contacts);
    free(s->impulse);
}

// Runs -------------------------------------------------------------------------------------------

static kai_cone_result run(kai_cone* cone, scene* s, kai_cone_options o, double* seconds)
{
    kai_error err = {0};
    kai_cone_result result;
    memcpy(s->motion, s->start, s->body_count * sizeof *s->motion);
    memset(s->impulse, 0, s->contact_count * sizeof *s->impulse);
    const kai_cone_problem p = {.body_count = s->body_count,
                                .motion = s->motion,
                                .inertia = (const double(*)[6])s->inertia,
                                .contact_count = s->contact_count,
                                .contacts = s->contacts,
                                .impulse = s->impulse};
    cone->laid = false;
    const double began = kai_clock_now();
    if (kai_cone_solve(cone, &p, &o, &result, &err) != KAI_OK) {
        fprintf(stderr, "bench_cone: %s\n", err.message);
        exit(1);
    }
    *seconds = kai_clock_now() - began;
    return result;
}

// The slope between a short and a long run is what an iteration takes; what is left is the set-up.
static void time_method(const common_options* o, kai_cone* cone, scene* s, const struct method* m)
{
    const uint32_t most = 50, least = 10;
    const int processors = kai_thread_pool_processors();
    double one = 0.0, whole = 0.0;
    for (int threads = 1;; threads = 2 * threads < processors ? 2 * threads : processors) {
        double few = HUGE_VAL, many = HUGE_VAL, t;
        kai_cone_options options = {.method = m->method, .threads = threads};
        for (int r = 0; r < o->repetitions; r++) {
            options.iterations = least;
            run(cone, s, options, &t);
            few = fmin(few, t);
            options.iterations = most;
            run(cone, s, options, &t);
            many = fmin(many, t);
        }
        const double slope = (many - few) / (most - least);
        const double ns = slope * 1e9 / (double)s->contact_count;
        if (threads == 1) one = slope, whole = many;
        printf("  %-6s %-7s %9zu %9zu %3d  %8.3f  %10.3f  %10.3f  %5.2f  %5.2f\n", s->name, m->name,
               s->body_count, s->contact_count, threads, ns, 1e3 * (many - most * slope),
               1e3 * many, one / slope, whole / many);
        if (o->csv)
            fprintf(o->csv, "cone,%s,%s,%zu,%zu,%d,%.4g,%.4g,%.4g\n", s->name, m->name,
                    s->body_count, s->contact_count, threads, ns, 1e3 * (many - most * slope),
                    1e3 * many);
        if (threads >= processors) break;
    }
}

static void residuals(const common_options* o, kai_cone* cone, scene* s, const struct method* m)
{
    static const uint32_t at[] = {10, 30, 100, 300, 1000};
    const uint32_t most = s->contact_count > 200000 ? 3 : 5;
    printf("  %-6s %-7s", s->name, m->name);
    for (uint32_t i = 0; i < most; i++) {
        double t;
        const kai_cone_options options = {
            .method = m->method, .iterations = at[i], .threads = kai_thread_pool_processors()};
        const kai_cone_result r = run(cone, s, options, &t);
        printf("  %9.2e", r.residual);
        if (o->csv)
            fprintf(o->csv, "residual,%s,%s,%u,%.4g,%.4g\n", s->name, m->name, at[i], r.residual,
                    t);
    }
    printf("\n");
}

// admm factorises: not for a bed.
static bool suits(const common_options* o, const scene* s, const struct method* m)
{
    return common_wanted(o, m->name) && (m->method != KAI_CONE_ADMM || s->body_count < 1000);
}

static void compare(const common_options* o, kai_cone* cone, scene* s)
{
    finish_scene(s);
    for (int i = 0; i < METHOD_COUNT; i++)
        if (suits(o, s, &METHODS[i])) time_method(o, cone, s, &METHODS[i]);
    printf(
        "  residual, m/s, after     10         30        100        300       1000 iterations\n");
    for (int i = 0; i < METHOD_COUNT; i++)
        if (suits(o, s, &METHODS[i])) residuals(o, cone, s, &METHODS[i]);
    free_scene(s);
}

int main(int argc, char** argv)
{
    const common_options o = common_read_options(
        argc, argv, "bench_cone: frictional contact, ns a contact and iteration, and residuals");
    kai_memory memory;
    kai_cone cone;
    kai_memory_init(&memory, NULL);
    kai_cone_init(&cone, &memory);
    printf(
        "cone problems; ms: set-up, and a solve of 50 iterations\n"
        "  scene  method     bodies  contacts   n        ns   set-up, ms    solve, ms  gain  whole\n");
    if (o.csv)
        fprintf(o.csv, "benchmark,scene,method,bodies,contacts,threads,ns,setup_ms,solve_ms\n");
    if (o.size == 0) {
        scene stack = make_stack_scene();
        compare(&o, &cone, &stack);
    }
    scene bed = make_bed_scene(o.size ? (size_t)o.size : 20000);
    compare(&o, &cone, &bed);
    kai_cone_free(&cone);
    if (o.csv) fclose(o.csv);
    return 0;
}
