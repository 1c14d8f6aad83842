/* SPDX-License-Identifier: MIT
 * `tabia db export`: writes the games of a database, also of a damaged one. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/db/verbs.h"
#include "cli/output/fields.h"
#include "cli/output/output_file.h"
#include "cli/output/process.h"
#include "cli/output/progress.h"
#include "db/chess/position_filter.h"
#include "db/files/pipeline.h"
#include "db/store/store.h"
#include "db/tables/games.h"
#include "engine/base/clock.h"
#include "engine/base/new_file.h"
#include "engine/base/system.h"
#include "engine/base/text.h"
#include "selfplay/formats/formats.h"
#include "selfplay/formats/pgn_write.h"
#include "selfplay/run/stored_games.h"

typedef struct ExportCounts {
    int64_t games, positions;      /* written; in formats of positions, games that gave one */
    int64_t left_out;              /* games that the format cannot hold */
    int64_t dropped[DROP_REASONS]; /* positions */
    int64_t lost;                  /* games that could not be read, or break the rules */
    bool more_lost;                /* more may be lost */
    Error first;                   /* the first fault; STATUS_OK: none */
    double seconds;
} ExportCounts;

enum { BATCH_GAMES = 128 };

/* A game and what is written of it. */
typedef struct ExportItem {
    StoredGame stored;
    bool wanted, held; /* held: the format can hold it */
    Error fault;       /* STATUS_BAD_INPUT: the record breaks the rules */
    TextStream text;
    int64_t positions;
} ExportItem;

typedef struct Export {
    const GameFormat *format;
    unsigned pgn_fields;
    PositionFilter *filter; /* NULL: all positions; only for formats of positions */
    const DbOptions *options;
    Store *store;
    char *salvaged; /* owned: the file for the games of a damaged database; NULL: not damaged */
    Error damage;   /* known damage: then rows are salvaged one by one; STATUS_OK: none */
    ExportCounts counts;
    int64_t read; /* games, wanted or not */
    Progress progress;
    /* Of the file that is written. */
    StoredGames *games;
    OutputFile *out;
    bool counting; /* positions by number of pieces, before any is written */
    int64_t present[PIECES_MAX + 1];
} Export;

/* ---- One game */

/* Without --runs a filter leaves matches out, as tabia tune does. */
static bool wants_run(const Export *e, const RunRecord *run)
{
    const DbOptions *o = e->options;

    if (o->runs.last > 0) return run->run_id >= o->runs.first && run->run_id <= o->runs.last;
    return !e->filter || run->kind != RUN_GAUNTLET;
}

static Status render(const Export *e, ExportItem *item, Error *err)
{
    TextStream *text = &item->text;
    Status status = STATUS_OK;

    if (text_stream_open(text))
        status = game_format_write(e->format, text->out, &item->stored.game, &item->positions, err);
    if (!text_stream_close(text) && status == STATUS_OK)
        status = error_set(err, STATUS_FAILED, "out of memory for a game");
    return status;
}

/* Faults are kept for take_game(). */
static Status render_game(void *export, void *pointer, Error *err)
{
    const Export *e = export;
    ExportItem *item = pointer;
    ExportGame *game = &item->stored.game;
    Status status = STATUS_OK;

    (void)err;
    if (item->wanted) status = stored_game_replay(&item->stored, e->filter, &item->fault);
    game->pgn_fields = e->pgn_fields;
    item->held =
        !e->format->holds || (status == STATUS_OK && item->wanted && e->format->holds(game));
    item->positions = 0;
    if (status == STATUS_OK && item->wanted && item->held && !e->counting)
        status = render(e, item, &item->fault);
    item->fault.status = status;
    return STATUS_OK;
}

static void count_pieces(Export *e, const StoredGame *stored)
{
    for (int i = 0; i < stored->game.record->ply_count; i++)
        if (stored->taken[i]) e->present[popcount(position_occupied(&stored->positions[i]))]++;
}

