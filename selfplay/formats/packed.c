/* SPDX-License-Identifier: MIT
 * What viriformat and binpack have in common. */
#include "selfplay/formats/packed.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/notation/fen.h"

/* K, Q, k or q for usual castling, else the letter of the rook's file (Chess960). */
static char castling_letter(const char squares[SQUARES], int rook)
{
    bool white = squares[rook] == 'R';
    int file = square_file(rook), king = make_square(FILE_E, square_rank(rook));
    bool usual = squares[king] == (white ? 'K' : 'k') && (file == FILE_A || file == FILE_H);
    char letter = (char)(usual ? (file == FILE_A ? 'Q' : 'K') : 'A' + file);

    return white ? letter : (char)(letter - 'A' + 'a');
}

static char *put_board(char *out, const char squares[SQUARES])
{
    for (int rank = RANK_8; rank >= RANK_1; rank--) {
        int empty = 0;
        for (int file = FILE_A; file <= FILE_H; file++) {
            char letter = squares[make_square(file, rank)];
            empty += !letter;
            if (empty && (letter || file == FILE_H)) *out++ = (char)('0' + empty);
            if (!letter) continue;
            *out++ = letter;
            empty = 0;
        }
        *out++ = rank > RANK_1 ? '/' : ' ';
    }
    return out;
}

Status packed_start(const PackedStart *start, Position *pos, Error *err)
{
    char fen[256], *out = put_board(fen, start->squares), square[3] = "-";

    *out++ = start->stm == WHITE ? 'w' : 'b';
    *out++ = ' ';
    for (Bitboard rooks = start->unmoved; rooks;)
        *out++ = castling_letter(start->squares, pop_lsb(&rooks));
    if (!start->unmoved) *out++ = '-';
    if (start->ep_square != NO_SQUARE) {
        square[0] = (char)('a' + square_file(start->ep_square));
        square[1] = (char)('1' + square_rank(start->ep_square));
    }
    (void)snprintf(out, (size_t)(fen + sizeof fen - out), " %s %u %u", square, start->rule50,
                   start->move_number);
    return position_from_fen(pos, fen, err);
}

PackedKind packed_kind(Move move)
{
    return move_is_promotion(move)    ? PACKED_PROMOTION
           : move_is_castle(move)     ? PACKED_CASTLE
           : move_is_en_passant(move) ? PACKED_EN_PASSANT
                                      : PACKED_NORMAL;
}

unsigned packed_promotion(Move move)
{
    return move_is_promotion(move) ? (unsigned)(move_promotion(move) - KNIGHT) : 0;
}

Move packed_move(const Position *pos, int from, int to, PackedKind kind, unsigned promotion)
{
    bool capture = pos->board[to] != NO_PIECE;
    int flags = capture ? MOVE_CAPTURE : MOVE_QUIET;

    switch (kind) {
    case PACKED_EN_PASSANT:
        flags = MOVE_EN_PASSANT;
        break;
    case PACKED_CASTLE:
        flags = MOVE_CASTLE;
        break;
    case PACKED_PROMOTION:
        flags = MOVE_PROMOTION | (capture ? MOVE_CAPTURE : 0) | (int)promotion;
        break;
    case PACKED_NORMAL:
        if (!capture && pos->board[from] <= make_piece(BLACK, PAWN) && abs(to - from) == 16)
            flags = MOVE_DOUBLE_PUSH;
    }
    return make_move(from, to, flags);
}
