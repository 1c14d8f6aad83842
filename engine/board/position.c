/* SPDX-License-Identifier: MIT
 * Attackers, null move, draws by material, and the reference of all incremental fields. */
#include "engine/board/position.h"

#include <assert.h>

#include "engine/board/zobrist.h"

Bitboard position_attackers(const Position *pos, int sq, Bitboard occ)
{
    return (pawn_attacks(WHITE, sq) & position_pieces(pos, BLACK, PAWN)) |
           (pawn_attacks(BLACK, sq) & position_pieces(pos, WHITE, PAWN)) |
           (knight_attacks(sq) & pos->by_type[KNIGHT]) | (king_attacks(sq) & pos->by_type[KING]) |
           (bishop_attacks(sq, occ) & (pos->by_type[BISHOP] | pos->by_type[QUEEN])) |
           (rook_attacks(sq, occ) & (pos->by_type[ROOK] | pos->by_type[QUEEN]));
}

bool position_ep_is_legal(const Position *pos, int from, int ep_square)
{
    Color us = position_stm(pos);
    Bitboard captured = square_bb(ep_square ^ 8);
    Bitboard occ = (position_occupied(pos) ^ square_bb(from) ^ captured) | square_bb(ep_square);
    Bitboard them = pos->by_color[opponent(us)] & ~captured;

    return !(position_attackers(pos, position_king(pos, us), occ) & them);
}

void position_make_null(Position *restrict next, const Position *restrict pos)
{
    assert(!position_in_check(pos));
    *next = *pos;
    next->stm = (uint8_t)opponent(position_stm(pos));
    next->key ^= zobrist.white_to_move;
    next->game_ply++;
    next->rule50 = (uint8_t)(pos->rule50 + (pos->rule50 < UINT8_MAX));
    if (pos->ep_square != NO_SQUARE) {
        next->key ^= zobrist.ep_file[square_file(pos->ep_square)];
        next->ep_square = NO_SQUARE;
    }
}

void position_refresh_psq(Position *pos, const PsqTable *table)
{
    pos->psq = 0;
    for (int sq = 0; sq < SQUARES; sq++)
        if (pos->board[sq] != NO_PIECE) pos->psq += table->value[pos->board[sq]][sq];
}

bool position_is_insufficient_material(const Position *pos)
{
    Bitboard minors = pos->by_type[KNIGHT] | pos->by_type[BISHOP];

    if (pos->by_type[PAWN] | pos->by_type[ROOK] | pos->by_type[QUEEN]) return false;
    if (!more_than_one(minors)) return true;
    return !pos->by_type[KNIGHT] && (!(minors & LIGHT_SQUARES_BB) || !(minors & ~LIGHT_SQUARES_BB));
}

void position_refresh(Position *pos)
{
    pos->key = pos->stm == WHITE ? zobrist.white_to_move : 0;
    pos->pawn_key = 0;
    pos->phase = 0;
    for (int sq = 0; sq < SQUARES; sq++) {
        int piece = pos->board[sq];
        if (piece == NO_PIECE) continue;
        pos->key ^= zobrist.piece[piece][sq];
        if (piece_type(piece) == PAWN) pos->pawn_key ^= zobrist.piece[piece][sq];
        pos->phase = (uint8_t)(pos->phase + piece_phase[piece_type(piece)]);
    }
    pos->castling_pieces = 0;
    for (int i = 0; i < 4; i++) {
        if (!(pos->castling & 1 << i)) continue;
        pos->key ^= zobrist.castling[i];
        pos->castling_pieces |=
            square_bb(pos->rook_square[i]) | position_pieces(pos, (Color)(i >> 1), KING);
    }
    if (pos->ep_square != NO_SQUARE) pos->key ^= zobrist.ep_file[square_file(pos->ep_square)];
    pos->checkers = position_find_checkers(pos, position_stm(pos));
}

/* Do mailbox and bitboards have the same pieces? */
static bool boards_agree(const Position *pos)
{
    for (int sq = 0; sq < SQUARES; sq++) {
        Bitboard bit = square_bb(sq);
        for (int piece = 0; piece < PIECES; piece++) {
            bool on_bitboards =
                (position_pieces(pos, piece_color(piece), piece_type(piece)) & bit) != 0;
            if (on_bitboards != (pos->board[sq] == piece)) return false;
        }
    }
    return true;
}

bool position_is_consistent(const Position *pos)
{
    Position fresh = *pos;

    if (!boards_agree(pos)) return false;
    position_refresh(&fresh);
    return fresh.key == pos->key && fresh.pawn_key == pos->pawn_key && fresh.phase == pos->phase &&
           fresh.checkers == pos->checkers && fresh.castling_pieces == pos->castling_pieces;
}
