/* SPDX-License-Identifier: MIT
 * The settings of a run from its database. */
#include "tuner/learn/stored_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "db/chess/stored_weights.h"
#include "db/store/store.h"
#include "db/tables/learning.h"
#include "db/tables/weights.h"

static Status no_run(const char *dir, Error *err)
{
    return error_set(err, STATUS_BAD_INPUT,
                     "%s holds no run of tabia learn; --from W begins one, without --resume", dir);
}

static Status read_run(Store *store, const char *dir, StoredRun *run, Error *err)
{
    char stage[32], hash[HASH_HEX_MAX], *json = NULL, *last_json = NULL;
    int last = -1;

    Status status = store_last_generation(store, &last, stage, hash, &last_json, err);
    if (status == STATUS_OK) status = store_get_generation(store, 0, stage, &json, err);
    if (status == STATUS_OK && !json) status = no_run(dir, err);
    if (status == STATUS_OK) {
        status = learn_settings_read(&run->settings, store, json, hash, err);
        if (status == STATUS_BAD_INPUT) {
            err->status = STATUS_DATABASE;
            status = error_prefix(err, "%s: the settings of the run", store_path(store));
        }
    }
    if (status == STATUS_OK)
        status = stored_weights_get(store, hash, &run->weights, &run->info, err);
    if (status == STATUS_OK) status = store_get_label(store, hash, run->info.label, err);
    run->last = last > 0 ? last : 1;
    /* The paths of Syzygy files are not stored. */
    run->settings.selfplay.adjudication.table_men = 0;
    free(last_json);
    free(json);
    return status;
}

Status stored_run_read(const char *dir, StoredRun *run, Error *err)
{
    char path[4096];

    (void)snprintf(path, sizeof path, "%s/learn.db", dir);
    if (access(path, F_OK) != 0) return no_run(dir, err);
    Store *store = store_open(path, STORE_READ, err);
    if (!store) return err->status;
    Status status = read_run(store, dir, run, err);
    store_close(store);
    return status;
}
