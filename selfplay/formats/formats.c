/* SPDX-License-Identifier: MIT
 * The table of formats, and sources of games. */
#include "selfplay/formats/formats.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/text.h"
#include "selfplay/formats/internal.h"
#include "selfplay/formats/pgn_read.h"

/* A list of positions has none of a game without moves. */
static bool has_moves(const ExportGame *game)
{
    return game->record->ply_count > 0;
}

const GameFormat game_formats[] = {
    {"pgn", "games, with scores in comments", ".pgn", NULL, pgn_export, NULL, pgn_open, END_NONE},
    {"epd", "positions: c9 \"result\"; id \"game\"; ce score; sm move;", ".epd", epd_put, NULL,
     has_moves, epd_open, END_LINE},
    {"plain", "positions in Stockfish's plain text", ".plain", plain_put, NULL, has_moves,
     plain_open, END_BLOCK},
    {"bullet", "positions in bulletformat, 32 bytes each", ".bullet", bullet_put, NULL, has_moves,
     NULL, END_32_BYTES},
    {"viri", "games in viriformat, 4 bytes a ply", ".viri", NULL, viri_write, NULL, viri_open,
     END_NONE},
    {"binpack", "games in Stockfish's binpack, about 2 bytes a ply", ".binpack", NULL,
     binpack_write, binpack_holds, binpack_open, END_NONE},
    {"csv", "positions as a table for other programs", ".csv", csv_put, NULL, has_moves, NULL,
     END_NONE, csv_head},
    {0},
};

const GameFormat *game_format_find(const char *name, Error *err)
{
    char known[256] = "";

    for (const GameFormat *f = game_formats; f->name; f++) {
        if (strcmp(f->name, name) == 0) return f;
        text_append(known, sizeof known, "%s%s", *known ? ", " : "", f->name);
    }
    return ERROR_NULL(err, STATUS_USAGE, "unknown format \"%s\": use one of %s", name, known);
}

/* In any case, as on other systems. */
static bool ends_in(const char *text, size_t length, const char *ending)
{
    size_t n = strlen(ending);
    return length >= n && strncasecmp(text + length - n, ending, n) == 0;
}

const GameFormat *game_format_of(const char *path, bool reading)
{
    size_t length;
    const char *packing = input_packing(path, &length);

    if (packing && !reading && strcmp(packing, "zstd") != 0) return NULL;
    for (const GameFormat *f = game_formats; f->name; f++)
        if (ends_in(path, length, f->ending)) return f;
    return NULL;
}

Status game_format_write(const GameFormat *format, FILE *out, const ExportGame *game,
                         int64_t *positions, Error *err)
{
    char bytes[POSITION_BYTES_MAX];

    if (format->write) {
        *positions += game->record->ply_count;
        return format->write(out, game, err);
    }
    for (int ply = 0; ply < game->record->ply_count; ply++) {
        if (game->taken && !game->taken[ply]) continue;
        size_t size = (size_t)(format->put(bytes, game, ply) - bytes);
        (void)fwrite(bytes, 1, size, out);
        *positions += size > 0;
    }
    return STATUS_OK;
}

/* ---- Sources */

GameSource *game_source_open(size_t size, FileReader *file, GameSourceNext *next, Error *err)
{
    GameSource *source = file ? calloc(1, size) : NULL;

    if (source) {
        source->next = next;
        source->file = file;
    } else if (file) {
        (void)error_set(err, STATUS_FAILED, "out of memory");
        reader_close(file);
    }
    return source;
}

void game_source_note(GameSource *source, int64_t line, Error *note)
{
    if (!note->text[0]) return;
    (void)reader_place_line(source->file, line, note);
    fault_count_add(&source->dropped, 1, note);
    note->text[0] = '\0';
}

Status game_source_take(GameSource *source, size_t size, const uint8_t **data, Error *err)
{
    Status status = reader_take(source->file, size, data, err);
    if (status != STATUS_OK || *data) return status;
    return error_set(err, STATUS_BAD_INPUT, "%s: the file ends within the game from byte %lld",
                     input_path(source->file->file), (long long)source->start);
}

void game_source_close(GameSource *source)
{
    if (!source) return;
    reader_close(source->file);
    game_builder_free(&source->game);
    free(source);
}
