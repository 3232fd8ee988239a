// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A sensor of your own
// ====================
// A balloon rises with 5 m/s and carries a barometer. The engine has none, so the program brings its
// own kind of sensor: an instance that begins with what all sensors have, its parameters, the
// channels that it reads, and a function that takes one sample. Scenes know it by its name.
//
// Pressure falls with height as p₀ exp(-z / H), p₀ = 101,325 Pa and H = 8,435 m; one reading deviates
// by 5 Pa, so that heights made from it deviate by 5 Pa H / p₀ = 0.42 m.
#include <kairos/kairos.h>
#include <stdio.h>
#include <string.h>

// 1 One instance.
typedef struct barometer {
    kai_sensor_base base;
    kai_sensor_place place;
    double noise;
} barometer;

// 2 What its parameters are: those of all sensors, where it sits, its own.
static const kai_param PARAMS[] = {
    KAI_SENSOR_PARAMS(10.0),
    KAI_SENSOR_PLACE_PARAMS(barometer, true, "Body that carries it."),
    KAI_PARAM(REAL, barometer, noise, .unit = "Pa", .range = KAI_AT_LEAST(0.0),
              .doc = "Standard deviation of a reading."),
};

// 3 What it reads.
static const kai_sensor_channel CHANNELS[] = {{"pressure", "Pa", "Of the air.", 1, NULL},
                                              {NULL, NULL, NULL, 0, NULL}};

static kai_result measure(const kai_sensor_view* view, double* values, kai_error* err)
{
    (void)err;
    const barometer* b = view->instance;
    const kai_frame frame = kai_sensor_frame(view->world, &b->place);
    values[0] = 101325.0 * exp(-frame.position.z / 8435.0) + b->noise * kai_sensor_noise(view, 0);
    return KAI_OK;
}

static const kai_sensor_kind BAROMETER = {.kind = KAI_KIND("barometer", barometer, PARAMS,
                                                           KAI_SIZES(kai_sensor_kind),
                                                           .doc = "Pressure of the air."),
                                          .channels = CHANNELS,
                                          .measure = measure};

static const char SCENE[] =
    "{\"kairos\": 1, \"step\": 0.01, \"end\": 100, \"gravity\": [0, 0, 0],"
    " \"bodies\": [{\"name\": \"balloon\", \"mass\": 3, \"inertia\": [1, 1, 1], \"velocity\": [0, 0, 5]}],"
    " \"sensors\": [{\"name\": \"baro\", \"type\": \"barometer\", \"body\": \"balloon\", \"noise\": 5}]}";

int main(void)
{
    // 4 Registered with every world of these scenes.
    const kai_sensor_kind* const kinds[] = {&BAROMETER, NULL};
    kai_scene_def def = kai_scene_def_default();
    def.text = SCENE;
    def.text_size = strlen(SCENE);
    def.world.kinds.sensors = kinds;
    kai_scene* scene;
    kai_error err;
    if (kai_scene_open(&def, &scene, &err) != KAI_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    kai_world* world = kai_scene_world(scene);
    const kai_sensor sensor = kai_sensor_find(world, "baro");
    printf("time  height  from the pressure\n");
    for (int t = 0; t <= 100; t += 20) {
        double pressure;
        if (kai_world_step_until(world, t, 0.01) != KAI_OK ||
            kai_sensor_measure(world, sensor) != KAI_OK ||
            kai_sensor_values(world, sensor, &pressure, 1, NULL) != KAI_OK) {
            fprintf(stderr, "%s\n", kai_world_error(world)->message);
            return 1;
        }
        printf("%4d  %6.1f  %6.1f\n", t, 5.0 * t, -8435.0 * log(pressure / 101325.0));
    }
    kai_scene_close(scene);
    return 0;
}
