// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/hash.h"
#include "model/part.h"
#include "model/sensor.h"
#include "sense/sensor_list.h"

static const kai_kind* const SENSOR_KINDS[] = {
#define SENSOR_KIND(name) &kai_sensor_##name.kind,
    KAI_SENSOR_KINDS(SENSOR_KIND)
#undef SENSOR_KIND
        NULL};

static kai_result check(kai_world* p, void* data, kai_error* err)
{
    (void)data;
    for (size_t b = 0; b < p->sensors.batch_count; b++) {
        const kai_store_batch* batch = &p->sensors.batches[b];
        for (size_t i = 0; i < batch->items.count; i++) {
            const char* instance = (char*)batch->items.data + i * batch->kind->size;
            const kai_sensor_base* base = (const kai_sensor_base*)(const void*)instance;
            if (base->samples < 0)
                return kai_error_set(err, KAI_ERROR_FORMAT, "%s %zu: samples is %lld",
                                     batch->kind->name, i, (long long)base->samples);
            if (kai_sensor_check_ends(p, batch->kind, instance, err) != KAI_OK)
                return KAI_ERROR_FORMAT;
        }
    }
    return KAI_OK;
}

// What was read, and how often: what sensors keep beside that follows from it and the past.
static uint64_t hash_values(const kai_world* world, const void* data, uint64_t hash)
{
    (void)data;
    for (size_t b = 0; b < world->sensors.batch_count; b++) {
        const kai_store_batch* batch = &world->sensors.batches[b];
        for (size_t i = 0; i < batch->items.count; i++) {
            const kai_sensor_base* base =
                (const void*)((char*)batch->items.data + i * batch->kind->size);
            hash = kai_hash_bytes(hash, &base->samples, sizeof base->samples);
            hash = kai_hash_bytes(hash, base->values, sizeof base->values);
        }
    }
    return hash;
}

const kai_part kai_part_sensors = {KAI_PART_STORE(sensors, "sensor", SENSOR_KINDS), .check = check,
                                   .hash = hash_values};
