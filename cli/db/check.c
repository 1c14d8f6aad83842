/* SPDX-License-Identifier: MIT
 * `tabia db check`, `digest` and `materialize`: databases proved, and completed. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/db/verbs.h"
#include "cli/output/process.h"
#include "cli/output/progress.h"
#include "db/chess/materialize.h"
#include "db/store/store.h"
#include "db/tables/check.h"
#include "db/tables/digest.h"
#include "db/tables/games.h"
#include "engine/base/json.h"

Status db_verb_digest(const DbOptions *options, int count, const char **arguments, Error *err)
{
    char digest[HASH_HEX_MAX];
    JsonWriter w;

    (void)count;
    Store *store = store_open(arguments[0], STORE_READ, err);
    if (!store) return err->status;
    Status status = options->moves ? store_digest_moves(store, digest, err)
                                   : store_digest(store, 0, digest, err);
    store_close(store);
    if (status) return status;
    if (!options->common.json) {
        printf("%s\n", digest);
        return STATUS_OK;
    }
    json_begin(&w, stdout);
    json_string(&w, "digest", digest);
    json_finish(&w);
    return STATUS_OK;
}

static void draw_progress(void *context, const MaterializeCounts *counts)
{
    Progress *progress = context;
    if (progress_due(progress)) progress_draw(progress, counts->games, "games", "%s", "");
}

static void print_counts(bool json, const char *sentence, const MaterializeCounts *counts)
{
    JsonWriter w;

    if (!json) {
        printf("%s: %" PRId64 " games, %" PRId64 " plies, %" PRId64
               " games with readable positions\n",
               sentence, counts->games, counts->plies, counts->with_positions);
        return;
    }
    json_begin(&w, stdout);
    json_int(&w, "games", counts->games);
    json_int(&w, "plies", counts->plies);
    json_int(&w, "with_positions", counts->with_positions);
    json_finish(&w);
}

static Status check_store(const DbOptions *options, Store *store, MaterializeCounts *counts,
                          Error *err)
{
    GameCounts games;
    Progress progress;

    store_watch(store, cli_interrupted());
    Status status = store_check(store, err);
    if (status == STATUS_OK) status = store_count_games(store, 0, &games, err);
    if (status) return status;
    progress_start(&progress, games.games, 0, options->common.quiet);
    const MaterializeJob job = {.threads = options_threads(&options->common),
                                .interrupted = cli_interrupted(),
                                .progress = draw_progress,
                                .context = &progress};
    status = materialize_verify(store, &job, counts, err);
    progress_end(&progress);
    return status;
}

Status db_verb_check(const DbOptions *options, int count, const char **arguments, Error *err)
{
    MaterializeCounts counts;

    (void)count;
    Store *store = store_open(arguments[0], STORE_READ, err);
    if (!store) return err->status;
    Status status = check_store(options, store, &counts, err);
    store_close(store);
    if (status == STATUS_OK) print_counts(options->common.json, "sound", &counts);
    return status;
}

Status db_verb_materialize(const DbOptions *options, int count, const char **arguments, Error *err)
{
    MaterializeCounts counts;
    Progress progress;

    (void)count;
    Store *store = store_open(arguments[0], STORE_WRITE, err);
    if (!store) return err->status;
    GameCounts games;
    const MaterializeJob job = {.threads = options_threads(&options->common),
                                .interrupted = cli_interrupted(),
                                .progress = draw_progress,
                                .context = &progress};
    Status status = store_count_games(store, 0, &games, err);
    progress_start(&progress, games.games, 0, options->common.quiet);
    if (status == STATUS_OK) status = materialize_positions(store, &job, &counts, err);
    progress_end(&progress);
    store_close(store);
    if (status == STATUS_OK) print_counts(options->common.json, "materialized", &counts);
    return status;
}
