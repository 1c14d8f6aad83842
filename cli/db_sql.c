/* SPDX-License-Identifier: MIT
 * `tabia db sql`: questions answered. */
#include <stdio.h>

#include "cli/db_verbs.h"

Status db_verb_sql(const DbOptions *options, int count, const char **arguments, Error *err)
{
    (void)count;
    Store *store = store_open(arguments[0], STORE_READ, err);
    if (!store) return err->status;
    Status status = store_sql(store, arguments[1], options->header, stdout, err);
    store_close(store);
    return status;
}
