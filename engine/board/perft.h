/* SPDX-License-Identifier: MIT
 * Counting the leaves of the game tree. Source: chessprogramming.org "Perft". */
#ifndef TABIA_ENGINE_BOARD_PERFT_H
#define TABIA_ENGINE_BOARD_PERFT_H

#include "engine/board/position.h"

/* Leaf nodes at `depth` plies; the last ply is counted without making its moves. */
uint64_t perft(const Position *pos, int depth);

/* The same count. Every move is made, with keys and evaluation sums. */
uint64_t perft_full(const Position *pos, int depth, const PsqTable *table);

#endif
