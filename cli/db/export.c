/* SPDX-License-Identifier: MIT
 * `tabia db export`: writes the games of a database, also of a damaged one. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/db/verbs.h"
#include "cli/options/pairs.h"
#include "cli/output/fields.h"
#include "cli/output/output_file.h"
#include "cli/output/process.h"
#include "cli/output/progress.h"
#include "cli/play/time_control.h"
#include "db/chess/position_filter.h"
#include "db/chess/replay.h"
#include "db/store/store.h"
#include "db/tables/cursor.h"
#include "db/tables/games.h"
#include "db/tables/players.h"
#include "db/tables/runs.h"
#include "engine/base/array.h"
#include "engine/base/clock.h"
#include "engine/base/new_file.h"
#include "selfplay/formats/formats.h"
#include "selfplay/formats/pgn_write.h"
#include "selfplay/run/run_config.h"

typedef struct ExportCounts {
    int64_t games, positions; /* written; in formats of positions, games that gave one */
    int64_t left_out;         /* games that the format cannot hold */
    int64_t lost;             /* games that could not be read, or break the rules */
    bool more_lost;           /* perhaps more were lost */
    Error first;              /* the first fault; STATUS_OK: none */
    double seconds;
} ExportCounts;

/* How a player was limited. */
typedef struct PlayerClock {
    bool known;
    SearchLimits limits;
    char text[TIME_CONTROL_TEXT_MAX];
} PlayerClock;

typedef struct Export {
    const GameFormat *format;
    unsigned pgn_fields;
    const PositionFilter *filter; /* NULL: all positions; only for formats of positions */
    const DbOptions *options;
    char *salvaged; /* owned: the file for the games of a damaged database; NULL: not damaged */
    Error damage;   /* known damage: then rows are salvaged one by one; STATUS_OK: none */
    ExportCounts counts;
    Store *store;
    OutputFile *out;
    int64_t read;    /* games, wanted or not */
    RunRecord *runs; /* as far as they can be read */
    int run_count;
    const RunRecord *run;  /* of the last game; NULL before the first */
    int64_t run_id;        /* of the last game, also where its run cannot be read */
    PlayerRecord *players; /* of that run, in order of number */
    PlayerClock *clocks;   /* of the players */
    int player_count;
    Position *positions; /* [room] */
    bool *taken;         /* [room] */
    int64_t room;
    Progress progress;
} Export;

/* ---- Who played */

static void free_run(Export *e)
{
    store_free_players(e->players, e->player_count);
    free(e->clocks);
    e->clocks = NULL;
    e->players = NULL;
    e->player_count = 0;
    e->run = NULL;
}

/* In a damaged database the run, its players or their settings may be unreadable: then names and
 * clocks are absent. */
static void look_up_run(Export *e, int64_t run_id)
{
    static const RunRecord unknown = {.kind = RUN_IMPORT, .generation = -1};

    if (e->run && e->run_id == run_id) return;
    free_run(e);
    e->run = &unknown;
    e->run_id = run_id;
    for (int i = 0; i < e->run_count; i++)
        if (e->runs[i].run_id == run_id) e->run = &e->runs[i];
    if (store_list_players(e->store, run_id, &e->players, &e->player_count, NULL) != STATUS_OK)
        return; /* the list is empty */
    e->clocks = calloc((size_t)e->player_count + 1, sizeof *e->clocks);
    for (int i = 0; e->clocks && i < e->player_count; i++) {
        PlayerClock *clock = &e->clocks[i];
        if (run_config_read_limits(e->store, e->players[i].config, &clock->limits, &clock->known,
                                   NULL) != STATUS_OK)
            clock->known = false;
        if (clock->known) time_control_text(&clock->limits, clock->text);
    }
}

static int compare_number(const void *number, const void *player)
{
    int a = *(const int *)number, b = ((const PlayerRecord *)player)->player_no;
    return (a > b) - (a < b);
}

static const PlayerRecord *find_player(const Export *e, int number)
{
    if (e->player_count == 0) return NULL;
    return bsearch(&number, e->players, (size_t)e->player_count, sizeof *e->players,
                   compare_number);
}

