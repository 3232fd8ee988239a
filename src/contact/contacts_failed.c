// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "contact/contacts_failed.h"

#include "model/label.h"

#include <stdio.h>

enum { NAME = KAI_STRING_SIZE + 96 };

void kai_contacts_failed_pair(const kai_world* world, size_t i, char* out, size_t size)
{
    char first[NAME], second[NAME];
    uint32_t a, b;
    kai_contacts_owners(world, i, &a, &b);
    kai_label_body(world, a & ~KAI_BROAD_FIXED, first, sizeof first);
    kai_label_body(world, b & ~KAI_BROAD_FIXED, second, sizeof second);
    snprintf(out, size, "contact of %s with %s", first, second);
}

/// What of a contact to tell: the body that moves, if its numbers overflow.
static void describe_overflow(const kai_world* world, size_t i, char* out, size_t size)
{
    uint32_t a, b;
    kai_contacts_owners(world, i, &a, &b);
    kai_label_overflow(world, (a & KAI_BROAD_FIXED ? b : a) & ~KAI_BROAD_FIXED, out, size);
    if (!out[0]) kai_label_overflow(world, b & ~KAI_BROAD_FIXED, out, size);
}

static kai_result tell(const kai_world* world, size_t i, kai_vec3 force, double time,
                       kai_error* err)
{
    char pair[2 * NAME + 32], overflow[512];
    kai_contacts_failed_pair(world, i, pair, sizeof pair);
    describe_overflow(world, i, overflow, sizeof overflow);
    const double gap = world->collision->proximity.contacts[i].contact.gap;
    return kai_error_set(err, KAI_ERROR_DIVERGED,
                         "%s: force [%g, %g, %g] N at an overlap of %.3g m, at t = %.9g s, is not "
                         "finite%s",
                         pair, kai_label_number(force.x), kai_label_number(force.y),
                         kai_label_number(force.z), kai_label_number(-gap), time, overflow);
}

/// The deepest contact of a body in the present list; SIZE_MAX: it has none.
static size_t deepest_of(const kai_world* world, size_t slot)
{
    const kai_proximity* p = &world->collision->proximity;
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < p->contact_count; i++) {
        uint32_t a, b;
        kai_contacts_owners(world, i, &a, &b);
        if ((a & ~KAI_BROAD_FIXED) != slot && (b & ~KAI_BROAD_FIXED) != slot) continue;
        if (found == SIZE_MAX || p->contacts[i].contact.gap < p->contacts[found].contact.gap)
            found = i;
    }
    return found;
}

static bool is_finite(const kai_wrench* w)
{
    return kai_vec3_is_finite(w->force) && kai_vec3_is_finite(w->torque);
}

/// A sphere on the fast way: forces are known body by body alone. All contacts are found again.
static kai_result tell_grain(kai_world* world, size_t slot, kai_vec3 force, double time,
                             kai_error* err)
{
    const bool found = kai_collision_update(world, NULL) == KAI_OK;
    world->collision->proximity.changed = true; // the next step finds pairs anew
    if (found) {
        const size_t i = deepest_of(world, slot);
        if (i != SIZE_MAX) return tell(world, i, force, time, err);
    }
    char body[NAME], overflow[512];
    kai_label_body(world, slot, body, sizeof body);
    kai_label_overflow(world, slot, overflow, sizeof overflow);
    return kai_error_set(err, KAI_ERROR_DIVERGED,
                         "contacts of %s: force [%g, %g, %g] N at t = %.9g s is not finite%s", body,
                         kai_label_number(force.x), kai_label_number(force.y),
                         kai_label_number(force.z), time, overflow);
}

kai_result kai_contacts_failed(kai_world* world, double time, kai_error* err)
{
    const kai_contacts* c = world->contact;
    if (!c || !c->busy) return KAI_OK;
    const kai_wrench* force = c->force.data;
    const size_t count = world->collision->proximity.contact_count;
    for (size_t i = 0; i < count && i < c->force.count; i++)
        if (!is_finite(&force[i])) return tell(world, i, force[i].force, time, err);
    if (!c->fast || c->sums.count < world->bodies.count) return KAI_OK;
    const kai_wrench* sums = c->sums.data;
    size_t found = SIZE_MAX;
    for (size_t k = 0; k < world->bodies.count && found == SIZE_MAX; k++)
        if (!is_finite(&sums[k]) && !(world->bodies.motion[k].flags & KAI_BODY_FIXED)) found = k;
    return found == SIZE_MAX ? KAI_OK : tell_grain(world, found, sums[found].force, time, err);
}
