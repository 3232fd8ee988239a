// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What every kind of joint must show, without listing them: rows that are the derivative of their
// g, action equal to reaction, no dependence on where the whole stands, parameters that keep to
// their ranges, independent rows, the same bits for any number of threads. A kind registered here
// stands for those of users.
#include "helper.h"
#include "math/dense.h"
#include "model/joint.h"
#include "model/shaft.h"

#include <kairos/joint.h>
#include <unistd.h>

// A kind of a user's own: the point of b stays on a sphere about the point of a ------------------

typedef struct on_sphere {
    kai_joint_base base;
    kai_value radius;
} on_sphere;

static void on_sphere_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const on_sphere* p = (const on_sphere*)b->instances + i;
        const kai_pose *pa = &b->pose[b->slot[2 * i]], *pb = &b->pose[b->slot[2 * i + 1]];
        const kai_vec3 ra = kai_quat_rotate(pa->rotation, p->base.inner[0].position);
        const kai_vec3 rb = kai_quat_rotate(pb->rotation, p->base.inner[1].position);
        const kai_vec3 d =
            kai_vec3_sub(kai_vec3_add(pb->position, rb), kai_vec3_add(pa->position, ra));
        const kai_jet radius = kai_function_set_value(b->functions, &p->radius, b->time);
        const kai_vec3 n = kai_vec3_normalize(d);
        b->rows[i] = (kai_joint_row){
            .g = kai_vec3_norm(d) - radius.y,
            .gt = -radius.dy,
            .a = {kai_vec3_neg(n), kai_quat_unrotate(pa->rotation, kai_vec3_cross(n, ra))},
            .b = {n, kai_quat_unrotate(pb->rotation, kai_vec3_cross(rb, n))}};
    }
}

static const kai_param ON_SPHERE_PARAMS[] = {KAI_JOINT_PARAMS,
                                             {.name = "radius",
                                              .type = KAI_PARAM_VALUE,
                                              .offset = offsetof(on_sphere, radius),
                                              .initial = {1.0},
                                              .range = KAI_ABOVE(0.0),
                                              .doc = "Radius of the sphere."}};

static const kai_joint_kind ON_SPHERE = {
    .kind = {KAI_SIZES(kai_joint_kind), .name = "on-sphere",
             .doc = "A point of b stays on a sphere.", .size = sizeof(on_sphere),
             .params = ON_SPHERE_PARAMS, .param_count = KAI_COUNT(ON_SPHERE_PARAMS)},
    .rows = 1,
    .driven = true,
    .evaluate = on_sphere_evaluate};

static const kai_joint_kind* const OWN_KINDS[] = {&ON_SPHERE, NULL};

// A joint of any kind ----------------------------------------------------------------------------

enum { SAMPLES = 12, CURVE_POINTS = 9, LARGEST = 4096 };

enum { FURTHER = KAI_JOINT_ENDS - 2 };

/// One joint with its bodies: a and b, and those beside.
typedef struct pair {
    kai_world* world;
    const kai_joint_kind* kind;
    uint32_t slot[KAI_JOINT_ENDS]; // UINT32_MAX: none
    kai_joint joint;
    const void* instance;
} pair;

/// The rows of a joint at one moment, and the factors of ends beside a and b.
typedef struct sample {
    kai_joint_row row[KAI_JOINT_ROWS];
    kai_wrench further[KAI_JOINT_ROWS * FURTHER];
} sample;

/// Factors of end e in row r.
static const kai_wrench* piece(const pair* p, const sample* s, int r, int e)
{
    if (e < 2) return e ? &s->row[r].b : &s->row[r].a;
    return &s->further[r * kai_joint_further(p->kind) + e - 2];
}

static bool is_end(const pair* p, int e)
{
    return e < 2 + kai_joint_further(p->kind) && p->slot[e] != UINT32_MAX;
}

