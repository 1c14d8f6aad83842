/* SPDX-License-Identifier: MIT
 * The features that an engine of the xboard protocol announces, and its options in UCI's form.
 * Source: T. Mann, H. G. Muller, "Chess Engine Communication Protocol", version 2. */
#ifndef TABIA_CLI_XBOARD_FEATURES_H
#define TABIA_CLI_XBOARD_FEATURES_H

#include <stdbool.h>
#include <stdio.h>

#include "engine/base/status.h"

enum { XBOARD_OPTIONS_MAX = 128, XBOARD_NAME_MAX = 96 };

typedef struct XboardOption {
    char name[XBOARD_NAME_MAX];
    char *uci; /* "type spin default 1 min 0 max 10"; owned */
} XboardOption;

typedef struct XboardFeatures {
    bool ping, setboard, usermove, san, time, memory, smp, reuse, chess960, syzygy;
    bool done;                  /* the announcement is complete */
    bool waits;                 /* it requested more time than the usual two seconds: done=0 */
    char name[XBOARD_NAME_MAX]; /* "" when it has none */
    XboardOption options[XBOARD_OPTIONS_MAX];
    int option_count;
} XboardFeatures;

/* The protocol's defaults. */
void xboard_features_init(XboardFeatures *features);
void xboard_features_free(XboardFeatures *features);

/* Reads the rest of a "feature" line: NAME=VALUE …, values are numbers or quoted texts. Prints the
 * replies "accepted NAME" or "rejected NAME". */
void xboard_features_read(XboardFeatures *features, const char *line, FILE *answer);

/* Prints the engine's options as "option name …": Hash, Threads, SyzygyPath and UCI_Chess960 where
 * the protocol has commands for them, then its own. */
void xboard_features_print(const XboardFeatures *features, FILE *out);

/* Prints the command that sets an option. Names and values are compared without case and sent as
 * the engine spells them; `value` is "" for a button. False, and nothing is printed, if the engine
 * has no such option or the option no such value, or the protocol has no command for it. */
MUST_CHECK bool xboard_features_set(const XboardFeatures *features, const char *name,
                                    const char *value, FILE *command);

/* Reads "true" or "false"; false, and nothing is set, if it is neither. */
MUST_CHECK bool xboard_read_check(const char *value, bool *set);

#endif
