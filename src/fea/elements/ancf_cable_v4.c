// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Eight cables at once: AVX-512.
#include "fea/elements/ancf_cable.h"

#ifdef KAI_CPU_GENERATIONS
#pragma GCC target("avx2,fma,avx512f,avx512vl,avx512dq,avx512bw")
#include "fea/elements/ancf_cable_loops.h"

void kai_ancf_cable_v4(const kai_element_batch* batch) { batch_loop(batch); }
#endif
