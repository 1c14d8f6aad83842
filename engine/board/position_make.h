/* SPDX-License-Identifier: MIT
 * Making a move on a copy of a position. Inline, for the inner loops of search and perft: constant
 * arguments fold away what is not needed. */
#ifndef TABIA_ENGINE_BOARD_POSITION_MAKE_H
#define TABIA_ENGINE_BOARD_POSITION_MAKE_H

#include <assert.h>

#include "engine/board/checks.h"
#include "engine/board/position.h"
#include "engine/board/zobrist.h"

/* ---- Pieces; `table` is NULL where psq is not needed */

ALWAYS_INLINE void make_remove_piece(Position *p, int piece, int sq, const PsqTable *table)
{
    p->by_type[piece_type(piece)] ^= square_bb(sq);
    p->by_color[piece_color(piece)] ^= square_bb(sq);
    p->board[sq] = NO_PIECE;
    p->key ^= zobrist.piece[piece][sq];
    if (table) p->psq -= table->value[piece][sq];
}

ALWAYS_INLINE void make_put_piece(Position *p, int piece, int sq, const PsqTable *table)
{
    p->by_type[piece_type(piece)] ^= square_bb(sq);
    p->by_color[piece_color(piece)] ^= square_bb(sq);
    p->board[sq] = (uint8_t)piece;
    p->key ^= zobrist.piece[piece][sq];
    if (table) p->psq += table->value[piece][sq];
}

ALWAYS_INLINE void make_move_piece(Position *p, int piece, int from, int to, const PsqTable *table)
{
    Bitboard both = square_bb(from) | square_bb(to);

    p->by_type[piece_type(piece)] ^= both;
    p->by_color[piece_color(piece)] ^= both;
    p->board[from] = NO_PIECE;
    p->board[to] = (uint8_t)piece;
    p->key ^= zobrist.piece[piece][from] ^ zobrist.piece[piece][to];
    if (table) p->psq += table->value[piece][to] - table->value[piece][from];
}

ALWAYS_INLINE void make_capture(Position *p, int sq, const PsqTable *table)
{
    int victim = p->board[sq];

    make_remove_piece(p, victim, sq, table);
    p->phase = (uint8_t)(p->phase - piece_phase[piece_type(victim)]);
    if (piece_type(victim) == PAWN) p->pawn_key ^= zobrist.piece[victim][sq];
    p->rule50 = 0;
}

/* ---- Special moves */

/* Drops the rights whose king or rook stood on one of `squares`. */
static inline void make_lose_castling(Position *p, Bitboard squares)
{
    Bitboard pieces = 0;

    for (int i = 0; i < 4; i++) {
        if (!(p->castling & 1 << i)) continue;
        Color c = (Color)(i >> 1);
        Bitboard king_and_rook =
            square_bb(p->rook_square[i]) | (p->castling_pieces & p->by_type[KING] & p->by_color[c]);
        if (squares & king_and_rook) {
            p->castling &= (uint8_t) ~(1 << i);
            p->key ^= zobrist.castling[i];
        } else {
            pieces |= king_and_rook;
        }
    }
    p->castling_pieces = pieces;
}

/* In Chess960 each may stand on the other's target: both are removed before either is put. */
ALWAYS_INLINE void make_castle(Position *p, Color us, int king_from, int rook_from,
                               const PsqTable *table)
{
    int index = castling_index(us, rook_from < king_from);

    make_remove_piece(p, make_piece(us, KING), king_from, table);
    make_remove_piece(p, make_piece(us, ROOK), rook_from, table);
    make_put_piece(p, make_piece(us, KING), castling_king_to(index), table);
    make_put_piece(p, make_piece(us, ROOK), castling_rook_to(index), table);
}

