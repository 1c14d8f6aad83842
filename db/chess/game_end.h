/* SPDX-License-Identifier: MIT
 * How a game ends: by the rules, or as its source says. */
#ifndef TABIA_DB_CHESS_GAME_END_H
#define TABIA_DB_CHESS_GAME_END_H

#include "db/store/game_record.h"
#include "engine/board/key_history.h"

/* How the position after `history` ends the game by the rules of chess: fills *result and *reason
 * and returns true, or returns false when play goes on. */
bool game_over(const Position *pos, const KeyHistory *history, GameResult *result,
               GameReason *reason);

/* Sets game->reason from its result, the final position and what its source says (0: nothing):
 * what is on the board if the result follows from it, else the source's word, else an adjudication.
 * What it sets passes replay_check(). STATUS_BAD_INPUT when the board says otherwise than the
 * result. */
MUST_CHECK Status game_end_decide(GameRecord *game, const Position *end, const KeyHistory *history,
                                  GameReason said, Error *err);

#endif
