// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Sensors: what an instrument on a body or a joint reads, with its rate, its noise and its limits.
//
// A sensor keeps the values of its last sample until the next one (sample and hold); outputs and
// controllers read these. In runs of scenes it samples by itself at its rate; a program calls
// kai_sensor_measure when it wants a sample. Its noise is a pure function of its seed, its name (its
// id, where it has none) and the number of the sample, and what it keeps from sample to sample is
// part of the world: a run that is resumed goes on with the same bits.
//
// Sensors whose samples are images (lidar, depth camera) give these to the caller and keep nothing.
#ifndef KAIROS_SENSOR_H
#define KAIROS_SENSOR_H

#include <kairos/joint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Most numbers of a sample that is no image.
#define KAI_SENSOR_VALUES 16

/// What every instance of a sensor starts with. Start from kai_kind_defaults.
typedef struct kai_sensor_base {
    double rate;                      ///< samples per second, Hz; 0: one at every step
    int64_t seed;                     ///< of its noise
    kai_string file;                  ///< runs: plain name of the file that samples go to; "": none
    int64_t samples;                  ///< taken so far; this and what follows is set by the sensor
    double time;                      ///< of the last one, s
    double values[KAI_SENSOR_VALUES]; ///< of the last one
} kai_sensor_base;

/// Where a sensor sits.
typedef struct kai_sensor_place {
    kai_body body;     ///< that carries it
    kai_vec3 at;       ///< origin of the sensor's frame in the body's own frame, m
    kai_quat rotation; ///< of the sensor's frame against the body's own frame
} kai_sensor_place;

/// One thing that a sensor reads; columns of its file.
typedef struct kai_sensor_channel {
    const char* name;          ///< NULL ends the list
    const char* unit;          ///< SI, "" for none
    const char* doc;           ///< one sentence
    int components;            ///< how many numbers
    const char* const* labels; ///< [components] suffixes, such as x y z; NULL when there is one
} kai_sensor_channel;

/// What a kind's measure() and image() get. They run between steps, on one thread.
typedef struct kai_sensor_view {
    kai_world* world;
    void* instance;  ///< may change its hidden parameters: what it keeps from sample to sample
    int64_t sample;  ///< number of this sample, from 0
    double interval; ///< s since the last sample; 0 at the first one
    uint64_t stream; ///< of its random numbers
} kai_sensor_view;

/// A random number of mean 0 and deviation 1 that depends on the sensor, its sample and `index`
/// alone.
KAI_API double kai_sensor_noise(const kai_sensor_view* view, uint64_t index);

/// The sensor's frame in the world; that of the world where the sensor sits on no body.
KAI_API kai_frame kai_sensor_frame(const kai_world* world, const kai_sensor_place* place);

/// A kind of sensor. Its instance starts with a kai_sensor_base.
typedef struct kai_sensor_kind {
    kai_kind kind;
    const kai_sensor_channel* channels; ///< what a sample holds; NULL: it is an image
    /// Writes a sample to `values`, channel by channel.
    kai_result (*measure)(const kai_sensor_view* view, double* values, kai_error* err);
    /// True: it reads accelerations, forces or reactions, which are then evaluated before.
    bool evaluated;
    /// Optional: fills hidden parameters and checks what only the world knows, at creation.
    kai_result (*prepare)(const kai_world* world, void* instance, kai_error* err);
    /// Optional: called after every step of a run, for what must not be missed between samples, such
    /// as turns of a joint.
    void (*follow)(const kai_world* world, void* instance);
    /// Of images: how large they are.
    void (*size)(const void* instance, uint32_t* rows, uint32_t* columns);
    /// Of images: writes pixels row by row, the first row at the top.
    kai_result (*image)(const kai_sensor_view* view, float* pixels, kai_error* err);
    const kai_sensor_channel* pixel; ///< of images: what a pixel is
} kai_sensor_kind;

