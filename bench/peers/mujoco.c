// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// MuJoCo: reduced coordinates, semi-implicit Euler. The model is MJCF text, made in memory. Its XML
// reader takes at most 100 nested elements, and each link is one inside the other.
#include "peers/chain.h"

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct scene {
    mjModel* model;
    mjData* data;
} scene;

/// The model as text; free it.
static char* write_model(int links)
{
    char* text = NULL;
    size_t size = 0;
    FILE* out = open_memstream(&text, &size);
    if (!out) return NULL;
    fprintf(out,
            "<mujoco><option timestep=\"%g\" gravity=\"0 %g 0\" integrator=\"Euler\"/><worldbody>",
            CHAIN_STEP, CHAIN_GRAVITY);
    for (int i = 0; i < links; i++)
        fprintf(out,
                "<body pos=\"%g 0 0\"><joint type=\"hinge\" axis=\"0 0 1\"/><geom type=\"box\" "
                "pos=\"%.9g 0 0\" size=\"%.9g %.9g %.9g\" density=\"%g\" contype=\"0\" "
                "conaffinity=\"0\"/>",
                i ? CHAIN_LENGTH : 0.0, 0.5 * CHAIN_LENGTH, 0.5 * CHAIN_LENGTH, 0.5 * CHAIN_WIDTH,
                0.5 * CHAIN_WIDTH, CHAIN_DENSITY);
    for (int i = 0; i < links; i++) fputs("</body>", out);
    fputs("</worldbody></mujoco>", out);
    fclose(out);
    return text;
}

static mjModel* load(const char* text)
{
    static const char NAME[] = "chain.xml";
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

static void* create(int links)
{
    scene* s = calloc(1, sizeof *s);
    char* text = write_model(links);
    if (s && text) s->model = load(text);
    free(text);
    if (s && s->model) s->data = mj_makeData(s->model);
    if (s && s->data) return s;
    free(s);
    return NULL;
}

static void step(void* data, int count)
{
    const scene* s = data;
    for (int i = 0; i < count; i++) mj_step(s->model, s->data);
}

static double tip(void* data)
{
    const scene* s = data;
    return s->data->xipos[3 * (s->model->nbody - 1) + 1];
}

static void destroy(void* data)
{
    scene* s = data;
    mj_deleteData(s->data);
    mj_deleteModel(s->model);
    free(s);
}

const chain_peer chain_mujoco = {"MuJoCo", "Euler, reduced", 90, create, step, tip, NULL, destroy};
