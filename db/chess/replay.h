/* SPDX-License-Identifier: MIT
 * Playing a stored game again by the rules: positions out of moves, and proof that a record is
 * true. */
#ifndef TABIA_DB_CHESS_REPLAY_H
#define TABIA_DB_CHESS_REPLAY_H

#include "db/store/game_record.h"
#include "engine/board/key_history.h"

/* A game that is being replayed. */
typedef struct Replay {
    const GameRecord *game; /* borrowed */
    Position pos[2];        /* in turns, so that a move copies none */
    KeyHistory history;     /* of the positions before, from start_fen on */
    int ply;                /* the next one */
} Replay;

/* The position before plies[ply]. */
static inline const Position *replay_position(const Replay *replay)
{
    return &replay->pos[replay->ply & 1];
}

/* The position before plies[ply - 1]; not at the start. */
static inline const Position *replay_before(const Replay *replay)
{
    return &replay->pos[~replay->ply & 1];
}

/* Sets up start_fen. STATUS_BAD_INPUT when that is no position to play from. */
MUST_CHECK Status replay_start(Replay *replay, const GameRecord *game, Error *err);

/* Plays plies[ply], which must exist. STATUS_BAD_INPUT, naming game and ply, when it is not legal.
 */
MUST_CHECK Status replay_next(Replay *replay, Error *err);

/* POSITION_* of the ply just played, plies[ply - 1]. */
unsigned replay_flags(const Replay *replay);

/* positions[0 … ply_count] become the position before each ply and the last one. Errors as of
 * replay_start() and replay_next(). */
MUST_CHECK Status replay_line(const GameRecord *game, Position *positions, Error *err);

/* Fills rows[0 … ply_count-1] with the readable positions of a game. */
MUST_CHECK Status replay_positions(const GameRecord *game, PositionRow *rows, Error *err);

/* Every move is legal, and the final position agrees with reason and result: mate is mate and lost
 * for the mated side, stalemate, repetition, fifty moves and insufficient material are on the board
 * and drawn, and a game that ended for another reason was not over already. STATUS_BAD_INPUT with
 * the first contradiction. */
MUST_CHECK Status replay_check(const GameRecord *game, Error *err);

#endif
