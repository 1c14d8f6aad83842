/* SPDX-License-Identifier: MIT
 * The --anchor option of all commands: a player with a given rating. */
#ifndef TABIA_CLI_MATCH_ANCHOR_H
#define TABIA_CLI_MATCH_ANCHOR_H

#include <stdbool.h>

#include "engine/base/status.h"

enum { ANCHOR_ELO_MAX = 100000 };

typedef struct Anchor {
    const char *name; /* borrowed from the text; `length` characters */
    int length;
    int player; /* index; with `bare` -1: no player has the name */
    double elo; /* -ANCHOR_ELO_MAX … ANCHOR_ELO_MAX */
} Anchor;

/* Reads "NAME=ELO" for players of these names, which may contain an equals sign. STATUS_USAGE for
 * other text, or when no player has the name. `bare`: also "NAME", with 0 Elo, and the caller
 * refuses unknown names. */
MUST_CHECK Status anchor_parse(const char *text, bool bare, const char *const *names, int count,
                               Anchor *anchor, Error *err);

#endif
