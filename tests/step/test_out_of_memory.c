// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Memory that runs out in the middle of a step: the step says so, nothing has changed, and the same
// step with memory gives the same bits as if it had never failed.
#include "helper.h"

#include <kairos/kairos.h>
#include <kairos/scene.h>

typedef struct rig {
    helper_allocator counter;
    kai_scene* scene; // owns the world, unless it is NULL
    kai_world* world;
} rig;

typedef struct test_case {
    const char* name;
    const char* text; // a scene, or NULL:
    void (*build)(kai_world* world);
    double step;                                       // s
    kai_result (*advance)(kai_world* world, double h); // NULL: kai_world_step
    bool
        unobserved; // has bodies for pieces of a net, which a step that fails may have put in place
} test_case;

#ifdef __SANITIZE_ADDRESS__
enum { STEPS = 3, MOST = 60 }; // a share of them where each takes long
#else
enum { STEPS = 3, MOST = 400 }; // allocations of a case that fail in turn
#endif

#define NET(contact_, solver_)                                                               \
    "{\"kairos\":1,\"step\":0.002,\"end\":1,\"contact\":\"" contact_                         \
    "\",\"solver\":{\"type\":\"" solver_ "\",\"iterations\":20},"                            \
    "\"solids\":{\"rope\":{\"type\":\"elastic\",\"density\":1100,\"young\":5e6}},"           \
    "\"bodies\":[{\"name\":\"ball\",\"density\":300,\"position\":[0.03,0.01,0.565],"         \
    "\"velocity\":[0,0,-1],\"shapes\":[{\"type\":\"sphere\",\"radius\":0.06}]}],"            \
    "\"structures\":[{\"name\":\"net\",\"type\":\"net\",\"size\":[0.3,0.3],\"cells\":[3,3]," \
    "\"position\":[0,0,0.5],\"element\":{\"type\":\"ancf-cable\",\"solid\":\"rope\","        \
    "\"radius\":0.004},\"fixed\":[{\"set\":\"x0\",\"coordinates\":\"position\"}],"           \
    "\"contacts\":[{\"set\":\"all\",\"surface\":\"capsules\",\"radius\":0.008}]}]}"

#define SHEET(head_)                                                                  \
    "{\"kairos\":1,\"step\":0.0005,\"end\":1," head_                                  \
    "\"solids\":{\"cloth\":{\"type\":\"elastic\",\"density\":500,\"young\":2e5,"      \
    "\"poisson\":0.2}},"                                                              \
    "\"bodies\":[{\"name\":\"ball\",\"fixed\":true,\"shapes\":[{\"type\":\"sphere\"," \
    "\"radius\":0.3}]}],\"structures\":[{\"name\":\"cloth\",\"type\":\"sheet\","      \
    "\"size\":[0.4,0.4],\"cells\":[2,2],\"position\":[0,0,0.305],"                    \
    "\"element\":{\"type\":\"ancf-shell\",\"solid\":\"cloth\",\"thickness\":0.004},"  \
    "\"fixed\":[{\"set\":\"x0\",\"coordinates\":\"position\"}],"                      \
    "\"contacts\":[{\"set\":\"all\",\"surface\":\"triangles\",\"radius\":0.006,\"self\":true}]}]}"

// Two links on the ground; they fall.
#define LINKS(head_)                                                                                 \
    "{\"kairos\":1,\"step\":0.01,\"end\":1," head_                                                   \
    "\"bodies\":[{\"name\":\"ground\",\"fixed\":true},"                                              \
    "{\"name\":\"a\",\"mass\":1,\"inertia\":[0.1,0.1,0.1],\"position\":[0.5,0,0]},"                  \
    "{\"name\":\"b\",\"mass\":1,\"inertia\":[0.1,0.1,0.1],\"position\":[1.5,0,0]}],"                 \
    "\"joints\":[{\"type\":\"revolute\",\"bodies\":[\"ground\",\"a\"],\"at\":[0,0,0],"               \
    "\"axis\":[0,1,0]},{\"type\":\"revolute\",\"bodies\":[\"a\",\"b\"],\"at\":[1,0,0],"              \
    "\"axis\":[0,1,0]}],"                                                                            \
    "\"forces\":[{\"type\":\"spring\",\"bodies\":[\"ground\",\"b\"],\"points\":[[0,0,0],[1.5,0,0]]," \
    "\"stiffness\":50,\"damping\":1}]}"

