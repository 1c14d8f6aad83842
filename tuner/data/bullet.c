/* SPDX-License-Identifier: MIT
 * Positions in bulletformat, 32 bytes each: selfplay/formats/bullet.c and docs/formats.md describe
 * them. They come as White's, whose turn it is; castling and en passant are not in them. */
#include "tuner/data/bullet.h"

#include <string.h>

#include "db/files/reader.h"
#include "engine/base/byte_order.h"
#include "tuner/data/fingerprint.h"

enum { RECORD = 32, CODES = 8, SCORE = 24, RESULT = 26, OWN_KING = 27, OTHER_KING = 28, TURN = 56 };

/* Reads the pieces; false where they are no chess position with White to move. */
static bool read_pieces(const uint8_t *in, Position *pos)
{
    Bitboard occupied = get_le(in, 8);

    *pos = (Position){.ep_square = NO_SQUARE, .stm = WHITE};
    memset(pos->board, NO_PIECE, sizeof pos->board);
    memset(pos->rook_square, NO_SQUARE, sizeof pos->rook_square);
    if (popcount(occupied) > 32) return false;
    for (int i = 0; occupied; i++) {
        int sq = pop_lsb(&occupied), code = in[CODES + i / 2] >> 4 * (i & 1) & 15, type = code & 7;
        bool edge = sq < 8 || sq >= 56;
        if (type > KING || (type == PAWN && edge)) return false;
        position_put_piece(pos, make_piece(code & 8 ? BLACK : WHITE, (PieceType)type), sq);
    }
    if (popcount(position_pieces(pos, WHITE, KING)) != 1 ||
        popcount(position_pieces(pos, BLACK, KING)) != 1)
        return false;
    int king = position_king(pos, BLACK);
    return position_king(pos, WHITE) == in[OWN_KING] && king == (in[OTHER_KING] ^ TURN) &&
           in[RESULT] <= RESULT_WHITE_WINS &&
           !(position_attackers(pos, king, position_occupied(pos)) & pos->by_color[WHITE]);
}

static Status add_record(Dataset *data, const DatasetFilter *filter, const uint8_t *in, Error *err)
{
    Position pos;

    if (!read_pieces(in, &pos))
        return error_set(err, STATUS_BAD_INPUT, "no position in bulletformat");
    position_refresh(&pos);
    const GameResult result = (GameResult)in[RESULT];
    const int score = (int16_t)get_le(in + SCORE, 2);
    DropReason reason = position_filter_drops_alone(&filter->positions, result, score, &pos);
    int32_t game = data->games;
    Status status = dataset_read(data, filter, reason, &pos, result, score, game, err);
    return status == STATUS_OK && data->games > game
               ? dataset_identify_game(data, game, pos.key, err)
               : status;
}

static Status read_records(FileReader *reader, const DatasetFilter *filter, Dataset *data,
                           Error *err)
{
    for (;;) {
        const uint8_t *in;
        int64_t offset = reader_offset(reader);
        Status status = reader_take(reader, RECORD, &in, err);
        if (status != STATUS_OK || !in) return status;
        status = add_record(data, filter, in, err);
        if (status == STATUS_BAD_INPUT) return reader_place_byte(reader, offset, err);
        if (status != STATUS_OK) return status;
    }
}

static Status read_file(const void *path, const DatasetFilter *filter, int threads, Dataset *data,
                        Error *err)
{
    FileReader *reader = reader_open(path, err);
    Status status = reader ? read_records(reader, filter, data, err) : err->status;

    (void)threads;
    reader_close(reader);
    return status;
}

Status dataset_from_bullet(const char *path, const DatasetFilter *filter, int threads,
                           Dataset **data, Error *err)
{
    return dataset_read_source(read_file, path, path, filter, threads, data, err);
}
