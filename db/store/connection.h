/* SPDX-License-Identifier: MIT
 * An open database: transactions, its name, what SQLite may do with it.
 *
 * Errors of the whole store: STATUS_DATABASE with the file's name and SQLite's message (a full
 * disk, a locked or damaged file, a database of another program or of a newer version).
 * Threads: one thread at a time uses a Store. */
#ifndef TABIA_DB_STORE_CONNECTION_H
#define TABIA_DB_STORE_CONNECTION_H

#include <stdatomic.h>
#include <stdbool.h>

#include "engine/base/status.h"

typedef struct Store Store;
struct sqlite3; /* SQLite's own types, for extensions alone */
struct sqlite3_api_routines;

/* As given to store_open(). */
const char *store_path(const Store *store);

/* Is the file locked for this connection, so that no other can read it? On a full disk it is. */
bool store_is_alone(const Store *store);

/* ---- Transactions */
/* Begins a writing transaction (BEGIN IMMEDIATE). STATUS_DATABASE, here and at its end, also where
 * the file was removed, renamed or replaced since it was opened. */
MUST_CHECK Status store_begin(Store *store, Error *err);
/* Until store_rollback(), all reads see the database as it was at the first of them. */
MUST_CHECK Status store_begin_reading(Store *store, Error *err);
MUST_CHECK Status store_commit(Store *store, Error *err);
/* Without a transaction it does nothing. */
void store_rollback(Store *store);
/* Ends a transaction whose work ended with `status`: commits after STATUS_OK, else rolls back.
 * Returns `status`, or the failure of the commit. */
MUST_CHECK Status store_end(Store *store, Status status, Error *err);

/* Are references to rows of other tables checked when rows are written? On in every store that is
 * open for writing; a job whose references are right by construction may turn it off for its own
 * time. Outside a transaction: inside it has no effect. */
MUST_CHECK Status store_check_references(Store *store, bool check, Error *err);

/* Copies all committed changes from the write-ahead log into the file, which may then be renamed or
 * copied alone. STATUS_DATABASE when that fails (a full disk): no change is lost, but part of them
 * stays in the log. Outside a transaction. */
MUST_CHECK Status store_settle(Store *store, Error *err);

/* Rewrites the file without free pages, which needs the file's size again as free disk space, and
 * updates the statistics of SQLite's query planner. */
MUST_CHECK Status store_vacuum(Store *store, Error *err);

/* Registers the SQL functions of an extension that is linked in: its entry point, as SQLite calls
 * those that it loads. */
typedef int StoreExtension(struct sqlite3 *handle, char **message,
                           const struct sqlite3_api_routines *api);
MUST_CHECK Status store_extend(Store *store, StoreExtension *extension, Error *err);

/* From now on every SQL statement ends with STATUS_INTERRUPTED soon after *interrupted becomes
 * non-zero, also one that waits for a lock. NULL: no longer. The flag is borrowed. */
void store_watch(Store *store, const atomic_int *interrupted);

#endif
