/* SPDX-License-Identifier: MIT
 * The two steps of every random opening: random moves, then a search that measures the balance. */
#ifndef TABIA_ENGINE_UCI_RANDOM_OPENING_H
#define TABIA_ENGINE_UCI_RANDOM_OPENING_H

#include "engine/base/pcg.h"
#include "engine/search/search.h"

/* Makes a uniformly random legal move with one draw of `rng`. False, and no draw, without one. */
bool random_opening_move(Position *pos, Pcg *rng);

/* The absolute score of `pos`, centipawns, by a search with a reset `verifier`. */
int random_opening_imbalance(Search *verifier, const Position *pos, const SearchLimits *limits);

#endif
