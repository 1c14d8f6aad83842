/* SPDX-License-Identifier: MIT
 * `tabia gauntlet`: a match between two or more sets of weights or engines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/cluster_command.h"
#include "cli/commands/command.h"
#include "cli/match/compliance.h"
#include "cli/match/output.h"
#include "cli/match/report.h"
#include "cli/match/revision.h"
#include "cli/match/statistics_text.h"
#include "cli/output/output_file.h"
#include "cli/output/process.h"
#include "cli/play/play_options.h"
#include "cli/play/player_spec.h"
#include "cli/play/time_control.h"
#include "db/store/store.h"
#include "engine/base/system.h"
#include "engine/base/text.h"
#include "engine/eval/evaluation_load.h"
#include "selfplay/match/gauntlet_record.h"
#include "selfplay/match/stats.h"

enum { GAUNTLET_HASH_BYTES = 8 << 20 };

typedef struct GauntletOptions {
    Cluster cluster;
    CommonOptions common;
    GauntletSettings settings;
    PlayOptions play;
    const char *weights[2], *revisions[2]; /* --a, --b; --a-rev, --b-rev */
    RevisionSetup revision;                /* of the latter */
    const char *compliance;                /* a program to check instead of a match */
    TextList engines;
    int64_t rounds, report_every;
    bool round_robin, white_advantage;
    const char *anchor;
    OpeningOptions openings;
    GauntletOutput output;
    PlayerDefaults defaults; /* of players that have none of their own … */
    SearchLimits clock;      /* … and --tc */
    const char *db, *affinity;
} GauntletOptions;

/* ---- Who plays */

/* The players of a match; owns what they are made of. */
typedef struct Entrants {
    int count;
    PlayerSpec *specs;
    GauntletPlayer players[PLAYERS_MAX]; /* borrow from the specs */
    const char *names[PLAYERS_MAX];      /* likewise */
    RatingSettings rating;
} Entrants;

static void free_entrants(Entrants *entrants)
{
    for (int i = 0; entrants->specs && i < entrants->count; i++)
        player_spec_free(&entrants->specs[i]);
    free(entrants->specs);
}

static bool is_named(const GauntletOptions *o, int i)
{
    return o->weights[i] || o->revisions[i];
}

static Status count_players(const GauntletOptions *o, int *count, Error *err)
{
    bool pair = is_named(o, 0) || is_named(o, 1);

    *count = pair ? 2 : o->engines.count;
    if (pair ? !(is_named(o, 0) && is_named(o, 1)) : o->engines.count < 2)
        return error_set(
            err, STATUS_USAGE,
            "--a and --b are needed, or two players: --engine cmd=PROGRAM --engine weights=W");
    if (*count > PLAYERS_MAX)
        return error_set(err, STATUS_USAGE, "--engine is given %d times: at most %d players",
                         *count, PLAYERS_MAX);
    return STATUS_OK;
}

static Status make_revision(const GauntletOptions *o, const char *rev, PlayerSpec *spec, Error *err)
{
    RevisionBuild build;

    Status status = revision_build(&o->revision, rev, o->common.quiet, &build, err);
    if (status != STATUS_OK) return status;
    return player_spec_of_program(spec, build.program, build.name, &o->defaults, err);
}

static Status make_player(const GauntletOptions *o, int i, PlayerSpec *spec, Error *err)
{
    const PlayerDefaults *defaults = &o->defaults;

    if (o->engines.count != 0) return player_spec_parse(spec, o->engines.items[i], defaults, err);
    if (o->weights[i]) return player_spec_of_weights(spec, o->weights[i], defaults, err);
    if (i == 0 && o->revisions[1]) { /* before the first is built, which may take minutes */
        Status status = revision_check(&o->revision, o->revisions[1], err);
        if (status != STATUS_OK) return status;
    }
    return make_revision(o, o->revisions[i], spec, err);
}

/* Tables, PGN and --anchor identify players by name. A pair of one name (two limits, or a trial of
 * chance) gets another for its second player, unless both were given by name=. */
