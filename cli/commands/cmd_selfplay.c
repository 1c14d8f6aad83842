/* SPDX-License-Identifier: MIT
 * `tabia selfplay`: games of an engine against itself, into a database. */
#include "cli/commands/cluster_command.h"
#include "cli/commands/command.h"
#include "cli/output/fields.h"
#include "cli/output/process.h"
#include "cli/output/progress.h"
#include "cli/play/play_options.h"
#include "db/store/store.h"
#include "db/tables/digest.h"
#include "engine/base/json.h"
#include "engine/base/system.h"
#include "engine/eval/evaluation_load.h"
#include "selfplay/run/pool.h"

typedef struct SelfplayOptions {
    Cluster cluster;
    CommonOptions common;
    PlayOptions play;
    OpeningOptions openings;
    const char *db, *weights, *pool;
    SelfplaySettings settings;
} SelfplayOptions;

static void show_progress(void *context, const SelfplayProgress *p)
{
    Progress *progress = context;

    progress->total = p->total;
    progress->resumed = p->resumed;
    if (!progress_due(progress)) return;
    progress_draw(progress, p->done, "games",
                  "%.0f positions/s  White won %lld, drawn %lld, lost %lld",
                  p->seconds > 0 ? (double)p->positions / p->seconds : 0, (long long)p->wins,
                  (long long)p->draws, (long long)p->losses);
}

static void print_json(const SelfplayOptions *o, const SelfplayProgress *p, const char *digest)
{
    JsonWriter w;
    const char *by;

    (void)system_processors_by(&by);

    json_begin(&w, stdout);
    json_int(&w, "games", p->done);
    json_int(&w, "resumed", p->resumed);
    json_int(&w, "positions", p->positions);
    json_int(&w, "nodes", p->nodes);
    json_int(&w, "nps", p->seconds > 0 ? (int64_t)((double)p->nodes / p->seconds) : 0);
    json_int(&w, "wins", p->wins);
    json_int(&w, "draws", p->draws);
    json_int(&w, "losses", p->losses);
    json_double(&w, "seconds", p->seconds, 6);
    json_int(&w, "threads", o->settings.threads);
    json_string(&w, "threads_by", o->common.threads > 0 ? "--threads" : by);
    json_string(&w, "digest", digest);
    json_finish(&w);
}

static void print_summary(const SelfplayOptions *o, const SelfplayProgress *p, const char *digest)
{
    int64_t played = p->done - p->resumed;
    double seconds = p->seconds > 0 ? p->seconds : 1;
    char duration[16];

    progress_duration(p->seconds, duration);
    printf("%lld games of this range in %s", (long long)p->done,
           text_shown(o->db, (char[TEXT_SHOWN_MAX]){0}));
    if (p->resumed > 0) printf(", %lld of them from before", (long long)p->resumed);
    putchar('\n');
    if (played > 0)
        printf("%lld played in %s: %.1f games/s, %.0f positions/s, %.0f nodes/s\n"
               "White won %lld, drawn %lld, lost %lld\n",
               (long long)played, duration, (double)played / seconds,
               (double)p->positions / seconds, (double)p->nodes / seconds, (long long)p->wins,
               (long long)p->draws, (long long)p->losses);
    printf("digest %s\n", digest);
}

static Status play(const SelfplayOptions *o, const Evaluation *weights, const char *label,
                   Store *store, Error *err)
{
    SelfplayProgress totals;
    Progress progress;
    char digest[HASH_HEX_MAX];

    progress_start(&progress, 0, 0, o->common.quiet);
    Status status = selfplay_run(store, weights, label, &o->settings, cli_interrupted(),
                                 show_progress, &progress, &totals, err);
    progress_end(&progress);
    if (status == STATUS_INTERRUPTED && totals.done > 0)
        return error_set(err, status,
                         "interrupted with %lld of %lld games in %s; the same command continues",
                         (long long)totals.done, (long long)totals.total, o->db);
    if (status == STATUS_OK) status = store_digest(store, digest, err);
    if (status != STATUS_OK) return status;
    if (o->common.json)
        print_json(o, &totals, digest);
    else
        print_summary(o, &totals, digest);
    return STATUS_OK;
}

/* On all ranks: rank 0 plays into the store, the others play what it requests. */
static Status play_in_cluster(SelfplayOptions *o, const Evaluation *weights, const char *label,
                              Store *store, Error *err)
{
    SelfplaySettings *settings = &o->settings;
    RemoteWorkers remote = {0};
    char uuid[UUID_MAX];

    settings->threads = cluster_command_threads(&o->cluster, &o->common);
    Status status = selfplay_identify(weights, settings, uuid, err);
    if (status == STATUS_OK) status = cluster_agree(&o->cluster, uuid, err);
    if (status == STATUS_OK)
        status = remote_workers_open(&remote, &o->cluster, settings->threads, err);
    settings->remote = &remote;
    if (status == STATUS_OK)
        status = o->cluster.rank > 0 ? selfplay_serve(weights, settings, cli_interrupted(), err)
                                     : play(o, weights, label, store, err);
    remote_workers_close(&remote);
    return status;
}

