// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// MuJoCo on small scenes: reduced coordinates, soft contacts, its default solver (Newton, pyramids).
// Motors that prescribe a speed are servos of 200 N m s/rad there. Springs about the axes of a ball
// joint act on the rotation vector, as those of a bushing do; two hinges stand for a universal joint.
#include "peers/small.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct scene {
    mjModel* model;
    mjData* data;
} scene;

static const char CART_CORNER[] =
    "<body pos='%g %g -.3'><joint type='slide' axis='0 0 1' stiffness='20000' damping='1500' "
    "springref='-.024525' range='-.1 .15' limited='true'/><geom type='box' size='.05 .05 .15' "
    "mass='5' contype='0' conaffinity='0'/><body pos='0 %g 0'><joint name='axle%d' axis='0 1 0'/>"
    "<geom type='cylinder' size='.3 .075' euler='90 0 0' density='235.79' friction='.9'/></body>"
    "</body>";

static void write_cart(FILE* out)
{
    fputs("<worldbody><geom type='plane' size='0 0 1' friction='.9'/>"
          "<geom type='box' size='.3 1.5 .05' pos='3 0 .05' friction='.9'/>"
          "<geom type='box' size='.15 1.5 .025' pos='3 0 .125' friction='.9'/>"
          "<body name='first' pos='0 0 .6'><freejoint/>"
          "<geom type='box' size='1 .4 .1' mass='200' friction='.9'/>",
          out);
    for (int i = 0; i < 4; i++) {
        const double x = i < 2 ? 0.8 : -0.8, side = i % 2 ? -1.0 : 1.0;
        fprintf(out, CART_CORNER, x, 0.5 * side, 0.15 * side, i);
    }
    fputs("</body></worldbody><actuator><velocity joint='axle2' kv='200'/>"
          "<velocity joint='axle3' kv='200'/></actuator>",
          out);
}

static const char LEG[] =
    "<body pos='0 %g -.06'><joint type='ball' stiffness='400' damping='20'/>"
    "<geom type='capsule' size='.07 .14' pos='0 0 -.21' mass='8.5'/>"
    "<body pos='0 0 -.42'><joint axis='0 1 0' stiffness='300' damping='10' range='-3 140' "
    "limited='true'/><geom type='capsule' size='.05 .15' pos='0 0 -.21' mass='3.6'/>"
    "<body pos='0 0 -.42'><joint axis='0 1 0' stiffness='200' damping='4'/>"
    "<joint axis='1 0 0' stiffness='200' damping='4'/>"
    "<geom type='box' size='.13 .05 .03' pos='.06 0 -.05' mass='1.1'/></body></body></body>";

static const char ARM[] =
    "<body pos='0 %g .14'><joint axis='0 1 0' stiffness='100' damping='4'/>"
    "<joint axis='1 0 0' stiffness='100' damping='4'/>"
    "<geom type='capsule' size='.045 .11' pos='.1 0 -.1' euler='0 135 0' mass='2.2'/>"
    "<body pos='.2 0 -.2'><joint axis='0 1 0' stiffness='60' damping='2' range='-100 40' "
    "limited='true'/><geom type='capsule' size='.035 .1' pos='.125 0 0' euler='0 90 0' mass='%g'/>"
    "<geom type='box' size='.015 .045 .08' pos='.315 0 0' euler='0 90 0' mass='%g'/></body></body>";

static void write_humanoid(FILE* out)
{
    fputs("<default><geom friction='.8'/></default><worldbody><geom type='plane' size='0 0 1'/>"
          "<body name='first' pos='0 0 1.08'><freejoint/>"
          "<geom type='capsule' size='.09 .09' euler='90 0 0' mass='10'/>"
          "<body pos='0 0 .3'><joint type='ball' pos='0 0 -.2' stiffness='500' damping='30'/>"
          "<geom type='capsule' size='.13 .11' mass='18.943'/>"
          "<geom type='sphere' size='.11' pos='.02 0 .38' mass='5.057'/>",
          out);
    // A body of several shapes has one density: head and hand have their share of the volume.
    for (int side = -1; side <= 1; side += 2) fprintf(out, ARM, 0.21 * side, 1.0996, 0.5004);
    fputs("</body>", out);
    for (int side = -1; side <= 1; side += 2) fprintf(out, LEG, 0.11 * side);
    fputs("</body></worldbody>", out);
}

/// The model as text; free it.
static char* write_model(const char* name, double h)
{
    char* text = NULL;
    size_t size = 0;
    FILE* out = open_memstream(&text, &size);
    if (!out) return NULL;
    fprintf(out, "<mujoco><compiler angle='degree'/><option timestep='%g' gravity='0 0 -9.81'/>",
            h);
    if (strcmp(name, "cart") == 0)
        write_cart(out);
    else
        write_humanoid(out);
    fputs("</mujoco>", out);
    fclose(out);
    return text;
}

static mjModel* load(const char* text)
{
    static const char NAME[] = "small.xml";
    char message[512] = "";
    mjModel* model = NULL;
    mjVFS* files = malloc(sizeof *files);
    if (!files) return NULL;
    mj_defaultVFS(files);
    if (mj_makeEmptyFileVFS(files, NAME, (int)strlen(text)) == 0) {
        memcpy(files->filedata[mj_findFileVFS(files, NAME)], text, strlen(text));
        model = mj_loadXML(NAME, files, message, sizeof message);
    }
    if (!model) fprintf(stderr, "MuJoCo: %s\n", message);
    mj_deleteVFS(files);
    free(files);
    return model;
}

static void destroy(void* data)
{
    scene* s = data;
    if (s->data) mj_deleteData(s->data);
    if (s->model) mj_deleteModel(s->model);
    free(s);
}

static void* create(const char* name, double h)
{
    scene* s = calloc(1, sizeof *s);
    char* text = s ? write_model(name, h) : NULL;
    if (text) s->model = load(text);
    free(text);
    if (s && s->model) s->data = mj_makeData(s->model);
    if (s && s->data) {
        if (strcmp(name, "humanoid") == 0) s->data->qvel[0] = 1.2;
        return s;
    }
    if (s) destroy(s);
    return NULL;
}

/// What the cart's motors are to do: 5 rad/s, a smooth step of a second.
static double wanted_speed(double time)
{
    const double s = fmin(fmax(time - 0.2, 0.0), 1.0);
    return 5.0 * s * s * s * (10.0 + s * (-15.0 + 6.0 * s));
}

static void step(void* data)
{
    const scene* s = data;
    for (int i = 0; i < s->model->nu; i++) s->data->ctrl[i] = wanted_speed(s->data->time);
    mj_step(s->model, s->data);
}

static small_state look(void* data)
{
    const scene* s = data;
    const double* at = s->data->qpos;
    return (small_state){at[0], at[1], at[2], s->data->ncon};
}

const small_peer small_mujoco = {"MuJoCo", "Newton, pyramids", create, step, look, destroy};
