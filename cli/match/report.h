/* SPDX-License-Identifier: MIT
 * A match as text and as JSON: of two players as in statistics_text.h, of more a rating table with
 * a crosstable. While it is played: a live line, with more than two players a live table above it,
 * and reports every N games. */
#ifndef TABIA_CLI_MATCH_REPORT_H
#define TABIA_CLI_MATCH_REPORT_H

#include <stdio.h>

#include "cli/match/output.h"
#include "cli/output/progress.h"
#include "db/store/game_record.h"
#include "engine/base/json.h"
#include "selfplay/match/gauntlet.h"
#include "selfplay/match/rating.h"

/* What is reported of a match; everything is borrowed. A table has one line a player, the strongest
 * first: rating with its error, LOS over the next player, games, score, pairs, games lost by
 * faults. "–": cannot be computed. Where the terminal is narrow it leaves out what does not fit. */
typedef struct GauntletReport {
    const char *const *names;      /* of the players */
    const GauntletPlayer *players; /* NULL: games that were not played here */
    RatingSettings rating;
    const Scoreboard *board;
    RatingTable table; /* of that board, by rating_fit() */
} GauntletReport;

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

/* The match that is played. */
typedef struct GauntletDisplay {
    GauntletReport report; /* its board and table are set here */
    const GauntletSettings *settings;
    bool quiet, json;
    int64_t report_every;   /* games between reports on standard output; 0: only the last one */
    GauntletOutput *output; /* the files of the games, for others than the display */
    /* Private. */
    Progress progress; /* progress_end(): other output can follow */
    int faults;        /* shown */
    int64_t reported;  /* games, at the last report */
} GauntletDisplay;

/* A GauntletObserver's progress function; context is the display. */
void gauntlet_display_progress(void *context, const GauntletProgress *progress);

/* A GauntletObserver's fault function: shows the first few. */
void gauntlet_display_fault(void *context, const GameRecord *game);

/* A GauntletObserver's functions repeats, test_changed and paused. */
void gauntlet_display_repeats(void *context, const PairingScore *pairing);
void gauntlet_display_test_changed(void *context, const char *difference);
void gauntlet_display_paused(void *context, int games);

/* The report on standard output, as text; or as one object on a line of its own: the first player's
 * figures against all others as match_json() has them, then arrays `players` and `pairings`. */
MUST_CHECK Status gauntlet_display_report(GauntletDisplay *display,
                                          const GauntletProgress *progress, Error *err);

#endif
