/* SPDX-License-Identifier: MIT
 * viriformat: games as a packed start position and four bytes a move. Source: Cosmo Bobak,
 * "viriformat" (github.com/cosmobobak/viriformat), the specification in its README.
 *
 * All little-endian. A game is 32 bytes of start position (occupied squares, 8 bytes; for each of
 * them in order a nibble: colour << 3 | type, 6 being a rook that may castle; side to move << 7 |
 * en passant square or 64; half move clock; full move number, 2; score, 2; result for White in half
 * points; a spare byte), then move and score (White's view) of each ply, then four zero bytes. A
 * move is from, to << 6, promotion << 12, kind << 14: 1 en passant, 2 castling (king takes rook),
 * 3 promotion. A record without occupied squares is an extension, which is skipped. */
#include <string.h>

#include "engine/base/byte_order.h"
#include "engine/board/movegen.h"
#include "engine/notation/fen.h"
#include "selfplay/formats/internal.h"
#include "selfplay/formats/packed.h"

enum { BOARD_BYTES = 32, MOVE_BYTES = 4, UNMOVED_ROOK = 6, NO_EN_PASSANT = 64 };

/* ---- Writing */

static int piece_code(const Position *pos, int sq)
{
    int piece = pos->board[sq], type = (int)piece_type(piece);

    for (int i = 0; i < 4; i++)
        if (pos->castling & 1 << i && pos->rook_square[i] == sq) type = UNMOVED_ROOK;
    return (int)piece_color(piece) << 3 | type;
}

static void pack_board(const Position *pos, GameResult result, uint8_t out[BOARD_BYTES])
{
    Bitboard occupied = position_occupied(pos);

    memset(out, 0, BOARD_BYTES);
    put_le(out, occupied, 8);
    for (int i = 0; occupied; i++)
        out[8 + i / 2] |= (uint8_t)(piece_code(pos, pop_lsb(&occupied)) << 4 * (i & 1));
    out[24] = (uint8_t)((position_stm(pos) == BLACK) << 7 |
                        (pos->ep_square == NO_SQUARE ? NO_EN_PASSANT : pos->ep_square));
    out[25] = pos->rule50;
    put_le(out + 26, (uint64_t)pos->game_ply / 2 + 1, 2);
    out[30] = (uint8_t)result;
}

static unsigned pack_move(Move move)
{
    return (unsigned)move_from(move) | (unsigned)move_to(move) << 6 | packed_promotion(move) << 12 |
           (unsigned)packed_kind(move) << 14;
}

Status viri_write(FILE *out, const ExportGame *game, Error *err)
{
    const GameRecord *record = game->record;
    uint8_t board[BOARD_BYTES], ply[MOVE_BYTES] = {0};

    (void)err;
    pack_board(&game->positions[0], record->result, board);
    (void)fwrite(board, 1, sizeof board, out);
    for (int i = 0; i < record->ply_count; i++) {
        put_le(ply, pack_move(record->plies[i].move), 2);
        put_le(ply + 2, (uint16_t)record->plies[i].score, 2);
        (void)fwrite(ply, 1, sizeof ply, out);
    }
    memset(ply, 0, sizeof ply);
    (void)fwrite(ply, 1, sizeof ply, out);
    return STATUS_OK;
}

/* ---- Reading */

typedef struct ViriSource {
    GameSource source;
    int64_t ply_start; /* offset of the last move */
    bool lost;         /* after an error among a game's moves */
} ViriSource;

/* The pieces. False: invalid. */
static bool unpack_pieces(const uint8_t *board, PackedStart *start)
{
    uint64_t occupied = get_le(board, 8);

    for (int index = 0; occupied; index++) {
        int sq = pop_lsb(&occupied);
        if (index == 32) return false;
        int code = board[8 + index / 2] >> 4 * (index & 1) & 15, type = code & 7;
        if (type > UNMOVED_ROOK) return false;
        start->squares[sq] = (code & 8 ? "pnbrqkr" : "PNBRQKR")[type];
        if (type == UNMOVED_ROOK) start->unmoved |= square_bb(sq);
    }
    return true;
}

