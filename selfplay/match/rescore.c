/* SPDX-License-Identifier: MIT
 * Stored games with new scores: batches of a run's games are scored by the runner's workers. */
#include "selfplay/match/rescore.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/chess/replay.h"
#include "db/chess/stored_weights.h"
#include "db/store/json_read.h"
#include "db/tables/cursor.h"
#include "db/tables/digest.h"
#include "db/tables/games.h"
#include "db/tables/players.h"
#include "db/tables/runs.h"
#include "db/tables/weights.h"
#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "engine/search/syzygy.h"
#include "selfplay/match/gauntlet_record.h"
#include "selfplay/run/run_config.h"

enum { BATCH_GAMES = 4096 }; /* workers wait for the last game of a batch */

typedef struct Rescore {
    const RescoreJob *job;
    Store *store;
    RescoreCounts *counts;
    double started;
    SearchLimits limits;
    char digest[HASH_HEX_MAX];    /* of job->from */
    char weights[HASH_HEX_MAX];   /* of the player; "": a program */
    BatchGame games[BATCH_GAMES]; /* [game_count], being scored, game_no ascending */
    int game_count;
    int64_t missing[BATCH_GAMES];
} Rescore;

/* ---- The run */

static Status config_text(const Rescore *r, const RunRecord *parent, char **text, Error *err)
{
    const RescoreJob *job = r->job;
    JsonWriter config;

    json_begin_text(&config, true);
    json_string(&config, "rescored_run", parent->uuid);
    json_string(&config, "rescored_digest", r->digest);
    if (job->table_men > 0) {
        json_int(&config, "table_men", job->table_men);
        json_int(&config, "table_count", job->table_count);
    }
    Status status =
        gauntlet_record_player(&config, job->player, r->weights, search_signature(), true, err);
    Status written = json_finish_text(&config, text, status ? &(Error){0} : err);
    return status == STATUS_OK ? written : status;
}

/* Refuses when the database has the games of this run with other scores. */
static Status refuse_other_scores(Store *store, const RunRecord *run, const char *parent,
                                  Error *err)
{
    typedef struct Parent {
        char uuid[UUID_MAX];
    } Parent;
    static const Field field[] = {{"rescored_run", FIELD(Parent, uuid)}, {0}};
    RunRecord *runs;
    int count;

    Status status = store_list_runs(store, 0, &runs, &count, err);
    if (status != STATUS_OK) return status;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        char difference[256];
        Parent found = {""};
        if (strcmp(runs[i].uuid, run->uuid) == 0) continue;
        status = json_read(store, runs[i].config, field, &found, true, err);
        if (status != STATUS_OK || strcmp(found.uuid, parent) != 0) continue;
        status =
            json_difference(store, runs[i].config, run->config, difference, sizeof difference, err);
        if (status == STATUS_OK)
            status = error_set(
                err, STATUS_USAGE,
                "%s holds these games with other scores (%s); use those or another database",
                store_path(store), difference);
    }
    store_free_runs(runs, count);
    return status;
}

/* hash "": there are none. */
static Status copy_weights(const Rescore *r, const char *hash, const char *label, Error *err)
{
    char *text = hash[0] ? store_get_weights(r->job->from, hash, err) : NULL;

    if (!text) return hash[0] ? err->status : STATUS_OK;
    Status status = store_put_weights(r->store, hash, label, text, NULL, err);
    free(text);
    return status;
}

/* Weights come before what refers to them. */
static Status put_run(const Rescore *r, RunRecord *run, const PlayerRecord *players, int count,
                      Error *err)
{
    const GauntletPlayer *scorer = r->job->player;
    Status status = STATUS_OK;

    if (!scorer->uci)
        status = stored_weights_put(r->store, r->weights, scorer->name, scorer->engine.weights,
                                    NULL, NULL, err);
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = copy_weights(r, players[i].weights, players[i].name, err);
    for (int i = 0; i < 2 && status == STATUS_OK; i++)
        status = copy_weights(r, run->weights[i], run->label, err);
    if (status == STATUS_OK) status = store_open_run(r->store, run, NULL, err);
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = store_put_player(r->store, run->run_id, &players[i], err);
    return status;
}