static Status make_names_differ(const GauntletOptions *o, Entrants *entrants, Error *err)
{
    bool given = o->engines.count == 2 && entrants->specs[0].named && entrants->specs[1].named;

    for (int i = 0; i < entrants->count; i++)
        for (int j = 0; j < i; j++) {
            if (strcmp(entrants->specs[i].name, entrants->specs[j].name) != 0) continue;
            if (entrants->count == 2 && !given) {
                char *second = entrants->specs[1].name;
                text_copy_utf8(second, PLAYER_NAME_MAX - 2, entrants->specs[0].name);
                text_append(second, PLAYER_NAME_MAX, "-2");
                return STATUS_OK;
            }
            return error_set(err, STATUS_USAGE, "two players have the name \"%s\"; set name=",
                             entrants->specs[i].name);
        }
    return STATUS_OK;
}

static Status set_anchor(const char *text, Entrants *entrants, Error *err)
{
    Anchor anchor;

    Status status = anchor_parse(text, false, entrants->names, entrants->count, &anchor, err);
    entrants->rating.anchor = anchor.player;
    entrants->rating.elo = anchor.elo;
    return status;
}

/* A log is opened before the other files, in a folder that may be made for it. */
static Status check_log(const GauntletOptions *o, const char *log, Error *err)
{
    const char *const inputs[] = {o->db, o->openings.file, NULL};
    const char *const outputs[] = {o->output.pgn_path, o->output.epd_path, log};
    return log ? outputs_differ(outputs, inputs, 3, err) : STATUS_OK;
}

/* Free it also after a failure. */
static Status make_entrants(GauntletOptions *o, Entrants *entrants, Error *err)
{
    PlayerDefaults *defaults = &o->defaults;
    int count;

    defaults->cancelled = cli_interrupted();
    if (o->clock.has_clock) defaults->limits = o->clock;
    *entrants = (Entrants){.rating = {.anchor = -1, .fit_white = o->white_advantage}};
    Status status = count_players(o, &count, err);
    if (status != STATUS_OK) return status;
    entrants->specs = calloc((size_t)count, sizeof *entrants->specs);
    if (!entrants->specs) return error_set(err, STATUS_FAILED, "out of memory for the players");
    while (status == STATUS_OK && entrants->count < count) {
        int i = entrants->count++;
        PlayerSpec *spec = &entrants->specs[i];
        defaults->earlier = entrants->specs;
        defaults->earlier_count = i;
        status = make_player(o, i, spec, err);
        if (status == STATUS_OK) status = check_log(o, spec->log_path, err);
    }
    for (int i = 0; status == STATUS_OK && i < count; i++) {
        status = player_spec_try(&entrants->specs[i], err);
        entrants->players[i] = entrants->specs[i].player;
    }
    if (status == STATUS_OK) status = make_names_differ(o, entrants, err);
    for (int i = 0; i < entrants->count; i++)
        entrants->names[i] = entrants->specs[i].name;
    if (status == STATUS_OK && o->anchor) status = set_anchor(o->anchor, entrants, err);
    return status;
}

/* Refuses options on the command line that this match does not use. */
static Status check_used(const GauntletOptions *o, const Entrants *entrants,
                         const OptionParser *parser, Error *err)
{
    static const char *const limits[] = {"nodes", "depth", "tc"};
    int programs = 0, limited = 0;

    for (int i = 0; i < entrants->count; i++) {
        programs += entrants->players[i].uci != NULL;
        limited += entrants->specs[i].limited;
    }
    for (int i = 0; i < 3; i++)
        if (limited == entrants->count && options_typed(parser, limits[i]))
            return error_set(err, STATUS_USAGE,
                             "--%s is for players without a limit, and each has one of its own",
                             limits[i]);
    if (programs == entrants->count && options_typed(parser, "hash"))
        return error_set(
            err, STATUS_USAGE,
            "--hash is for engines in this process; programs have --each option.Hash=MB");
    if (programs == 0 && options_typed(parser, "log"))
        return error_set(err, STATUS_USAGE, "--log needs an external engine");
    if (programs == 0 && options_typed(parser, "stop-on-fault"))
        return error_set(err, STATUS_USAGE, "--stop-on-fault needs an external engine");
    if (entrants->count == 2 && !o->common.json && options_typed(parser, "anchor"))
        return error_set(
            err, STATUS_USAGE,
            "--anchor needs more than two players, or --json: the report of two has no ratings");
    return STATUS_OK;
}

/* ---- The match */

static Status write_game(void *context, const GameRecord *game, bool resumed, Error *err)
{
    const GauntletDisplay *display = context;
    return gauntlet_output_game(display->output, display->settings->players, game, resumed, err);
}

