/* SPDX-License-Identifier: MIT
 * The options that name a file of openings, in every command that plays games. */
#ifndef TABIA_CLI_PLAY_OPENING_OPTIONS_H
#define TABIA_CLI_PLAY_OPENING_OPTIONS_H

#include "cli/options/options.h"
#include "selfplay/openings/book_load.h"
#include "selfplay/openings/opening.h"

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
