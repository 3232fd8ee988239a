// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A finite element of your own
// ============================
// A rubber band between two nodes that stiffens as it is stretched: with the stretch s = l - l0, a
// tension of
//
//     F = k s + c s³,   energy W = k s²/2 + c s⁴/4.
//
// The kind says forces on the nodes and their tangent; gathering, assembly, solving, scenes and
// checkpoints are the engine's. A mass hangs on the band in equilibrium: k s + c s³ = m g.
#include <kairos/kairos.h>
#include <kairos/scene.h>
#include <stdio.h>
#include <string.h>

// 1 One instance: its nodes first.
typedef struct band {
    kai_node nodes[2];
    double stiffness, hardening;
} band;

// 2 What its parameters are.
static const kai_param PARAMS[] = {
    KAI_PARAM(NODE, band, nodes, .columns = 2, .required = true, .doc = "Its two ends."),
    KAI_PARAM(REAL, band, stiffness, .unit = "N/m", .required = true, .range = KAI_ABOVE(0.0),
              .doc = "k."),
    KAI_PARAM(REAL, band, hardening, .unit = "N/m³", .range = KAI_AT_LEAST(0.0), .doc = "c.")};

/// Direction from the first node to the second; returns the distance.
static double look(const double* q, double n[3])
{
    const double d[3] = {q[3] - q[0], q[4] - q[1], q[5] - q[2]};
    const double l = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (int i = 0; i < 3; i++) n[i] = d[i] / l;
    return l;
}

// 3 What does not change: the length without tension.
static kai_result prepare(const kai_element_setup* setup, void* data, kai_error* err)
{
    (void)err;
    double n[3];
    *(double*)data = look(setup->q, n);
    return KAI_OK;
}

// 4 Forces on the nodes, and the tangent -∂f/∂q = F' n nᵀ + F/l (1 - n nᵀ) between them.
static void force(const kai_element_batch* b)
{
    const band* all = b->instances;
    const double* length = b->data;
    for (size_t e = 0; e < b->count; e++) {
        double n[3];
        const double l = look(b->q + 6 * e, n), s = l - length[e];
        const double k = all[e].stiffness, c = all[e].hardening, f = k * s + c * s * s * s;
        for (int i = 0; i < 3; i++) {
            b->force[6 * e + (size_t)i] = f * n[i];
            b->force[6 * e + 3 + (size_t)i] = -f * n[i];
        }
        for (int i = 0; b->tangent && i < 36; i++) {
            const int r = i / 6 % 3, col = i % 3;
            const double along = n[r] * n[col], across = (r == col) - along;
            const double entry = (k + 3.0 * c * s * s) * along + f / l * across;
            const bool same = (i / 18) == (i % 6 / 3);
            b->tangent[36 * e + (size_t)i] = b->position * (same ? entry : -entry);
        }
    }
}

static double energy(const kai_element_batch* b, size_t i)
{
    const band* all = b->instances;
    double n[3];
    const double s = look(b->q + 6 * i, n) - ((const double*)b->data)[i];
    return 0.5 * all[i].stiffness * s * s + 0.25 * all[i].hardening * s * s * s * s;
}

static const kai_element_face LINE[] = {{2, {0, 1}}};
static const kai_element_kind BAND = {
    .kind = KAI_KIND("band", band, PARAMS, KAI_SIZES(kai_element_kind), .doc = "A rubber band."),
    .nodes = 2,
    .data_size = sizeof(double),
    .prepare = prepare,
    .force = force,
    .energy = energy,
    .faces = LINE,
    .face_count = 1};

// 5 A scene that uses its word.
static const char SCENE[] = "{\"kairos\": 1, \"step\": 0.001, \"end\": 1, \"nodes\": ["
                            "  {\"name\": \"top\", \"position\": [0, 0, 1], \"fixed\": 7},"
                            "  {\"name\": \"end\", \"position\": [0, 0, 0.5], \"mass\": 1}],"
                            " \"elements\": [{\"type\": \"band\", \"nodes\": [\"top\", \"end\"],"
                            "  \"stiffness\": 100, \"hardening\": 38480}]}";

int main(void)
{
    static const kai_element_kind* const kinds[] = {&BAND, NULL};
    kai_scene_def def = kai_scene_def_default();
    kai_scene* scene = NULL;
    kai_error err = {0};
    def.text = SCENE;
    def.text_size = strlen(SCENE);
    def.world.kinds.elements = kinds;
    if (kai_scene_open(&def, &scene, &err) != KAI_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    kai_world* world = kai_scene_world(scene);
    kai_node_def end;
    double stored;
    if (kai_world_statics(world) != KAI_OK || kai_element_energy(world, &stored) != KAI_OK ||
        kai_node_get(world, kai_node_find(world, "end"), &end) != KAI_OK) {
        fprintf(stderr, "%s\n", kai_world_error(world)->message);
        return 1;
    }
    // 100 N/m · 0.05 m + 38480 N/m³ · (0.05 m)³ = 9.81 N
    printf("sag     %.6f m (closed form %.6f m)\n", 0.5 - end.position.z, 0.05);
    printf("energy  %.6f J (closed form %.6f J)\n", stored,
           0.125 + 38480.0 * 0.05 * 0.05 * 0.05 * 0.05 / 4);
    kai_scene_close(scene);
    return 0;
}