/* A whole match with forfeits ends with STATUS_ENGINE, so that a script cannot overlook them. */
static Status check_forfeits(const GauntletProgress *result, Error *err)
{
    if (result->forfeits == 0) return STATUS_OK;
    return error_set(err, STATUS_ENGINE, "external engines forfeited %lld of %lld games",
                     (long long)result->forfeits, (long long)result->done);
}

/* Closes the output before the report, whose pipe may be closed. */
static Status play(GauntletOptions *o, const Entrants *entrants, Store *store, Error *err)
{
    GauntletOutput *output = &o->output;
    GauntletDisplay display = {.report = {entrants->names, entrants->players, entrants->rating},
                               .settings = &o->settings,
                               .quiet = o->common.quiet,
                               .json = o->common.json,
                               .report_every = o->report_every,
                               .output = output};
    GauntletObserver observer = {&display,
                                 gauntlet_display_progress,
                                 output->pgn || output->epd ? write_game : NULL,
                                 gauntlet_display_fault,
                                 gauntlet_display_repeats,
                                 gauntlet_display_test_changed,
                                 gauntlet_display_paused};
    GauntletProgress result;

    Status status = gauntlet_run(store, &o->settings, &observer, cli_interrupted(), &result, err);
    progress_end(&display.progress);
    if (status == STATUS_INTERRUPTED && result.done > 0)
        (void)error_set(err, status, "interrupted after %lld of %lld games%s",
                        (long long)result.done, (long long)result.total,
                        store ? "; the same command continues" : "");
    /* Ended by Ctrl-C or by a player that cannot continue: the games so far are kept. */
    bool cut_short = status == STATUS_INTERRUPTED || status == STATUS_ENGINE;
    bool whole = status == STATUS_OK;
    status = gauntlet_output_close(output, status, err);
    if (whole || (cut_short && result.done > 0)) {
        Status printed = gauntlet_display_report(&display, &result, status ? &(Error){0} : err);
        if (status == STATUS_OK) status = printed;
    }
    if (status == STATUS_OK) status = check_forfeits(&result, err);
    scoreboard_free(&result.board);
    return status;
}

/* ---- Under mpirun: rank 0 has database, files and display, the others play for it */

/* Only games that are the same anywhere may be played anywhere. */
static Status check_cluster(const GauntletOptions *o, Error *err)
{
    const GauntletPlayer *player = gauntlet_unrepeatable(&o->settings);

    if (o->cluster.size == 1 || !player) return STATUS_OK;
    return error_set(
        err, STATUS_USAGE,
        "%s: under mpirun, players are weights with one thread and a limit of nodes or depth",
        player->name);
}

/* Plays as one of several processes: on rank 0 with the store, on the others what it requests. */
static Status play_in_cluster(GauntletOptions *o, const Entrants *entrants, Store *store,
                              Error *err)
{
    GauntletSettings *settings = &o->settings;
    RemoteWorkers remote = {0};
    char uuid[UUID_MAX];

    if (!o->affinity) settings->threads = cluster_command_threads(&o->cluster, &o->common);
    Status status = gauntlet_record_identify(settings, uuid, err);
    if (status == STATUS_OK) status = cluster_agree(&o->cluster, uuid, err);
    if (status == STATUS_OK)
        status = remote_workers_open(&remote, &o->cluster, settings->threads, err);
    if (status == STATUS_OK && o->cluster.rank > 0) {
        status = gauntlet_serve(settings, cli_interrupted(), err);
    } else if (status == STATUS_OK) {
        settings->remote = &remote;
        status = play(o, entrants, store, err);
        settings->remote = NULL;
    }
    remote_workers_close(&remote);
    return status;
}

static Status play_with_files(GauntletOptions *o, const Entrants *entrants, Error *err)
{
    const char *const inputs[] = {o->db, o->openings.file};
    const char *const outputs[] = {o->output.pgn_path, o->output.epd_path};
    Store *store = NULL;

    Status status = outputs_check(outputs, inputs, 2, err);
    if (status == STATUS_OK) status = gauntlet_output_open(&o->output, o->db != NULL, err);
    o->settings.searches = o->output.needs_search;
    if (status == STATUS_OK && o->db) {
        store = store_open_watched(o->db, STORE_CREATE, cli_interrupted(), err);
        status = store ? STATUS_OK : err->status;
    }
    if (status == STATUS_OK) {
        if (o->cluster.size > 1) (void)cluster_go(&o->cluster, true);
        status = (o->cluster.size > 1 ? play_in_cluster : play)(o, entrants, store, err);
    } else {
        status = gauntlet_output_close(&o->output, status, err);
    }
    store_close(store);
    return status;
}

