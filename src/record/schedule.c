// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/schedule.h"

#include <math.h>

kai_schedule kai_schedule_make(double every, double step)
{
    const double ratio = every / step;
    if (!(ratio > 1.0)) return (kai_schedule){1.0, 1};
    // Decimal intervals and steps are not exact in binary: what is a whole number but for that, is
    // one.
    const double whole = round(ratio);
    const double slack = 1e-9 * ratio;
    if (fabs(ratio - whole) <= slack && whole < 9e18) return (kai_schedule){whole, (uint64_t)whole};
    return (kai_schedule){ratio, 0};
}

uint64_t kai_schedule_due(const kai_schedule* schedule, uint64_t k)
{
    if (schedule->multiple > 0)
        return k > UINT64_MAX / schedule->multiple ? UINT64_MAX : k * schedule->multiple;
    const double due = ceil((double)k * schedule->ratio - 1e-6);
    return due <= 0.0 ? 0 : due < 1.8e19 ? (uint64_t)due : UINT64_MAX;
}