static const char *player_name(const Export *e, int number)
{
    const PlayerRecord *player = find_player(e, number);
    return player ? player->name : e->run->label[0] ? e->run->label : "?";
}

/* NULL when it is not known. */
static const PlayerClock *player_clock(const Export *e, int number)
{
    const PlayerRecord *player = find_player(e, number);
    const PlayerClock *clock = player && e->clocks ? &e->clocks[player - e->players] : NULL;
    return clock && clock->known ? clock : NULL;
}

/* Without --runs a filter leaves matches out, as tabia tune does. */
static bool wants_run(Export *e, int64_t run_id)
{
    const DbOptions *o = e->options;

    if (o->last_run > 0) return run_id >= o->first_run && run_id <= o->last_run;
    if (!e->filter) return true;
    look_up_run(e, run_id);
    return e->run->kind != RUN_GAUNTLET;
}

/* ---- One game */

static void choose_positions(Export *e, const GameRecord *game)
{
    for (int i = 0; i < game->ply_count; i++)
        e->taken[i] = position_filter_drops(e->filter, game, i, &e->positions[i]) == DROP_NONE;
}

/* A record that breaks the rules counts as unreadable. */
static Status prove(Export *e, const GameRecord *game, Error *err)
{
    int64_t room = e->room, count = game->ply_count + 1;

    Status status = ARRAY_RESERVE(e->positions, room, count, err);
    if (status == STATUS_OK) status = ARRAY_RESERVE(e->taken, e->room, count, err);
    if (status == STATUS_OK) status = replay_line(game, e->positions, err);
    if (status == STATUS_OK && (unsigned)game->result > RESULT_WHITE_WINS)
        status = error_set(err, STATUS_BAD_INPUT, "game %lld: result %d", (long long)game->game_no,
                           (int)game->result);
    return status;
}

static Status write_game(Export *e, const GameRecord *game, int64_t run_id, Error *err)
{
    Error fault = {0};

    Status status = prove(e, game, &fault);
    if (status == STATUS_BAD_INPUT) {
        if (e->counts.lost++ == 0) e->counts.first = fault;
        return STATUS_OK;
    }
    if (status != STATUS_OK) return error_set(err, status, "%s", fault.text);
    look_up_run(e, run_id);
    if (e->filter) choose_positions(e, game);
    const PlayerClock *white = player_clock(e, game->white), *black = player_clock(e, game->black);
    const ExportGame out = {.run = e->run,
                            .white = player_name(e, game->white),
                            .black = player_name(e, game->black),
                            .white_tc = white ? white->text : NULL,
                            .black_tc = black ? black->text : NULL,
                            .white_limits = white ? &white->limits : NULL,
                            .black_limits = black ? &black->limits : NULL,
                            .pgn_fields = e->pgn_fields,
                            .record = game,
                            .positions = e->positions,
                            .taken = e->filter ? e->taken : NULL};
    if (e->format->holds && !e->format->holds(&out)) {
        e->counts.left_out++;
        return STATUS_OK;
    }
    const int64_t before = e->counts.positions;
    status = game_format_write(e->format, output_stream(e->out), &out, &e->counts.positions, err);
    if (status == STATUS_OK) status = output_flush(e->out, err);
    e->counts.games += e->format->write || e->counts.positions > before;
    return status;
}

/* ---- All games */

static Status report_and_check(Export *e, Error *err)
{
    if (progress_due(&e->progress))
        progress_draw(&e->progress, e->read, "games", "%" PRId64 " positions", e->counts.positions);
    return cli_check_interrupted(err);
}

static Status write_games(Export *e, GameCursor *cursor, Error *err)
{
    const GameRecord *game;
    int64_t run_id;
    Status status;

    while ((status = game_cursor_next(cursor, &game, NULL, &run_id, err)) == STATUS_OK && game) {
        e->read++;
        if (wants_run(e, run_id)) status = write_game(e, game, run_id, err);
        if (status == STATUS_OK) status = report_and_check(e, err);
        if (status != STATUS_OK) break;
    }
    return status;
}

