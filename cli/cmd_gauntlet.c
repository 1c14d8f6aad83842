/* SPDX-License-Identifier: MIT
 * `tabia gauntlet`: a match between two sets of weights or engines. */
#include <math.h>
#include <string.h>

#include "cli/command.h"
#include "cli/match.h"
#include "cli/opening_options.h"
#include "cli/output_file.h"
#include "cli/play_options.h"
#include "cli/player_spec.h"
#include "cli/progress.h"
#include "cli/time_control.h"
#include "selfplay/gauntlet.h"
#include "selfplay/pgn.h"

enum { GAUNTLET_HASH_BYTES = 8 << 20 };

typedef struct GauntletOptions {
    CommonOptions common;
    PlayOptions play;
    const char *weights[2]; /* --a, --b */
    OptionList engines;
    int64_t games;
    OpeningOptions openings;
    const char *tc, *sprt, *db, *pgn, *log;
} GauntletOptions;

/* ---- Who plays */

static Status parse_sides(const GauntletOptions *o, const SearchLimits *limits, PlayerSpec sides[2],
                          Error *err)
{
    const PlayerDefaults defaults = {.limits = *limits,
                                     .hash_bytes = (size_t)o->play.hash_mb << 20,
                                     .log_dir = o->log,
                                     .cancelled = cli_interrupted()};

    if (o->engines.count != 0 && (o->weights[0] || o->weights[1]))
        return error_set(err, STATUS_USAGE, "either --a and --b or --engine twice, not both");
    if (o->engines.count == 0 && !(o->weights[0] && o->weights[1]))
        return error_set(err, STATUS_USAGE, "--a and --b are needed, or --engine twice");
    if (o->engines.count != 0 && o->engines.count != 2)
        return error_set(err, STATUS_USAGE, "--engine is needed twice, not %d times",
                         o->engines.count);
    for (int i = 0; i < 2; i++) {
        Status status = o->engines.count != 0
                            ? player_spec_parse(&sides[i], o->engines.items[i], &defaults, err)
                            : player_spec_of_weights(&sides[i], o->weights[i], &defaults, err);
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

/* ---- What is shown */

typedef struct Display {
    Progress progress;
    bool started, quiet, sprt;
} Display;

static void show_progress(void *context, const GauntletProgress *p)
{
    Display *d = context;
    char elo[ELO_TEXT_MAX], llr[64] = "";

    if (!d->started) progress_start(&d->progress, p->total, p->resumed, d->quiet);
    d->started = true;
    if (!progress_due(&d->progress)) return;
    match_elo_text(&p->score, &p->stats, elo);
    if (d->sprt)
        (void)snprintf(llr, sizeof llr, "  LLR %.2f (%.2f, %.2f)", p->stats.llr, p->stats.lower,
                       p->stats.upper);
    progress_draw(&d->progress, p->done, "games", "+%lld =%lld -%lld  Elo %s  LOS %.1f %%%s",
                  (long long)p->score.wins, (long long)p->score.draws, (long long)p->score.losses,
                  elo, isfinite(p->stats.los) ? 100 * p->stats.los : 50, llr);
}

static void print_json(const PlayerSpec sides[2], const GauntletProgress *p)
{
    JsonWriter w;

    json_begin(&w, stdout);
    json_object(&w, NULL);
    json_string(&w, "a", sides[0].name);
    json_string(&w, "b", sides[1].name);
    match_json(&w, &p->score, &p->stats);
    json_int(&w, "resumed", p->resumed);
    json_double(&w, "seconds", p->seconds, 6);
    json_end_object(&w);
    json_finish(&w);
}

static void print_result(const GauntletOptions *o, const PlayerSpec sides[2],
                         const SprtSettings *sprt, const GauntletProgress *p)
{
    if (o->common.json) {
        print_json(sides, p);
        return;
    }
    printf("%s against %s\n", sides[0].name, sides[1].name);
    match_print(stdout, &p->score, &p->stats, sprt);
}

/* ---- The match */

/* What gauntlet_run calls back into. */
typedef struct Watch {
    Display display;
    OutputFile *pgn;
} Watch;

static void watch_progress(void *context, const GauntletProgress *progress)
{
    show_progress(&((Watch *)context)->display, progress);
}

static Status write_game(void *context, const GauntletPlayer players[2], const GameRecord *game,
                         Error *err)
{
    OutputFile *pgn = ((Watch *)context)->pgn;
    PgnTags tags = {.event = "Tabia gauntlet",
                    .round = game->game_no + 1,
                    .white = players[game->white].name,
                    .black = players[game->black].name};

    Status status = pgn_write(output_stream(pgn), &tags, game, err);
    return status == STATUS_OK ? output_flush(pgn, err) : status;
}

static Status play(const GauntletOptions *o, const GauntletSettings *settings,
                   const PlayerSpec sides[2], Store *store, OutputFile *pgn, Error *err)
{
    GauntletPlayer players[2];
    GauntletProgress result;
    Watch watch = {{.quiet = o->common.quiet, .sprt = settings->sprt.enabled}, pgn};

    for (int i = 0; i < 2; i++)
        players[i] = player_spec_player(&sides[i]);
    Status status = gauntlet_run(store, players, settings, cli_interrupted(),
                                 pgn ? write_game : NULL, watch_progress, &watch, &result, err);
    if (watch.display.started) progress_end(&watch.display.progress);
    if (status == STATUS_INTERRUPTED)
        (void)error_set(err, status, "interrupted after %lld of %lld games%s",
                        (long long)result.done, (long long)result.total,
                        store ? "; the same command goes on" : "");
    if (status == STATUS_OK || (status == STATUS_INTERRUPTED && result.stats.games > 0))
        print_result(o, sides, &settings->sprt, &result);
    return status;
}

static Status play_with_files(const GauntletOptions *o, const GauntletSettings *settings,
                              const PlayerSpec sides[2], Error *err)
{
    Store *store = NULL;
    OutputFile *pgn = NULL;
    Status status = STATUS_OK;

    if (o->pgn && !(pgn = output_open(o->pgn, err))) return err->status;
    if (o->db && !(store = store_open(o->db, STORE_CREATE, err))) status = err->status;
    if (status == STATUS_OK) status = play(o, settings, sides, store, pgn, err);
    store_close(store);
    /* Without a database the games of an interrupted match are only here. */
    if (pgn && (status == STATUS_OK || (status == STATUS_INTERRUPTED && !store))) {
        Status written = output_commit(pgn, status == STATUS_OK ? err : NULL);
        return status == STATUS_OK ? written : status;
    }
    output_discard(pgn);
    return status;
}

/* So many that the players' own threads do not crowd the cores; only one of a game thinks. */
static int games_at_once(int cores, const PlayerSpec sides[2])
{
    int widest = sides[0].threads > sides[1].threads ? sides[0].threads : sides[1].threads;
    return widest <= 1 ? cores : widest >= cores ? 1 : cores / widest;
}

static Status run(const GauntletOptions *o, const OptionParser *parser, GauntletSettings *settings,
                  Error *err)
{
    PlayerSpec sides[2] = {0};
    Openings openings = {0};
    SearchLimits limits = {0};

    settings->seed = o->common.seed;
    settings->threads = options_threads(&o->common);
    settings->games = o->games;
    Status status = play_options_apply(&o->play, parser, &limits, &settings->opening,
                                       &settings->adjudication, err);
    if (status == STATUS_OK && o->tc) {
        if (options_given(parser, "nodes") || options_given(parser, "depth"))
            return error_set(err, STATUS_USAGE, "--tc goes without --nodes and --depth");
        status = time_control_parse(o->tc, &limits, err);
    }
    if (status == STATUS_OK && o->pgn && strcmp(o->pgn, "-") == 0)
        return error_set(err, STATUS_USAGE, "--pgn needs a file: the result is printed");
    if (status == STATUS_OK && o->sprt) status = match_parse_sprt(o->sprt, &settings->sprt, err);
    if (status == STATUS_OK) status = parse_sides(o, &limits, sides, err);
    if (o->common.threads == 0) settings->threads = games_at_once(settings->threads, sides);
    if (status == STATUS_OK)
        status = opening_options_load(&o->openings, parser, settings->seed, settings->games / 2,
                                      &openings, err);
    if (openings.name) {
        settings->book = &openings.book;
        settings->book_name = openings.name;
        settings->book_start = openings.start;
    }
    if (status == STATUS_OK) status = play_with_files(o, settings, sides, err);
    opening_book_free(&openings.book);
    for (int i = 0; i < 2; i++)
        player_spec_free(&sides[i]);
    return status;
}

Status cmd_gauntlet(int argc, char **argv, Error *err)
{
    enum { OWN = 9 };
    const SearchLimits limits = {.nodes_soft = 5000};
    GauntletSettings settings;
    gauntlet_defaults(&settings);
    GauntletOptions o = {.common = {.seed = settings.seed}, .games = settings.games};
    Option options[OWN + OPENING_OPTION_COUNT + PLAY_OPTION_COUNT + 1] = {
        {"a", OPTION_STRING, &o.weights[0], "W",
         "first player: builtin, zero, material or a weights header", 0, 0},
        {"b", OPTION_STRING, &o.weights[1], "W", "second player", 0, 0},
        {"engine", OPTION_LIST, &o.engines, "PLAYER",
         "instead, twice: weights=W or cmd=PROGRAM with the keys below", 0, 0},
        {"games", OPTION_INT, &o.games, "N", "most games, an even number", 2, 1e9},
        {"tc", OPTION_STRING, &o.tc, "TC",
         "[MOVES/]SECONDS[+INCREMENT] instead of nodes: such games cannot be repeated", 0, 0},
        {"sprt", OPTION_STRING, &o.sprt, "TEST",
         "stop at a decision: elo0=X,elo1=Y; also model=normalized|logistic, alpha=, beta=", 0, 0},
        {"db", OPTION_STRING, &o.db, "FILE", "database to keep the games in and to go on from", 0,
         0},
        {"pgn", OPTION_STRING, &o.pgn, "FILE", "write the games, compressed when it ends in .zst",
         0, 0},
        {"log", OPTION_STRING, &o.log, "DIR", "folder for a log NAME.log of each external engine",
         0, 0},
    };
    opening_options_init(&o.openings, options + OWN);
    play_options_init(&o.play, &limits, GAUNTLET_HASH_BYTES, &settings.opening,
                      &settings.adjudication, options + OWN + OPENING_OPTION_COUNT);
    const OptionSpec spec = {
        .command = "gauntlet",
        .synopsis = "--a W --b W --games N [options]",
        .description =
            "Plays the first player against the second on all cores: every opening twice, with\n"
            "colours reversed. Limited by nodes or depth, the result depends on seed and options\n"
            "alone. With --db, the same command goes on where it was stopped, and more --games\n"
            "prolong a match. An external engine (UCI) that crashes, stalls or misbehaves loses "
            "its\n"
            "game, is started again if need be, and the match goes on. With clocks, or several\n"
            "threads of a player of ours, games cannot be repeated.",
        .options = options,
        .common = &o.common,
        .epilogue = PLAYER_KEYS_HELP
        "\n"
        "Examples:\n"
        "  tabia gauntlet --a new.h --b builtin --games 2000 --sprt elo0=0,elo1=5\n"
        "  tabia gauntlet --engine name=deep,weights=builtin,nodes=20k \\\n"
        "                 --engine name=quick,weights=builtin,nodes=5k --pgn games.pgn\n"
        "  tabia gauntlet --engine weights=builtin,tc=2+0.02 \\\n"
        "                 --engine cmd=stockfish,nodes=1000,option.Hash=16",
    };
    OptionParser *parser = NULL;
    bool done = false;

    Status status = options_parse(&spec, argc, argv, &parser, NULL, &done, err);
    if (status == STATUS_OK && !done) status = run(&o, parser, &settings, err);
    options_destroy(parser);
    return status;
}
