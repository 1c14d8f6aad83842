/* SPDX-License-Identifier: MIT
 * `tabia db export`: a table of formats and the loop that feeds them. */
#include "cli/db_export.h"

#include <inttypes.h>
#include <string.h>

#include "cli/db_verbs.h"
#include "cli/json.h"
#include "engine/notation.h"
#include "selfplay/pgn.h"
#include "selfplay/replay.h"

/* ---- Formats */

/* A gauntlet's label is "a vs b"; in self-play both players are the label's. */
static void player_names(const RunRecord *run, char names[2][LABEL_MAX])
{
    const char *vs = run->kind == RUN_GAUNTLET ? strstr(run->label, " vs ") : NULL;

    (void)snprintf(names[0], LABEL_MAX, "%.*s", vs ? (int)(vs - run->label) : LABEL_MAX - 1,
                   run->label);
    (void)snprintf(names[1], LABEL_MAX, "%s", vs ? vs + strlen(" vs ") : run->label);
}

static Status write_pgn(FILE *out, const RunRecord *run, const GameRecord *game, Error *err)
{
    char names[2][LABEL_MAX], event[LABEL_MAX], date[16];

    player_names(run, names);
    (void)snprintf(event, sizeof event, "Tabia %s", run_kind_name(run->kind));
    (void)snprintf(date, sizeof date, "%.4s.%.2s.%.2s", run->started, run->started + 5,
                   run->started + 8);
    PgnTags tags = {.event = event,
                    .date = date,
                    .white = names[game->white == 1],
                    .black = names[game->black == 1],
                    .round = game->game_no + 1};
    return pgn_write(out, &tags, game, err);
}

/* One position: four FEN fields; c9 result, id game, ce the search's centipawns for the side to
 * move (EPD's own opcode; left out for mates and where nothing was searched), sm the move played.
 */
static void write_epd_line(FILE *out, const Replay *at, const char *uuid)
{
    GamePly ply = at->game->plies[at->ply];
    char fen[FEN_MAX], san[SAN_MAX];

    position_to_fen(&at->pos, fen);
    char *counters = strrchr(fen, ' ');
    *counters = '\0';
    *strrchr(fen, ' ') = '\0';
    move_to_san(&at->pos, ply.move, san);
    (void)fprintf(out, "%s c9 \"%s\"; id \"%s/%" PRId64 "\";", fen, result_text(at->game->result),
                  uuid, at->game->game_no);
    if (ply.score >= -VALUE_MATE_IN_MAX && ply.score <= VALUE_MATE_IN_MAX)
        (void)fprintf(out, " ce %d;", position_stm(&at->pos) == WHITE ? ply.score : -ply.score);
    (void)fprintf(out, " sm %s;\n", san);
}

static Status write_epd(FILE *out, const RunRecord *run, const GameRecord *game, Error *err)
{
    Replay replay;

    Status status = replay_start(&replay, game, err);
    while (status == STATUS_OK && replay.ply < game->ply_count) {
        /* The move must be known to be legal before it is written. */
        Replay before = replay;
        status = replay_next(&replay, err);
        if (status == STATUS_OK) write_epd_line(out, &before, run->uuid);
    }
    return status;
}

const ExportFormat export_formats[] = {
    {"pgn", "games, with the scores as comments", write_pgn},
    {"epd", "a position a line: c9 \"result\"; id \"game\"; ce score; sm move;", write_epd},
    {NULL, NULL, NULL},
};

const ExportFormat *export_format_find(const char *name, Error *err)
{
    char known[256] = "";

    for (const ExportFormat *f = export_formats; f->name; f++) {
        if (strcmp(f->name, name) == 0) return f;
        size_t used = strlen(known);
        (void)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", f->name);
    }
    (void)error_set(err, STATUS_USAGE, "unknown format \"%s\": %s are known", name, known);
    return NULL;
}

/* ---- The loop */

static Status export_run(Store *store, const RunRecord *run, const ExportFormat *format,
                         OutputFile *out, int64_t *games, Error *err)
{
    const GameRecord *game;
    Status status;

    GameCursor *cursor = store_read_games(store, &run->run_id, 1, 0, err);
    if (!cursor) return err->status;
    while ((status = game_cursor_next(cursor, &game, NULL, NULL, err)) == STATUS_OK && game) {
        status = format->write(output_stream(out), run, game, err);
        if (status == STATUS_OK) status = output_flush(out, err);
        if (status) break;
        ++*games;
    }
    game_cursor_close(cursor);
    return status;
}

Status db_export(Store *store, const char *path, const ExportFormat *format, int64_t *games,
                 Error *err)
{
    RunRecord *runs;
    int count;

    *games = 0;
    Status status = store_list_runs(store, 0, &runs, &count, err);
    if (status) return status;
    OutputFile *out = output_open(path, err);
    status = out ? STATUS_OK : err->status;
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = export_run(store, &runs[i], format, out, games, err);
    store_free_runs(runs, count);
    if (status) {
        output_discard(out);
        return status;
    }
    return output_commit(out, err);
}

/* ---- The verb */

Status db_verb_export(const DbOptions *options, int count, const char **arguments, Error *err)
{
    int64_t games;
    JsonWriter w;

    (void)count;
    const ExportFormat *format = export_format_find(options->format ? options->format : "pgn", err);
    if (!format) return err->status;
    Store *store = store_open(arguments[0], STORE_READ, err);
    if (!store) return err->status;
    Status status = db_export(store, arguments[1], format, &games, err);
    store_close(store);
    if (status || strcmp(arguments[1], "-") == 0) return status; /* standard output is the export */
    if (!options->common.json) {
        printf("%s: %" PRId64 " games\n", arguments[1], games);
        return STATUS_OK;
    }
    json_begin(&w, stdout);
    json_object(&w, NULL);
    json_int(&w, "games", games);
    json_end_object(&w);
    json_finish(&w);
    return STATUS_OK;
}
