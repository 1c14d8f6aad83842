/* SPDX-License-Identifier: MIT
 * Values of options: what texts they take, within which bounds, and what help says of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/internal.h"
#include "cli/options/value.h"

void option_default_text(const Option *o, char *out, size_t size)
{
    char time[TIME_TEXT_MAX];

    *out = '\0';
    switch (o->kind) {
    case OPTION_FLAG:
        if (*(const bool *)o->target)
            (void)snprintf(out, size, " (default; --no-%s turns it off)", o->name);
        break;
    case OPTION_INT: /* 0 stands for "none" or "required": the help line says which */
        if (*(const int64_t *)o->target)
            (void)snprintf(out, size, " (default %lld)", (long long)*(const int64_t *)o->target);
        break;
    case OPTION_UINT64:
        (void)snprintf(out, size, " (default %llu)",
                       (unsigned long long)*(const uint64_t *)o->target);
        break;
    case OPTION_DOUBLE:
        (void)snprintf(out, size, " (default %g)", *(const double *)o->target);
        break;
    case OPTION_STRING:
        if (*(const char *const *)o->target)
            (void)snprintf(out, size, " (default %s)", *(const char *const *)o->target);
        break;
    case OPTION_TIME:
        if (*(const int64_t *)o->target == 0) break;
        value_format_time(*(const int64_t *)o->target, time);
        (void)snprintf(out, size, " (default %s)", time);
        break;
    case OPTION_LIST:
        (void)snprintf(out, size, " (may be repeated)");
        break;
    case OPTION_END:
        break;
    }
}

static Status refuse(const Option *o, const char *dashes, const char *wants, const char *text,
                     Error *err)
{
    return error_set(err, STATUS_USAGE, "%s%s needs %s, not \"%s\"", dashes, o->name, wants, text);
}

static Status check_bounds(const Option *o, const char *dashes, double value, const char *text,
                           Error *err)
{
    double scale = o->kind == OPTION_TIME ? 1000 : 1;
    const char *unit = o->kind == OPTION_TIME ? "s" : "";
    double low = o->minimum / scale, high = o->maximum / scale;

    if ((o->minimum == 0 && o->maximum == 0) || (value >= o->minimum && value <= o->maximum))
        return STATUS_OK;
    if (isinf(o->maximum))
        return error_set(err, STATUS_USAGE, "%s%s must be at least %g%s, not %s", dashes, o->name,
                         low, unit, text);
    if (isinf(o->minimum))
        return error_set(err, STATUS_USAGE, "%s%s must be at most %g%s, not %s", dashes, o->name,
                         high, unit, text);
    return error_set(err, STATUS_USAGE, "%s%s must be from %g%s to %g%s, not %s", dashes, o->name,
                     low, unit, high, unit, text);
}

static Status set_int(const Option *o, const char *dashes, const char *text, Error *err)
{
    int64_t value;
    bool time = o->kind == OPTION_TIME;

    if (time ? !value_parse_time(text, &value) : !value_parse_int(text, &value))
        return refuse(o, dashes, time ? "a time such as 90s, 10m or 2h" : "a whole number", text,
                      err);
    Status status = check_bounds(o, dashes, (double)value, text, err);
    if (status == STATUS_OK) *(int64_t *)o->target = value;
    return status;
}

static Status set_double(const Option *o, const char *dashes, const char *text, Error *err)
{
    double value;

    if (!value_parse_double(text, &value)) return refuse(o, dashes, "a number", text, err);
    Status status = check_bounds(o, dashes, value, text, err);
    if (status == STATUS_OK) *(double *)o->target = value;
    return status;
}

Status option_set(const Option *o, const char *dashes, const char *text, Error *err)
{
    switch (o->kind) {
    case OPTION_FLAG:
        return value_parse_bool(text, o->target) ? STATUS_OK
                                                 : refuse(o, dashes, "true or false", text, err);
    case OPTION_INT:
    case OPTION_TIME:
        return set_int(o, dashes, text, err);
    case OPTION_UINT64:
        return value_parse_uint64(text, o->target)
                   ? STATUS_OK
                   : refuse(o, dashes, "a whole number from 0 to 2^64 - 1", text, err);
    case OPTION_DOUBLE:
        return set_double(o, dashes, text, err);
    case OPTION_STRING:
        *(const char **)o->target = text;
        break;
    case OPTION_LIST:
    case OPTION_END:
        break;
    }
    return STATUS_OK;
}

/* ---- Pairs */

/* Ends a pair at its comma and returns what follows, or NULL. A comma behind a backslash is one in
 * the value. */
static char *cut_pair(char *pair)
{
    char *out = pair, *in = pair;

    for (; *in && *in != ','; *out++ = *in++)
        in += in[0] == '\\' && in[1] == ',';
    char *next = *in ? in + 1 : NULL;
    *out = '\0';
    return next;
}

Status options_parse_pairs(const char *text, OptionPairFn fn, void *context, Error *err)
{
    Status status = STATUS_OK;
    char *copy = strdup(text);

    if (!copy) return error_set(err, STATUS_FAILED, "out of memory");
    for (char *pair = copy, *next; status == STATUS_OK && pair; pair = next) {
        next = cut_pair(pair);
        char *equals = strchr(pair, '=');
        if (!equals || equals == pair) {
            status =
                error_set(err, STATUS_USAGE, "\"%s\" is not KEY=VALUE (in \"%s\")", pair, text);
            break;
        }
        *equals = '\0';
        status = fn(context, pair, equals + 1, err);
    }
    free(copy);
    return status;
}
