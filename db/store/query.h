/* SPDX-License-Identifier: MIT
 * Running the user's SQL statements. */
#ifndef TABIA_DB_STORE_QUERY_H
#define TABIA_DB_STORE_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "db/store/connection.h"

typedef enum SqlKind { SQL_NULL, SQL_INTEGER, SQL_REAL, SQL_TEXT, SQL_BLOB } SqlKind;

/* A value of a row, borrowed from SQLite until the next row. */
typedef struct SqlValue {
    const char *name; /* of its column */
    SqlKind kind;
    int64_t integer;
    double real;
    const char *text;     /* also of numbers; NULL for NULL and blobs */
    const uint8_t *bytes; /* of blobs */
    size_t size;          /* of text or bytes */
} SqlValue;

typedef Status SqlRowFn(void *context, int columns, const SqlValue *values, Error *err);

/* Callbacks for the rows of each statement that has columns. */
typedef struct SqlSink {
    void *context;
    void (*title)(void *context, const char *sql); /* the statement with the comments before it; or
                                                      NULL */
    SqlRowFn *begin;                               /* a row of the names as texts; or NULL */
    SqlRowFn *row;
    Status (*end)(void *context, Error *err); /* or NULL */
} SqlSink;

/* Writes a blob as an SQL literal: x'0aff'. */
void sql_blob_print(const SqlValue *blob, FILE *out);

/* Runs SQL statements one after the other; those that write are one transaction, which an error
 * rolls back. STATUS_BAD_INPUT: SQL that SQLite cannot parse, or a statement that writes in a store
 * that is open for reading, or changes one that is open for writing so that store_open() would
 * refuse it. */
MUST_CHECK Status store_query(Store *store, const char *sql, const SqlSink *sink, Error *err);

/* The same, printed as the sqlite3 shell does: values separated by '|'; `header`: names first. */
MUST_CHECK Status store_sql(Store *store, const char *sql, bool header, FILE *out, Error *err);

#endif
