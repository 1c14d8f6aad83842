/* SPDX-License-Identifier: MIT
 * What viriformat and binpack have in common: start positions without FEN, moves by kind. */
#ifndef TABIA_SELFPLAY_FORMATS_PACKED_H
#define TABIA_SELFPLAY_FORMATS_PACKED_H

#include "engine/board/position.h"

typedef enum PackedKind {
    PACKED_NORMAL,
    PACKED_EN_PASSANT,
    PACKED_CASTLE, /* king takes rook */
    PACKED_PROMOTION
} PackedKind;

typedef struct PackedStart {
    char squares[SQUARES]; /* letters of FEN; 0: empty */
    Bitboard unmoved;      /* rooks that may castle */
    Color stm;
    int ep_square; /* or NO_SQUARE */
    unsigned rule50, move_number;
} PackedStart;

/* Errors as of position_from_fen(). */
MUST_CHECK Status packed_start(const PackedStart *start, Position *pos, Error *err);

PackedKind packed_kind(Move move);
/* 0 knight … 3 queen; 0 for other moves. */
unsigned packed_promotion(Move move);
/* The move in our encoding, which may be illegal. promotion: as above; counts for promotions. */
Move packed_move(const Position *pos, int from, int to, PackedKind kind, unsigned promotion);

#endif
