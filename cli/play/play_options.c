/* SPDX-License-Identifier: MIT
 * Shared options of the commands that play games. */
#include "cli/play/play_options.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/output/process.h"
#include "engine/base/text.h"
#include "engine/search/syzygy.h"

/* ---- The tables */

const Setting base_settings[] = {
    {"chess960", FIELD(BaseOptions, chess960), NULL,
     "start from the 960 positions of Chess960, one after the other in random order",
     .not_with = "double-chess960 openings"},
    {"double-chess960", FIELD(BaseOptions, double_chess960), NULL,
     "start from its 921,600 double positions, where each side has its own",
     .not_with = "chess960 openings"},
    {0},
};

const Setting play_settings[] = {
    {FIELD(PlayOptions, base), .rows = base_settings},
    {"tb", FIELD(PlayOptions, tb), "PATHS",
     "Syzygy files that adjudicate games: folders, separated by colons"},
    {"tb-men", FIELD(PlayOptions, tb_men), "N",
     "most pieces, kings and pawns included, of a position that is probed", 3, 7, .needs = "tb"},
    {"tb-ignore50", FIELD(PlayOptions, tb_ignore50), NULL,
     "Syzygy results count without the fifty-move rule", .needs = "tb"},
    {"tb-results", FIELD(PlayOptions, tb_results), "WHICH",
     "which Syzygy results end a game: both, win-loss or draw", .words = "both|win-loss|draw",
     .needs = "tb"},
    {0},
};

/* ---- After parsing */

OpeningBase base_options_base(const BaseOptions *o)
{
    return o->chess960          ? OPENING_CHESS960
           : o->double_chess960 ? OPENING_DOUBLE_CHESS960
                                : OPENING_CHESS;
}

Status exploration_check_rule(const OptionParser *parser, const char *what, bool on,
                              const char *until, int ply, Error *err)
{
    if (on && ply == 0) return error_set(err, STATUS_USAGE, "--%s needs --%s above 0", what, until);
    if (!on && ply > 0 && !options_given(parser, what))
        return error_set(err, STATUS_USAGE, "--%s needs --%s", until, what);
    return STATUS_OK;
}

Status exploration_options_check(const Exploration *e, const OptionParser *parser, Error *err)
{
    Status status = exploration_check_rule(parser, "random-move", e->random_move > 0,
                                           "random-until", e->random_until_ply, err);
    if (status != STATUS_OK) return status;
    return exploration_check_rule(parser, "vary-margin", e->vary_margin > 0, "vary-until",
                                  e->vary_until_ply, err);
}

Status opening_settings_check(const OpeningSettings *s, const OptionParser *parser, Error *err)
{
    static const char *const of_verification[] = {"verify-nodes", "opening-max-score", NULL};

    for (int i = 0; of_verification[i] && s->random_plies == 0; i++)
        if (options_typed(parser, of_verification[i]))
            return error_set(err, STATUS_USAGE, "--%s needs --random-plies above 0",
                             of_verification[i]);
    return STATUS_OK;
}

Status play_options_apply(const PlayOptions *p, SearchLimits *limits, OpeningSettings *opening,
                          Adjudication *a, bool book, const OptionParser *parser, Error *err)
{
    if (!options_given(parser, "nodes") && options_given(parser, "depth")) limits->nodes_soft = 0;
    opening->base = base_options_base(&p->base);
    if (book && !options_given(parser, "random-plies")) opening->random_plies = 0;
    Status status = opening_settings_check(opening, parser, err);
    if (status != STATUS_OK || !p->tb) return status;
    status = syzygy_open(p->tb, err);
    if (status != STATUS_OK) return error_prefix(err, "--tb");
    if (p->tb_men > syzygy_pieces())
        return error_set(err, STATUS_BAD_INPUT,
                         "--tb-men %d: the Syzygy files in %s have up to %d pieces", p->tb_men,
                         p->tb, syzygy_pieces());
    a->table_ignore_rule50 = p->tb_ignore50;
    a->table_spares_draws = p->tb_results == TB_WIN_LOSS;
    a->table_spares_wins = p->tb_results == TB_DRAW;
    a->table_men = p->tb_men > 0 ? p->tb_men : syzygy_pieces();
    a->table_count = syzygy_count(p->tb, a->table_men);
    return STATUS_OK;
}

