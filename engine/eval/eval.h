/* SPDX-License-Identifier: MIT
 * The evaluation, and the same evaluation as a linear function of features. Side by side, so that
 * the search and the tuner can never disagree: for every position and all weights eval_white(p, w)
 * == taper(features(p) · w)   exactly (tests/engine/test_eval.c). Tapering: (mg * phase + eg * (24
 * - phase)) / 24 with phase = min(Position.phase, 24), C division.
 *
 * Material and squares are kept up with the moves (Position.psq); what else has weights is worked
 * out by eval_classical.h when a position is evaluated. */
#ifndef TABIA_ENGINE_EVAL_EVAL_H
#define TABIA_ENGINE_EVAL_EVAL_H

#include "engine/eval/classical.h"

enum { EVAL_PHASE_MAX = 24 };
enum { EVAL_FEATURES_MAX = EVAL_TERMS };

/* Weights arranged for incremental use: what an engine instance keeps beside its EvalWeights. */
void eval_psq_table(const EvalWeights *w, PsqTable *table);

/* Tapers a White-view (mg, eg) pair at game phase `phase` (clamped to 24); centipawns. */
static inline int eval_taper(int mg, int eg, int phase)
{
    int p = phase < EVAL_PHASE_MAX ? phase : EVAL_PHASE_MAX;
    return (mg * p + eg * (EVAL_PHASE_MAX - p)) / EVAL_PHASE_MAX;
}

/* Static evaluation from the incremental sums (pos->psq must be current) and the terms beyond them;
 * centipawns, side to move's view. What the search calls. */
static inline int eval_position(const Position *pos, Classical *classical)
{
    Score sum = pos->psq;
    if (classical->families) sum += classical_score(classical, pos);
    int white = eval_taper(score_mg(sum), score_eg(sum), pos->phase);
    return pos->stm == WHITE ? white : -white;
}

/* From scratch, straight from the definition; centipawns, White's view. The reference. */
int eval_white(const Position *pos, const EvalWeights *w);

/* A non-zero coefficient of a term in a position, White minus Black. */
typedef struct EvalFeature {
    uint16_t term; /* 0 … EVAL_TERMS - 1 */
    int16_t count; /* not 0 */
} EvalFeature;

/* Squares where one side alone has such a piece, Black's turned over as the tables see them: those
 * whose features are not zero. *white: which of them are White's. */
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