/* A record that breaks the rules counts as unreadable. */
static Status take_game(Export *e, const ExportItem *item, Error *err)
{
    ExportCounts *counts = &e->counts;

    if (!item->wanted) return STATUS_OK;
    if (item->fault.status == STATUS_BAD_INPUT) {
        if (counts->lost++ == 0) counts->first = item->fault;
        return STATUS_OK;
    }
    if (item->fault.status != STATUS_OK)
        return error_set(err, item->fault.status, "%s", item->fault.text);
    if (!item->held) {
        counts->left_out++;
        return STATUS_OK;
    }
    if (e->counting) {
        count_pieces(e, &item->stored);
        return STATUS_OK;
    }
    (void)fwrite(item->text.text, 1, item->text.length, output_stream(e->out));
    counts->positions += item->positions;
    for (int r = 0; r < DROP_REASONS; r++)
        counts->dropped[r] += item->stored.dropped[r];
    counts->games += e->format->write || item->positions > 0;
    return output_flush(e->out, err);
}

static Status write_game(void *export, void *pointer, Error *err)
{
    Export *e = export;
    ExportItem *item = pointer;

    e->read++;
    Status status = take_game(e, item, err);
    text_stream_discard(&item->text);
    return status;
}

/* ---- All games */

static Status read_game(void *export, void *pointer, bool *found, Error *err)
{
    Export *e = export;
    ExportItem *item = pointer;

    Status status = stored_games_next(e->games, &item->stored, found, err);
    item->wanted = status == STATUS_OK && *found && wants_run(e, item->stored.game.run);
    return status;
}

static Status show_progress(void *export, Error *err)
{
    Export *e = export;

    if (progress_due(&e->progress))
        progress_draw(&e->progress, e->read, "games", "%" PRId64 " positions", e->counts.positions);
    return system_check_end(err);
}

static void free_item(void *pointer)
{
    ExportItem *item = pointer;

    stored_game_free(&item->stored);
    text_stream_discard(&item->text);
}

static Status write_games(Export *e, Error *err)
{
    static const Pipeline pipeline = {sizeof(ExportItem), BATCH_GAMES,   read_game, render_game,
                                      write_game,         show_progress, free_item};

    return pipeline_run(&pipeline, e, options_threads(&e->options->common), err);
}

static bool has_curve(const Export *e)
{
    return e->filter && position_filter_has_curve(e->filter);
}

/* Reads the games to count positions, and opens them again. */
static Status follow_curve(Export *e, Error *err)
{
    memset(e->filter->left_out, 0, sizeof e->filter->left_out);
    memset(e->present, 0, sizeof e->present);
    e->counting = true;
    Status status = write_games(e, err);
    e->counting = false;
    position_filter_follow_curve(e->filter, e->present);
    stored_games_close(e->games);
    e->games = status == STATUS_OK ? stored_games_open(e->store, e->salvaged != NULL, err) : NULL;
    return e->games ? STATUS_OK : err->status;
}

/* Writes the whole file. err->damage: the database cannot be read to its end. */
static Status write_file(Export *e, const char *path, Error *err)
{
    Status status = STATUS_OK;

    e->read = 0;
    e->out = output_open(path, err);
    if (!e->out) return err->status;
    if (has_curve(e)) status = follow_curve(e, err);
    e->counts = (ExportCounts){0};
    if (e->format->head) (void)fputs(e->format->head, output_stream(e->out));
    if (status == STATUS_OK) status = write_games(e, err);
    if (status == STATUS_OK) return output_commit(e->out, err);
    output_discard(e->out);
    if (status == STATUS_INTERRUPTED && !file_is_standard_output(path))
        return error_set(err, status, "interrupted; nothing was written");
    return status;
}

/* "dir/salvaged-games.pgn" for "dir/games.pgn"; malloc'ed, NULL when out of memory. */
static char *salvage_name(const char *path)
{
    static const char prefix[] = "salvaged-";
    size_t size = strlen(path) + sizeof prefix;
    char *name = malloc(size);
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash + 1 - path) : 0;

    if (name) (void)snprintf(name, size, "%.*s%s%s", (int)folder, path, prefix, path + folder);
    return name;
}