/// Fails the test with the name of the kind.
#define expect(p, condition)                                       \
    do {                                                           \
        if (condition) break;                                      \
        print_error("%s: " #condition "\n", (p)->kind->kind.name); \
        fail();                                                    \
    } while (0)

static kai_world* make_world(int threads)
{
    kai_world_def def = kai_world_def_default();
    kai_world* world = NULL;
    def.threads = threads;
    def.kinds.joints = OWN_KINDS;
    check_ok(kai_world_create(&def, &world, NULL));
    return world;
}

/// Number i of the kinds without shafts and nodes (those are in test_shaft_joints.c and
/// test_node_joints.c), NULL after the last.
static const kai_joint_kind* kind_at(const kai_world* world, size_t i)
{
    for (size_t b = 0; b < world->joints.batch_count; b++) {
        const kai_joint_kind* kind =
            (const kai_joint_kind*)(const void*)world->joints.batches[b].kind;
        if (kind->shaft_count + kind->node_count == 0 && i-- == 0) return kind;
    }
    return NULL;
}

static size_t kind_count(void)
{
    kai_world* world = make_world(1);
    size_t count = 0;
    while (kind_at(world, count)) count++;
    kai_world_destroy(world);
    return count;
}

/// A body with a mass centre off its origin and a full inertia.
static kai_body make_body(kai_world* world, uint64_t seed)
{
    kai_body_def def = kai_body_def_default();
    kai_body body;
    def.mass = 1.5 + 0.5 * helper_random(seed);
    def.inertia = (kai_inertia){0.5, 0.6, 0.7, 0.05, -0.08, 0.1};
    def.com = kai_vec3_scale(helper_random_vec3(seed + 1), 0.3);
    def.position = helper_random_vec3(seed + 2);
    def.rotation = helper_random_rotation(seed + 3);
    check_ok(kai_body_create(world, &def, &body));
    return body;
}

/// A number that a parameter may have.
static double some_number(const kai_param* p)
{
    if (!p->range.bounded) return 0.7;
    return isinf(p->range.max) ? p->range.min + 0.7 : 0.3 * p->range.min + 0.7 * p->range.max;
}

static kai_value some_value(kai_world* world, const kai_param* p)
{
    kai_function_sine_params sine;
    kai_value value = {0};
    kai_kind_defaults(&kai_function_sine.kind, &sine);
    sine.amplitude = 0.1;
    sine.frequency = 0.8;
    sine.offset = some_number(p);
    check_ok(kai_function_create(world, &kai_function_sine, &sine, &value.function));
    return value;
}

/// A bent curve through the joint point; tables of other sorts will need a line here.
static kai_table some_table(const kai_param* p, kai_vec3 at)
{
    static double data[3 * CURVE_POINTS];
    if (p->columns != 3) fail_msg("no table with %u columns for %s", p->columns, p->name);
    for (int i = 0; i < CURVE_POINTS; i++) {
        const double a = 2.0 * KAI_PI * (i - 2) / CURVE_POINTS;
        data[3 * i] = at.x + 1.5 * (cos(a) - 1.0);
        data[3 * i + 1] = at.y + sin(a);
        data[3 * i + 2] = at.z + 0.3 * sin(2.0 * a);
    }
    return (kai_table){.data = data, .rows = CURVE_POINTS, .columns = 3};
}

/// Another choice of degrees of freedom for each seed, as bits: at least one, at most five.
static uint64_t some_bits(uint64_t seed) { return 1 + (seed / 50 * 19 + 3) % 62; }

static kai_list some_freedoms(uint64_t seed)
{
    static int32_t items[6];
    const uint64_t bits = some_bits(seed);
    uint32_t n = 0;
    for (int32_t i = 0; i < 6; i++)
        if ((bits >> i) & 1) items[n++] = i;
    return (kai_list){.items = items, .count = n};
}

/// Coordinates of two joints in a row, or (`all`) of three with a body of their own.
static kai_list some_terms(kai_world* world, const kai_joint_base* j, uint64_t seed, bool all)
{
    static kai_joint_coupling_term terms[3];
    kai_body body[4] = {j->bodies[0], j->bodies[1]};
    for (uint32_t t = 0; t < (all ? 3u : 2u); t++) {
        kai_joint_base base;
        kai_kind_defaults(&kai_joint_cylindrical.kind, &base);
        base.bodies[0] = body[t];
        base.bodies[1] = t == 0 ? body[1] : (body[t + 1] = make_body(world, seed + 45 + t));
        base.at = helper_random_vec3(seed + 47 + t);
        base.axis = helper_random_direction(seed + 48 + t);
        terms[t] =
            (kai_joint_coupling_term){.coordinate = 1 + (int32_t)t % 2, .factor = 0.5 - (double)t};
        // Bodies that are wrong make no joints; the test wants to see the coupling refuse them.
        kai_joint_create(world, &kai_joint_cylindrical, &base, "", &terms[t].joint);
    }
    return (kai_list){.items = terms, .count = all ? 3 : 2};
}

/// Gives a parameter of the kind's own a value if it needs one; with `all` the optional ones too.
static void fill_param(kai_world* world, const kai_param* p, kai_joint_base* j, uint64_t seed,
                       bool all)
{
    void* field = (char*)j + p->offset;
    if (p->type == KAI_PARAM_LIST && strcmp(p->name, "terms") == 0) {
        *(kai_list*)field = some_terms(world, j, seed, all);
    } else if (p->type == KAI_PARAM_BODY && all) { // a housing
        *(kai_body*)field = make_body(world, seed + 45);
    } else if (p->type == KAI_PARAM_LIST && strcmp(p->name, "free") == 0) {
        *(kai_list*)field = some_freedoms(seed);
    } else if (p->type == KAI_PARAM_BOOL && all) {
        *(bool*)field = true;
    } else if (p->type == KAI_PARAM_REAL && (p->required || all)) {
        *(double*)field = some_number(p);
    } else if (p->type == KAI_PARAM_VALUE && isnan(p->initial[0])) { // some of them
        if ((some_bits(seed) >> (p->name[1] - 'x' + (p->name[0] == 'r' ? 3 : 0))) & 1)
            *(kai_value*)field = some_value(world, p);
    } else if (p->type == KAI_PARAM_VALUE) {
        *(kai_value*)field = some_value(world, p);
    } else if (p->type == KAI_PARAM_TABLE) {
        *(kai_table*)field = some_table(p, j->at);
    } else if (p->type == KAI_PARAM_VEC3 && p->columns == 2) { // end points
        ((kai_vec3*)field)[0] = j->at;
        ((kai_vec3*)field)[1] = kai_vec3_mul_add(j->at, j->x_axis, 0.8);
    } else if (p->type == KAI_PARAM_VEC3) { // a second direction
        *(kai_vec3*)field = kai_vec3_cross(j->axis, j->x_axis);
    }
}

/// An instance of a kind between two bodies, with everything that it needs.
static void fill(kai_world* world, const kai_joint_kind* kind, const kai_body body[2],
                 uint64_t seed, bool all, void* instance)
{
    kai_joint_base* j = instance;
    assert_true(kind->kind.size <= LARGEST);
    kai_kind_defaults(&kind->kind, instance);
    memcpy(j->bodies, body, sizeof j->bodies);
    j->at = helper_random_vec3(seed + 10);
    j->axis = helper_random_direction(seed + 11);
    j->x_axis = kai_vec3_perpendicular(j->axis);
    for (size_t i = 0; i < kind->kind.param_count; i++) {
        const kai_param* p = &kind->kind.params[i];
        if (!p->hidden && p->offset >= sizeof(kai_joint_base)) fill_param(world, p, j, seed, all);
    }
    if (kind->axis2) j->x_axis = kai_vec3_make((double)NAN, (double)NAN, (double)NAN);
}

static void find_ends(pair* p)
{
    const kai_joint_base* base = p->instance;
    for (int k = 0; k < 2; k++)
        p->slot[k] = (uint32_t)kai_bodies_slot(&p->world->bodies, base->bodies[k]);
    kai_joint_find_further(p->world, p->kind, p->instance, p->slot + 2);
}

static pair make_pair(kai_world* world, size_t b, uint64_t seed, bool all)
{
    _Alignas(64) char instance[LARGEST];
    pair p = {.world = world, .kind = kind_at(world, b)};
    const kai_body body[2] = {make_body(world, seed), make_body(world, seed + 5)};
    fill(world, p.kind, body, seed, all, instance);
    if (kai_joint_create(world, p.kind, instance, "", &p.joint) != KAI_OK)
        fail_msg("%s", kai_world_error(world)->message);
    check_ok(kai_joint_get(world, p.joint, NULL, &p.instance));
    find_ends(&p);
    return p;
}

static void move(kai_pose* pose, kai_vec3 by, kai_vec3 turn)
{
    pose->position = kai_vec3_add(pose->position, by);
    pose->rotation = kai_quat_mul(pose->rotation, kai_quat_from_rotation_vector(turn));
}

/// Away from the assembled position, where errors of the rows would hide.
static void disturb(const pair* p, uint64_t seed, double size)
{
    for (uint64_t k = 0; k < KAI_JOINT_ENDS; k++) {
        if (!is_end(p, (int)k)) continue;
        const uint64_t from = seed + 20 + k + (k < 2 ? 0 : 40);
        move(&p->world->bodies.pose[p->slot[k]], kai_vec3_scale(helper_random_vec3(from), size),
             kai_vec3_scale(helper_random_vec3(from + 2), size));
    }
}

static void evaluate(const pair* p, double time, sample* s)
{
    *s = (sample){0};
    const kai_joint_batch one = {.world = p->world,
                                 .time = time,
                                 .instances = p->instance,
                                 .size = p->kind->kind.size,
                                 .end = 1,
                                 .slot = p->slot,
                                 .pose = p->world->bodies.pose,
                                 .motion = p->world->bodies.motion,
                                 .functions = &p->world->functions,
                                 .rows = s->row,
                                 .further_slot = p->slot + 2,
                                 .further = s->further};
    p->kind->evaluate(&one);
}

static int rows_of(const pair* p)
{
    return p->kind->rows_of ? p->kind->rows_of(p->instance) : p->kind->rows;
}

typedef void property(const pair* p, uint64_t seed);

/// Tries a property on several joints of every kind, with and without optional parameters.
static void for_every_kind(property* holds, double disturbance)
{
    const size_t kinds = kind_count();
    for (size_t b = 0; b < kinds; b++) {
        for (uint64_t n = 0; n < SAMPLES; n++) {
            kai_world* world = make_world(1);
            const pair p = make_pair(world, b, 100 * n, n % 2);
            disturb(&p, 100 * n, disturbance);
            holds(&p, 100 * n);
            kai_world_destroy(world);
        }
    }
}

// Rows -------------------------------------------------------------------------------------------

/// g after a motion of eps along velocity number k of body `which`.
static void after(const pair* p, int which, int k, double eps, sample* rows)
{
    kai_pose* pose = &p->world->bodies.pose[p->slot[which]];
    const kai_pose before = *pose;
    const kai_vec3 v = kai_vec3_scale(kai_vec3_axis(k % 3), eps);
    move(pose, k < 3 ? v : kai_vec3_zero(), k < 3 ? kai_vec3_zero() : v);
    evaluate(p, 0.3, rows);
    *pose = before;
}

static void check_jacobian(const pair* p, uint64_t seed)
{
    const double eps = 1e-5;
    sample rows, plus, minus;
    if (p->kind->velocity_level) return;
    if (p->kind->bounded && seed % 200 == 0) return; // a limit that is not given has a huge g
    evaluate(p, 0.3, &rows);
    for (int which = 0; which < KAI_JOINT_ENDS; which++) {
        for (int k = 0; is_end(p, which) && k < 6; k++) {
            after(p, which, k, eps, &plus);
            after(p, which, k, -eps, &minus);
            for (int r = 0; r < rows_of(p); r++) {
                const double* factors = (const double*)piece(p, &rows, r, which);
                const double slope = (plus.row[r].g - minus.row[r].g) / (2.0 * eps);
                if (fabs(factors[k] - slope) < 1e-8) continue; // eps² = 1e-10, rounding 1e-11
                fail_msg("%s: row %d, body %d, velocity %d: factor %.12g, but g changes by %.12g",
                         p->kind->kind.name, r, which, k, factors[k], slope);
            }
        }
    }
}

static void test_rows_are_derivatives(void** state) { for_every_kind(check_jacobian, 0.1); }

static void check_time(const pair* p, uint64_t seed)
{
    (void)seed;
    const double eps = 1e-5;
    sample rows, plus, minus;
    if (p->kind->velocity_level) return;
    evaluate(p, 0.3, &rows);
    evaluate(p, 0.3 + eps, &plus);
    evaluate(p, 0.3 - eps, &minus);
    for (int r = 0; r < rows_of(p); r++) {
        const double slope = (plus.row[r].g - minus.row[r].g) / (2.0 * eps);
        expect(p, fabs(rows.row[r].gt - slope) < 1e-8);
        expect(p, rows.row[r].gt == 0.0 || p->kind->driven);
    }
}

static void test_time_derivatives(void** state) { for_every_kind(check_time, 0.1); }

/// dg/dt is linear in velocities: factors do not depend on them.
static void check_linear(const pair* p, uint64_t seed)
{
    sample rows, moving;
    evaluate(p, 0.3, &rows);
    for (uint64_t k = 0; k < KAI_JOINT_ENDS; k++) {
        if (!is_end(p, (int)k)) continue;
        p->world->bodies.motion[p->slot[k]].velocity = helper_random_vec3(seed + 30 + k);
        p->world->bodies.motion[p->slot[k]].spin = helper_random_vec3(seed + 36 + k);
    }
    evaluate(p, 0.3, &moving);
    expect(p, memcmp(&rows, &moving, sizeof rows) == 0);
}

static void test_rows_do_not_depend_on_velocities(void** state)
{
    for_every_kind(check_linear, 0.1);
}

static void check_assembled(const pair* p, uint64_t seed)
{
    double violation;
    if (seed % 200) return;      // optional parameters may ask for another position
    if (p->kind->driven) return; // and so do values that are not zero at t = 0
    check_ok(kai_joint_violation(p->world, p->joint, &violation));
    expect(p, violation < 1e-12);
}

static void test_joints_hold_at_creation(void** state) { for_every_kind(check_assembled, 0.0); }

static void check_reaction(const pair* p, uint64_t seed)
{
    (void)seed;
    sample rows;
    if (p->kind->grounded && !is_end(p, 2)) return; // the rest goes into the ground
    evaluate(p, 0.3, &rows);
    for (int r = 0; r < rows_of(p); r++) {
        kai_vec3 force = kai_vec3_zero(), torque = kai_vec3_zero(); // about the origin
        for (int k = 0; k < KAI_JOINT_ENDS; k++) {
            if (!is_end(p, k)) continue;
            const kai_wrench* w = piece(p, &rows, r, k);
            const kai_pose* pose = &p->world->bodies.pose[p->slot[k]];
            force = kai_vec3_add(force, w->force);
            torque = kai_vec3_add(torque, kai_vec3_cross(pose->position, w->force));
            torque = kai_vec3_add(torque, kai_quat_rotate(pose->rotation, w->torque));
        }
        expect(p, kai_vec3_norm(force) < 1e-13);
        expect(p, kai_vec3_norm(torque) < 1e-12);
    }
}

static void test_action_equals_reaction(void** state) { for_every_kind(check_reaction, 0.1); }

/// A motion of both bodies as one changes neither g nor the factors as the bodies see them.
static void check_invariance(const pair* p, uint64_t seed)
{
    sample rows, moved;
    if (p->kind->grounded && !is_end(p, 2)) return; // refers to axes of the world
    evaluate(p, 0.3, &rows);
    const kai_frame motion =
        kai_frame_make(helper_random_vec3(seed + 40), helper_random_rotation(seed + 41));
    for (int k = 0; k < KAI_JOINT_ENDS; k++) {
        if (!is_end(p, k)) continue;
        kai_pose* pose = &p->world->bodies.pose[p->slot[k]];
        pose->position = kai_frame_point_to_parent(motion, pose->position);
        pose->rotation = kai_quat_mul(motion.rotation, pose->rotation);
    }
    evaluate(p, 0.3, &moved);
    for (int r = 0; r < rows_of(p); r++) {
        expect(p, fabs(rows.row[r].g - moved.row[r].g) < 1e-12);
        for (int k = 0; k < KAI_JOINT_ENDS; k++) {
            if (!is_end(p, k)) continue;
            const kai_wrench *w = piece(p, &rows, r, k), *m = piece(p, &moved, r, k);
            const kai_vec3 turned = kai_quat_rotate(motion.rotation, w->force);
            expect(p, kai_vec3_distance(turned, m->force) < 1e-12);
            expect(p, kai_vec3_distance(w->torque, m->torque) < 1e-12);
        }
    }
}

static void test_rigid_motion_changes_nothing(void** state)
{
    for_every_kind(check_invariance, 0.1);
}

/// Entry (r, c) of G M⁻¹ Gᵀ of the bodies from `first` on.
static double coupling(const pair* p, const sample* s, int r, int c, int first)
{
    double sum = 0.0;
    for (int k = first; k < KAI_JOINT_ENDS; k++) {
        if (!is_end(p, k)) continue;
        const kai_bodies_mass* m = kai_bodies_mass_of(&p->world->bodies, p->slot[k]);
        const double inverse[6] = {m->inverse_mass,      m->inverse_mass,
                                   m->inverse_mass,      m->inverse_moments.x,
                                   m->inverse_moments.y, m->inverse_moments.z};
        const double* x = (const double*)piece(p, s, r, k);
        const double* y = (const double*)piece(p, s, c, k);
        for (int i = 0; i < 6; i++) sum += x[i] * y[i] * inverse[i];
    }
    return sum;
}

/// G M⁻¹ Gᵀ, made to have ones on its diagonal, is well away from singular.
static void check_rank(const pair* p, int first)
{
    enum { N = KAI_JOINT_ROWS };
    sample rows;
    double a[N * N], scale[N];
    evaluate(p, 0.3, &rows);
    const int n = rows_of(p);
    for (int r = 0; r < n; r++) scale[r] = 1.0 / sqrt(coupling(p, &rows, r, r, first));
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++)
            a[N * r + c] = scale[r] * scale[c] * coupling(p, &rows, r, c, first);
    expect(p, kai_dense_cholesky(n, a, N));
    for (int r = 0; r < n; r++) expect(p, a[N * r + r] > 1e-3);
}

