/* SPDX-License-Identifier: MIT
 * Writing the games of a match to files that may hold earlier ones, and an end that was cut. */
#include "cli/match/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "db/chess/replay.h"
#include "db/files/reader.h"
#include "db/store/game_record.h"
#include "engine/base/array.h"
#include "engine/base/fnv.h"
#include "engine/base/pcg.h"
#include "engine/base/text.h"
#include "engine/notation/epd.h"
#include "selfplay/formats/pgn_read.h"
#include "selfplay/formats/pgn_write.h"

/* ---- What a file holds */

static uint64_t line_key(const char *line)
{
    return fnv_add_bytes(FNV_START, line, strlen(line));
}

/* Of start, moves and result: without names, comments and tags, which differ between runs. */
static uint64_t game_key(const GameRecord *game)
{
    return mix64(game_record_hash(game) ^ (uint64_t)game->result);
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
            status = add(held, game_key(game->record), err);
    }
    game_source_close(source);
    return status == STATUS_OK ? arrange(held, err) : status;
}

static Status add_line(void *held, const TextRecord *record, Error *err)
{
    return add(held, line_key(record->text), err);
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

/* ---- A game that was cut */

enum { TAIL_MAX = 1 << 20 }; /* no game is longer: 1024 plies with all --pgn-fields have .3 MB */

static const char begin[] = "[Event \"";

/* The last line that begins a game; NULL when there is none. */
static const char *last_game(const char *text)
{
    const char *game = strncmp(text, begin, sizeof begin - 1) == 0 ? text : NULL;

    for (const char *at = text; (at = strchr(at, '\n')); at++)
        if (strncmp(at + 1, begin, sizeof begin - 1) == 0) game = at + 1;
    return game;
}

/* Of this event, or cut before that can be seen? */
static bool is_of_event(const char *game, const char *event)
{
    const char *at = game + sizeof begin - 1;

    for (; *event; event++, at++) { /* as pgn_write() has it */
        if ((*event == '"' || *event == '\\') && *at && *at++ != '\\') return false;
        if (!*at) return true;
        if (*at != ((unsigned char)*event < ' ' ? ' ' : *event)) return false;
    }
    return !*at || *at == '"';
}

/* Is the last line a part of that beginning? */
static bool is_torn_begin(const char *line)
{
    size_t length = strlen(line);
    return length > 0 && length < sizeof begin - 1 && strncmp(line, begin, length) == 0;
}

static bool is_result(const char *word, size_t length)
{
    GameResult result;
    return (length == 1 && *word == '*') || result_parse(word, length, &result);
}

/* Has the game a result among its moves, and an end of each comment? */
static bool is_whole(const char *at)
{
    bool comment = false, result = false;

    while (*at) {
        if (!comment && *at == '[' && at[-1] == '\n') { /* a tag */
            at += strcspn(at, "\n");
            continue;
        }
        size_t length = strcspn(at, " \n\t\r{}");
        result |= !comment && is_result(at, length);
        at += length;
        if (*at == '{') comment = true;
        if (*at == '}') comment = false;
        at += *at != '\0';
    }
    return result && !comment;
}

/* Does a line of EPD end as those of a match do, in its result? */
static bool has_result(const char *line, size_t length)
{
    static const char *const ends[] = {"c9 \"1-0\";", "c9 \"0-1\";", "c9 \"1/2-1/2\";"};

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t end = strlen(ends[i]);
        if (length > end && strncmp(line + length - end, ends[i], end) == 0) return true;
    }
    return false;
}

/* Is the last line cut? Lines that end in another way are none of ours, nor is then the last; nor
 * an only line. */
static bool is_torn_line(const char *text, const char *last)
{
    return *last && last > text && has_result(text, (size_t)(last - text) - 1) &&
           !has_result(last, strlen(last));
}

/* The offset of the torn game, or -1; a file with NUL bytes is none of ours. */
static long find(FILE *file, const char *event, char *text)
{
    long start = fseek(file, -TAIL_MAX, SEEK_END) == 0 ? ftell(file) : 0;

    if (start == 0) rewind(file);
    text[0] = '\n'; /* before the first line */
    size_t length = fread(text + 1, 1, TAIL_MAX, file);
    text[1 + length] = '\0';
    if (strlen(text) < 1 + length) return -1;
    const char *line = strrchr(text, '\n') + 1;
    if (!event) return is_torn_line(text + 1, line) ? start + (line - (text + 1)) : -1;
    const char *game = last_game(text + 1);
    if (game && is_of_event(game, event) && !is_whole(game)) return start + (game - (text + 1));
    return is_torn_begin(line) ? start + (line - (text + 1)) : -1;
}

Status torn_game_remove(const char *path, const char *event, Error *err)
{
    FILE *file = fopen(path, "r+b");
    char *text = malloc(TAIL_MAX + 2);
    Status status = STATUS_OK;

    long torn = file && text ? find(file, event, text) : -1;
    if (!text)
        status = error_set(err, STATUS_FAILED, "out of memory");
    else if (!file || ferror(file) || (torn >= 0 && ftruncate(fileno(file), torn) != 0))
        status = error_set(err, STATUS_FAILED, "%s cannot be written: %s", path, strerror(errno));
    free(text);
    if (file) (void)fclose(file);
    return status;
}

/* ---- Writing */

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

/* Refuses a file that begins with none of these characters, one that is compressed other than its
 * name says, and a compressed file that is cut: nothing can follow its last frame. */
static Status check_file(const char *path, const char *kind, const char *begins, Error *err)
{
    const char *text;
    size_t length = 0;

    FileReader *reader = reader_open(path, err);
    if (!reader) return err->status;
    int first = reader_peek(reader);
    Status status = STATUS_OK;
    Error fault = {0};
    if (first != READER_END && (first == '\0' || !strchr(begins, first)))
        status = error_set(err, STATUS_USAGE, "%s is no %s file; name a new file", path, kind);
    else if (first != READER_END && input_is_packed(reader->file) != text_ends_in(path, ".zst"))
        status = error_set(err, STATUS_USAGE,
                           "%s: its name does not say how it is compressed; name a new file", path);
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
    if (status == STATUS_OK && !(*out = output_append(path, event ? 2 : 1, err)))
        status = err->status;
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
    PgnOutput tags = {.event = event_name(out),
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
    if (resumed && held_games_take(&out->pgn_held, game_key(game))) return STATUS_OK;
    return write_pgn(out, players, game, err);
}

static Status add_epd(GauntletOutput *out, const GameRecord *game, bool resumed, Error *err)
{
    char line[EPD_LINE_MAX];

    Status status = format_epd(game, line, err);
    if (status != STATUS_OK || (resumed && held_games_take(&out->epd_held, line_key(line))))
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