ALWAYS_INLINE void make_pawn_move(Position *p, Color us, int from, int to, int kind,
                                  const PsqTable *table)
{
    int pawn = make_piece(us, PAWN);

    p->rule50 = 0;
    if (kind & MOVE_PROMOTION) {
        PieceType type = (PieceType)(KNIGHT + (kind & 3));
        make_remove_piece(p, pawn, from, table);
        make_put_piece(p, make_piece(us, type), to, table);
        p->pawn_key ^= zobrist.piece[pawn][from];
        p->phase = (uint8_t)(p->phase + piece_phase[type]);
    } else {
        make_move_piece(p, pawn, from, to, table);
        p->pawn_key ^= zobrist.piece[pawn][from] ^ zobrist.piece[pawn][to];
    }
}

/* ---- The whole */

/* *next = the position after the legal move m (never MOVE_NONE) of `us`, the side to move, best a
 * constant. `next` and `pos` must not overlap. psq is updated from `table`, and undefined where
 * that is NULL. `checks` are those of `pos`, or NULL where few of its moves are made. */
ALWAYS_INLINE void position_make_by(Position *restrict next, const Position *restrict pos, Color us,
                                    Move m, const PsqTable *table, const Checks *checks)
{
    const Color them = opponent(us);
    int from = move_from(m), to = move_to(m), kind = move_kind(m);
    int piece = pos->board[from];

    assert(m != MOVE_NONE && piece != NO_PIECE && piece_color(piece) == us);
    *next = *pos;
    next->stm = (uint8_t)them;
    next->key ^= zobrist.white_to_move;
    next->game_ply++;
    next->rule50 = (uint8_t)(pos->rule50 + (pos->rule50 < UINT8_MAX));
    if (pos->ep_square != NO_SQUARE) {
        next->key ^= zobrist.ep_file[square_file(pos->ep_square)];
        next->ep_square = NO_SQUARE;
    }
    if ((square_bb(from) | square_bb(to)) & pos->castling_pieces)
        make_lose_castling(next, square_bb(from) | square_bb(to));

    if (kind == MOVE_CASTLE) {
        make_castle(next, us, from, to, table);
    } else {
        if (kind & MOVE_CAPTURE) make_capture(next, kind == MOVE_EN_PASSANT ? to ^ 8 : to, table);
        if (piece_type(piece) == PAWN) {
            make_pawn_move(next, us, from, to, kind, table);
            if (kind == MOVE_DOUBLE_PUSH && position_has_legal_ep(next, them, to ^ 8)) {
                next->ep_square = (uint8_t)(to ^ 8);
                next->key ^= zobrist.ep_file[square_file(to)];
            }
        } else {
            make_move_piece(next, piece, from, to, table);
        }
    }
    next->checkers =
        !checks || checks_may_give(checks, pos, m) ? position_find_checkers(next, them) : 0;
}

/* The key after the legal move m, for prefetching. It leaves out castling, en passant, promotions
 * and castling rights. */
static inline uint64_t position_key_after(const Position *pos, Move m)
{
    int piece = pos->board[move_from(m)], victim = pos->board[move_to(m)];
    uint64_t key = pos->key ^ zobrist.white_to_move ^ zobrist.piece[piece][move_from(m)] ^
                   zobrist.piece[piece][move_to(m)];

    return victim == NO_PIECE ? key : key ^ zobrist.piece[victim][move_to(m)];
}

/* position_make_by() for either side to move. */
ALWAYS_INLINE void position_make_with(Position *restrict next, const Position *restrict pos, Move m,
                                      const PsqTable *table, const Checks *checks)
{
    if (pos->stm == WHITE)
        position_make_by(next, pos, WHITE, m, table, checks);
    else
        position_make_by(next, pos, BLACK, m, table, checks);
}

/* Without psq: next->psq is undefined. */
static inline void position_make(Position *restrict next, const Position *restrict pos, Move m)
{
    position_make_with(next, pos, m, NULL, NULL);
}

/* With psq. */
static inline void position_make_eval(Position *restrict next, const Position *restrict pos, Move m,
                                      const PsqTable *table)
{
    if (!table) __builtin_unreachable(); /* no test of it at every piece */
    position_make_with(next, pos, m, table, NULL);
}

#endif
