/* SPDX-License-Identifier: MIT
 * A side's chess clock in a game: time left, increments, periods. */
#ifndef TABIA_ENGINE_SEARCH_GAME_CLOCK_H
#define TABIA_ENGINE_SEARCH_GAME_CLOCK_H

#include "engine/search/search.h"

typedef struct GameClock {
    int64_t left_us, increment_us;
    int moves_to_go; /* until the next period; 0: none comes */
    int later;       /* number of the next period in limits->later */
} GameClock;

/* At the start of a game. FIDE's increment counts from the first move on. */
void game_clock_start(GameClock *clock, const SearchLimits *limits, Color c);

/* Subtracts the time of a move, of which no more than what is left counts, and adds the increment
 * and, after the last move of a period, the time of the next one: the last one is repeated if it
 * has a number of moves. */
void game_clock_charge(GameClock *clock, const SearchLimits *limits, Color c, int64_t used_us);

#endif
