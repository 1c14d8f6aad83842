/* SPDX-License-Identifier: MIT
 * Keeping the rows of a query. */
#include "cli/page/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/query.h"
#include "engine/base/array.h"

static Status keep_row(void *context, int columns, const SqlValue *values, Error *err)
{
    Rows *rows = context;
    int64_t first = (int64_t)rows->count * columns;

    rows->columns = columns;
    Status status = ARRAY_RESERVE(rows->cells, rows->room, first + columns, err);
    if (status != STATUS_OK) return status;
    memset(&rows->cells[first], 0, (size_t)columns * sizeof *rows->cells);
    rows->count++;
    for (int i = 0; i < columns; i++) {
        const SqlValue *v = &values[i];
        RowCell *cell = &rows->cells[first + i];
        cell->number = v->kind == SQL_INTEGER ? (double)v->integer
                       : v->kind == SQL_REAL  ? v->real
                                              : NAN;
        if (!v->text) continue;
        cell->text = strdup(v->text);
        if (!cell->text) return error_set(err, STATUS_FAILED, "out of memory for a query's rows");
    }
    return STATUS_OK;
}

static Status line_up(Rows *rows, Error *err)
{
    size_t cells = (size_t)rows->count * (size_t)rows->columns;

    rows->series = malloc((cells + 1) * sizeof *rows->series);
    if (!rows->series) return error_set(err, STATUS_FAILED, "out of memory for a query's rows");
    for (int column = 0; column < rows->columns; column++)
        for (int row = 0; row < rows->count; row++)
            rows->series[(int64_t)column * rows->count + row] = rows_number(rows, row, column);
    return STATUS_OK;
}

Status rows_query(Store *store, const char *sql, Rows *rows, Error *err)
{
    const SqlSink sink = {.context = rows, .row = keep_row};

    *rows = (Rows){0};
    Status status = store_query(store, sql, &sink, err);
    if (status == STATUS_OK) status = line_up(rows, err);
    if (status != STATUS_BAD_INPUT)
        return status == STATUS_OK ? STATUS_OK : error_prefix(err, "%s", store_path(store));
    err->status = STATUS_DATABASE; /* the statement is valid: a value made it fail */
    (void)error_prefix(err, "%s: the database is damaged", store_path(store));
    return STATUS_DATABASE;
}

void rows_free(Rows *rows)
{
    for (int64_t i = 0; i < (int64_t)rows->count * rows->columns; i++)
        free(rows->cells[i].text);
    free(rows->cells);
    free(rows->series);
    *rows = (Rows){0};
}

double rows_number(const Rows *rows, int row, int column)
{
    return rows->cells[(int64_t)row * rows->columns + column].number;
}

int64_t rows_count(const Rows *rows, int row, int column)
{
    const double most = (double)(INT64_C(1) << 40), n = rows_number(rows, row, column);
    return n >= 0 && n <= most ? (int64_t)n : 0;
}

const char *rows_text(const Rows *rows, int row, int column)
{
    const char *text = rows->cells[(int64_t)row * rows->columns + column].text;
    return text ? text : "";
}

const double *rows_column(const Rows *rows, int column)
{
    return rows->series + (int64_t)column * rows->count;
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
