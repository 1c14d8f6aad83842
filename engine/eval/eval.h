/* SPDX-License-Identifier: MIT
 * The evaluation, and the same evaluation as a linear function of features. The search and the
 * tuner agree exactly, for every position and all weights (tests/engine/test_eval.c):
 *
 *     eval_position(p), White's view == eval_white(p, w) == taper(features(p) · w)
 *     taper(mg, eg) = (mg * phase + eg * (24 - phase)) / 24, phase = min(Position.phase, 24)
 *
 * The division is that of C. Material and squares, king squares included, are updated with each
 * move (Position.psq); the other families are evaluated by engine/eval/classical.h. */
#ifndef TABIA_ENGINE_EVAL_EVAL_H
#define TABIA_ENGINE_EVAL_EVAL_H

#include "engine/eval/classical.h"
#include "engine/eval/king_squares.h"

enum { EVAL_PHASE_MAX = 24 };
/* Of a position: 32 pieces on squares, and what else it can have. */
enum { EVAL_FEATURES_MAX = EVAL_MATERIAL_COUNT + 32 + EVAL_CLASSICAL_TERMS + KING_FEATURES_MAX };

/* Weights arranged for incremental use. */
void eval_psq_table(const EvalWeights *w, PsqTable *table);

/* Tapers a White-view (mg, eg) pair at game phase `phase` (clamped to 24); centipawns. */
static inline int eval_taper(int mg, int eg, int phase)
{
    int p = phase < EVAL_PHASE_MAX ? phase : EVAL_PHASE_MAX;
    return (mg * p + eg * (EVAL_PHASE_MAX - p)) / EVAL_PHASE_MAX;
}

/* The static evaluation of the search: the incremental sums (pos->psq must be current) and the
 * classical terms; centipawns, side to move's view. */
static inline int eval_position(const Position *pos, Classical *classical)
{
    Score sum = pos->psq;
    if (classical->families) sum += classical_score(classical, pos);
    int white = eval_taper(score_mg(sum), score_eg(sum), pos->phase);
    return pos->stm == WHITE ? white : -white;
}

/* By features; centipawns, White's view. */
int eval_white(const Position *pos, const EvalWeights *w);

/* Squares whose piece-square features are not zero: one side alone has such a piece there, with
 * Black's squares turned over. *white: those of White. */
static inline Bitboard eval_uneven_squares(const Position *pos, PieceType type, Bitboard *white)
{
    *white = position_pieces(pos, WHITE, type);
    /* Turning the board over is reversing the order of its eight bytes. */
    return *white ^ __builtin_bswap64(position_pieces(pos, BLACK, type));
}

/* Writes the non-zero features of the families' terms in ascending order of term; returns how many.
 * `out` has room for EVAL_FEATURES_MAX. */
int eval_features(const Position *pos, EvalFamilies families, EvalFeature *out);

#endif
