/* SPDX-License-Identifier: MIT
 * Data sets from labelled EPD files: pieces of lines parsed side by side, joined in file order. */
#include "tuner/data/epd.h"

#include <stdlib.h>
#include <string.h>

#include "db/files/pipeline.h"
#include "db/files/reader.h"
#include "engine/base/array.h"
#include "engine/base/name_table.h"
#include "engine/base/text.h"
#include "tuner/data/epd_line.h"
#include "tuner/data/fingerprint.h"

enum { PIECE_BYTES = 1 << 18, BATCH_PIECES = 32 };

/* The game that a position is of. */
typedef struct EpdGame {
    TextWord id;  /* in the piece; at is NULL for a line without one, which is its own game */
    uint64_t key; /* of the position */
} EpdGame;

/* Lines for one thread and their positions. */
typedef struct Piece {
    char *text; /* [length] a copy, owned */
    int64_t length, room;
    int64_t line;  /* number of the first, from 1 */
    Dataset *data; /* game numbers are not set yet */
    EpdGame *of;   /* one a position */
    int64_t of_capacity;
    FaultCount left_out;
} Piece;

typedef struct EpdReader {
    const char *path;
    const DatasetFilter *filter;
    FileReader *file;
    int64_t line; /* of the next piece */
    int32_t games;
    NameTable ids;
    Dataset *data; /* borrowed: what is read */
} EpdReader;

/* ---- Pieces */

static Status read_piece(void *reader, void *item, bool *found, Error *err)
{
    EpdReader *r = reader;
    Piece *piece = item;
    const char *text;
    size_t length;

    Status status = reader_block(r->file, PIECE_BYTES, &text, &length, err);
    if (status == STATUS_OK) status = ARRAY_RESERVE(piece->text, piece->room, (int64_t)length, err);
    *found = status == STATUS_OK && length > 0;
    if (!*found) return status;
    memcpy(piece->text, text, length);
    piece->length = (int64_t)length;
    piece->line = r->line;
    for (const char *end = text + length; (text = memchr(text, '\n', (size_t)(end - text))); text++)
        r->line++;
    return STATUS_OK;
}

/* Of a line that is its own game: castling and en passant, which no feature shows, do not count. */
static uint64_t identity_of(const Position *pos)
{
    Position bare = *pos;

    bare.castling = 0;
    bare.ep_square = NO_SQUARE;
    position_refresh(&bare);
    return bare.key;
}

static Status parse_line(Piece *piece, const DatasetFilter *filter, TextSpan text, Error *err)
{
    EpdLine line;
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

static Status parse_piece(void *reader, void *item, Error *err)
{
    const EpdReader *r = reader;
    Piece *piece = item;
    const char *at = piece->text, *end = at + piece->length;
    int64_t line = piece->line;

    Status status = dataset_create(dataset_columns(r->filter), &piece->data, err);
    if (status == STATUS_OK) piece->data->terms = r->filter->terms;
    piece->left_out = (FaultCount){0};
    for (; status == STATUS_OK && at < end; line++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        status = parse_line(piece, r->filter, (TextSpan){at, stop}, err);
        at = stop + 1;
        if (status != STATUS_BAD_INPUT) continue;
        if (!r->filter->keep_going) return error_prefix(err, "%s:%lld", r->path, (long long)line);
        (void)error_prefix(err, "line %lld", (long long)line);
        fault_count_add(&piece->left_out, 1, err);
        *err = (Error){0};
        status = STATUS_OK;
    }
    return status;
}

/* ---- The file */

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

static Status join_piece(void *reader, void *item, Error *err)
{
    EpdReader *r = reader;
    Piece *piece = item;

    fault_count_add(&r->data->left_out, piece->left_out.count, &piece->left_out.first);
    Status status = number_games(r, piece, err);
    if (status == STATUS_OK) status = dataset_append(r->data, piece->data, 0, err);
    dataset_destroy(piece->data);
    piece->data = NULL;
    return status;
}

static void free_piece(void *item)
{
    Piece *piece = item;

    free(piece->text);
    dataset_destroy(piece->data);
    free(piece->of);
}

static Status read_file(const void *path, const DatasetFilter *filter, int threads, Dataset *data,
                        Error *err)
{
    static const Pipeline pipeline = {sizeof(Piece), BATCH_PIECES, read_piece, parse_piece,
                                      join_piece,    NULL,         free_piece};
    EpdReader r = {.path = path, .filter = filter, .line = 1, .data = data};

    r.file = reader_open_text(path, err);
    Status status = r.file ? pipeline_run(&pipeline, &r, threads, err) : err->status;
    reader_close(r.file);
    name_table_free(&r.ids);
    return status;
}

Status dataset_from_epd(const char *path, const DatasetFilter *filter, int threads, Dataset **data,
                        Error *err)
{
    return dataset_read_source(read_file, path, path, filter, threads, data, err);
}
