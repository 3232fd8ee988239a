// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "control/event_action.h"
#include "scene/builder.h"
#include "scene/sections.h"

/// Keys of actions that name something, and the names that the scene declares.
static const struct {
    const char *key, *family;
    size_t names; // in kai_builder
} NAMING[] = {{"joint", "joint", offsetof(kai_builder, reader.joints)},
              {"motor", "motor", offsetof(kai_builder, motors)},
              {"force", "load", offsetof(kai_builder, loads)},
              {"coupling", "coupling", offsetof(kai_builder, couplings)},
              {"body", "body", offsetof(kai_builder, reader.bodies)}};

/// Reports names that nobody has, where they stand. What structures and coordinates of joints make
/// has names too.
static bool check_names(kai_builder* builder, const kai_document_node* action)
{
    bool ok = true;
    for (size_t i = 0; i < KAI_COUNT(NAMING); i++) {
        const kai_document_node* name = kai_document_get(action, NAMING[i].key);
        const kai_names* names = (const void*)((const char*)builder + NAMING[i].names);
        if (!name || name->kind != KAI_DOCUMENT_STRING ||
            !KAI_IS_NULL(kai_names_find(names, name->string)))
            continue;
        ok = kai_reader_unknown_name(&builder->reader, name, NAMING[i].family, names) && ok;
    }
    return ok;
}

/// Whether all actions can be done, told where each stands.
static bool check_actions(kai_builder* builder, const kai_document_node* node,
                          const kai_event_def* def)
{
    kai_reader* reader = &builder->reader;
    const kai_document_node* list = kai_document_get(node, "actions");
    const kai_document_node* action = list ? list->first : NULL;
    bool ok = true;
    for (uint32_t i = 0; action && i < def->actions.count; i++, action = action->next) {
        kai_error err = {0};
        if (!check_names(builder, action)) {
            ok = false;
        } else if (!reader->unresolved &&
                   kai_event_action_check(reader->world,
                                          (const kai_event_action*)def->actions.items + i,
                                          &err) != KAI_OK) {
            ok = kai_reader_report(reader, action, "%s", err.message);
        }
    }
    return ok;
}

static void read_event(kai_builder* builder, const kai_document_node* node, bool first)
{
    kai_reader* reader = &builder->reader;
    kai_sections_element common;
    kai_event_def def = kai_event_def_default();
    kai_event event;
    kai_kind_defaults(&kai_sections_event_kind, &common);
    const kai_reader_part parts[] = {{&kai_sections_event_kind, &common}, {&kai_event_kind, &def}};
    if (!kai_reader_object(reader, node, parts, 2, NULL, 0)) return;
    // Things that could not be made have told their own problems.
    if (reader->problems->count == 0 && !check_actions(builder, node, &def)) return;
    if (first && kai_event_create(reader->world, &def, common.name.text, &event) != KAI_OK)
        kai_reader_failed(reader, node);
}

void kai_builder_events(kai_builder* builder)
{
    kai_builder_each(builder, "events", "event", &builder->events, read_event);
}
