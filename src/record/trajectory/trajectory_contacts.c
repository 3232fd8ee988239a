// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/trajectory/trajectory_contacts.h"

#include <kairos/contact.h>
#include <stdlib.h>
#include <string.h>

static kai_result make_room(kai_trajectory_contacts_list* list, size_t count, kai_error* err)
{
    if (count <= list->capacity) return KAI_OK;
    size_t capacity = count + count / 2;
    if (capacity > KAI_TRAJECTORY_CONTACTS) capacity = KAI_TRAJECTORY_CONTACTS;
    double* numbers = realloc(list->numbers, 10 * capacity * sizeof *numbers);
    if (numbers != NULL) list->numbers = numbers;
    uint32_t* bodies = realloc(list->bodies, 2 * capacity * sizeof *bodies);
    if (bodies != NULL) list->bodies = bodies;
    if (numbers == NULL || bodies == NULL)
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for the contacts of a frame");
    list->capacity = capacity;
    return KAI_OK;
}

kai_result kai_trajectory_contacts_gather(kai_trajectory_contacts_list* list, kai_world* world,
                                          kai_trajectory_contacts* out, kai_error* err)
{
    const size_t found = kai_collision_count(world);
    const size_t n = found < KAI_TRAJECTORY_CONTACTS ? found : KAI_TRAJECTORY_CONTACTS;
    *out = (kai_trajectory_contacts){0};
    if (n == 0) return KAI_OK;
    KAI_TRY(make_room(list, n, err));
    double *point = list->numbers, *normal = point + 3 * n, *gap = normal + 3 * n, *force = gap + n;
    // With contact forces, the contacts are those of the step, in the same order.
    const bool pushing = kai_contact_report_count(world) == found;
    for (size_t i = 0; i < n; i++) {
        kai_contact_report report;
        kai_collision_contact* c = &report.contact;
        if (pushing) {
            KAI_TRY(kai_contact_report_at(world, i * found / n, &report));
            memcpy(force + 3 * i, &report.force, 3 * sizeof *force);
        } else {
            KAI_TRY(kai_collision_at(world, i * found / n, c));
        }
        const kai_vec3 middle = kai_vec3_scale(kai_vec3_add(c->point_a, c->point_b), 0.5);
        memcpy(point + 3 * i, &middle, 3 * sizeof *point);
        memcpy(normal + 3 * i, &c->normal, 3 * sizeof *normal);
        gap[i] = c->gap;
        list->bodies[2 * i] = c->body_a.index;
        list->bodies[2 * i + 1] = c->body_b.index;
    }
    *out = (kai_trajectory_contacts){n,           found, point, normal, gap, pushing ? force : NULL,
                                     list->bodies};
    return KAI_OK;
}

void kai_trajectory_contacts_free(kai_trajectory_contacts_list* list)
{
    free(list->numbers);
    free(list->bodies);
    *list = (kai_trajectory_contacts_list){0};
}
