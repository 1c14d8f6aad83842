/* SPDX-License-Identifier: MIT
 * Shared options of the commands that play games. */
#include "cli/play/play_options.h"

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
    SETTING_HEADING(opening_heading),
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

Status play_options_apply(const PlayOptions *p, const PlayTargets *to, bool book,
                          const OptionParser *parser, Error *err)
{
    Adjudication *a = to->adjudication;

    if (!options_given(parser, "nodes") && options_given(parser, "depth"))
        to->limits->nodes_soft = 0;
    to->opening->base = base_options_base(&p->base);
    if (book && !options_given(parser, "random-plies")) to->opening->random_plies = 0;
    if (to->opening->random_plies == 0 && options_typed(parser, "opening-max-score"))
        return error_set(err, STATUS_USAGE, "--opening-max-score needs --random-plies above 0");
    if (!p->tb) return STATUS_OK;
    Status status = syzygy_open(p->tb, err);
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
