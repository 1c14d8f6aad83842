/* SPDX-License-Identifier: MIT
 * `tabia db rescore`: the games of a database with new scores, into another one. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/db/verbs.h"
#include "cli/output/fields.h"
#include "cli/output/process.h"
#include "cli/output/progress.h"
#include "cli/play/player_spec.h"
#include "db/store/store.h"
#include "db/tables/digest.h"
#include "engine/base/new_file.h"
#include "engine/search/syzygy.h"
#include "selfplay/match/rescore.h"

typedef struct Rescored {
    RescoreCounts counts;
    char digest[HASH_HEX_MAX];
} Rescored;

static const Field rescored_fields[] = {
    {"games", FIELD(Rescored, counts.done), .label = "games"},
    {"resumed", FIELD(Rescored, counts.resumed), .label = "of them from before",
     .zero = ZERO_NOT_IN_TEXT},
    {"too_long", FIELD(Rescored, counts.too_long), .label = "games left out that are too long",
     .zero = ZERO_NOT_IN_TEXT},
    {"positions", FIELD(Rescored, counts.positions), .label = "positions"},
    {"nodes", FIELD(Rescored, counts.nodes), .label = "nodes"},
    {"seconds", FIELD(Rescored, counts.seconds)},
    {"digest", FIELD(Rescored, digest)},
    {0},
};

static void show_progress(void *context, const RescoreCounts *c)
{
    Progress *progress = context;

    progress->total = c->total;
    progress->resumed = c->resumed;
    if (progress_due(progress))
        progress_draw(progress, c->done, "games", "%.0f positions/s",
                      c->seconds > 0 ? (double)c->positions / c->seconds : 0);
}

/* The engine that searches, checked; free the spec also after a failure. */
static Status make_scorer(const DbOptions *o, PlayerSpec *spec, Error *err)
{
    const PlayerDefaults defaults = {.limits = {.nodes_soft = o->nodes ? (uint64_t)o->nodes : 5000},
                                     .hash_bytes = 2 << 20,
                                     .cancelled = cli_interrupted()};

    if (!o->weights && !o->engine)
        return error_set(err, STATUS_USAGE, "rescore needs --weights W or --engine cmd=PROGRAM");
    Status status = o->weights ? player_spec_of_weights(spec, o->weights, &defaults, err)
                               : player_spec_parse(spec, o->engine, &defaults, err);
    if (status == STATUS_OK && spec->limited && o->nodes > 0)
        status = error_set(err, STATUS_USAGE, "--nodes: --engine has a limit of its own");
    if (status == STATUS_OK && spec->player.limits.has_clock)
        status = error_set(err, STATUS_USAGE,
                           "--engine: positions have no clock; limit it by nodes, depth or st");
    return status == STATUS_OK ? player_spec_try(spec, err) : status;
}

static Status open_tables(const char *paths, RescoreJob *job, Error *err)
{
    if (!paths) return STATUS_OK;
    if (syzygy_open(paths, err) != STATUS_OK) return error_prefix(err, "--tb");
    job->table_men = syzygy_pieces();
    job->table_count = syzygy_count(paths, job->table_men);
    return STATUS_OK;
}

static Status report(Store *store, const DbOptions *o, const char *out, Rescored *r, Error *err)
{
    Status status = store_digest(store, r->digest, err);

    if (status != STATUS_OK) return status;
    fields_print(o->common.json, out, rescored_fields, r);
    if (!o->common.json) printf("digest %s\n", r->digest);
    return STATUS_OK;
}

/* A refused command leaves no new file. */
static Status rescore(const DbOptions *o, RescoreJob *job, const char **arguments, Error *err)
{
    Progress progress;
    Rescored r = {0};

    job->progress = show_progress;
    job->context = &progress;
    Status status = store_begin_reading(job->from, err); /* another process may be writing */
    if (status != STATUS_OK) return status;
    Store *store = store_open_watched(arguments[1], STORE_CREATE, cli_interrupted(), err);
    if (!store) return err->status;
    progress_start(&progress, 0, 0, o->common.quiet);
    status = rescore_games(store, job, &r.counts, err);
    progress_end(&progress);
    if (status == STATUS_INTERRUPTED && r.counts.done > 0)
        (void)error_set(err, status,
                        "interrupted with %" PRId64 " of %" PRId64
                        " games in %s; the same command continues",
                        r.counts.done, r.counts.total, arguments[1]);
    if (status == STATUS_OK) status = report(store, o, arguments[1], &r, err);
    store_close(store);
    return status;
}

Status db_verb_rescore(const DbOptions *options, const char **arguments, Error *err)
{
    PlayerSpec scorer = {0};
    RescoreJob job = {.player = &scorer.player,
                      .threads = options_threads(&options->common),
                      .interrupted = cli_interrupted()};

    if (file_is_same(arguments[0], arguments[1]))
        return error_set(err, STATUS_USAGE, "%s: FILE and OUT are the same", arguments[0]);
    Status status = open_tables(options->tb, &job, err);
    if (status == STATUS_OK) status = make_scorer(options, &scorer, err);
    if (status == STATUS_OK) {
        job.from = store_open_watched(arguments[0], STORE_READ, cli_interrupted(), err);
        status = job.from ? rescore(options, &job, arguments, err) : err->status;
    }
    store_close(job.from);
    player_spec_free(&scorer);
    return status;
}
