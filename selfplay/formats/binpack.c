/* SPDX-License-Identifier: MIT
 * binpack, the format of Stockfish's training data: games as a packed first position and about two
 * bytes a ply. Source: the description by T. Sobczyk in the tools branch of Stockfish
 * (docs/binpack.md), and what readers of such files expect.
 *
 * A file consists of chunks: "BINP", the size of what follows (4 bytes, little-endian), chains. We
 * write a chunk for each game, with one chain. All numbers in a chain are big-endian:
 *
 *     8  occupied squares
 *    16  for each of them, from a1 on, a nibble, the low half of a byte first: 2 * type + colour;
 *        12 a pawn that can be taken en passant, 13 and 14 a white and a black rook that may
 *        castle, which readers look for in the corners alone, 15 the black king if Black is to move
 *     2  move: kind << 14 (1 promotion, 2 castling as king takes rook, 3 en passant), from << 8, to
 *        << 2, promotion from knight 0 on
 *     2  score of the side to move; mates 32000 - plies; 32002 none
 *     2  ply | result << 14; the result is the side to move's
 *     2  plies since the last capture or pawn move
 *     2  number of plies that follow, each as bits, the highest of a byte first:
 *        the number of the moving piece among the mover's pieces, from a1 on;
 *        the number of the destination among those that the piece could have, by its attacks alone,
 *        for a promotion times 4 plus the piece; castling follows a king's squares, the long one
 *        first; each in as many bits as the greatest number needs;
 *        the score minus the negated one before, in groups of 4 bits, the lowest first, each after
 *        a bit that says whether another follows
 *
 * Signed numbers (scores, results, differences) are stored with their sign in the lowest bit, and
 * negative ones inverted. */
#include <stdlib.h>
#include <string.h>

#include "engine/base/byte_order.h"
#include "engine/board/bitboard.h"
#include "selfplay/formats/formats.h"

enum { STEM_BYTES = 34, PLY_BYTES_MAX = 5, PLY_MAX = 0x3fff };
enum { CODE_EN_PASSANT_PAWN = 12, CODE_CASTLING_ROOK = 13, CODE_BLACK_KING_TO_MOVE = 15 };
enum { KIND_NORMAL, KIND_PROMOTION, KIND_CASTLE, KIND_EN_PASSANT };

static unsigned fold_sign(int value)
{
    uint16_t bits = (uint16_t)value;

    if (bits & 0x8000) bits ^= 0x7fff;
    return (uint16_t)(bits << 1 | bits >> 15);
}

static uint8_t *put_be(uint8_t *out, uint64_t value, int bytes)
{
    for (int i = bytes - 1; i >= 0; i--)
        *out++ = (uint8_t)(value >> 8 * i);
    return out;
}

/* The side to move's view. */
static int score_of(const ExportGame *game, int ply)
{
    int score = game->record->plies[ply].score;

    if (score == SCORE_UNKNOWN) return STOCKFISH_SCORE_NONE;
    return position_stm(&game->positions[ply]) == WHITE ? score : -score;
}

/* ---- The first position */

static int piece_code(const Position *pos, int sq)
{
    int piece = pos->board[sq], type = (int)piece_type(piece), color = (int)piece_color(piece);

    if (type == PAWN && pos->ep_square != NO_SQUARE && sq == (pos->ep_square ^ 8))
        return CODE_EN_PASSANT_PAWN;
    for (int i = 0; i < 4; i++)
        if (pos->castling & 1 << i && pos->rook_square[i] == sq) return CODE_CASTLING_ROOK + color;
    if (type == KING && color == BLACK && position_stm(pos) == BLACK)
        return CODE_BLACK_KING_TO_MOVE;
    return 2 * type + color;
}

static unsigned pack_move(Move move)
{
    unsigned kind = move_is_promotion(move)    ? KIND_PROMOTION
                    : move_is_castle(move)     ? KIND_CASTLE
                    : move_is_en_passant(move) ? KIND_EN_PASSANT
                                               : KIND_NORMAL;
    unsigned promotion = kind == KIND_PROMOTION ? (unsigned)(move_promotion(move) - KNIGHT) : 0;
    return kind << 14 | (unsigned)move_from(move) << 8 | (unsigned)move_to(move) << 2 | promotion;
}

static void pack_stem(const ExportGame *game, uint8_t out[STEM_BYTES])
{
    const Position *pos = &game->positions[0];
    const GameRecord *record = game->record;
    Bitboard occupied = position_occupied(pos);
    int result = (int)record->result - RESULT_DRAW, ply = pos->game_ply;

    memset(out, 0, STEM_BYTES);
    (void)put_be(out, occupied, 8);
    for (int i = 0; occupied; i++)
        out[8 + i / 2] |= (uint8_t)(piece_code(pos, pop_lsb(&occupied)) << 4 * (i & 1));
    out = put_be(out + 24, pack_move(record->plies[0].move), 2);
    out = put_be(out, fold_sign(score_of(game, 0)), 2);
    if (ply > PLY_MAX) ply = PLY_MAX;
    if (position_stm(pos) == BLACK) result = -result;
    out = put_be(out, (uint16_t)((unsigned)ply | fold_sign(result) << 14), 2);
    out = put_be(out, pos->rule50, 2);
    (void)put_be(out, (uint64_t)record->ply_count - 1, 2);
}

