/* SPDX-License-Identifier: MIT
 * What the files of the store share: the open database and the way from SQLite's errors to ours. */
#ifndef TABIA_DB_STORE_INTERNAL_H
#define TABIA_DB_STORE_INTERNAL_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/connection.h"

enum { STMT_CACHE_SIZE = 32 };

/* A prepared statement kept for the next use of the same SQL; see stmt.h. */
typedef struct CachedStmt {
    const char *sql; /* a string literal: the pointer is the identity; NULL: slot is free */
    sqlite3_stmt *handle;
    bool in_use;
} CachedStmt;

struct Store {
    sqlite3 *handle;
    char *path; /* as the caller gave it */
    bool read_only;
    bool immutable; /* opened from a directory that cannot be written */
    CachedStmt cache[STMT_CACHE_SIZE];
    uint8_t *packed; /* scratch for packing a game's blobs: grows, never shrinks */
    size_t packed_capacity;
};

/* The failure SQLite last reported on this store, as one sentence; returns STATUS_DATABASE. */
Status store_error(const Store *store, Error *err);

/* The same for a result code that the connection does not remember. */
Status store_error_code(const Store *store, int code, Error *err);

/* Runs SQL that has neither parameters nor rows of interest; one statement or several. */
MUST_CHECK Status store_exec(Store *store, const char *sql, Error *err);

/* SQLite's URI of a file: "file:/data/x%3f.db?" + query. malloc'ed; NULL when out of memory. */
char *store_uri(const char *path, const char *query);

/* Frees a text that is const only for those who write records. */
static inline void free_text(const char *text)
{
    char *owned;
    memcpy(&owned, &text, sizeof owned);
    free(owned);
}

#endif
