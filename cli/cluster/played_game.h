/* SPDX-License-Identifier: MIT
 * A played game as a message from one process of a job to rank 0. */
#ifndef TABIA_CLI_CLUSTER_PLAYED_GAME_H
#define TABIA_CLI_CLUSTER_PLAYED_GAME_H

#include "db/store/game_record.h"
#include "engine/base/status.h"
#include "selfplay/game/game.h"

/* All processes run the same program, so a struct can travel as it is. */
typedef struct PlayedGame {
    Error error; /* why there is no game, or STATUS_OK */
    double cpu;  /* seconds */
    GameRecord game;
    GamePly plies[GAME_PLIES_MAX];
    PlyClock clock[GAME_PLIES_MAX];
} PlayedGame;

/* The message for a game (NULL: there is none) or for the error. */
void played_game_make(PlayedGame *played, const GameRecord *game, double cpu, const Error *error);

/* Copies game number `index` out of a message to *game, whose plies and clock have room for
 * GAME_PLIES_MAX; clock may be NULL, search becomes NULL. Returns the error of the message if it
 * has one. Another process is not trusted: STATUS_FAILED when the message cannot be of
 * played_game_make(), or its game breaks the rules. */
MUST_CHECK Status played_game_take(const PlayedGame *played, int64_t index, GameRecord *game,
                                   double *cpu, Error *err);

#endif
