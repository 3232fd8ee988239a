// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Samplers: lattices by their neighbours, Poisson disks by their distances, domains by depth.
#include "fixture.h"
#include "model/shape.h"
#include "model/world.h"

#include <kairos/random.h>
#include <kairos/sampler.h>

static const double R = 0.01; // of balls

typedef struct domain {
    kai_shape_box_params box;
    kai_shape_sphere_params sphere;
    kai_shape_round_params round;
    kai_sampler_domain value;
} domain;

static domain box_of(double x, double y, double z)
{
    domain d = {.box = {{x, y, z}}, .value = kai_sampler_domain_default()};
    d.value.shape = &kai_shape_box;
    return d;
}

static kai_sampler_points* fill(fixture* f, const kai_sampler_kind* kind, const void* params,
                                domain* d)
{
    d->value.params = d->value.shape == &kai_shape_box      ? (const void*)&d->box
                      : d->value.shape == &kai_shape_sphere ? (const void*)&d->sphere
                                                            : (const void*)&d->round;
    kai_sampler_points* points = NULL;
    if (kai_sampler_sample(f->world, kind, params, &d->value, R, &points) != KAI_OK)
        fail_msg("%s", kai_world_error(f->world)->message);
    return points;
}

static kai_vec3 place(const kai_particle_table* t, size_t i)
{
    return kai_vec3_make(t->x[i], t->y[i], t->z[i]);
}

/// The least distance of two points, and how many have `most` others at no more than 1.001 of it.
static double nearest(const kai_particle_table* t, size_t wanted, size_t* having)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < t->count; i++)
        for (size_t j = 0; j < i; j++)
            least = fmin(least, kai_vec3_distance(place(t, i), place(t, j)));
    *having = 0;
    for (size_t i = 0; i < t->count; i++) {
        size_t near = 0;
        for (size_t j = 0; j < t->count; j++)
            near += j != i && kai_vec3_distance(place(t, i), place(t, j)) < 1.001 * least;
        *having += near == wanted;
    }
    return least;
}

static void grids_fill_boxes(void** state)
{
    fixture f;
    fixture_start(&f);
    domain d = box_of(0.1, 0.06, 0.02);
    kai_sampler_lattice_params p = {0.0};
    kai_sampler_points* points = fill(&f, &kai_sampler_grid, &p, &d);
    kai_particle_table t = kai_sampler_table(points);
    assert_int_equal(t.count, 5 * 3 * 1);
    assert_null(t.radius);
    check_near(t.x[0], -0.04, 1e-15, "the first lies at the wall");
    check_near(t.y[0], -0.02, 1e-15, "likewise");
    check_near(t.z[0], 0.0, 1e-15, "one layer lies in the middle");
    kai_sampler_free(points);
    // Wider, moved and turned: x becomes y.
    p.spacing = 0.03;
    d.value.at = kai_vec3_make(1.0, 2.0, 3.0);
    d.value.rotation = kai_quat_from_axis_angle(kai_vec3_axis(2), 0.5 * KAI_PI);
    points = fill(&f, &kai_sampler_grid, &p, &d);
    t = kai_sampler_table(points);
    assert_int_equal(t.count, 3 * 2);
    check_near(t.x[0], 0.985, 1e-12, "x");
    check_near(t.y[0], 1.97, 1e-12, "y");
    check_near(t.z[0], 3.0, 1e-12, "z");
    kai_sampler_free(points);
    fixture_finish(&f);
}

static void close_packings_have_twelve_neighbours(void** state)
{
    fixture f;
    fixture_start(&f);
    domain d = box_of(0.2, 0.2, 0.2);
    const kai_sampler_lattice_params p = {0.0};
    kai_sampler_points* points = fill(&f, &kai_sampler_hcp, &p, &d);
    const kai_particle_table t = kai_sampler_table(points);
    size_t inner;
    check_near(nearest(&t, 12, &inner), 2.0 * R, 1e-12, "neighbours touch");
    // All but those at the six walls: more than the (10 - 2.5)³ of a grid in what is left.
    assert_true(inner > 420);
    // The share that is filled, π/√18 less what is lost at the walls: of the box that centres span,
    // plus one spacing of the lattice along each axis, all but nothing.
    kai_vec3 low = place(&t, 0), high = low;
    for (size_t i = 0; i < t.count; i++) {
        low = kai_vec3_make(fmin(low.x, t.x[i]), fmin(low.y, t.y[i]), fmin(low.z, t.z[i]));
        high = kai_vec3_make(fmax(high.x, t.x[i]), fmax(high.y, t.y[i]), fmax(high.z, t.z[i]));
    }
    const double a = 2.0 * R, v = (high.x - low.x + 0.5 * a) * (high.y - low.y + 0.5774 * a) *
                                  (high.z - low.z + 0.8165 * a);
    check_near((double)t.count * 4.0 / 3.0 * KAI_PI * R * R * R / v, 0.7405, 0.03, "share filled");
    kai_sampler_free(points);
    fixture_finish(&f);
}

