/* SPDX-License-Identifier: MIT
 * `tabia db upgrade`: keeping a file in shape. */
#include <stdio.h>

#include "cli/db_verbs.h"

Status db_verb_upgrade(const DbOptions *options, int count, const char **arguments, Error *err)
{
    (void)count;
    Store *store = store_open(arguments[0], STORE_WRITE, err); /* which does it */
    if (!store) return err->status;
    store_close(store);
    if (!options->common.json) printf("%s: schema %d\n", arguments[0], STORE_SCHEMA_VERSION);
    return STATUS_OK;
}
