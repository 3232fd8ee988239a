// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "view/live.h"

#include <math.h>
#include <string.h>
#include <time.h>

static const double DEAD = 0.05; // of an axis: game pads are never quite at rest

// Lets all sliders go.
static void live_unslide(kai_live* live)
{
    for (size_t i = 0; i < KAI_LIVE_CONTROLS; i++) live->slid[i] = (double)NAN;
}

kai_result kai_live_init(kai_live* live, kai_error* err)
{
    *live = (kai_live){.speed = 1.0};
    live_unslide(live);
    pthread_condattr_t attributes;
    if (pthread_mutex_init(&live->lock, NULL) != 0 || pthread_condattr_init(&attributes) != 0 ||
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) != 0 ||
        pthread_cond_init(&live->changed, &attributes) != 0)
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a lock");
    pthread_condattr_destroy(&attributes);
    return KAI_OK;
}

static void live_press(kai_live_hands* hands, const char* key, bool down)
{
    int unused = -1;
    for (int i = 0; i < KAI_LIVE_KEYS; i++) {
        if (hands->keys[i][0] == '\0') {
            unused = i;
            continue;
        }
        if (strcmp(hands->keys[i], key) != 0) continue;
        if (!down) hands->keys[i][0] = '\0';
        return;
    }
    if (down && unused >= 0) memcpy(hands->keys[unused], key, KAI_MESSAGE_KEY);
}

static void set_gamepad(kai_live_hands* hands, const kai_message* m)
{
    memcpy(hands->axes, m->axes, sizeof hands->axes);
    memcpy(hands->buttons, m->buttons, sizeof hands->buttons);
}

// With the lock held.
static void live_obey(kai_live* live, int viewer, const kai_message* m)
{
    kai_live_hands* hands = &live->hands[viewer];
    switch (m->type) {
    case KAI_MESSAGE_READY: return;
    case KAI_MESSAGE_PAUSE:
        live->paused = true;
        live->steps_left = 0;
        break;
    case KAI_MESSAGE_CONTINUE:
        live->paused = false;
        live->steps_left = 0;
        break;
    case KAI_MESSAGE_STEP:
        live->paused = true;
        live->steps_left += m->count;
        break;
    case KAI_MESSAGE_SPEED: live->speed = m->factor; break;
    case KAI_MESSAGE_DRAG:
        hands->pull = (kai_live_pull){.active = true,
                                      .changed = true,
                                      .mover = (size_t)m->count,
                                      .point = m->point,
                                      .target = m->target};
        live->touched = true;
        break;
    case KAI_MESSAGE_RELEASE:
        live->touched = live->touched || hands->pull.active;
        hands->pull = (kai_live_pull){.changed = true};
        break;
    case KAI_MESSAGE_PRESS:
        live_press(hands, m->key, m->down);
        live->touched = true;
        break;
    case KAI_MESSAGE_GAMEPAD:
        set_gamepad(hands, m);
        live->touched = true;
        break;
    case KAI_MESSAGE_CONTROL:
        live->slid[m->count] = m->value;
        live->touched = true;
        break;
    case KAI_MESSAGE_SHOW:
        hands->contacts = m->contacts;
        memcpy(hands->field, m->field, sizeof hands->field);
        live->asked = true;
        break;
    }
    pthread_cond_signal(&live->changed);
}

kai_result kai_live_hear(kai_live* live, int viewer, const kai_message* m, size_t movers,
                         kai_error* err)
{
    if (m->type == KAI_MESSAGE_DRAG && (size_t)m->count >= movers)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "drag: there is no body %ld", m->count);
    if (m->type == KAI_MESSAGE_CONTROL && m->count >= KAI_LIVE_CONTROLS)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "control: %ld has no slider", m->count);
    pthread_mutex_lock(&live->lock);
    live_obey(live, viewer, m);
    pthread_mutex_unlock(&live->lock);
    return KAI_OK;
}

void kai_live_join(kai_live* live)
{
    pthread_mutex_lock(&live->lock);
    live->viewers++;
    pthread_mutex_unlock(&live->lock);
}

void kai_live_leave(kai_live* live, int viewer)
{
    pthread_mutex_lock(&live->lock);
    live->viewers--;
    live->wanting &= ~(1u << viewer);
    live->hands[viewer] = (kai_live_hands){.pull = {.changed = true}};
    live->touched = true;
    // Nobody is left to say "continue", or to move a slider.
    if (live->viewers == 0) {
        live->paused = false;
        live_unslide(live);
    }
    pthread_cond_signal(&live->changed);
    pthread_mutex_unlock(&live->lock);
}

void kai_live_want(kai_live* live, int viewer, bool wants)
{
    pthread_mutex_lock(&live->lock);
    if (wants)
        live->wanting |= 1u << viewer;
    else
        live->wanting &= ~(1u << viewer);
    pthread_mutex_unlock(&live->lock);
}

static bool is_down(const kai_live_hands* hands, const char* key)
{
    for (int i = 0; key[0] != '\0' && i < KAI_LIVE_KEYS; i++)
        if (strcmp(hands->keys[i], key) == 0) return true;
    return false;
}

double kai_live_goal(const kai_live* live, size_t number, const kai_function_control_params* p)
{
    double push = 0.0; // -1: low, 0: initial, 1: high
    for (int v = 0; v < KAI_SERVER_VIEWERS; v++) {
        const kai_live_hands* hands = &live->hands[v];
        push += is_down(hands, p->key.text) - is_down(hands, p->key_low.text);
        if (p->button >= 0 && p->button < KAI_MESSAGE_BUTTONS) push += hands->buttons[p->button];
        if (p->axis >= 0 && p->axis < KAI_MESSAGE_AXES && fabs(hands->axes[p->axis]) > DEAD)
            push += hands->axes[p->axis];
    }
    push = fmin(fmax(push, -1.0), 1.0);
    if (push == 0.0 && number < KAI_LIVE_CONTROLS && !isnan(live->slid[number]))
        return fmin(fmax(live->slid[number], p->low), p->high);
    return p->initial + push * (push > 0.0 ? p->high - p->initial : p->initial - p->low);
}

void kai_live_free(kai_live* live)
{
    pthread_cond_destroy(&live->changed);
    pthread_mutex_destroy(&live->lock);
}
