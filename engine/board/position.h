/* SPDX-License-Identifier: MIT
 * A chess position as a value: making a move copies it. */
#ifndef TABIA_ENGINE_BOARD_POSITION_H
#define TABIA_ENGINE_BOARD_POSITION_H

#include "engine/base/status.h"
#include "engine/board/bitboard.h"
#include "engine/board/types.h"

/* Castling rights, one bit each; the index of a right is 2 * colour + (queen's side ? 1 : 0). */
enum { WHITE_OO = 1, WHITE_OOO = 2, BLACK_OO = 4, BLACK_OOO = 8 };

typedef struct Position {
    Bitboard by_type[PIECE_TYPES]; /* both colours' pawns, knights, … */
    Bitboard by_color[COLORS];
    uint8_t board[SQUARES];   /* piece on each square, or NO_PIECE */
    Bitboard checkers;        /* enemy pieces giving check to the side to move */
    Bitboard castling_pieces; /* kings and rooks with a castling right */
    uint64_t key;      /* Zobrist, Polyglot's numbers; en passant only when ep_square is set */
    uint64_t pawn_key; /* the same over pawns alone */
    Score psq;         /* material + piece-square sum, White's view; see position_make_eval */
    uint8_t phase;     /* 24 at the start, 0 with bare pawns: N 1, B 1, R 2, Q 4; may pass 24 */
    uint8_t stm;       /* Color to move */
    uint8_t castling;  /* WHITE_OO | … still allowed */
    uint8_t ep_square; /* target square if an en passant capture is *legal*, else NO_SQUARE */
    uint8_t rule50;    /* plies since the last capture or pawn move, at most 255 */
    bool chess960;     /* FEN and UCI write castling by rook file / king takes rook */
    uint16_t game_ply; /* plies from the start of the game: 2 * (fullmove - 1) + (Black to move) */
    uint8_t rook_square[4]; /* where the castling rooks started, by right index, or NO_SQUARE */
} Position;

/* Piece-square values with material, White's view: [piece][square]. The evaluation fills it. */
typedef struct PsqTable {
    Score value[PIECES][SQUARES];
} PsqTable;

static inline Bitboard position_occupied(const Position *p)
{
    return p->by_color[WHITE] | p->by_color[BLACK];
}
static inline Bitboard position_pieces(const Position *p, Color c, PieceType t)
{
    return p->by_color[c] & p->by_type[t];
}
static inline int position_king(const Position *p, Color c)
{
    return lsb(position_pieces(p, c, KING));
}
static inline Color position_stm(const Position *p)
{
    return (Color)p->stm;
}

/* Puts a piece on an empty square of the board; position_refresh() must follow. */
static inline void position_put_piece(Position *p, int piece, int sq)
{
    p->board[sq] = (uint8_t)piece;
    p->by_type[piece_type(piece)] |= square_bb(sq);
    p->by_color[piece_color(piece)] |= square_bb(sq);
}

/* The enemy pieces that attack the king of `us`, the side to move. */
ALWAYS_INLINE Bitboard position_find_checkers(const Position *p, Color us)
{
    int king = position_king(p, us);
    Bitboard occ = position_occupied(p);
    Bitboard attackers = (pawn_attacks(us, king) & p->by_type[PAWN]) |
                         (knight_attacks(king) & p->by_type[KNIGHT]) |
                         (bishop_attacks(king, occ) & (p->by_type[BISHOP] | p->by_type[QUEEN])) |
                         (rook_attacks(king, occ) & (p->by_type[ROOK] | p->by_type[QUEEN]));
    return attackers & ~p->by_color[us];
}

/* What a piece adds to the game phase. */
static const uint8_t piece_phase[PIECE_TYPES] = {0, 1, 1, 2, 4, 0};

/* Index of a castling right in rook_square; the right itself is 1 << index. */
static inline int castling_index(Color c, bool queen_side)
{
    return 2 * (int)c + (int)queen_side;
}
/* The squares of king and rook after castling, in chess and in Chess960. */
static inline int castling_king_to(int index)
{
    return make_square(index & 1 ? FILE_C : FILE_G, index & 2 ? RANK_8 : RANK_1);
}
static inline int castling_rook_to(int index)
{
    return make_square(index & 1 ? FILE_D : FILE_F, index & 2 ? RANK_8 : RANK_1);
}

/* Makes a null move; not in check. Clears the en passant square and increments rule50. */
void position_make_null(Position *restrict next, const Position *restrict pos);

/* Sets key, pawn_key, phase, castling_pieces and checkers from the other fields. */
void position_refresh(Position *pos);

/* Sets psq from scratch. */
void position_refresh_psq(Position *pos, const PsqTable *table);

/* Every piece of either colour that attacks sq when the board is occupied by occ. */
Bitboard position_attackers(const Position *pos, int sq, Bitboard occ);

static inline bool position_in_check(const Position *pos)
{
    return pos->checkers != 0;
}

/* No sequence of moves leads to mate: K v K, KN v K, KB v K, or all bishops on squares of one
 * colour. */
bool position_is_insufficient_material(const Position *pos);

/* May the pawn on `from` (of the side to move, beside the pawn that passed ep_square) take it en
 * passant without leaving its king in check? */
bool position_ep_is_legal(const Position *pos, int from, int ep_square);

/* Is any capture on ep_square by the pawns of `us`, the side to move, legal? */
static inline bool position_has_legal_ep(const Position *pos, Color us, int ep_square)
{
    Bitboard takers = pawn_attacks(opponent(us), ep_square) & position_pieces(pos, us, PAWN);

    while (takers)
        if (position_ep_is_legal(pos, pop_lsb(&takers), ep_square)) return true;
    return false;
}

/* Do key, pawn_key, phase, castling_pieces, checkers and mailbox agree with the bitboards? For
 * tests and asserts. */
bool position_is_consistent(const Position *pos);

#endif
