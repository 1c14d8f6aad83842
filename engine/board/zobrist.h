/* SPDX-License-Identifier: MIT
 * The random numbers of position keys.
 * Source: the Polyglot book format, Michel Van den Bergh and Fabien Letouzey
 * (hgm.nubati.net/book_format.html), so that keys agree with Polyglot books. */
#ifndef TABIA_ENGINE_BOARD_ZOBRIST_H
#define TABIA_ENGINE_BOARD_ZOBRIST_H

#include "engine/board/types.h"

/* A position's key is the exclusive or of the numbers that apply to it. */
typedef struct Zobrist {
    uint64_t piece[PIECES][SQUARES];
    uint64_t castling[4]; /* by right index: White O-O, O-O-O, Black O-O, O-O-O */
    uint64_t ep_file[8];  /* only when an en passant capture is legal */
    uint64_t white_to_move;
} Zobrist;

extern const Zobrist zobrist;

#endif
