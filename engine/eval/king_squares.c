/* SPDX-License-Identifier: MIT
 * King squares: tables, sums, features. */
#include "engine/eval/king_squares.h"

#include <string.h>

/* 32 buckets: each square of files a to d by itself. */
/* clang-format off */
const uint8_t king_bucket[SQUARES] = {
     0,  1,  2,  3,  3,  2,  1,  0,
     4,  5,  6,  7,  7,  6,  5,  4,
     8,  9, 10, 11, 11, 10,  9,  8,
    12, 13, 14, 15, 15, 14, 13, 12,
    16, 17, 18, 19, 19, 18, 17, 16,
    20, 21, 22, 23, 23, 22, 21, 20,
    24, 25, 26, 27, 27, 26, 25, 24,
    28, 29, 30, 31, 31, 30, 29, 28,
};
/* clang-format on */

enum { OWN, OTHER, CHOOSERS };

/* The term of a piece by who chooses the table; -1: none. */
static const int term_of[CHOOSERS][PIECE_TYPES] = {
    {EVAL_PAWN_OWN_KING, EVAL_KNIGHT_OWN_KING, EVAL_BISHOP_OWN_KING, EVAL_ROOK_OWN_KING,
     EVAL_QUEEN_OWN_KING, -1},
    {EVAL_PAWN_OTHER_KING, EVAL_KNIGHT_OTHER_KING, EVAL_BISHOP_OTHER_KING, EVAL_ROOK_OTHER_KING,
     EVAL_QUEEN_OTHER_KING, EVAL_KING_OTHER_KING}};

/* The first weight of the table that a king of colour `c` on `king` chooses, within its term. */
static inline int table_of(Color c, int king)
{
    return SQUARES * king_bucket[c == WHITE ? king : king ^ 56];
}

/* ---- The engine's sums */

void king_squares_set_weights(KingSquares *k, const EvalWeights *w)
{
    k->used = weights_families(w) & eval_family(EVAL_FAMILY_KING_SQUARES);
    if (!k->used) return;
    memset(k->value, 0, sizeof k->value);
    for (int b = 0; b < EVAL_KING_BUCKETS; b++)
        for (int piece = 0; piece < PIECES; piece++)
            for (int sq = 0; sq < SQUARES; sq++) {
                /* White's king chooses: the own one of white pieces, the other one of black. */
                bool white = piece_color(piece) == WHITE;
                int term = term_of[white ? OWN : OTHER][piece_type(piece)];
                if (term < 0) continue;
                const int16_t *value = w->term[term + SQUARES * b + (white ? sq : sq ^ 56)];
                Score score = make_score(value[MG], value[EG]);
                k->value[b][piece][sq] = white ? score : -score;
            }
}

Score king_squares_by(const KingSquares *k, const Position *pos, Color c)
{
    Score sum = 0;
    int flip;
    const Score(*table)[SQUARES] = king_squares_table(k, pos, c, &flip);

    for (Bitboard pieces = position_occupied(pos); pieces;) {
        int sq = pop_lsb(&pieces);
        sum += table[pos->board[sq] ^ c][sq ^ flip];
    }
    return c == WHITE ? sum : -sum;
}

/* ---- Features */

/* Files a to h become h to a. */
static Bitboard mirrored(Bitboard b)
{
    b = (b >> 1 & 0x5555555555555555) | (b & 0x5555555555555555) << 1;
    b = (b >> 2 & 0x3333333333333333) | (b & 0x3333333333333333) << 2;
    return (b >> 4 & 0x0f0f0f0f0f0f0f0f) | (b & 0x0f0f0f0f0f0f0f0f) << 4;
}

/* A side's pieces of a type on the squares of the table that counts for them. */
static Bitboard pieces_in_table(const Position *pos, Color c, PieceType type, int king)
{
    Bitboard pieces = position_pieces(pos, c, type);

    if (c == BLACK) pieces = __builtin_bswap64(pieces);
    return king_mirror(king) ? mirrored(pieces) : pieces;
}

static int append(EvalFeature *out, int n, int first, Bitboard squares, Bitboard white)
{
    while (squares) {
        int sq = pop_lsb(&squares);
        out[n++] = (EvalFeature){(uint16_t)(first + sq), white >> sq & 1 ? 1 : -1};
    }
    return n;
}

int king_squares_features(const Position *pos, EvalFeature out[KING_FEATURES_MAX])
{
    int n = 0;

    for (int chooser = OWN; chooser < CHOOSERS; chooser++) {
        Color by[COLORS] = {chooser == OWN ? WHITE : BLACK, chooser == OWN ? BLACK : WHITE};
        int king[COLORS] = {position_king(pos, by[WHITE]), position_king(pos, by[BLACK])};
        int table[COLORS] = {table_of(by[WHITE], king[WHITE]), table_of(by[BLACK], king[BLACK])};
        for (int type = PAWN; type <= KING; type++) {
            int term = term_of[chooser][type];
            if (term < 0) continue;
            Bitboard white = pieces_in_table(pos, WHITE, (PieceType)type, king[WHITE]),
                     black = pieces_in_table(pos, BLACK, (PieceType)type, king[BLACK]);
            if (table[WHITE] == table[BLACK]) { /* both sides' pieces cancel out */
                n = append(out, n, term + table[WHITE], white ^ black, white);
                continue;
            }
            for (int i = 0; i < COLORS; i++) { /* in ascending order */
                bool whites = i == (table[WHITE] > table[BLACK]);
                n = append(out, n, term + table[whites ? WHITE : BLACK], whites ? white : black,
                           whites ? white : 0);
            }
        }
    }
    return n;
}
