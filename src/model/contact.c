// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/check.h"
#include "model/contact_law.h"

static const uint64_t COOKIE = 0x6b61692d636f6e74; // "kai-cont"

static const char* const METHODS[] = {"none", "nsc", "smc", NULL};
static const char* const FRICTIONS[] = {"coulomb", "associated", NULL};
static const char* const IMPACTS[] = {"poisson", "newton", "sequential", NULL};
static const char* const TANGENTIALS[] = {"history", "one-step", "none", NULL};
static const char* const ADHESIONS[] = {"none", "constant", "dmt", "perko", NULL};

static const kai_param PARAMS[] = {
    KAI_PARAM(
        ENUM, kai_contact_def, method, .words = METHODS,
        .doc =
            "Contact method: none (shapes pass through each other); nsc, complementarity (non-smooth), with impulses in friction cones; smc, penalty (smooth), with forces from a small overlap. nsc needs the integrator euler or euler-implicit, smc any but leapfrog and rk4."),
    KAI_PARAM(
        REAL, kai_contact_def, envelope, .unit = "m", .range = KAI_AT_LEAST(0.0),
        .doc =
            "NSC: gap below which a contact is included; 0: a twentieth of the size of the smallest moving body."),
    KAI_PARAM(REAL, kai_contact_def, recovery_speed, .unit = "m/s", .initial = {0.1},
              .range = KAI_AT_LEAST(0.0), .doc = "NSC: maximum speed at which overlap is removed."),
    KAI_PARAM(REAL, kai_contact_def, restitution_speed, .unit = "m/s", .initial = {0.01},
              .range = KAI_AT_LEAST(0.0), .doc = "NSC: impacts slower than this do not bounce."),
    KAI_PARAM(
        ENUM, kai_contact_def, impact, .words = IMPACTS,
        .doc =
            "NSC: what restitution is. poisson: the ratio of the impulses along the normal after and before the deepest moment; never makes energy. newton: the ratio of the speeds, which makes energy where friction stops the slip. sequential: as poisson, impacts of bodies that touch one after the other, so that one ball leaves Newton's cradle."),
    KAI_PARAM(
        ENUM, kai_contact_def, friction, .words = FRICTIONS,
        .doc =
            "NSC: Coulomb's law, or the convex (associated) problem, in which a body that slides at speed v is lifted by h μ v."),
    KAI_PARAM(BOOL, kai_contact_def, warm_start, .initial = {1.0},
              .doc = "NSC: start the solver from the impulses of the last step."),
    KAI_PARAM(LAW, kai_contact_def, law,
              .doc = "SMC: contact law where materials name none; `hertz` when absent."),
    KAI_PARAM(
        ENUM, kai_contact_def, tangential, .words = TANGENTIALS,
        .doc = "SMC: friction from the displacement since the contact began, from that of the last "
               "step, or none."),
    KAI_PARAM(ENUM, kai_contact_def, adhesion, .words = ADHESIONS,
              .doc = "SMC: attraction of surfaces in contact."),
    KAI_PARAM(
        REAL, kai_contact_def, characteristic_speed, .unit = "m/s", .initial = {1.0},
        .range = KAI_ABOVE(0.0),
        .doc =
            "SMC: impact speed for which the longest stable step is computed, and at which Hooke's stiffness stores the energy of Hertz's law."),
};

const kai_kind kai_contact_kind =
    KAI_KIND("contact", kai_contact_def, PARAMS, .doc = "Contact between shapes.");

kai_contact_def kai_contact_def_default(void)
{
    kai_contact_def def;
    kai_kind_defaults(&kai_contact_kind, &def);
    def.cookie = COOKIE;
    return def;
}

kai_result kai_contact_set(kai_world* world, const kai_contact_def* def)
{
    KAI_CHANGE(world, def);
    kai_error* err = &world->error;
    if (def->cookie != COOKIE)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_contact_set: def is not from kai_contact_def_default");
    KAI_TRY(kai_world_fail(world, __func__, kai_kind_check(&kai_contact_kind, def, err)));
    KAI_TRY(kai_world_fail(world, __func__, kai_contact_law_check(world, def->law, err)));
    world->contact_def = *def;
    world->contact_version++;
    return KAI_OK;
}

kai_contact_def kai_contact_get(const kai_world* world)
{
    KAI_GIVEN_OR((kai_contact_def){0}, world);
    return world->contact_def;
}
