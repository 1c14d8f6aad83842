/* SPDX-License-Identifier: MIT
 * Partial FENs: patterns of positions, in the language of pgn-extract's FENPattern.
 *
 *     BOARD [w|b|?]    eight ranks from the eighth down, as in a FEN; with more fields, a FEN
 *
 *     K, q, …          this piece            A, a    any white, any black piece
 *     1 … 8            empty squares         !       any piece
 *     _                an empty square       ?       any square
 *     [xyz], [^xyz]    one, none of these    *       any number of any squares */
#ifndef TABIA_DB_CHESS_POSITION_PATTERN_H
#define TABIA_DB_CHESS_POSITION_PATTERN_H

#include "engine/board/position.h"

/* Squares of a rank, any numbers of squares between them, and the end. */
enum { RANK_TOKENS_MAX = 18 };

typedef struct PositionPattern {
    bool is_position; /* a FEN: positions with its key match */
    uint64_t key;
    int stm;                            /* Color; COLORS: either */
    uint16_t ranks[8][RANK_TOKENS_MAX]; /* by rank: sets of contents, a bit for each piece and for
                                           NO_PIECE; ended by 0 */
} PositionPattern;

/* STATUS_BAD_INPUT: it is none. */
MUST_CHECK Status position_pattern_parse(PositionPattern *pattern, const char *text, Error *err);

bool position_pattern_matches(const PositionPattern *pattern, const Position *pos);

#endif
