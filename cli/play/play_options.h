/* SPDX-License-Identifier: MIT
 * The options that self-play and matches share: limits, openings, adjudication. */
#ifndef TABIA_CLI_PLAY_PLAY_OPTIONS_H
#define TABIA_CLI_PLAY_PLAY_OPTIONS_H

#include "cli/options/options.h"
#include "selfplay/game/game.h"
#include "selfplay/openings/opening.h"

/* --chess960 and --double-chess960. */
enum { BASE_OPTION_COUNT = 2 };
typedef struct BaseOptions {
    bool chess960, double_chess960;
    Option rows[BASE_OPTION_COUNT + 1];
} BaseOptions;

void base_options_init(BaseOptions *o);
OpeningBase base_options_base(const BaseOptions *o);

/* STATUS_USAGE for half of a rule, which would have no effect: what it does, given by the option
 * `what`, but before ply 0; or a ply without it. */
MUST_CHECK Status exploration_check_rule(const OptionParser *parser, const char *what, bool on,
                                         const char *until, int ply, Error *err);
/* Both rules. */
MUST_CHECK Status exploration_options_check(const Exploration *e, const OptionParser *parser,
                                            Error *err);

enum { PLAY_OPTION_COUNT = 5, PLAY_OWN_COUNT = 6 };
typedef struct PlayOptions {
    /* Borrowed: the rows write to these. */
    SearchLimits *limits;
    OpeningSettings *opening;
    Adjudication *adjudication;
    BaseOptions base;
    const char *tb; /* NULL: no Syzygy files */
    int tb_men;     /* 0: as many as the files have */
    int tb_results; /* both, win-loss, draw */
    Option rows[PLAY_OPTION_COUNT + 1];
    Option own_rows[PLAY_OWN_COUNT + 1]; /* of them, those that are no settings of the library */
} PlayOptions;

/* Fills *p, whose rows write to the library's structs, which hold the defaults. */
void play_options_init(PlayOptions *p, SearchLimits *limits, size_t *hash_bytes,
                       OpeningSettings *opening, Adjudication *adjudication);

/* After parsing: settles what depends on several options, and opens the Syzygy files if there are
 * any. --depth alone switches the default of --nodes off; openings of a book are played as they are
 * unless --random-plies is given. STATUS_USAGE or STATUS_BAD_INPUT names the option. */
MUST_CHECK Status play_options_apply(const PlayOptions *p, bool book, const OptionParser *parser,
                                     Error *err);

#endif
