/* SPDX-License-Identifier: MIT
 * The options that self-play and matches share: openings, their files, adjudication. */
#ifndef TABIA_CLI_PLAY_PLAY_OPTIONS_H
#define TABIA_CLI_PLAY_PLAY_OPTIONS_H

#include "cli/options/options.h"
#include "selfplay/game/game.h"
#include "selfplay/openings/book.h"
#include "selfplay/openings/opening.h"

/* --chess960 and --double-chess960. */
typedef struct BaseOptions {
    bool chess960, double_chess960;
} BaseOptions;
extern const Setting base_settings[];

OpeningBase base_options_base(const BaseOptions *o);

/* STATUS_USAGE for half of a rule, which would have no effect: what it does, given by the option
 * `what`, but before ply 0; or a ply without it. */
MUST_CHECK Status exploration_check_rule(const OptionParser *parser, const char *what, bool on,
                                         const char *until, int ply, Error *err);
/* Both rules. */
MUST_CHECK Status exploration_options_check(const Exploration *e, const OptionParser *parser,
                                            Error *err);

/* STATUS_USAGE for an option of the verification of openings without random plies. */
MUST_CHECK Status opening_settings_check(const OpeningSettings *s, const OptionParser *parser,
                                         Error *err);

/* What is no setting of the library. */
typedef struct PlayOptions {
    BaseOptions base;
    const char *tb; /* NULL: no Syzygy files */
    int tb_men;     /* 0: as many as the files have */
    bool tb_ignore50;
    enum { TB_BOTH, TB_WIN_LOSS, TB_DRAW } tb_results;
} PlayOptions;
extern const Setting play_settings[];

/* After parsing: settles in the library's settings, which have rows of their own, what depends on
 * several options, and opens the Syzygy files if there are any. --depth alone switches the default
 * of --nodes off; openings of a book are played as they are unless --random-plies is given.
 * STATUS_USAGE or STATUS_BAD_INPUT names the option. */
MUST_CHECK Status play_options_apply(const PlayOptions *p, SearchLimits *limits,
                                     OpeningSettings *opening, Adjudication *adjudication,
                                     bool book, const OptionParser *parser, Error *err);

typedef struct OpeningOptions {
    const char *file; /* NULL: none was given */
    OpeningChoice choice;
    int start;
    bool unique; /* repeated positions are left out */
} OpeningOptions;
extern const Setting opening_option_settings[];

/* Loads the file; without one *book is empty. Its name is borrowed from the options.
 * STATUS_BAD_INPUT as opening_book_load() has it. */
MUST_CHECK Status opening_options_load(const OpeningOptions *o, uint64_t seed, OpeningBook *book,
                                       Error *err);

/* Are there fewer openings than a match needs, of the file or with its few random plies? They
 * repeat then: a note on standard error, or STATUS_USAGE for exact players, whose games would
 * repeat, too.
 */
MUST_CHECK Status opening_options_check(const OpeningOptions *o, const OpeningBook *book,
                                        const OpeningSettings *random, int64_t needed, bool exact,
                                        Error *err);

#endif
