/* SPDX-License-Identifier: MIT
 * Counting the leaves of the game tree. Source: chessprogramming.org "Perft". */
#ifndef TABIA_ENGINE_BOARD_PERFT_H
#define TABIA_ENGINE_BOARD_PERFT_H

#include "engine/board/position.h"

/* Leaf nodes at `depth` plies, counting the last ply in bulk. */
uint64_t perft(const Position *pos, int depth);

/* The same by making every move down to the leaves, with keys and evaluation sums kept. */
uint64_t perft_full(const Position *pos, int depth, const PsqTable *table);

#endif
