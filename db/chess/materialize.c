/* SPDX-License-Identifier: MIT
 * Making and verifying the readable positions of a store. */
#include "db/chess/materialize.h"

#include <stdlib.h>
#include <string.h>

#include "db/chess/replay.h"
#include "db/files/pipeline.h"
#include "db/tables/cursor.h"
#include "db/tables/positions.h"
#include "engine/base/array.h"

enum { BATCH_GAMES = 512 }; /* a transaction; some 40,000 rows */

/* The result of one thread for one game of a batch. */
typedef struct Item {
    PositionRow *rows; /* replayed; [capacity], reused by the next batch */
    int64_t capacity;
    PositionRow *stored; /* rows in the store, owned; NULL: none */
    int stored_count;
    Error error; /* STATUS_OK: none */
} Item;

typedef struct Workers {
    GameBatch *batch;
    Item items[BATCH_GAMES];
} Workers;

static void destroy_workers(Workers *workers)
{
    if (!workers) return;
    for (int i = 0; i < BATCH_GAMES; i++) {
        free(workers->items[i].rows);
        free(workers->items[i].stored);
    }
    game_batch_destroy(workers->batch);
    free(workers);
}

static Workers *create_workers(Error *err)
{
    Workers *workers = calloc(1, sizeof *workers);

    if (!workers) {
        (void)error_set(err, STATUS_FAILED, "out of memory for positions");
        return NULL;
    }
    workers->batch = game_batch_create(BATCH_GAMES, err);
    if (workers->batch) return workers;
    destroy_workers(workers);
    return NULL;
}

static bool stop_wanted(const MaterializeJob *job)
{
    return job->interrupted && atomic_load_explicit(job->interrupted, memory_order_relaxed);
}

static Status replay_rows(const GameRecord *game, Item *item)
{
    Status status = ARRAY_RESERVE(item->rows, item->capacity, game->ply_count, &item->error);
    return status ? status : replay_positions(game, item->rows, &item->error);
}

/* ---- Making */

static void replay_batch(Workers *workers, int threads)
{
#pragma omp parallel for default(none) shared(workers) num_threads(threads) schedule(dynamic, 8)
    for (int i = 0; i < workers->batch->count; i++)
        workers->items[i].error.status =
            replay_rows(&workers->batch->games[i].record, &workers->items[i]);
}

/* The error of a game of the batch, with its file and run. */
static Status game_error(const Store *store, const Workers *workers, int i, Error *err)
{
    *err = workers->items[i].error;
    return error_prefix(err, "%s: run %lld", store_path(store),
                        (long long)workers->batch->games[i].run_id);
}

/* Makes the rows of the next games after *after, inside a transaction. */
static Status fill_batch(Store *store, Workers *workers, int threads, int64_t *after,
                         MaterializeCounts *counts, Error *err)
{
    GameBatch *batch = workers->batch;

    /* A cursor that stayed open would keep SQLite from checkpointing the write-ahead log. */
    GameCursor *cursor = store_read_unmaterialized(store, *after, err);
    if (!cursor) return err->status;
    Status status = game_batch_fill(batch, cursor, err);
    game_cursor_close(cursor);
    if (status) return status;
    replay_batch(workers, threads);
    for (int i = 0; i < batch->count; i++) {
        const Item *item = &workers->items[i];
        int plies = batch->games[i].record.ply_count;
        if (item->error.status) return game_error(store, workers, i, err);
        *after = batch->games[i].game_id;
        status = store_put_positions(store, *after, item->rows, plies, err);
        if (status) return status;
        counts->games++;
        counts->plies += plies;
        counts->with_positions++;
    }
    return STATUS_OK;
}

static Status commit_batch(Store *store, Workers *workers, int threads, int64_t *after,
                           MaterializeCounts *counts, Error *err)
{
    Status status = store_begin(store, err);
    if (status) return status;
    status = fill_batch(store, workers, threads, after, counts, err);
    return store_end(store, status, err);
}

Status materialize_positions(Store *store, const MaterializeJob *job, MaterializeCounts *counts,
                             Error *err)
{
    int64_t after = -1, before;

    *counts = (MaterializeCounts){0};
    Workers *workers = create_workers(err);
    if (!workers) return err->status;
    /* Every row belongs to a game that its transaction has just read. To look that up again for
     * each row takes a sixth of the time. */
    Status status = store_check_references(store, false, err);
    if (status) goto cleanup;
    do {
        before = counts->games;
        status = stop_wanted(job) ? error_set(err, STATUS_INTERRUPTED, "interrupted")
                                  : commit_batch(store, workers, job->threads, &after, counts, err);
        if (status == STATUS_OK && job->progress) job->progress(job->context, counts);
    } while (status == STATUS_OK && counts->games > before);
    Status restored = store_check_references(store, true, status ? &(Error){0} : err);
    if (status == STATUS_OK) status = restored;
cleanup:
    destroy_workers(workers);
    return status;
}