/* Finds or stores the run of the rescored games, with its players. */
static Status open_run(const Rescore *r, const RunRecord *parent, int64_t *run_id, Error *err)
{
    RunRecord run = *parent;
    PlayerRecord *players = NULL;
    char *config = NULL, label[36], scorer[16];
    int count = 0;

    Status status = config_text(r, parent, &config, err);
    text_copy_utf8(label, sizeof label, parent->label);
    text_copy_utf8(scorer, sizeof scorer, r->job->player->name);
    (void)snprintf(run.label, sizeof run.label, "%s rescored by %s", label, scorer);
    run.config = config;
    if (status == STATUS_OK) run_identify(&run);
    if (status == STATUS_OK) status = refuse_other_scores(r->store, &run, parent->uuid, err);
    if (status == STATUS_OK)
        status = store_list_players(r->job->from, parent->run_id, &players, &count, err);
    if (status == STATUS_OK) status = store_begin(r->store, err);
    if (status == STATUS_OK)
        status = store_end(r->store, put_run(r, &run, players, count, err), err);
    *run_id = run.run_id;
    if (players) store_free_players(players, count);
    free(config);
    return status;
}

/* ---- One game */

typedef struct RescoreWorker {
    const Rescore *rescore;
    Player *player;
} RescoreWorker;

static void destroy_worker(void *worker)
{
    player_destroy(((RescoreWorker *)worker)->player);
    free(worker);
}

static void *create_worker(void *context, Error *err)
{
    const Rescore *r = context;
    const GauntletPlayer *p = r->job->player;
    RescoreWorker *worker = malloc(sizeof *worker);

    if (!worker) return ERROR_NULL(err, STATUS_FAILED, "out of memory for a worker");
    *worker = (RescoreWorker){r, p->uci ? player_create_uci(p->uci, err)
                                        : player_create_engine(&p->engine, err)};
    if (worker->player) return worker;
    destroy_worker(worker);
    return NULL;
}

/* Of the position before the next ply, White's view. */
static Status score_position(const RescoreWorker *worker, const Replay *replay,
                             const atomic_int *cancelled, GameRecord *game, int *score, Error *err)
{
    const Rescore *r = worker->rescore;
    const Position *pos = replay_position(replay);
    const GameView view = {.start_fen = game->start_fen,
                           .plies = game->plies,
                           .ply_count = replay->ply,
                           .position = pos,
                           .history = &replay->history,
                           .cancelled = cancelled};
    SearchLimits limits = r->limits;
    SyzygyResult result = SYZYGY_UNKNOWN;
    PlayerMove answer = {0};

    if (popcount(position_occupied(pos)) <= r->job->table_men) result = syzygy_probe(pos);
    if (result != SYZYGY_UNKNOWN) {
        answer.score = syzygy_value(result, true, 0);
    } else {
        limits.interrupted = cancelled;
        Status status = player_choose(worker->player, &view, &limits, &answer, err);
        if (status != STATUS_OK) return status;
    }
    if (atomic_load(cancelled)) return error_set(err, STATUS_INTERRUPTED, "interrupted");
    if (answer.lost || answer.note)
        return error_set(err, STATUS_ENGINE, "game %lld, ply %d: %s", (long long)game->game_no,
                         replay->ply, answer.note ? answer.note : "no score");
    game->nodes += (int64_t)answer.nodes;
    *score =
        answer.score == SCORE_UNKNOWN || position_stm(pos) == WHITE ? answer.score : -answer.score;
    return STATUS_OK;
}

static int by_number(const void *number, const void *game)
{
    int64_t a = *(const int64_t *)number, b = ((const BatchGame *)game)->record.game_no;
    return (a > b) - (a < b);
}

static Status score_game(void *pointer, int64_t index, const atomic_int *cancelled,
                         GameRecord *game, Error *err)
{
    const RescoreWorker *worker = pointer;
    const Rescore *r = worker->rescore;
    const BatchGame *from =
        bsearch(&index, r->games, (size_t)r->game_count, sizeof *r->games, by_number);
    GamePly *plies = game->plies;
    Replay replay;

    *game = from->record;
    game->plies = plies;
    game->clock = NULL;
    game->nodes = 0;
    memcpy(plies, from->record.plies, (size_t)game->ply_count * sizeof *plies);
    Status status = replay_start(&replay, game, err);
    if (status == STATUS_OK) status = player_new_game(worker->player, err);
    while (status == STATUS_OK && replay.ply < game->ply_count) {
        int score = SCORE_UNKNOWN;
        status = score_position(worker, &replay, cancelled, game, &score, err);
        plies[replay.ply].score = (int16_t)score;
        if (status == STATUS_OK) status = replay_next(&replay, err);
    }
    return status;
}

