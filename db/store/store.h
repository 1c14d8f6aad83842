/* SPDX-License-Identifier: MIT
 * Opening, closing and removing databases.
 *
 * The store is one SQLite file of weights, runs, games and positions; db/ is the only folder that
 * includes <sqlite3.h>. It has no chess rules: boards are FEN texts, moves are 16-bit numbers. */
#ifndef TABIA_DB_STORE_STORE_H
#define TABIA_DB_STORE_STORE_H

#include <stddef.h>

#include "db/store/connection.h"

typedef enum StoreMode {
    STORE_READ,   /* must exist; opened read-only */
    STORE_WRITE,  /* must exist */
    STORE_CREATE, /* made with an empty schema when absent */
    STORE_SALVAGE /* as STORE_READ, but a file whose end is missing opens too: reads of the missing
                     pages fail */
} StoreMode;

enum { STORE_VALUE_MAX = 64 << 20 }; /* bytes of a text, a blob or a row; longer ones are refused */

/* Opens a database and checks its application_id and user_version. An older version is upgraded in
 * one transaction when writing, and read from a temporary copy that is upgraded. WAL,
 * synchronous=FULL, foreign keys, 30 s for locks (once: after a step that got none no other waits).
 * NULL and an Error on failure: as of connection.h, and STATUS_BAD_INPUT for a missing file. A file
 * of another program is never changed. It is opened under store_watch(interrupted), which stays:
 * Ctrl-C ends an upgrade, too. */
Store *store_open_watched(const char *path, StoreMode mode, const atomic_int *interrupted,
                          Error *err);

static inline Store *store_open(const char *path, StoreMode mode, Error *err)
{
    return store_open_watched(path, mode, NULL, err);
}

/* Does the file have the header of a Tabia database of any version? */
bool store_recognises(const char *path);

/* Checkpoints the WAL (TRUNCATE) when opened for writing, and closes. NULL-safe. */
void store_close(Store *store);

/* Removes a database that no process has open, with what SQLite may have left beside it. */
void store_remove(const char *path);

/* Removes only what SQLite left beside it: a new database of that name would read the log of the
 * old one. */
void store_remove_logs(const char *path);

#endif
