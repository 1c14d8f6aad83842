/* SPDX-License-Identifier: MIT
 * Reading games in canonical order, streaming. */
#include "db/tables/cursor.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/run_record.h"
#include "db/store/stmt.h"
#include "db/tables/check.h"
#include "engine/base/array.h"

struct GameCursor {
    Store *store;
    const int64_t *run_ids; /* borrowed, or those that were found */
    int64_t *found;         /* owned, or NULL */
    int run_count, run;     /* run_ids[run] is being read */
    Stmt stmt;              /* closed between runs */
    int key_column;         /* of the order: the values below increase from row to row */
    int64_t last_key;
    GameRecord game;
    PlyClock *clock; /* owned; game.clock points to it when the game has times */
    int64_t plies_capacity;
    /* For salvage, which reads row by row; else next_id is 0. */
    int64_t next_id, last_id;
    int64_t lost, failed; /* rows; failed: since the last readable row */
    bool tail_unknown;    /* last_id is an upper bound: failures at the end may be no rows */
    Error unreadable;     /* of the last unreadable row */
};

/* All runs of a kind, ordered by uuid: independent of machine and order of insertion. */
static Status find_runs(GameCursor *cursor, int kind, Error *err)
{
    int64_t room = 0;

    Status status = store_check_links(cursor->store, err);
    if (status) return status;
    Stmt stmt = stmt_open(
        cursor->store, "SELECT run_id FROM runs WHERE ?1 IS NULL OR kind = ?1 ORDER BY uuid", err);
    stmt_bind_text(&stmt, 1, kind ? run_kind_name((RunKind)kind) : NULL);
    while (stmt_row(&stmt)) {
        if ((stmt.status = ARRAY_RESERVE(cursor->found, room, cursor->run_count + 1, err))) break;
        cursor->found[cursor->run_count++] = stmt_int(&stmt, 0);
    }
    cursor->run_ids = cursor->found;
    return stmt_close(&stmt);
}

GameCursor *store_read_games(Store *store, const int64_t *run_ids, int run_count, int kind,
                             Error *err)
{
    GameCursor *cursor = calloc(1, sizeof *cursor);
    if (!cursor) {
        (void)error_set(err, STATUS_FAILED, "out of memory");
        return NULL;
    }
    cursor->store = store;
    cursor->run_ids = run_ids;
    cursor->run_count = run_ids ? run_count : 0;
    if (run_ids || find_runs(cursor, kind, err) == STATUS_OK) return cursor;
    game_cursor_close(cursor);
    return NULL;
}

/* Columns of all statements below, in the order that read_game() reads. */
#define GAME_COLUMNS                                                                               \
    "game_id, game_no, opening_no, start_fen, result, reason, white, black, nodes, ply_count,"     \
    " moves, run_id, clock, varied"

enum { COLUMN_GAME_ID = 0, COLUMN_GAME_NO = 1 };

/* NULL when opening the cursor's statement failed. */
static GameCursor *opened(GameCursor *cursor)
{
    if (cursor->stmt.status == STATUS_OK) return cursor;
    game_cursor_close(cursor);
    return NULL;
}

GameCursor *store_read_unmaterialized(Store *store, int64_t after, int most, Error *err)
{
    static const int64_t any = 0; /* a list of one run, whose statement is open already */
    GameCursor *cursor = store_read_games(store, &any, 1, 0, err);
    if (!cursor) return NULL;
    cursor->stmt =
        stmt_open(store,
                  "SELECT " GAME_COLUMNS " FROM games AS g"
                  " WHERE game_id > ?1 AND ply_count > 0 AND NOT EXISTS"
                  " (SELECT 1 FROM positions AS p WHERE p.game_id = g.game_id) ORDER BY game_id"
                  " LIMIT ?2",
                  err);
    stmt_bind_int(&cursor->stmt, 1, after);
    stmt_bind_int(&cursor->stmt, 2, most);
    cursor->key_column = COLUMN_GAME_ID;
    cursor->last_key = after;
    return opened(cursor);
}