/* ---- All games */

static void report(void *context)
{
    Rescore *r = context;

    r->counts->seconds = clock_seconds() - r->started;
    if (r->job->progress) r->job->progress(r->job->context, r->counts);
}

static bool count_game(void *context, const GameRecord *game)
{
    Rescore *r = context;

    r->counts->done++;
    r->counts->positions += game->ply_count;
    r->counts->nodes += game->nodes;
    report(r);
    return true;
}

static Status read_batch(Rescore *r, GameCursor *cursor, Error *err)
{
    Status status = STATUS_OK;
    bool found = true;

    for (r->game_count = 0; r->game_count < BATCH_GAMES && found; r->game_count += found)
        status = batch_game_read(&r->games[r->game_count], cursor, &found, err);
    return status;
}

/* Those of the batch that the run lacks. */
static Status list_missing(Rescore *r, int64_t run_id, int64_t *count, Error *err)
{
    Status status = STATUS_OK;

    *count = 0;
    for (int i = 0; i < r->game_count && status == STATUS_OK; i++) {
        const GameRecord *game = &r->games[i].record;
        bool present, too_long = game->ply_count > GAME_PLIES_MAX;
        status = store_games_present(r->store, run_id, game->game_no, 1, &present, err);
        if (status == STATUS_OK && !present && !too_long) {
            r->missing[(*count)++] = game->game_no;
            continue;
        }
        r->counts->done++;
        r->counts->resumed += present;
        r->counts->too_long += too_long;
    }
    return status;
}

static Status score_run(Rescore *r, const RunRecord *parent, Error *err)
{
    const GauntletPlayer *player = r->job->player;
    const RunnerJob job = {.context = r,
                           .create_worker = create_worker,
                           .destroy_worker = destroy_worker,
                           .play = score_game,
                           .finished = count_game,
                           .tick = report};
    RunnerOptions options = {.threads = r->job->threads,
                             .indices = r->missing,
                             .store = r->store,
                             .at_once = player->uci || player->engine.threads > 1,
                             .interrupted = r->job->interrupted};

    Status status = open_run(r, parent, &options.run_id, err);
    if (status != STATUS_OK) return status;
    GameCursor *cursor = store_read_games(r->job->from, &parent->run_id, 1, 0, err);
    if (!cursor) return err->status;
    do {
        status = read_batch(r, cursor, err);
        if (status == STATUS_OK) status = list_missing(r, options.run_id, &options.count, err);
        report(r);
        if (status == STATUS_OK) status = runner_run(&options, &job, err);
    } while (status == STATUS_OK && r->game_count > 0);
    game_cursor_close(cursor);
    if (status == STATUS_ENGINE || status == STATUS_BAD_INPUT)
        return error_prefix(err, "%s: run %lld", store_path(r->job->from),
                            (long long)parent->run_id);
    return status == STATUS_OK ? store_finish_run(r->store, options.run_id, err) : status;
}

static Status score_runs(Rescore *r, Error *err)
{
    RunRecord *runs;
    int count;

    Status status = store_list_runs(r->job->from, 0, &runs, &count, err);
    if (status != STATUS_OK) return status;
    store_watch(r->store, NULL); /* games that end before Ctrl-C are committed after it */
    if (count == 0)
        status = error_set(err, STATUS_BAD_INPUT, "%s: no games", store_path(r->job->from));
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = score_run(r, &runs[i], err);
    store_free_runs(runs, count);
    return status;
}

Status rescore_games(Store *store, const RescoreJob *job, RescoreCounts *counts, Error *err)
{
    const GauntletPlayer *player = job->player;
    Rescore *r = calloc(1, sizeof *r);

    *counts = (RescoreCounts){0};
    if (!r) return error_set(err, STATUS_FAILED, "out of memory for games");
    r->job = job;
    r->store = store;
    r->counts = counts;
    r->started = clock_seconds();
    r->limits = game_limits(&player->limits);
    Status status =
        player->uci ? STATUS_OK : stored_weights_hash(player->engine.weights, r->weights, err);
    if (status == STATUS_OK) status = store_digest(job->from, r->digest, err);
    if (status == STATUS_OK) status = store_total_games(job->from, &counts->total, err);
    if (status == STATUS_OK) status = score_runs(r, err);
    for (int i = 0; i < BATCH_GAMES; i++)
        batch_game_free(&r->games[i]);
    free(r);
    return status;
}
