/* SPDX-License-Identifier: MIT
 * Data sets from stored games: batches are replayed in parallel and joined in canonical order. */
#include "tuner/data/from_store.h"

#include <stdlib.h>
#include <string.h>

#include "db/chess/replay.h"
#include "db/files/pipeline.h"
#include "db/tables/check.h"
#include "db/tables/cursor.h"
#include "db/tables/runs.h"
#include "tuner/data/fingerprint.h"

/* Games of a batch, and of a group that one thread replays. */
enum { GROUP_GAMES = 16, BATCH_GROUPS = 32 };

/* The positions of a group of games. */
typedef struct ReplayGroup {
    Dataset *data; /* emptied for the next batch */
    Error error;   /* STATUS_OK: none */
} ReplayGroup;

/* The runs to read. */
typedef struct Chosen {
    int count;
    int64_t *id;         /* in order of generation and uuid, so that the reading order does not
                            depend on the order in which databases were merged, nor, in a run of
                            tabia learn, on the search signature, which is in the uuids */
    int32_t *generation; /* of these runs */
} Chosen;

typedef struct ReplayBatch {
    GameBatch *games;
    ReplayGroup groups[BATCH_GROUPS];
} ReplayBatch;

typedef struct StoreReader {
    const DatasetFilter *filter;
    Dataset *data; /* borrowed: what is read */
    Chosen chosen;
    GameCursor *cursor;
    ReplayBatch batches[PIPELINE_SLOTS];
} StoreReader;

/* ---- Replay */

static Status replay_game(Dataset *data, const GameRecord *game, int32_t number,
                          const DatasetFilter *filter, Error *err)
{
    Replay replay;

    Status status = replay_start(&replay, game, err);
    for (int ply = 0; ply < game->ply_count && status == STATUS_OK; ply++) {
        status = replay_next(&replay, err); /* checks that the move is legal */
        if (status != STATUS_OK) return status;
        const Position *pos = replay_before(&replay);
        DropReason reason = position_filter_drops(&filter->positions, game, ply, pos);
        status = dataset_read(data, filter, reason, pos, game->result, game->plies[ply].score,
                              number, err);
    }
    if (status == STATUS_OK && data->games > number)
        status = dataset_identify_game(data, number, game_record_hash(game), err);
    return status;
}

static int32_t generation_of(const Chosen *chosen, int64_t run_id)
{
    for (int i = 0; i < chosen->count; i++)
        if (chosen->id[i] == run_id) return chosen->generation[i];
    return -1;
}

/* Games without a position get no number. */
static void replay_group(void *reader, int slot, int number)
{
    StoreReader *r = reader;
    ReplayGroup *group = &r->batches[slot].groups[number];
    const GameBatch *batch = r->batches[slot].games;
    int end = (number + 1) * GROUP_GAMES < batch->count ? (number + 1) * GROUP_GAMES : batch->count;

    Status status = STATUS_OK;

    dataset_clear(group->data);
    for (int i = number * GROUP_GAMES; i < end && status == STATUS_OK; i++) {
        const BatchGame *game = &batch->games[i];
        group->data->reading = generation_of(&r->chosen, game->run_id);
        status =
            replay_game(group->data, &game->record, group->data->games, r->filter, &group->error);
        if (status != STATUS_OK)
            (void)error_prefix(&group->error, "run %lld", (long long)game->run_id);
    }
    group->error.status = status;
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

static Status read_batch(void *reader, int slot, int *groups, Error *err)
{
    StoreReader *r = reader;
    GameBatch *games = r->batches[slot].games;

    Status status = game_batch_fill(games, r->cursor, err);
    *groups = (games->count + GROUP_GAMES - 1) / GROUP_GAMES;
    return status;
}

static Status append_batch(void *reader, int slot, Error *err)
{
    StoreReader *r = reader;
    const ReplayBatch *batch = &r->batches[slot];

    for (int g = 0; g * GROUP_GAMES < batch->games->count; g++) {
        if (batch->groups[g].error.status != STATUS_OK) {
            *err = batch->groups[g].error;
            return err->status;
        }
        Status status = dataset_append(r->data, batch->groups[g].data, r->data->games, err);
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

static Status open_batch(ReplayBatch *batch, const DatasetFilter *filter, Error *err)
{
    for (int g = 0; g < BATCH_GROUPS; g++) {
        Status status = dataset_create(dataset_columns(filter), &batch->groups[g].data, err);
        if (status != STATUS_OK) return status;
        batch->groups[g].data->terms = filter->terms;
    }
    batch->games = game_batch_create(GROUP_GAMES * BATCH_GROUPS, err);
    return batch->games ? STATUS_OK : err->status;
}

static Status open_reader(StoreReader *r, Store *store, Error *err)
{
    Status status = r->filter->linked ? STATUS_OK : store_check_links(store, err);

    if (status == STATUS_OK) status = choose_runs(store, r->filter, &r->chosen, err);
    for (int i = 0; i < PIPELINE_SLOTS && status == STATUS_OK; i++)
        status = open_batch(&r->batches[i], r->filter, err);
    if (status != STATUS_OK) return status;
    r->cursor = store_read_games(store, r->chosen.id, r->chosen.count, 0, err);
    return r->cursor ? STATUS_OK : err->status;
}

static void close_reader(StoreReader *r)
{
    game_cursor_close(r->cursor);
    for (int i = 0; i < PIPELINE_SLOTS; i++) {
        game_batch_destroy(r->batches[i].games);
        for (int g = 0; g < BATCH_GROUPS; g++)
            dataset_destroy(r->batches[i].groups[g].data);
    }
    free(r->chosen.id);
    free(r->chosen.generation);
}

/* Adds the games of one database. */
static Status read_store(Dataset *data, Store *store, const DatasetFilter *filter, int threads,
                         Error *err)
{
    static const Pipeline pipeline = {read_batch, replay_group, append_batch};
    StoreReader reader = {.filter = filter, .data = data};

    Status status = open_reader(&reader, store, err);
    if (status == STATUS_OK) {
        status = pipeline_run(&pipeline, &reader, threads, err);
        if (status == STATUS_BAD_INPUT) (void)error_prefix(err, "%s", store_path(store));
    }
    close_reader(&reader);
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
