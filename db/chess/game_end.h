/* SPDX-License-Identifier: MIT
 * How a game ends: by the rules, or by its source. */
#ifndef TABIA_DB_CHESS_GAME_END_H
#define TABIA_DB_CHESS_GAME_END_H

#include "db/store/game_record.h"
#include "engine/board/key_history.h"

/* True when the position after `history` ends the game by the rules of chess; sets *result and
 * *reason then. */
bool game_over(const Position *pos, const KeyHistory *history, GameResult *result,
               GameReason *reason);

/* Is this a reason outside the rules that is possible with this result? */
bool game_end_is_decision(GameReason reason, GameResult result);

/* Sets game->reason: the end by the rules if the result agrees with it, else `stated` (what the
 * source of the game states; 0: nothing), else an adjudication. The record then passes
 * replay_check(). STATUS_BAD_INPUT when the result contradicts mate or stalemate on the board. */
MUST_CHECK Status game_end_decide(GameRecord *game, const Position *end, const KeyHistory *history,
                                  GameReason stated, Error *err);

#endif
