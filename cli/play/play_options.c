/* SPDX-License-Identifier: MIT
 * Shared options of the commands that play games. */
#include "cli/play/play_options.h"

#include <stdio.h>
#include <string.h>

#include "cli/options/pairs.h"
#include "engine/search/syzygy.h"

enum { TB_BOTH, TB_WIN_LOSS, TB_DRAW };

/* ---- Rules of adjudication, whose target is an Adjudication */

static Status parse_win(void *target, const char *text, Error *err)
{
    Adjudication *a = target;
    Option keys[] = {
        {"score", OPTION_INT, &a->win_score, .minimum = 1, .maximum = VALUE_MATE},
        {"plies", OPTION_INT, &a->win_plies, .minimum = 1, .maximum = VALUE_MATE},
        {"sides", OPTION_EITHER, &a->win_one_sided, .words = "two|one"},
        {0},
    };

    if (strcmp(text, "none") != 0) return setting_pairs(text, options_set_pair, keys, err);
    a->win_plies = 0;
    return STATUS_OK;
}

static Status parse_draw(void *target, const char *text, Error *err)
{
    Adjudication *a = target;
    Option keys[] = {
        {"score", OPTION_INT, &a->draw_score, .maximum = VALUE_MATE},
        {"plies", OPTION_INT, &a->draw_plies, .minimum = 1, .maximum = VALUE_MATE},
        {"from", OPTION_INT, &a->draw_from_ply, .maximum = VALUE_MATE},
        {"resets", OPTION_FLAG, &a->draw_resets},
        {0},
    };

    if (strcmp(text, "none") != 0) return setting_pairs(text, options_set_pair, keys, err);
    a->draw_plies = 0;
    return STATUS_OK;
}

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

void exploration_options_init(Option rows[EXPLORATION_OPTIONS], Exploration *exploration)
{
    const Option table[] = {
        {"random-move", OPTION_DOUBLE, &exploration->random_move, "P",
         "probability of a random move instead of a searched one ...", 0, 1},
        {"random-until", OPTION_INT, &exploration->random_until_ply, "PLY", "... before this ply",
         0, GAME_PLIES_MAX},
        {"vary-margin", OPTION_INT, &exploration->vary_margin, "CP",
         "play any of the 4 best moves within this many centipawns of the best ...", 0, 1000},
        {"vary-until", OPTION_INT, &exploration->vary_until_ply, "PLY", "... before this ply", 0,
         GAME_VARIED_PLIES},
        {0},
    };
    memcpy(rows, table, sizeof table);
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
    (void)snprintf(p->default_win, sizeof p->default_win, "score=%d,plies=%d",
                   adjudication->win_score, adjudication->win_plies);
    (void)snprintf(p->default_draw, sizeof p->default_draw, "score=%d,plies=%d,from=%d,resets=%s",
                   adjudication->draw_score, adjudication->draw_plies, adjudication->draw_from_ply,
                   adjudication->draw_resets ? "yes" : "no");
    const Option table[] = {
        {"nodes", OPTION_INT64, &limits->nodes_soft, "N",
         "soft limit of nodes a move: no iteration starts that is expected to pass it; the hard "
         "limit is 8 times as high",
         1, 1e15, .not_with = "tc"},
        {"depth", OPTION_INT, &limits->depth, "N",
         "depth limit, plies; without --nodes it is the only limit", 1, MAX_PLY - 1,
         .not_with = "tc"},
        {"hash", OPTION_MEGABYTES, hash_bytes, "MB",
         "hash table of an engine in MiB, cleared before each game", 1, 65536},
        {.kind = OPTION_TABLE, .target = p->base.rows},
        {"random-plies", OPTION_INT, &opening->random_plies, "N",
         "random moves that make an opening, one more in half of them; 0: none, the default with "
         "a book",
         0, OPENING_PLIES_MAX},
        {"opening-max-score", OPTION_INT, &opening->max_score, "CP",
         "absolute score beyond which an opening is rejected, centipawns", 0, 100000},
        {"adjudicate-win", OPTION_CUSTOM, adjudication, "RULE",
         "win when the score was at least `score` centipawns for `plies` plies in a row; "
         "sides=one: "
         "only the loser's scores count; none: no adjudication",
         .parse = parse_win, .preset = p->default_win},
        {"adjudicate-draw", OPTION_CUSTOM, adjudication, "RULE",
         "draw when the score was at most `score` for `plies` plies in a row from ply `from` on; "
         "resets=yes: a capture or pawn move restarts the count; none: no adjudication",
         .parse = parse_draw, .preset = p->default_draw},
        {"max-plies", OPTION_INT, &adjudication->max_plies, "N", "draw after this number of plies",
         1, GAME_PLIES_MAX},
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
    if (p->tb_men > syzygy_men())
        return error_set(err, STATUS_BAD_INPUT,
                         "--tb-men %d: the Syzygy files in %s have up to %d pieces", p->tb_men,
                         p->tb, syzygy_men());
    a->table_spares_draws = p->tb_results == TB_WIN_LOSS;
    a->table_spares_wins = p->tb_results == TB_DRAW;
    a->table_men = p->tb_men > 0 ? p->tb_men : syzygy_men();
    a->table_count = syzygy_count(p->tb, a->table_men);
    return STATUS_OK;
}