/* Sets game->clock: NULL for an empty column. False for a wrong length. */
static bool read_clock(GameCursor *cursor)
{
    size_t size;
    const uint8_t *from = stmt_blob(&cursor->stmt, 12, &size);

    cursor->game.clock = from && size > 0 ? cursor->clock : NULL;
    if (!cursor->game.clock) return true;
    if (size != (size_t)cursor->game.ply_count * CLOCK_BYTES) return false;
    for (int i = 0; i < cursor->game.ply_count; i++, from += CLOCK_BYTES)
        cursor->clock[i] = game_blob_get_clock(from);
    return true;
}

static Status read_game(GameCursor *cursor, Error *err)
{
    Stmt *stmt = &cursor->stmt;
    GameRecord *game = &cursor->game;
    int64_t room = cursor->plies_capacity; /* of plies and clock */
    size_t size;

    /* Readers add 1 to the number of a game. */
    game->game_no = stmt_int_in(stmt, COLUMN_GAME_NO, 0, INT64_MAX - 1);
    game->opening_no = stmt_int(stmt, 2);
    stmt_copy_text(stmt, 3, game->start_fen, sizeof game->start_fen);
    game->result = (GameResult)stmt_int_in(stmt, 4, RESULT_BLACK_WINS, RESULT_WHITE_WINS);
    game->reason = (GameReason)stmt_int_in(stmt, 5, REASON_CHECKMATE, REASON_TABLEBASE);
    game->white = (int)stmt_int_in(stmt, 6, 0, INT_MAX);
    game->black = (int)stmt_int_in(stmt, 7, 0, INT_MAX);
    game->nodes = stmt_int_in(stmt, 8, 0, INT64_MAX);
    game->varied = stmt_int_in(stmt, 13, 0, INT64_MAX);
    game->ply_count = (int)stmt_int_in(stmt, 9, 0, INT_MAX / CLOCK_BYTES);
    const uint8_t *moves = stmt_blob(stmt, 10, &size);
    if (stmt->status != STATUS_OK || (size_t)game->ply_count * PLY_BYTES != size)
        return error_set(err, STATUS_DATABASE, "%s: game %lld is damaged", cursor->store->path,
                         (long long)stmt_int(stmt, COLUMN_GAME_ID));
    Status status = ARRAY_RESERVE(game->plies, room, game->ply_count, err);
    if (status == STATUS_OK)
        status = ARRAY_RESERVE(cursor->clock, cursor->plies_capacity, game->ply_count, err);
    if (status) return status;
    for (int i = 0; i < game->ply_count; i++, moves += PLY_BYTES)
        game->plies[i] = game_blob_get_ply(moves);
    if (!read_clock(cursor))
        return error_set(err, STATUS_DATABASE, "%s: game %lld has damaged times",
                         cursor->store->path, (long long)stmt_int(stmt, COLUMN_GAME_ID));
    return STATUS_OK;
}

/* The highest game_id, from the table or else from its index; where both are damaged, *estimated:
 * an upper bound from the size of the file. */
static int64_t highest_row(Store *store, bool *estimated)
{
    static const char *const questions[] = {
        "SELECT max(game_id) FROM games",
        "SELECT max(+game_id) FROM games INDEXED BY sqlite_autoindex_games_1",
        "SELECT page_count * page_size / 64 FROM pragma_page_count, pragma_page_size",
    };
    int64_t highest = 0;

    for (int i = 0; i < 3; i++) {
        *estimated = i == 2;
        if (stmt_read_number(store, questions[i], &highest, &(Error){0}) == STATUS_OK) break;
    }
    return highest;
}

GameCursor *store_read_salvage(Store *store, Error *err)
{
    static const int64_t none = 0;
    GameCursor *cursor = store_read_games(store, &none, 0, 0, err);
    if (!cursor) return NULL;
    cursor->stmt =
        stmt_open(store, "SELECT " GAME_COLUMNS " FROM games NOT INDEXED WHERE game_id = ?1", err);
    cursor->next_id = 1;
    cursor->last_id = highest_row(store, &cursor->tail_unknown);
    return opened(cursor);
}

/* Was a game read? stmt is at its row. */
static bool salvage_next(GameCursor *cursor)
{
    Stmt *stmt = &cursor->stmt;
    bool found = false;

    stmt->err = &cursor->unreadable;
    while (!found && stmt->status != STATUS_INTERRUPTED && cursor->next_id <= cursor->last_id) {
        stmt_reset(stmt);
        stmt->status = STATUS_OK; /* the row before may have been unreadable */
        stmt_bind_int(stmt, 1, cursor->next_id++);
        found = stmt_row(stmt);
        if (found) stmt->status = read_game(cursor, &cursor->unreadable);
        cursor->failed += stmt->status != STATUS_OK;
        found = found && stmt->status == STATUS_OK;
    }
    if (found || !cursor->tail_unknown) {
        cursor->lost += cursor->failed;
        cursor->failed = 0;
    }
    return found;
}

