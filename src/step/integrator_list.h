// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The built-in integrators. A new one is one file, integrator_<name>.c, and one word here.
#ifndef STEP_INTEGRATOR_LIST_H
#define STEP_INTEGRATOR_LIST_H

#define KAI_INTEGRATOR_KINDS(X) \
    X(euler)                    \
    X(leapfrog)                 \
    X(rk4)                      \
    X(euler_implicit)           \
    X(trapezoidal)              \
    X(newmark)                  \
    X(hht)

#endif
