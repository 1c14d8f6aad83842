/* SPDX-License-Identifier: MIT
 * Self-play: a run in the store, playing one game, and the missing games of the run. */
#include "selfplay/run/selfplay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/chess/stored_weights.h"
#include "db/store/json_read.h"
#include "db/tables/games.h"
#include "db/tables/runs.h"
#include "engine/base/clock.h"
#include "engine/base/version.h"
#include "engine/notation/fen.h"
#include "selfplay/run/run_config.h"

/* Exploration uses another seed than the openings, with the same stream number. */
static const uint64_t exploration_seed = 0x9e3779b97f4a7c15ULL;

void selfplay_defaults(SelfplaySettings *settings)
{
    *settings = (SelfplaySettings){
        .seed = 1,
        .generation = -1,
        .search = search_signature(),
        .limits = {.nodes_soft = 5000},
        .hash_bytes = 2 << 20,
        .positions = true,
        .threads = 1,
    };
    settings_default(opening_settings, &settings->opening);
    settings_default(adjudication_settings, &settings->adjudication);
}

/* ---- The run in the store */

/* The player number of a pool member in games and table `players`: 0 when its weights equal
 * `weights`, else its place in the pool from 1. */
static int player_number(const SelfplaySettings *settings, const Evaluation *weights, int member)
{
    bool itself = evaluation_equal(&settings->pool[member].weights, weights);
    return itself ? 0 : 1 + member;
}

/* pool: the hashes of its members' weights. */
static Status config_text(const SelfplaySettings *s, char (*pool)[HASH_HEX_MAX], char **text,
                          Error *err)
{
    const SearchLimits limits = game_limits(&s->limits);
    char key[16];
    JsonWriter config;

    json_begin_text(&config, true);
    run_config_limits(&config, &limits, s->hash_bytes);
    settings_json(&config, opening_settings, NULL, SETTINGS_IDENTITY, &s->opening);
    if (s->book) run_config_book(&config, s->book);
    settings_json(&config, adjudication_settings, NULL, SETTINGS_IDENTITY, &s->adjudication);
    settings_json(&config, exploration_settings, NULL, SETTINGS_IDENTITY, &s->exploration);
    for (int i = 0; i < s->pool_count; i++) {
        (void)snprintf(key, sizeof key, "pool_%d", i + 1);
        json_string(&config, key, pool[i]);
    }
    json_int(&config, "search", s->search); /* last: other differences are named first */
    return json_finish_text(&config, text, err);
}

/* Refuses when the database holds another run of this seed and generation: it has the same
 * openings, so the user probably meant to resume it. */
static Status refuse_changed_run(Store *store, const RunRecord *run, Error *err)
{
    RunRecord *runs;
    int count;

    Status status = store_list_runs(store, RUN_SELFPLAY, &runs, &count, err);
    if (status != STATUS_OK) return status;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        const RunRecord *r = &runs[i];
        char difference[256];
        if (r->seed != run->seed || r->generation != run->generation ||
            strcmp(r->uuid, run->uuid) == 0)
            continue;
        status = json_difference(store, r->config, run->config, difference, sizeof difference, err);
        if (status != STATUS_OK) break;
        if (!difference[0])
            (void)snprintf(difference, sizeof difference, "weights %.12s instead of %.12s",
                           run->weights[0], r->weights[0]);
        status = error_set(
            err, STATUS_USAGE,
            "%s holds a self-play run of seed %llu with other settings (%s); use those, another seed or another database",
            store_path(store), (unsigned long long)run->seed, difference);
    }
    store_free_runs(runs, count);
    return status;
}

static PlayerRecord player_record(int number, const char *label, const char *hash)
{
    PlayerRecord player = {.player_no = number, .config = "{}"}; /* settings are in runs.config */

    (void)snprintf(player.name, sizeof player.name, "%s", label);
    (void)snprintf(player.weights, sizeof player.weights, "%s", hash);
    return player;
}

