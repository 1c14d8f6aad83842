/* SPDX-License-Identifier: MIT
 * The figures of a match as JSON: the same keys in every command and in the store. */
#ifndef TABIA_SELFPLAY_MATCH_STATS_JSON_H
#define TABIA_SELFPLAY_MATCH_STATS_JSON_H

#include "engine/base/json.h"
#include "selfplay/match/stats.h"

/* Writes the keys games, wins, draws, losses, ptnml, score, draw_ratio, pair_ratio, elo, elo95,
 * elo_low, elo_high, elo_interval ("normal", "likelihood" or null), nelo, nelo95, los and llr into
 * the open object; with a sequential test llr_lower, llr_upper and decision ("H0", "H1" or
 * "continue"). Wins, draws and losses are null if only pairs are known. */
void match_json(JsonWriter *w, const MatchScore *score, const MatchStats *stats);

/* The same without draw_ratio, pair_ratio, elo_interval, llr_lower, llr_upper and decision, which
 * follow from the rest; then sprt ("none", "continue", "H0" or "H1"). */
void match_json_stored(JsonWriter *w, const MatchScore *score, const MatchStats *stats);

#endif
