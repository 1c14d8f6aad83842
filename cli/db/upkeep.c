/* SPDX-License-Identifier: MIT
 * `tabia db check`, `digest`, `materialize`, `upgrade` and `vacuum`: checking, completing and
 * maintaining a file. */
#include <stdio.h>

#include "cli/db/verbs.h"
#include "cli/output/fields.h"
#include "cli/output/process.h"
#include "cli/output/progress.h"
#include "db/chess/materialize.h"
#include "db/chess/stored_weights.h"
#include "db/store/schema.h"
#include "db/store/store.h"
#include "db/tables/check.h"
#include "db/tables/digest.h"
#include "db/tables/games.h"
#include "engine/base/new_file.h"
#include "engine/base/thread_pool.h"

static const Field digest_field[] = {{"digest", .kind = FIELD_ARRAY}, {0}};

Status db_verb_digest(const DbOptions *options, const char **arguments, Error *err)
{
    char digest[HASH_HEX_MAX];

    Store *store = store_open_watched(arguments[0], STORE_READ, cli_interrupted(), err);
    if (!store) return err->status;
    Status status =
        options->moves ? store_digest_moves(store, digest, err) : store_digest(store, digest, err);
    store_close(store);
    if (status) return status;
    if (options->common.json)
        fields_json_line(stdout, digest_field, digest);
    else
        printf("%s\n", digest);
    return STATUS_OK;
}

static const Field count_fields[] = {
    {"games", FIELD(MaterializeCounts, games), .label = "games"},
    {"plies", FIELD(MaterializeCounts, plies), .label = "plies"},
    {"with_positions", FIELD(MaterializeCounts, with_positions),
     .label = "games with readable positions"},
    {0},
};

static void draw_progress(void *context, const MaterializeCounts *counts)
{
    Progress *progress = context;
    if (progress_due(progress)) progress_draw(progress, counts->games, "games", "%s", "");
}

/* What can be checked without the rules of chess. */
typedef struct FileCheck {
    Store *store;
    Status status;
    Error error;
} FileCheck;

static void check_file(void *context, int thread)
{
    FileCheck *check = context;

    (void)thread;
    check->status = store_check(check->store, &check->error);
    if (check->status == STATUS_OK)
        check->status = stored_weights_check(check->store, &check->error);
}

/* What check_file() found. */
static Status file_status(const FileCheck *check, Error *err)
{
    if (check->status != STATUS_OK) *err = check->error;
    return check->status;
}

/* Checks the file while all games are replayed: by a thread of its own, which has a connection of
 * its own. Its error comes first. */
static Status verify_beside(FileCheck *check, Store *store, const MaterializeJob *job,
                            MaterializeCounts *counts, Error *err)
{
    ThreadPool *pool = thread_pool_create(1, err);

    if (!pool) return err->status;
    thread_pool_start(pool, check_file, check);
    Status status = materialize_verify(store, job, counts, err);
    thread_pool_wait(pool);
    thread_pool_destroy(pool);
    return check->status ? file_status(check, err) : status;
}

static Status verify(Store *store, const MaterializeJob *job, MaterializeCounts *counts, Error *err)
{
    FileCheck check = {.store = store};

    if (job->threads == 1 || store_is_alone(store)) {
        check_file(&check, 0);
        Status found = file_status(&check, err);
        return found ? found : materialize_verify(store, job, counts, err);
    }
    check.store = store_open_watched(store_path(store), STORE_READ, job->interrupted, err);
    if (!check.store) return err->status;
    Status status = store_begin_reading(check.store, err);
    if (status == STATUS_OK) status = verify_beside(&check, store, job, counts, err);
    store_close(check.store);
    return status;
}

typedef Status (*MaterializeFn)(Store *store, const MaterializeJob *job, MaterializeCounts *counts,
                                Error *err);

/* Does the job on all games of the file, with progress, and prints what it counted. */
static Status process_games(const DbOptions *options, const char *path, StoreMode mode,
                            MaterializeFn work, const char *done, Error *err)
{
    Progress progress;
    MaterializeCounts counts;
    int64_t games = 0;
    const MaterializeJob job = {.threads = options_threads(&options->common),
                                .interrupted = cli_interrupted(),
                                .progress = draw_progress,
                                .context = &progress};

    Store *store = store_open_watched(path, mode, cli_interrupted(), err);
    if (!store) return err->status;
    /* Another process may be writing. */
    Status status = mode == STORE_READ ? store_begin_reading(store, err) : STATUS_OK;
    if (status == STATUS_OK) status = store_total_games(store, &games, err);
    if (status == STATUS_DATABASE && mode == STORE_READ) status = STATUS_OK; /* says more below */
    if (status == STATUS_OK) {
        progress_start(&progress, games, 0, options->common.quiet);
        status = work(store, &job, &counts, err);
        progress_end(&progress);
    }
    store_close(store);
    if (status == STATUS_OK) fields_print(options->common.json, done, count_fields, &counts);
    if (status == STATUS_OK && mode == STORE_WRITE && !options->common.json && games > counts.games)
        printf("%lld games had readable positions before\n", (long long)(games - counts.games));
    return status;
}

Status db_verb_check(const DbOptions *options, const char **arguments, Error *err)
{
    return process_games(options, arguments[0], STORE_READ, verify, "sound", err);
}

Status db_verb_materialize(const DbOptions *options, const char **arguments, Error *err)
{
    return process_games(options, arguments[0], STORE_WRITE, materialize_positions, "materialized",
                         err);
}

/* ---- Maintenance */

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
        printf("%s: schema %d\n", text_shown(arguments[0], (char[TEXT_SHOWN_MAX]){0}), schema);
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
