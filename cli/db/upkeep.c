/* SPDX-License-Identifier: MIT
 * `tabia db upgrade` and `vacuum`: keeping a file in shape. */
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "cli/db/verbs.h"
#include "cli/output/process.h"
#include "db/store/schema.h"
#include "db/store/store.h"
#include "engine/base/json.h"

Status db_verb_upgrade(const DbOptions *options, int count, const char **arguments, Error *err)
{
    JsonWriter w;

    (void)count;
    Store *store = store_open(arguments[0], STORE_WRITE, err); /* which does it */
    if (!store) return err->status;
    store_close(store);
    if (!options->common.json) {
        printf("%s: schema %d\n", arguments[0], STORE_SCHEMA_VERSION);
        return STATUS_OK;
    }
    json_begin(&w, stdout);
    json_int(&w, "schema", STORE_SCHEMA_VERSION);
    json_finish(&w);
    return STATUS_OK;
}

static int64_t file_size(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? (int64_t)st.st_size : 0;
}

Status db_verb_vacuum(const DbOptions *options, int count, const char **arguments, Error *err)
{
    JsonWriter w;

    (void)count;
    int64_t before = file_size(arguments[0]);
    Store *store = store_open(arguments[0], STORE_WRITE, err);
    if (!store) return err->status;
    store_watch(store, cli_interrupted());
    Status status = store_vacuum(store, err);
    store_close(store);
    if (status) return status;
    if (!options->common.json) {
        printf("%s: %" PRId64 " bytes, were %" PRId64 "\n", arguments[0], file_size(arguments[0]),
               before);
        return STATUS_OK;
    }
    json_begin(&w, stdout);
    json_int(&w, "bytes", file_size(arguments[0]));
    json_int(&w, "bytes_before", before);
    json_finish(&w);
    return STATUS_OK;
}
