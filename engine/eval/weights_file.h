/* SPDX-License-Identifier: MIT
 * Reading and writing weights headers.
 *
 * A weights header holds only comments and rows of two macros,
 *
 *     EVAL_TERM(MATERIAL, 5)
 *     S(82, 94) S(337, 281) …
 *
 * so the compiler includes it (engine/eval_weights.h, the built-in set) and weights_load() parses
 * the same file at run time. Terms may come in any order; an absent term is all zero. */
#ifndef TABIA_ENGINE_EVAL_WEIGHTS_FILE_H
#define TABIA_ENGINE_EVAL_WEIGHTS_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "engine/eval/weights.h"

/* Where weights come from. */
typedef struct WeightsInfo {
    char label[64];     /* "builtin", "zero", "material", or the file's base name */
    char comment[4096]; /* the file's opening comment (its provenance), cut if longer; or "" */
} WeightsInfo;

/* `spec` is "builtin", "zero", "material", or the path of a weights header. Refused with file and
 * line: unknown term, wrong count, a value that is no number or outside ±10000 cp, anything that is
 * not a comment or a macro row, a term given twice, a file without any term. info may be NULL.
 * *w is unchanged on error. */
MUST_CHECK Status weights_load(const char *spec, EvalWeights *w, WeightsInfo *info, Error *err);

/* Parses a header held in memory; `name` stands for the file in error sentences. */
MUST_CHECK Status weights_parse(const char *text, size_t length, const char *name, EvalWeights *w,
                                WeightsInfo *info, Error *err);

/* Writes the rows of the header. Families other than material and squares are left out when all of
 * their weights are 0. `comment` (lines separated by '\n', may be NULL or "") becomes the opening
 * comment. Equal arguments give equal bytes. */
void weights_print(FILE *out, const EvalWeights *w, const char *comment);

/* The same as a malloc'ed string; NULL when out of memory. Without a comment it is the canonical
 * text, whose hash identifies the weights. */
char *weights_text(const EvalWeights *w, const char *comment);

/* Writes the header to `path`, whole or not at all (engine/base/new_file.h). */
MUST_CHECK Status weights_save(const char *path, const EvalWeights *w, const char *comment,
                               Error *err);

#endif
