/* SPDX-License-Identifier: MIT
 * Keeping the rows of a query. */
#include "cli/page/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/query.h"
#include "engine/base/array.h"

/* Numbers stand row by row until the last one is there. */
static Status keep_row(void *context, int columns, const SqlValue *values, Error *err)
{
    Rows *rows = context;
    int64_t first = (int64_t)rows->count * columns;

    rows->columns = columns;
    Status status = ARRAY_RESERVE(rows->texts, rows->text_room, first + columns, err);
    if (status == STATUS_OK)
        status = ARRAY_RESERVE(rows->numbers, rows->number_room, first + columns, err);
    if (status != STATUS_OK) return status;
    memset(&rows->texts[first], 0, (size_t)columns * sizeof *rows->texts);
    rows->count++;
    for (int i = 0; i < columns; i++) {
        const SqlValue *v = &values[i];
        rows->numbers[first + i] = v->kind == SQL_INTEGER ? (double)v->integer
                                   : v->kind == SQL_REAL  ? v->real
                                                          : NAN;
        if (!v->text) continue;
        rows->texts[first + i] = strdup(v->text);
        if (!rows->texts[first + i])
            return error_set(err, STATUS_FAILED, "out of memory for a query's rows");
    }
    return STATUS_OK;
}

static Status turn_numbers(Rows *rows, Error *err)
{
    double *numbers = malloc(((size_t)rows->count * (size_t)rows->columns + 1) * sizeof *numbers);

    if (!numbers) return error_set(err, STATUS_FAILED, "out of memory for a query's rows");
    for (int64_t row = 0; row < rows->count; row++)
        for (int64_t column = 0; column < rows->columns; column++)
            numbers[column * rows->count + row] = rows->numbers[row * rows->columns + column];
    free(rows->numbers);
    rows->numbers = numbers;
    return STATUS_OK;
}

Status rows_query(Store *store, const char *sql, Rows *rows, Error *err)
{
    const SqlSink sink = {.context = rows, .row = keep_row};

    *rows = (Rows){0};
    Status status = store_query(store, sql, &sink, err);
    if (status == STATUS_OK) status = turn_numbers(rows, err);
    if (status != STATUS_BAD_INPUT)
        return status == STATUS_OK ? STATUS_OK : error_prefix(err, "%s", store_path(store));
    err->status = STATUS_DATABASE; /* the statement is valid: a value made it fail */
    (void)error_prefix(err, "%s: the database is damaged", store_path(store));
    return STATUS_DATABASE;
}

void rows_free(Rows *rows)
{
    for (int64_t i = 0; i < (int64_t)rows->count * rows->columns; i++)
        free(rows->texts[i]);
    free(rows->texts);
    free(rows->numbers);
    *rows = (Rows){0};
}

double rows_number(const Rows *rows, int row, int column)
{
    return rows_column(rows, column)[row];
}

int64_t rows_count(const Rows *rows, int row, int column)
{
    const double most = (double)(INT64_C(1) << 40), n = rows_number(rows, row, column);
    return n >= 0 && n <= most ? (int64_t)n : 0;
}

const char *rows_text(const Rows *rows, int row, int column)
{
    const char *text = rows->texts[(int64_t)row * rows->columns + column];
    return text ? text : "";
}

const double *rows_column(const Rows *rows, int column)
{
    return rows->numbers + (int64_t)column * rows->count;
}

MatchScore rows_score(const Rows *rows, int row, int wins, int pairs)
{
    MatchScore score = {.wins = rows_count(rows, row, wins),
                        .draws = rows_count(rows, row, wins + 1),
                        .losses = rows_count(rows, row, wins + 2)};

    for (int i = 0; i < 5; i++)
        score.ptnml[i] = rows_count(rows, row, pairs + i);
    return score;
}
