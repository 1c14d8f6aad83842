/* SPDX-License-Identifier: MIT
 * A match as text and as JSON: of two players as in statistics_text.h, of more a rating table with
 * a crosstable. */
#ifndef TABIA_CLI_MATCH_REPORT_H
#define TABIA_CLI_MATCH_REPORT_H

#include <stdio.h>

#include "engine/base/json.h"
#include "selfplay/match/gauntlet.h"
#include "selfplay/match/rating.h"

/* What is reported of a match; everything is borrowed. */
typedef struct GauntletReport {
    const char *const *names; /* of the players */
    const SprtSettings *sprt;
    RatingSettings rating;
    const Scoreboard *board;
    RatingTable table; /* of that board, by rating_fit() */
} GauntletReport;

/* One line a player, the strongest first: rating with its error, LOS over the next player, games,
 * score, pairs, games lost by faults. "–": cannot be computed. Then the crosstable if wanted. A
 * `width` in columns leaves out what does not fit and divides the crosstable; 0: any width. */
void gauntlet_report_table(FILE *out, const GauntletReport *report, bool crosstable, int width);

/* The whole report. */
void gauntlet_report_print(FILE *out, const GauntletReport *report,
                           const GauntletProgress *progress);

/* The whole report as one object on a line of its own: the first player's figures against all
 * others as match_json() has them, then arrays `players` and `pairings`. */
void gauntlet_report_json(FILE *out, const GauntletReport *report,
                          const GauntletProgress *progress);

/* Ratings of games from anywhere, which have no progress: totals, table, crosstable, and sentences
 * on players without a rating. board->forfeits may be NULL: not known. Of two players it is a
 * table, too. */
void ratings_print(FILE *out, const GauntletReport *report);
/* The same as one object on a line of its own. */
void ratings_json(FILE *out, const GauntletReport *report);

/* Keys of an element of `players` into the open object: name, rating, rating95 and the figures of
 * match_json(). */
void ratings_json_player(JsonWriter *w, const char *name, const Scoreboard *board,
                         const RatingTable *table, int player);
/* The array `pairings` into the open object. */
void ratings_json_pairings(JsonWriter *w, const char *const *names, const Scoreboard *board);

enum { MEETING_TEXT_MAX = 64 };
/* A cell of the crosstable, from the player's view: "12-3-5"; "" when they do not meet. */
void meeting_text(const Scoreboard *board, int player, int opponent, char cell[MEETING_TEXT_MAX]);

#endif
