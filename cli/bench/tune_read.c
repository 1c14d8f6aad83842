/* SPDX-License-Identifier: MIT
 * Reading positions for tabia bench tune. */
#include "cli/bench/tune_read.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "db/chess/replay.h"
#include "db/files/reader.h"
#include "db/store/run_record.h"
#include "db/store/store.h"
#include "db/tables/cursor.h"
#include "tuner/data/dataset.h"
#include "tuner/data/epd_line.h"

enum { BLOCK_BYTES = 1 << 20 };

Status bench_is_database(const char *path, bool *database, Error *err)
{
    static const char magic[16] = "SQLite format 3";
    char first[sizeof magic] = "";
    FILE *file = fopen(path, "rb");

    if (!file)
        return error_set(err, STATUS_BAD_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
    *database = fread(first, sizeof first, 1, file) == 1 && memcmp(first, magic, sizeof magic) == 0;
    (void)fclose(file);
    return STATUS_OK;
}

static void keep(BenchPositions *out, const Position *pos, GameResult result)
{
    out->at[out->read++ % BENCH_KEPT_MAX] = (BenchPosition){*pos, result};
    if (out->kept < BENCH_KEPT_MAX) out->kept++;
}

static Status read_lines(const char *text, size_t length, BenchPositions *out, Error *err)
{
    const char *at = text, *end = text + length;

    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        EpdLine line;
        if (!epd_is_empty((EpdText){at, stop})) {
            Status status = epd_line_parse((EpdText){at, stop}, &line, err);
            if (status != STATUS_OK) return status;
            keep(out, &line.pos, line.result);
        }
        at = stop + 1;
    }
    return STATUS_OK;
}

Status bench_read_text(const char *path, BenchPositions *out, Error *err)
{
    const char *text;
    size_t length = 1;
    FileReader *source = reader_open(path, err);

    if (!source) return err->status;
    Status status = STATUS_OK;
    while (status == STATUS_OK && length > 0) {
        status = reader_block(source, BLOCK_BYTES, &text, &length, err);
        if (status == STATUS_OK) status = read_lines(text, length, out, err);
    }
    reader_close(source);
    return status;
}

static Status read_game(const GameRecord *game, const DatasetFilter *filter, BenchPositions *out,
                        Error *err)
{
    Replay replay;

    Status status = replay_start(&replay, game, err);
    while (status == STATUS_OK && replay.ply < game->ply_count) {
        if (dataset_filter_takes(filter, game, replay.ply, replay_position(&replay), NULL))
            keep(out, replay_position(&replay), game->result);
        status = replay_next(&replay, err);
    }
    return status;
}

static Status read_games(GameCursor *cursor, BenchPositions *out, Error *err)
{
    const GameRecord *game = NULL;
    DatasetFilter filter;

    dataset_filter_defaults(&filter);
    for (;;) {
        Status status = game_cursor_next(cursor, &game, NULL, NULL, err);
        if (status == STATUS_OK && game) status = read_game(game, &filter, out, err);
        if (status != STATUS_OK || !game) return status;
    }
}

Status bench_read_store(const char *path, BenchPositions *out, Error *err)
{
    static const RunKind kinds[] = {RUN_SELFPLAY, RUN_IMPORT}; /* what a fit takes */
    Store *store = store_open(path, STORE_READ, err);
    Status status = store ? STATUS_OK : err->status;

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && status == STATUS_OK; i++) {
        GameCursor *cursor = store_read_games(store, NULL, 0, (int)kinds[i], err);
        status = cursor ? read_games(cursor, out, err) : err->status;
        game_cursor_close(cursor);
    }
    store_close(store);
    return status;
}
