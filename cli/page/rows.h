/* SPDX-License-Identifier: MIT
 * The result of a query, kept: the numbers of a figure. */
#ifndef TABIA_CLI_PAGE_ROWS_H
#define TABIA_CLI_PAGE_ROWS_H

#include <stdint.h>

#include "db/store/connection.h"
#include "selfplay/match/stats.h"

typedef struct Rows {
    int columns, count;
    char **texts;    /* [count][columns], owned; NULL for NULL */
    double *numbers; /* [columns][count], owned; NAN: NULL, or a text that is not a number */
    int64_t text_room, number_room;
} Rows;

/* Runs one statement that reads. Free *rows in any case. */
MUST_CHECK Status rows_query(Store *store, const char *sql, Rows *rows, Error *err);
void rows_free(Rows *rows);

double rows_number(const Rows *rows, int row, int column);
/* A count from untrusted JSON; 0 unless it is from 0 to 2^40. */
int64_t rows_count(const Rows *rows, int row, int column);
/* Text of any value; "" for NULL. */
const char *rows_text(const Rows *rows, int row, int column);
/* A column of numbers, [rows->count]. */
const double *rows_column(const Rows *rows, int column);
/* The score of a match: wins, draws and losses are in columns one after the other, and so are the
 * pairs by their points. */
MatchScore rows_score(const Rows *rows, int row, int wins, int pairs);

#endif
