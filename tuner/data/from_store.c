/* SPDX-License-Identifier: MIT
 * Data sets from stored games: batches are replayed in parallel and joined in canonical order. */
#include "tuner/data/from_store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/chess/replay.h"
#include "db/files/pipeline.h"
#include "db/tables/check.h"
#include "db/tables/cursor.h"
#include "db/tables/runs.h"
#include "engine/base/array.h"
#include "tuner/data/fingerprint.h"

enum { BATCH_GAMES = 512, SMOOTH_MAX = 30000 }; /* SMOOTH_MAX: centipawns, below mates */

/* The runs to read. */
typedef struct Chosen {
    int count;
    int64_t *id;         /* in order of generation and uuid, so that the reading order does not
                            depend on the order in which databases were merged, nor, in a run of
                            tabia learn, on the search signature, which is in the uuids */
    int32_t *generation; /* of these runs */
} Chosen;

typedef struct StoreReader {
    const DatasetFilter *filter;
    Dataset *data; /* borrowed: what is read */
    Chosen chosen;
    GameCursor *cursor;
} StoreReader;

typedef struct ReplayedGame {
    BatchGame game;
    Dataset *data;  /* its positions */
    int16_t *score; /* of its plies, smoothed, White's view */
    int64_t score_capacity;
} ReplayedGame;

/* ---- Replay */

/* Each score as expected points, mixed with what came of it: v_i = (1 - td) σ(scale score_i) + td
 * v_(i+1), after the last the result. A random move says nothing of the position before it, so what
 * came of it does not count there.
 * Source: R. Sutton, "Learning to predict by the methods of temporal differences", 1988. */
static void smooth_scores(const GameRecord *game, double td, double scale, int16_t *score)
{
    double later = 0.5 * (double)game->result;

    for (int i = game->ply_count - 1; i >= 0; i--) {
        score[i] = game->plies[i].score;
        if (score[i] == SCORE_UNKNOWN) {
            later = NAN;
            continue;
        }
        double points = 1 / (1 + exp(-scale * score[i]));
        later = isnan(later) ? points : (1 - td) * points + td * later;
        double cp = log(later / (1 - later)) / scale; /* infinite for 0 and 1 */
        score[i] = (int16_t)lround(fmax(-SMOOTH_MAX, fmin(SMOOTH_MAX, cp)));
    }
}

static Status replay_positions_of(ReplayedGame *replayed, const DatasetFilter *filter, Error *err)
{
    const GameRecord *game = &replayed->game.record;
    const bool smooth = filter->td > 0;
    Dataset *data = replayed->data;
    Replay replay;

    Status status = replay_start(&replay, game, err);
    if (status == STATUS_OK && smooth)
        status = ARRAY_RESERVE(replayed->score, replayed->score_capacity, game->ply_count, err);
    if (status == STATUS_OK && smooth)
        smooth_scores(game, filter->td, filter->td_scale, replayed->score);
    for (int ply = 0; ply < game->ply_count && status == STATUS_OK; ply++) {
        status = replay_next(&replay, err); /* checks that the move is legal */
        if (status != STATUS_OK) return status;
        const Position *pos = replay_before(&replay);
        DropReason reason = position_filter_drops(&filter->positions, game, ply, pos);
        int score = smooth ? replayed->score[ply] : game->plies[ply].score;
        status = dataset_read(data, filter, reason, pos, game->result, score, 0, err);
    }
    if (status == STATUS_OK && data->games > 0)
        status = dataset_identify_game(data, 0, game_record_hash(game), err);
    return status;
}

static int32_t generation_of(const Chosen *chosen, int64_t run_id)
{
    for (int i = 0; i < chosen->count; i++)
        if (chosen->id[i] == run_id) return chosen->generation[i];
    return -1;
}

static Status read_game(void *reader, void *item, bool *found, Error *err)
{
    return batch_game_read(&((ReplayedGame *)item)->game, ((StoreReader *)reader)->cursor, found,
                           err);
}

static Status replay_game(void *reader, void *item, Error *err)
{
    const StoreReader *r = reader;
    ReplayedGame *replayed = item;
    const BatchGame *game = &replayed->game;
    Status status = STATUS_OK;

    if (!replayed->data) status = dataset_create(dataset_columns(r->filter), &replayed->data, err);
    if (status != STATUS_OK) return status;
    dataset_clear(replayed->data);
    replayed->data->terms = r->filter->terms;
    replayed->data->reading = generation_of(&r->chosen, game->run_id);
    status = replay_positions_of(replayed, r->filter, err);
    return status == STATUS_OK ? status : error_prefix(err, "run %lld", (long long)game->run_id);
}

/* Games without a position get no number. */
static Status append_game(void *reader, void *item, Error *err)
{
    Dataset *data = ((StoreReader *)reader)->data;
    return dataset_append(data, ((ReplayedGame *)item)->data, data->games, err);
}

