/* SPDX-License-Identifier: MIT
 * Writing weights headers (engine/eval/evaluation_parse.h) and networks (network_file.h). */
#ifndef TABIA_ENGINE_EVAL_EVALUATION_WRITE_H
#define TABIA_ENGINE_EVAL_EVALUATION_WRITE_H

#include <stdio.h>

#include "engine/base/new_file.h"
#include "engine/eval/evaluation.h"

/* The first line after the comment. The hash of weights is that of the text from here on. */
#define WEIGHTS_TEXT_START "/* clang-format off */\n"

/* Writes the rows of the header. Families other than material and squares are left out when all of
 * their weights are 0. `comment` (lines separated by '\n', may be NULL or "") becomes the opening
 * comment. Equal arguments give equal bytes. */
void evaluation_print(FILE *out, const Evaluation *e, const char *comment);

/* The same as a malloc'ed string; NULL when out of memory. Without a comment it is the canonical
 * text, whose hash identifies the weights. */
char *evaluation_text(const Evaluation *e, const char *comment);

/* The comment that heads the tables of a king's bucket: its squares, as the king's side sees the
 * board. */
void evaluation_print_kings(FILE *out, int bucket);

/* Writes the header beside `path`; new_file_commit() then puts it in place. After a failure *file
 * has ended. */
MUST_CHECK Status evaluation_write(NewFile *file, const char *path, const Evaluation *e,
                                   const char *comment, Error *err);

/* Writes the header to `path`, whole or not at all (engine/base/new_file.h). */
MUST_CHECK Status evaluation_save(const char *path, const Evaluation *e, const char *comment,
                                  Error *err);

/* Writes a network with our header: atomically. */
MUST_CHECK Status network_save(const char *path, const Network *network, Error *err);

#endif
