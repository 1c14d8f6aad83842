/* SPDX-License-Identifier: MIT
 * Factors for magic bitboards, for processors without a fast PEXT.
 * Source: chessprogramming.org "Magic Bitboards"; tests/tools/find_magics.c found these. */
#ifndef TABIA_ENGINE_BOARD_MAGICS_H
#define TABIA_ENGINE_BOARD_MAGICS_H

#include "engine/board/types.h"

/* (occ & mask) * magic >> (64 - popcount(mask)) gives occupancies with different attacks different
 * indices, where mask is the slider's lines from the square without their last squares. */
extern const Bitboard bishop_magics[SQUARES];
extern const Bitboard rook_magics[SQUARES];

#endif
