/* SPDX-License-Identifier: MIT
 * The options of `tabia learn` that say what is learned and for how long. */
#ifndef TABIA_CLI_LEARN_OPTIONS_H
#define TABIA_CLI_LEARN_OPTIONS_H

#include "cli/options/options.h"
#include "cli/play/play_options.h"
#include "tuner/learn/settings.h"

typedef struct LearnOptions {
    CommonOptions common;
    LearnSettings settings;
    const char *from; /* weights of generation 0 */
    PlayOptions play; /* of self-play; openings, hash and adjudication also of the matches */
} LearnOptions;

/* Fills *o with defaults. */
void learn_options_init(LearnOptions *o);

/* After parsing: settles what depends on several options, seed and threads included. Errors as of
 * play_options_apply(). */
MUST_CHECK Status learn_options_apply(LearnOptions *o, const OptionParser *parser, Error *err);

enum { BUDGET_TEXT_MAX = 48 };
/* "30 core-minutes", "5 core-seconds" or "15m00s". */
void learn_budget_text(double seconds, bool cpu, char out[BUDGET_TEXT_MAX]);

#endif
