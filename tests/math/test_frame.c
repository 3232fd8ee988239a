// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "helper.h"

enum { DRAWS = 10000 };

static kai_frame random_frame(uint64_t i)
{
    return kai_frame_make(kai_vec3_scale(helper_random_vec3(i), 10.0), helper_random_rotation(i));
}

// Lengths of up to 30, a dozen roundings.
static const double TOLERANCE = 1e-13;

static void test_by_hand(void** state)
{
    (void)state;
    // At (1, 2, 3), turned a quarter about z: its x axis is the parent's y axis.
    const kai_frame f = kai_frame_make(kai_vec3_make(1.0, 2.0, 3.0),
                                       kai_quat_from_axis_angle(kai_vec3_axis(2), KAI_PI / 2));
    check_vec3(kai_frame_vector_to_parent(f, kai_vec3_axis(0)), kai_vec3_axis(1), 1e-15, "by hand");
    check_vec3(kai_frame_vector_from_parent(f, kai_vec3_axis(0)), kai_vec3_make(0.0, -1.0, 0.0),
               1e-15, "by hand");
    check_vec3(kai_frame_point_to_parent(f, kai_vec3_make(4.0, 0.0, 0.0)),
               kai_vec3_make(1.0, 6.0, 3.0), 1e-14, "by hand");
    check_vec3(kai_frame_point_from_parent(f, kai_vec3_make(1.0, 6.0, 3.0)),
               kai_vec3_make(4.0, 0.0, 0.0), 1e-14, "by hand");
}

static void test_round_trips(void** state)
{
    (void)state;
    for (uint64_t i = 0; i < DRAWS; i++) {
        const kai_frame f = random_frame(i), inverse = kai_frame_inverse(f);
        const kai_vec3 p = helper_random_vec3(DRAWS + i);
        check_vec3(kai_frame_point_from_parent(f, kai_frame_point_to_parent(f, p)), p, TOLERANCE,
                   "there and back");
        check_vec3(kai_frame_vector_from_parent(f, kai_frame_vector_to_parent(f, p)), p, TOLERANCE,
                   "there and back");
        check_vec3(kai_frame_point_to_parent(inverse, p), kai_frame_point_from_parent(f, p),
                   TOLERANCE, "the inverse frame does the opposite");
        const kai_frame one = kai_frame_compose(f, inverse);
        check_vec3(one.position, kai_vec3_zero(), TOLERANCE, "f f⁻¹");
        check_rotation(one.rotation, kai_quat_identity(), 1e-15, "f f⁻¹");
    }
}

static void test_compose(void** state)
{
    (void)state;
    for (uint64_t i = 0; i < DRAWS; i++) {
        const kai_frame a = random_frame(3 * i), b = random_frame(3 * i + 1);
        const kai_frame c = random_frame(3 * i + 2);
        const kai_vec3 p = helper_random_vec3(9 * DRAWS + i);
        check_vec3(kai_frame_point_to_parent(kai_frame_compose(a, b), p),
                   kai_frame_point_to_parent(a, kai_frame_point_to_parent(b, p)), TOLERANCE,
                   "first out of b, then out of a");
        const kai_frame left = kai_frame_compose(kai_frame_compose(a, b), c);
        const kai_frame right = kai_frame_compose(a, kai_frame_compose(b, c));
        check_vec3(left.position, right.position, TOLERANCE, "associative");
        check_rotation(left.rotation, right.rotation, 2e-15, "associative");
    }
    const kai_frame a = random_frame(1), same = kai_frame_compose(kai_frame_identity(), a);
    assert_memory_equal(&a, &same, sizeof a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_compose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