static void check_independent(const pair* p, uint64_t seed)
{
    (void)seed;
    if (p->kind->bounded) return; // of two limits only one holds at a time
    check_rank(p, 0);             // both bodies move
    check_rank(p, 1);             // a is fixed
}

static void test_rows_are_independent(void** state) { for_every_kind(check_independent, 0.1); }

// Parameters -------------------------------------------------------------------------------------

/// Puts x into every number of a parameter; false when it holds none.
static bool put_number(const kai_param* p, char* instance, double x)
{
    char* field = instance + p->offset;
    switch (p->type) {
    case KAI_PARAM_INT: *(int64_t*)field = isfinite(x) ? (int64_t)x : 0; return isfinite(x);
    case KAI_PARAM_VALUE: *(kai_value*)field = kai_value_constant(x); return true;
    case KAI_PARAM_REAL: *(double*)field = x; return true;
    case KAI_PARAM_VEC3:
        for (size_t k = 0; k < 3 * kai_kind_repeats(p); k++) ((double*)field)[k] = x;
        return true;
    default: return false;
    }
}

static void check_refused(const pair* p, const kai_param* param, const void* good, double x)
{
    _Alignas(64) char bad[LARGEST];
    kai_joint joint;
    memcpy(bad, good, p->kind->kind.size);
    if (!put_number(param, bad, x)) return;
    const size_t before = kai_joint_count(p->world);
    const kai_result r = kai_joint_create(p->world, p->kind, bad, "", &joint);
    const char* message = kai_world_error(p->world)->message;
    if (r != KAI_ERROR_ARGUMENT || kai_joint_count(p->world) != before)
        fail_msg("%s: %s = %g was not refused", p->kind->kind.name, param->name, x);
    if (!strstr(message, param->name))
        fail_msg("%s: the message does not name %s: %s", p->kind->kind.name, param->name, message);
}

