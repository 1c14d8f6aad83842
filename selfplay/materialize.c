/* SPDX-License-Identifier: MIT
 * Making and proving the readable positions of a store. */
#include "selfplay/materialize.h"

#include <stdlib.h>
#include <string.h>

#include "selfplay/replay.h"

enum { BATCH_GAMES = 512 }; /* a transaction; some 40,000 rows */

/* Room for one game's rows; grows, never shrinks. */
typedef struct RowBuffer {
    PositionRow *rows;
    int capacity;
} RowBuffer;

static bool reserve_rows(RowBuffer *buffer, int count)
{
    if (count <= buffer->capacity) return true;
    int capacity = count < 256 ? 256 : 2 * count;
    PositionRow *grown = realloc(buffer->rows, (size_t)capacity * sizeof *grown);
    if (!grown) return false;
    buffer->rows = grown;
    buffer->capacity = capacity;
    return true;
}

static bool stop_wanted(const atomic_int *interrupted)
{
    return interrupted && atomic_load_explicit(interrupted, memory_order_relaxed);
}

static Status replay_rows(const GameRecord *game, RowBuffer *buffer, Error *err)
{
    if (!reserve_rows(buffer, game->ply_count)) {
        (void)error_set(err, STATUS_FAILED, "out of memory");
        return STATUS_FAILED;
    }
    return replay_positions(game, buffer->rows, err);
}

/* ---- Making */

/* Up to BATCH_GAMES games behind *after, inside a transaction. */
static Status fill_batch(Store *store, int64_t *after, RowBuffer *buffer, MaterializeCounts *counts,
                         Error *err)
{
    const GameRecord *game;

    GameCursor *cursor = store_read_unmaterialized(store, *after, err);
    if (!cursor) return err->status;
    Status status = STATUS_OK;
    for (int i = 0; i < BATCH_GAMES && status == STATUS_OK; i++) {
        status = game_cursor_next(cursor, &game, after, NULL, err);
        if (status || !game) break;
        status = replay_rows(game, buffer, err);
        if (status == STATUS_OK)
            status = store_put_positions(store, *after, buffer->rows, game->ply_count, err);
        counts->games++;
        counts->plies += game->ply_count;
        counts->with_positions++;
    }
    game_cursor_close(cursor);
    return status;
}

/* The cursor is closed between batches, so that the write-ahead log can be folded in meanwhile. */
static Status commit_batch(Store *store, int64_t *after, RowBuffer *buffer,
                           MaterializeCounts *counts, Error *err)
{
    Status status = store_begin(store, err);
    if (status) return status;
    status = fill_batch(store, after, buffer, counts, err);
    if (status == STATUS_OK) status = store_commit(store, err);
    if (status) store_rollback(store);
    return status;
}

Status materialize_positions(Store *store, const atomic_int *interrupted,
                             MaterializeProgressFn progress, void *context,
                             MaterializeCounts *counts, Error *err)
{
    RowBuffer buffer = {0};
    Status status = STATUS_OK;
    int64_t after = -1, before;

    *counts = (MaterializeCounts){0};
    do {
        if (stop_wanted(interrupted)) {
            status = error_set(err, STATUS_INTERRUPTED, "interrupted");
            break;
        }
        before = counts->games;
        status = commit_batch(store, &after, &buffer, counts, err);
        if (status == STATUS_OK && progress) progress(context, counts);
    } while (status == STATUS_OK && counts->games > before);
    free(buffer.rows);
    return status;
}

/* ---- Proving */

static bool rows_equal(const PositionRow *a, const PositionRow *b)
{
    return a->ply == b->ply && a->score == b->score && a->flags == b->flags &&
           strcmp(a->fen, b->fen) == 0 && strcmp(a->move, b->move) == 0;
}

/* Are these the rows that the moves give? */
static Status compare_rows(const GameRecord *game, const PositionRow *stored, int count,
                           const PositionRow *expected, Error *err)
{
    if (count != game->ply_count)
        return error_set(err, STATUS_FAILED, "game %lld has %d plies but %d positions",
                         (long long)game->game_no, game->ply_count, count);
    for (int i = 0; i < count; i++) {
        if (rows_equal(&stored[i], &expected[i])) continue;
        return error_set(err, STATUS_FAILED,
                         "game %lld, ply %d: the position's row (%s %s) is not what the moves give "
                         "(%s %s), or its score or flags differ",
                         (long long)game->game_no, i, stored[i].fen, stored[i].move,
                         expected[i].fen, expected[i].move);
    }
    return STATUS_OK;
}

static Status verify_rows(Store *store, int64_t game_id, const GameRecord *game, RowBuffer *buffer,
                          MaterializeCounts *counts, Error *err)
{
    PositionRow *stored;
    int count;

    Status status = store_get_positions(store, game_id, &stored, &count, err);
    if (status || count == 0) return status;
    counts->with_positions++;
    status = replay_rows(game, buffer, err);
    if (status == STATUS_OK) status = compare_rows(game, stored, count, buffer->rows, err);
    free(stored);
    return status;
}

static Status verify_game(Store *store, int64_t game_id, const GameRecord *game, RowBuffer *buffer,
                          MaterializeCounts *counts, Error *err)
{
    counts->games++;
    counts->plies += game->ply_count;
    Status status = replay_check(game, err);
    if (status == STATUS_OK) status = verify_rows(store, game_id, game, buffer, counts, err);
    /* A record that lies is no malformed input but a check that came out false. */
    if (status == STATUS_BAD_INPUT) err->status = status = STATUS_FAILED;
    return status;
}

Status materialize_verify(Store *store, const atomic_int *interrupted,
                          MaterializeProgressFn progress, void *context, MaterializeCounts *counts,
                          Error *err)
{
    const GameRecord *game;
    int64_t game_id, run_id;
    RowBuffer buffer = {0};

    *counts = (MaterializeCounts){0};
    GameCursor *cursor = store_read_games(store, NULL, 0, 0, err);
    if (!cursor) return err->status;
    Status status;
    while ((status = game_cursor_next(cursor, &game, &game_id, &run_id, err)) == STATUS_OK &&
           game) {
        status = verify_game(store, game_id, game, &buffer, counts, err);
        if (status == STATUS_FAILED)
            status = error_prefix(err, "%s: run %lld", store_path(store), (long long)run_id);
        if (status) break;
        if (counts->games % BATCH_GAMES != 0) continue;
        if (progress) progress(context, counts);
        if (stop_wanted(interrupted)) {
            status = error_set(err, STATUS_INTERRUPTED, "interrupted");
            break;
        }
    }
    game_cursor_close(cursor);
    free(buffer.rows);
    return status;
}
