/* SPDX-License-Identifier: MIT
 * `tabia db merge`: many databases into one. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/db_verbs.h"
#include "cli/json.h"

static void print_added(bool json, const char *from, int64_t added)
{
    if (!json) printf("%s: %" PRId64 " games added\n", from, added);
}

Status db_verb_merge(const DbOptions *options, int count, const char **arguments, Error *err)
{
    int64_t total = 0, added;
    JsonWriter w;

    Store *store = store_open(arguments[0], STORE_CREATE, err);
    if (!store) return err->status;
    Status status = STATUS_OK;
    for (int i = 1; i < count && status == STATUS_OK; i++) {
        status = store_merge(store, arguments[i], &added, err);
        if (status) break;
        print_added(options->common.json, arguments[i], added);
        total += added;
    }
    store_close(store);
    if (status || !options->common.json) return status;
    json_begin(&w, stdout);
    json_object(&w, NULL);
    json_int(&w, "added", total);
    json_end_object(&w);
    json_finish(&w);
    return STATUS_OK;
}