static void disks_keep_their_distance_and_fill(void** state)
{
    fixture f;
    fixture_start(&f);
    domain d = {.sphere = {0.12}, .value = kai_sampler_domain_default()};
    d.value.shape = &kai_shape_sphere;
    kai_sampler_poisson_disk_params p;
    kai_kind_defaults(&kai_sampler_poisson_disk.kind, &p);
    p.distance = 0.025;
    p.seed = 7;
    kai_sampler_points* points = fill(&f, &kai_sampler_poisson_disk, &p, &d);
    const kai_particle_table t = kai_sampler_table(points);
    size_t unused;
    assert_true(nearest(&t, 0, &unused) >= p.distance);
    for (size_t i = 0; i < t.count; i++)
        assert_true(kai_vec3_norm(place(&t, i)) <= 0.12 - R + 1e-11);
    // Hardly one more fits: of random places few are 0.025 m away from all others.
    int free_places = 0;
    for (uint64_t k = 0; k < 2000; k++) {
        const double r = 0.11 * cbrt(kai_random_uniform(1, 2, k));
        const kai_vec3 x = kai_vec3_scale(kai_random_direction(1, 3, k), r);
        bool near = false;
        for (size_t i = 0; i < t.count && !near; i++)
            near = kai_vec3_distance(place(&t, i), x) < p.distance;
        free_places += !near;
    }
    assert_true(free_places < 20);
    // The same seed gives the same points, another one others.
    kai_sampler_points* again = fill(&f, &kai_sampler_poisson_disk, &p, &d);
    kai_particle_table s = kai_sampler_table(again);
    assert_int_equal(s.count, t.count);
    assert_memory_equal(s.x, t.x, t.count * sizeof *t.x);
    kai_sampler_free(again);
    p.seed = 8;
    again = fill(&f, &kai_sampler_poisson_disk, &p, &d);
    s = kai_sampler_table(again);
    assert_true(s.x[0] != t.x[0]);
    kai_sampler_free(again);
    kai_sampler_free(points);
    fixture_finish(&f);
}

/// Depth is the distance to the surface: no shorter step leaves the shape, and one of that length
/// does; and the share of points inside of a box is that of the volumes.
static void check_depth(const kai_shape_kind* kind, const void* params)
{
    kai_mass_properties mass;
    check_ok(kai_shape_mass(kind, params, 0.0, &mass, NULL));
    const kai_mat33 straight = kai_mat33_identity();
    kai_vec3 centre, half;
    kind->bounds(params, &straight, &centre, &half);
    int inside = 0;
    const int tries = 4000;
    for (uint64_t k = 0; k < (uint64_t)tries; k++) {
        const kai_vec3 u = kai_vec3_make(2.0 * kai_random_uniform(3, 0, k) - 1.0,
                                         2.0 * kai_random_uniform(3, 1, k) - 1.0,
                                         2.0 * kai_random_uniform(3, 2, k) - 1.0);
        const kai_vec3 x = kai_vec3_make(centre.x + u.x * half.x, centre.y + u.y * half.y,
                                         centre.z + u.z * half.z);
        const double depth = kind->depth(params, x);
        if (depth < 0.0) continue;
        inside++;
        double out = HUGE_VAL; // the deepest that a step of that length leads outside
        for (uint64_t i = 0; i < 200; i++) {
            const kai_vec3 to =
                kai_vec3_add(x, kai_vec3_scale(kai_random_direction(4, 0, i), depth));
            out = fmin(out, kind->depth(params, to));
        }
        assert_true(out >= -1e-12);                     // none leaves
        assert_true(out <= 0.1 * fmax(half.x, half.z)); // one comes near to the surface
    }
    const double share = mass.mass / (8.0 * half.x * half.y * half.z);
    check_near((double)inside / tries, share, 4.0 * sqrt(0.25 / tries), kind->kind.name);
}