/* ---- The moves */

typedef struct BitWriter {
    uint8_t *bytes; /* zeros after the last bit */
    size_t bits;
} BitWriter;

static void put_bits(BitWriter *w, unsigned value, int count)
{
    for (int i = count - 1; i >= 0; i--, w->bits++)
        if (value >> i & 1) w->bytes[w->bits / 8] |= (uint8_t)(0x80 >> w->bits % 8);
}

/* A number below `choices`, in as many bits as the greatest one needs. */
static void put_choice(BitWriter *w, int number, int choices)
{
    int bits = 0;

    while (1 << bits < choices)
        bits++;
    put_bits(w, (unsigned)number, bits);
}

/* How many of the squares are before this one. */
static int number_of(Bitboard squares, int sq)
{
    return popcount(squares & (square_bb(sq) - 1));
}

static Bitboard pawn_destinations(const Position *pos, int from)
{
    Color us = position_stm(pos);
    Bitboard occupied = position_occupied(pos), targets = pos->by_color[!us];
    int forward = us == WHITE ? 8 : -8;

    if (pos->ep_square != NO_SQUARE) targets |= square_bb(pos->ep_square);
    Bitboard squares = pawn_attacks(us, from) & targets;
    if (occupied & square_bb(from + forward)) return squares;
    squares |= square_bb(from + forward);
    bool home = square_rank(from) == (us == WHITE ? RANK_2 : RANK_7);
    if (home && !(occupied & square_bb(from + 2 * forward)))
        squares |= square_bb(from + 2 * forward);
    return squares;
}

static void put_king_move(BitWriter *w, const Position *pos, Move move)
{
    Color us = position_stm(pos);
    Bitboard squares = king_attacks(move_from(move)) & ~pos->by_color[us];
    int rights = pos->castling >> 2 * us & 3, count = popcount(squares);
    int number = number_of(squares, move_to(move));

    if (move_is_castle(move)) {
        bool is_short = move_to(move) > move_from(move);
        number = count + (is_short && rights & 2); /* after the long one */
    }
    put_choice(w, number, count + (rights & 1) + (rights >> 1));
}

static void put_move(BitWriter *w, const Position *pos, Move move)
{
    Bitboard ours = pos->by_color[position_stm(pos)];
    int from = move_from(move), to = move_to(move);
    PieceType type = piece_type(pos->board[from]);

    put_choice(w, number_of(ours, from), popcount(ours));
    if (type == KING) {
        put_king_move(w, pos, move);
        return;
    }
    Bitboard squares = type == PAWN ? pawn_destinations(pos, from)
                                    : piece_attacks(type, from, position_occupied(pos)) & ~ours;
    if (move_is_promotion(move))
        put_choice(w, 4 * number_of(squares, to) + (int)(move_promotion(move) - KNIGHT),
                   4 * popcount(squares));
    else
        put_choice(w, number_of(squares, to), popcount(squares));
}

static void put_score(BitWriter *w, int difference)
{
    unsigned rest = fold_sign(difference);

    do {
        put_bits(w, (rest > 15 ? 16 : 0) | (rest & 15), 5);
        rest >>= 4;
    } while (rest > 0);
}

/* Readers know castling of usual chess alone; a game without moves has no position to write. */
bool binpack_holds(const ExportGame *game)
{
    const Position *start = &game->positions[0];

    for (int i = 0; i < 4; i++) {
        Color color = i / 2 ? BLACK : WHITE;
        int corner = i % 2 ? FILE_A : FILE_H;
        bool usual = square_file(start->rook_square[i]) == corner &&
                     square_file(position_king(start, color)) == FILE_E;
        if (start->castling & 1 << i && !usual) return false;
    }
    return game->record->ply_count > 0;
}

Status binpack_write(FILE *out, const ExportGame *game, Error *err)
{
    uint8_t stem[STEM_BYTES], size[4], *bytes;
    int plies = game->record->ply_count;

    bytes = calloc((size_t)plies, PLY_BYTES_MAX);
    if (!bytes) return error_set(err, STATUS_FAILED, "out of memory for a game");
    BitWriter w = {.bytes = bytes};
    for (int i = 1; i < plies; i++) {
        put_move(&w, &game->positions[i], game->record->plies[i].move);
        put_score(&w, score_of(game, i) + score_of(game, i - 1));
    }
    size_t length = (w.bits + 7) / 8;
    pack_stem(game, stem);
    put_le(size, STEM_BYTES + length, 4);
    (void)fwrite("BINP", 1, 4, out);
    (void)fwrite(size, 1, sizeof size, out);
    (void)fwrite(stem, 1, sizeof stem, out);
    (void)fwrite(bytes, 1, length, out);
    free(bytes);
    return STATUS_OK;
}
