/* SPDX-License-Identifier: MIT
 * Writing the games of a match to files. */
#include "cli/match/output.h"

#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cli/match/held_games.h"
#include "db/chess/replay.h"
#include "db/files/reader.h"
#include "engine/base/text.h"
#include "engine/notation/epd.h"
#include "selfplay/formats/pgn_write.h"

enum { EPD_LINE_MAX = EPD_MAX + 32, BLOCK = 1 << 16 };

static const char *event_name(const GauntletOutput *out)
{
    return out->event ? out->event : "Tabia gauntlet";
}

static bool is_regular(const char *path)
{
    struct stat there;
    return stat(path, &there) == 0 && S_ISREG(there.st_mode);
}

/* Refuses a file that begins with none of these characters, and a compressed file that is cut:
 * nothing can follow its last frame. */
static Status check_file(const char *path, const char *kind, const char *begins, Error *err)
{
    const char *text;
    size_t length = 0;

    FileReader *reader = reader_open(path, err);
    if (!reader) return err->status;
    int first = reader_peek(reader);
    Status status = STATUS_OK;
    Error fault = {0};
    if (first != READER_END && !strchr(begins, first))
        status = error_set(err, STATUS_USAGE, "%s is no %s file; name a new file", path, kind);
    for (bool more = text_ends_in(path, ".zst"); status == STATUS_OK && more; more = length > 0)
        if (reader_block(reader, BLOCK, &text, &length, &fault) != STATUS_OK)
            status = error_set(err, fault.status, "%.600s; name a new file", fault.text);
    reader_close(reader);
    return status;
}

/* event: of the games of a PGN file; NULL for EPD. */
static Status open_file(const char *path, const char *event, bool resumable, HeldGames *held,
                        OutputFile **out, Error *err)
{
    bool there = is_regular(path);

    Status status = output_check_name(path, err);
    if (status == STATUS_OK && there) status = output_check_free(path, err);
    if (status == STATUS_OK && there)
        status = event ? check_file(path, "PGN", "[%;{ \t\r\n\xef", err)
                       : check_file(path, "EPD", "rnbqkpRNBQKP12345678# \t\r\n", err);
    if (status == STATUS_OK && there && !text_ends_in(path, ".zst"))
        status = torn_game_remove(path, event, err);
    if (status == STATUS_OK && there && resumable)
        status = (event ? held_games_read_pgn : held_games_read_lines)(held, path, err);
    if (status == STATUS_OK && !(*out = output_append(path, err))) status = err->status;
    return status;
}

Status gauntlet_output_open(GauntletOutput *out, bool resumable, Error *err)
{
    time_t now = time(NULL);
    struct tm utc;

    out->pgn = out->epd = NULL;
    (void)strftime(out->date, sizeof out->date, "%Y.%m.%d", gmtime_r(&now, &utc));
    Status status = pgn_read_fields(out->fields, &out->pgn_fields, err);
    out->needs_search = (out->pgn_fields & PGN_OF_SEARCH) != 0;
    if (status == STATUS_OK && out->pgn_path)
        status =
            open_file(out->pgn_path, event_name(out), resumable, &out->pgn_held, &out->pgn, err);
    if (status == STATUS_OK && out->epd_path)
        status = open_file(out->epd_path, NULL, resumable, &out->epd_held, &out->epd, err);
    return status;
}

static Status write_pgn(GauntletOutput *out, const GauntletPlayer *players, const GameRecord *game,
                        Error *err)
{
    const GauntletPlayer *white = &players[game->white], *black = &players[game->black];
    PgnTags tags = {.event = event_name(out),
                    .site = out->site,
                    .date = out->date,
                    .round = game->game_no / 2 + 1,
                    .game = (int)(game->game_no % 2) + 1,
                    .white = white->name,
                    .black = black->name,
                    .fields = out->pgn_fields,
                    .limits = {&white->limits, &black->limits}};
    Status status = pgn_write(output_stream(out->pgn), &tags, game, err);
    return status == STATUS_OK ? output_flush(out->pgn, err) : status;
}

/* The position in EPD's four fields, with its counters and the result. */
static Status format_epd(const GameRecord *game, char line[EPD_LINE_MAX], Error *err)
{
    char fen[FEN_MAX];
    Replay replay;

    Status status = replay_start(&replay, game, err);
    while (status == STATUS_OK && replay.ply < game->ply_count)
        status = replay_next(&replay, err);
    if (status != STATUS_OK) return status;
    position_to_fen(replay_position(&replay), fen);
    epd_from_fen(fen, line);
    text_append(line, EPD_LINE_MAX, " c9 \"%s\";", result_text(game->result));
    return STATUS_OK;
}

static Status add_pgn(GauntletOutput *out, const GauntletPlayer *players, const GameRecord *game,
                      bool resumed, Error *err)
{
    uint64_t key = held_game_key(players[game->white].name, players[game->black].name, game);

    if (resumed && held_games_take(&out->pgn_held, key)) return STATUS_OK;
    return write_pgn(out, players, game, err);
}

static Status add_epd(GauntletOutput *out, const GameRecord *game, bool resumed, Error *err)
{
    char line[EPD_LINE_MAX];

    Status status = format_epd(game, line, err);
    if (status != STATUS_OK || (resumed && held_games_take(&out->epd_held, held_line_key(line))))
        return status;
    (void)fprintf(output_stream(out->epd), "%s\n", line);
    return output_flush(out->epd, err);
}

Status gauntlet_output_game(GauntletOutput *out, const GauntletPlayer *players,
                            const GameRecord *game, bool resumed, Error *err)
{
    Status status = out->pgn ? add_pgn(out, players, game, resumed, err) : STATUS_OK;
    return status == STATUS_OK && out->epd ? add_epd(out, game, resumed, err) : status;
}

Status gauntlet_output_close(GauntletOutput *out, Status status, Error *err)
{
    OutputFile *files[] = {out->pgn, out->epd};

    for (int i = 0; i < 2; i++) {
        if (!files[i]) continue;
        Error local = {0};
        Status closed = output_commit(files[i], status == STATUS_OK ? err : &local);
        if (status == STATUS_OK) status = closed;
    }
    held_games_free(&out->pgn_held);
    held_games_free(&out->epd_held);
    out->pgn = out->epd = NULL;
    return status;
}
