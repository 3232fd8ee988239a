// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/hash.h"
#include "model/node.h"
#include "model/part.h"

#include <string.h>

static const kai_kind* const NODE_KINDS[] = {&kai_node_kind, NULL};

static uint64_t hash_nodes(const kai_world* world, const void* data, uint64_t hash)
{
    (void)data;
    const kai_node_record* nodes = kai_node_all(world);
    for (size_t i = 0; i < world->nodes.count; i++) {
        const size_t size = kai_node_size(&nodes[i]) * sizeof(double);
        hash = kai_hash_bytes(hash, &nodes[i].def.position, size);
        hash = kai_hash_bytes(hash, &nodes[i].def.velocity, size);
    }
    return hash;
}

// Coordinates of all nodes, then velocities ------------------------------------------------------

static size_t backup_bytes(const kai_world* world, const void* data)
{
    (void)data;
    const kai_node_record* nodes = kai_node_all(world);
    size_t coordinates = 0;
    for (size_t i = 0; i < world->nodes.count; i++) coordinates += kai_node_size(&nodes[i]);
    return 2 * coordinates * sizeof(double);
}

static void backup(const kai_world* world, const void* data, void* to)
{
    kai_node_record* nodes = kai_node_all(world);
    double *q = to, *v = q + backup_bytes(world, data) / (2 * sizeof(double));
    for (size_t i = 0; i < world->nodes.count; i++) {
        const size_t n = kai_node_size(&nodes[i]);
        memcpy(q, kai_node_q(&nodes[i]), n * sizeof *q), q += n;
        memcpy(v, kai_node_v(&nodes[i]), n * sizeof *v), v += n;
    }
}

static void restore(kai_world* world, void* data, const void* from)
{
    kai_node_record* nodes = kai_node_all(world);
    const double *q = from, *v = q + backup_bytes(world, data) / (2 * sizeof(double));
    for (size_t i = 0; i < world->nodes.count; i++) {
        const size_t n = kai_node_size(&nodes[i]);
        memcpy(kai_node_q(&nodes[i]), q, n * sizeof *q), q += n;
        memcpy(kai_node_v(&nodes[i]), v, n * sizeof *v), v += n;
    }
}

const kai_part kai_part_nodes = {KAI_PART_STORE(nodes, "node", NODE_KINDS),
                                 .hash = hash_nodes,
                                 .undo = KAI_PART_STEP,
                                 .backup_bytes = backup_bytes,
                                 .backup = backup,
                                 .restore = restore};
