/* SPDX-License-Identifier: MIT
 * A played game as a message from one process of a job to rank 0. */
#ifndef TABIA_SELFPLAY_RUN_GAME_MESSAGE_H
#define TABIA_SELFPLAY_RUN_GAME_MESSAGE_H

#include "db/store/game_record.h"
#include "engine/base/status.h"
#include "selfplay/game/game.h"

/* All processes run the same program, so a struct can travel as it is; its pointers mean nothing to
 * the receiver. */
typedef struct GameMessage {
    Error error; /* why there is no game, or STATUS_OK */
    double cpu;  /* seconds */
    GameRecord game;
    GamePly plies[GAME_PLIES_MAX];
    PlyClock clock[GAME_PLIES_MAX];
} GameMessage;

/* Copies game number `index` out of a message to *game, whose plies and clock have room for
 * GAME_PLIES_MAX; clock may be NULL, search becomes NULL. Returns the error of the message if it
 * has one. Another process is not trusted: STATUS_FAILED when the game breaks the rules or has
 * values that no game has. */
MUST_CHECK Status game_message_take(const GameMessage *message, int64_t index, GameRecord *game,
                                    double *cpu, Error *err);

#endif
