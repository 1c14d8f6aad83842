/* SPDX-License-Identifier: MIT
 * Why a game ended that somebody else refereed. */
#ifndef TABIA_SELFPLAY_GAME_END_H
#define TABIA_SELFPLAY_GAME_END_H

#include "db/record.h"
#include "engine/key_history.h"

/* Sets game->reason from its result, the final position and what its source says (0: nothing):
 * what is on the board if the result follows from it, else the source's word, else an adjudication.
 * What it sets passes replay_check(). STATUS_BAD_INPUT when the board says otherwise than the
 * result. */
MUST_CHECK Status game_end_decide(GameRecord *game, const Position *end, const KeyHistory *history,
                                  GameReason said, Error *err);

#endif
