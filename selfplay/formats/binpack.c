/* SPDX-License-Identifier: MIT
 * binpack, the format of Stockfish's training data: games as a packed first position and about two
 * bytes a ply. Source: the description by T. Sobczyk in the tools branch of Stockfish
 * (docs/binpack.md), and what readers of such files expect.
 *
 * A file consists of chunks: "BINP", the size of what follows (4 bytes, little-endian), chains. A
 * chain is a game, or what is left of one. We write a chunk for each. All numbers in a chain are
 * big-endian:
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
#include "engine/board/movegen.h"
#include "engine/notation/fen.h"
#include "selfplay/formats/internal.h"
#include "selfplay/formats/packed.h"

enum { STEM_BYTES = 34, PLY_BYTES_MAX = 5, PLY_MAX = 0x3fff };
enum { CODE_EN_PASSANT_PAWN = 12, CODE_CASTLING_ROOK = 13, CODE_BLACK_KING_TO_MOVE = 15 };

/* Kinds of moves by number, and numbers by kind: the table is its own inverse. */
static const PackedKind kinds[] = {PACKED_NORMAL, PACKED_PROMOTION, PACKED_CASTLE,
                                   PACKED_EN_PASSANT};

static unsigned fold_sign(int value)
{
    uint16_t bits = (uint16_t)value;

    if (bits & 0x8000) bits ^= 0x7fff;
    return (uint16_t)(bits << 1 | bits >> 15);
}

