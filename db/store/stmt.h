/* SPDX-License-Identifier: MIT
 * A thin, checked wrapper over SQLite's prepare, bind, step and finalize.
 *
 *     Stmt stmt = stmt_open(store, "SELECT label FROM weights WHERE sha256 = ?1", err);
 *     stmt_bind_text(&stmt, 1, hash);
 *     while (stmt_row(&stmt)) …stmt_text(&stmt, 0)…
 *     return stmt_close(&stmt);
 *
 * The first failure goes into `status` and `err`; after it nothing is done until stmt_close(),
 * which returns it. Closing returns the prepared statement to the store's cache for the next use of
 * the same SQL. */
#ifndef TABIA_DB_STORE_STMT_H
#define TABIA_DB_STORE_STMT_H

#include <stdbool.h>
#include <stdint.h>

#include "db/store/connection.h"
#include "db/store/internal.h"

typedef struct Stmt {
    Store *store;
    sqlite3_stmt *handle; /* NULL: closed */
    CachedStmt *slot;     /* in the cache, or NULL when the cache holds another copy */
    Status status;        /* the first failure; the reader of rows may set it to end the loop */
    Error *err;           /* borrowed */
} Stmt;

/* sql must be a string literal of one statement. */
Stmt stmt_open(Store *store, const char *sql, Error *err);
/* Returns stmt->status. */
Status stmt_close(Stmt *stmt);

/* Parameters are numbered from 1, and NULL until they are bound. Text and blobs are borrowed until
 * the statement is stepped to its end, reset or closed. */
void stmt_bind_int(Stmt *stmt, int index, int64_t value);
void stmt_bind_text(Stmt *stmt, int index, const char *text); /* NULL binds NULL */
void stmt_bind_blob(Stmt *stmt, int index, const void *data, size_t size);

/* Steps to the next row; false: there is none, or a failure. */
bool stmt_row(Stmt *stmt);

/* Rewinds to before the first row; the parameters stay bound. */
void stmt_reset(Stmt *stmt);

/* For statements that write: steps to the end, ignores rows, and resets. */
void stmt_run(Stmt *stmt);

/* The same, then closes. */
MUST_CHECK Status stmt_finish(Stmt *stmt);

/* Columns of the current row, from 0. A value of another type sets the status, STATUS_DATABASE, and
 * reads as 0, "" or no bytes; so does NULL, which is allowed. Text is never a null pointer. Text
 * and blobs are valid until the next step. */
int64_t stmt_int(Stmt *stmt, int column);
/* In [low, high]; a number outside sets the status and reads as low. */
int64_t stmt_int_in(Stmt *stmt, int column, int64_t low, int64_t high);
const char *stmt_text(Stmt *stmt, int column);
bool stmt_is_null(const Stmt *stmt, int column);
/* malloc'ed; NULL when memory is short, which sets the status. */
char *stmt_dup_text(Stmt *stmt, int column);
const void *stmt_blob(Stmt *stmt, int column, size_t *size);

/* The first column of the first row of a statement without parameters; 0 when there is none. */
MUST_CHECK Status stmt_read_number(Store *store, const char *sql, int64_t *value, Error *err);

/* Copies a text column into out[capacity], cut if longer, always terminated, without control
 * characters (text_clean()). */
void stmt_copy_text(Stmt *stmt, int column, char *out, size_t capacity);

#endif