/* Rank 0 alone opens the database; the others wait until it has checked everything. */
static Status play_in_database(SelfplayOptions *o, const Evaluation *weights, const char *label,
                               Error *err)
{
    Store *store = NULL;
    Pool pool = {0};
    int last = 0;
    bool first = o->cluster.rank == 0;

    Status status = first && o->pool ? pool_parse_last(o->pool, &last, err) : STATUS_OK;
    if (status != STATUS_OK) return error_prefix(err, "--pool");
    if (status == STATUS_OK && first && o->pool && last == 0)
        status = pool_load(o->pool, &pool, err);
    if (status == STATUS_OK) status = selfplay_check(&o->settings, err);
    if (status == STATUS_OK && first) { /* a refused run leaves no file behind */
        store = store_open_watched(o->db, last > 0 ? STORE_WRITE : STORE_CREATE, cli_interrupted(),
                                   err);
        status = store ? STATUS_OK : err->status;
    }
    if (status == STATUS_OK && last > 0) status = pool_load_last(store, last, &pool, err);
    if (status == STATUS_OK && first) (void)cluster_go(&o->cluster, true);
    if (status == STATUS_OK) status = pool_share(&o->cluster, &pool, err);
    o->settings.pool = pool.members;
    o->settings.pool_count = pool.count;
    if (status == STATUS_OK) status = play_in_cluster(o, weights, label, store, err);
    store_close(store);
    pool_free(&pool);
    return status;
}

static Status run(void *command, const OptionParser *parser, Error *err)
{
    SelfplayOptions *o = command;
    SelfplaySettings *s = &o->settings;
    OpeningBook book;
    Evaluation weights;
    WeightsInfo info;

    Status status = exploration_options_check(&s->exploration, parser, err);
    if (status == STATUS_OK) status = evaluation_load(o->weights, &weights, &info, err);
    if (status == STATUS_OK)
        status = play_options_apply(&o->play, &s->limits, &s->opening, &s->adjudication,
                                    o->openings.file, parser, err);
    if (status == STATUS_OK && s->repeat_openings && s->opening.random_plies > 0 &&
        options_typed(parser, "repeat-openings"))
        status = error_set(err, STATUS_USAGE, "--repeat-openings needs --random-plies 0");
    if (status != STATUS_OK) return status;
    s->seed = o->common.seed;
    s->threads = options_threads(&o->common);
    status = opening_options_load(&o->openings, s->seed, &book, err);
    s->book = book.count > 0 ? &book : NULL;
    if (status == STATUS_OK) status = play_in_database(o, &weights, info.label, err);
    opening_book_free(&book);
    return status;
}

static const Setting options[] = {
    SETTING_HEADING("The run"),
    {"db", FIELD(SelfplayOptions, db), "FILE", "database of the games, created when absent",
     .required = true},
    {"games", FIELD(SelfplayOptions, settings.games), "N", "number of games in the range", 0, 1e12,
     .first = true},
    {"first-game", FIELD(SelfplayOptions, settings.first_game), "N",
     "number of the range's first game", 0, 1e15},
    {"compact", FIELD(SelfplayOptions, settings.positions), NULL,
     "store games without readable positions (tabia db materialize adds them)",
     .form = FORM_OPPOSITE},
    SETTING_HEADING("Players"),
    {"weights", FIELD(SelfplayOptions, weights), "W",
     "builtin, classical, tables, network, pesto, zero, material, or the path of a weights header or network",
     .words = EVALUATION_NAMES, .preset_text = "builtin", .first = true},
    {"pool", FIELD(SelfplayOptions, pool), "W,W",
     "opponents, one drawn for each game: weights, or last:K, the K latest best weights of the database's generations; without it the same weights",
     .words = EVALUATION_NAMES},
    {FIELD(SelfplayOptions, settings.limits), .rows = limits_settings},
    {FIELD(SelfplayOptions, settings.hash_bytes), .rows = hash_settings},
    SETTING_HEADING("Self-play"),
    {FIELD(SelfplayOptions, settings.exploration), .rows = exploration_settings},
    SETTING_HEADING(opening_heading),
    {FIELD(SelfplayOptions, openings), .rows = opening_option_settings},
    {"repeat-openings", FIELD(SelfplayOptions, settings.repeat_openings), NULL,
     "without random plies: start again with the first opening after the last"},
    {FIELD(SelfplayOptions, settings.opening), .rows = opening_settings},
    {FIELD(SelfplayOptions, settings.adjudication), .rows = adjudication_settings},
    {FIELD(SelfplayOptions, play), .rows = play_settings},
    {FIELD(SelfplayOptions, common), .rows = common_settings},
    {0},
};

static const OptionSpec spec = {
    .command = "selfplay",
    .synopsis = "--db FILE --games N [options]",
    .description =
        "Plays games of an engine against itself on all processors and stores them. Games start\n"
        "from random balanced openings or from a book. Game i depends only on seed, i and options,\n"
        "not on threads or ranges. After an interruption the same command plays the missing games.",
    .settings = options,
    .epilogue = "Examples:\n"
                "  tabia selfplay --db games.db --games 10k --nodes 5000\n"
                "  tabia selfplay --db part2.db --first-game 10k --games 10k --nodes 5000\n"
                "  tabia selfplay --db b.db --games 10k --openings book.epd.zst --random-plies 2\n"
                "  mpirun --map-by ppr:1:node:PE=64 tabia selfplay --db c.db --games 10M",
};

Status cmd_selfplay(int argc, char **argv, Error *err)
{
    SelfplayOptions o = {.openings.unique = true};

    settings_default(options, &o);
    selfplay_defaults(&o.settings);
    o.settings.games = 1000;
    o.common.seed = o.settings.seed;
    return cluster_command_run(&o.cluster, &spec, argc, argv, run, &o, err);
}
