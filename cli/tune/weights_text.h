/* SPDX-License-Identifier: MIT
 * Weights as text: values, heat maps, differences, arrays of C. */
#ifndef TABIA_CLI_TUNE_WEIGHTS_TEXT_H
#define TABIA_CLI_TUNE_WEIGHTS_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "engine/base/json.h"
#include "engine/eval/network_file.h"
#include "engine/eval/weights.h"
#include "tuner/report/diagnostics.h"

extern const char *const weights_pieces[6]; /* "pawn" … "king" */

/* Piece values, the 8 x 8 boards of their squares (rank 8 on top; mg left, eg right) and the other
 * terms' rows. king: -1, or the square of the own king, which adds its tables to those of squares.
 * `colour` shades the boards for a terminal. */
void weights_print_maps(FILE *out, const EvalWeights *w, int king, bool colour);

/* Those rows alone, of the families that have weights. */
void weights_print_terms(FILE *out, const EvalWeights *w);

/* The differences b - a of terms that differ. The boards show material and square together. errors:
 * standard errors of b's, or NULL. */
void weights_print_difference(FILE *out, const EvalWeights *a, const EvalWeights *b,
                              const TermErrors *errors, bool colour);

/* Terms by name, each an array of [mg, eg] pairs. */
void weights_json(JsonWriter *w, const char *key, const EvalWeights *weights);

/* The values of the pieces but the king alone, as the member "pieces". */
void weights_json_pieces(JsonWriter *w, const EvalWeights *weights);

/* Each line of the comment after the prefix; a space is put into an end of comment inside it. */
void weights_print_comment(FILE *out, const char *prefix, const char *comment);

/* Arrays of C for the source of another engine: `int` tables of 64 with rank 8 first (a8 = 0, as
 * most engines paste them) or rank 1 first (a1 = 0), mg and eg apart, material by itself; the other
 * terms as [count][2]. `comment` becomes the opening comment. Reproducible to the byte. */
void weights_emit_c(FILE *out, const EvalWeights *w, bool rank8_first, const char *comment);

/* A network likewise, as arrays of its file's numbers in their order. */
void weights_emit_network(FILE *out, const Network *network, const char *comment);

#endif
