/* SPDX-License-Identifier: MIT
 * Building a game record move by move. */
#include "db/chess/game_builder.h"

#include <stdlib.h>

#include "db/chess/game_end.h"
#include "engine/base/array.h"
#include "engine/board/position_make.h"
#include "engine/notation/fen.h"

void game_builder_start(GameBuilder *builder, const Position *start)
{
    builder->record = (GameRecord){.plies = builder->record.plies};
    builder->pos = *start;
    builder->history.count = 0;
    position_to_fen(start, builder->record.start_fen);
}

Status game_builder_add(GameBuilder *builder, Move move, int score, Error *err)
{
    GameRecord *record = &builder->record;
    Position before = builder->pos;

    int64_t room = builder->room;
    Status status = ARRAY_RESERVE(record->plies, room, record->ply_count + 1, err);
    if (status == STATUS_OK)
        status = ARRAY_RESERVE(builder->clock, builder->room, record->ply_count + 1, err);
    if (record->clock) record->clock = builder->clock;
    if (status != STATUS_OK) return status;
    builder->clock[record->ply_count] = (PlyClock){0};
    if (score != SCORE_UNKNOWN && score > VALUE_MATE) score = VALUE_MATE;
    if (score < -VALUE_MATE) score = -VALUE_MATE;
    record->plies[record->ply_count++] = (GamePly){move, (int16_t)score};
    key_history_push(&builder->history, &before);
    position_make(&builder->pos, &before, move);
    return STATUS_OK;
}

void game_builder_set_clock(GameBuilder *builder, PlyClock clock)
{
    builder->clock[builder->record.ply_count - 1] = clock;
    builder->record.clock = builder->clock;
}

Status game_builder_end(GameBuilder *builder, GameResult result, GameReason stated, Error *err)
{
    builder->record.result = result;
    return game_end_decide(&builder->record, &builder->pos, &builder->history, stated, err);
}

void game_builder_free(GameBuilder *builder)
{
    free(builder->record.plies);
    free(builder->clock);
    *builder = (GameBuilder){0};
}