/* Of a player; only one player of a game searches at a time. */
static int most_threads(const Entrants *entrants)
{
    int most = 1;

    for (int i = 0; i < entrants->count; i++)
        if (entrants->players[i].engine.threads > most) most = entrants->players[i].engine.threads;
    return most;
}

/* Without --threads, as many games at once as leave a processor for each thread of the players;
 * and which game gets which processors. */
static Status share_processors(const GauntletOptions *o, const Entrants *entrants,
                               Affinity *affinity, GauntletSettings *settings, Error *err)
{
    int widest = most_threads(entrants), cores = settings->threads;

    if (o->affinity) {
        if (affinity_parse(o->affinity, affinity, err) != STATUS_OK)
            return error_prefix(err, "--affinity");
        affinity->width = widest;
        settings->affinity = affinity;
        if (o->common.threads == 0) cores = affinity->count;
    }
    if (o->common.threads == 0) settings->threads = widest >= cores ? 1 : cores / widest;
    if (o->affinity && settings->threads * widest > affinity->count)
        return error_set(err, STATUS_USAGE,
                         "--affinity %s: %d processors, but %d games at once of %d threads",
                         o->affinity, affinity->count, settings->threads, widest);
    return STATUS_OK;
}

static void warn_crowded(const GauntletOptions *o, const Entrants *entrants)
{
    bool clocks = false;

    for (int i = 0; i < entrants->count; i++)
        clocks |=
            entrants->players[i].limits.has_clock || entrants->players[i].limits.movetime_ms > 0;
    int64_t games = schedule_games(&o->settings.schedule, o->settings.games / 2);
    int at_once = games < o->settings.threads ? (int)games : o->settings.threads;
    int needed = at_once * most_threads(entrants);
    if (clocks && needed > system_processors() && !o->common.quiet)
        fprintf(
            stderr,
            "warning: %d games at once need %d processors, and there are %d: players may lose on time\n",
            at_once, needed, system_processors());
}

static Status load_openings(GauntletOptions *o, OpeningBook *book, Error *err)
{
    const GauntletSettings *s = &o->settings;
    bool exact = !gauntlet_unrepeatable(s); /* the same game again from the same opening */

    o->openings.unique = exact && s->opening.random_plies == 0;
    Status status = opening_options_load(&o->openings, s->seed, book, err);
    if (status == STATUS_OK)
        status = opening_options_check(&o->openings, book, &s->opening,
                                       schedule_openings(&s->schedule, s->games / 2), exact, err);
    if (status != STATUS_OK) opening_book_free(book);
    return status;
}

static Status run(void *command, const OptionParser *parser, Error *err)
{
    GauntletOptions *o = command;
    GauntletSettings *s = &o->settings;
    Entrants entrants = {0};
    OpeningBook book = {0};
    Affinity affinity;

    s->seed = o->common.seed;
    s->threads = options_threads(&o->common);
    o->common.quiet |= o->cluster.rank > 0;
    if (o->compliance)
        return o->cluster.rank > 0
                   ? STATUS_OK
                   : compliance_command(o->compliance, o->defaults.log_dir, o->common.json, err);
    Status status = play_options_apply(&o->play, &o->defaults.limits, &s->opening, &s->adjudication,
                                       o->openings.file, parser, err);
    if (status == STATUS_OK) status = output_needs_file(o->output.pgn_path, "pgn", err);
    if (status == STATUS_OK) status = output_needs_file(o->output.epd_path, "epd", err);
    if (status == STATUS_OK) status = make_entrants(o, &entrants, err);
    if (status == STATUS_OK) status = check_used(o, &entrants, parser, err);
    s->players = entrants.players;
    s->schedule.players = entrants.count;
    if (o->round_robin) s->schedule.seeds = entrants.count - 1;
    if (o->rounds > 0) s->games = 2 * o->rounds;
    if (status == STATUS_OK) status = check_cluster(o, err);
    if (status == STATUS_OK) status = share_processors(o, &entrants, &affinity, s, err);
    if (status == STATUS_OK) warn_crowded(o, &entrants);
    if (status == STATUS_OK) status = load_openings(o, &book, err);
    s->book = book.count > 0 ? &book : NULL;
    if (status == STATUS_OK)
        status = o->cluster.rank > 0 ? play_in_cluster(o, &entrants, NULL, err)
                                     : play_with_files(o, &entrants, err);
    opening_book_free(&book);
    free_entrants(&entrants);
    return status;
}

