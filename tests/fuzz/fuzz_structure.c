// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Meshes of finite elements from anyone: the first byte says m .msh or i .inp, the second which
// element is to be made of it. What is read must become a structure, or be refused with a message.
#include "base/error.h"
#include "scene/structure_data.h"

#include <kairos/kairos.h>
#include <stdlib.h>

static const kai_element_kind* const KINDS[] = {
    &kai_element_bar,  &kai_element_ancf_cable, &kai_element_euler_beam, &kai_element_ancf_shell,
    &kai_element_tet4, &kai_element_tet10,      &kai_element_hex8,       &kai_element_hex20};

static void fuzz_structure_make(const kai_element_kind* kind, const kai_structure_file_params* p)
{
    static _Alignas(16) char element[4096];
    kai_world_def def = kai_world_def_default();
    kai_world* world;
    kai_structure made;
    kai_solid solid;
    def.threads = 1;
    if (kai_world_create(&def, &world, NULL) != KAI_OK) return;
    kai_solid_elastic_params steel;
    kai_kind_defaults(&kai_solid_elastic.kind, &steel);
    steel.young = steel.base.density = 1.0;
    kai_kind_defaults(&kind->kind, element);
    if (kai_solid_create(world, &kai_solid_elastic, &steel, NULL, &solid) == KAI_OK) {
        if (kind == &kai_element_bar) ((kai_element_bar_params*)(void*)element)->area = 1.0;
        for (size_t i = 0; i < kind->kind.param_count; i++)
            if (kind->kind.params[i].type == KAI_PARAM_SOLID)
                *(kai_solid*)(void*)(element + kind->kind.params[i].offset) = solid;
        const kai_result r =
            kai_structure_create(world, &kai_structure_file, p, kind, element, "s", &made);
        if (r != KAI_OK && kai_world_error(world)->message[0] == '\0') abort();
        if (r != KAI_OK && kai_element_count(world) + kai_node_count(world) > 0) abort();
    }
    kai_world_destroy(world);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size < 2) return 0;
    const char* text = (const char*)data + 2;
    const kai_element_kind* kind = KINDS[data[1] % KAI_COUNT(KINDS)];
    kai_error err = {0};
    kai_structure_data mesh;
    kai_structure_file_params p;
    kai_kind_defaults(&kai_structure_file.kind, &p);
    kai_structure_data_init(&mesh, &err);
    kai_result r = data[0] == 'm' ? kai_structure_msh_parse(text, size - 2, &mesh)
                                  : kai_structure_inp_parse(text, size - 2, &mesh);
    if (r == KAI_OK) r = kai_structure_data_take(&mesh, kind, &p);
    kai_structure_data_free(&mesh);
    if (r != KAI_OK) {
        if (err.message[0] == '\0') abort();
        return 0;
    }
    fuzz_structure_make(kind, &p);
    kai_structure_file_free(&p);
    return 0;
}