/* A run of these weights and settings, without its label and program. pool: gets the hashes of its
 * members' weights. run->config is malloc'ed; free *config in any case. */
static Status describe_run(const Evaluation *weights, const SelfplaySettings *s,
                           char (*pool)[HASH_HEX_MAX], RunRecord *run, char **config, Error *err)
{
    *run = (RunRecord){.kind = RUN_SELFPLAY, .seed = s->seed, .generation = s->generation};
    *config = NULL;
    Status status = stored_weights_hash(weights, run->weights[0], err);
    for (int i = 0; i < s->pool_count && status == STATUS_OK; i++)
        status = stored_weights_hash(&s->pool[i].weights, pool[i], err);
    if (status == STATUS_OK) status = config_text(s, pool, config, err);
    if (status != STATUS_OK) return status;
    run->config = *config;
    run_identify(run);
    return STATUS_OK;
}

Status selfplay_identify(const Evaluation *weights, const SelfplaySettings *s, char uuid[UUID_MAX],
                         Error *err)
{
    RunRecord run;
    char pool[SELFPLAY_POOL_MAX][HASH_HEX_MAX], *config;

    Status status = describe_run(weights, s, pool, &run, &config, err);
    if (status == STATUS_OK) memcpy(uuid, run.uuid, UUID_MAX);
    free(config);
    return status;
}

/* Finds the run or creates it with its weights and players; errors as of selfplay_run(). */
static Status open_run(Store *store, const Evaluation *weights, const char *label,
                       const SelfplaySettings *s, int64_t *run_id, Error *err)
{
    RunRecord run;
    char pool[SELFPLAY_POOL_MAX][HASH_HEX_MAX], *config;
    PlayerRecord players[1 + SELFPLAY_POOL_MAX];
    const Evaluation *of_players[1 + SELFPLAY_POOL_MAX] = {weights};
    int count = 1;

    Status status = describe_run(weights, s, pool, &run, &config, err);
    (void)snprintf(run.label, sizeof run.label, "%s", label);
    (void)snprintf(run.program, sizeof run.program, "%s", TABIA_VERSION);
    if (status == STATUS_OK) status = refuse_changed_run(store, &run, err);
    players[0] = player_record(0, run.label, run.weights[0]);
    for (int i = 0; status == STATUS_OK && i < s->pool_count; i++) {
        int number = player_number(s, weights, i);
        if (number == 0) continue;
        of_players[count] = &s->pool[i].weights;
        players[count++] = player_record(number, s->pool[i].info.label, pool[i]);
    }
    if (status == STATUS_OK) status = run_register(store, &run, players, of_players, count, err);
    *run_id = run.run_id;
    free(config);
    return status;
}

/* ---- Playing one game */

typedef struct SelfplayContext {
    const SelfplaySettings *settings;
    const Evaluation *weights;
    SearchLimits limits;
    /* Used by the writer only. */
    SelfplayProgressFn progress;
    void *progress_context;
    SelfplayProgress *totals;
    double started;
} SelfplayContext;

typedef struct SelfplayWorker {
    const SelfplayContext *context;
    Player *players[1 + SELFPLAY_POOL_MAX]; /* by number, created when first needed */
    Search *verifier;
} SelfplayWorker;

static void destroy_worker(void *pointer)
{
    SelfplayWorker *worker = pointer;

    for (int i = 0; i <= worker->context->settings->pool_count; i++)
        player_destroy(worker->players[i]);
    search_destroy(worker->verifier);
    free(worker);
}

static void *create_worker(void *context, Error *err)
{
    const SelfplayContext *c = context;
    SelfplayWorker *worker = calloc(1, sizeof *worker);

    if (!worker) return ERROR_NULL(err, STATUS_FAILED, "out of memory for a worker");
    worker->context = c;
    worker->verifier = search_create(c->weights, OPENING_VERIFIER_HASH, err);
    if (worker->verifier) return worker;
    destroy_worker(worker);
    return NULL;
}

