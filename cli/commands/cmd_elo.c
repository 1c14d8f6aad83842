/* SPDX-License-Identifier: MIT
 * `tabia elo`: the statistics of a match from its counts, and ratings from games. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/command.h"
#include "cli/match/report.h"
#include "cli/match/statistics_text.h"
#include "cli/output/output_file.h"
#include "cli/output/process.h"
#include "cli/page/ratings.h"
#include "db/store/store.h"
#include "db/tables/check.h"
#include "engine/base/system.h"
#include "engine/values/value.h"
#include "selfplay/formats/formats.h"
#include "selfplay/formats/pgn_read.h"
#include "selfplay/match/played.h"
#include "selfplay/match/stats.h"

typedef struct EloOptions {
    CommonOptions common;
    bool wdl, ptnml, white_advantage;
    SprtSettings sprt;
    const char *db;
    TextList pgn, anchors;
} EloOptions;

/* ---- From counts */

enum { COUNTS_MAX = 5, COUNTS_TEXT_MAX = 256 };

/* Numbers as words, or in lists as other programs print them: "[0, 0, 4, 9, 18]". Returns how many
 * there are; `words` has the first ones, in `text`. */
static int split_counts(const char **arguments, char text[COUNTS_TEXT_MAX],
                        const char *words[COUNTS_MAX])
{
    char *rest = NULL;
    int count = 0;

    *text = '\0';
    for (; *arguments; arguments++)
        text_append(text, COUNTS_TEXT_MAX, "%s ", *arguments);
    for (char *word = strtok_r(text, " ,[]()", &rest); word; word = strtok_r(NULL, " ,[]()", &rest))
        if (count++ < COUNTS_MAX) words[count - 1] = word;
    return count;
}

/* The positional arguments as counts. */
static Status parse_score(const EloOptions *o, const OptionParser *parser, MatchScore *score,
                          Error *err)
{
    const char *option = o->ptnml ? "ptnml" : "wdl";
    int given, wanted = o->ptnml ? 5 : 3;
    const char **arguments = options_arguments(parser, &given);
    int64_t *counts[] = {&score->wins, &score->draws, &score->losses};
    char text[COUNTS_TEXT_MAX];
    const char *words[COUNTS_MAX];

    *score = (MatchScore){0};
    if (!o->wdl && !o->ptnml && (given == 3 || given == 5) &&
        strspn(arguments[0], "0123456789") == strlen(arguments[0]))
        return error_set(
            err, STATUS_USAGE,
            "counts without an option; wins, draws and losses are --wdl, pairs --ptnml");
    if (!o->wdl && !o->ptnml && given > 0)
        return error_set(err, STATUS_USAGE, "\"%s\" without an option; to rate games use --%s %s",
                         arguments[0], store_recognises(arguments[0]) ? "db" : "pgn", arguments[0]);
    if (!o->wdl && !o->ptnml)
        return error_set(err, STATUS_USAGE,
                         "--wdl W D L, --ptnml A B C D E, --pgn FILE or --db FILE is needed");
    given = split_counts(arguments, text, words);
    if (given != wanted)
        return error_set(err, STATUS_USAGE, "--%s needs %d counts, not %d", option, wanted, given);
    for (int i = 0; i < wanted; i++) {
        int64_t *count = o->ptnml ? &score->ptnml[i] : counts[i];
        if (!value_parse_int(words[i], count) || *count < 0 || *count > 1000000000)
            return error_set(err, STATUS_USAGE, "--%s: \"%s\" is not a count", option, words[i]);
    }
    return STATUS_OK;
}

static Status rate_counts(const EloOptions *o, const OptionParser *parser, Error *err)
{
    MatchScore score;
    MatchStats stats;

    Status status = parse_score(o, parser, &score, err);
    if (status != STATUS_OK) return status;
    match_stats(&score, &o->sprt, &stats);
    if (o->common.json) {
        JsonWriter w;
        json_begin(&w, stdout);
        match_json(&w, &score, &stats);
        json_finish(&w);
    } else {
        match_print(stdout, &score, &stats, &o->sprt);
    }
    return STATUS_OK;
}

/* ---- From games */

