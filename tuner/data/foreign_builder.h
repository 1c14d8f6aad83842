/* SPDX-License-Identifier: MIT
 * Building a set of foreign features, for the readers of both formats. */
#ifndef TABIA_TUNER_DATA_FOREIGN_BUILDER_H
#define TABIA_TUNER_DATA_FOREIGN_BUILDER_H

#include "db/store/game_record.h"
#include "engine/base/name_table.h"
#include "tuner/data/dataset.h"
#include "tuner/data/foreign.h"

typedef struct ForeignBuilder {
    int columns; /* declared number; 0: not declared yet */
    int base;    /* of the indices: 0, or 1 as in svmlight */
    bool untapered;
    const char *scratch; /* of foreign_read() */
    ForeignSet set;      /* .data and .space NULL before the first position or named column */
    NameTable ids;
    int32_t games;
} ForeignBuilder;

/* One position while it is read. */
typedef struct ForeignRow {
    int count; /* of occurrences */
    int last;  /* column of the last; -1 at first */
    int phase, score;
    GameResult result;
    int32_t game;
    Occurrence at[OCCURRENCES_MAX];
} ForeignRow;

/* Makes data and space for builder->columns. */
MUST_CHECK Status foreign_begin(ForeignBuilder *b, Error *err);
/* Columns must ascend; coefficients of 0 are left out. */
MUST_CHECK Status foreign_add_feature(const ForeignBuilder *b, ForeignRow *row, long column,
                                      long value, Error *err);
MUST_CHECK Status foreign_add_row(ForeignBuilder *b, const ForeignRow *row, Error *err);
/* *set receives what was built. */
MUST_CHECK Status foreign_finish(ForeignBuilder *b, const char *name, int threads, ForeignSet *set,
                                 Error *err);
void foreign_discard(ForeignBuilder *b);

/* foreign_read() of the text form. */
MUST_CHECK Status foreign_read_text(const char *path, const char *scratch, int threads,
                                    ForeignSet *set, Error *err);

#endif
