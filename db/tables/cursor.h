/* SPDX-License-Identifier: MIT
 * Reading games one after another. */
#ifndef TABIA_DB_TABLES_CURSOR_H
#define TABIA_DB_TABLES_CURSOR_H

#include "db/store/connection.h"
#include "db/store/game_record.h"

/* Reads games in canonical order: runs in the given order, game_no ascending. */
typedef struct GameCursor GameCursor;
/* run_ids NULL: all runs of `kind` (0: any), ordered by uuid, after store_check_links(). Borrows
 * store and run_ids. */
GameCursor *store_read_games(Store *store, const int64_t *run_ids, int run_count, int kind,
                             Error *err);
/* The first `most` games with plies but without rows in `positions`, with game_id > after, ordered
 * by game_id. Rows may be inserted while the cursor is open. Borrows store. */
GameCursor *store_read_unmaterialized(Store *store, int64_t after, int most, Error *err);
/* For damaged databases: the readable games in order of game_id. Borrows store. */
GameCursor *store_read_salvage(Store *store, Error *err);
/* Games that such a cursor has skipped so far; *more: games after the last readable one may be lost
 * too. */
int64_t game_cursor_lost(const GameCursor *cursor, bool *more);
/* *game is NULL at the end; else it belongs to the cursor and is valid until the next call. */
MUST_CHECK Status game_cursor_next(GameCursor *cursor, const GameRecord **game, int64_t *game_id,
                                   int64_t *run_id, Error *err);
void game_cursor_close(GameCursor *cursor); /* NULL-safe */

/* ---- Copies of games, for threads to process in parallel */

typedef struct BatchGame {
    GameRecord record; /* plies are owned and reused by the next copy */
    PlyClock *clock;   /* owned; record.clock points to it when the game has times */
    int64_t game_id, run_id;
    int64_t ply_capacity, clock_capacity;
} BatchGame;

MUST_CHECK Status batch_game_copy(BatchGame *to, const GameRecord *from, Error *err);
/* Copies the next game of the cursor; *found: there is one. */
MUST_CHECK Status batch_game_read(BatchGame *game, GameCursor *cursor, bool *found, Error *err);
void batch_game_free(BatchGame *game); /* what it owns */

#endif
