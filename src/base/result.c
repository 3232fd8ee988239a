// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include <kairos/result.h>

const char* kai_result_text(kai_result code)
{
    switch (code) {
#define KAI_RESULT_CASE(name, text) \
    case KAI_##name: return text;
        KAI_RESULTS(KAI_RESULT_CASE)
#undef KAI_RESULT_CASE
    case KAI_RESULT_COUNT: break;
    }
    return "unknown code";
}

const char* kai_result_name(kai_result code)
{
    switch (code) {
#define KAI_RESULT_CASE(name, text) \
    case KAI_##name: return "KAI_" #name;
        KAI_RESULTS(KAI_RESULT_CASE)
#undef KAI_RESULT_CASE
    case KAI_RESULT_COUNT: break;
    }
    return "unknown code";
}
