/* SPDX-License-Identifier: MIT
 * Option values as text: numbers with suffixes, times, truth values. */
#include "engine/values/value.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* strto* skip white space, with which no value may begin. */
static bool starts_like_number(const char *text)
{
    return isdigit((unsigned char)*text) || strchr("+-.", *text) != NULL;
}

bool value_parse_int(const char *text, int64_t *out)
{
    char *end;
    int64_t scale = 1;

    if (!*text || !starts_like_number(text)) return false;
    errno = 0;
    intmax_t value = strtoimax(text, &end, 10);
    if (errno || end == text) return false;
    switch (*end) {
    case 'G':
        scale *= 1000; /* fall through */
    case 'M':
        scale *= 1000; /* fall through */
    case 'k':
    case 'K':
        scale *= 1000;
        end++;
    }
    if (*end || value > INT64_MAX / scale || value < INT64_MIN / scale) return false;
    *out = (int64_t)value * scale;
    return true;
}

bool value_parse_range(const char *text, int64_t *first, int64_t *last)
{
    char number[24];
    size_t length = strcspn(text, "-");
    int64_t from, to;

    (void)snprintf(number, sizeof number, "%.*s", (int)length, text);
    if (length >= sizeof number || !value_parse_int(number, &from)) return false;
    to = from;
    if (text[length] && !value_parse_int(text + length + 1, &to)) return false;
    if (to < from) return false;
    *first = from;
    *last = to;
    return true;
}

bool value_parse_uint64(const char *text, uint64_t *out)
{
    char *end;

    if (!isdigit((unsigned char)*text)) return false;
    errno = 0;
    uintmax_t value = strtoumax(text, &end, 10);
    if (errno || *end || value > UINT64_MAX) return false;
    *out = (uint64_t)value;
    return true;
}

bool value_parse_double(const char *text, double *out)
{
    char *end;

    if (!*text || !starts_like_number(text)) return false;
    double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value)) return false;
    *out = value;
    return true;
}

enum { TIME_UNITS = 5, LARGEST_PRINTED = 3 };

static const struct {
    const char *name;
    int64_t ms;
} time_units[TIME_UNITS] = {{"ms", 1}, {"s", 1000}, {"m", 60000}, {"h", 3600000}, {"d", 86400000}};

/* The unit at *text in milliseconds, stepping over it; 0 when it is none. */
static int64_t time_unit(const char **text)
{
    for (int i = 0; i < TIME_UNITS; i++) {
        size_t length = strlen(time_units[i].name);
        if (strncmp(*text, time_units[i].name, length) == 0) {
            *text += length;
            return time_units[i].ms;
        }
    }
    return 0;
}

bool value_parse_time(const char *text, int64_t *ms)
{
    double total = 0;

    if (!*text) return false;
    do {
        char *end;
        if (!isdigit((unsigned char)*text) && *text != '.') return false;
        double amount = strtod(text, &end);
        if (end == text) return false;
        bool alone = !*end; /* a plain number is seconds */
        text = end;
        int64_t unit = alone ? 1000 : time_unit(&text);
        if (unit == 0) return false;
        total += amount * (double)unit;
    } while (*text);
    if (total > 9e15) return false; /* exact in a double */
    *ms = (int64_t)(total + 0.5);
    return true;
}

bool value_parse_core_time(const char *text, int64_t *ms)
{
    char plain[TIME_TEXT_MAX];
    size_t length = 0;

    for (; *text; text++) {
        bool core = *text == 'c';
        text += core;
        if (core != (*text && strchr("smhd", *text)) || length + 1 == sizeof plain) return false;
        plain[length++] = *text;
    }
    plain[length] = '\0';
    return length > 0 && !isdigit((unsigned char)plain[length - 1]) && value_parse_time(plain, ms);
}

bool value_parse_bool(const char *text, bool *out)
{
    static const char *const words[2][4] = {{"false", "no", "off", "0"},
                                            {"true", "yes", "on", "1"}};

    for (int value = 0; value < 2; value++)
        for (int i = 0; i < 4; i++)
            if (strcasecmp(text, words[value][i]) == 0) {
                *out = value;
                return true;
            }
    return false;
}

void value_format_time(int64_t ms, char out[TIME_TEXT_MAX])
{
    size_t used = 0;

    for (int i = LARGEST_PRINTED; i >= 0; i--) {
        int64_t amount = ms / time_units[i].ms;
        ms %= time_units[i].ms;
        if (amount == 0) continue;
        used += (size_t)snprintf(out + used, TIME_TEXT_MAX - used, "%" PRId64 "%s", amount,
                                 time_units[i].name);
    }
    if (used == 0) (void)snprintf(out, TIME_TEXT_MAX, "0s");
}
