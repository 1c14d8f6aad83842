/* SPDX-License-Identifier: MIT
 * Evaluations from the bytes of a file: a weights header or a network.
 *
 * A weights header holds only comments and rows of two macros,
 *
 *     EVAL_TERM(MATERIAL, 5)
 *     S(82, 94) S(337, 281) …
 *
 * so the compiler includes it (engine/eval_weights.h, the built-in set) and evaluation_parse()
 * reads the same file at run time. Terms may come in any order; an absent term is all zero. A
 * network is a file of engine/eval/network_file.h, or the text that evaluation_print() makes of it.
 */
#ifndef TABIA_ENGINE_EVAL_EVALUATION_PARSE_H
#define TABIA_ENGINE_EVAL_EVALUATION_PARSE_H

#include <stddef.h>

#include "engine/base/status.h"
#include "engine/eval/evaluation.h"

/* Where an evaluation comes from. */
typedef struct WeightsInfo {
    char label[64];     /* "builtin", "zero", "material", or the file's base name */
    char comment[4096]; /* the file's opening comment (its provenance), cut if longer; or "" */
} WeightsInfo;

/* `name` stands for the file in error sentences. STATUS_BAD_INPUT with file and line: unknown term,
 * wrong count, a value that is not a number or is outside ±10000 cp, anything that is not a comment
 * or a macro row, a term given twice, a file without any term; of networks what network_parse()
 * refuses. info may be NULL. *e is unchanged on error. */
MUST_CHECK Status evaluation_parse(const void *bytes, size_t length, const char *name,
                                   Evaluation *e, WeightsInfo *info, Error *err);

#endif