static void test_parameters_keep_to_their_ranges(void** state)
{
    _Alignas(64) char good[LARGEST];
    const size_t kinds = kind_count();
    for (size_t b = 0; b < kinds; b++) {
        kai_world* world = make_world(1);
        const pair p = make_pair(world, b, 0, false);
        const kai_body body[2] = {kai_bodies_id(&world->bodies, p.slot[0]),
                                  kai_bodies_id(&world->bodies, p.slot[1])};
        fill(world, p.kind, body, 0, false, good);
        for (size_t i = 0; i < p.kind->kind.param_count; i++) {
            const kai_param* param = &p.kind->kind.params[i];
            if (param->hidden) continue;
            check_refused(&p, param, good, HUGE_VAL);
            if (param->range.bounded) check_refused(&p, param, good, param->range.min - 1.0);
            if (param->range.bounded && isfinite(param->range.max))
                check_refused(&p, param, good, param->range.max + 1.0);
        }
        kai_world_destroy(world);
    }
}

static void test_two_bodies_are_needed(void** state)
{
    _Alignas(64) char instance[LARGEST];
    const size_t kinds = kind_count();
    for (size_t b = 0; b < kinds; b++) {
        kai_world* world = make_world(1);
        const kai_joint_kind* kind = kind_at(world, b);
        if (kind->frameless) { // its bodies come from elsewhere
            kai_world_destroy(world);
            continue;
        }
        const kai_body body = make_body(world, 0), none = {0};
        const kai_body same[2] = {body, body}, half[2] = {body, none};
        kai_joint joint;
        fill(world, kind, same, 0, false, instance);
        check_error(kai_joint_create(world, kind, instance, "", &joint), KAI_ERROR_ARGUMENT);
        fill(world, kind, half, 0, false, instance);
        assert_int_not_equal(kai_joint_create(world, kind, instance, "", &joint), KAI_OK);
        assert_int_equal(kai_joint_count(world), 0);
        kai_world_destroy(world);
    }
}

