/* SPDX-License-Identifier: MIT
 * `tabia db info`: one pass over the games, replayed by all threads. */
#include "cli/db/info.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/db/verbs.h"
#include "cli/output/process.h"
#include "cli/output/progress.h"
#include "db/chess/replay.h"
#include "db/store/store.h"
#include "db/tables/game_batch.h"
#include "db/tables/positions.h"
#include "db/tables/runs.h"
#include "engine/base/array.h"
#include "engine/base/fnv.h"

const int info_score_ends[SCORE_ENDS] = {-1000, -500, -200, -100, -50, -20,
                                         20,    50,   100,  200,  500, 1000};

enum { BATCH_GAMES = 1024 };

/* A game's start, for counting different ones. */
typedef struct Opening {
    uint64_t hash;
    int run;
} Opening;

/* What a thread finds in a game. */
typedef struct Replayed {
    int64_t phases[GAME_PHASES];
    Error error; /* STATUS_OK: none */
} Replayed;

/* State of the pass. */
typedef struct Gather {
    DbInfo *info;
    GameBatch *batch;
    Replayed *replayed; /* [BATCH_GAMES] */
    Opening *openings;
    int64_t opening_count, opening_capacity;
} Gather;

/* ---- One game */

/* By Position.phase: 24 at the start, 0 with pawns only. */
static GamePhase phase_of(const Position *pos)
{
    return pos->phase > 16 ? PHASE_OPENING : pos->phase > 8 ? PHASE_MIDDLEGAME : PHASE_ENDGAME;
}

static void count_phases(const GameRecord *game, Replayed *counted)
{
    Replay replay;

    memset(counted->phases, 0, sizeof counted->phases);
    Status status = replay_start(&replay, game, &counted->error);
    while (status == STATUS_OK && replay.ply < game->ply_count) {
        counted->phases[phase_of(replay_position(&replay))]++;
        status = replay_next(&replay, &counted->error);
    }
    counted->error.status = status;
}

static void count_score(InfoGroup *group, int score)
{
    int bin = 0;

    if (score == SCORE_UNKNOWN) {
        group->unscored++;
    } else if (value_is_mate(score)) {
        ++*(score > 0 ? &group->white_mates : &group->black_mates);
    } else {
        while (bin < SCORE_ENDS && score >= info_score_ends[bin])
            bin++;
        group->scores[bin]++;
    }
}

static void count_game(InfoGroup *group, const GameRecord *game, const int64_t phases[GAME_PHASES])
{
    int bin = game->ply_count / LENGTH_BIN;

    group->lengths[bin < LENGTH_BINS ? bin : LENGTH_BINS - 1]++;
    if (game->ply_count < group->shortest) group->shortest = game->ply_count;
    if (game->ply_count > group->longest) group->longest = game->ply_count;
    for (int i = 0; i < game->ply_count; i++)
        count_score(group, game->plies[i].score);
    for (int i = 0; i < GAME_PHASES; i++)
        group->phases[i] += phases[i];
}

/* ---- Groups of games */

static void add_counts(GameCounts *to, const GameCounts *from)
{
    to->games += from->games;
    to->plies = game_counts_sum(to->plies, from->plies);
    to->nodes = game_counts_sum(to->nodes, from->nodes);
    to->wins += from->wins;
    to->draws += from->draws;
    to->losses += from->losses;
    for (size_t i = 0; i < sizeof to->reasons / sizeof *to->reasons; i++)
        to->reasons[i] += from->reasons[i];
}

/* All but `openings`, of which the two may share some. */
static void add_group(InfoGroup *to, const InfoGroup *from)
{
    if (from->counts.games > 0 && (to->counts.games == 0 || from->shortest < to->shortest))
        to->shortest = from->shortest;
    if (from->longest > to->longest) to->longest = from->longest;
    add_counts(&to->counts, &from->counts);
    for (int i = 0; i < LENGTH_BINS; i++)
        to->lengths[i] += from->lengths[i];
    for (int i = 0; i < SCORE_BINS; i++)
        to->scores[i] += from->scores[i];
    for (int i = 0; i < GAME_PHASES; i++)
        to->phases[i] += from->phases[i];
    to->white_mates += from->white_mates;
    to->black_mates += from->black_mates;
    to->unscored += from->unscored;
}

static int by_hash(const void *a, const void *b)
{
    const Opening *x = a, *y = b;
    return x->hash < y->hash ? -1 : x->hash > y->hash;
}

/* Equal ones follow each other. */
static void count_opening(InfoGroup *group, uint64_t hash)
{
    group->openings += group->openings == 0 || group->last_opening != hash;
    group->last_opening = hash;
}

static int by_generation(const void *a, const void *b)
{
    return ((const InfoGroup *)a)->generation - ((const InfoGroup *)b)->generation;
}

static InfoGroup *find_generation(DbInfo *info, int generation)
{
    InfoGroup *group = info->of_generation;
    InfoGroup *end = group + info->generation_count;

    while (group < end && group->generation != generation)
        group++;
    if (group == end) info->of_generation[info->generation_count++].generation = generation;
    return group;
}

