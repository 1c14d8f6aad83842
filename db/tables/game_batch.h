/* SPDX-License-Identifier: MIT
 * A batch of games copied from a cursor, for threads to process in parallel. */
#ifndef TABIA_DB_TABLES_GAME_BATCH_H
#define TABIA_DB_TABLES_GAME_BATCH_H

#include "db/tables/cursor.h"

typedef struct BatchGame {
    GameRecord record; /* plies are owned and reused by the next fill; no clock */
    int64_t game_id, run_id;
    int64_t ply_capacity;
} BatchGame;

typedef struct GameBatch {
    int count, capacity;
    BatchGame games[]; /* [capacity]; `count` are held */
} GameBatch;

/* Room for `capacity` games; NULL and an Error when out of memory. */
GameBatch *game_batch_create(int capacity, Error *err);
void game_batch_destroy(GameBatch *batch); /* NULL-safe */

/* Replaces the batch by the next games of the cursor; count is 0 at the end. */
MUST_CHECK Status game_batch_fill(GameBatch *batch, GameCursor *cursor, Error *err);

#endif
