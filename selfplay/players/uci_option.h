/* SPDX-License-Identifier: MIT
 * Checks that a UCI engine has the options that are wanted, and accepts their values. Without the
 * check a misspelt option would silently measure something else. */
#ifndef TABIA_SELFPLAY_PLAYERS_UCI_OPTION_H
#define TABIA_SELFPLAY_PLAYERS_UCI_OPTION_H

#include <stdbool.h>

#include "engine/base/status.h"

enum { UCI_OPTIONS_MAX = 256, UCI_OPTION_NAMES_MAX = 512 };

/* Compares the options that are wanted with those that the engine announces. Set `wanted` and
 * `count`, the rest zeroed. */
typedef struct UciOptionCheck {
    const char *const *wanted; /* "Name=value", or the name of a button; borrowed */
    int count;
    bool known[UCI_OPTIONS_MAX];
    char names[UCI_OPTION_NAMES_MAX]; /* of its options, as many as fit; for the error */
} UciOptionCheck;

/* Takes a line "option name N type T …"; other lines are ignored. Names are compared exactly. An
 * Error (STATUS_ENGINE) when the option does not accept the value that is wanted. */
MUST_CHECK Status uci_option_line(UciOptionCheck *check, const char *line, Error *err);

/* At `uciok`: an Error (STATUS_ENGINE) when an option that is wanted was not announced. Threads=1
 * is granted to all: an engine that has no such option has one thread. */
MUST_CHECK Status uci_option_end(const UciOptionCheck *check, Error *err);

#endif
