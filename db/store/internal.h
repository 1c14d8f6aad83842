/* SPDX-License-Identifier: MIT
 * Private to the store: the open database, and SQLite's errors as Status. */
#ifndef TABIA_DB_STORE_INTERNAL_H
#define TABIA_DB_STORE_INTERNAL_H

#include <sqlite3.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "db/store/connection.h"
#include "db/store/game_record.h"

enum { STMT_CACHE_SIZE = 32 };

/* A prepared statement kept for the next use of the same SQL; see stmt.h. */
typedef struct CachedStmt {
    const char *sql; /* a string literal: the pointer is the identity; NULL: slot is free */
    sqlite3_stmt *handle;
    bool in_use;
} CachedStmt;

struct Store {
    sqlite3 *handle;
    char *path; /* as given to store_open() */
    bool read_only;
    bool immutable;     /* opened without locks, from a directory that cannot be written */
    struct stat opened; /* the file: if immutable, it must not change; if written, stay in place */
    bool alone;         /* read while no other connection can, for lack of disk space */
    bool waited;        /* a lock was not to be had: no later step waits for one */
    const atomic_int *interrupted; /* borrowed, or NULL; see store_watch() */
    CachedStmt cache[STMT_CACHE_SIZE];
    uint8_t *packed; /* buffer for a game's blobs; grows, never shrinks */
    int64_t packed_capacity;
    bool has_new_positions;      /* the virtual table that reads the rows below exists */
    const PositionRow *new_rows; /* borrowed: the rows that are being inserted */
    int new_row_count;
};

/* Sets err to the last error of this connection; returns STATUS_DATABASE. */
Status store_error(const Store *store, Error *err);

/* The same for a result code that is not the last error of the connection. */
Status store_error_code(const Store *store, int code, Error *err);

/* STATUS_DATABASE if the file of an immutable store was changed since it was opened, so that what
 * was read may be of two states. */
MUST_CHECK Status store_check_unchanged(const Store *store, Error *err);

/* Runs one or several statements without parameters; ignores their rows. */
MUST_CHECK Status store_exec(Store *store, const char *sql, Error *err);

/* SQLite's busy handler: sleeps before a lock is tried again, 30 s in all for one lock. 0: gives
 * up, after that time, on Ctrl-C (store_watch()), or if an earlier step of this store gave up.
 * SQLite calls it with the number of its calls for this lock. */
int store_wait_for_lock(void *store, int calls);

/* The path without symbolic links, as SQLite takes it: its other files lie beside that one.
 * malloc'ed; NULL when out of memory. */
char *store_target(const char *path);

/* Does the file of SQLite with this suffix ("-wal", "-journal") lie beside the database? */
bool store_has_log(const char *path, const char *suffix);

/* SQLite's URI of a file: "file:/data/x%3f.db?" + query. malloc'ed; NULL when out of memory. */
char *store_uri(const char *path, const char *query);

/* Frees a malloc'ed text of a record, whose pointer is const for writers. */
static inline void free_text(const char *text)
{
    char *owned;
    memcpy(&owned, &text, sizeof owned);
    free(owned);
}

#endif
