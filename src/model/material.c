// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/check.h"
#include "model/contact_law.h"
#include "model/id.h"

#include <string.h>

typedef kai_material_def def_type;

#define REAL(field, unit_text, range_macro, default_value, doc_text)                         \
    {                                                                                        \
        .name = #field, .type = KAI_PARAM_REAL, .offset = offsetof(def_type, field),         \
        .unit = unit_text, .initial = {default_value}, .range = range_macro, .doc = doc_text \
    }

static const kai_param PARAMS[] = {
    KAI_PARAM(STRING, def_type, name, .hidden = true),
    REAL(density, "kg/m³", KAI_ABOVE(0.0), 0.0,
         "Used where a body or particle group gives no density."),
    REAL(friction, NULL, KAI_AT_LEAST(0.0), 0.6, "Coulomb coefficient of sliding."),
    REAL(static_friction, NULL, KAI_AT_LEAST(0.0), -1.0,
         "Coulomb coefficient of sticking; the sliding one when absent."),
    REAL(rolling_friction, "m", KAI_AT_LEAST(0.0), 0.0, "Arm of the rolling resistance."),
    REAL(spinning_friction, "m", KAI_AT_LEAST(0.0), 0.0, "Arm of the spinning resistance."),
    REAL(restitution, NULL, KAI_BETWEEN(0.0, 1.0), 0.0,
         "Coefficient of restitution: fraction of the normal speed kept in an impact."),
    REAL(cohesion, "N", KAI_AT_LEAST(0.0), 0.0, "Largest pulling force of a contact."),
    REAL(adhesion, "N", KAI_AT_LEAST(0.0), 0.0,
         "Constant attraction of a contact (penalty method)."),
    REAL(compliance, "m/N", KAI_AT_LEAST(0.0), 0.0,
         "Softness of a contact (complementarity method)."),
    REAL(damping, "s", KAI_AT_LEAST(0.0), 0.0,
         "Damping time of a soft contact (complementarity method)."),
    REAL(young, "Pa", KAI_ABOVE(0.0), 2e5, "Young's modulus (penalty method)."),
    REAL(poisson, NULL, KAI_BETWEEN(-0.999, 0.5), 0.3, "Poisson's ratio (penalty method)."),
    REAL(kn, "N/m", KAI_ABOVE(0.0), 0.0, "Normal contact stiffness, instead of young and poisson."),
    REAL(kt, "N/m", KAI_ABOVE(0.0), 0.0, "Tangential contact stiffness."),
    REAL(gn, "N s/m", KAI_AT_LEAST(0.0), 0.0, "Normal contact damping, instead of restitution."),
    REAL(gt, "N s/m", KAI_AT_LEAST(0.0), 0.0, "Tangential contact damping."),
    KAI_PARAM(
        LAW, def_type, law,
        .doc =
            "Contact law of the penalty method, also for contacts with materials that name none; the law of `contact` when absent, and where two materials name different laws."),
};

const kai_kind kai_material_kind =
    KAI_KIND("material", def_type, PARAMS, .doc = "Surface and bulk properties.");

kai_material_def kai_material_def_default(void)
{
    kai_material_def def;
    kai_kind_defaults(&kai_material_kind, &def);
    return def;
}

kai_result kai_material_create(kai_world* world, const kai_material_def* def, kai_material* out)
{
    KAI_CLEAR(out);
    KAI_CHANGE(world, def, out);
    kai_id id;
    if (!memchr(def->name.text, 0, sizeof def->name.text))
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                             "kai_material_create: material: name has no end; at most 255 bytes");
    KAI_TRY(kai_world_fail(world, __func__, kai_contact_law_check(world, def->law, &world->error)));
    KAI_TRY(kai_world_fail(world, __func__,
                           kai_store_add(&world->materials, &kai_material_kind, def, def->name.text,
                                         &id, &world->error)));
    *out = KAI_ID_AS(kai_material, id);
    return KAI_OK;
}

kai_result kai_material_get(const kai_world* world, kai_material material, kai_material_def* out)
{
    KAI_READ(world, out);
    const kai_material_def* def = kai_store_at(&world->materials, KAI_ID_OF(material));
    if (!def)
        return kai_world_fail(
            world, __func__,
            kai_store_id_error(&world->materials, KAI_ID_OF(material), kai_world_error_of(world)));
    *out = *def;
    return KAI_OK;
}

kai_material kai_material_find(const kai_world* world, const char* name)
{
    KAI_GIVEN_OR((kai_material){0}, world, name);
    const kai_id id = kai_names_find(&world->materials.names, name);
    return KAI_ID_AS(kai_material, id);
}

size_t kai_material_count(const kai_world* world)
{
    KAI_GIVEN_OR(0, world);
    return world->materials.count;
}