static Player *get_player(SelfplayWorker *worker, int number, Error *err)
{
    const SelfplayContext *c = worker->context;
    const EngineSetup setup = {.weights =
                                   number > 0 ? &c->settings->pool[number - 1].weights : c->weights,
                               .hash_bytes = c->settings->hash_bytes};

    if (!worker->players[number]) worker->players[number] = player_create_engine(&setup, err);
    return worker->players[number];
}

/* Player number of the opponent, drawn from the game's stream. */
static int draw_opponent(const SelfplayContext *c, Pcg *rng)
{
    const SelfplaySettings *s = c->settings;

    if (s->pool_count == 0) return 0;
    return player_number(s, c->weights, (int)pcg_below(rng, (uint32_t)s->pool_count));
}

static Status play_game(void *pointer, int64_t index, const atomic_int *cancelled, GameRecord *game,
                        Error *err)
{
    SelfplayWorker *worker = pointer;
    const SelfplayContext *c = worker->context;
    const SelfplaySettings *s = c->settings;
    GameOpening opening;
    Pcg rng;

    Status status =
        opening_of_game(&s->opening, s->seed, s->book, index, worker->verifier, &opening, err);
    if (status != STATUS_OK) return status;
    pcg_seed(&rng, s->seed ^ exploration_seed, (uint64_t)index);
    int numbers[2] = {0, draw_opponent(c, &rng)};
    GameSetup setup = {.players = {get_player(worker, 0, err), get_player(worker, numbers[1], err)},
                       .white = (int)(index % 2),
                       .start_fen = opening.start_fen,
                       .book_moves = opening.moves,
                       .book_count = opening.move_count,
                       .limits = {c->limits, c->limits},
                       .adjudication = s->adjudication,
                       .exploration = s->exploration,
                       .rng = &rng,
                       .cancelled = cancelled};
    if (!setup.players[0] || !setup.players[1]) return err->status;
    status = game_play(&setup, game, err);
    game->opening_no = s->book ? (index + s->book->start) % s->book->count : index;
    game->white = numbers[setup.white];
    game->black = numbers[1 - setup.white];
    return status;
}

/* ---- Counting */

static void report(void *context)
{
    SelfplayContext *c = context;

    c->totals->seconds = clock_seconds() - c->started;
    if (c->progress) c->progress(c->progress_context, c->totals);
}

static bool count_game(void *context, const GameRecord *game)
{
    SelfplayProgress *t = ((SelfplayContext *)context)->totals;

    t->done++;
    t->positions += game->ply_count;
    t->nodes += game->nodes;
    t->wins += game->result == RESULT_WHITE_WINS;
    t->draws += game->result == RESULT_DRAW;
    t->losses += game->result == RESULT_BLACK_WINS;
    report(context);
    return true;
}

static RunnerJob job_of(SelfplayContext *context)
{
    return (RunnerJob){.context = context,
                       .create_worker = create_worker,
                       .destroy_worker = destroy_worker,
                       .play = play_game,
                       .finished = count_game,
                       .tick = report};
}

/* ---- Playing the missing games */

Status selfplay_check(const SelfplaySettings *s, Error *err)
{
    if (s->limits.has_clock || s->limits.movetime_ms > 0)
        return error_set(err, STATUS_USAGE,
                         "self-play must be repeatable: limit it by nodes or depth, not by time");
    if (!game_is_limited(&s->limits))
        return error_set(err, STATUS_USAGE, "self-play needs a limit of nodes or depth");
    if (s->games < 0 || s->first_game < 0 || s->games > INT64_MAX - s->first_game)
        return error_set(err, STATUS_USAGE, "the range of games is impossible");
    if (s->pool_count > SELFPLAY_POOL_MAX)
        return error_set(err, STATUS_USAGE, "a pool has up to %d weights, not %d",
                         SELFPLAY_POOL_MAX, s->pool_count);
    int64_t bases = s->book ? s->book->count : opening_bases(&s->opening);
    if (s->opening.random_plies == 0 && s->first_game + s->games > bases && !s->repeat_openings)
        return error_set(
            err, STATUS_USAGE,
            "there %s only %lld opening%s without random plies: play fewer games, add --random-plies or --repeat-openings",
            bases == 1 ? "is" : "are", (long long)bases, bases == 1 ? "" : "s");
    return STATUS_OK;
}