static void free_game(void *item)
{
    batch_game_free(&((ReplayedGame *)item)->game);
    dataset_destroy(((ReplayedGame *)item)->data);
    free(((ReplayedGame *)item)->score);
}

/* ---- The store */

static bool run_wanted(const RunRecord *run, const DatasetFilter *filter)
{
    if (filter->runs.last > 0 ? run->run_id < filter->runs.first || run->run_id > filter->runs.last
                              : run->kind == RUN_GAUNTLET)
        return false;
    if (filter->takes_run && !filter->takes_run(filter->context, run)) return false;
    return filter->generations.last < 0 || (run->generation >= filter->generations.first &&
                                            run->generation <= filter->generations.last);
}

static int by_generation(const void *a, const void *b)
{
    const RunRecord *x = a, *y = b;
    if (x->generation != y->generation) return x->generation < y->generation ? -1 : 1;
    return strcmp(x->uuid, y->uuid);
}

/* Why no run is wanted. */
static Status no_runs(const Store *store, const DatasetFilter *filter, const RunRecord *runs,
                      int count, Error *err)
{
    int64_t first = INT64_MAX, last = 0;

    if (filter->runs.last > 0 || filter->generations.last >= 0 || count == 0)
        return error_set(err, STATUS_BAD_INPUT, "%s: no games%s", store_path(store),
                         count == 0 ? "" : " of these generations or runs");
    for (int i = 0; i < count; i++) {
        if (runs[i].run_id < first) first = runs[i].run_id;
        if (runs[i].run_id > last) last = runs[i].run_id;
    }
    return error_set(err, STATUS_BAD_INPUT,
                     "%s: has only games of matches; name their runs: --runs %lld-%lld",
                     store_path(store), (long long)first, (long long)last);
}

static Status choose_runs(Store *store, const DatasetFilter *filter, Chosen *chosen, Error *err)
{
    RunRecord *runs = NULL;
    int run_count = 0;

    Status status = store_list_runs(store, 0, &runs, &run_count, err);
    if (status != STATUS_OK) return status;
    size_t room = (size_t)run_count + 1;
    chosen->id = malloc(room * sizeof *chosen->id);
    chosen->generation = malloc(room * sizeof *chosen->generation);
    if (!chosen->id || !chosen->generation)
        status = error_set(err, STATUS_FAILED, "out of memory for the list of runs");
    if (run_count > 0) qsort(runs, (size_t)run_count, sizeof *runs, by_generation);
    for (int i = 0; i < run_count && status == STATUS_OK; i++) {
        if (!run_wanted(&runs[i], filter)) continue;
        chosen->id[chosen->count] = runs[i].run_id;
        chosen->generation[chosen->count++] = runs[i].generation;
    }
    if (status == STATUS_OK && chosen->count == 0)
        status = no_runs(store, filter, runs, run_count, err);
    store_free_runs(runs, run_count);
    return status;
}

/* Adds the games of one database. */
static Status read_store(Dataset *data, Store *store, const DatasetFilter *filter, int threads,
                         Error *err)
{
    static const Pipeline pipeline = {sizeof(ReplayedGame), BATCH_GAMES, read_game, replay_game,
                                      append_game,          NULL,        free_game};
    StoreReader r = {.filter = filter, .data = data};

    Status status = filter->linked ? STATUS_OK : store_check_links(store, err);
    if (status == STATUS_OK) status = choose_runs(store, filter, &r.chosen, err);
    if (status == STATUS_OK) {
        r.cursor = store_read_games(store, r.chosen.id, r.chosen.count, 0, err);
        status = r.cursor ? pipeline_run(&pipeline, &r, threads, err) : err->status;
        if (status == STATUS_BAD_INPUT) (void)error_prefix(err, "%s", store_path(store));
    }
    game_cursor_close(r.cursor);
    free(r.chosen.id);
    free(r.chosen.generation);
    return status;
}

typedef struct StoreList {
    Store *const *stores;
    int count;
} StoreList;

static Status read_stores(const void *list, const DatasetFilter *filter, int threads, Dataset *data,
                          Error *err)
{
    const StoreList *l = list;
    Status status = STATUS_OK;

    for (int i = 0; i < l->count && status == STATUS_OK; i++)
        status = read_store(data, l->stores[i], filter, threads, err);
    return status;
}

Status dataset_from_stores(Store *const *stores, int count, const DatasetFilter *filter,
                           int threads, Dataset **data, Error *err)
{
    const StoreList list = {stores, count};
    const char *name = count == 1 ? store_path(stores[0]) : "the databases";
    Status status = STATUS_OK;

    *data = NULL;
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = store_begin_reading(stores[i], err); /* another process may be writing */
    if (status == STATUS_OK)
        status = dataset_read_source(read_stores, &list, name, filter, threads, data, err);
    for (int i = 0; i < count; i++)
        store_rollback(stores[i]);
    return status;
}