/* Given ratings, by player; NAN: not given. */
static Status read_anchors(const TextList *anchors, const char *const *names, int count,
                           RatingSettings *rating, double *given, Error *err)
{
    for (int i = 0; i < count; i++)
        given[i] = NAN;
    for (int k = 0; k < anchors->count; k++) {
        Anchor anchor;
        Status status = anchor_parse(anchors->items[k], false, names, count, &anchor, err);
        if (status != STATUS_OK) return status;
        if (!isnan(given[anchor.player]))
            return error_set(err, STATUS_USAGE, "--anchor: \"%.*s\" is given twice", anchor.length,
                             anchor.name);
        given[anchor.player] = anchor.elo;
        if (rating->anchor >= 0) continue;
        rating->anchor = anchor.player;
        rating->elo = anchor.elo;
    }
    return STATUS_OK;
}

/* The players by number are those of the board. */
static Status rate(const EloOptions *o, const Scoreboard *board, const char *const *names,
                   Error *err)
{
    int count = board->schedule.players;
    double *given = malloc((size_t)count * sizeof *given);
    GauntletReport report = {.names = names,
                             .rating = {.anchor = -1,
                                        .interrupted = cli_interrupted(),
                                        .fit_white = o->white_advantage,
                                        .given = given,
                                        .skip_perfect = true},
                             .board = board};

    Status status = given ? read_anchors(&o->anchors, names, count, &report.rating, given, err)
                          : error_set(err, STATUS_FAILED, "out of memory for the players");
    if (status == STATUS_OK) status = rating_fit(board, &report.rating, &report.table, err);
    if (status == STATUS_OK) (o->common.json ? ratings_json : ratings_print)(stdout, &report);
    rating_free(&report.table);
    free(given);
    return status;
}

/* Games that are not rated. */
typedef struct LeftOut {
    int64_t unfinished;
    FaultCount alone; /* of one player */
} LeftOut;

static void print_left_out(const EloOptions *o, const LeftOut *left_out)
{
    if (o->common.quiet) return;
    if (left_out->unfinished > 0)
        (void)fprintf(stderr, "games without a result, left out: %lld\n",
                      (long long)left_out->unfinished);
    if (left_out->alone.count > 0)
        (void)fprintf(stderr, "games of a player against itself, left out: %lld, the first: %s\n",
                      (long long)left_out->alone.count, left_out->alone.first.text);
}

/* Adds the finished games of two players of a file; "-" is standard input. */
static Status read_games(const char *path, PlayedGames *played, LeftOut *left_out, Error *err)
{
    GameSource *source = pgn_open(strcmp(path, "-") == 0 ? "/dev/stdin" : path, err);
    PgnHeader game;
    bool found = true;

    if (!source) return err->status;
    Status status = STATUS_OK;
    while (status == STATUS_OK && found) {
        status = pgn_next_header(source, &game, &found, err);
        if (status != STATUS_OK || !found) continue;
        status = system_check_end(err);
        left_out->unfinished += !game.finished;
        if (status != STATUS_OK || !game.finished) continue;
        if (strcmp(game.white, game.black) == 0) {
            Error alone;
            (void)error_set(&alone, STATUS_BAD_INPUT, "\"%.60s\" plays against itself", game.white);
            (void)reader_place_line(source->file, game.line, &alone);
            fault_count_add(&left_out->alone, 1, &alone);
            continue;
        }
        status = played_add(played, game.white, game.black, game.result,
                            played_opening(game.fen, game.round), err);
        if (status == STATUS_BAD_INPUT) status = reader_place_line(source->file, game.line, err);
    }
    game_source_close(source);
    return status;
}

static Status rate_pgn(const EloOptions *o, const OptionParser *parser, Error *err)
{
    PlayedGames played = {0};
    Scoreboard board = {0};
    LeftOut left_out = {0};
    int more;
    const char **arguments = options_arguments(parser, &more), **names = NULL;

    int count = o->pgn.count + more;
    const char **files = malloc((size_t)count * sizeof *files);
    Status status = files ? STATUS_OK : error_set(err, STATUS_FAILED, "out of memory");
    for (int i = 0; files && i < count; i++)
        files[i] = i < o->pgn.count ? o->pgn.items[i] : arguments[i - o->pgn.count];
    if (status == STATUS_OK) status = inputs_check(files, count, err);
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = read_games(files[i], &played, &left_out, err);
    free(files);
    if (status == STATUS_OK && played.count == 0)
        status = left_out.alone.count > 0
                     ? error_set(err, STATUS_BAD_INPUT, "%s", left_out.alone.first.text)
                     : error_set(err, STATUS_BAD_INPUT, "%s: no finished game", o->pgn.items[0]);
    if (status == STATUS_OK) status = played_board(&played, &board, err);
    if (status == STATUS_OK && !(names = calloc((size_t)played.player_count, sizeof *names)))
        status = error_set(err, STATUS_FAILED, "out of memory for the players");
    if (status == STATUS_OK) {
        played_names(&played, names);
        print_left_out(o, &left_out);
        status = rate(o, &board, names, err);
    }
    free(names);
    scoreboard_free(&board);
    played_free(&played);
    return status;
}