static int unfold_sign(unsigned value)
{
    unsigned bits = value >> 1 | (value & 1) << 15;

    return (int16_t)(bits & 0x8000 ? bits ^ 0x7fff : bits);
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
    return (unsigned)kinds[packed_kind(move)] << 14 | (unsigned)move_from(move) << 8 |
           (unsigned)move_to(move) << 2 | packed_promotion(move);
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

/* Bits of a number below `choices`. */
static int bits_of(int choices)
{
    int bits = 0;

    while (1 << bits < choices)
        bits++;
    return bits;
}

static void put_choice(BitWriter *w, int number, int choices)
{
    put_bits(w, (unsigned)number, bits_of(choices));
}

/* How many of the squares are before this one. */
static int number_of(Bitboard squares, int sq)
{
    return popcount(squares & (square_bb(sq) - 1));
}

static Bitboard pawn_destinations(const Position *pos, int from)
{
    Color us = position_stm(pos);
    Bitboard occupied = position_occupied(pos), targets = pos->by_color[opponent(us)];
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

/* Where a piece other than a king could go, by its attacks alone. */
static Bitboard destinations(const Position *pos, int from)
{
    PieceType type = piece_type(pos->board[from]);

    if (type == PAWN) return pawn_destinations(pos, from);
    return piece_attacks(type, from, position_occupied(pos)) & ~pos->by_color[position_stm(pos)];
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

    put_choice(w, number_of(ours, from), popcount(ours));
    if (piece_type(pos->board[from]) == KING) {
        put_king_move(w, pos, move);
        return;
    }
    Bitboard squares = destinations(pos, from);
    if (move_is_promotion(move))
        put_choice(w, 4 * number_of(squares, to) + (int)packed_promotion(move),
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

/* Readers know castling of usual chess alone; a game without moves has no position to write.
 * The number of plies that follow has 16 bits, that of plies before the start 14. */
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
    return start->game_ply <= PLY_MAX && game->record->ply_count > 0 &&
           game->record->ply_count <= 1 << 16;
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

/* ---- Reading */

enum { CHUNK_HEAD = 8 };

/* The functions that read a chain do nothing and return 0 after an error, which stays in `status`
 * and *err until the next chain. */
typedef struct BinpackSource {
    GameSource source;
    Status status;
    Error *err;
    uint32_t left;   /* bytes of the chunk that were not read */
    unsigned window; /* the byte whose bits are being read */
    int bits;        /* of it that are left */
    bool lost;       /* after an error: the rest of the chunk is skipped */
    bool ended;      /* nothing more can be read */
} BinpackSource;

/* NULL after an error. */
static const uint8_t *take(BinpackSource *s, uint32_t size)
{
    const uint8_t *data = NULL;

    if (s->status != STATUS_OK) return NULL;
    if (size > s->left) {
        s->status = error_set(s->err, STATUS_BAD_INPUT, "not binpack: a chunk ends within a game");
        return NULL;
    }
    s->status = game_source_take(&s->source, size, &data, s->err);
    s->ended = s->status != STATUS_OK;
    s->left = s->ended ? 0 : s->left - size;
    return data;
}

static unsigned get_bits(BinpackSource *s, int count)
{
    unsigned value = 0;

    for (; count > 0; count--) {
        if (s->bits == 0) {
            const uint8_t *data = take(s, 1);
            if (!data) return 0;
            s->window = *data;
            s->bits = 8;
        }
        value = value << 1 | (s->window >> --s->bits & 1);
    }
    return value;
}

/* A number below `choices`. */
static int get_choice(BinpackSource *s, int choices)
{
    int number = (int)get_bits(s, bits_of(choices));

    if (number < choices || s->status != STATUS_OK) return number;
    s->status =
        error_set(s->err, STATUS_BAD_INPUT, "not binpack: choice %d of %d", number, choices);
    return 0;
}

/* The square of this number among `squares`, which are more. */
static int square_number(Bitboard squares, int number)
{
    while (number-- > 0)
        (void)pop_lsb(&squares);
    return lsb(squares);
}

static Move get_king_move(BinpackSource *s, int from)
{
    const Position *pos = &s->source.game.pos;
    Color us = position_stm(pos);
    Bitboard squares = king_attacks(from) & ~pos->by_color[us];
    int rights = pos->castling >> 2 * us & 3, count = popcount(squares);
    int number = get_choice(s, count + (rights & 1) + (rights >> 1));

    if (s->status != STATUS_OK) return MOVE_NONE;
    if (number < count)
        return packed_move(pos, from, square_number(squares, number), PACKED_NORMAL, 0);
    bool is_long = rights & 2 && number == count;
    return packed_move(pos, from, pos->rook_square[2 * us + is_long], PACKED_CASTLE, 0);
}

static Move get_move(BinpackSource *s)
{
    const Position *pos = &s->source.game.pos;
    Color us = position_stm(pos);
    Bitboard ours = pos->by_color[us];
    int number = get_choice(s, popcount(ours));

    if (s->status != STATUS_OK) return MOVE_NONE;
    int from = square_number(ours, number);
    if (piece_type(pos->board[from]) == KING) return get_king_move(s, from);
    Bitboard squares = destinations(pos, from);
    bool is_pawn = piece_type(pos->board[from]) == PAWN;
    int each = is_pawn && square_rank(from) == (us == WHITE ? RANK_7 : RANK_2) ? 4 : 1;
    number = get_choice(s, each * popcount(squares));
    if (s->status != STATUS_OK) return MOVE_NONE;
    int to = square_number(squares, number / each);
    PackedKind kind = each > 1                          ? PACKED_PROMOTION
                      : is_pawn && to == pos->ep_square ? PACKED_EN_PASSANT
                                                        : PACKED_NORMAL;
    return packed_move(pos, from, to, kind, (unsigned)(number % each));
}

/* The difference of two scores. */
static int get_difference(BinpackSource *s)
{
    unsigned value = 0;

    for (int shift = 0; shift < 16; shift += 4) {
        unsigned group = get_bits(s, 5);
        value |= (group & 15) << shift;
        if (group < 16) return unfold_sign(value);
    }
    s->status = error_set(s->err, STATUS_BAD_INPUT, "not binpack: a score of more than 16 bits");
    return 0;
}

/* Plays a move. score: the side to move's view. */
static Status add_ply(BinpackSource *s, Move move, int score)
{
    GameBuilder *game = &s->source.game;
    char fen[FEN_MAX];

    if (s->status != STATUS_OK) return s->status;
    if (!movegen_is_legal(&game->pos, move)) {
        position_to_fen(&game->pos, fen);
        return error_set(s->err, STATUS_BAD_INPUT, "move %d of the game is not legal in %s",
                         game->record.ply_count + 1, fen);
    }
    if (abs(score) > STOCKFISH_SCORE_NONE)
        return error_set(s->err, STATUS_BAD_INPUT, "not binpack: score %d", score);
    if (abs(score) == STOCKFISH_SCORE_NONE)
        score = SCORE_UNKNOWN;
    else if (position_stm(&game->pos) == BLACK)
        score = -score;
    return game_builder_add(game, move, score, s->err);
}

static Status unpack_start(const uint8_t stem[STEM_BYTES], Position *pos, Error *err)
{
    unsigned ply = (unsigned)get_be(stem + 28, 2) & PLY_MAX;
    PackedStart start = {.stm = WHITE,
                         .ep_square = NO_SQUARE,
                         .rule50 = (unsigned)get_be(stem + 30, 2),
                         .move_number = ply / 2 + 1};
    Bitboard occupied = get_be(stem, 8);

    for (int i = 0; occupied; i++) {
        int sq = pop_lsb(&occupied), white_pawn = square_rank(sq) == RANK_4;
        if (i == 32) return error_set(err, STATUS_BAD_INPUT, "not binpack: more than 32 pieces");
        int code = stem[8 + i / 2] >> 4 * (i & 1) & 15;
        start.squares[sq] =
            code == CODE_EN_PASSANT_PAWN ? (white_pawn ? 'P' : 'p') : "PpNnBbRrQqKk?Rrk"[code];
        if (code == CODE_EN_PASSANT_PAWN) start.ep_square = sq ^ 8;
        if (code == CODE_CASTLING_ROOK || code == CODE_CASTLING_ROOK + 1)
            start.unmoved |= square_bb(sq);
        if (code == CODE_BLACK_KING_TO_MOVE) start.stm = BLACK;
    }
    return packed_start(&start, pos, err);
}

static Status read_plies(BinpackSource *s, const uint8_t stem[STEM_BYTES], Error *err)
{
    const Position *pos = &s->source.game.pos;
    unsigned bits = (unsigned)get_be(stem + 24, 2), plies = (unsigned)get_be(stem + 32, 2);
    int result = unfold_sign((unsigned)get_be(stem + 28, 2) >> 14);
    int score = unfold_sign((unsigned)get_be(stem + 26, 2));
    Move move = packed_move(pos, bits >> 8 & 63, bits >> 2 & 63, kinds[bits >> 14], bits & 3);

    if (abs(result) > 1) return error_set(err, STATUS_BAD_INPUT, "not binpack: result %d", result);
    if (position_stm(pos) == BLACK) result = -result;
    s->status = add_ply(s, move, score);
    for (s->bits = 0; s->status == STATUS_OK && plies > 0; plies--) {
        move = get_move(s);
        score = (int16_t)(get_difference(s) - score);
        s->status = add_ply(s, move, score);
    }
    if (s->status != STATUS_OK) return s->status;
    return game_builder_end(&s->source.game, (GameResult)(RESULT_DRAW + result), (GameReason)0,
                            err);
}

static Status read_chain(BinpackSource *s, Error *err)
{
    uint8_t stem[STEM_BYTES];
    Position start;

    const uint8_t *data = take(s, STEM_BYTES);
    if (!data) return s->status;
    memcpy(stem, data, STEM_BYTES);
    Status status = unpack_start(stem, &start, err);
    if (status != STATUS_OK) return status;
    game_builder_start(&s->source.game, &start);
    return read_plies(s, stem, err);
}

/* Goes to the next chain; after an error to the next chunk. s->left is 0 at the end. */
static Status find_chain(BinpackSource *s, Error *err)
{
    enum { SKIP = 1 << 16 };
    FileReader *file = s->source.file;
    const uint8_t *data;

    while (s->lost && s->left > 0)
        if (!take(s, s->left < SKIP ? s->left : SKIP)) return s->status;
    s->lost = false;
    while (s->left == 0 && !s->ended) {
        s->source.start = reader_offset(file);
        Status status = reader_take(file, CHUNK_HEAD, &data, err);
        if (status != STATUS_OK) return status;
        s->ended = !data || memcmp(data, "BINP", 4) != 0;
        if (data && s->ended) {
            (void)error_set(err, STATUS_BAD_INPUT, "not binpack: no chunk begins here");
            return reader_place_byte(file, s->source.start, err);
        }
        if (data) s->left = (uint32_t)get_le(data + 4, 4);
    }
    s->source.start = reader_offset(file);
    return STATUS_OK;
}

static Status binpack_next(GameSource *source, const GameRecord **game, Error *err)
{
    BinpackSource *s = (BinpackSource *)source;

    *game = NULL;
    s->status = STATUS_OK;
    s->err = err;
    Status status = find_chain(s, err);
    if (status != STATUS_OK || s->left == 0) return status;
    status = read_chain(s, err);
    if (status == STATUS_OK) *game = &source->game.record;
    s->lost = status != STATUS_OK;
    if (status != STATUS_BAD_INPUT || s->ended) return status;
    return reader_place_byte(source->file, s->source.start, err);
}

GameSource *binpack_open(const char *path, Error *err)
{
    return game_source_open(sizeof(BinpackSource), reader_open(path, err), binpack_next, err);
}
