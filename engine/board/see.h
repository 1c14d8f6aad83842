/* SPDX-License-Identifier: MIT
 * Static exchange evaluation: who wins the captures on one square. */
#ifndef TABIA_ENGINE_BOARD_SEE_H
#define TABIA_ENGINE_BOARD_SEE_H

#include "engine/board/position.h"

/* Piece values for exchanges only, centipawns: 100 300 300 500 900 0. They are constants, so that
 * the search works with any weights, also with zeros. */
extern const int see_value[PIECE_TYPES];

/* Does the exchange that the legal move m starts win at least `threshold` centipawns for the mover?
 * Source: chessprogramming.org "SEE - The Swap Algorithm". */
bool see_at_least(const Position *pos, Move m, int threshold);

#endif
