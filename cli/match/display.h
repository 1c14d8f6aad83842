/* SPDX-License-Identifier: MIT
 * Display of a running match: a live line, with more than two players a live table above it, and
 * reports every N games. */
#ifndef TABIA_CLI_MATCH_DISPLAY_H
#define TABIA_CLI_MATCH_DISPLAY_H

#include "cli/match/output.h"
#include "cli/match/report.h"
#include "cli/output/progress.h"
#include "db/store/game_record.h"

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

/* The report on standard output, as text or JSON. */
MUST_CHECK Status gauntlet_display_report(GauntletDisplay *display,
                                          const GauntletProgress *progress, Error *err);

#endif
