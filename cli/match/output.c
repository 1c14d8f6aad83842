/* SPDX-License-Identifier: MIT
 * Writing the games of a match to files. */
#include "cli/match/output.h"

#include <string.h>
#include <time.h>

#include "cli/play/time_control.h"
#include "db/chess/replay.h"
#include "engine/notation/fen.h"
#include "selfplay/formats/pgn_write.h"

static Status read_fields(const char *text, unsigned *fields, Error *err)
{
    static const struct {
        const char *name;
        unsigned field;
    } names[] = {
        {"nodes", PGN_NODES}, {"nps", PGN_NPS}, {"timeleft", PGN_TIME_LEFT}, {"min", PGN_MIN}};

    *fields = 0;
    while (text && *text) {
        size_t length = strcspn(text, ","), i = 0;
        while (i < 4 &&
               (strlen(names[i].name) != length || strncmp(names[i].name, text, length) != 0))
            i++;
        if (i == 4)
            return error_set(err, STATUS_USAGE,
                             "--pgn-fields: \"%.*s\" is none of nodes, nps, timeleft, min",
                             (int)length, text);
        *fields |= names[i].field;
        text += length + (text[length] == ',');
    }
    return STATUS_OK;
}

Status gauntlet_output_open(GauntletOutput *out, Error *err)
{
    time_t now = time(NULL);
    struct tm utc;

    out->pgn = out->epd = NULL;
    (void)strftime(out->date, sizeof out->date, "%Y.%m.%d", gmtime_r(&now, &utc));
    Status status = read_fields(out->fields, &out->pgn_fields, err);
    if (status == STATUS_OK && out->pgn_path && !(out->pgn = output_open(out->pgn_path, err)))
        status = err->status;
    if (status == STATUS_OK && out->epd_path && !(out->epd = output_open(out->epd_path, err)))
        status = err->status;
    if (status != STATUS_OK) output_discard(out->pgn);
    return status;
}

static Status write_pgn(GauntletOutput *out, const GauntletPlayer *players, const GameRecord *game,
                        Error *err)
{
    const SearchLimits *white = &players[game->white].limits, *black = &players[game->black].limits;
    char white_tc[TIME_CONTROL_TEXT_MAX], black_tc[TIME_CONTROL_TEXT_MAX];

    time_control_text(white, white_tc);
    time_control_text(black, black_tc);
    PgnTags tags = {.event = out->event ? out->event : "Tabia gauntlet",
                    .site = out->site,
                    .date = out->date,
                    .round = game->game_no + 1,
                    .white = players[game->white].name,
                    .black = players[game->black].name,
                    .white_tc = white_tc,
                    .black_tc = black_tc,
                    .fields = out->pgn_fields,
                    .limits = {white, black}};
    Status status = pgn_write(output_stream(out->pgn), &tags, game, err);
    return status == STATUS_OK ? output_flush(out->pgn, err) : status;
}

/* The position in EPD's four fields, with its counters and the result. */
static Status write_epd(GauntletOutput *out, const GameRecord *game, Error *err)
{
    char fen[FEN_MAX];
    Replay replay;

    Status status = replay_start(&replay, game, err);
    while (status == STATUS_OK && replay.ply < game->ply_count)
        status = replay_next(&replay, err);
    if (status != STATUS_OK) return status;
    position_to_fen(replay_position(&replay), fen);
    size_t length = 0;
    for (int field = 0; field < 4; field++)
        length += strcspn(fen + length, " ") + (field < 3);
    (void)fprintf(output_stream(out->epd), "%.*s hmvc %d; fmvn %d; c9 \"%s\";\n", (int)length, fen,
                  replay_position(&replay)->rule50, replay_position(&replay)->game_ply / 2 + 1,
                  result_text(game->result));
    return output_flush(out->epd, err);
}

Status gauntlet_output_game(GauntletOutput *out, const GauntletPlayer *players,
                            const GameRecord *game, Error *err)
{
    Status status = out->pgn ? write_pgn(out, players, game, err) : STATUS_OK;
    if (status == STATUS_OK && out->epd) status = write_epd(out, game, err);
    out->games += status == STATUS_OK;
    return status;
}

Status gauntlet_output_close(GauntletOutput *out, bool keep, Error *err)
{
    OutputFile *files[] = {out->pgn, out->epd};
    Status status = STATUS_OK;

    for (int i = 0; i < 2; i++)
        if (files[i] && keep && status == STATUS_OK)
            status = output_commit(files[i], err);
        else
            output_discard(files[i]);
    out->pgn = out->epd = NULL;
    return status;
}
