/* SPDX-License-Identifier: MIT
 * What an engine of the xboard protocol says it can do ("feature …"), and its options as UCI has
 * them.
 * Source: T. Mann, H. G. Muller, "Chess Engine Communication Protocol", version 2. */
#ifndef TABIA_CLI_XBOARD_FEATURES_H
#define TABIA_CLI_XBOARD_FEATURES_H

#include <stdbool.h>
#include <stdio.h>

enum { XBOARD_OPTIONS_MAX = 128, XBOARD_NAME_MAX = 96 };

typedef struct XboardOption {
    char name[XBOARD_NAME_MAX];
    char *uci; /* "type spin default 1 min 0 max 10"; owned */
} XboardOption;

typedef struct XboardFeatures {
    bool ping, setboard, usermove, san, time, memory, smp, reuse, chess960, syzygy;
    bool done;                  /* all was said */
    bool waits;                 /* it asked for more time than the usual two seconds: done=0 */
    char name[XBOARD_NAME_MAX]; /* "" when it has none */
    XboardOption options[XBOARD_OPTIONS_MAX];
    int option_count;
} XboardFeatures;

/* What holds before anything is said. */
void xboard_features_init(XboardFeatures *features);
void xboard_features_free(XboardFeatures *features);

/* Takes what follows the word "feature" in a line: NAME=VALUE, values being numbers or quoted
 * texts. Prints the lines that answer it, "accepted NAME" or "rejected NAME". */
void xboard_features_read(XboardFeatures *features, const char *line, FILE *answer);

/* Prints the engine's options as "option name …": Hash, Threads, SyzygyPath and UCI_Chess960 where
 * the protocol has commands for them, then its own. */
void xboard_features_print(const XboardFeatures *features, FILE *out);

/* Prints the command that gives an option a value, or nothing where there is no such option, or the
 * protocol has no command for it. `value` is "" for a button. */
void xboard_features_set(const XboardFeatures *features, const char *name, const char *value,
                         FILE *command);

#endif