/* Into a file of its own: what `path` holds may be better. */
static Status salvage(Export *e, const char *path, Error *err)
{
    Error cause = *err;

    if (file_is_standard_output(path))
        return error_set(err, STATUS_DATABASE, "%.600s; export to a file to save what can be read",
                         cause.text);
    e->salvaged = salvage_name(path);
    if (!e->salvaged) return error_set(err, STATUS_FAILED, "out of memory");
    if (access(e->salvaged, F_OK) == 0)
        return error_set(err, STATUS_DATABASE,
                         "%.600s; the readable games were not saved, since %.200s exists",
                         cause.text, e->salvaged);
    e->games = stored_games_open(e->store, true, err);
    Status status = e->games ? write_file(e, e->salvaged, err) : err->status;
    if (e->games) e->counts.lost += stored_games_lost(e->games, &e->counts.more_lost);
    e->counts.first = cause;
    stored_games_close(e->games);
    return status;
}

static Status check_runs(const Export *e, Error *err)
{
    int count;
    const RunRecord *runs = stored_games_runs(e->games, &count);
    bool named = e->options->runs.last > 0, any = !named && (!e->filter || count == 0);

    for (int i = 0; i < count; i++)
        any |= wants_run(e, &runs[i]);
    if (any) return STATUS_OK;
    if (named)
        return error_set(err, STATUS_BAD_INPUT, "%s has no run of --runs", store_path(e->store));
    return error_set(
        err, STATUS_BAD_INPUT,
        "%s: has only games of matches, which --filter leaves out; name their runs: --runs",
        store_path(e->store));
}

/* The whole export of a sound database, in a transaction that stays open; err->damage: it is not
 * sound. */
static Status export_sound(Export *e, const char *path, Error *err)
{
    int64_t total = 0;

    Status status = store_begin_reading(e->store, err); /* another process may be writing */
    e->games = status == STATUS_OK ? stored_games_open(e->store, false, err) : NULL;
    if (!e->games) status = err->status;
    if (status == STATUS_OK) status = check_runs(e, err);
    if (status == STATUS_OK) status = store_total_games(e->store, &total, err);
    if (has_curve(e)) total *= 2;
    progress_start(&e->progress, total, 0, e->options->common.quiet);
    if (status == STATUS_OK) status = write_file(e, path, err);
    stored_games_close(e->games);
    return status;
}

/* Writes the wanted games, runs in order of uuid, to path (compressed when it ends in .zst,
 * standard output when it is "-"). The file appears complete or not at all. Games that cannot be
 * read are left out and counted. A database counts as damaged when two reads in a row say so, since
 * a read error can pass. It is then read row by row, in order of its rows, into a file of its own;
 * to standard output, where the beginning is already written, STATUS_DATABASE. */
static Status export_games(Export *e, const char *path, Error *err)
{
    double started = clock_seconds();
    bool damaged = true;

    *err = e->damage;
    Status status = err->status;
    for (int i = 0; i < 2 && damaged && e->damage.status == STATUS_OK; i++) {
        *err = (Error){0};
        status = export_sound(e, path, err);
        damaged = err->damage;
        store_rollback(e->store);
        if (strcmp(path, "-") == 0) break;
    }
    if (damaged) status = salvage(e, path, err);
    progress_end(&e->progress);
    e->counts.seconds = clock_seconds() - started;
    return status;
}

/* ---- The verb */

static const Field count_fields[] = {
    {"games", FIELD(ExportCounts, games), .label = "games"},
    {"positions", FIELD(ExportCounts, positions), .label = "positions"},
    {"left_out", FIELD(ExportCounts, left_out),
     .label = "games left out that the format cannot hold", .zero = ZERO_NOT_IN_TEXT},
    {"lost", FIELD(ExportCounts, lost)},
    {"seconds", FIELD(ExportCounts, seconds)},
    {0},
};

