/* SPDX-License-Identifier: MIT
 * Starting positions of Chess960 by number.
 * Source: R. Scharnagl's direct derivation,
 * en.wikipedia.org/wiki/Fischer_random_chess_numbering_scheme */
#include "engine/board/chess960.h"

#include <assert.h>
#include <string.h>

/* Puts a piece on the n-th free file from the a-file; returns the file. */
static int put_on_free(uint8_t rank[8], int n, PieceType type)
{
    int file = 0;

    while (rank[file] != PIECE_TYPES || n-- > 0)
        file++;
    rank[file] = (uint8_t)type;
    return file;
}

/* Puts the pieces of one colour on the board, with both castling rights. */
static void put_men(Position *pos, Color c, int number)
{
    /* The two knights among five free files; the second counts what the first leaves. */
    static const int knights[10][2] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 1},
                                       {1, 2}, {1, 3}, {2, 2}, {2, 3}, {3, 3}};
    const int back = c == WHITE ? RANK_1 : RANK_8, second = c == WHITE ? RANK_2 : RANK_7;
    uint8_t rank[8];

    memset(rank, PIECE_TYPES, sizeof rank);
    rank[2 * (number % 4) + 1] = BISHOP;
    rank[2 * (number / 4 % 4)] = BISHOP;
    (void)put_on_free(rank, number / 16 % 6, QUEEN);
    (void)put_on_free(rank, knights[number / 96][0], KNIGHT);
    (void)put_on_free(rank, knights[number / 96][1], KNIGHT);
    const int queen_side = put_on_free(rank, 0, ROOK);
    (void)put_on_free(rank, 0, KING);
    const int king_side = put_on_free(rank, 0, ROOK);

    for (int file = FILE_A; file <= FILE_H; file++) {
        position_put_piece(pos, make_piece(c, (PieceType)rank[file]), make_square(file, back));
        position_put_piece(pos, make_piece(c, PAWN), make_square(file, second));
    }
    pos->rook_square[castling_index(c, true)] = (uint8_t)make_square(queen_side, back);
    pos->rook_square[castling_index(c, false)] = (uint8_t)make_square(king_side, back);
}

void chess960_start(Position *pos, int white, int black)
{
    assert(white >= 0 && white < CHESS960_STARTS && black >= 0 && black < CHESS960_STARTS);
    *pos = (Position){.castling = WHITE_OO | WHITE_OOO | BLACK_OO | BLACK_OOO,
                      .ep_square = NO_SQUARE,
                      .chess960 = true};
    memset(pos->board, NO_PIECE, sizeof pos->board);
    put_men(pos, WHITE, white);
    put_men(pos, BLACK, black);
    position_refresh(pos);
}

bool chess960_is_needed(const Position *pos)
{
    for (Color c = WHITE; c <= BLACK; c++)
        for (int side = 0; side < 2; side++) {
            int index = castling_index(c, side == 1);
            bool held = pos->castling >> index & 1;
            if (held && (square_file(position_king(pos, c)) != FILE_E ||
                         square_file(pos->rook_square[index]) != (side == 1 ? FILE_A : FILE_H)))
                return true;
        }
    return false;
}