/// Parameters of kai_sensor_base, to stand first in the list of every kind's own.
#define KAI_SENSOR_PARAMS(usual_rate)                                                            \
    {.name = "rate",                                                                             \
     .type = KAI_PARAM_REAL,                                                                     \
     .offset = offsetof(kai_sensor_base, rate),                                                  \
     .unit = "Hz",                                                                               \
     .initial = {usual_rate},                                                                    \
     .range = KAI_AT_LEAST(0.0),                                                                 \
     .doc = "Samples per second, each at the first step that is not before it; 0: one at every " \
            "step."},                                                                            \
        {.name = "seed",                                                                         \
         .type = KAI_PARAM_INT,                                                                  \
         .offset = offsetof(kai_sensor_base, seed),                                              \
         .doc =                                                                                  \
             "Seed of its noise, which depends on it, the sensor's name and the sample alone."}, \
        {.name = "file",                                                                         \
         .type = KAI_PARAM_STRING,                                                               \
         .offset = offsetof(kai_sensor_base, file),                                              \
         .doc = "Plain name of a file in the run's folder: ends in .csv, of images in .h5; "     \
                "absent: none is written."},                                                     \
        {.name = "samples",                                                                      \
         .type = KAI_PARAM_INT,                                                                  \
         .offset = offsetof(kai_sensor_base, samples),                                           \
         .hidden = true},                                                                        \
        {.name = "time",                                                                         \
         .type = KAI_PARAM_REAL,                                                                 \
         .offset = offsetof(kai_sensor_base, time),                                              \
         .hidden = true},                                                                        \
    {                                                                                            \
        .name = "values", .type = KAI_PARAM_REAL, .offset = offsetof(kai_sensor_base, values),   \
        .columns = KAI_SENSOR_VALUES, .hidden = true                                             \
    }

/// Parameters of a kai_sensor_place that is the field `place` of an instance.
#define KAI_SENSOR_PLACE_PARAMS(type_, needed, text)                                               \
    {.name = "body",                                                                               \
     .type = KAI_PARAM_BODY,                                                                       \
     .offset = offsetof(type_, place.body),                                                        \
     .required = (needed),                                                                         \
     .doc = text},                                                                                 \
        {.name = "at",                                                                             \
         .type = KAI_PARAM_VEC3,                                                                   \
         .offset = offsetof(type_, place.at),                                                      \
         .placing = KAI_PLACING_CARRIED_POINT,                                                     \
         .unit = "m",                                                                              \
         .doc = "Origin of the sensor's frame in the body's own frame."},                          \
    {                                                                                              \
        .name = "rotation", .type = KAI_PARAM_ROTATION, .offset = offsetof(type_, place.rotation), \
        .placing = KAI_PLACING_CARRIED_POINT,                                                      \
        .doc = "Takes the sensor's coordinates to those of the body."                              \
    }

// Instances of the built-in kinds ----------------------------------------------------------------

/// Errors of one triple of numbers.
typedef struct kai_sensor_error {
    double noise;     ///< standard deviation of each component of a sample
    kai_vec3 bias;    ///< is added
    double bias_walk; ///< standard deviation that the bias gains per square root of a second
    double range;     ///< components are cut to ± this; 0: no limit
} kai_sensor_error;

/// Description of kai_sensor_error: an item of the lists below, of which one at most is given.
KAI_API extern const kai_kind kai_sensor_error_kind;

/// Parameters of `imu`: an inertial measurement unit. The accelerometer reads a - g, where a is the
/// acceleration of the point where it sits and g gravity: at rest 9.81 m/s² upwards, in free fall 0.
typedef struct kai_sensor_imu_params {
    kai_sensor_base base;
    kai_sensor_place place;
    kai_list accelerometer; ///< kai_sensor_error, m/s²; none: exact
    kai_list gyroscope;     ///< kai_sensor_error, rad/s; none: exact
} kai_sensor_imu_params;

/// Most samples that a `gps` is late.
#define KAI_SENSOR_DELAY 32

/// Parameters of `gps`: position and velocity of a point, world frame.
typedef struct kai_sensor_gps_params {
    kai_sensor_base base;
    kai_sensor_place place;
    kai_vec3 noise;          ///< standard deviation of x, y and z, m
    kai_vec3 velocity_noise; ///< of the velocity, m/s
    kai_vec3 bias;           ///< is added to the position, m
    kai_vec3 bias_walk;      ///< standard deviation that this gains, m per square root of a second
    double delay;            ///< s: samples are of a state so long ago
} kai_sensor_gps_params;

/// Parameters of `encoder`: the coordinate of a joint in whole counts.
typedef struct kai_sensor_encoder_params {
    kai_sensor_base base;
    kai_joint joint;
    int32_t coordinate; ///< 0: the angle where it has one, 1: angle, 2: travel
    double resolution;  ///< counts per turn, or per metre
    double offset;      ///< rad or m: what counts as 0
} kai_sensor_encoder_params;

/// Parameters of `force-plate`: what presses on a body.
typedef struct kai_sensor_force_plate_params {
    kai_sensor_base base;
    kai_sensor_place place;
    double noise;        ///< standard deviation of each component of the force, N
    double moment_noise; ///< likewise of the moment, N m
    double threshold;    ///< least normal force for which there is a centre of pressure, N
} kai_sensor_force_plate_params;

