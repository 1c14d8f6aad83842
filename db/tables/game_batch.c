/* SPDX-License-Identifier: MIT
 * Batches of games copied from a cursor. */
#include "db/tables/game_batch.h"

#include "engine/base/array.h"

#include <stdlib.h>
#include <string.h>

GameBatch *game_batch_create(int capacity, Error *err)
{
    size_t n = (size_t)capacity;
    GameBatch *batch = calloc(1, sizeof *batch);

    if (batch) {
        batch->capacity = capacity;
        batch->games = calloc(n, sizeof *batch->games);
        batch->game_ids = calloc(n, sizeof *batch->game_ids);
        batch->run_ids = calloc(n, sizeof *batch->run_ids);
        batch->ply_capacity = calloc(n, sizeof *batch->ply_capacity);
        if (batch->games && batch->game_ids && batch->run_ids && batch->ply_capacity) return batch;
    }
    game_batch_destroy(batch);
    (void)error_set(err, STATUS_FAILED, "out of memory for games");
    return NULL;
}

void game_batch_destroy(GameBatch *batch)
{
    if (!batch) return;
    for (int i = 0; batch->games && i < batch->capacity; i++)
        free(batch->games[i].plies);
    free(batch->games);
    free(batch->game_ids);
    free(batch->run_ids);
    free(batch->ply_capacity);
    free(batch);
}

static Status copy_game(GameBatch *batch, int at, const GameRecord *from, Error *err)
{
    GameRecord *to = &batch->games[at];
    GamePly *plies = to->plies;

    Status status = ARRAY_RESERVE(plies, batch->ply_capacity[at], from->ply_count, err);
    if (status) return status;
    *to = *from;
    to->plies = plies;
    to->clock = NULL;
    if (from->ply_count > 0) memcpy(plies, from->plies, (size_t)from->ply_count * sizeof *plies);
    return STATUS_OK;
}

Status game_batch_fill(GameBatch *batch, GameCursor *cursor, int most, Error *err)
{
    const GameRecord *game;
    int room = most > 0 && most < batch->capacity ? most : batch->capacity;

    for (batch->count = 0; batch->count < room; batch->count++) {
        int at = batch->count;
        Status status =
            game_cursor_next(cursor, &game, &batch->game_ids[at], &batch->run_ids[at], err);
        if (status || !game) return status;
        status = copy_game(batch, at, game, err);
        if (status) return status;
    }
    return STATUS_OK;
}
