/* SPDX-License-Identifier: MIT
 * Fields of results (engine/values/field.h) as text: sentences, lists and tables. */
#ifndef TABIA_CLI_OUTPUT_FIELDS_H
#define TABIA_CLI_OUTPUT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "engine/values/field.h"

/* "12 games, 345 plies": each value and its label. */
void fields_sentence(FILE *out, const Field *fields, const void *object);
/* To standard output: the JSON line, or a line of "head: " and the sentence. */
void fields_print(bool json, const char *head, const Field *fields, const void *object);
/* A line for each field: its label, then its value in an aligned column. */
void fields_list(FILE *out, const Field *fields, const void *object);
/* Such a list with a column for each of `count` objects of `size` bytes, below their heads. A value
 * that is the same in all of them stands in the first column alone. */
void fields_columns(FILE *out, const Field *fields, const char *const *heads, const void *objects,
                    size_t size, int count);
/* Takes the labels of columns that are left out, so that a table has at most `width` columns of
 * text where that is possible; 0: any. */
void fields_fit(Field *fields, int width);
int fields_width(const Field *fields); /* of such a table */
/* A table: the labels, and the values of a row below them; each with a newline. */
void fields_header(FILE *out, const Field *fields);
void fields_row(FILE *out, const Field *fields, const void *object);

enum { TEXT_SHOWN_MAX = 4096 };
/* A copy of the text without control characters (text_clean()), for a name from outside. */
const char *text_shown(const char *text, char room[TEXT_SHOWN_MAX]);

/* Characters of a UTF-8 text. */
int text_columns(const char *text);
/* Words between blanks, in lines of at most `columns` (0: one line), the second and later ones
 * indented. Returns the columns of the last line, which is left open. */
int text_wrap(FILE *out, int indent, int columns, const char *text);

/* Text in `width` characters, right-aligned. A negative width: two spaces, then left-aligned and
 * cut off. */
void cell_put(FILE *out, int width, const char *text);
void cell_put_int(FILE *out, int width, int64_t value);

#endif
