/* SPDX-License-Identifier: MIT
 * Making and proving the readable positions of a store. */
#include "db/chess/materialize.h"

#include <stdlib.h>
#include <string.h>

#include "db/chess/replay.h"
#include "db/tables/game_batch.h"
#include "db/tables/positions.h"

enum { BATCH_GAMES = 512 }; /* a transaction; some 40,000 rows */

/* What one thread finds out about one game of a batch. */
typedef struct Item {
    PositionRow *rows; /* by replay; [capacity], kept from batch to batch */
    int capacity;
    PositionRow *stored; /* rows in the store, owned; NULL: none */
    int stored_count;
    Status status;
    Error error;
} Item;

typedef struct Workshop {
    GameBatch *batch;
    Item items[BATCH_GAMES];
} Workshop;

static void close_workshop(Workshop *shop)
{
    if (!shop) return;
    for (int i = 0; i < BATCH_GAMES; i++) {
        free(shop->items[i].rows);
        free(shop->items[i].stored);
    }
    game_batch_destroy(shop->batch);
    free(shop);
}

static Workshop *open_workshop(Error *err)
{
    Workshop *shop = calloc(1, sizeof *shop);

    if (!shop) {
        (void)error_set(err, STATUS_FAILED, "out of memory for positions");
        return NULL;
    }
    shop->batch = game_batch_create(BATCH_GAMES, err);
    if (shop->batch) return shop;
    close_workshop(shop);
    return NULL;
}

static bool stop_wanted(const MaterializeJob *job)
{
    return job->interrupted && atomic_load_explicit(job->interrupted, memory_order_relaxed);
}

static Status replay_rows(const GameRecord *game, Item *item)
{
    if (game->ply_count > item->capacity || !item->rows) {
        int capacity = 2 * game->ply_count + 32;
        PositionRow *grown = realloc(item->rows, (size_t)capacity * sizeof *grown);
        if (!grown) return error_set(&item->error, STATUS_FAILED, "out of memory for positions");
        item->rows = grown;
        item->capacity = capacity;
    }
    return replay_positions(game, item->rows, &item->error);
}

/* ---- Making */

static void replay_batch(Workshop *shop, int threads)
{
#pragma omp parallel for default(none) shared(shop) num_threads(threads) schedule(dynamic, 8)
    for (int i = 0; i < shop->batch->count; i++)
        shop->items[i].status = replay_rows(&shop->batch->games[i], &shop->items[i]);
}

/* The next games behind *after, inside a transaction. */
static Status fill_batch(Store *store, Workshop *shop, int threads, int64_t *after,
                         MaterializeCounts *counts, Error *err)
{
    GameBatch *batch = shop->batch;

    /* The cursor is closed between batches, so that the write-ahead log can be folded in. */
    GameCursor *cursor = store_read_unmaterialized(store, *after, err);
    if (!cursor) return err->status;
    Status status = game_batch_fill(batch, cursor, 0, err);
    game_cursor_close(cursor);
    if (status) return status;
    replay_batch(shop, threads);
    for (int i = 0; i < batch->count; i++) {
        const Item *item = &shop->items[i];
        if (item->status) {
            *err = item->error;
            return item->status;
        }
        *after = batch->game_ids[i];
        status = store_put_positions(store, *after, item->rows, batch->games[i].ply_count, err);
        if (status) return status;
        counts->games++;
        counts->plies += batch->games[i].ply_count;
        counts->with_positions++;
    }
    return STATUS_OK;
}

static Status commit_batch(Store *store, Workshop *shop, int threads, int64_t *after,
                           MaterializeCounts *counts, Error *err)
{
    Status status = store_begin(store, err);
    if (status) return status;
    status = fill_batch(store, shop, threads, after, counts, err);
    return store_end(store, status, err);
}

