// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/term.h"

static const kai_term* const TERMS[] = {
#define TERM(name) &kai_term_##name,
    KAI_TERM_LIST(TERM)
#undef TERM
};

typedef struct term_attached {
    const kai_term* term;
    void* data;
} term_attached;

enum { BUILT_IN = KAI_COUNT(TERMS) };

/// The i-th term; NULL behind the last one.
static const kai_term* term_at(const kai_world* world, size_t i, void** data)
{
    *data = NULL;
    if (i < BUILT_IN) return TERMS[i];
    if (i - BUILT_IN >= world->terms.count) return NULL;
    const term_attached* attached = (const term_attached*)world->terms.data + (i - BUILT_IN);
    *data = attached->data;
    return attached->term;
}

kai_result kai_term_attach(kai_world* world, const kai_term* term, void* data, kai_error* err)
{
    const term_attached attached = {term, data};
    if (world->terms.stride == 0) world->terms = kai_array_make(sizeof attached);
    return kai_array_append(&world->terms, &world->memory, &attached, 1, err);
}

bool kai_term_attached(const kai_world* world)
{
    const term_attached* attached = world->terms.data;
    for (size_t i = 0; i < world->terms.count; i++)
        if (attached[i].term->forces || attached[i].term->drift || attached[i].term->kick)
            return true;
    return false;
}

// Walks ------------------------------------------------------------------------------------------

kai_result kai_term_needs_all(kai_world* world,
                              kai_result (*require)(const kai_world* world, unsigned capability,
                                                    kai_error* err),
                              kai_error* err)
{
    const kai_term* term;
    void* data;
    for (size_t i = 0; (term = term_at(world, i, &data)); i++) {
        unsigned needed = 0;
        if (term->needs) KAI_TRY(term->needs(world, data, &needed, err));
        for (unsigned bit = 1; needed >= bit && bit != 0; bit <<= 1)
            if (needed & bit) KAI_TRY(require(world, bit, err));
    }
    return KAI_OK;
}

/// What comes before a step and after it is never left half done: a stop is not heard.
kai_result kai_term_prepare_all(kai_world* world, kai_error* err)
{
    const kai_term* term;
    void* data;
    const volatile int* stop = world->stop;
    kai_result r = KAI_OK;
    world->stop = NULL;
    for (size_t i = 0; r == KAI_OK && (term = term_at(world, i, &data)); i++)
        if (term->prepare) r = term->prepare(world, data, err);
    world->stop = stop;
    return r;
}

kai_result kai_term_observe_all(kai_world* world, double time, kai_error* err)
{
    const kai_term* term;
    void* data;
    for (size_t i = 0; (term = term_at(world, i, &data)); i++)
        if (term->observe) KAI_TRY(term->observe(world, data, time, err));
    return KAI_OK;
}

kai_result kai_term_finish_all(kai_world* world, double h, kai_error* err)
{
    const kai_term* term;
    void* data;
    const volatile int* stop = world->stop;
    kai_result r = KAI_OK;
    world->stop = NULL;
    for (size_t i = 0; r == KAI_OK && (term = term_at(world, i, &data)); i++)
        if (term->finish) r = term->finish(world, data, h, err);
    world->stop = stop;
    return r;
}

kai_result kai_term_forces_all(kai_world* world, double time, const kai_fea_options* options,
                               kai_error* err)
{
    const kai_term* term;
    void* data;
    KAI_TRY(kai_term_observe_all(world, time, err));
    for (size_t i = 0; (term = term_at(world, i, &data)); i++)
        if (term->begin) KAI_TRY(term->begin(world, data, err));
    for (size_t i = 0; (term = term_at(world, i, &data)); i++)
        if (term->forces) KAI_TRY(term->forces(world, data, time, options, err));
    return KAI_OK;
}

bool kai_term_needs_velocity(const kai_world* world)
{
    const kai_term* term;
    void* data;
    for (size_t i = 0; (term = term_at(world, i, &data)); i++)
        if (term->needs_velocity && term->needs_velocity(world, data)) return true;
    return false;
}

kai_result kai_term_spend_all(kai_world* world, double time, double seconds, kai_error* err)
{
    const kai_term* term;
    void* data;
    for (size_t i = 0; (term = term_at(world, i, &data)); i++)
        if (term->spend) KAI_TRY(term->spend(world, data, time, seconds, err));
    return KAI_OK;
}

void kai_term_drift_all(kai_world* world, double h)
{
    const kai_term* term;
    void* data;
    for (size_t i = 0; (term = term_at(world, i, &data)); i++)
        if (term->drift) term->drift(world, data, h);
}

void kai_term_kick_all(kai_world* world, double h)
{
    const kai_term* term;
    void* data;
    for (size_t i = 0; (term = term_at(world, i, &data)); i++)
        if (term->kick) term->kick(world, data, h);
}

kai_result kai_term_check_all(const kai_world* world, double time, kai_error* err)
{
    const kai_term* term;
    void* data;
    for (size_t i = 0; (term = term_at(world, i, &data)); i++)
        if (term->check) KAI_TRY(term->check(world, data, time, err));
    return KAI_OK;
}

kai_result kai_term_energy_all(kai_world* world, kai_energy* sum, kai_error* err)
{
    const kai_term* term;
    void* data;
    for (size_t i = 0; (term = term_at(world, i, &data)); i++)
        if (term->energy) KAI_TRY(term->energy(world, data, sum, err));
    return KAI_OK;
}

kai_result kai_term_momentum_all(kai_world* world, kai_vec3* linear, kai_vec3* angular,
                                 kai_error* err)
{
    const kai_term* term;
    void* data;
    for (size_t i = 0; (term = term_at(world, i, &data)); i++)
        if (term->momentum) KAI_TRY(term->momentum(world, data, linear, angular, err));
    return KAI_OK;
}
