/* SPDX-License-Identifier: MIT
 * What a match shows while it is played: a live line, of many players a live table above it, and
 * reports now and then. */
#ifndef TABIA_CLI_MATCH_DISPLAY_H
#define TABIA_CLI_MATCH_DISPLAY_H

#include "cli/match/report.h"
#include "cli/output/progress.h"
#include "db/store/game_record.h"

typedef struct GauntletDisplay {
    GauntletReport report;
    bool quiet, json;
    int64_t report_every; /* games between reports on standard output; 0: only the last one */
    /* Its own. */
    Progress progress;
    bool started;
    int faults;       /* told of */
    int64_t reported; /* games, at the last report */
} GauntletDisplay;

/* A GauntletObserver's progress function; context is the display. */
void gauntlet_display_progress(void *context, const GauntletProgress *progress);

/* A GauntletObserver's fault function: the first few are told as they happen. */
void gauntlet_display_fault(void *context, const GauntletPlayer *players, const GameRecord *game);

/* Makes room for what is printed afterwards. */
void gauntlet_display_end(GauntletDisplay *display);

/* The report on standard output, as text or JSON. */
MUST_CHECK Status gauntlet_display_report(const GauntletDisplay *display,
                                          const GauntletProgress *progress, Error *err);

#endif