static Status rate_store(const EloOptions *o, Error *err)
{
    Store *store = store_open_watched(o->db, STORE_READ, cli_interrupted(), err);
    Ratings ratings = {0};

    if (!store) return err->status;
    Status status = store_begin_reading(store, err); /* another process may be writing */
    if (status == STATUS_OK) status = store_check_values(store, err);
    if (status == STATUS_OK) status = ratings_read_games(store, &ratings, err);
    if (status == STATUS_OK && ratings.count == 0)
        status = error_set(err, STATUS_BAD_INPUT, "%s: no match and no imported game", o->db);
    if (status == STATUS_OK && ratings.board.pairing_count == 0)
        status = error_set(err, STATUS_BAD_INPUT, "%s: no game of two players", o->db);
    if (status == STATUS_OK) {
        print_left_out(o, &(LeftOut){.alone = ratings.alone});
        status = rate(o, &ratings.board, ratings.names, err);
    }
    ratings_free(&ratings);
    store_close(store);
    return status;
}

static Status run(void *command, const OptionParser *parser, Error *err)
{
    const EloOptions *o = command;
    int given;
    const char **arguments = options_arguments(parser, &given);

    cli_end_with_reader();
    if (o->pgn.count > 0) return rate_pgn(o, parser, err);
    if (!o->db) return rate_counts(o, parser, err);
    if (given > 0) return error_set(err, STATUS_USAGE, "\"%s\": --db takes one file", arguments[0]);
    return rate_store(o, err);
}

static const Setting options[] = {
    {"wdl", FIELD(EloOptions, wdl), NULL, "three counts follow: wins, draws, losses",
     .not_with = "ptnml pgn db"},
    {"ptnml", FIELD(EloOptions, ptnml), NULL,
     "five counts of game pairs follow: LL, LD, DD or WL, WD, WW", .not_with = "wdl pgn db"},
    {"sprt", FIELD(EloOptions, sprt), "TEST",
     "sequential test: elo0=X,elo1=Y; also model=normalized|logistic, alpha=, beta=",
     .parse = sprt_parse, .needs = "wdl ptnml"},
    {"pgn", FIELD(EloOptions, pgn), "FILE",
     "PGN file of games to rate, of which only tags are read, - for standard input; more files may follow",
     .not_with = "db"},
    {"db", FIELD(EloOptions, db), "FILE", "database whose matches and imported games to rate"},
    {"anchor", FIELD(EloOptions, anchors), "NAME=ELO",
     "player with a given rating, once or several times; without it the mean of all is 0",
     .needs = "pgn db"},
    {"white-advantage", FIELD(EloOptions, white_advantage), NULL,
     "estimate White's advantage together with the ratings", .needs = "pgn db"},
    {FIELD(EloOptions, common), .rows = common_settings},
    {0},
};

static const OptionSpec spec = {
    .command = "elo",
    .synopsis = "--wdl W D L | --ptnml A B C D E [--sprt elo0=X,elo1=Y]\n"
                "                 | --pgn FILE... | --db FILE [--anchor NAME=ELO]",
    .description =
        "Elo with its 95 % error, normalised Elo, likelihood of superiority and the\n"
        "log-likelihood ratio of a match, from the first player's counts. Or ratings of any\n"
        "games by maximum likelihood, with 95 % errors by pairs (games of the same players\n"
        "and opening, colours reversed) and a crosstable.",
    .settings = options,
    .threads_help = "no effect",
    .takes_arguments = true,
    .epilogue = "Examples:\n"
                "  tabia elo --wdl 76 123 89\n"
                "  tabia elo --ptnml 365 16618 36229 16974 390 --sprt elo0=0,elo1=2\n"
                "  tabia elo --pgn games.pgn --anchor quick=3000\n"
                "  tabia elo --pgn games.pgn --white-advantage --json",
};

Status cmd_elo(int argc, char **argv, Error *err)
{
    EloOptions o = {0};

    return options_run(&spec, argc, argv, run, &o, err);
}
