// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The kind `flores`; law_flores.h has the law.
#include "model/laws/law_flores.h"

static void flores_normal(const void* instance, const kai_contact_touch* touches, size_t count,
                          double h, kai_contact_normal* out)
{
    (void)instance;
    for (size_t i = 0; i < count; i++) {
        const kai_contact_coefficients* p = touches[i].pair;
        const kai_contact_pressed s = kai_contact_pressed_of(&touches[i], h);
        double* speed = &touches[i].history->impact_speed;
        *speed = fmax(*speed, -s.departure);
        out[i] = kai_law_flores(p->young, 8.0 * p->shear, p->hysteresis, *speed, s);
        if (p->gn > 0.0) out[i].damping = out[i].gt = p->gn;
        if (p->gt > 0.0) out[i].gt = p->gt;
        if (p->kt > 0.0) out[i].kt = p->kt;
    }
}

const kai_contact_law_kind kai_contact_law_flores = {
    .kind =
        {.name = "flores",
         .size = sizeof(char), // an instance that nothing is in
         .doc =
             "Hertz's normal force with hysteresis damping, which never pulls; needs short steps where the restitution is small."},
    .normal = flores_normal,
    .no_pull = true};
