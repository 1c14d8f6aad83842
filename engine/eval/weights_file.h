/* SPDX-License-Identifier: MIT
 * Reading weights headers.
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

#include "engine/eval/weights.h"

/* Where weights come from. */
typedef struct WeightsInfo {
    char label[64];     /* "builtin", "zero", "material", or the file's base name */
    char comment[4096]; /* the file's opening comment (its provenance), cut if longer; or "" */
} WeightsInfo;

/* Either kind of evaluation: what weights_load() reads, or a file of a network, whose terms are
 * then all zero. */
MUST_CHECK Status evaluation_load(const char *spec, EvalWeights *w, WeightsInfo *info, Error *err);

/* `spec` is "builtin", "zero", "material", or the path of a weights header. Refused with file and
 * line: unknown term, wrong count, a value that is no number or outside ±10000 cp, anything that is
 * not a comment or a macro row, a term given twice, a file without any term, a network. info may be
 * NULL. *w is unchanged on error. */
MUST_CHECK Status weights_load(const char *spec, EvalWeights *w, WeightsInfo *info, Error *err);

/* Parses a header held in memory, or what weights_print() makes of a network; `name` stands for the
 * file in error sentences. */
MUST_CHECK Status weights_parse(const char *text, size_t length, const char *name, EvalWeights *w,
                                WeightsInfo *info, Error *err);

/* The same for the bytes of a file of either kind. */
MUST_CHECK Status evaluation_parse(const void *bytes, size_t length, const char *name,
                                   EvalWeights *w, WeightsInfo *info, Error *err);

#endif
