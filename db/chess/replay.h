/* SPDX-License-Identifier: MIT
 * Replaying a stored game: the positions of its moves, and a check of the record. */
#ifndef TABIA_DB_CHESS_REPLAY_H
#define TABIA_DB_CHESS_REPLAY_H

#include "db/store/game_record.h"
#include "engine/board/key_history.h"

/* A game that is being replayed. */
typedef struct Replay {
    const GameRecord *game; /* borrowed */
    Position pos[2];        /* used alternately, so that a move copies none */
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

/* Sets up start_fen. STATUS_BAD_INPUT when it is not a valid position. */
MUST_CHECK Status replay_start(Replay *replay, const GameRecord *game, Error *err);

/* Plays plies[ply], which must exist. STATUS_BAD_INPUT, naming game and ply: it is illegal. */
MUST_CHECK Status replay_next(Replay *replay, Error *err);

/* POSITION_* of the ply just played, plies[ply - 1]. */
unsigned replay_flags(const Replay *replay);

/* Sets positions[0 … ply_count]: the one before each ply and the final one. Errors as of
 * replay_start() and replay_next(), and for a score that is none. */
MUST_CHECK Status replay_line(const GameRecord *game, Position *positions, Error *err);

/* Sets rows[0 … ply_count - 1] to the readable positions of a game. */
MUST_CHECK Status replay_positions(const GameRecord *game, PositionRow *rows, Error *err);

/* Checks that every move is legal, every score within VALUE_MATE or SCORE_UNKNOWN, and that the
 * final position agrees with reason and result. Mate is on the board and lost for the mated side.
 * Stalemate, repetition, fifty moves and insufficient material are on the board and drawn. For
 * other reasons there is neither mate nor stalemate. STATUS_BAD_INPUT with the first contradiction.
 */
MUST_CHECK Status replay_check(const GameRecord *game, Error *err);

#endif