/* Writes the whole file; *damaged: the cursor cannot read the database to its end. */
static Status write_file(Export *e, const char *path, GameCursor *cursor, bool *damaged, Error *err)
{
    *damaged = false;
    if (!cursor) {
        *damaged = err->damage;
        return err->status;
    }
    e->out = output_open(path, err);
    if (!e->out) return err->status;
    Status status = write_games(e, cursor, err);
    if (status == STATUS_OK) return output_commit(e->out, err);
    *damaged = err->damage;
    output_discard(e->out);
    if (status == STATUS_INTERRUPTED && strcmp(path, "-") != 0)
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
    bool damaged;

    if (strcmp(path, "-") == 0)
        return error_set(err, STATUS_DATABASE, "%.600s; export to a file to save what can be read",
                         cause.text);
    e->salvaged = salvage_name(path);
    if (!e->salvaged) return error_set(err, STATUS_FAILED, "out of memory");
    if (access(e->salvaged, F_OK) == 0)
        return error_set(err, STATUS_DATABASE,
                         "%.600s; the readable games were not saved, since %.200s exists",
                         cause.text, e->salvaged);
    e->counts = (ExportCounts){0};
    e->read = 0;
    free_run(e);
    if (!e->runs && store_list_runs(e->store, 0, &e->runs, &e->run_count, NULL) != STATUS_OK) {
        e->runs = NULL; /* they are unknown, too */
        e->run_count = 0;
    }
    GameCursor *cursor = store_read_salvage(e->store, err);
    Status status = write_file(e, e->salvaged, cursor, &damaged, err);
    if (cursor) e->counts.lost += game_cursor_lost(cursor, &e->counts.more_lost);
    e->counts.first = cause;
    game_cursor_close(cursor);
    return status;
}

static Status check_runs(Export *e, Error *err)
{
    bool any = e->options->last_run == 0;

    for (int i = 0; i < e->run_count; i++)
        any |= wants_run(e, e->runs[i].run_id);
    return any ? STATUS_OK
               : error_set(err, STATUS_BAD_INPUT, "%s has no run of --runs", store_path(e->store));
}

/* The whole export of a sound database, in a transaction that stays open; *damaged: it is not
 * sound. */
static Status export_sound(Export *e, const char *path, bool *damaged, Error *err)
{
    int64_t total = 0;

    e->counts = (ExportCounts){0};
    e->read = 0;
    free_run(e);
    store_free_runs(e->runs, e->run_count);
    e->runs = NULL;
    e->run_count = 0;
    Status status = store_begin_reading(e->store, err); /* another process may be writing */
    if (status == STATUS_OK) status = store_list_runs(e->store, 0, &e->runs, &e->run_count, err);
    if (status == STATUS_OK) status = check_runs(e, err);
    if (status == STATUS_OK) status = store_total_games(e->store, &total, err);
    progress_start(&e->progress, total, 0, e->options->common.quiet);
    *damaged = err->damage;
    if (status != STATUS_OK) return status;
    GameCursor *cursor = store_read_games(e->store, NULL, 0, 0, err);
    status = write_file(e, path, cursor, damaged, err);
    game_cursor_close(cursor);
    return status;
}

/* Writes the wanted games, runs in order of uuid, to path (compressed when it ends in .zst,
 * standard output when it is "-"). The file appears complete or not at all. Games that cannot be
 * read are left out and counted. A database that is damaged, twice in a row since a read error can
 * look so once, is read row by row, in order of its rows, into a file of its own; not to standard
 * output, where the beginning is written already: STATUS_DATABASE. */
