/* SPDX-License-Identifier: MIT
 * The player that is an engine instance in this process. */
#ifndef TABIA_SELFPLAY_PLAYERS_PLAYER_ENGINE_H
#define TABIA_SELFPLAY_PLAYERS_PLAYER_ENGINE_H

#include "selfplay/players/player.h"

typedef struct EngineSetup {
    const Evaluation *weights;  /* borrowed */
    const SearchParams *params; /* NULL: the built-in constants of the search */
    size_t hash_bytes;
    int threads; /* 0 means 1; games with more cannot be repeated */
} EngineSetup;

/* NULL and an Error when memory or threads are short. */
Player *player_create_engine(const EngineSetup *setup, Error *err);

#endif
