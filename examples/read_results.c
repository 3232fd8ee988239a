// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Scenes from C, and results
// ==========================
// Reads a scene (here a text; a path works likewise), runs it, and reads what came out: bodies and joints by name,
// all bodies at once, energy, figures of the solver. A scene with mistakes lists them all.
#include <kairos/kairos.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char SCENE[] =
    "{\"kairos\": 1, \"step\": 0.001, \"end\": 1.0, \"gravity\": [0, 0, -9.81], \"bodies\": ["
    "  {\"name\": \"ground\", \"fixed\": true},"
    "  {\"name\": \"arm\", \"mass\": 1, \"inertia\": [0.01, 0.1, 0.1], \"position\": [0.5, 0, 0]},"
    "  {\"name\": \"stone\", \"mass\": 2, \"inertia\": [1, 1, 1], \"velocity\": [3, 0, 4]}],"
    " \"joints\": [{\"name\": \"pin\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"arm\"],"
    "   \"at\": [0, 0, 0], \"axis\": [0, 1, 0]}]}";

static kai_result open_scene(const char* text, kai_scene** scene)
{
    kai_scene_def def = kai_scene_def_default();
    def.text = text;
    def.text_size = strlen(text);
    def.path = "arm.json"; // a name for messages
    return kai_scene_open(&def, scene, NULL);
}

static int print_results(kai_world* world)
{
    // By name.
    const kai_vec3 stone = kai_body_position(world, kai_body_find(world, "stone"));
    printf("stone at [%.3f, %.3f, %.3f], closed form [3, 0, %.3f]\n", stone.x, stone.y, stone.z,
           4.0 - 9.81 / 2.0);
    kai_vec3 force, torque;
    if (kai_joint_reaction(world, kai_joint_find(world, "pin"), &force, &torque)) return 1;
    printf("pin: %.3f N\n", kai_vec3_norm(force));

    // All bodies at once, in storage order, into an array of the program's own.
    double positions[3 * 3];
    const size_t count = kai_body_count(world);
    if (count > 3 || kai_bulk_copy_bodies(world, KAI_BULK_POSITION, NULL, count, positions))
        return 1;
    double highest = positions[2];
    for (size_t i = 1; i < count; i++)
        highest = positions[3 * i + 2] > highest ? positions[3 * i + 2] : highest;
    printf("%zu bodies, the highest at z = %.3f m\n", count, highest);

    kai_energy energy;
    if (kai_world_energy(world, &energy)) return 1;
    printf("energy: kinetic %.3f J, potential %.3f J, drift below 1e-5 J: %s\n", energy.kinetic,
           energy.potential, fabs(energy.drift) < 1e-5 ? "yes" : "no");
    const kai_stats stats = kai_world_stats(world);
    printf("%llu steps, %zu bodies\n", (unsigned long long)kai_world_steps(world), stats.bodies);
    return 0;
}

int main(void)
{
    kai_scene* scene;
    if (open_scene(SCENE, &scene)) return 1;
    kai_world* world = kai_scene_world(scene);
    const kai_scene_settings* settings = kai_scene_get_settings(scene);
    // kai_run_execute(…) would write all files that the command line writes; here only the world is stepped.
    if (kai_world_step_until(world, settings->end, settings->step)) return 1;
    const int failed = print_results(world);
    kai_scene_close(scene);

    // A scene with two mistakes.
    if (open_scene("{\"kairos\": 1, \"step\": 0, \"end\": 1, \"gravty\": [0, 0, 0]}", &scene)) {
        for (size_t i = 0; i < kai_scene_problem_count(scene); i++)
            printf("%s\n", kai_scene_problem(scene, i)->message);
        kai_scene_close(scene);
    }
    return failed;
}
