/* SPDX-License-Identifier: MIT
 * Building a game record move by move. */
#ifndef TABIA_DB_CHESS_GAME_BUILDER_H
#define TABIA_DB_CHESS_GAME_BUILDER_H

#include "db/store/game_record.h"
#include "engine/board/key_history.h"

typedef struct GameBuilder {
    GameRecord record;  /* plies owned; clock points to `clock` once a ply has one */
    Position pos;       /* after the last ply */
    KeyHistory history; /* of the positions before it */
    PlyClock *clock;    /* owned */
    int64_t room;       /* of record.plies and clock */
} GameBuilder;

/* Begins a game at `start`; reuses the memory of the game before. */
void game_builder_start(GameBuilder *builder, const Position *start);
/* Plays a legal move; score is White's view. STATUS_FAILED when out of memory. */
MUST_CHECK Status game_builder_add(GameBuilder *builder, Move move, int score, Error *err);
/* Sets the clock of the last ply, which must exist. */
void game_builder_set_clock(GameBuilder *builder, PlyClock clock);
/* Sets result and reason by game_end_decide(). */
MUST_CHECK Status game_builder_end(GameBuilder *builder, GameResult result, GameReason stated,
                                   Error *err);
void game_builder_free(GameBuilder *builder);

#endif
