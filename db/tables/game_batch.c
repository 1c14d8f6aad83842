/* SPDX-License-Identifier: MIT
 * Batches of games copied from a cursor. */
#include "db/tables/game_batch.h"

#include "engine/base/array.h"

#include <stdlib.h>
#include <string.h>

GameBatch *game_batch_create(int capacity, Error *err)
{
    GameBatch *batch = calloc(1, sizeof *batch + (size_t)capacity * sizeof *batch->games);

    if (batch)
        batch->capacity = capacity;
    else
        (void)error_set(err, STATUS_FAILED, "out of memory for games");
    return batch;
}

void game_batch_destroy(GameBatch *batch)
{
    if (!batch) return;
    for (int i = 0; i < batch->capacity; i++)
        free(batch->games[i].record.plies);
    free(batch);
}

static Status copy_game(BatchGame *to, const GameRecord *from, Error *err)
{
    GamePly *plies = to->record.plies;

    Status status = ARRAY_RESERVE(plies, to->ply_capacity, from->ply_count, err);
    if (status) return status;
    to->record = *from;
    to->record.plies = plies;
    to->record.clock = NULL;
    if (from->ply_count > 0) memcpy(plies, from->plies, (size_t)from->ply_count * sizeof *plies);
    return STATUS_OK;
}

Status game_batch_fill(GameBatch *batch, GameCursor *cursor, Error *err)
{
    const GameRecord *game;

    for (batch->count = 0; batch->count < batch->capacity; batch->count++) {
        BatchGame *to = &batch->games[batch->count];
        Status status = game_cursor_next(cursor, &game, &to->game_id, &to->run_id, err);
        if (status || !game) return status;
        status = copy_game(to, game, err);
        if (status) return status;
    }
    return STATUS_OK;
}