/* ---- Files of openings */

const Setting opening_option_settings[] = {
    {"openings", FIELD(OpeningOptions, file), "FILE",
     "start positions instead of the usual one: EPD or FEN, PGN, each also .zst, or a Polyglot book (.bin)",
     .not_with = "chess960 double-chess960"},
    {"order", FIELD(OpeningOptions, choice.random), "HOW",
     "order of the openings; random draws lines of a Polyglot book by their weights",
     .words = "sequential|random", .preset = 1, .needs = "openings"},
    {"opening-plies", FIELD(OpeningOptions, choice.plies), "N",
     "plies of a line of PGN (without it to the end) or Polyglot (8) that are played", 1,
     OPENING_PLIES_MAX, .needs = "openings"},
    {"opening-start", FIELD(OpeningOptions, start), "N",
     "number of the first opening in that order", 1, OPENING_BOOK_MAX, .preset = 1,
     .needs = "openings"},
    {0},
};

Status opening_options_load(const OpeningOptions *o, uint64_t seed, OpeningBook *book, Error *err)
{
    OpeningChoice choice = o->choice;

    *book = (OpeningBook){0};
    if (!o->file) return STATUS_OK;
    choice.seed = seed;
    Status status = opening_book_load(o->file, &choice, book, err);
    if (status == STATUS_OK && o->unique) status = opening_book_unique(book, err);
    if (status == STATUS_OK && o->start > book->count)
        status = error_set(err, STATUS_BAD_INPUT, "--opening-start %d: %s has %d openings",
                           o->start, o->file, book->count);
    if (status != STATUS_OK) {
        opening_book_free(book);
        return status;
    }
    cli_print_faults(o->file, "openings left out", &book->left_out);
    cli_print_faults(o->file, "openings with a castling right or en passant square dropped",
                     &book->dropped);
    book->name = text_file_name(o->file);
    book->start = o->start - 1;
    opening_book_hash(book);
    return STATUS_OK;
}

/* Openings come again: an error for exact players, else a note. `what` is too little; more: what
 * gives exact players enough, others: the rest. */
static Status repeat_openings(const char *what, bool exact, const char *more, const char *others,
                              Error *err)
{
    if (exact)
        return error_set(
            err, STATUS_USAGE,
            "%s: these players would play the same games again, which prove nothing; play fewer games, or %s",
            what, more);
    fprintf(stderr, "note: %s: they repeat; use %s or play fewer games\n", what, others);
    return STATUS_OK;
}

Status opening_options_check(const OpeningOptions *o, const OpeningBook *book,
                             const OpeningSettings *random, int64_t needed, bool exact, Error *err)
{
    const char *source = o->file ? o->file : "chess without random plies";
    int64_t count = book->count > 0 ? book->count : opening_bases(random);
    int plies = random->random_plies;
    char what[ERROR_TEXT_MAX];

    /* Half of the openings have the extra ply. Positions have about 20 moves, that of chess
     * exactly. */
    double drawn = plies > 0 ? (double)needed / (1 + random->random_plies_extra) : (double)needed;
    if (drawn <= (double)count * pow(20, plies)) return STATUS_OK;
    if (plies > 0) {
        (void)snprintf(what, sizeof what,
                       "--random-plies %d gives too few openings for the %" PRId64 " of the match",
                       plies, needed);
        return repeat_openings(what, exact, "more random plies", "more random plies", err);
    }
    (void)snprintf(what, sizeof what, "%s has %" PRId64 " opening%s, the match needs %" PRId64,
                   source, count, count > 1 ? "s" : "", needed);
    return repeat_openings(what, exact, "from more openings", "a larger file", err);
}
