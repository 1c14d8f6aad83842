/* SPDX-License-Identifier: MIT
 * A database that appears whole or not at all; what engine/base/new_file.h is to other files. */
#ifndef TABIA_DB_STORE_NEW_STORE_H
#define TABIA_DB_STORE_NEW_STORE_H

#include "db/store/store.h"

typedef struct NewStore {
    Store *store;           /* empty, open for writing */
    char *path, *temporary; /* owned */
} NewStore;

/* Opens a database with an empty schema beside `path`, where none may be: STATUS_USAGE. */
MUST_CHECK Status new_store_open(NewStore *fresh, const char *path, Error *err);

/* Closes it and gives it its name, when all of it is in the one file. STATUS_USAGE when somebody
 * else has made one of that name meanwhile, which stays. Ends *fresh in any case. */
MUST_CHECK Status new_store_commit(NewStore *fresh, Error *err);

/* Removes it. Ends *fresh; one of zeros, or ended already, is left alone. */
void new_store_discard(NewStore *fresh);

#endif
