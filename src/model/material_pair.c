// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/material_pair.h"

#include "model/check.h"
#include "model/contact_law.h"
#include "model/id.h"

typedef kai_material_pair_def def_type;

/// A coefficient; negative: not given, as both materials say.
#define REAL(field, unit_text, range_macro, doc_text)                                \
    {                                                                                \
        .name = #field, .type = KAI_PARAM_REAL, .offset = offsetof(def_type, field), \
        .unit = unit_text, .initial = {-1.0}, .range = range_macro, .doc = doc_text  \
    }

static const kai_param PARAMS[] = {
    KAI_PARAM(
        MATERIAL, def_type, materials, .columns = 2, .required = true,
        .doc =
            "Names of the two materials, in any order; the same name twice: contacts of a material with itself."),
    REAL(friction, NULL, KAI_AT_LEAST(0.0), "Coulomb coefficient of sliding."),
    REAL(static_friction, NULL, KAI_AT_LEAST(0.0),
         "Coulomb coefficient of sticking; with friction alone the sliding one."),
    REAL(rolling_friction, "m", KAI_AT_LEAST(0.0), "Arm of the rolling resistance."),
    REAL(spinning_friction, "m", KAI_AT_LEAST(0.0), "Arm of the spinning resistance."),
    REAL(restitution, NULL, KAI_BETWEEN(0.0, 1.0),
         "Coefficient of restitution: fraction of the normal speed kept in an impact."),
    REAL(cohesion, "N", KAI_AT_LEAST(0.0), "Largest pulling force of a contact."),
    REAL(adhesion, "N", KAI_AT_LEAST(0.0), "Constant attraction of a contact (penalty method)."),
    REAL(compliance, "m/N", KAI_AT_LEAST(0.0), "Softness of a contact (complementarity method)."),
    REAL(damping, "s", KAI_AT_LEAST(0.0),
         "Damping time of a soft contact (complementarity method)."),
    REAL(kn, "N/m", KAI_ABOVE(0.0), "Normal contact stiffness (penalty method)."),
    REAL(kt, "N/m", KAI_ABOVE(0.0), "Tangential contact stiffness."),
    REAL(gn, "N s/m", KAI_AT_LEAST(0.0), "Normal contact damping, instead of restitution."),
    REAL(gt, "N s/m", KAI_AT_LEAST(0.0), "Tangential contact damping."),
    KAI_PARAM(LAW, def_type, law, .doc = "Contact law of the penalty method."),
};

const kai_kind kai_material_pair_kind =
    KAI_KIND("material pair", def_type, PARAMS,
             .doc = "Properties of a pair of materials that do not follow from the two materials.");

kai_material_pair_def kai_material_pair_def_default(void)
{
    kai_material_pair_def def;
    kai_kind_defaults(&kai_material_pair_kind, &def);
    return def;
}

/// Whether a pair is of these two, by id index.
static bool is_of(const kai_material_pair_def* def, uint32_t a, uint32_t b)
{
    const uint32_t x = def->materials[0].index, y = def->materials[1].index;
    return (x == a && y == b) || (x == b && y == a);
}

const kai_material_pair_def* kai_material_pair_between(const kai_store* pairs, uint32_t a,
                                                       uint32_t b)
{
    for (size_t k = 0; k < pairs->batch_count; k++) {
        const kai_store_batch* batch = &pairs->batches[k];
        const kai_material_pair_def* items = batch->items.data;
        for (size_t i = 0; i < batch->items.count; i++)
            if (is_of(&items[i], a, b)) return &items[i];
    }
    return NULL;
}

static kai_result check(const kai_world* world, const kai_material_pair_def* def, kai_error* err)
{
    KAI_TRY(kai_kind_check(&kai_material_pair_kind, def, err));
    for (int k = 0; k < 2; k++)
        if (!kai_store_find(&world->materials, KAI_ID_OF(def->materials[k])))
            return kai_store_id_error(&world->materials, KAI_ID_OF(def->materials[k]), err);
    KAI_TRY(kai_contact_law_check(world, def->law, err));
    const uint32_t a = def->materials[0].index, b = def->materials[1].index;
    if (!kai_material_pair_between(&world->material_pairs, a, b)) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_NAME,
                         "material pair: '%s' with '%s' is given twice; must be given once",
                         kai_store_name(&world->materials, KAI_ID_OF(def->materials[0])),
                         kai_store_name(&world->materials, KAI_ID_OF(def->materials[1])));
}

kai_result kai_material_pair_create(kai_world* world, const kai_material_pair_def* def,
                                    kai_material_pair* out)
{
    KAI_CLEAR(out);
    KAI_CHANGE(world, def, out);
    kai_id id;
    KAI_TRY(kai_world_fail(world, __func__, check(world, def, &world->error)));
    KAI_TRY(kai_world_fail(world, __func__,
                           kai_store_add(&world->material_pairs, &kai_material_pair_kind, def, NULL,
                                         &id, &world->error)));
    *out = KAI_ID_AS(kai_material_pair, id);
    return KAI_OK;
}

kai_result kai_material_pair_get(const kai_world* world, kai_material_pair pair,
                                 kai_material_pair_def* out)
{
    KAI_READ(world, out);
    const kai_material_pair_def* def = kai_store_at(&world->material_pairs, KAI_ID_OF(pair));
    if (!def)
        return kai_world_fail(
            world, __func__,
            kai_store_id_error(&world->material_pairs, KAI_ID_OF(pair), kai_world_error_of(world)));
    *out = *def;
    return KAI_OK;
}

size_t kai_material_pair_count(const kai_world* world)
{
    KAI_GIVEN_OR(0, world);
    return world->material_pairs.count;
}
