/* SPDX-License-Identifier: MIT
 * Shared options of the commands that play games. */
#include "cli/play/play_options.h"

#include <stdio.h>
#include <string.h>

#include "engine/search/syzygy.h"

enum { TB_BOTH, TB_WIN_LOSS, TB_DRAW };

/* ---- The tables */

void base_options_init(BaseOptions *o)
{
    const Option table[] = {
        {"chess960", OPTION_FLAG, &o->chess960, NULL,
         "start from the 960 positions of Chess960, one after the other in random order",
         .not_with = "double-chess960 openings"},
        {"double-chess960", OPTION_FLAG, &o->double_chess960, NULL,
         "start from its 921,600 double positions, where each side has its own",
         .not_with = "chess960 openings"},
        {0},
    };
    o->chess960 = o->double_chess960 = false;
    memcpy(o->rows, table, sizeof table);
}

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

void play_options_init(PlayOptions *p, SearchLimits *limits, size_t *hash_bytes,
                       OpeningSettings *opening, Adjudication *adjudication)
{
    *p = (PlayOptions){.limits = limits, .opening = opening, .adjudication = adjudication};
    base_options_init(&p->base);
    const Option table[] = {
        {.kind = OPTION_SETTINGS, .settings = limits_settings, .target = limits},
        {.kind = OPTION_SETTINGS, .settings = hash_settings, .target = hash_bytes},
        {.kind = OPTION_SETTINGS, .settings = opening_settings, .target = opening},
        {.kind = OPTION_SETTINGS, .settings = adjudication_settings, .target = adjudication},
        {.kind = OPTION_TABLE, .target = p->own_rows},
        {0},
    };
    const Option own[] = {
        {.kind = OPTION_HEADING, .help = opening_heading},
        {.kind = OPTION_TABLE, .target = p->base.rows},
        {"tb", OPTION_STRING, &p->tb, "PATHS",
         "Syzygy files that adjudicate games: folders, separated by colons"},
        {"tb-men", OPTION_INT, &p->tb_men, "N",
         "most pieces, kings and pawns included, of a position that is probed", 3, 7,
         .needs = "tb"},
        {"tb-ignore50", OPTION_FLAG, &adjudication->table_ignore_rule50, NULL,
         "Syzygy results count without the fifty-move rule", .needs = "tb"},
        {"tb-results", OPTION_CHOICE, &p->tb_results, "WHICH",
         "which Syzygy results end a game: both, win-loss or draw", .words = "both|win-loss|draw",
         .needs = "tb"},
        {0},
    };
    memcpy(p->rows, table, sizeof table);
    memcpy(p->own_rows, own, sizeof own);
}

/* ---- After parsing */

Status play_options_apply(const PlayOptions *p, bool book, const OptionParser *parser, Error *err)
{
    Adjudication *a = p->adjudication;

    if (!options_given(parser, "nodes") && options_given(parser, "depth"))
        p->limits->nodes_soft = 0;
    p->opening->base = base_options_base(&p->base);
    if (book && !options_given(parser, "random-plies")) p->opening->random_plies = 0;
    if (p->opening->random_plies == 0 && options_typed(parser, "opening-max-score"))
        return error_set(err, STATUS_USAGE, "--opening-max-score needs --random-plies above 0");
    if (!p->tb) {
        a->table_ignore_rule50 = false;
        return STATUS_OK;
    }
    Status status = syzygy_open(p->tb, err);
    if (status != STATUS_OK) return error_prefix(err, "--tb");
    if (p->tb_men > syzygy_pieces())
        return error_set(err, STATUS_BAD_INPUT,
                         "--tb-men %d: the Syzygy files in %s have up to %d pieces", p->tb_men,
                         p->tb, syzygy_pieces());
    a->table_spares_draws = p->tb_results == TB_WIN_LOSS;
    a->table_spares_wins = p->tb_results == TB_DRAW;
    a->table_men = p->tb_men > 0 ? p->tb_men : syzygy_pieces();
    a->table_count = syzygy_count(p->tb, a->table_men);
    return STATUS_OK;
}