static const Setting options[] = {
    SETTING_HEADING("Players"),
    {"a", FIELD(GauntletOptions, weights[0]), "W",
     "first player: builtin, classical, tables, network, pesto, zero, material, or the path of a weights header or network",
     .words = EVALUATION_NAMES, .not_with = "a-rev engine each", .first = true},
    {"b", FIELD(GauntletOptions, weights[1]), "W", "second player", .words = EVALUATION_NAMES,
     .not_with = "b-rev engine each", .first = true},
    {"a-rev", FIELD(GauntletOptions, revisions[0]), "REV",
     "first player: the engine of this git revision, built here, played over UCI",
     .not_with = "a engine"},
    {"b-rev", FIELD(GauntletOptions, revisions[1]), "REV", "second player, likewise",
     .not_with = "b engine"},
    {"repo", FIELD(GauntletOptions, revision.repo), "DIR",
     "repository of the revisions; without it that of the current folder", .not_with = "engine",
     .needs = "a-rev b-rev"},
    {"build-command", FIELD(GauntletOptions, revision.command), "CMD",
     "shell command that builds $EXE in the revision's top folder; without it " REVISION_BUILD_COMMAND,
     .not_with = "engine", .needs = "a-rev b-rev"},
    {"engine", FIELD(GauntletOptions, engines), "PLAYER",
     "one player: weights=W or cmd=PROGRAM, with the keys below", .keys = player_keys,
     .not_with = "a b a-rev b-rev", .first = true},
    {"each", FIELD(GauntletOptions, defaults.each), "KEYS",
     "keys for every --engine that lacks them, or for the revisions", .keys = player_keys,
     .not_with = "a b", .needs = "engine a-rev b-rev"},
    {"tc", FIELD(GauntletOptions, clock), "TC",
     "time control [MOVES/]SECONDS[+INCREMENT]: such games are not reproducible",
     .parse = time_control_set, .not_with = "nodes depth", .first = true},
    {FIELD(GauntletOptions, defaults.limits), .rows = limits_settings},
    {FIELD(GauntletOptions, defaults.hash_bytes), .rows = hash_settings},
    {"compliance", FIELD(GauntletOptions, compliance), "CMD",
     "no match: try the steps of the UCI protocol on one program, with its arguments, and give a verdict for each",
     .not_with =
         "a b a-rev b-rev engine each tc nodes depth games rounds sprt db pgn epd openings"},
    SETTING_HEADING("The run"),
    {"tournament", FIELD(GauntletOptions, round_robin), "HOW",
     "gauntlet: the first player against all others; roundrobin: all against all",
     .words = "gauntlet|roundrobin"},
    {"seeds", FIELD(GauntletOptions, settings.schedule.seeds), "N",
     "number of first players that meet all others, in a gauntlet", 1, PLAYERS_MAX,
     .needs = "tournament=gauntlet"},
    {"games", FIELD(GauntletOptions, settings.games), "N",
     "most games of each pairing, an even number", 2, 1e9, .not_with = "rounds", .first = true},
    {"rounds", FIELD(GauntletOptions, rounds), "N",
     "number of rounds: in each, every pairing plays an opening twice", 1, 5e8,
     .not_with = "games"},
    {"sprt", FIELD(GauntletOptions, settings.sprt), "TEST",
     "sequential test that ends the match: elo0=X,elo1=Y; also model=normalized|logistic, alpha=, beta=",
     .parse = sprt_parse, .first = true},
    {"db", FIELD(GauntletOptions, db), "FILE", "database of the games, which a later run continues",
     .first = true},
    {"concurrency", FIELD(GauntletOptions, common.threads), "N",
     "number of games at once, the same as --threads", 1, THREADS_MAX},
    {"affinity", FIELD(GauntletOptions, affinity), "CPUS",
     "processors that games and their engines are bound to: all, or a list as 0-3,8"},
    {"wait", FIELD(GauntletOptions, settings.wait_ms), "MS",
     "pause between two games, milliseconds, for each game at once", 0, 3600000},
    {"stop-on-fault", FIELD(GauntletOptions, settings.stop_on_fault), NULL,
     "end the match when a player crashes, stalls or plays an illegal move; late moves only lose their games"},
    SETTING_HEADING("Output"),
    {"report-every", FIELD(GauntletOptions, report_every), "N",
     "number of games between two reports; with --json each is an object on a line", 1, 1e9},
    {"anchor", FIELD(GauntletOptions, anchor), "NAME=ELO",
     "player with a fixed rating; without it the mean of all ratings is 0"},
    {"white-advantage", FIELD(GauntletOptions, white_advantage), NULL,
     "estimate White's advantage together with the ratings"},
    {"pgn", FIELD(GauntletOptions, output.pgn_path), "FILE",
     "PGN file to which games are appended as they end, compressed when its name ends in .zst; a resumed match adds the games that it lacks",
     .first = true},
    {"pgn-fields", FIELD(GauntletOptions, output.fields), "LIST",
     "more comments on each move: nodes, nps, timeleft, seldepth, hashfull, tbhits, latency, pv, eval ([%eval]), clk ([%clk]); or min: moves and result alone",
     .needs = "pgn"},
    {"event", FIELD(GauntletOptions, output.event), "NAME", "PGN tag", .needs = "pgn"},
    {"site", FIELD(GauntletOptions, output.site), "NAME", "PGN tag", .needs = "pgn"},
    {"epd", FIELD(GauntletOptions, output.epd_path), "FILE",
     "EPD file to which final positions are appended likewise"},
    {"log", FIELD(GauntletOptions, defaults.log_dir), "DIR",
     "folder of a log NAME.log for each external engine"},
    SETTING_HEADING(opening_heading),
    {FIELD(GauntletOptions, openings), .rows = opening_option_settings},
    {"opening-policy", FIELD(GauntletOptions, settings.schedule.shared_openings), "HOW",
     "encounter: every pairing of a round has its own opening; round: all share one",
     .words = "encounter|round"},
    {"reverse", FIELD(GauntletOptions, settings.schedule.single_openings), NULL,
     "play every opening twice, with colours reversed; --no-reverse: once, and colours alternate from opening to opening",
     .form = FORM_OPPOSITE},
    {FIELD(GauntletOptions, settings.opening), .rows = opening_settings},
    {FIELD(GauntletOptions, settings.adjudication), .rows = adjudication_settings},
    {FIELD(GauntletOptions, play), .rows = play_settings},
    {FIELD(GauntletOptions, common), .rows = common_settings},
    {0},
};

