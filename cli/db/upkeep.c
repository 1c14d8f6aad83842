/* SPDX-License-Identifier: MIT
 * `tabia db upgrade` and `vacuum`: maintenance of a file. */
#include <stdio.h>

#include "cli/db/verbs.h"
#include "cli/output/fields.h"
#include "cli/output/process.h"
#include "db/store/schema.h"
#include "db/store/store.h"
#include "engine/base/new_file.h"

static const Field schema_field[] = {{"schema", .kind = FIELD_INT}, {0}};

Status db_verb_upgrade(const DbOptions *options, const char **arguments, Error *err)
{
    const int schema = STORE_SCHEMA_VERSION;

    /* Opening for writing upgrades. */
    Store *store = store_open_watched(arguments[0], STORE_WRITE, cli_interrupted(), err);
    if (!store) return err->status;
    store_close(store);
    if (options->common.json)
        fields_json_line(stdout, schema_field, &schema);
    else
        printf("%s: schema %d\n", arguments[0], schema);
    return STATUS_OK;
}

typedef struct FileSizes {
    int64_t now, before; /* bytes */
} FileSizes;

static const Field size_fields[] = {
    {"bytes", FIELD(FileSizes, now), .label = "bytes"},
    {"bytes_before", FIELD(FileSizes, before), .label = "before"},
    {0},
};

Status db_verb_vacuum(const DbOptions *options, const char **arguments, Error *err)
{
    FileSizes sizes;

    Store *store = store_open_watched(arguments[0], STORE_WRITE, cli_interrupted(), err);
    if (!store) return err->status;
    Status status = store_settle(store, err); /* the size includes the log */
    sizes.before = file_size(arguments[0]);
    if (status == STATUS_OK) status = store_vacuum(store, err);
    store_close(store);
    sizes.now = file_size(arguments[0]);
    if (status == STATUS_OK) fields_print(options->common.json, arguments[0], size_fields, &sizes);
    return status;
}