/* The games of the range that are not stored, malloc'ed. */
static Status list_missing(Store *store, int64_t run_id, const SelfplaySettings *s,
                           int64_t **missing, int64_t *count, Error *err)
{
    bool *present = malloc((size_t)s->games + 1);

    *count = 0;
    *missing = malloc(((size_t)s->games + 1) * sizeof **missing);
    Status status = present && *missing
                        ? STATUS_OK
                        : error_set(err, STATUS_FAILED, "out of memory for the list of games");
    if (status == STATUS_OK)
        status = store_games_present(store, run_id, s->first_game, s->games, present, err);
    for (int64_t i = 0; status == STATUS_OK && i < s->games; i++)
        if (!present[i]) (*missing)[(*count)++] = s->first_game + i;
    free(present);
    return status;
}

static Status play_missing(Store *store, SelfplayContext *c, int64_t run_id,
                           const atomic_int *interrupted, Error *err)
{
    const SelfplaySettings *s = c->settings;
    const RunnerJob job = job_of(c);
    RunnerOptions options = {.threads = s->threads,
                             .store = store,
                             .run_id = run_id,
                             .positions = s->positions,
                             .interrupted = interrupted,
                             .remote = s->remote,
                             .times = &c->totals->times};
    int64_t *missing = NULL;

    Status status = list_missing(store, run_id, s, &missing, &options.count, err);
    if (status == STATUS_OK) {
        c->totals->resumed = c->totals->done = c->totals->total - options.count;
        options.indices = missing;
        report(c);
        if (options.count > 0) status = store_reopen_run(store, run_id, err);
        store_watch(store, NULL); /* games that end before Ctrl-C are committed after it */
        if (status == STATUS_OK) status = runner_run(&options, &job, err);
        report(c);
    }
    free(missing);
    return status;
}

Status selfplay_run(Store *store, const Evaluation *weights, const char *label,
                    const SelfplaySettings *settings, const atomic_int *interrupted,
                    SelfplayProgressFn progress, void *context, SelfplayProgress *totals,
                    Error *err)
{
    SelfplayContext c = {.settings = settings,
                         .weights = weights,
                         .limits = game_limits(&settings->limits),
                         .progress = progress,
                         .progress_context = context,
                         .totals = totals,
                         .started = clock_seconds()};
    int64_t run_id = 0;

    *totals = (SelfplayProgress){.total = settings->games};
    Status status = selfplay_check(settings, err);
    store_watch(store, interrupted);
    if (status == STATUS_OK) status = open_run(store, weights, label, settings, &run_id, err);
    if (status == STATUS_OK) status = play_missing(store, &c, run_id, interrupted, err);
    store_watch(store, NULL);
    if (settings->remote) remote_workers_dismiss(settings->remote);
    if (status != STATUS_OK) return status;
    return totals->resumed < totals->total
               ? store_finish_run(store, run_id, err)
               : store_finish_range(store, run_id, settings->first_game, settings->games, err);
}

Status selfplay_serve(const Evaluation *weights, const SelfplaySettings *settings,
                      const atomic_int *interrupted, Error *err)
{
    SelfplayContext c = {
        .settings = settings, .weights = weights, .limits = game_limits(&settings->limits)};
    const RunnerJob job = job_of(&c);

    Status status = selfplay_check(settings, err);
    if (status == STATUS_OK) runner_serve(settings->threads, &job, interrupted);
    return status;
}