static void domains_know_how_deep_points_are(void** state)
{
    const kai_shape_box_params box = {{1.0, 2.0, 3.0}};
    const kai_shape_sphere_params sphere = {0.7};
    const kai_shape_round_params round = {0.5, 1.4};
    check_depth(&kai_shape_box, &box);
    check_depth(&kai_shape_sphere, &sphere);
    check_depth(&kai_shape_cylinder, &round);
    check_depth(&kai_shape_capsule, &round);
    check_depth(&kai_shape_cone, &round);
    check_near(kai_shape_cone.depth(&round, kai_vec3_make(0.0, 0.0, -0.7)), 0.0, 1e-15, "base");
    check_near(kai_shape_cone.depth(&round, kai_vec3_make(0.25, 0.0, 0.0)), 0.0, 1e-15, "side");
}

static void balls_hold_their_shapes(void** state)
{
    fixture f;
    fixture_start(&f);
    double r = 0.0;
    const kai_shape_sphere_params sphere = {0.7};
    const kai_shape_box_params box = {{2.0, 4.0, 4.0}};
    const kai_shape_plane_params plane = {{0.0, 0.0, 1.0}};
    kai_shape_def def = kai_shape_def_default();
    def.radius_margin = 0.1;
    check_ok(kai_sampler_ball(f.world, &kai_shape_sphere, &sphere, &def, &r));
    check_near(r, 0.8, 1e-15, "sphere and margin");
    def.at = kai_vec3_make(0.0, 1.0, 0.0);
    check_ok(kai_sampler_ball(f.world, &kai_shape_box, &box, &def, &r));
    check_near(r, 3.0 + 0.1 + 1.0, 1e-15, "half the diagonal");
    check_error(kai_sampler_ball(f.world, &kai_shape_plane, &plane, &def, &r), KAI_ERROR_ARGUMENT);
    assert_string_equal(kai_world_error(f.world)->message,
                        "kai_sampler_ball: a plane has no end, so no sampler can place particles "
                        "of it");
    fixture_finish(&f);
}

// A kind of one's own ----------------------------------------------------------------------------

typedef struct pair {
    double second; // radius of the second of two points
    double at;
} pair;

static const kai_param PAIR_PARAMS[] = {
    KAI_PARAM(REAL, pair, second, .unit = "m", .doc = "Radius of the second."),
    KAI_PARAM(REAL, pair, at, .unit = "m", .initial = {0.03}, .doc = "Where it lies."),
};

static kai_result sample_pair(const kai_sampler_view* view, kai_error* err)
{
    const pair* p = view->instance;
    const kai_sampler_point first = {.position = kai_vec3_zero()},
                            second = {.position = {p->at, 0.0, 0.0}, .radius = p->second};
    assert_true(kai_sampler_fits(view, kai_vec3_zero(), 0.0));
    assert_false(kai_sampler_fits(view, kai_vec3_zero(), 1.0));
    KAI_TRY(kai_sampler_add(view, &first, err));
    KAI_TRY(kai_sampler_add(view, &second, err));
    check_near(kai_sampler_at(view, 0).radius, view->radius, 0.0, "the usual radius");
    check_near(kai_sampler_at(view, 99).radius, 0.0, 0.0, "out of range");
    return kai_sampler_count(view) == 2 ? KAI_OK : KAI_ERROR_LIMIT;
}

static const kai_sampler_kind PAIR = {
    .kind = KAI_KIND("pair", pair, PAIR_PARAMS, KAI_SIZES(kai_sampler_kind), .doc = "Two points."),
    .sample = sample_pair};

static void check_refused(fixture* f, const pair* p, domain* d, double radius, kai_result code,
                          const char* message)
{
    kai_sampler_points* points = NULL;
    d->value.params = &d->box;
    check_error(kai_sampler_sample(f->world, &PAIR, p, &d->value, radius, &points), code);
    assert_null(points);
    assert_string_equal(kai_world_error(f->world)->message, message);
}

