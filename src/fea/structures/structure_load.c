// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Forces and moments on sets that vary in time.
//
// Points take a moment m as the forces of a turn about their common centre: with weights w_i, arms
// r_i and A = Σ w_i (r_i² I - r_i r_iᵀ), F_i = w_i θ × r_i, A θ = m. So Σ F_i = 0, Σ r_i × F_i = m,
// and on the end of a beam of solids they are linear over the section, as bending stress is.
#include "base/error.h"
#include "model/check.h"
#include "model/id.h"
#include "model/structures/structure_force.h"

#include <kairos/element_kinds.h>
#include <string.h>

typedef kai_element_node_load_params node_load;

static bool is_none(const kai_value3* v)
{
    return KAI_IS_NULL(v->x.function) && KAI_IS_NULL(v->y.function) && KAI_IS_NULL(v->z.function) &&
           v->x.constant == 0.0 && v->y.constant == 0.0 && v->z.constant == 0.0;
}

static const kai_element_kind* kind_for(int slopes)
{
    static const kai_element_kind* const KINDS[] = {
        &kai_element_node_load_frames, &kai_element_node_load_0, &kai_element_node_load_1,
        &kai_element_node_load_2};
    return KINDS[slopes + 1];
}

static kai_vec3 place(const kai_world* world, kai_structure structure, const char* set, size_t i)
{
    kai_node_def def;
    const kai_node node = kai_structure_node_at(world, structure, set, i);
    return kai_node_get(world, node, &def) == KAI_OK ? def.position : kai_vec3_zero();
}

/// The centre of a set, and A⁻¹ of it.
static kai_result find_turn(kai_world* world, kai_structure structure, const char* set,
                            const kai_structure_force_shares* s, kai_vec3* centre,
                            kai_mat33* inverse)
{
    const size_t count = kai_structure_size(world, structure, set);
    *centre = kai_vec3_zero();
    for (size_t i = 0; i < count; i++)
        *centre = kai_vec3_mul_add(*centre, place(world, structure, set, i),
                                   s->weight[kai_structure_index(world, structure, set, i)]);
    kai_mat33 a = kai_mat33_zero();
    for (size_t i = 0; i < count; i++) {
        const double w = s->weight[kai_structure_index(world, structure, set, i)];
        const kai_vec3 r = kai_vec3_sub(place(world, structure, set, i), *centre);
        a = kai_mat33_sub(a, kai_mat33_scale(kai_mat33_outer(r, r), w));
        for (int k = 0; k < 3; k++) a.m[k][k] += w * kai_vec3_norm2(r);
    }
    const double size = kai_mat33_max_abs(a);
    if (kai_mat33_determinant(a) > 1e-9 * size * size * size && kai_mat33_inverse(a, inverse))
        return KAI_OK;
    return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                         "set '%s' of structure '%s' cannot take a moment: its %zu nodes lie on a "
                         "line; must be three or more that do not",
                         set ? set : "all", kai_structure_name(world, structure), count);
}

static kai_result add_all(kai_world* world, kai_structure structure, const char* set,
                          const kai_structure_force_shares* s, const node_load* load)
{
    const kai_element_kind* kind =
        kai_element_kind_of(world, kai_structure_element_at(world, structure, 0));
    if (!kind) return kai_error_set(&world->error, KAI_ERROR_ARGUMENT, "it has no elements");
    const bool turns = kind->slopes == 0 && !is_none(&load->moment);
    kai_vec3 centre = kai_vec3_zero();
    kai_mat33 inverse = kai_mat33_zero();
    if (turns) KAI_TRY(find_turn(world, structure, set, s, &centre, &inverse));
    const size_t count = kai_structure_size(world, structure, set);
    for (size_t i = 0; i < count; i++) {
        node_load p = *load;
        kai_element element;
        p.share = s->weight[kai_structure_index(world, structure, set, i)];
        if (kind->slopes < 0) {
            const kai_body body = kai_structure_body_at(world, structure, set, i);
            p.nodes[0] = KAI_ID_AS(kai_node, body);
        } else {
            p.nodes[0] = kai_structure_node_at(world, structure, set, i);
        }
        if (turns) {
            const kai_vec3 r = kai_vec3_sub(place(world, structure, set, i), centre);
            const kai_mat33 lever =
                kai_mat33_scale(kai_mat33_mul(kai_mat33_skew(r), inverse), -1.0);
            memcpy(p.lever, lever.m, sizeof p.lever);
        }
        KAI_TRY(kai_element_create(world, kind_for(kind->slopes), &p, NULL, &element));
    }
    return KAI_OK;
}

kai_result kai_structure_load(kai_world* world, kai_structure structure, const char* set,
                              kai_value3 force, kai_value3 moment)
{
    KAI_CHANGE(world);
    bool frames;
    node_load load;
    kai_structure_force_shares s;
    KAI_TRY(kai_world_fail(world, __func__, kai_structure_check(world, structure, set, &frames)));
    kai_kind_defaults(&kai_element_node_load_0.kind, &load);
    load.force = force;
    load.moment = moment;
    KAI_TRY(kai_world_fail(world, __func__, kai_structure_force_share(world, structure, set, &s)));
    const kai_result r = add_all(world, structure, set, &s, &load);
    kai_structure_force_free(world, &s);
    return kai_world_fail(world, __func__, r);
}