int64_t game_cursor_lost(const GameCursor *cursor, bool *more)
{
    *more = cursor->failed > 0;
    return cursor->lost;
}

/* A damaged tree may give the same rows again and again. */
static Status check_order(GameCursor *cursor, Error *err)
{
    int64_t key = stmt_int(&cursor->stmt, cursor->key_column);

    if (key <= cursor->last_key)
        return error_set(err, STATUS_DATABASE,
                         "%s: the database is damaged: game %lld is not in its order",
                         cursor->store->path, (long long)stmt_int(&cursor->stmt, COLUMN_GAME_ID));
    cursor->last_key = key;
    return STATUS_OK;
}

/* *row: there is a game; stmt is at its row. */
static Status ordered_next(GameCursor *cursor, bool *row, Error *err)
{
    Stmt *stmt = &cursor->stmt;

    *row = false;
    for (; cursor->run < cursor->run_count; cursor->run++) {
        if (!stmt->handle) {
            *stmt = stmt_open(
                cursor->store,
                "SELECT " GAME_COLUMNS " FROM games WHERE run_id = ?1 ORDER BY game_no", err);
            stmt_bind_int(stmt, 1, cursor->run_ids[cursor->run]);
            cursor->key_column = COLUMN_GAME_NO;
            cursor->last_key = -1;
        }
        stmt->err = err;
        *row = stmt_row(stmt);
        if (*row) {
            Status status = read_game(cursor, err);
            return status ? status : check_order(cursor, err);
        }
        if (stmt->status != STATUS_OK) return stmt->status;
        (void)stmt_close(stmt);
    }
    return STATUS_OK;
}

Status game_cursor_next(GameCursor *cursor, const GameRecord **game, int64_t *game_id,
                        int64_t *run_id, Error *err)
{
    Status status = STATUS_OK;
    bool row;

    *game = NULL;
    if (cursor->next_id > 0) {
        row = salvage_next(cursor);
        if (cursor->stmt.status == STATUS_INTERRUPTED)
            status = error_set(err, STATUS_INTERRUPTED, "interrupted");
    } else {
        status = ordered_next(cursor, &row, err);
    }
    if (status || !row) return status;
    if (game_id) *game_id = stmt_int(&cursor->stmt, 0);
    if (run_id) *run_id = stmt_int(&cursor->stmt, 11);
    *game = &cursor->game;
    return STATUS_OK;
}

void game_cursor_close(GameCursor *cursor)
{
    if (!cursor) return;
    (void)stmt_close(&cursor->stmt);
    free(cursor->game.plies);
    free(cursor->clock);
    free(cursor->found);
    free(cursor);
}

/* ---- Copies */

Status batch_game_copy(BatchGame *to, const GameRecord *from, Error *err)
{
    size_t plies = (size_t)from->ply_count;

    Status status = ARRAY_RESERVE(to->record.plies, to->ply_capacity, from->ply_count, err);
    if (status == STATUS_OK && from->clock)
        status = ARRAY_RESERVE(to->clock, to->clock_capacity, from->ply_count, err);
    if (status) return status;
    GamePly *own = to->record.plies;
    to->record = *from;
    to->record.plies = own;
    to->record.clock = from->clock ? to->clock : NULL;
    if (plies > 0) memcpy(own, from->plies, plies * sizeof *own);
    if (plies > 0 && from->clock) memcpy(to->clock, from->clock, plies * sizeof *to->clock);
    return STATUS_OK;
}

Status batch_game_read(BatchGame *game, GameCursor *cursor, bool *found, Error *err)
{
    const GameRecord *record;
    Status status = game_cursor_next(cursor, &record, &game->game_id, &game->run_id, err);

    *found = status == STATUS_OK && record;
    return *found ? batch_game_copy(game, record, err) : status;
}

void batch_game_free(BatchGame *game)
{
    free(game->record.plies);
    free(game->clock);
}
