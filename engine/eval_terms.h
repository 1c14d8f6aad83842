/* SPDX-License-Identifier: MIT
 * The one list of evaluation terms. Everything that knows terms (evaluation, features, tuner,
 * header, loader, report, tests) is generated from it.
 *
 * X(NAME, count, description). A term's values are "White minus Black": index i of a piece-square
 * term is the square as White sees it, a1 = 0 … h8 = 63; a black piece on s counts at s ^ 56. */
#ifndef TABIA_ENGINE_EVAL_TERMS_H
#define TABIA_ENGINE_EVAL_TERMS_H

#define EVAL_TERM_LIST(X)                                                                          \
    X(MATERIAL, 5, "value of a pawn, knight, bishop, rook, queen")                                 \
    X(PAWN_PST, 64, "pawn by square, a1 first")                                                    \
    X(KNIGHT_PST, 64, "knight by square, a1 first")                                                \
    X(BISHOP_PST, 64, "bishop by square, a1 first")                                                \
    X(ROOK_PST, 64, "rook by square, a1 first")                                                    \
    X(QUEEN_PST, 64, "queen by square, a1 first")                                                  \
    X(KING_PST, 64, "king by square, a1 first")

/* EVAL_MATERIAL, EVAL_PAWN_PST, … are the offsets of the terms; EVAL_MATERIAL_COUNT, … their
 * lengths; EVAL_TERMS the total. */
#define EVAL_TERM_ENUM(NAME, n, text)                                                              \
    EVAL_##NAME, EVAL_##NAME##_COUNT = (n), EVAL_##NAME##_LAST = EVAL_##NAME + (n)-1,
enum { EVAL_TERM_LIST(EVAL_TERM_ENUM) EVAL_TERMS };
#undef EVAL_TERM_ENUM

#endif
