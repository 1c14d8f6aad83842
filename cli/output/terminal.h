/* SPDX-License-Identifier: MIT
 * The terminal behind an output stream: its size and whether it takes colours. */
#ifndef TABIA_CLI_OUTPUT_TERMINAL_H
#define TABIA_CLI_OUTPUT_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* Does the stream lead to a terminal that understands control sequences? TERM=dumb or none does
 * not. */
bool terminal_is(FILE *out);

/* 80 × 24 when there is no terminal, or it does not report its size. */
void terminal_size(FILE *out, int *columns, int *rows);

/* 0: no terminal, where lines may have any length. */
int terminal_columns(FILE *out);

/* A terminal, and the variable NO_COLOR is unset or empty (no-color.org). */
bool terminal_has_colour(FILE *out);

typedef enum Colour { COLOUR_NONE, COLOUR_GREEN, COLOUR_RED } Colour;

enum { COLOURED_MAX = 64 };
/* The text; where the stream has colours, a copy in `room` between the codes of this one. */
const char *terminal_coloured(FILE *out, Colour colour, const char *text, char room[COLOURED_MAX]);

/* Prints the text, in colour where the stream has colours. */
void terminal_put(FILE *out, Colour colour, const char *text);

#endif