/// Rules that ranges cannot say: each line spoils an instance that is right otherwise.
static void test_rules_across_parameters(void** state)
{
    kai_world* world = make_world(1);
    const kai_body body[2] = {make_body(world, 0), make_body(world, 5)};
    static const double twice[] = {0, 0, 0, 1, 0, 0, 1, 0, 0, 2, 1, 0};
    _Alignas(64) char instance[LARGEST];
    kai_joint joint;
#define REFUSED(kind_, type, spoil)                                                             \
    do {                                                                                        \
        type* p = (type*)(void*)instance;                                                       \
        fill(world, &kind_, body, 0, false, instance);                                          \
        check_ok(kai_joint_create(world, &kind_, instance, "", &joint));                        \
        spoil;                                                                                  \
        check_error(kai_joint_create(world, &kind_, instance, "", &joint), KAI_ERROR_ARGUMENT); \
    } while (0)
    REFUSED(kai_joint_screw, kai_joint_screw_params, p->pitch = 0.0);
    REFUSED(kai_joint_gear, kai_joint_gear_params, p->ratio = 0.0);
    REFUSED(kai_joint_bevel_gear, kai_joint_gear_params, p->ratio = 0.0);
    REFUSED(kai_joint_bevel_gear, kai_joint_gear_params, p->axis2 = kai_vec3_zero());
    REFUSED(kai_joint_rack_pinion, kai_joint_rack_pinion_params, p->radius = 0.0);
    REFUSED(kai_joint_rack_pinion, kai_joint_rack_pinion_params, p->direction = kai_vec3_zero());
    REFUSED(kai_joint_revolute_translational, kai_joint_revolute_translational_params,
            p->axis2 = kai_vec3_add(p->axis2, p->base.axis));
    REFUSED(kai_joint_constant_velocity, kai_joint_constant_velocity_params,
            p->axis2 = kai_vec3_neg(p->base.axis));
    REFUSED(kai_joint_point_on_curve, kai_joint_point_on_curve_params,
            (p->curve.data = twice, p->curve.rows = 4));
    REFUSED(kai_joint_point_on_curve, kai_joint_point_on_curve_params,
            (p->closed = true, p->curve.rows = 2));
    static const int32_t all[] = {0, 1, 2, 3, 4, 5}, double_x[] = {0, 0};
    REFUSED(kai_joint_imposed_motion, kai_joint_imposed_motion_params,
            for (int k = 0; k < 6; k++) p->value[k] = kai_value_constant((double)NAN));
    REFUSED(kai_joint_generic, kai_joint_generic_params, p->free.count = 0);
    REFUSED(kai_joint_generic, kai_joint_generic_params, (p->free.count = 0, p->mask = 64));
    REFUSED(kai_joint_generic, kai_joint_generic_params, p->locked = p->free);
    REFUSED(kai_joint_generic, kai_joint_generic_params, (p->free = (kai_list){all, 6}));
    REFUSED(kai_joint_generic, kai_joint_generic_params, (p->free = (kai_list){double_x, 2}));
#undef REFUSED
    kai_world_destroy(world);
}

