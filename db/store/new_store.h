/* SPDX-License-Identifier: MIT
 * A new database that appears under its name when it is complete, or not at all, as
 * engine/base/new_file.h does for other files. */
#ifndef TABIA_DB_STORE_NEW_STORE_H
#define TABIA_DB_STORE_NEW_STORE_H

#include "db/store/store.h"

typedef struct NewStore {
    Store *store;           /* empty, open for writing; NULL: closed */
    char *path, *temporary; /* owned */
} NewStore;

/* Opens an empty temporary database beside `path`; removes those that killed processes left, as
 * new_file_sweep() does. STATUS_USAGE when `path` exists. */
MUST_CHECK Status new_store_open(NewStore *fresh, const char *path, Error *err);

/* Writes all of it into one file and closes it, still without its name: for those who make many.
 * Only its process number then keeps the next new_store_open() from it. */
MUST_CHECK Status new_store_close(NewStore *fresh, Error *err);

/* Closes it as new_store_close() does, if that is not done, and renames it to `path`. STATUS_USAGE
 * when another process has made a file of that name meanwhile; that file stays. Ends *fresh in any
 * case. */
MUST_CHECK Status new_store_commit(NewStore *fresh, Error *err);

/* Removes it. Ends *fresh; does nothing when it is zero-initialised or ended. */
void new_store_discard(NewStore *fresh);

#endif