/* ---- Verifying */

static bool rows_equal(const PositionRow *a, const PositionRow *b)
{
    return a->ply == b->ply && a->score == b->score && a->flags == b->flags &&
           strcmp(a->fen, b->fen) == 0 && strcmp(a->move, b->move) == 0;
}

/* Compares the stored rows with the replayed ones. */
static Status compare_rows(const GameRecord *game, Item *item)
{
    Error *err = &item->error;

    if (item->stored_count == 0) return STATUS_OK;
    if (item->stored_count != game->ply_count)
        return error_set(err, STATUS_FAILED, "game %lld has %d plies but %d positions",
                         (long long)game->game_no, game->ply_count, item->stored_count);
    Status status = replay_rows(game, item);
    for (int i = 0; i < game->ply_count && status == STATUS_OK; i++) {
        const PositionRow *stored = &item->stored[i], *expected = &item->rows[i];
        if (!rows_equal(stored, expected))
            status = error_set(
                err, STATUS_FAILED,
                "game %lld, ply %d: the stored position (%s %s) differs from the replayed one (%s %s), or its score or flags do",
                (long long)game->game_no, i, stored->fen, stored->move, expected->fen,
                expected->move);
    }
    return status;
}

typedef struct Verification {
    Store *store;
    const MaterializeJob *job;
    MaterializeCounts *counts;
    GameCursor *cursor;
    Workers *slots[PIPELINE_SLOTS];
} Verification;

static Status read_stored(void *verification, int slot, int *games, Error *err)
{
    Verification *v = verification;
    Workers *workers = v->slots[slot];

    if (stop_wanted(v->job)) return error_set(err, STATUS_INTERRUPTED, "interrupted");
    Status status = game_batch_fill(workers->batch, v->cursor, err);
    *games = workers->batch->count;
    for (int i = 0; i < *games && status == STATUS_OK; i++) {
        Item *item = &workers->items[i];
        free(item->stored);
        item->stored = NULL;
        status = store_get_positions(v->store, workers->batch->games[i].game_id, &item->stored,
                                     &item->stored_count, err);
    }
    return status;
}

static void verify_game(void *verification, int slot, int i)
{
    Workers *workers = ((Verification *)verification)->slots[slot];
    const GameRecord *game = &workers->batch->games[i].record;
    Item *item = &workers->items[i];

    Status status = replay_check(game, &item->error);
    if (status == STATUS_OK) status = compare_rows(game, item);
    /* A contradiction in a record is a failed check, not bad input. */
    item->error.status = status == STATUS_BAD_INPUT ? STATUS_FAILED : status;
}

static Status judge_batch(void *verification, int slot, Error *err)
{
    Verification *v = verification;
    const Workers *workers = v->slots[slot];
    const GameBatch *batch = workers->batch;
    MaterializeCounts *counts = v->counts;

    for (int i = 0; i < batch->count; i++) {
        const Item *item = &workers->items[i];
        if (item->error.status) return game_error(v->store, workers, i, err);
        counts->games++;
        counts->plies += batch->games[i].record.ply_count;
        counts->with_positions += item->stored_count > 0;
    }
    if (v->job->progress) v->job->progress(v->job->context, counts);
    return STATUS_OK;
}

Status materialize_verify(Store *store, const MaterializeJob *job, MaterializeCounts *counts,
                          Error *err)
{
    static const Pipeline pipeline = {read_stored, verify_game, judge_batch};
    Verification v = {.store = store, .job = job, .counts = counts};
    Status status = STATUS_OK;

    *counts = (MaterializeCounts){0};
    for (int i = 0; i < PIPELINE_SLOTS && status == STATUS_OK; i++) {
        v.slots[i] = create_workers(err);
        if (!v.slots[i]) status = err->status;
    }
    if (status == STATUS_OK && !(v.cursor = store_read_games(store, NULL, 0, 0, err)))
        status = err->status;
    if (status == STATUS_OK) status = pipeline_run(&pipeline, &v, job->threads, err);
    game_cursor_close(v.cursor);
    for (int i = 0; i < PIPELINE_SLOTS; i++)
        destroy_workers(v.slots[i]);
    return status;
}
