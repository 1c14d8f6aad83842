/* SPDX-License-Identifier: MIT
 * The space of a fit: its columns, which of them are tied or share a mean, and which are fixed. The
 * kernel, the optimiser and the statistics use no other knowledge of chess, so the same fit works
 * for Tabia's evaluation and for foreign features. */
#ifndef TABIA_TUNER_DATA_SPACE_H
#define TABIA_TUNER_DATA_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/eval/terms.h"

/* The most columns of other programs' features. */
enum { SPACE_COLUMNS_MAX = 16384, SPACE_NAME_MAX = 48 };

/* A vector is [dimensions]: the middle game's weight of every column, then the end game's. */
typedef struct Space {
    int columns, dimensions; /* dimensions = 2 * columns */
    /* [columns] Columns of one group have a common mean, which is reported by itself (a piece's
     * value among its squares); -1: none. */
    int16_t *group;
    int groups;
    double *mean_pull; /* [groups] part of the prior that applies to a common mean: 1 all, 0 none;
                          above 1: it is frozen */
    uint8_t *fixed;    /* [dimensions] 1: keeps its start value */
    uint16_t *tied_to; /* [columns] the column that it shares its weights with; itself: free */
    /* The columns from here on are in tables of 64 and too many for a dense Hessian; the prior
     * pulls them toward 0, times table_pull. */
    int tables;
    double table_pull;
    int8_t *worth; /* [columns] pawns of material that it stands for, for the statistics */
    /* [dimensions] The linear function of the weights whose value fixes their scale; all zero:
     * there is none. */
    double *scale;
    bool frozen;                  /* a weight with a value was frozen */
    char (*name)[SPACE_NAME_MAX]; /* [columns] */
} Space;

/* Columns without groups, scale or names. */
MUST_CHECK Status space_create(int columns, Space **space, Error *err);
void space_destroy(Space *space); /* NULL-safe */

/* That of Tabia's evaluation, `columns` being COLUMNS or ALL_COLUMNS (columns.h). Columns are named
 * by term and index ("PASSED_PAWN.4") or square ("KING_PST.e1"), those of king squares by both
 * ("ROOK_OWN_KING.b1.d1"); those of other families than `terms` are fixed. The scale is the
 * material of one side in the start position, centipawns, mean of mg and eg. */
MUST_CHECK Status space_of_evaluation(EvalFamilies terms, int columns, Space **space, Error *err);

/* Ties squares that mirror each other between the king's and the queen's side, unless one of them
 * is fixed: freeze first. For the space of the evaluation only. */
void space_tie_mirrored(Space *space);

/* Fixes what the patterns name: shell globs separated by commas, each for names of columns or of
 * terms (the part before the point); MATERIAL is the common means. STATUS_USAGE when one matches
 * nothing. */
MUST_CHECK Status space_freeze(Space *space, const char *patterns, Error *err);

/* Gives tied columns their common mean, for the start of a fit. */
void space_join(const Space *space, double *value);
/* Gives tied columns the values of those that they are tied to. */
void space_spread(const Space *space, double *value);

/* Where a column is in a Hessian that has each table as one column. */
static inline int space_metric_column(int tables, int column)
{
    return column < tables ? column : tables + (column - tables) / 64;
}

/* dot product with `scale` */
double space_scale(const Space *space, const double *value);

#endif
