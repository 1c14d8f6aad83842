/* SPDX-License-Identifier: MIT
 * Features of evaluations that are not Tabia's: docs/foreign-features.md describes the files. */
#ifndef TABIA_TUNER_DATA_FOREIGN_H
#define TABIA_TUNER_DATA_FOREIGN_H

#include "tuner/data/dataset.h"
#include "tuner/data/space.h"

typedef struct ForeignSet {
    Dataset *data;
    Space *space;
    double *start; /* [space->dimensions] */
} ForeignSet;

/* Reads a file of features, text (plain or .zst) or binary, told apart by its first bytes, as a
 * stream; what is no file, as a pipe, is text. scratch: a folder for the great arrays of the set
 * and its fit, borrowed for as long as the set lives; NULL: memory. STATUS_BAD_INPUT with file and
 * line, or record: a label, index, coefficient or phase that is none, an unknown directive, more
 * than OCCURRENCES_MAX features in a position, no positions. */
MUST_CHECK Status foreign_read(const char *path, const char *scratch, int threads, ForeignSet *set,
                               Error *err);
void foreign_free(ForeignSet *set); /* all zero after that */

/* The text form held in memory; `name` stands for the file in error sentences. */
MUST_CHECK Status foreign_parse(const char *text, size_t length, const char *name, ForeignSet *set,
                                Error *err);
/* The binary form. */
MUST_CHECK Status foreign_parse_binary(const unsigned char *bytes, size_t length, const char *name,
                                       ForeignSet *set, Error *err);

#endif
