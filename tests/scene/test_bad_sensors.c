// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Sensors that are wrong, and exactly what a user is told about each.
#include "scene_helper.h"

typedef struct bad_scene {
    const char* name;
    const char* text;     // ' for "
    const char* expected; // problems, one a line
} bad_scene;

#define ON(x)                                                                                    \
    SCENE("'bodies': [{'name': 'car', 'mass': 1, 'inertia': [1, 1, 1]}, {'name': 'road', "       \
          "'fixed': true}], 'joints': [{'name': 'ball', 'type': 'spherical', 'bodies': ['car', " \
          "'road'], 'at': [0, 0, 0]}],\n'sensors': [{" x "}]")
#define LIDAR(x) ON("'type': 'lidar', 'columns': 9, 'horizontal': [-1, 1], 'range': [0, 5], " x)

// One row a scene.
// clang-format off
static const bad_scene BAD[] = {
    {"no list", SCENE("'sensors': {}"),
     "scene.json:1:51: /sensors: sensors is an object; must be a list"},
    {"no type", ON("'name': 'imu'"),
     "scene.json:2:13: /sensors/0: type is missing"},
    {"a type that is near", ON("'type': 'lidars'"),
     "scene.json:2:22: /sensors/0/type: type is \"lidars\"; did you mean \"lidar\"?"},
    {"no body", ON("'type': 'imu'"),
     "scene.json:2:13: /sensors/0: body is missing"},
    {"a body that is not there", ON("'type': 'imu', 'body': 'care'"),
     "scene.json:2:37: /sensors/0/body: there is no body \"care\"; did you mean \"car\"?"},
    {"negative rate", ON("'type': 'imu', 'body': 'car', 'rate': -5"),
     "scene.json:2:52: /sensors/0/rate: rate is -5 Hz; must be >= 0"},
    {"key of an error", ON("'type': 'imu', 'body': 'car', 'gyroscope': {'nose': 1}"),
     "scene.json:2:58: /sensors/0/gyroscope/nose: unknown key \"nose\"; did you mean \"noise\"?"},
    {"two errors", ON("'type': 'imu', 'body': 'car', 'gyroscope': [{}, {}]"),
     "scene.json:2:57: /sensors/0/gyroscope: gyroscope is a list of 2; must be a list of at most 1"},
    {"late and without a rate", ON("'type': 'gps', 'body': 'car', 'rate': 0, 'delay': 1"),
     "scene.json:2:13: /sensors/0: delay is 1 s; needs a rate > 0, in whose samples it is counted"},
    {"joint without an angle", ON("'type': 'encoder', 'joint': 'ball'"),
     "scene.json:2:13: /sensors/0: encoder: a joint of kind spherical has no angle or travel"},
    {"range upside down", ON("'type': 'lidar', 'columns': 9, 'horizontal': [-1, 1], 'range': [5, 2]"),
     "scene.json:2:13: /sensors/0: range is [5, 2] m; the first must be below the second"},
    {"too many pixels", ON("'type': 'depth-camera', 'width': 16384, 'height': 16384, 'range': [0, 2]"),
     "scene.json:2:13: /sensors/0: 16384 x 16384 pixels; must be at most 16777216"},
    {"images to a table", LIDAR("'file': 'scan.csv'"),
     "scene.json:2:93: /sensors/0/file: file 'scan.csv' of images must end in .h5"},
    {"a file of the run", LIDAR("'file': 'trajectory.h5'"),
     "scene.json:2:93: /sensors/0/file: file 'trajectory.h5' is one that every run writes; choose another"},
    {"numbers to images", ON("'type': 'imu', 'body': 'car', 'file': 'imu.h5'"),
     "scene.json:2:52: /sensors/0/file: file is \"imu.h5\"; must be a name that ends in .csv"},
    {"a folder", ON("'type': 'imu', 'body': 'car', 'file': '../imu.csv'"),
     "scene.json:2:52: /sensors/0/file: file is \"../imu.csv\"; must be a plain file name, without a folder or a dot at its start"},
    {"one file for two", ON("'type': 'imu', 'body': 'car', 'file': 'a.csv'}, {'type': 'gps', 'body': 'car', 'file': 'a.csv'"),
     "scene.json:2:101: /sensors/1/file: output file name \"a.csv\" is used twice; must be unique"},
    {"one name for two", ON("'type': 'imu', 'name': 'a', 'body': 'car'}, {'type': 'gps', 'name': 'a', 'body': 'car'"),
     "scene.json:2:82: /sensors/1/name: sensor name \"a\" is used twice; must be unique"},
    {"output of one that is not there", ON("'type': 'imu', 'name': 'imu', 'body': 'car'}], 'outputs': [{'sensor': 'imo', 'quantities': ['acceleration'], 'file': 'a.csv'"),
     "scene.json:2:84: /outputs/0/sensor: there is no sensor \"imo\"; did you mean \"imu\"?"},
    {"what it does not read", ON("'type': 'imu', 'name': 'imu', 'body': 'car'}], 'outputs': [{'sensor': 'imu', 'quantities': ['position'], 'file': 'a.csv'"),
     "scene.json:2:106: /outputs/0/quantities/0: quantities[0] is \"position\"; must be one of: acceleration, angular_velocity"},
};
// clang-format on

static void every_bad_sensor_says_what_is_wrong(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++)
        check_problems(BAD[i].text, NULL, BAD[i].expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bad_sensor_says_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
