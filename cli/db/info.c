/* SPDX-License-Identifier: MIT
 * `tabia db info` and `card`: one pass over the games, replayed by all threads. */
#include "cli/db/info.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/db/verbs.h"
#include "cli/output/process.h"
#include "cli/output/progress.h"
#include "db/chess/replay.h"
#include "db/files/pipeline.h"
#include "db/store/store.h"
#include "db/tables/cursor.h"
#include "db/tables/digest.h"
#include "db/tables/games.h"
#include "db/tables/positions.h"
#include "db/tables/runs.h"
#include "engine/base/array.h"
#include "engine/base/fnv.h"
#include "engine/base/system.h"

const int info_score_ends[SCORE_ENDS] = {-1000, -500, -200, -100, -50, -20,
                                         20,    50,   100,  200,  500, 1000};

enum { BATCH_GAMES = 512 };

/* A game's start, for counting different ones. */
typedef struct Opening {
    uint64_t hash;
    int run;
} Opening;

/* A game, and what a thread finds in it. */
typedef struct Replayed {
    BatchGame game;
    int64_t n[FACT_SCORES - FACT_PHASES]; /* FACT_PHASES and FACT_FILTER */
} Replayed;

/* State of the pass. */
typedef struct Gather {
    DbInfo *info;
    GameCursor *cursor;
    Progress progress;
    PositionFilter filter;
    Opening *openings;
    int64_t opening_count, opening_capacity;
} Gather;

/* ---- One game */

/* By Position.phase: 24 at the start, 0 with pawns only. */
static GamePhase phase_of(const Position *pos)
{
    return pos->phase > 16 ? PHASE_OPENING : pos->phase > 8 ? PHASE_MIDDLEGAME : PHASE_ENDGAME;
}

static Status count_positions(void *gather, void *item, Error *err)
{
    const PositionFilter *filter = &((Gather *)gather)->filter;
    Replayed *counted = item;
    const GameRecord *game = &counted->game.record;
    Replay replay;

    memset(counted->n, 0, sizeof counted->n);
    Status status = replay_start(&replay, game, err);
    while (status == STATUS_OK && replay.ply < game->ply_count) {
        const Position *pos = replay_position(&replay);
        counted->n[phase_of(pos)]++;
        counted->n[GAME_PHASES + position_filter_drops(filter, game, replay.ply, pos)]++;
        status = replay_next(&replay, err);
    }
    return status ? error_prefix(err, "run %lld", (long long)counted->game.run_id) : status;
}

/* Which of the numbers counts plies of this score. */
static int score_number(int score)
{
    int bin = 0;

    if (score == SCORE_UNKNOWN) return FACT_UNSCORED;
    if (value_is_mate(score)) return score > 0 ? FACT_WHITE_MATES : FACT_BLACK_MATES;
    while (bin < SCORE_ENDS && score >= info_score_ends[bin])
        bin++;
    return FACT_SCORES + bin;
}

static void count_in_group(InfoGroup *group, const Replayed *replayed)
{
    const GameRecord *game = &replayed->game.record;
    int64_t *n = group->n;
    int bin = game->ply_count / LENGTH_BIN;

    n[FACT_GAMES]++;
    n[FACT_PLIES] += game->ply_count;
    n[FACT_NODES] = game_counts_sum(n[FACT_NODES], game->nodes);
    n[FACT_LOSSES - game->result]++;
    n[FACT_REASONS + game->reason]++;
    n[FACT_LENGTHS + (bin < LENGTH_BINS ? bin : LENGTH_BINS - 1)]++;
    for (int i = 0; i < game->ply_count; i++)
        n[score_number(game->plies[i].score)]++;
    for (int i = FACT_PHASES; i < FACT_SCORES; i++)
        n[i] += replayed->n[i - FACT_PHASES];
}

/* ---- Groups of games */

/* A game belongs to three groups at most: those of all, of its run and of its generation. Returns
 * how many. */
static int groups_of(DbInfo *info, int run, InfoGroup *groups[3])
{
    int count = 0, generation = info->runs[run].generation;

    groups[count++] = &info->all;
    groups[count++] = &info->of_run[run];
    for (int i = 0; generation >= 0 && i < info->generation_count; i++)
        if (info->of_generation[i].generation == generation)
            groups[count++] = &info->of_generation[i];
    return count;
}

static int by_generation(const void *a, const void *b)
{
    return ((const InfoGroup *)a)->generation - ((const InfoGroup *)b)->generation;
}

static void list_generations(DbInfo *info)
{
    InfoGroup *groups[3];

    for (int i = 0; i < info->run_count; i++)
        if (info->runs[i].generation >= 0 && groups_of(info, i, groups) < 3)
            info->of_generation[info->generation_count++].generation = info->runs[i].generation;
    qsort(info->of_generation, (size_t)info->generation_count, sizeof *info->of_generation,
          by_generation);
}

static int by_hash(const void *a, const void *b)
{
    const Opening *x = a, *y = b;
    return x->hash < y->hash ? -1 : x->hash > y->hash;
}