static Status export_games(Export *e, const char *path, Error *err)
{
    double started = clock_seconds();
    bool damaged = true;

    *err = e->damage;
    Status status = err->status;
    for (int i = 0; i < 2 && damaged && e->damage.status == STATUS_OK; i++) {
        *err = (Error){0};
        status = export_sound(e, path, &damaged, err);
        store_rollback(e->store);
        if (strcmp(path, "-") == 0) break;
    }
    if (damaged) status = salvage(e, path, err);
    progress_end(&e->progress);
    e->counts.seconds = clock_seconds() - started;
    free_run(e);
    store_free_runs(e->runs, e->run_count);
    free(e->positions);
    free(e->taken);
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

static const GameFormat *choose_format(const DbOptions *options, const char *path, Error *err)
{
    if (output_check_name(path, err) != STATUS_OK) return NULL;
    if (options->format) return game_format_find(options->format, err);
    const GameFormat *format = game_format_of(path, false);
    if (format) return format;
    if (strcmp(path, "-") == 0) return game_format_find("pgn", err);
    (void)error_set(err, STATUS_USAGE, "%s: unknown file extension; give --format NAME", path);
    return NULL;
}

/* *damage: the error of opening it normally. */
static Store *open_damaged_too(const char *path, Error *damage, Error *err)
{
    Store *store = store_open_watched(path, STORE_READ, cli_interrupted(), err);

    /* SQLite also calls a schema damaged that it could not read: damage is what comes again. */
    if (!store && err->damage) store = store_open_watched(path, STORE_READ, cli_interrupted(), err);
    if (!store && err->damage) {
        Error ignored;
        store = store_open_watched(path, STORE_SALVAGE, cli_interrupted(), &ignored);
        if (store) *damage = *err;
    }
    return store;
}

/* "min-ply=8,max-score=2000,checks=no": keys min-ply, max-ply, max-score, min-phase, max-phase, and
 * with yes or no checks, noisy, unscored, drawn (keep such positions) and quiet (drop positions
 * where a capture wins). Other values are the defaults of `tabia tune`; "tune" alone takes them
 * all. STATUS_USAGE. */
static Status parse_filter(const char *text, PositionFilter *f, Error *err)
{
    Option keys[] = {
        {"min-ply", OPTION_INT, &f->min_ply, .maximum = 10000},
        {"max-ply", OPTION_INT, &f->max_ply, .maximum = 10000},
        {"max-score", OPTION_INT, &f->max_score, .maximum = VALUE_MATE},
        {"min-phase", OPTION_INT, &f->min_phase, .maximum = EVAL_PHASE_MAX},
        {"max-phase", OPTION_INT, &f->max_phase, .maximum = EVAL_PHASE_MAX},
        {"checks", OPTION_FLAG, &f->keep_checks},
        {"noisy", OPTION_FLAG, &f->keep_noisy},
        {"unscored", OPTION_FLAG, &f->keep_unscored},
        {"drawn", OPTION_CLEAR, &f->drop_drawn},
        {"quiet", OPTION_FLAG, &f->require_quiet},
        {0},
    };

    settings_default(position_filter_settings, f);
    if (strcmp(text, "tune") == 0) return STATUS_OK;
    Status status = setting_pairs(text, options_set_pair, keys, err);
    if (status == STATUS_OK && f->max_ply > 0 && f->min_ply > f->max_ply)
        status = error_set(err, STATUS_USAGE, "min-ply must not be above max-ply");
    if (status == STATUS_OK && f->min_phase > f->max_phase)
        status = error_set(err, STATUS_USAGE, "min-phase must not be above max-phase");
    return status == STATUS_OK ? status : error_prefix(err, "--filter");
}

static Status report(const Export *e, const char *from, const char *to, bool json, Error *err)
{
    const ExportCounts *counts = &e->counts;

    if (e->salvaged) to = e->salvaged;
    if (strcmp(to, "-") != 0) /* where standard output is not the export */
        fields_print(json, to, count_fields, counts);
    else if (counts->left_out > 0)
        (void)fprintf(stderr, "games left out that the format cannot hold: %" PRId64 "\n",
                      counts->left_out);
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
    PositionFilter filter;

    e.format = choose_format(options, arguments[1], err);
    if (!e.format) return err->status;
    if (options->filter) {
        if (!e.format->put)
            return error_set(err, STATUS_USAGE, "--filter: format %s holds whole games",
                             e.format->name);
        Status parsed = parse_filter(options->filter, &filter, err);
        if (parsed != STATUS_OK) return parsed;
        e.filter = &filter;
    }
    Status status = options->pgn_fields ? read_pgn_fields(&e, options->pgn_fields, err) : STATUS_OK;
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
