// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A section of scenes of your own
// ===============================
// Scenes get a list `trees`. Each item has a few keys; the program makes of it a trunk, a hinge and a spring, and
// derives a figure at the end. Units, formulas, templates, messages and "did you mean" come with the description.
// The same file is a plug-in for the command line, with figures in results.json:
//     cc -shared -fPIC user_section.c -o trees.so -lkairos && kairos run forest.json --load ./trees.so
// A trunk that leans by φ swings: φ(t) = φ₀ cos ωt, ω² = (k - m g h / 2) / (m h² / 3).
#include <kairos/kairos.h>
#include <stdio.h>

// 1 One item: its keys, and what it has to remember (hidden).
typedef struct tree {
    kai_vec3 at;
    kai_body ground;
    double height, mass, lean;
    kai_body trunk;
} tree;

static const kai_param PARAMS[] = {
    KAI_PARAM(VEC3, tree, at, .unit = "m", .placing = KAI_PLACING_POINT, .doc = "Its foot."),
    KAI_PARAM(BODY, tree, ground, .required = true, .doc = "Body that it stands on."),
    KAI_PARAM(REAL, tree, height, .unit = "m", .initial = {10.0}, .range = KAI_ABOVE(0.0),
              .doc = "Height of the trunk."),
    KAI_PARAM(REAL, tree, mass, .unit = "kg", .initial = {100.0}, .doc = "Mass of the trunk."),
    KAI_PARAM(REAL, tree, lean, .unit = "rad", .doc = "Angle at the start, towards x."),
    KAI_PARAM(BODY, tree, trunk, .hidden = true),
};

static const kai_kind TREE =
    KAI_KIND("tree", tree, PARAMS, KAI_SIZES(kai_kind), .doc = "A trunk that sways in x.");

// 2 What an item is made of. Where a call fails, its message is told at the item.
static kai_result create(const kai_section_item* item, kai_error* err)
{
    (void)err;
    tree* t = item->instance;
    kai_body_def trunk = kai_body_def_default();
    snprintf(trunk.name.text, sizeof trunk.name.text, "%.200s.trunk", item->name);
    const double i = t->mass * t->height * t->height / 12.0;
    trunk.mass = t->mass;
    trunk.inertia = (kai_inertia){i, i, 0.01 * i, 0.0, 0.0, 0.0};
    trunk.com.z = t->height / 2.0;
    trunk.position = t->at;
    trunk.rotation = (kai_quat){cos(t->lean / 2.0), 0.0, sin(t->lean / 2.0), 0.0};
    KAI_TRY(kai_body_create(item->world, &trunk, &t->trunk));

    kai_joint_base hinge;
    kai_kind_defaults(&kai_joint_revolute.kind, &hinge);
    hinge.bodies[0] = t->ground;
    hinge.bodies[1] = t->trunk;
    hinge.at = t->at;
    hinge.axis = kai_vec3_axis(1);
    kai_load_rotational_spring_params spring;
    kai_kind_defaults(&kai_load_rotational_spring.kind, &spring);
    KAI_TRY(kai_joint_create(item->world, &kai_joint_revolute, &hinge, item->name, &spring.joint));
    spring.rest_angle = -t->lean;
    spring.stiffness = kai_curve_line(5e5);
    kai_load load;
    return kai_load_create(item->world, &kai_load_rotational_spring, &spring, item->name, &load);
}

// 3 What a run derives from it at its end.
static kai_result finish(const kai_section_item* item, kai_section_results* results, kai_error* err)
{
    const tree* t = item->instance;
    const kai_vec3 up = kai_quat_rotate(kai_body_rotation(item->world, t->trunk), kai_vec3_axis(2));
    char name[KAI_STRING_SIZE + 8];
    snprintf(name, sizeof name, "%s.lean", item->name);
    const kai_section_figure lean = {name, asin(up.x), "rad", "Angle at the end, towards x."};
    return kai_section_results_add(results, &lean, err);
}

// 4 The section; items have no `type`, since there is one kind.
static const kai_kind* const KINDS[] = {&TREE, NULL};
static const kai_section TREES = {KAI_SIZES(kai_section),     .name = "trees", .item = "tree",
                                  .doc = "Trunks that sway.", .kinds = KINDS,  .typeless = true,
                                  .create = create,           .finish = finish};

static kai_result add(kai_world* world, kai_error* err)
{
    (void)err;
    return kai_section_register(world, &TREES);
}

KAI_PLUGIN("trees", add)

static const char SCENE[] =
    "{\"kairos\": 1, \"end\": 3, \"step\": 0.001, \"integrator\": \"rk4\","
    " \"bodies\": [{\"name\": \"earth\", \"fixed\": true}], \"trees\": ["
    "  {\"name\": \"oak\", \"ground\": \"earth\", \"height\": \"3 * 4 m\", \"mass\": \"1 t\", \"lean\": 0.01}]}";

int main(void)
{
    static const kai_section* const sections[] = {&TREES, NULL};
    kai_scene_def def = kai_scene_def_default();
    def.text = SCENE;
    def.text_size = sizeof SCENE - 1;
    def.world.kinds.sections = sections;
    kai_scene* scene;
    if (kai_scene_open(&def, &scene, NULL)) return 1;
    kai_world* world = kai_scene_world(scene);
    kai_section_results* results;
    if (kai_world_step_until(world, 3.0, 1e-3) || kai_section_finish(world, &results)) return 1;
    const kai_section_figure* f = kai_section_results_at(results, 0);
    const double w = sqrt((5e5 - 1000.0 * 9.81 * 6.0) / (1000.0 * 144.0 / 3.0));
    printf("%s %.6f, closed form %.6f\n", f->name, f->value, 0.01 * cos(3.0 * w));
    kai_section_results_free(results);

    tree pine; // a wrong value is told in the words of the description
    kai_kind_defaults(&TREE, &pine);
    pine.ground = kai_body_find(world, "earth");
    pine.height = -2.0;
    if (kai_section_create(world, &TREES, &TREE, &pine, "pine"))
        printf("%s\n", kai_world_error(world)->message);
    kai_scene_close(scene);
    return 0;
}