// Threads ----------------------------------------------------------------------------------------

static uint64_t hash_after(size_t b, int threads)
{
    kai_world* world = make_world(threads);
    for (uint64_t i = 0; i < 200; i++) make_pair(world, b, 1000 + 50 * i, false);
    for (int i = 0; i < 3; i++)
        if (kai_world_step(world, 1e-3) != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
    const uint64_t hash = kai_world_hash(world);
    kai_world_destroy(world);
    return hash;
}

static void test_threads_change_nothing(void** state)
{
    const size_t kinds = kind_count();
    for (size_t b = 0; b < kinds; b++) {
        const uint64_t one = hash_after(b, 1);
        assert_true(one == hash_after(b, 2));
        assert_true(one == hash_after(b, 7));
    }
}

// Files ------------------------------------------------------------------------------------------

/// A world read back goes on with the same bits as the one that was written.
static void test_files_keep_joints(void** state)
{
    const size_t kinds = kind_count();
    char path[64];
    snprintf(path, sizeof path, "joints-%d.h5", (int)getpid());
    for (size_t b = 0; b < kinds; b++) {
        kai_world *world = make_world(1), *back = NULL;
        for (uint64_t i = 0; i < 4; i++) make_pair(world, b, 1000 + 50 * i, i % 2);
        check_ok(kai_world_step(world, 1e-3));
        check_ok(kai_world_save(world, path));
        kai_world_def def = kai_world_def_default();
        def.kinds.joints = OWN_KINDS;
        kai_error err = {0};
        if (kai_world_load(&def, path, &back, &err) != KAI_OK) fail_msg("%s", err.message);
        assert_true(kai_world_hash(world) == kai_world_hash(back));
        for (int i = 0; i < 3; i++) {
            check_ok(kai_world_step(world, 1e-3));
            check_ok(kai_world_step(back, 1e-3));
        }
        if (kai_world_hash(world) != kai_world_hash(back))
            fail_msg("%s: not the same after a file", kind_at(world, b)->kind.name);
        kai_world_destroy(world);
        kai_world_destroy(back);
    }
    assert_int_equal(unlink(path), 0);
}

// Generic joints ---------------------------------------------------------------------------------

/// Every choice of degrees of freedom: rows are independent, and those of the lists are those of the mask.
static void test_every_mask_of_generic(void** state)
{
    for (int64_t mask = 1; mask < 64; mask++) {
        kai_world* world = make_world(1);
        const kai_body body[2] = {make_body(world, 0), make_body(world, 5)};
        pair p = {.world = world, .kind = &kai_joint_generic, .slot = {0, 1}};
        kai_joint_generic_params params;
        int32_t locked[6];
        int count = 0;
        fill(world, p.kind, body, 0, false, &params);
        params.free.count = 0;
        params.mask = mask;
        check_ok(kai_joint_create(world, p.kind, &params, "", &p.joint));
        check_ok(kai_joint_get(world, p.joint, NULL, &p.instance));
        for (int32_t i = 0; i < 6; i++)
            if ((mask >> i) & 1) locked[count++] = i;
        assert_int_equal(rows_of(&p), count);
        disturb(&p, 7, 0.1);
        check_independent(&p, 0);
        check_jacobian(&p, 100);
        check_reaction(&p, 0);
        params.mask = 0;
        params.locked = (kai_list){locked, (uint32_t)count};
        check_ok(kai_joint_create(world, p.kind, &params, "", &p.joint));
        check_ok(kai_joint_get(world, p.joint, NULL, &p.instance));
        assert_int_equal(((const kai_joint_generic_params*)p.instance)->mask, mask);
        kai_world_destroy(world);
    }
}

/// The masks of named joints have their rows.
static void test_generic_is_the_named_joint(void** state)
{
    const struct {
        const kai_joint_kind* kind;
        int64_t mask;
    } cases[] = {{&kai_joint_fixed, 63},  {&kai_joint_revolute, 31}, {&kai_joint_cylindrical, 27},
                 {&kai_joint_planar, 28}, {&kai_joint_spherical, 7}, {&kai_joint_parallel, 24}};
    for (size_t i = 0; i < KAI_COUNT(cases); i++) {
        kai_world* world = make_world(1);
        const kai_body body[2] = {make_body(world, 0), make_body(world, 5)};
        pair p = {.world = world, .kind = &kai_joint_generic, .slot = {0, 1}};
        pair q = {.world = world, .kind = cases[i].kind, .slot = {0, 1}};
        kai_joint_generic_params params;
        sample rows, named;
        fill(world, p.kind, body, 0, false, &params);
        params.free.count = 0;
        params.mask = cases[i].mask;
        check_ok(kai_joint_create(world, p.kind, &params, "", &p.joint));
        check_ok(kai_joint_create(world, q.kind, &params.base, "", &q.joint));
        check_ok(kai_joint_get(world, p.joint, NULL, &p.instance));
        check_ok(kai_joint_get(world, q.joint, NULL, &q.instance));
        disturb(&p, 7, 0.1);
        evaluate(&p, 0.0, &rows);
        evaluate(&q, 0.0, &named);
        assert_int_equal(rows_of(&p), q.kind->rows);
        for (int r = 0; r < q.kind->rows; r++) {
            expect(&q, rows.row[r].g == named.row[r].g);
            assert_memory_equal(&rows.row[r].a, &named.row[r].a, sizeof(kai_wrench));
            assert_memory_equal(&rows.row[r].b, &named.row[r].b, sizeof(kai_wrench));
        }
        kai_world_destroy(world);
    }
}

// The spline of point-on-curve -------------------------------------------------------------------

/// How far x is from a curve: the length of the two rows with b's point at x.
static double off_curve(const kai_table* curve, bool closed, kai_vec3 x)
{
    kai_world* world = make_world(1);
    const kai_body body[2] = {make_body(world, 0), make_body(world, 5)};
    pair one = {.world = world, .kind = &kai_joint_point_on_curve, .slot = {0, 1}};
    kai_joint_point_on_curve_params p;
    sample rows;
    kai_kind_defaults(&kai_joint_point_on_curve.kind, &p);
    memcpy(p.base.bodies, body, sizeof body);
    p.base.at = x;
    p.curve = *curve;
    p.closed = closed;
    check_ok(kai_joint_create(world, one.kind, &p, "", &one.joint));
    check_ok(kai_joint_get(world, one.joint, NULL, &one.instance));
    evaluate(&one, 0.0, &rows);
    kai_world_destroy(world);
    return hypot(rows.row[0].g, rows.row[1].g);
}

static void test_curve_follows_a_circle(void** state)
{
    enum { N = 32 };
    double data[3 * N];
    const double h = 2.0 * KAI_PI / N;
    for (int i = 0; i < N; i++) {
        data[3 * i] = 2.0 + cos(h * i);
        data[3 * i + 1] = 1.0;
        data[3 * i + 2] = sin(h * i);
    }
    const kai_table circle = {.data = data, .rows = N, .columns = 3};
    for (int i = -3; i < N; i++) {
        const kai_vec3 knot = kai_vec3_make(2.0 + cos(h * i), 1.0, sin(h * i));
        const double a = h * (i + 0.5);
        const kai_vec3 middle = kai_vec3_make(2.0 + cos(a), 1.0, sin(a));
        check_near(off_curve(&circle, true, knot), 0.0, 1e-14, "goes through its points");
        check_near(off_curve(&circle, true, middle), h * h * h * h / 384.0, 1e-7,
                   "the cubic spline is off by h⁴/384 c'''' at the middle");
    }
}

static void test_open_curve_is_the_natural_spline(void** state)
{
    // Through y = 0, 0, 1, 0 at x = 0, 1, 2, 3: 4 M1 + M2 = 6, M1 + 4 M2 = -12, so M1 = 2.4 and
    // M2 = -3.6. At x = 1.5: y = 1/2 - (M1 + M2)/16.
    static const double data[] = {0, 0, 0, 1, 0, 0, 2, 1, 0, 3, 0, 0};
    const kai_table t = {.data = data, .rows = 4, .columns = 3};
    check_near(off_curve(&t, false, kai_vec3_make(1.5, 0.575, 0.0)), 0.0, 1e-14, "by hand");
    // Beyond the end it goes on straight; the slope at 3 is -1 + M2/6.
    check_near(off_curve(&t, false, kai_vec3_make(4.0, -1.6, 0.0)), 0.0, 1e-14, "by hand");
    // Two points are a line.
    const kai_table line = {.data = data + 3, .rows = 2, .columns = 3};
    check_near(off_curve(&line, false, kai_vec3_make(-3.0, -4.0, 0.5)), 0.5, 1e-14, "a line");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_derivatives),
        cmocka_unit_test(test_time_derivatives),
        cmocka_unit_test(test_rows_do_not_depend_on_velocities),
        cmocka_unit_test(test_joints_hold_at_creation),
        cmocka_unit_test(test_action_equals_reaction),
        cmocka_unit_test(test_rigid_motion_changes_nothing),
        cmocka_unit_test(test_rows_are_independent),
        cmocka_unit_test(test_parameters_keep_to_their_ranges),
        cmocka_unit_test(test_two_bodies_are_needed),
        cmocka_unit_test(test_rules_across_parameters),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_files_keep_joints),
        cmocka_unit_test(test_every_mask_of_generic),
        cmocka_unit_test(test_generic_is_the_named_joint),
        cmocka_unit_test(test_curve_follows_a_circle),
        cmocka_unit_test(test_open_curve_is_the_natural_spline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
