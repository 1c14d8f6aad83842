/* SPDX-License-Identifier: MIT
 * The columns of a fit of Tabia's evaluation. A piece's value and its square table are not
 * identifiable apart (raising one and lowering the other changes no evaluation), so the fit has
 * their sum: one column per term except MATERIAL, the worth of the piece on that square. Writing
 * weights splits the sum again: the plain mean over the squares a piece can stand on goes to
 * MATERIAL, so that every table has mean zero; the king's table, which has no such value, is
 * centred too (both kings are always there, so its mean counts for nothing). The columns of the
 * other families follow, each the weight itself. King squares are many, so fits without them leave
 * their columns out. */
#ifndef TABIA_TUNER_DATA_COLUMNS_H
#define TABIA_TUNER_DATA_COLUMNS_H

#include "engine/eval/weights.h"

enum {
    COLUMN_TABLES = PIECE_TYPES, /* the first columns: one table of 64 a piece type */
    SQUARE_COLUMNS = EVAL_CLASSICAL - EVAL_MATERIAL_COUNT, /* of these tables */
    COLUMNS = EVAL_KING_SQUARES - EVAL_MATERIAL_COUNT,     /* without king squares, the last ones */
    ALL_COLUMNS = EVAL_TERMS - EVAL_MATERIAL_COUNT,
    /* A vector is mg of all columns, then eg of all columns. */
    DIMENSIONS = COLUMNS * PHASES,
    ALL_DIMENSIONS = ALL_COLUMNS * PHASES
};
_Static_assert(EVAL_MATERIAL == 0, "column = term - EVAL_MATERIAL_COUNT");
_Static_assert(EVAL_PAWN_PST == EVAL_MATERIAL_COUNT, "the tables come first");

/* Those of a fit of the families: COLUMNS or ALL_COLUMNS. */
static inline int columns_of(EvalFamilies terms)
{
    return terms & eval_family(EVAL_FAMILY_KING_SQUARES) ? ALL_COLUMNS : COLUMNS;
}

/* The term that a column belongs to. */
const EvalTermInfo *column_info(int column);

/* A centipawn value beyond this is clamped on writing: even sixteen pieces worth it add up to less
 * than a mate score. */
enum { COLUMN_VALUE_MAX = 1900 };

/* Material of one side at the start under 100-300-300-500-900: fixes the scale of a fit. */
enum { COLUMNS_START_MATERIAL = 3900 };

/* False for pawns on the first and last rank, which never occur. */
bool column_occurs(int column);

/* value[2 * columns], COLUMNS or ALL_COLUMNS: material and square added, centipawns. */
void columns_from_weights(const EvalWeights *w, int columns, double *value);

/* Centres, rounds and clamps; returns the number of values that are clamped. What the engine adds
 * up, material + square, is each column rounded once, so that an evaluation errs by at most half a
 * centipawn a piece, and by that much more for each king that adds to it. */
int columns_to_weights(const double *value, int columns, EvalWeights *w);

/* *out = w in the form that a fit writes: centred, with the same evaluation. */
void columns_centre(const EvalWeights *w, EvalWeights *out);

#endif
