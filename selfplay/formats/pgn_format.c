/* SPDX-License-Identifier: MIT
 * PGN as one of the formats: pgn.c writes, pgn_read.c reads. */
#include <stdlib.h>
#include <string.h>

#include "selfplay/formats/formats.h"
#include "selfplay/formats/pgn.h"
#include "selfplay/formats/pgn_read.h"

Status pgn_format_write(FILE *out, const ExportGame *game, int64_t *positions, Error *err)
{
    const RunRecord *run = game->run;
    char event[LABEL_MAX], date[16];

    (void)snprintf(event, sizeof event, "Tabia %s", run_kind_name(run->kind));
    (void)snprintf(date, sizeof date, "%.4s.%.2s.%.2s", run->started, run->started + 5,
                   run->started + 8);
    PgnTags tags = {.event = event,
                    .date = strlen(run->started) >= 10 ? date : NULL,
                    .white = game->white,
                    .black = game->black,
                    .white_tc = game->white_tc,
                    .black_tc = game->black_tc,
                    .fields = PGN_NODES, /* so that nothing is lost on the way */
                    .round = game->record->game_no + 1};
    *positions += game->record->ply_count;
    return pgn_write(out, &tags, game->record, err);
}

typedef struct PgnSource {
    GameSource source;
    PgnReader *reader;
} PgnSource;

static Status pgn_next(GameSource *source, const GameRecord **record, Error *err)
{
    PgnSource *s = (PgnSource *)source;
    const PgnGame *game;
    Status status;

    *record = NULL;
    while ((status = pgn_reader_next(s->reader, &game, err)) == STATUS_OK && game) {
        if (game->finished) {
            source->white = game->white;
            source->black = game->black;
            *record = game->record;
            break;
        }
        source->unfinished++;
    }
    return status;
}

static int64_t pgn_consumed(const GameSource *source)
{
    return pgn_reader_consumed(((const PgnSource *)source)->reader);
}

static void pgn_close(GameSource *source)
{
    pgn_reader_close(((PgnSource *)source)->reader);
    free(source);
}

GameSource *pgn_format_open(const char *path, Error *err)
{
    static const GameSourceVtable vtable = {pgn_next, pgn_consumed, pgn_close};
    PgnSource *s = calloc(1, sizeof *s);

    if (!s) {
        (void)error_set(err, STATUS_FAILED, "out of memory");
        return NULL;
    }
    s->source.vtable = &vtable;
    s->reader = pgn_reader_open(path, err);
    if (s->reader) return &s->source;
    free(s);
    return NULL;
}
