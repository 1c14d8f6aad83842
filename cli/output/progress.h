/* SPDX-License-Identifier: MIT
 * Progress of long work on standard error: one live line on a terminal, a line every ten seconds in
 * a log, nothing with --quiet. */
#ifndef TABIA_CLI_OUTPUT_PROGRESS_H
#define TABIA_CLI_OUTPUT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Progress {
    bool enabled, terminal;
    int64_t total;        /* 0: unknown, then no ETA */
    int64_t resumed;      /* done before this process: not counted in rates */
    double started, last; /* monotonic seconds */
    double end;           /* of the time budget, an upper bound of the ETA; 0: none */
    double log_interval;  /* seconds between lines when not on a terminal */
    int lines;            /* shown above the live line */
    char head[64];        /* what the line begins with, before two blanks; or "" */
} Progress;

void progress_start(Progress *p, int64_t total, int64_t resumed, bool quiet);
/* Is it time to draw? Cheap enough for every item (terminal: true 5 times a second). */
bool progress_due(const Progress *p);
/* Draws the head, "done/total  rate unit/s  ETA 1m20s  " and then the formatted text. */
void progress_draw(Progress *p, int64_t done, const char *unit, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* On a terminal: shows several lines above the live line, which must be drawn next. */
void progress_draw_above(Progress *p, const char *text);
/* Clears the live lines so that ordinary output can follow. */
void progress_end(Progress *p);
/* "1h02m", "3m05s", "12.3s" into out. */
void progress_duration(double seconds, char out[16]);

#endif
