/* SPDX-License-Identifier: MIT
 * Features of other evaluations. docs/foreign-features.md describes the files. */
#ifndef TABIA_TUNER_DATA_FOREIGN_H
#define TABIA_TUNER_DATA_FOREIGN_H

#include "tuner/data/dataset.h"
#include "tuner/data/space.h"

typedef struct ForeignSet {
    Dataset *data;
    Space *space;
    double *start; /* [space->dimensions] */
    int base;      /* of the file's indices: 0 or 1 */
} ForeignSet;

/* Reads a file of features as a stream: text (plain or .zst) or binary, by its first bytes. A pipe
 * is always text. scratch: a folder for the great arrays of the set and its fit, borrowed for as
 * long as the set lives; NULL: memory. STATUS_BAD_INPUT with file and line, or record: an invalid
 * label, index, coefficient or phase, an unknown directive, more than OCCURRENCES_MAX features in a
 * position, no positions. */
MUST_CHECK Status foreign_read(const char *path, const char *scratch, int threads, ForeignSet *set,
                               Error *err);
void foreign_free(ForeignSet *set); /* sets all to zero */

#endif
