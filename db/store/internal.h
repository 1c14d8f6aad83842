/* SPDX-License-Identifier: MIT
 * What the files of the store share: the open database and the way from SQLite's errors to ours. */
#ifndef TABIA_DB_STORE_INTERNAL_H
#define TABIA_DB_STORE_INTERNAL_H

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/store.h"

enum {
    STMT_CACHE_SIZE = 32,
    PLY_BYTES = 4,  /* of games.moves: move, then score */
    CLOCK_BYTES = 9 /* a ply of games.clock: time, nodes, depth */
};

/* A prepared statement kept for the next use of the same SQL; see stmt.h. */
typedef struct CachedStmt {
    const char *sql; /* a string literal: the pointer is the identity; NULL: slot is free */
    sqlite3_stmt *handle;
    bool in_use;
} CachedStmt;

struct Store {
    sqlite3 *handle;
    char *path; /* as the caller gave it */
    StoreMode mode;
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

/* Frees what is const only for the sake of those who write: text that a reader of ours made. */
static inline void free_text(const char *text)
{
    char *owned;
    memcpy(&owned, &text, sizeof owned);
    free(owned);
}

/* Little-endian numbers, as blobs and digests have them. */
static inline void put_le16(uint8_t *out, uint16_t value)
{
    out[0] = (uint8_t)value;
    out[1] = (uint8_t)(value >> 8);
}
static inline uint16_t get_le16(const uint8_t *in)
{
    return (uint16_t)(in[0] | in[1] << 8);
}
static inline void put_le32(uint8_t *out, uint32_t value)
{
    put_le16(out, (uint16_t)value);
    put_le16(out + 2, (uint16_t)(value >> 16));
}
static inline uint32_t get_le32(const uint8_t *in)
{
    return get_le16(in) | (uint32_t)get_le16(in + 2) << 16;
}
static inline void put_le64(uint8_t *out, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        out[i] = (uint8_t)(value >> 8 * i);
}

#endif