/// Parameters of `contact`: whether something touches a body.
typedef struct kai_sensor_contact_params {
    kai_sensor_base base;
    kai_sensor_place place;
    kai_body with;    ///< only contacts with this body; null: with any
    double threshold; ///< it touches when the force is larger than this, N
    double noise;     ///< standard deviation of each component of the force, N
} kai_sensor_contact_params;

/// Parameters of `lidar`: distances along rays in rows and columns.
typedef struct kai_sensor_lidar_params {
    kai_sensor_base base;
    kai_sensor_place place;
    int64_t columns, rows;
    double horizontal[2]; ///< angles about z from x, rad
    double vertical[2];   ///< angles up from the x-y plane of the first and the last row, rad
    double range[2];      ///< least and largest distance that counts, m
    double noise;         ///< standard deviation, m
} kai_sensor_lidar_params;

/// Parameters of `depth-camera`: an image of depths.
typedef struct kai_sensor_depth_camera_params {
    kai_sensor_base base;
    kai_sensor_place place;
    int64_t width, height; ///< pixels
    double field_of_view;  ///< horizontal angle, rad
    double range[2];       ///< least and largest depth that counts, m
    double noise;          ///< standard deviation, m
} kai_sensor_depth_camera_params;

/// Tables of the built-in kinds.
KAI_API extern const kai_sensor_kind kai_sensor_imu;
KAI_API extern const kai_sensor_kind kai_sensor_gps;         ///< see kai_sensor_gps_params
KAI_API extern const kai_sensor_kind kai_sensor_encoder;     ///< see kai_sensor_encoder_params
KAI_API extern const kai_sensor_kind kai_sensor_force_plate; ///< see kai_sensor_force_plate_params
KAI_API extern const kai_sensor_kind kai_sensor_contact;     ///< see kai_sensor_contact_params
KAI_API extern const kai_sensor_kind kai_sensor_lidar;       ///< see kai_sensor_lidar_params
KAI_API extern const kai_sensor_kind
    kai_sensor_depth_camera; ///< see kai_sensor_depth_camera_params

// Calls ------------------------------------------------------------------------------------------

/// Adds a kind of the user's own to this world. The table must outlive the world.
KAI_API kai_result kai_sensor_register(kai_world* world, const kai_sensor_kind* kind);

/// Makes a sensor. KAI_ERROR_ARGUMENT names the parameter that breaks its rule, KAI_ERROR_ID a body
/// or joint that is not there.
KAI_API kai_result kai_sensor_create(kai_world* world, const kai_sensor_kind* kind,
                                     const void* params, const char* name, kai_sensor* out);

/// Removes a sensor.
KAI_API kai_result kai_sensor_destroy(kai_world* world, kai_sensor sensor);

/// The kind and the instance of a sensor; any output may be NULL. `*params` is valid until the next
/// call that changes the world's sensors.
KAI_API kai_result kai_sensor_get(const kai_world* world, kai_sensor sensor,
                                  const kai_sensor_kind** kind, const void** params);

/// The sensor of that name, null when there is none; how many there are, and the i-th in the order
/// of their kinds; its name, "" without one.
KAI_API kai_sensor kai_sensor_find(const kai_world* world, const char* name);
KAI_API size_t kai_sensor_count(const kai_world* world);                        ///< likewise
KAI_API kai_sensor kai_sensor_at(const kai_world* world, size_t i);             ///< likewise
KAI_API const char* kai_sensor_name(const kai_world* world, kai_sensor sensor); ///< likewise

/// Takes a sample at the present state, which it keeps. KAI_ERROR_UNSUPPORTED for one whose samples
/// are images. KAI_ERROR_DIVERGED for a value that is not finite.
KAI_API kai_result kai_sensor_measure(kai_world* world, kai_sensor sensor);

/// The values of the last sample, channel by channel; zeros before the first. `capacity`: how many
/// `values` holds. `*samples`, which may be NULL: how many were taken.
KAI_API kai_result kai_sensor_values(const kai_world* world, kai_sensor sensor, double* values,
                                     size_t capacity, int64_t* samples);

/// How large the images of a sensor are; 0 0 for one that gives none.
KAI_API kai_result kai_sensor_image_size(const kai_world* world, kai_sensor sensor, uint32_t* rows,
                                         uint32_t* columns);

/// Takes an image, rows from the top, into `pixels`, which holds `capacity`. Where nothing is within
/// range a pixel is INFINITY.
KAI_API kai_result kai_sensor_measure_image(kai_world* world, kai_sensor sensor, float* pixels,
                                            size_t capacity);

/// To be called after every step where encoders may turn more than half a turn between samples. Runs
/// of scenes do it.
KAI_API void kai_sensor_follow(kai_world* world);

#ifdef __cplusplus
}
#endif

#endif
