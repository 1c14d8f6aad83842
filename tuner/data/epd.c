/* SPDX-License-Identifier: MIT
 * Data sets from labelled EPD files: blocks of lines parsed side by side, joined in file order. */
#include "tuner/data/epd.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "db/files/reader.h"
#include "engine/base/array.h"
#include "engine/base/name_table.h"
#include "engine/base/text.h"
#include "tuner/data/epd_line.h"
#include "tuner/data/fingerprint.h"

/* Text is read in blocks. One thread parses one piece of a block. */
enum { PIECE_BYTES = 1 << 18, BLOCK_PIECES = 32, BLOCK_BYTES = PIECE_BYTES * BLOCK_PIECES };

/* ---- Pieces */

/* The game that a position is of. */
typedef struct EpdGame {
    TextWord id;  /* in the block; at is NULL for a line without one, which is its own game */
    uint64_t key; /* of the position */
} EpdGame;

/* Lines for one thread and their positions. */
typedef struct Piece {
    const char *text;
    size_t length;
    int64_t lines; /* read, up to and including an invalid one */
    Dataset *data; /* game numbers are not set yet */
    EpdGame *of;   /* one a position */
    int64_t of_capacity;
    FaultCount left_out;
    int64_t left_out_line; /* of the first */
    Error error;           /* STATUS_OK: none */
} Piece;

/* Of a line that is its own game: castling and en passant, which no feature shows, do not count. */
static uint64_t identity_of(const Position *pos)
{
    Position bare = *pos;

    bare.castling = 0;
    bare.ep_square = NO_SQUARE;
    position_refresh(&bare);
    return bare.key;
}

static Status parse_line(Piece *piece, const DatasetFilter *filter, TextSpan text)
{
    EpdLine line;
    Error *err = &piece->error;
    int64_t position = piece->data->positions;

    if (text_line_is_empty(text) || epd_line_is_header(text)) return STATUS_OK;
    Status status = epd_line_parse(text, &line, err);
    if (status == STATUS_OK)
        status = ARRAY_RESERVE(piece->of, piece->of_capacity, position + 1, err);
    if (status != STATUS_OK) return status;
    piece->of[position] = (EpdGame){line.id, identity_of(&line.pos)};
    DropReason reason =
        position_filter_drops_alone(&filter->positions, line.result, line.score, &line.pos);
    return dataset_read(piece->data, filter, reason, &line.pos, line.result, line.score, 0, err);
}

static void leave_out(Piece *piece)
{
    if (piece->left_out.count == 0) piece->left_out_line = piece->lines;
    fault_count_add(&piece->left_out, 1, &piece->error);
    piece->error = (Error){0};
}

static void parse_piece(Piece *piece, const DatasetFilter *filter)
{
    const char *at = piece->text, *end = piece->text + piece->length;

    Status status = dataset_create(dataset_columns(filter), &piece->data, &piece->error);
    if (status == STATUS_OK) piece->data->terms = filter->terms;
    piece->lines = 0;
    piece->left_out = (FaultCount){0};
    while (status == STATUS_OK && at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        piece->lines++;
        status = parse_line(piece, filter, (TextSpan){at, stop});
        if (status == STATUS_BAD_INPUT && filter->keep_going) {
            leave_out(piece);
            status = STATUS_OK;
        }
        at = stop + 1;
    }
    piece->error.status = status;
}

/* Cuts a block at line ends into at most BLOCK_PIECES pieces; returns how many. */
static int cut_block(const char *text, size_t length, Piece *pieces)
{
    size_t share = length / BLOCK_PIECES + 1, start = 0;
    int count = 0;

    while (start < length) {
        size_t stop = start + share < length ? start + share : length;
        while (stop < length && text[stop - 1] != '\n')
            stop++;
        pieces[count].text = text + start;
        pieces[count].length = stop - start;
        count++;
        start = stop;
    }
    assert(count <= BLOCK_PIECES);
    return count;
}

/* ---- The file */

typedef struct EpdReader {
    const char *path;
    const DatasetFilter *filter;
    int64_t lines; /* in the blocks before */
    int32_t games;
    NameTable ids;
    Dataset *data; /* borrowed: what is read */
    Piece pieces[BLOCK_PIECES];
} EpdReader;

static Status number_games(EpdReader *reader, Piece *piece, Error *err)
{
    for (int64_t i = 0; i < piece->data->positions; i++) {
        const EpdGame *of = &piece->of[i];
        int32_t *game = &piece->data->game[i];
        Status status;
        if (of->id.at) {
            status = name_table_number(&reader->ids, of->id.at, of->id.length, &reader->games, game,
                                       err);
        } else {
            *game = reader->games++;
            status = dataset_identify_game(reader->data, *game, of->key, err);
        }
        if (status != STATUS_OK) return status;
    }
    piece->data->games = reader->games;
    return STATUS_OK;
}

static Status join_piece(EpdReader *reader, Piece *piece, Error *err)
{
    if (piece->error.status != STATUS_OK) {
        *err = piece->error;
        if (err->status == STATUS_BAD_INPUT)
            (void)error_prefix(err, "%s:%lld", reader->path,
                               (long long)reader->lines + piece->lines);
        return err->status;
    }
    if (piece->left_out.count > 0) {
        Error first = piece->left_out.first;
        (void)error_prefix(&first, "line %lld", (long long)reader->lines + piece->left_out_line);
        fault_count_add(&reader->data->left_out, piece->left_out.count, &first);
    }
    Status status = number_games(reader, piece, err);
    if (status == STATUS_OK) status = dataset_append(reader->data, piece->data, 0, err);
    reader->lines += piece->lines;
    return status;
}

static Status read_block(EpdReader *reader, const char *text, size_t length, int threads,
                         Error *err)
{
    Piece *pieces = reader->pieces;
    const DatasetFilter *filter = reader->filter;
    Status status = STATUS_OK;
    int count = cut_block(text, length, pieces);

#pragma omp parallel for default(none) shared(pieces, count, filter) num_threads(threads)          \
    schedule(dynamic)
    for (int i = 0; i < count; i++)
        parse_piece(&pieces[i], filter);

    for (int i = 0; i < count; i++) {
        if (status == STATUS_OK) status = join_piece(reader, &pieces[i], err);
        dataset_destroy(pieces[i].data);
        pieces[i].data = NULL;
    }
    return status;
}

static Status read_file(const void *path, const DatasetFilter *filter, int threads, Dataset *data,
                        Error *err)
{
    EpdReader *reader = calloc(1, sizeof *reader);
    FileReader *source = NULL;
    const char *text;
    size_t length = 1;

    if (!reader) return error_set(err, STATUS_FAILED, "%s: out of memory", (const char *)path);
    reader->path = path;
    reader->filter = filter;
    reader->data = data;
    source = reader_open_text(path, err);
    Status status = source ? STATUS_OK : err->status;
    while (status == STATUS_OK && length > 0) {
        status = reader_block(source, BLOCK_BYTES, &text, &length, err);
        if (status == STATUS_OK) status = read_block(reader, text, length, threads, err);
    }
    reader_close(source);
    for (int i = 0; i < BLOCK_PIECES; i++)
        free(reader->pieces[i].of);
    name_table_free(&reader->ids);
    free(reader);
    return status;
}

Status dataset_from_epd(const char *path, const DatasetFilter *filter, int threads, Dataset **data,
                        Error *err)
{
    return dataset_read_source(read_file, path, path, filter, threads, data, err);
}