const GameFormat *db_choose_format(const DbOptions *options, const char *path, bool reading,
                                   Error *err)
{
    if (options->format) return game_format_find(options->format, err);
    const GameFormat *format = game_format_of(path, reading);
    if (format) return format;
    if (strcmp(path, "-") == 0 && !reading) return game_format_find("pgn", err);
    (void)error_set(err, STATUS_USAGE, "%s: unknown file extension; %s", path,
                    text_ends_in(path, ".db") ? "the database comes first"
                    : text_ends_in(path, ".parquet")
                        ? reading ? "convert it to .csv (docs/formats.md)"
                                  : "export .csv and convert it (docs/formats.md)"
                        : "give --format NAME");
    return NULL;
}

/* *damage: the error of opening it normally. */
static Store *open_damaged_too(const char *path, Error *damage, Error *err)
{
    Store *store = store_open_watched(path, STORE_READ, cli_interrupted(), err);

    /* SQLite also reports a schema as damaged that it could not read, so only an error that repeats
     * is damage. */
    if (!store && err->damage) store = store_open_watched(path, STORE_READ, cli_interrupted(), err);
    if (!store && err->damage) {
        Error ignored;
        store = store_open_watched(path, STORE_SALVAGE, cli_interrupted(), &ignored);
        if (store) *damage = *err;
    }
    return store;
}

/* The keys of --filter: with yes or no checks, noisy, unscored, drawn (keep such positions) and
 * quiet (drop positions where a capture wins). */
static const Setting filter_keys[] = {
    {"min-ply", FIELD(PositionFilter, min_ply), .maximum = 10000},
    {"max-ply", FIELD(PositionFilter, max_ply), .maximum = 10000},
    {"max-score", FIELD(PositionFilter, max_score), .maximum = VALUE_MATE},
    {"min-phase", FIELD(PositionFilter, min_phase), .maximum = EVAL_PHASE_MAX},
    {"max-phase", FIELD(PositionFilter, max_phase), .maximum = EVAL_PHASE_MAX},
    {"checks", FIELD(PositionFilter, keep_checks)},
    {"noisy", FIELD(PositionFilter, keep_noisy)},
    {"unscored", FIELD(PositionFilter, keep_unscored)},
    {"drawn", FIELD(PositionFilter, drop_drawn), .form = FORM_OPPOSITE},
    {"quiet", FIELD(PositionFilter, require_quiet)},
    {"max-against", FIELD(PositionFilter, max_against), .maximum = VALUE_MATE},
    {"skip", FIELD(PositionFilter, skip), .maximum = 1},
    {"pieces-32", FIELD(PositionFilter, pieces_full), .maximum = 1e9},
    {"pieces-17", FIELD(PositionFilter, pieces_half), .maximum = 1e9},
    {"pieces-2", FIELD(PositionFilter, pieces_bare), .maximum = 1e9},
    {"soft-ply", FIELD(PositionFilter, soft_ply), .maximum = 10000},
    {"one-in", FIELD(PositionFilter, one_in), .maximum = 10000},
    {0},
};

/* "min-ply=8,max-score=2000,checks=no". Other values are the defaults of `tabia tune`; "tune" alone
 * takes them all. STATUS_USAGE. */
static Status parse_filter(const char *text, PositionFilter *f, Error *err)
{
    settings_default(position_filter_settings, f);
    if (strcmp(text, "tune") == 0) return STATUS_OK;
    Status status = settings_set_pairs(filter_keys, f, text, err);
    if (status == STATUS_OK && f->max_ply > 0 && f->min_ply > f->max_ply)
        status = error_set(err, STATUS_USAGE, "min-ply must not be above max-ply");
    if (status == STATUS_OK && f->min_phase > f->max_phase)
        status = error_set(err, STATUS_USAGE, "min-phase must not be above max-phase");
    return status == STATUS_OK ? status : error_prefix(err, "--filter");
}

