/* SPDX-License-Identifier: MIT
 * Progress of long work on standard error. */
#include "cli/output/progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/output/terminal.h"
#include "engine/base/clock.h"
#include "engine/base/text.h"

enum { LINE_MAX_BYTES = 512 };

static const double terminal_interval = 0.2, default_log_interval = 10;

void progress_start(Progress *p, int64_t total, int64_t resumed, bool quiet)
{
    double now = clock_seconds();
    *p = (Progress){.enabled = !quiet,
                    .terminal = terminal_is(stderr),
                    .total = total,
                    .resumed = resumed,
                    .started = now,
                    .last = now,
                    .log_interval = default_log_interval};
}

bool progress_due(const Progress *p)
{
    if (!p->enabled) return false;
    return clock_seconds() - p->last >= (p->terminal ? terminal_interval : p->log_interval);
}

void progress_duration(double seconds, char out[16])
{
    if (!(seconds < 1e9)) { /* NaN and infinity too */
        (void)snprintf(out, 16, "?");
    } else if (seconds < 59.95) {
        (void)snprintf(out, 16, "%.1fs", seconds);
    } else if (seconds < 3599.5) {
        int whole = (int)(seconds + 0.5);
        (void)snprintf(out, 16, "%dm%02ds", whole / 60, whole % 60);
    } else {
        int64_t minutes = (int64_t)(seconds / 60 + 0.5);
        (void)snprintf(out, 16, "%" PRId64 "h%02dm", minutes / 60, (int)(minutes % 60));
    }
}

/* Cuts text to `columns` characters, counting UTF-8 sequences as one: before a field (two blanks)
 * or a word that does not fit whole. */
static void cut_to_columns(char *text, int columns)
{
    char *field = NULL, *word = NULL;

    for (char *s = text; *s; s++) {
        if (((unsigned char)*s & 0xc0) == 0x80) continue;
        if (s > text && *s == ' ' && s[-1] != ' ') *(s[1] == ' ' ? &field : &word) = s;
        if (columns-- > 0) continue;
        *(field ? field : word ? word : s) = '\0';
        return;
    }
}

/* "1200/4000  85.2 games/s  ETA 32.9s" */
static size_t format_counts(const Progress *p, int64_t done, const char *unit, double elapsed,
                            char *line, size_t size)
{
    double rate = elapsed > 0 ? (double)(done - p->resumed) / elapsed : 0;
    char eta[16];
    int n;

    if (p->total > 0)
        n = snprintf(line, size, "%" PRId64 "/%" PRId64 "  %.*f %s/s", done, p->total,
                     rate < 100 ? 1 : 0, rate, unit);
    else
        n = snprintf(line, size, "%" PRId64 "  %.*f %s/s", done, rate < 100 ? 1 : 0, rate, unit);
    if (p->total > 0 && rate > 0) {
        double left = (double)(p->total - done) / rate;
        if (p->end > 0) left = fmin(left, fmax(p->end - clock_seconds(), 0));
        progress_duration(left, eta);
        n += snprintf(line + n, size - (size_t)n, "  ETA %s", eta);
    }
    return (size_t)n;
}

void progress_draw(Progress *p, int64_t done, const char *unit, const char *format, ...)
{
    char line[LINE_MAX_BYTES];
    va_list arguments;

    if (!p->enabled) return;
    double now = clock_seconds();
    size_t used = (size_t)snprintf(line, sizeof line, "%s%s", p->head, *p->head ? "  " : "");
    used += format_counts(p, done, unit, now - p->started, line + used, sizeof line / 2);
    p->last = now;
    line[used++] = ' ';
    line[used++] = ' ';
    va_start(arguments, format);
    (void)vsnprintf(line + used, sizeof line - used, format, arguments);
    va_end(arguments);
    text_clean(line); /* it may name files */
    if (p->terminal) {
        int columns, rows;
        terminal_size(stderr, &columns, &rows);
        cut_to_columns(line, columns - 1);
        fprintf(stderr, "\r%s\033[K", line);
        (void)fflush(stderr);
    } else {
        fprintf(stderr, "%s\n", line);
    }
}

/* Moves the cursor to the first live line. */
static void rewind_lines(Progress *p)
{
    (void)fputc('\r', stderr);
    if (p->lines > 0) fprintf(stderr, "\033[%dA", p->lines);
}

void progress_draw_above(Progress *p, const char *text)
{
    char line[LINE_MAX_BYTES];
    int columns, rows, drawn = 0;

    if (!p->enabled || !p->terminal) return;
    terminal_size(stderr, &columns, &rows);
    rewind_lines(p);
    for (; *text && drawn + 1 < rows; drawn++) {
        int length = (int)strcspn(text, "\n");
        (void)snprintf(line, sizeof line, "%.*s", length, text);
        cut_to_columns(line, columns - 1);
        fprintf(stderr, "%s\033[K\n", line);
        text += length + (text[length] == '\n');
    }
    fputs("\033[J", stderr); /* lines of a longer text before */
    p->lines = drawn;
}

void progress_end(Progress *p)
{
    if (!p->enabled || !p->terminal) return;
    rewind_lines(p);
    fputs(p->lines > 0 ? "\033[J" : "\033[K", stderr); /* all below, or the line */
    p->lines = 0;
    (void)fflush(stderr);
}
