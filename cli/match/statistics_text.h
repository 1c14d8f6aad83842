/* SPDX-License-Identifier: MIT
 * The outcome of a match as text, and the --sprt option: the same in every command. */
#ifndef TABIA_CLI_MATCH_STATISTICS_TEXT_H
#define TABIA_CLI_MATCH_STATISTICS_TEXT_H

#include <stdio.h>

#include "engine/base/status.h"
#include "selfplay/match/stats.h"

enum { ELO_TEXT_MAX = 48 };
/* First player's view: "+12.3 ± 4.5". With few pairs "+190.8 [-310, +870]", the ends of the
 * likelihood interval. A match won in every game has no finite Elo: then the lower end, ">+569.7"
 * ("<-569.7" if every game was lost). "–" without games. */
void match_elo_text(const MatchStats *stats, char out[ELO_TEXT_MAX]);

/* A table of one figure a line, first player's view; with the sequential test's line when sprt (may
 * be NULL) is enabled. */
void match_print(FILE *out, const MatchScore *score, const MatchStats *stats,
                 const SprtSettings *sprt);

#endif