static void print_json(const ExportCounts *counts)
{
    JsonWriter w;

    json_begin(&w, stdout);
    fields_json(&w, count_fields, counts);
    fields_json_object(&w, "dropped", drop_fields, counts->dropped);
    json_finish(&w);
}

/* Where standard output is the export, to standard error and without what is written. */
static void print_counts(const ExportCounts *counts, const char *to, bool quiet)
{
    const bool piped = file_is_standard_output(to);
    FILE *out = piped ? stderr : stdout;
    char dropped[DROPPED_TEXT_MAX];

    if (!piped) fields_print(false, to, count_fields, counts);
    if (piped && counts->left_out > 0)
        (void)fprintf(out, "games left out that the format cannot hold: %" PRId64 "\n",
                      counts->left_out);
    dropped_text(counts->dropped, dropped);
    if (*dropped && !(piped && quiet)) (void)fprintf(out, "positions left out: %s\n", dropped);
}

static Status report(const Export *e, const char *from, const char *to, bool json, Error *err)
{
    const ExportCounts *counts = &e->counts;

    if (e->salvaged) to = e->salvaged;
    if (json && !file_is_standard_output(to))
        print_json(counts);
    else
        print_counts(counts, to, e->options->common.quiet);
    if (counts->first.status == STATUS_OK) return STATUS_OK;
    return error_set(
        err, STATUS_FAILED, "%s: %" PRId64 " games saved, %s%" PRId64 " lost: %.600s%s%.200s", from,
        counts->games, counts->more_lost ? "at least " : "", counts->lost, counts->first.text,
        e->salvaged ? "; saved in " : "", e->salvaged ? e->salvaged : "");
}

static Status read_pgn_fields(Export *e, const char *text, Error *err)
{
    if (strcmp(e->format->name, "pgn") != 0)
        return error_set(err, STATUS_USAGE, "--pgn-fields: the format is %s", e->format->name);
    Status status = pgn_read_fields(text, &e->pgn_fields, err);
    const char *missing = pgn_field_not_stored(e->pgn_fields);
    if (status == STATUS_OK && missing)
        status = error_set(err, STATUS_USAGE, "--pgn-fields: %s is not in the database", missing);
    return status;
}

Status db_refuse_existing(const char *path, Error *err)
{
    struct stat there;

    if (strcmp(path, "-") == 0 || stat(path, &there) != 0 || !S_ISREG(there.st_mode) ||
        file_is_written_directly(path))
        return STATUS_OK;
    return error_set(err, STATUS_USAGE,
                     "%s exists already; name a new file, or replace it by --force", path);
}

Status db_verb_export(const DbOptions *options, const char **arguments, Error *err)
{
    Export e = {.options = options};
    PositionFilter filter = {0};

    Status status = output_check_name(arguments[1], err);
    if (status != STATUS_OK) return status;
    e.format = db_choose_format(options, arguments[1], false, err);
    if (!e.format) return err->status;
    if (options->filter) {
        if (!e.format->put)
            return error_set(err, STATUS_USAGE, "--filter: format %s holds whole games",
                             e.format->name);
        status = parse_filter(options->filter, &filter, err);
        if (status != STATUS_OK) return status;
        e.filter = &filter;
    }
    if (options->pgn_fields) status = read_pgn_fields(&e, options->pgn_fields, err);
    if (status == STATUS_OK && !options->force) status = db_refuse_existing(arguments[1], err);
    if (status != STATUS_OK) return status;
    if (strcmp(arguments[1], "-") == 0) cli_end_with_reader();
    e.store = open_damaged_too(arguments[0], &e.damage, err);
    if (!e.store) return err->status;
    status = export_games(&e, arguments[1], err);
    store_close(e.store);
    if (status == STATUS_OK)
        status = report(&e, arguments[0], arguments[1], options->common.json, err);
    free(e.salvaged);
    return status;
}