static Status unpack_board(const uint8_t *board, Position *pos, Error *err)
{
    PackedStart start = {.stm = board[24] & 0x80 ? BLACK : WHITE, .rule50 = board[25]};
    int ep = board[24] & 0x7f;

    if (ep > NO_EN_PASSANT)
        return error_set(err, STATUS_BAD_INPUT, "not viriformat: en passant square %d", ep);
    if (board[30] > RESULT_WHITE_WINS)
        return error_set(err, STATUS_BAD_INPUT, "not viriformat: result %d", board[30]);
    if (!unpack_pieces(board, &start))
        return error_set(err, STATUS_BAD_INPUT, "not viriformat: invalid pieces");
    start.ep_square = ep < NO_EN_PASSANT ? ep : NO_SQUARE;
    start.move_number = (unsigned)get_le(board + 26, 2);
    if (start.move_number == 0) start.move_number = 1;
    return packed_start(&start, pos, err);
}

static bool is_zero(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i]) return false;
    return true;
}

static Status read_plies(ViriSource *s, GameResult result, Error *err)
{
    const uint8_t *data;
    Status status;

    for (;;) {
        s->ply_start = reader_offset(s->source.file);
        status = game_source_take(&s->source, MOVE_BYTES, &data, err);
        if (status != STATUS_OK) return status;
        if (is_zero(data, MOVE_BYTES)) break;
        const Position *pos = &s->source.game.pos;
        unsigned bits = (unsigned)get_le(data, 2); /* any give some move, which may be illegal */
        Move move =
            packed_move(pos, bits & 63, bits >> 6 & 63, (PackedKind)(bits >> 14), bits >> 12 & 3);
        if (!movegen_is_legal(pos, move)) {
            char fen[FEN_MAX];
            position_to_fen(pos, fen);
            (void)error_set(err, STATUS_BAD_INPUT, "move 0x%04x is not legal in %s", bits, fen);
            s->lost = true;
            return reader_place_byte(s->source.file, s->ply_start, err);
        }
        status = game_builder_add(&s->source.game, move, (int16_t)get_le(data + 2, 2), err);
        if (status != STATUS_OK) return status;
    }
    status = game_builder_end(&s->source.game, result, (GameReason)0, err);
    return status == STATUS_OK ? status : reader_place_byte(s->source.file, s->source.start, err);
}

/* Skips an extension, of which the first twelve bytes were read. */
static Status skip_extension(ViriSource *s, const uint8_t *head, Error *err)
{
    const uint8_t *data;
    size_t left = (size_t)get_le(head + 10, 2) + 4;

    Status status = game_source_take(&s->source, left, &data, err);
    if (status == STATUS_OK && !is_zero(data + left - 4, 4)) {
        (void)error_set(err, STATUS_BAD_INPUT, "not viriformat: an extension without its end");
        return reader_place_byte(s->source.file, s->source.start, err);
    }
    return status;
}

/* After an error among the moves: skips past the next four zero bytes, in steps of a ply. */
static Status skip_game(ViriSource *s, Error *err)
{
    const uint8_t *data;
    Status status;

    do
        status = reader_take(s->source.file, MOVE_BYTES, &data, err);
    while (status == STATUS_OK && data && !is_zero(data, MOVE_BYTES));
    s->lost = false;
    return status;
}

/* *found is false at the end of the file. */
static Status read_game(ViriSource *s, bool *found, Error *err)
{
    enum { HEAD = 12 };
    uint8_t board[BOARD_BYTES];
    const uint8_t *data;
    Position start;

    *found = false;
    for (;;) {
        s->source.start = reader_offset(s->source.file);
        Status status = reader_take(s->source.file, HEAD, &data, err);
        if (status != STATUS_OK || !data) return status;
        if (get_le(data, 8) != 0) break;
        memcpy(board, data, HEAD);
        status = skip_extension(s, board, err);
        if (status != STATUS_OK) return status;
    }
    memcpy(board, data, HEAD);
    Status status = game_source_take(&s->source, BOARD_BYTES - HEAD, &data, err);
    if (status != STATUS_OK) return status;
    memcpy(board + HEAD, data, BOARD_BYTES - HEAD);
    status = unpack_board(board, &start, err);
    if (status != STATUS_OK) {
        s->lost = true;
        return reader_place_byte(s->source.file, s->source.start, err);
    }
    game_builder_start(&s->source.game, &start);
    *found = true;
    return read_plies(s, (GameResult)board[30], err);
}

static Status viri_next(GameSource *source, const GameRecord **game, Error *err)
{
    ViriSource *s = (ViriSource *)source;
    bool found = false;

    *game = NULL;
    Status status = s->lost ? skip_game(s, err) : STATUS_OK;
    if (status == STATUS_OK) status = read_game(s, &found, err);
    if (status == STATUS_OK && found) *game = &s->source.game.record;
    return status;
}

GameSource *viri_open(const char *path, Error *err)
{
    return game_source_open(sizeof(ViriSource), reader_open(path, err), viri_next, err);
}