static void add_up(const Gather *g)
{
    DbInfo *info = g->info;

    for (int i = 0; i < info->run_count; i++) {
        InfoGroup *group = &info->of_run[i];
        int generation = info->runs[i].generation;
        if (group->counts.games == 0) group->shortest = 0;
        add_group(&info->all, group);
        if (generation >= 0) add_group(find_generation(info, generation), group);
    }
    if (g->opening_count > 0)
        qsort(g->openings, (size_t)g->opening_count, sizeof *g->openings, by_hash);
    for (int64_t i = 0; i < g->opening_count; i++) {
        const Opening *o = &g->openings[i];
        int generation = info->runs[o->run].generation;
        count_opening(&info->all, o->hash);
        count_opening(&info->of_run[o->run], o->hash);
        if (generation >= 0) count_opening(find_generation(info, generation), o->hash);
    }
    qsort(info->of_generation, (size_t)info->generation_count, sizeof *info->of_generation,
          by_generation);
}

/* ---- The pass */

static int find_run(const DbInfo *info, int64_t run_id)
{
    int run = 0;
    while (run < info->run_count - 1 && info->runs[run].run_id != run_id)
        run++;
    return run;
}

static void replay_batch(const Gather *g, int threads)
{
#pragma omp parallel for default(none) shared(g) num_threads(threads) schedule(dynamic, 8)
    for (int i = 0; i < g->batch->count; i++)
        count_phases(&g->batch->games[i].record, &g->replayed[i]);
}

static Status count_batch(Gather *g, Error *err)
{
    for (int i = 0; i < g->batch->count; i++) {
        const BatchGame *game = &g->batch->games[i];
        if (g->replayed[i].error.status) {
            *err = g->replayed[i].error;
            return error_prefix(err, "run %lld", (long long)game->run_id);
        }
        int run = find_run(g->info, game->run_id);
        count_game(&g->info->of_run[run], &game->record, g->replayed[i].phases);
        Status status = ARRAY_RESERVE(g->openings, g->opening_capacity, g->opening_count + 1, err);
        if (status) return status;
        const char *fen = game->record.start_fen;
        g->openings[g->opening_count++] =
            (Opening){fnv_add_bytes(FNV_START, fen, strlen(fen)), run};
    }
    return STATUS_OK;
}

static Status read_games(Store *store, Gather *g, const DbOptions *options, int64_t total,
                         Error *err)
{
    int64_t done = 0;
    Progress progress;

    GameCursor *cursor = store_read_games(store, NULL, 0, 0, err);
    if (!cursor) return err->status;
    progress_start(&progress, total, 0, options->common.quiet);
    Status status;
    while ((status = game_batch_fill(g->batch, cursor, err)) == STATUS_OK && g->batch->count) {
        replay_batch(g, options_threads(&options->common));
        status = count_batch(g, err);
        if (status == STATUS_OK) status = cli_check_interrupted(err);
        if (status) break;
        done += g->batch->count;
        if (progress_due(&progress)) progress_draw(&progress, done, "games", "%s", "");
    }
    progress_end(&progress);
    game_cursor_close(cursor);
    return status;
}

/* ---- The verb */

static Status prepare(Store *store, DbInfo *info, Gather *g, Error *err)
{
    Status status = store_list_runs(store, 0, &info->runs, &info->run_count, err);
    if (status) return status;
    size_t runs = (size_t)info->run_count + 1;
    info->of_run = calloc(runs, sizeof *info->of_run);
    info->of_generation = calloc(runs, sizeof *info->of_generation);
    g->info = info;
    g->replayed = calloc(BATCH_GAMES, sizeof *g->replayed);
    if (!info->of_run || !info->of_generation || !g->replayed)
        return error_set(err, STATUS_FAILED, "out of memory");
    g->batch = game_batch_create(BATCH_GAMES, err);
    return g->batch ? STATUS_OK : err->status;
}

static Status gather(Store *store, DbInfo *info, const DbOptions *options, Error *err)
{
    Gather g = {0};

    Status status = prepare(store, info, &g, err);
    int64_t games = 0;
    for (int i = 0; i < info->run_count && status == STATUS_OK; i++) {
        GameCounts *counts = &info->of_run[i].counts;
        info->of_run[i].shortest = INT_MAX;
        status = store_count_games(store, info->runs[i].run_id, counts, err);
        games += counts->games;
    }
    if (status == STATUS_OK) status = store_count_positions(store, &info->positions, err);
    if (status == STATUS_OK) status = read_games(store, &g, options, games, err);
    if (status == STATUS_OK) add_up(&g);
    game_batch_destroy(g.batch);
    free(g.replayed);
    free(g.openings);
    return status;
}

Status db_verb_info(const DbOptions *options, const char **arguments, Error *err)
{
    DbInfo info = {0};

    Store *store = store_open_watched(arguments[0], STORE_READ, cli_interrupted(), err);
    if (!store) return err->status;
    Status status = store_begin_reading(store, err); /* another process may be writing */
    if (status == STATUS_OK) status = gather(store, &info, options, err);
    if (status == STATUS_BAD_INPUT) status = error_prefix(err, "%s", store_path(store));
    if (status == STATUS_OK)
        (options->common.json ? info_print_json : info_print_text)(store, &info);
    store_rollback(store);
    store_close(store);
    store_free_runs(info.runs, info.run_count);
    free(info.of_run);
    free(info.of_generation);
    return status;
}
