/* SPDX-License-Identifier: MIT
 * Writing the figures of a match. */
#include "selfplay/match/stats_json.h"

static const char *const decisions[] = {"none", "continue", "H0", "H1"};

static void put_count(JsonWriter *w, const char *key, int64_t value, bool known)
{
    if (known)
        json_int(w, key, value);
    else
        json_string(w, key, NULL);
}

static const char *interval_name(const MatchStats *stats)
{
    if (stats->games == 0) return NULL;
    return stats->normal ? "normal" : "likelihood";
}

static void put_figures(JsonWriter *w, const MatchScore *score, const MatchStats *stats,
                        bool stored)
{
    bool known = stats->pairs == 0 || match_games(score) > 0;

    json_int(w, "games", stats->games);
    put_count(w, "wins", score->wins, known);
    put_count(w, "draws", score->draws, known);
    put_count(w, "losses", score->losses, known);
    json_ints(w, "ptnml", score->ptnml, 5);
    json_double(w, "score", stats->score, 10);
    if (!stored) json_double(w, "draw_ratio", stats->draw_ratio, 10);
    if (!stored) json_double(w, "pair_ratio", stats->pair_ratio, 10);
    json_double(w, "elo", stats->elo, 10);
    json_double(w, "elo95", stats->elo95, 10);
    json_double(w, "elo_low", stats->elo_low, 10);
    json_double(w, "elo_high", stats->elo_high, 10);
    if (!stored) json_string(w, "elo_interval", interval_name(stats));
    json_double(w, "nelo", stats->nelo, 10);
    json_double(w, "nelo95", stats->nelo95, 10);
    json_double(w, "los", stats->los, 10);
    json_double(w, "llr", stats->llr, 10);
}

void match_json(JsonWriter *w, const MatchScore *score, const MatchStats *stats)
{
    put_figures(w, score, stats, false);
    if (stats->decision == SPRT_NONE) return;
    json_double(w, "llr_lower", stats->lower, 10);
    json_double(w, "llr_upper", stats->upper, 10);
    json_string(w, "decision", decisions[stats->decision]);
}

void match_json_stored(JsonWriter *w, const MatchScore *score, const MatchStats *stats)
{
    put_figures(w, score, stats, true);
    json_string(w, "sprt", decisions[stats->decision]);
}
