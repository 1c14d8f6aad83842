/* SPDX-License-Identifier: MIT
 * Colours, pieces, squares, moves and values as small integers. */
#ifndef TABIA_ENGINE_BOARD_TYPES_H
#define TABIA_ENGINE_BOARD_TYPES_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t Bitboard; /* bit s is square s; a1 = 0, b1 = 1, … h8 = 63 */

typedef enum Color { WHITE, BLACK, COLORS } Color;

typedef enum PieceType { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, PIECE_TYPES } PieceType;

/* A piece is 2 * type + colour: white pawn 0, black pawn 1, white knight 2 … black king 11. */
enum { PIECES = 12, NO_PIECE = 12 };

enum { SQUARES = 64, NO_SQUARE = 64 };
enum { FILE_A, FILE_B, FILE_C, FILE_D, FILE_E, FILE_F, FILE_G, FILE_H };
enum { RANK_1, RANK_2, RANK_3, RANK_4, RANK_5, RANK_6, RANK_7, RANK_8 };

/* The other colour. */
static inline Color opponent(Color c)
{
    return c == WHITE ? BLACK : WHITE;
}
static inline int make_piece(Color c, PieceType t)
{
    return 2 * (int)t + (int)c;
}
static inline PieceType piece_type(int piece)
{
    return (PieceType)(piece >> 1);
}
static inline Color piece_color(int piece)
{
    return (Color)(piece & 1);
}
static inline int make_square(int file, int rank)
{
    return 8 * rank + file;
}
static inline int square_file(int sq)
{
    return sq & 7;
}
static inline int square_rank(int sq)
{
    return sq >> 3;
}

/* A move in 16 bits: from (0-5), to (6-11), kind (12-15). Castling is "king takes own rook": `to`
 * is the rook's square, so that Chess960 needs no other notation. MOVE_NONE (a1a1) is no move. The
 * same 16 bits are stored in the database. */
typedef uint16_t Move;

enum {
    MOVE_NONE = 0,
    /* kinds: bit 2 set means capture, bit 3 set means promotion (low two bits: piece - KNIGHT) */
    MOVE_QUIET = 0,
    MOVE_DOUBLE_PUSH = 1,
    MOVE_CASTLE = 2,
    MOVE_CAPTURE = 4,
    MOVE_EN_PASSANT = 5,
    MOVE_PROMOTION = 8
};

static inline Move make_move(int from, int to, int kind)
{
    return (Move)(from | to << 6 | kind << 12);
}
static inline int move_from(Move m)
{
    return m & 63;
}
static inline int move_to(Move m)
{
    return m >> 6 & 63;
}
static inline int move_kind(Move m)
{
    return m >> 12;
}
static inline bool move_is_capture(Move m)
{
    return (m & MOVE_CAPTURE << 12) != 0;
}
static inline bool move_is_promotion(Move m)
{
    return (m & MOVE_PROMOTION << 12) != 0;
}
static inline bool move_is_castle(Move m)
{
    return move_kind(m) == MOVE_CASTLE;
}
static inline bool move_is_en_passant(Move m)
{
    return move_kind(m) == MOVE_EN_PASSANT;
}
/* Captures and promotions: the moves of quiescence search. */
static inline bool move_is_noisy(Move m)
{
    return (m & (MOVE_CAPTURE | MOVE_PROMOTION) << 12) != 0;
}
/* Only for promotions. */
static inline PieceType move_promotion(Move m)
{
    return (PieceType)(KNIGHT + (m >> 12 & 3));
}

/* Search values, centipawns from the side to move's view unless a name says otherwise. A mate in n
 * plies is VALUE_MATE - n, for n up to 2 * MAX_PLY (value_is_mate()). Below those, a win by the
 * endgame tables that is reached in n plies is VALUE_TB_WIN - n. */
enum {
    MAX_PLY = 128, /* deepest line the search follows, plies */
    VALUE_DRAW = 0,
    VALUE_MATE = 32000,
    VALUE_MATE_IN_MAX = VALUE_MATE - 2 * MAX_PLY,
    VALUE_TB_WIN = VALUE_MATE_IN_MAX - 1,
    VALUE_TB_WIN_IN_MAX = VALUE_TB_WIN - MAX_PLY, /* evaluations stay within it */
    VALUE_INFINITE = 32001,
    VALUE_NONE = 32002
};

static inline bool value_is_mate(int value)
{
    return value >= VALUE_MATE_IN_MAX || value <= -VALUE_MATE_IN_MAX;
}

/* Middle-game and end-game halves in one integer, so that both are added at once: eg in the high 32
 * bits, mg in the low 32, either signed; no weights that load can overflow them. White's view
 * unless said otherwise. */
typedef int64_t Score;

static inline Score make_score(int mg, int eg)
{
    return (Score)((uint64_t)(uint32_t)eg << 32) + mg;
}
static inline int score_mg(Score s)
{
    return (int32_t)(uint32_t)(uint64_t)s;
}
static inline int score_eg(Score s)
{
    return (int32_t)(uint32_t)(((uint64_t)s + 0x80000000U) >> 32);
}

#endif
