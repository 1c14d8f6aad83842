/* SPDX-License-Identifier: MIT
 * Counts of equal games in a file. */
#include "cli/match/held_games.h"

#include <stdlib.h>

#include "db/files/reader.h"
#include "engine/base/array.h"
#include "engine/base/pcg.h"
#include "selfplay/formats/pgn_read.h"

static uint64_t add_text(uint64_t key, const char *text)
{
    for (; *text; text++)
        key = mix64(key ^ (unsigned char)*text);
    return mix64(key ^ 0x100); /* no character: the end */
}

uint64_t held_line_key(const char *line)
{
    return add_text(0, line);
}

uint64_t held_game_key(const char *white, const char *black, const GameRecord *game)
{
    uint64_t key = add_text(add_text(add_text(0, white), black), game->start_fen);

    for (int i = 0; i < game->ply_count; i++)
        key = mix64(key ^ game->plies[i].move);
    return mix64(key ^ (uint64_t)game->result << 16);
}

static Status add(HeldGames *held, uint64_t key, Error *err)
{
    Status status = ARRAY_RESERVE(held->keys, held->capacity, held->count + 1, err);
    if (status == STATUS_OK) held->keys[held->count++] = key;
    return status;
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static Status arrange(HeldGames *held, Error *err)
{
    if (held->count == 0) return STATUS_OK;
    qsort(held->keys, (size_t)held->count, sizeof *held->keys, by_key);
    held->taken = calloc((size_t)held->count, sizeof *held->taken);
    return held->taken ? STATUS_OK : error_set(err, STATUS_FAILED, "out of memory for the games");
}

Status held_games_read_pgn(HeldGames *held, const char *path, Error *err)
{
    const PgnGame *game = NULL;
    Status status = STATUS_OK;
    bool more = true;

    GameSource *source = pgn_open(path, err);
    if (!source) return err->status;
    while (status == STATUS_OK && more) {
        game = NULL;
        status = pgn_next(source, &game, err);
        more = status != STATUS_OK || game;
        if (status == STATUS_BAD_INPUT) /* a damaged game; or the file's end */
            status = reader_fault(source->file, err);
        else if (game && game->finished)
            status = add(held, held_game_key(source->white, source->black, game->record), err);
    }
    game_source_close(source);
    return status == STATUS_OK ? arrange(held, err) : status;
}

static Status add_line(void *held, const TextRecord *record, Error *err)
{
    return add(held, held_line_key(record->text), err);
}

Status held_games_read_lines(HeldGames *held, const char *path, Error *err)
{
    Status status = records_use(reader_open_text(path, err), add_line, held, err);
    return status == STATUS_OK ? arrange(held, err) : status;
}

bool held_games_take(HeldGames *held, uint64_t key)
{
    int64_t first = 0, end = held->count;

    while (first < end) {
        int64_t middle = first + (end - first) / 2;
        if (held->keys[middle] < key)
            first = middle + 1;
        else
            end = middle;
    }
    int64_t next = first < held->count ? first + held->taken[first] : first;
    if (next >= held->count || held->keys[next] != key) return false;
    held->taken[first]++;
    return true;
}

void held_games_free(HeldGames *held)
{
    free(held->keys);
    free(held->taken);
    *held = (HeldGames){0};
}