Status materialize_positions(Store *store, const MaterializeJob *job, MaterializeCounts *counts,
                             Error *err)
{
    Error ignored;
    int64_t after = -1, before;

    if (!err) err = &ignored;
    *counts = (MaterializeCounts){0};
    Workshop *shop = open_workshop(err);
    if (!shop) return err->status;
    Status status;
    do {
        before = counts->games;
        status = stop_wanted(job) ? error_set(err, STATUS_INTERRUPTED, "interrupted")
                                  : commit_batch(store, shop, job->threads, &after, counts, err);
        if (status == STATUS_OK && job->progress) job->progress(job->context, counts);
    } while (status == STATUS_OK && counts->games > before);
    close_workshop(shop);
    return status;
}

/* ---- Proving */

static bool rows_equal(const PositionRow *a, const PositionRow *b)
{
    return a->ply == b->ply && a->score == b->score && a->flags == b->flags &&
           strcmp(a->fen, b->fen) == 0 && strcmp(a->move, b->move) == 0;
}

/* Are the stored rows those that the moves give? */
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
                "game %lld, ply %d: the position's row (%s %s) is not what the moves give "
                "(%s %s), or its score or flags differ",
                (long long)game->game_no, i, stored->fen, stored->move, expected->fen,
                expected->move);
    }
    return status;
}

static void verify_batch(Workshop *shop, int threads)
{
#pragma omp parallel for default(none) shared(shop) num_threads(threads) schedule(dynamic, 8)
    for (int i = 0; i < shop->batch->count; i++) {
        const GameRecord *game = &shop->batch->games[i];
        Item *item = &shop->items[i];
        item->status = replay_check(game, &item->error);
        if (item->status == STATUS_OK) item->status = compare_rows(game, item);
        /* A record that lies is no malformed input but a check that came out false. */
        if (item->status == STATUS_BAD_INPUT) item->status = STATUS_FAILED;
    }
}

static Status read_stored(Store *store, Workshop *shop, Error *err)
{
    for (int i = 0; i < shop->batch->count; i++) {
        Item *item = &shop->items[i];
        free(item->stored);
        item->stored = NULL;
        Status status = store_get_positions(store, shop->batch->game_ids[i], &item->stored,
                                            &item->stored_count, err);
        if (status) return status;
    }
    return STATUS_OK;
}

static Status judge_batch(const Store *store, const Workshop *shop, MaterializeCounts *counts,
                          Error *err)
{
    const GameBatch *batch = shop->batch;

    for (int i = 0; i < batch->count; i++) {
        const Item *item = &shop->items[i];
        if (item->status) {
            *err = item->error;
            err->status = item->status;
            return error_prefix(err, "%s: run %lld", store_path(store),
                                (long long)batch->run_ids[i]);
        }
        counts->games++;
        counts->plies += batch->games[i].ply_count;
        counts->with_positions += item->stored_count > 0;
    }
    return STATUS_OK;
}

Status materialize_verify(Store *store, const MaterializeJob *job, MaterializeCounts *counts,
                          Error *err)
{
    Error ignored;

    if (!err) err = &ignored;
    *counts = (MaterializeCounts){0};
    Workshop *shop = open_workshop(err);
    GameCursor *cursor = shop ? store_read_games(store, NULL, 0, 0, err) : NULL;
    Status status = cursor ? STATUS_OK : err->status;
    while (status == STATUS_OK) {
        if (stop_wanted(job)) status = error_set(err, STATUS_INTERRUPTED, "interrupted");
        if (status == STATUS_OK) status = game_batch_fill(shop->batch, cursor, 0, err);
        if (status || shop->batch->count == 0) break;
        status = read_stored(store, shop, err);
        if (status) break;
        verify_batch(shop, job->threads);
        status = judge_batch(store, shop, counts, err);
        if (status == STATUS_OK && job->progress) job->progress(job->context, counts);
    }
    game_cursor_close(cursor);
    close_workshop(shop);
    return status;
}
