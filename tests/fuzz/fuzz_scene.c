// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Scene texts from anyone. Lines at the end that begin with "--set " are taken as overrides. A
// scene that is right takes a step, so that what was let in is looked at, too.
#include <kairos/kairos.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SETS 8

// Cuts trailing lines "--set …" off the text.
static size_t cut_sets(char* text, size_t size, const char* sets[SETS])
{
    size_t count = 0;
    while (count < SETS) {
        text[size] = '\0';
        char* line = strrchr(text, '\n');
        if (!line || strncmp(line + 1, "--set ", 6) != 0) break;
        sets[count++] = line + 7;
        size = (size_t)(line - text);
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    char* text = malloc(size + 1);
    if (!text) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    const char* sets[SETS];
    kai_scene_def def = kai_scene_def_default();
    def.path = "no-such-folder/fuzz.json"; // nothing can be included from there
    def.set_count = memchr(text, '\0', size) ? 0 : cut_sets(text, size, sets);
    def.sets = sets;
    def.text = text;
    def.text_size = def.set_count ? strlen(text) : size;
    def.world.threads = 1;

    kai_scene* scene = NULL;
    const kai_result result = kai_scene_open(&def, &scene, NULL);
    if (!scene || (result == KAI_OK) != (kai_scene_problem_count(scene) == 0)) abort();
    if (result == KAI_OK) {
        // Diverging is allowed, being undefined is not.
        (void)kai_world_step(kai_scene_world(scene), kai_scene_get_settings(scene)->step);
        // What was resolved reads again, to the same scene.
        kai_scene_def again = kai_scene_def_default();
        again.path = def.path;
        again.text = kai_scene_text(scene);
        again.text_size = strlen(again.text);
        again.world.threads = 1;
        kai_scene* second = NULL;
        if (kai_scene_open(&again, &second, NULL) != KAI_OK) abort();
        if (kai_scene_hash(second) != kai_scene_hash(scene)) abort();
        kai_scene_close(second);
    }
    kai_scene_close(scene);
    free(text);
    return 0;
}
