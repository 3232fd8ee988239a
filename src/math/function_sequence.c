// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// y(x) = f_k(x - T_k) for T_k ≤ x < T_{k+1}, T_0 = 0, T_{k+1} = T_k + duration_k. Before 0 the
// first piece, after the end the last piece goes on.
#include <kairos/function.h>

typedef kai_function_sequence_params params;

static kai_jet evaluate(const kai_function_set* set, const void* instance, double x)
{
    const params* p = instance;
    const kai_function_piece* pieces = p->pieces.items;
    double begin = 0.0;
    uint32_t k = 0;
    while (k + 1 < p->pieces.count && x >= begin + pieces[k].duration)
        begin += pieces[k++].duration;
    return kai_function_set_value(set, &pieces[k].value, x - begin);
}

static const kai_param PIECE_PARAMS[] = {
    KAI_PARAM(REAL, kai_function_piece, duration, .unit = "s", .required = true,
              .range = KAI_ABOVE(0.0), .doc = "How long this piece lasts."),
    KAI_PARAM(VALUE, kai_function_piece, value, .required = true,
              .doc = "Number or function; its clock starts with the piece."),
};

static const kai_kind PIECE =
    KAI_KIND("piece", kai_function_piece, PIECE_PARAMS, .doc = "One piece of a sequence.");

static const kai_param PARAMS[] = {
    KAI_PARAM(LIST, params, pieces, .item = &PIECE, .main = true, .required = true,
              .doc = "Pieces, one after the other; the last one continues."),
};

const kai_function_kind kai_function_sequence = {
    .kind = KAI_KIND("sequence", params, PARAMS,
                     .doc = "One function after the other, each with its own clock."),
    .evaluate = evaluate};
