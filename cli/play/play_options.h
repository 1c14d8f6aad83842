/* SPDX-License-Identifier: MIT
 * The options that self-play and gauntlets share: limits, openings, adjudication. */
#ifndef TABIA_CLI_PLAY_PLAY_OPTIONS_H
#define TABIA_CLI_PLAY_PLAY_OPTIONS_H

#include "cli/options/options.h"
#include "selfplay/game/game.h"
#include "selfplay/openings/opening.h"

typedef struct PlayOptions {
    int64_t nodes, depth;
    int64_t hash_mb;
    bool chess960, double_chess960;
    int64_t random_plies, opening_max_score;
    const char *adjudicate_win, *adjudicate_draw;
    int64_t max_plies;
    const char *tb; /* NULL: no tables */
    int64_t tb_men; /* 0: as many as they have */
    bool tb_ignore50;
    const char *tb_results;
    char default_win[32], default_draw[64]; /* what adjudicate_… point to at first */
} PlayOptions;

enum { PLAY_OPTION_COUNT = 14 };

/* Fills *p with the library's defaults, and the rows of an option table over it; the table's end is
 * the caller's. */
void play_options_init(PlayOptions *p, const SearchLimits *limits, size_t hash_bytes,
                       const OpeningSettings *opening, const Adjudication *adjudication,
                       Option rows[PLAY_OPTION_COUNT]);

/* What the two flags say; STATUS_USAGE when both are given, or one beside --openings. */
MUST_CHECK Status play_options_base(bool chess960, bool double_chess960, const OptionParser *parser,
                                    OpeningBase *base, Error *err);

/* Changes what the options say, and opens the endgame tables if there are to be any. --depth alone
 * switches the default of --nodes off. STATUS_USAGE and STATUS_BAD_INPUT name the option. */
MUST_CHECK Status play_options_apply(const PlayOptions *p, const OptionParser *parser,
                                     SearchLimits *limits, OpeningSettings *opening,
                                     Adjudication *adjudication, Error *err);

#endif
