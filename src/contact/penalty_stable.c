// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The largest safe step of a contact.
//
// With the velocity half a step behind, a mode of angular frequency ω and damping ratio ζ is stable
// for h ω < 2 (√(1 + ζ²) - ζ). A contact has two modes: the normal one, k and γ on the mass m, and
// the tangential one, kt and γt on 2/7 m for spheres. A sphere amid twelve others vibrates faster:
// 2.3 times as fast as a pair in a crystal of equal spheres, whose damping ratio grows as much
// (tests/contact/test_penalty_packing.c). Hence, with ω and ζ of a pair,
//
//     h = 0.2 π / ω · (√(1 + (2.5 ζ)²) - 2.5 ζ)
//
// which is a tenth of the period without damping, and about two thirds of the crystal's limit.
// Steps longer than that get damping that is capped (kai_law_cap), and with it more
// restitution: the bound keeps the restitution, and stops shrinking at a tenth of the step without
// damping.
#include "contact/penalty.h"
#include "model/laws/law.h"

static const double SHARE = 0.1;      // of a period
static const double NEIGHBOURS = 2.5; // frequency of a particle among many over that of a pair
static const double LEAST = 0.1;      // of the step without damping

/// What a law says about a touch at rest, as if the step were short.
static kai_contact_normal at_rest(const kai_penalty_law* law, const kai_contact_coefficients* pair,
                                  double radius, double mass, double speed, double overlap)
{
    kai_contact_history past = {.impact_speed = speed};
    const kai_contact_touch touch = {.overlap = overlap,
                                     .radius = radius,
                                     .mass = mass,
                                     .radius_a = 2.0 * radius,
                                     .radius_b = 2.0 * radius,
                                     .normal = {1.0, 0.0, 0.0},
                                     .pair = pair,
                                     .history = &past};
    kai_contact_normal out = {.force = 0.0};
    law->kind->normal(law->instance, &touch, 1, 1e-100, &out);
    return out;
}

/// The overlap at which all of m v²/2 is stored; 0 when that is nowhere.
static double deepest(const kai_penalty_law* law, const kai_contact_coefficients* pair,
                      double radius, double mass, double speed)
{
    const double energy = 0.5 * mass * speed * speed;
    double low = 0.0, high = 1e-12 * radius;
    for (int i = 0; !(at_rest(law, pair, radius, mass, speed, high).energy >= energy); i++) {
        if (i == 60) return 0.0;
        low = high, high *= 2.0;
    }
    for (int i = 0; i < 40; i++) {
        const double middle = 0.5 * (low + high);
        if (at_rest(law, pair, radius, mass, speed, middle).energy < energy)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/// The safe step of one mode.
static double step_of(double k, double g, double mass)
{
    if (!(k > 0.0)) return HUGE_VAL;
    const double omega = sqrt(k / mass), ratio = NEIGHBOURS * g / (2.0 * mass * omega);
    return SHARE * 2.0 * KAI_PI / omega * fmax(sqrt(1.0 + ratio * ratio) - ratio, LEAST);
}

double kai_penalty_stable_step(const kai_penalty_law* law, const kai_contact_coefficients* pair,
                               double radius, double mass, double speed)
{
    if (!law->kind->normal) return HUGE_VAL;
    const double depth = deepest(law, pair, radius, mass, speed);
    if (!(depth > 0.0)) return HUGE_VAL;
    const double d = 1e-4 * depth;
    const kai_contact_normal there = at_rest(law, pair, radius, mass, speed, depth),
                             less = at_rest(law, pair, radius, mass, speed, depth - d),
                             more = at_rest(law, pair, radius, mass, speed, depth + d);
    const double k = (more.force - less.force) / (2.0 * d);
    const double normal = step_of(k, there.damping, mass);
    if (law->tangential == KAI_CONTACT_TANGENTIAL_NONE) return normal;
    return fmin(normal, step_of(there.kt, there.gt, KAI_LAW_SHARE * mass));
}