static const OptionSpec spec = {
    .command = "gauntlet",
    .synopsis = "--a W --b W | --engine PLAYER --engine PLAYER ... [options]",
    .description =
        "Plays a match on all processors: the first player against the others, or all against all,\n"
        "every opening twice with colours reversed. With limits of nodes or depth the result depends\n"
        "only on seed and options; with clocks or several threads it is not reproducible. With --db\n"
        "the same command continues an interrupted match, and more --games extend it. An external\n"
        "engine that crashes, stalls or misbehaves forfeits the game and is restarted if necessary.",
    .bare = "a b",
    .hint = "; names of fastchess and cutechess-cli: gauntlet.md of the documents",
    .settings = options,
    .epilogue = PLAYER_KEYS_HELP
    "\n"
    "Examples:\n"
    "  tabia gauntlet --a builtin --b material --games 100\n"
    "  tabia gauntlet --a new.h --b builtin --games 2000 --sprt elo0=0,elo1=5\n"
    "  tabia gauntlet --engine name=deep,weights=builtin,nodes=20k \\\n"
    "                 --engine name=quick,weights=builtin,nodes=5k --pgn games.pgn\n"
    "  tabia gauntlet --engine weights=builtin,tc=2+0.02 \\\n"
    "                 --engine cmd=stockfish,nodes=1000,option.Hash=16\n"
    "  tabia gauntlet --a-rev HEAD --b-rev main --each tc=5+0.05,option.Hash=16 --sprt elo0=0,elo1=3\n"
    "  tabia gauntlet --compliance ./engine\n"
    "  tabia gauntlet --engine weights=builtin --engine weights=new.h --engine weights=zero \\\n"
    "                 --tournament roundrobin --rounds 500 --db games.db --anchor builtin=3000",
};

Status cmd_gauntlet(int argc, char **argv, Error *err)
{
    GauntletOptions o = {0};

    settings_default(options, &o);
    gauntlet_defaults(&o.settings);
    o.defaults.limits.nodes_soft = 5000;
    o.defaults.hash_bytes = GAUNTLET_HASH_BYTES;
    o.common.seed = o.settings.seed;

    return cluster_command_run(&o.cluster, &spec, argc, argv, run, &o, err);
}
