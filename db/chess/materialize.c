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

enum {
    BATCH_GAMES = 512,     /* a transaction; some 40,000 rows */
    REPLAYED_TOGETHER = 32 /* of these, while those before them are stored */
};

/* A game and its rows. */
typedef struct Item {
    BatchGame game;
    PositionRow *rows; /* replayed; [capacity], reused by the next game */
    int64_t capacity;
    PositionRow *stored; /* rows in the store, owned; NULL: none */
    int stored_count;
} Item;

typedef struct Work {
    Store *store;
    const MaterializeJob *job;
    MaterializeCounts *counts;
    GameCursor *cursor;
    int64_t last; /* game_id that was read last */
} Work;

static void free_item(void *pointer)
{
    Item *item = pointer;

    batch_game_free(&item->game);
    free(item->rows);
    free(item->stored);
}

static Status read_game(void *work, void *item, bool *found, Error *err)
{
    return batch_game_read(&((Item *)item)->game, ((Work *)work)->cursor, found, err);
}

static Status replay_rows(Item *item, Error *err)
{
    const GameRecord *game = &item->game.record;

    Status status = ARRAY_RESERVE(item->rows, item->capacity, game->ply_count, err);
    return status ? status : replay_positions(game, item->rows, err);
}

/* Puts file and run before the error of a game. */
static Status place_error(const Work *w, const Item *item, Error *err)
{
    return error_prefix(err, "%s: run %lld", store_path(w->store), (long long)item->game.run_id);
}

static void count_game(const Work *w, const Item *item, bool with_positions)
{
    w->counts->games++;
    w->counts->plies += item->game.record.ply_count;
    w->counts->with_positions += with_positions;
}

/* After a batch. */
static Status report(void *work, Error *err)
{
    const MaterializeJob *job = ((Work *)work)->job;

    if (job->progress) job->progress(job->context, ((Work *)work)->counts);
    if (job->interrupted && atomic_load_explicit(job->interrupted, memory_order_relaxed))
        return error_set(err, STATUS_INTERRUPTED, "interrupted");
    return STATUS_OK;
}

/* ---- Making */

static Status make_rows(void *work, void *item, Error *err)
{
    Status status = replay_rows(item, err);
    return status ? place_error(work, item, err) : STATUS_OK;
}

static Status put_rows(void *work, void *pointer, Error *err)
{
    Work *w = work;
    const Item *item = pointer;

    w->last = item->game.game_id;
    count_game(w, item, true);
    return store_put_positions(w->store, w->last, item->rows, item->game.record.ply_count, err);
}

/* The next games after w->last, in a transaction. */
static Status make_batch(Work *w, Error *err)
{
    static const Pipeline pipeline = {
        sizeof(Item), REPLAYED_TOGETHER, read_game, make_rows, put_rows, NULL, free_item};

    Status status = store_begin(w->store, err);
    if (status) return status;
    /* A cursor that stayed open would keep SQLite from checkpointing the write-ahead log. */
    w->cursor = store_read_unmaterialized(w->store, w->last, BATCH_GAMES, err);
    status = w->cursor ? pipeline_run(&pipeline, w, w->job->threads, err) : err->status;
    game_cursor_close(w->cursor);
    return store_end(w->store, status, err);
}

Status materialize_positions(Store *store, const MaterializeJob *job, MaterializeCounts *counts,
                             Error *err)
{
    Work w = {.store = store, .job = job, .counts = counts, .last = -1};
    int64_t before = -1;

    *counts = (MaterializeCounts){0};
    /* Every row belongs to a game that its transaction has just read. To look that up again for
     * each row takes a sixth of the time. */
    Status status = store_check_references(store, false, err);
    if (status) return status;
    while (status == STATUS_OK && counts->games > before) {
        before = counts->games;
        status = make_batch(&w, err);
        if (status == STATUS_OK) status = report(&w, err);
    }
    Status restored = store_check_references(store, true, status ? &(Error){0} : err);
    return status ? status : restored;
}

/* ---- Verifying */

static bool rows_equal(const PositionRow *a, const PositionRow *b)
{
    return a->ply == b->ply && a->score == b->score && a->flags == b->flags &&
           strcmp(a->fen, b->fen) == 0 && strcmp(a->move, b->move) == 0;
}

/* Compares the stored rows with the replayed ones. */
static Status compare_rows(Item *item, Error *err)
{
    const GameRecord *game = &item->game.record;

    if (item->stored_count == 0) return STATUS_OK;
    if (item->stored_count != game->ply_count)
        return error_set(err, STATUS_FAILED, "game %lld has %d plies but %d positions",
                         (long long)game->game_no, game->ply_count, item->stored_count);
    Status status = replay_rows(item, err);
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

static Status read_stored(void *work, void *pointer, bool *found, Error *err)
{
    Item *item = pointer;

    free(item->stored);
    item->stored = NULL;
    Status status = read_game(work, item, found, err);
    if (status || !*found) return status;
    return store_get_positions(((Work *)work)->store, item->game.game_id, &item->stored,
                               &item->stored_count, err);
}

static Status verify_game(void *work, void *pointer, Error *err)
{
    Item *item = pointer;

    Status status = replay_check(&item->game.record, err);
    if (status == STATUS_OK) status = compare_rows(item, err);
    if (status == STATUS_OK) return STATUS_OK;
    (void)place_error(work, item, err);
    /* A contradiction in a record is a failed check, not bad input. */
    return status == STATUS_BAD_INPUT ? STATUS_FAILED : status;
}

static Status count_verified(void *work, void *item, Error *err)
{
    (void)err;
    count_game(work, item, ((Item *)item)->stored_count > 0);
    return STATUS_OK;
}

Status materialize_verify(Store *store, const MaterializeJob *job, MaterializeCounts *counts,
                          Error *err)
{
    static const Pipeline pipeline = {sizeof(Item),   BATCH_GAMES, read_stored, verify_game,
                                      count_verified, report,      free_item};
    Work w = {.store = store, .job = job, .counts = counts};

    *counts = (MaterializeCounts){0};
    w.cursor = store_read_games(store, NULL, 0, 0, err);
    Status status = w.cursor ? pipeline_run(&pipeline, &w, job->threads, err) : err->status;
    game_cursor_close(w.cursor);
    return status;
}
