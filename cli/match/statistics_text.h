/* SPDX-License-Identifier: MIT
 * The outcome of a match as text, and the --anchor option: the same in every command. */
#ifndef TABIA_CLI_MATCH_STATISTICS_TEXT_H
#define TABIA_CLI_MATCH_STATISTICS_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "engine/base/status.h"
#include "selfplay/match/stats.h"

enum { ELO_TEXT_MAX = 48 };
/* First player's view: "+12.3 ± 4.5". With few pairs "+190.8 [-310, +870]", the ends of the
 * likelihood interval. A match won in every game has no finite Elo: then the lower end, "won all;
 * above +570", or "lost all; below -570". "–" without games. */
void match_elo_text(const MatchStats *stats, char out[ELO_TEXT_MAX]);

/* A table of one figure a line, first player's view; with the sequential test's line when sprt (may
 * be NULL) is enabled. */
void match_print(FILE *out, const MatchScore *score, const MatchStats *stats,
                 const SprtSettings *sprt);

enum { ANCHOR_ELO_MAX = 100000 };

/* A player with a given rating. */
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