static void count_openings(const Gather *g)
{
    InfoGroup *groups[3];

    if (g->opening_count > 0) /* equal ones follow each other */
        qsort(g->openings, (size_t)g->opening_count, sizeof *g->openings, by_hash);
    for (int64_t i = 0; i < g->opening_count; i++) {
        const Opening *o = &g->openings[i];
        for (int k = groups_of(g->info, o->run, groups) - 1; k >= 0; k--) {
            int64_t *openings = &groups[k]->n[FACT_OPENINGS];
            *openings += *openings == 0 || groups[k]->last_opening != o->hash;
            groups[k]->last_opening = o->hash;
        }
    }
}

/* ---- The pass */

static int find_run(const DbInfo *info, int64_t run_id)
{
    int run = 0;
    while (run < info->run_count - 1 && info->runs[run].run_id != run_id)
        run++;
    return run;
}

/* Of the start position and of moves that no search chose after it: a book's or random ones. */
static uint64_t opening_hash(const GameRecord *game)
{
    uint64_t hash = fnv_add_bytes(FNV_START, game->start_fen, strlen(game->start_fen));
    int count = 0;

    while (count < game->ply_count && game->plies[count].score == SCORE_UNKNOWN)
        count++;
    for (int i = 0; i < count && count < game->ply_count; i++)
        hash = fnv_add(hash, game->plies[i].move);
    return hash;
}

static Status read_game(void *gather, void *item, bool *found, Error *err)
{
    return batch_game_read(&((Replayed *)item)->game, ((Gather *)gather)->cursor, found, err);
}

static Status count_game(void *gather, void *item, Error *err)
{
    Gather *g = gather;
    DbInfo *info = g->info;
    const Replayed *replayed = item;
    const GameRecord *game = &replayed->game.record;
    InfoGroup *groups[3];

    int run = find_run(info, replayed->game.run_id);
    for (int k = groups_of(info, run, groups) - 1; k >= 0; k--)
        count_in_group(groups[k], replayed);
    if (game->ply_count < info->shortest) info->shortest = game->ply_count;
    if (game->ply_count > info->longest) info->longest = game->ply_count;
    Status status = ARRAY_RESERVE(g->openings, g->opening_capacity, g->opening_count + 1, err);
    if (status == STATUS_OK) g->openings[g->opening_count++] = (Opening){opening_hash(game), run};
    return status;
}

static Status show_progress(void *gather, Error *err)
{
    Gather *g = gather;

    if (progress_due(&g->progress))
        progress_draw(&g->progress, g->info->all.n[FACT_GAMES], "games", "%s", "");
    return system_check_end(err);
}

static void free_game(void *item)
{
    batch_game_free(&((Replayed *)item)->game);
}

static Status read_games(Store *store, Gather *g, const DbOptions *options, Error *err)
{
    static const Pipeline pipeline = {sizeof(Replayed), BATCH_GAMES,   read_game, count_positions,
                                      count_game,       show_progress, free_game};
    int64_t total;

    Status status = store_total_games(store, &total, err);
    if (status) return status;
    g->cursor = store_read_games(store, NULL, 0, 0, err);
    if (!g->cursor) return err->status;
    progress_start(&g->progress, total, 0, options->common.quiet);
    status = pipeline_run(&pipeline, g, options_threads(&options->common), err);
    progress_end(&g->progress);
    game_cursor_close(g->cursor);
    return status;
}

/* ---- The verb */

static Status prepare(Store *store, DbInfo *info, Error *err)
{
    Status status = store_list_runs(store, 0, &info->runs, &info->run_count, err);
    if (status) return status;
    size_t runs = (size_t)info->run_count + 1;
    info->of_run = calloc(runs, sizeof *info->of_run);
    info->of_generation = calloc(runs, sizeof *info->of_generation);
    if (!info->of_run || !info->of_generation)
        return error_set(err, STATUS_FAILED, "out of memory");
    list_generations(info);
    return STATUS_OK;
}

static Status gather(Store *store, DbInfo *info, const DbOptions *options, Error *err)
{
    Gather g = {.info = info};

    settings_default(position_filter_settings, &g.filter);
    Status status = prepare(store, info, err);
    if (status == STATUS_OK) status = store_count_positions(store, &info->positions, err);
    if (status == STATUS_OK) status = read_games(store, &g, options, err);
    if (status == STATUS_OK) count_openings(&g);
    free(g.openings);
    return status;
}

static Status show(const DbOptions *options, const char *path, bool card, Error *err)
{
    DbInfo info = {.shortest = INT_MAX, .is_card = card};

    Store *store = store_open_watched(path, STORE_READ, cli_interrupted(), err);
    if (!store) return err->status;
    Status status = store_begin_reading(store, err); /* another process may be writing */
    if (status == STATUS_OK) status = gather(store, &info, options, err);
    if (status == STATUS_BAD_INPUT) status = error_prefix(err, "%s", store_path(store));
    if (status == STATUS_OK && card) status = store_digest(store, info.digest, err);
    if (status == STATUS_OK && card) status = store_digest_moves(store, info.digest_moves, err);
    if (status == STATUS_OK)
        (options->common.json ? info_print_json
         : card               ? info_print_card
                              : info_print_text)(store, &info);
    store_rollback(store);
    store_close(store);
    store_free_runs(info.runs, info.run_count);
    free(info.of_run);
    free(info.of_generation);
    return status;
}

Status db_verb_info(const DbOptions *options, const char **arguments, Error *err)
{
    return show(options, arguments[0], false, err);
}

Status db_verb_card(const DbOptions *options, const char **arguments, Error *err)
{
    return show(options, arguments[0], true, err);
}
