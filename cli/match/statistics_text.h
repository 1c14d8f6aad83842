/* SPDX-License-Identifier: MIT
 * The outcome of a match as text and as JSON, and the --sprt option: the same in every command. */
#ifndef TABIA_CLI_MATCH_STATISTICS_TEXT_H
#define TABIA_CLI_MATCH_STATISTICS_TEXT_H

#include <stdio.h>

#include "engine/base/json.h"
#include "engine/base/status.h"
#include "selfplay/match/stats.h"

/* OptionParseFn for "elo0=0,elo1=5[,model=normalized|logistic][,alpha=0.05][,beta=0.05]": enables
 * *sprt, a SprtSettings; the defaults are normalized and 0.05. STATUS_USAGE, *sprt unchanged. */
MUST_CHECK Status match_set_sprt(void *sprt, const char *text, Error *err);

enum { ELO_TEXT_MAX = 48 };
/* First player's view: "+12.3 ± 4.5". With few pairs "+190.8 [-310, +870]", the ends of the
 * likelihood interval. A match won in every game has no finite Elo: then the lower end, ">+569.7"
 * ("<-569.7" if every game was lost). "–" without games. */
void match_elo_text(const MatchStats *stats, char out[ELO_TEXT_MAX]);

/* A table of one figure a line, first player's view; with the sequential test's line when sprt (may
 * be NULL) is enabled. */
void match_print(FILE *out, const MatchScore *score, const MatchStats *stats,
                 const SprtSettings *sprt);

/* "H0", "H1" or "continue"; NULL without a sequential test. Static storage. */
const char *match_decision(const MatchStats *stats);

/* Writes the keys games, wins, draws, losses, ptnml, score, draw_ratio, pair_ratio, elo, elo95,
 * elo_low, elo_high, elo_interval ("normal", "likelihood" or null), nelo, nelo95, los and llr into
 * the open object; with a sequential test llr_lower, llr_upper and decision. Wins, draws and losses
 * are null if only pairs are known. */
void match_json(JsonWriter *w, const MatchScore *score, const MatchStats *stats);

#endif
