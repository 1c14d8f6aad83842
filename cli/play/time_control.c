/* SPDX-License-Identifier: MIT
 * Clocks from text. */
#include "cli/play/time_control.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/values/value.h"

enum { PART_MAX = 32, MOVES_MAX = 1000 };

static const double seconds_max = 1e6;

/* Cuts the text up to `mark` off *rest; false, with *rest unchanged, when there is no mark. */
static bool cut(const char **rest, char mark, char part[PART_MAX])
{
    const char *end = strchr(*rest, mark);

    if (!end) return false;
    (void)snprintf(part, PART_MAX, "%.*s", (int)(end - *rest), *rest);
    *rest = end + 1;
    return true;
}

/* At least `least` seconds, so that the time does not round to 0 ms. */
static bool read_seconds(const char *text, double least, int64_t *ms)
{
    double seconds;

    if (!value_parse_double(text, &seconds) || seconds < least || seconds > seconds_max)
        return false;
    *ms = (int64_t)llround(seconds * 1000);
    return true;
}

static bool read_period(const char *text, ClockPeriod *period)
{
    char part[PART_MAX], time[PART_MAX];
    int64_t moves = 0, minutes = 0, ms = 0, increment = 0;

    if (cut(&text, '/', part) && (!value_parse_int(part, &moves) || moves < 1 || moves > MOVES_MAX))
        return false;
    if (!cut(&text, '+', time))
        (void)snprintf(time, sizeof time, "%s", text);
    else if (!read_seconds(text, 0, &increment))
        return false;
    const char *seconds = time;
    bool has_minutes = cut(&seconds, ':', part);
    if (has_minutes &&
        (!value_parse_int(part, &minutes) || minutes < 0 || minutes > (int64_t)seconds_max / 60))
        return false;
    if (!read_seconds(seconds, minutes > 0 || increment > 0 ? 0 : 0.001, &ms)) return false;
    if (has_minutes && moves > 0 && ms >= 60000) return false; /* two periods: 40/7200:3600 */
    *period = (ClockPeriod){(int)moves, minutes * 60000 + ms, increment};
    return true;
}

/* Reads a period, or several with colons between them, of which all but the last have moves. */
static bool read_periods(const char *text, ClockPeriod *periods, int room)
{
    char first[PART_MAX];

    if (room > 0 && read_period(text, periods)) return true;
    if (room < 2) return false;
    for (const char *colon = text; (colon = strchr(colon, ':')) != NULL; colon++) {
        (void)snprintf(first, sizeof first, "%.*s", (int)(colon - text), text);
        if (read_period(first, periods) && periods->moves > 0 &&
            read_periods(colon + 1, periods + 1, room - 1))
            return true;
    }
    return false;
}

static bool read_clock(const char *text, SearchLimits *limits)
{
    ClockPeriod periods[CLOCK_PERIODS] = {{0}};

    if (!read_periods(text, periods, CLOCK_PERIODS)) return false;
    *limits = (SearchLimits){.has_clock = true, .moves_to_go = periods[0].moves};
    for (int c = WHITE; c < COLORS; c++) {
        limits->time_ms[c] = periods[0].time_ms;
        limits->increment_ms[c] = periods[0].increment_ms;
    }
    memcpy(limits->later, periods + 1, sizeof limits->later);
    return true;
}

Status time_control_set(void *limits, const char *text, Error *err)
{
    SearchLimits *l = limits;

    if (strcmp(text, "inf") == 0) { /* other limits stay */
        *l = (SearchLimits){.nodes_soft = l->nodes_soft,
                            .nodes_hard = l->nodes_hard,
                            .depth = l->depth,
                            .movetime_ms = l->movetime_ms};
        return STATUS_OK;
    }
    if (read_clock(text, l)) return STATUS_OK;
    return error_set(err, STATUS_USAGE,
                     "\"%s\" is not [MOVES/]SECONDS[+INCREMENT], as in 2+0.02, 40/60 or "
                     "40/60+1:20+1, nor inf",
                     text);
}

Status time_control_set_move(void *limits, const char *text, Error *err)
{
    int64_t ms;

    if (!read_seconds(text, 0.001, &ms))
        return error_set(err, STATUS_USAGE, "\"%s\" is not SECONDS, as in 0.1", text);
    *(SearchLimits *)limits = (SearchLimits){.movetime_ms = ms};
    return STATUS_OK;
}