static void add_floor(kai_world* world)
{
    const kai_shape_plane_params plane = {{0.0, 0.0, 1.0}};
    const kai_shape_def common = kai_shape_def_default();
    kai_body_def def = kai_body_def_default();
    kai_body floor;
    kai_shape shape;
    def.fixed = true;
    check_ok(kai_body_create(world, &def, &floor));
    check_ok(kai_shape_create(world, floor, &kai_shape_plane, &plane, &common, &shape));
}

static void add_grains(kai_world* world, kai_contact_method method)
{
    enum { SIDE = 3, COUNT = SIDE * SIDE * SIDE };
    double x[COUNT], y[COUNT], z[COUNT];
    for (int i = 0; i < COUNT; i++) {
        x[i] = 0.0995 * (i % SIDE);
        y[i] = 0.0995 * (i / SIDE % SIDE);
        z[i] = 0.0495 + 0.0995 * (i / SIDE / SIDE);
    }
    const kai_shape_sphere_params ball = {0.05};
    kai_particles_def def = kai_particles_def_default();
    kai_particles group;
    kai_contact_def contact = kai_contact_def_default();
    add_floor(world);
    def.shape = &kai_shape_sphere;
    def.shape_params = &ball;
    def.density = 1000.0;
    def.table = (kai_particle_table){.count = COUNT, .x = x, .y = y, .z = z};
    check_ok(kai_particles_create(world, &def, &group));
    contact.method = (int32_t)method;
    check_ok(kai_contact_set(world, &contact));
}

static void add_grains_smc(kai_world* world) { add_grains(world, KAI_CONTACT_SMC); }
static void add_grains_nsc(kai_world* world) { add_grains(world, KAI_CONTACT_NSC); }

static void add_boxes(kai_world* world, kai_solver_type solver)
{
    const kai_shape_box_params box = {{0.2, 0.2, 0.2}};
    const kai_shape_def common = kai_shape_def_default();
    kai_contact_def contact = kai_contact_def_default();
    kai_solver_def def = kai_solver_def_default();
    add_floor(world);
    for (int i = 0; i < 3; i++) {
        kai_body_def body = kai_body_def_default();
        kai_body id;
        kai_shape shape;
        body.position = kai_vec3_make(0.02 * i, 0.0, 0.1 + 0.2 * i);
        check_ok(kai_body_create(world, &body, &id));
        check_ok(kai_shape_create(world, id, &kai_shape_box, &box, &common, &shape));
        check_ok(kai_body_set_density(world, id, 500.0));
    }
    contact.method = KAI_CONTACT_NSC;
    check_ok(kai_contact_set(world, &contact));
    def.type = (int32_t)solver;
    check_ok(kai_solver_set(world, &def));
}

static void add_boxes_apgd(kai_world* world) { add_boxes(world, KAI_SOLVER_APGD); }
static void add_boxes_admm(kai_world* world) { add_boxes(world, KAI_SOLVER_ADMM); }

static kai_result statics(kai_world* world, double h)
{
    (void)h;
    return kai_world_statics(world);
}

static const test_case CASES[] = {
    {"net, nsc", NET("nsc", "psor"), NULL, 0.002, NULL, true},
    {"net, admm", NET("nsc", "admm"), NULL, 0.002, NULL, true},
    {"net, smc", NET("smc", "auto"), NULL, 0.0002, NULL, true},
    {"sheet, smc", SHEET("\"contact\":\"smc\","), NULL, 0.0002, NULL, false},
    {"sheet, nsc", SHEET("\"contact\":\"nsc\","), NULL, 0.0005, NULL, false},
    {"sheet, cg", SHEET("\"solver\":\"cg\","), NULL, 0.0005, NULL, false},
    {"sheet, hht", SHEET("\"integrator\":\"hht\","), NULL, 0.0005, NULL, false},
    {"sheet, statics", SHEET(""), NULL, 0.0, statics, false},
    {"sheet, quasi-statics", SHEET(""), NULL, 0.01, kai_world_step_statics, false},
    {"grains, smc", NULL, add_grains_smc, 1e-4, NULL, false},
    {"grains, nsc", NULL, add_grains_nsc, 1e-3, NULL, false},
    {"boxes, apgd", NULL, add_boxes_apgd, 1e-3, NULL, false},
    {"boxes, admm", NULL, add_boxes_admm, 1e-3, NULL, false},
    {"links, euler", LINKS(""), NULL, 0.01, NULL, false},
    {"links, minres", LINKS("\"solver\":\"minres\","), NULL, 0.01, NULL, false},
    {"links, hht", LINKS("\"integrator\":\"hht\","), NULL, 0.01, NULL, false},
    {"links, rk4", LINKS("\"integrator\":\"rk4\","), NULL, 0.01, NULL, false},
    {"links, statics", LINKS(""), NULL, 0.0, statics, false},
};