static void kinds_of_ones_own(void** state)
{
    fixture f;
    fixture_start(&f);
    domain d = box_of(0.1, 0.1, 0.1);
    pair p = {.second = 0.005, .at = 0.03};
    check_refused(&f, &p, &d, R, KAI_ERROR_ARGUMENT,
                  "kai_sampler_sample: sampler kind 'pair' is not registered in this world");
    check_ok(kai_sampler_register(f.world, &PAIR));
    check_error(kai_sampler_register(f.world, &PAIR), KAI_ERROR_NAME);
    kai_sampler_kind bad = PAIR;
    bad.sample = NULL;
    check_error(kai_sampler_register(f.world, &bad), KAI_ERROR_ARGUMENT);
    kai_sampler_points* points = fill(&f, &PAIR, &p, &d);
    const kai_particle_table t = kai_sampler_table(points);
    assert_int_equal(t.count, 2);
    check_near(t.radius[0], R, 0.0, "radius");
    check_near(t.radius[1], 0.005, 0.0, "radius");
    // They are particles.
    kai_particles_def def = kai_particles_def_default();
    const kai_shape_sphere_params ball = {R};
    kai_particles group;
    def.shape = &kai_shape_sphere;
    def.shape_params = &ball;
    def.density = 1000.0;
    def.table = t;
    check_ok(kai_particles_create(f.world, &def, &group));
    assert_int_equal(kai_particles_count(f.world, group), 2);
    kai_sampler_free(points);

    p.at = 1.0; // outside of the domain: left out
    check_refused(&f, &p, &d, R, KAI_ERROR_LIMIT,
                  "kai_sampler_sample: sampler pair: sample() gives no reason");
    p.at = (double)INFINITY;
    check_refused(&f, &p, &d, R, KAI_ERROR_ARGUMENT,
                  "kai_sampler_sample: pair: at is inf m; must be finite");
    p = (pair){.second = -1.0, .at = 0.0};
    check_refused(&f, &p, &d, R, KAI_ERROR_ARGUMENT,
                  "kai_sampler_sample: sampler pair: point 1 is at [0, 0, 0] m with a radius of -1 "
                  "m; must be finite, and the radius >= 0");
    check_refused(&f, &p, &d, -R, KAI_ERROR_ARGUMENT,
                  "kai_sampler_sample: radius is -0.01 m; must be > 0 and finite");
    fixture_finish(&f);
}

static void sizes_are_multiplied_out_first(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_sampler_kind* const kinds[] = {&kai_sampler_grid, &kai_sampler_hcp,
                                             &kai_sampler_poisson_disk};
    domain d = box_of(1e6, 1e6, 1e6);
    d.value.params = &d.box;
    kai_sampler_points* points = NULL;
    for (size_t i = 0; i < KAI_COUNT(kinds); i++) {
        kai_sampler_poisson_disk_params p = {0}; // lattices see its first member
        p.attempts = 30;
        check_error(kai_sampler_sample(f.world, kinds[i], &p, &d.value, R, &points),
                    KAI_ERROR_LIMIT);
        assert_non_null(strstr(kai_world_error(f.world)->message, "the limit of memory is"));
    }
    d = box_of(1.0, 1.0, 1e-3); // flatter than a ball
    d.value.params = &d.box;
    const kai_sampler_lattice_params lattice = {0.0};
    check_error(kai_sampler_sample(f.world, &kai_sampler_hcp, &lattice, &d.value, R, &points),
                KAI_ERROR_ARGUMENT);
    assert_non_null(strstr(kai_world_error(f.world)->message, "no particle fits into the domain"));
    const kai_shape_plane_params plane = {{0.0, 0.0, 1.0}};
    d.value.shape = &kai_shape_plane;
    d.value.params = &plane;
    check_error(kai_sampler_sample(f.world, &kai_sampler_hcp, &lattice, &d.value, R, &points),
                KAI_ERROR_ARGUMENT);
    assert_string_equal(kai_world_error(f.world)->message,
                        "kai_sampler_sample: a plane cannot be a domain: its kind has no depth() "
                        "and bounds()");
    fixture_finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_fill_boxes),
        cmocka_unit_test(close_packings_have_twelve_neighbours),
        cmocka_unit_test(disks_keep_their_distance_and_fill),
        cmocka_unit_test(domains_know_how_deep_points_are),
        cmocka_unit_test(balls_hold_their_shapes),
        cmocka_unit_test(kinds_of_ones_own),
        cmocka_unit_test(sizes_are_multiplied_out_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
