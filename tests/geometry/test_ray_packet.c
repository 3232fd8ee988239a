// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Rays in packets against the same rays one by one, to the last bit.
#include "geometry/ray_packet.h"

#include "geometry/heightfield.h"
#include "geometry/meshes.h"

enum { PACKETS = 400 };

static helper_allocator counter;
static kai_memory memory;

static void set_up(void)
{
    counter = (helper_allocator){0};
    const kai_allocator allocator = helper_allocator_make(&counter);
    kai_memory_init(&memory, &allocator);
}

// A packet whose rays go from about one point into about one direction (spread 0: all alike), with
// idle lanes and short limits among them. Every third one aims at corners of the mesh.
static void make_packet(kai_ray_packet* p, uint64_t i, double spread, kai_vec3 away,
                        const kai_mesh* mesh)
{
    const kai_vec3 eye = kai_vec3_mul_add(away, helper_random_vec3(3 * i), 2.0);
    const kai_vec3 ahead = helper_random_direction(i);
    for (uint64_t l = 0; l < KAI_RAY_LANES; l++) {
        const uint64_t n = i * KAI_RAY_LANES + l;
        const kai_vec3 from = kai_vec3_mul_add(eye, helper_random_vec3(7 * n), spread);
        kai_vec3 d = kai_vec3_mul_add(ahead, helper_random_vec3(11 * n), spread);
        if (i % 5 == 0) d = kai_vec3_axis((int)(l % 3));
        if (mesh && i % 3 == 0) d = kai_vec3_sub(mesh->vertices[n % mesh->vertex_count], from);
        d = kai_vec3_normalize(d);
        for (int k = 0; k < 3; k++) {
            p->origin[k][l] = kai_vec3_get(from, k);
            p->direction[k][l] = kai_vec3_get(d, k);
        }
        p->limit[l] = n % 7 == 3 ? -1.0 : n % 11 == 5 ? 1.5 : HUGE_VAL;
    }
    kai_ray_packet_clear(p);
}

// Ray l alone, in lane `to` of an idle packet.
static void take_one(kai_ray_packet* out, const kai_ray_packet* p, int l, int to)
{
    *out = *p;
    for (int i = 0; i < KAI_RAY_LANES; i++) {
        for (int k = 0; k < 3; k++) {
            out->origin[k][i] = p->origin[k][l];
            out->direction[k][i] = p->direction[k][l];
        }
        out->limit[i] = i == to ? p->limit[l] : -1.0;
    }
    kai_ray_packet_clear(out);
}

static void check_lane(const kai_ray_packet* p, int l, double distance, uint64_t triangle)
{
    assert_true(p->distance[l] == distance);
    assert_int_equal(p->triangle[l], triangle);
}

static void check_mesh(const kai_mesh* mesh, double spread, kai_vec3 away)
{
    size_t met = 0;
    for (uint64_t i = 0; i < PACKETS; i++) {
        kai_ray_packet p, one;
        make_packet(&p, i, spread, away, mesh);
        kai_mesh_rays(mesh, &p);
        for (int l = 0; l < KAI_RAY_LANES; l++) {
            const kai_vec3 from = kai_vec3_make(p.origin[0][l], p.origin[1][l], p.origin[2][l]);
            const kai_vec3 d =
                kai_vec3_make(p.direction[0][l], p.direction[1][l], p.direction[2][l]);
            const kai_mesh_hit hit = kai_mesh_ray(mesh, from, d, p.limit[l]);
            check_lane(&p, l, hit.distance,
                       hit.triangle == KAI_MESH_NONE ? UINT64_MAX : hit.triangle);
            met += hit.triangle != KAI_MESH_NONE;
            if ((i + (uint64_t)l) % 13 != 0) continue;
            take_one(&one, &p, l, (l + 5) % KAI_RAY_LANES);
            kai_mesh_rays(mesh, &one);
            check_lane(&one, (l + 5) % KAI_RAY_LANES, hit.distance, p.triangle[l]);
        }
    }
    assert_true(met > PACKETS);
}

static void test_mesh(void** state)
{
    (void)state;
    set_up();
    soup s = soup_sphere(1.0, 24);
    kai_mesh mesh;
    kai_error err;
    check_ok(kai_mesh_build(&mesh, &memory, s.points, s.point_count,
                            (const uint32_t(*)[3])s.triangles, s.triangle_count, 0.0, &err));
    check_mesh(&mesh, 0.02, kai_vec3_zero());
    check_mesh(&mesh, 1.0, kai_vec3_zero());
    check_mesh(&mesh, 0.0, kai_vec3_zero());
    check_mesh(&mesh, 0.5, kai_vec3_make(3e5, -2e4, 1e3)); // from far: two of three rays miss
    kai_mesh_free(&mesh, &memory);
    soup_free(&s);
    assert_int_equal(counter.blocks, 0);
}

// Every ray to a corner of a closed mesh meets the mesh, at the corner or before.
static void test_corners(void** state)
{
    (void)state;
    set_up();
    soup s = soup_sphere(1.0, 16);
    kai_mesh mesh;
    kai_error err;
    check_ok(kai_mesh_build(&mesh, &memory, s.points, s.point_count,
                            (const uint32_t(*)[3])s.triangles, s.triangle_count, 0.0, &err));
    for (uint32_t v = 0; v < mesh.vertex_count; v++) {
        kai_ray_packet p;
        const kai_vec3 to = mesh.vertices[v];
        const kai_vec3 from = kai_vec3_scale(helper_random_direction(v), 0.3); // inside
        kai_ray_packet_one(&p, from, kai_vec3_sub(to, from), HUGE_VAL);
        kai_mesh_rays(&mesh, &p);
        check_near(p.distance[0], kai_vec3_distance(from, to), 1e-14, "the corner");
    }
    kai_mesh_free(&mesh, &memory);
    soup_free(&s);
}

static void test_field(void** state)
{
    (void)state;
    set_up();
    enum { COLUMNS = 38, ROWS = 21 };
    double z[ROWS * COLUMNS];
    for (uint64_t i = 0; i < ROWS * COLUMNS; i++) z[i] = 0.2 * helper_random(i);
    kai_heightfield field;
    kai_error err;
    check_ok(kai_heightfield_build(&field, &memory, z, COLUMNS, ROWS, 0.1, 0.15, &err));
    size_t met = 0;
    for (uint64_t i = 0; i < PACKETS; i++) {
        kai_ray_packet p, one;
        make_packet(&p, i, i % 2 ? 0.05 : 1.0, kai_vec3_zero(), NULL);
        kai_heightfield_rays(&field, &p);
        for (int l = 0; l < KAI_RAY_LANES; l++) {
            take_one(&one, &p, l, (l + 3) % KAI_RAY_LANES);
            kai_heightfield_rays(&field, &one);
            check_lane(&p, l, one.distance[(l + 3) % KAI_RAY_LANES],
                       one.triangle[(l + 3) % KAI_RAY_LANES]);
            met += p.triangle[l] != UINT64_MAX;
        }
    }
    assert_true(met > PACKETS);
    kai_heightfield_free(&field, &memory);
    assert_int_equal(counter.blocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mesh),
        cmocka_unit_test(test_corners),
        cmocka_unit_test(test_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
