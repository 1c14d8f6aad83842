/* SPDX-License-Identifier: MIT
 * A text kept as its difference to a similar one, of which only the numbers differ.
 *
 * A difference is the length of the text (4 bytes, little-endian) and, compressed by zlib, the
 * text's bytes minus those of the base, modulo 256. The ends of both texts are aligned: headers
 * have comments of any length before columns of one width. */
#ifndef TABIA_DB_STORE_DIFFERENCE_H
#define TABIA_DB_STORE_DIFFERENCE_H

#include <stddef.h>
#include <stdint.h>

struct sqlite3;

/* The difference of text to base, malloc'ed, [*size]; NULL when it is not below a quarter of the
 * text, or when memory is short: the text is then kept whole. */
uint8_t *text_difference(const char *text, const char *base, size_t *size);

/* Registers the SQL function weights_text(header, base, difference): the text of a row of weights,
 * whose base has the header `base`. It is `header` where difference is NULL. A difference that is
 * not one, or beside a header, is an error, SQLITE_CORRUPT. Returns SQLite's result code. */
int difference_register(struct sqlite3 *db);

#endif
