/* SPDX-License-Identifier: MIT
 * A game put together move by move. */
#ifndef TABIA_DB_CHESS_GAME_BUILDER_H
#define TABIA_DB_CHESS_GAME_BUILDER_H

#include "db/store/game_record.h"
#include "engine/board/key_history.h"

typedef struct GameBuilder {
    GameRecord record;  /* plies owned; clock points to `clock` as soon as one is noted */
    Position pos;       /* after the last ply */
    KeyHistory history; /* of the positions before it */
    PlyClock *clock;    /* owned */
    int room;           /* of record.plies and clock */
} GameBuilder;

/* Begins a game at `start`; what was there before is forgotten, its memory kept. */
void game_builder_start(GameBuilder *builder, const Position *start);
/* Plays a legal move; its score is White's view. STATUS_FAILED when out of memory. */
MUST_CHECK Status game_builder_add(GameBuilder *builder, Move move, int score, Error *err);
/* What the last ply cost; there is one. */
void game_builder_note(GameBuilder *builder, PlyClock clock);
/* Sets result and reason, as game_end_decide(). */
MUST_CHECK Status game_builder_end(GameBuilder *builder, GameResult result, GameReason said,
                                   Error *err);
void game_builder_free(GameBuilder *builder);

#endif