static void start(rig* r, const test_case* c)
{
    memset(r, 0, sizeof *r);
    kai_world_def def = kai_world_def_default();
    def.allocator = helper_allocator_make(&r->counter);
    def.threads = 2;
    if (!c->text) {
        check_ok(kai_world_create(&def, &r->world, NULL));
        c->build(r->world);
        return;
    }
    kai_scene_def scene = kai_scene_def_default();
    kai_error err = {0};
    scene.path = "test.json";
    scene.text = c->text;
    scene.text_size = strlen(c->text);
    scene.world = def;
    if (kai_scene_open(&scene, &r->scene, &err) != KAI_OK) fail_msg("%s: %s", c->name, err.message);
    r->world = kai_scene_world(r->scene);
}

static void finish(rig* r)
{
    if (r->scene)
        kai_scene_close(r->scene);
    else
        kai_world_destroy(r->world);
    assert_int_equal(r->counter.blocks, 0);
    assert_int_equal(r->counter.bytes, 0);
}

static kai_result advance(const rig* r, const test_case* c)
{
    return c->advance ? c->advance(r->world, c->step) : kai_world_step(r->world, c->step);
}

static void advance_all(const rig* r, const test_case* c, uint64_t hashes[STEPS])
{
    for (int i = 0; i < STEPS; i++) {
        if (advance(r, c) != KAI_OK)
            fail_msg("%s: step %d: %s", c->name, i, kai_world_error(r->world)->message);
        hashes[i] = kai_world_hash(r->world);
    }
}

// The n-th allocation of the steps fails, and all others until the step gives up.
static void fail_once(const test_case* c, uint64_t n, const uint64_t expected[STEPS])
{
    rig r;
    start(&r, c);
    r.counter.fail_at = r.counter.calls + n;
    for (int i = 0; i < STEPS; i++) {
        const uint64_t before = kai_world_hash(r.world);
        kai_result result = advance(&r, c);
        if (result != KAI_OK) {
            if (result != KAI_ERROR_MEMORY)
                fail_msg("%s: allocation %d: %s", c->name, (int)n,
                         kai_world_error(r.world)->message);
            if (!c->unobserved) assert_int_equal(kai_world_hash(r.world), before);
            r.counter.fail_at = 0;
            result = advance(&r, c);
        }
        if (result != KAI_OK || kai_world_hash(r.world) != expected[i])
            fail_msg("%s: after allocation %d failed, step %d %s", c->name, (int)n, i,
                     result == KAI_OK ? "differs" : kai_world_error(r.world)->message);
    }
    finish(&r);
}

// In one world: each try of a step gets one allocation further than the one before.
static void fail_often(const test_case* c, const uint64_t expected[STEPS])
{
    rig r;
    start(&r, c);
    for (int i = 0; i < STEPS; i++) {
        kai_result result = KAI_ERROR_MEMORY;
        for (uint64_t n = 1; result == KAI_ERROR_MEMORY && n < 2000; n++) {
            r.counter.fail_at = r.counter.calls + n;
            result = advance(&r, c);
        }
        if (result != KAI_OK || kai_world_hash(r.world) != expected[i])
            fail_msg("%s: step %d after many failures %s", c->name, i,
                     result == KAI_OK ? "differs" : kai_world_error(r.world)->message);
    }
    r.counter.fail_at = 0;
    finish(&r);
}

static void test_steps(void** state)
{
    for (size_t k = 0; k < KAI_COUNT(CASES); k++) {
        rig r;
        uint64_t hashes[STEPS];
        start(&r, &CASES[k]);
        const uint64_t before = r.counter.calls;
        advance_all(&r, &CASES[k], hashes);
        const uint64_t calls = r.counter.calls - before;
        finish(&r);
        const uint64_t stride = 1 + calls / MOST;
        for (uint64_t n = 1; n <= calls; n += stride) fail_once(&CASES[k], n, hashes);
        fail_often(&CASES[k], hashes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
