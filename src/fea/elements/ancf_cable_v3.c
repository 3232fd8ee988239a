// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Four cables at once: AVX2.
#include "fea/elements/ancf_cable.h"

#ifdef KAI_CPU_GENERATIONS
#pragma GCC target("avx2,fma")
#include "fea/elements/ancf_cable_loops.h"

void kai_ancf_cable_v3(const kai_element_batch* batch) { batch_loop(batch); }
#endif
