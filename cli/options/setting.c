/* SPDX-License-Identifier: MIT
 * Values of options: the texts they take, their bounds, and what help says of them. */
#include "cli/options/parser.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "engine/values/value.h"

enum { VALUE_TEXT_MAX = 256 };

bool option_is_flag(const Option *o)
{
    return o->kind == OPTION_FLAG || o->kind == OPTION_CLEAR;
}

/* ---- Words */

bool option_word(const Option *option, int index, char word[OPTION_WORD_MAX])
{
    const char *words = option->words;

    if (index < 0) return false;
    for (; index > 0; index--) {
        words += strcspn(words, "|");
        if (!*words++) return false;
    }
    (void)snprintf(word, OPTION_WORD_MAX, "%.*s", (int)strcspn(words, "|"), words);
    return true;
}

/* "one, two or three" */
static void list_words(const Option *o, char *out, size_t size)
{
    char word[OPTION_WORD_MAX], next[OPTION_WORD_MAX];
    size_t used = 0;

    for (int i = 0; used < size && option_word(o, i, word); i++) {
        const char *between = i == 0 ? "" : option_word(o, i + 1, next) ? ", " : " or ";
        used += (size_t)snprintf(out + used, size - used, "%s%s", between, word);
    }
}

static Status set_word(const Option *o, const char *dashes, const char *text, Error *err)
{
    char word[OPTION_WORD_MAX], all[256] = "";
    Suggestion s;

    suggest_begin(&s, text);
    for (int i = 0; option_word(o, i, word); i++) {
        if (strcmp(word, text) == 0) {
            if (o->kind == OPTION_EITHER)
                *(bool *)o->target = i == 1;
            else
                *(int *)o->target = i;
            return STATUS_OK;
        }
        suggest_offer(&s, word);
    }
    list_words(o, all, sizeof all);
    return error_set(err, STATUS_USAGE, "%s%s must be %s, not \"%s\"%s", dashes, o->name, all, text,
                     suggest_text(&s, "", ""));
}

/* ---- Defaults */

/* The value as text; "" for none: 0 stands for "none" or "required", as the help line says. */
static void value_text(const Option *o, char out[VALUE_TEXT_MAX])
{
    const char *text = NULL;
    int64_t number = 0;

    *out = '\0';
    switch (o->kind) {
    case OPTION_INT:
        number = *(const int *)o->target;
        break;
    case OPTION_INT64:
        number = *(const int64_t *)o->target;
        break;
    case OPTION_MEGABYTES:
        number = (int64_t)(*(const size_t *)o->target >> 20);
        break;
    case OPTION_UINT64:
        (void)snprintf(out, VALUE_TEXT_MAX, "%" PRIu64, *(const uint64_t *)o->target);
        break;
    case OPTION_DOUBLE:
        (void)snprintf(out, VALUE_TEXT_MAX, "%g", *(const double *)o->target);
        break;
    case OPTION_CHOICE:
        (void)option_word(o, *(const int *)o->target, out);
        break;
    case OPTION_EITHER:
        (void)option_word(o, *(const bool *)o->target, out);
        break;
    case OPTION_STRING:
        text = *(const char *const *)o->target;
        break;
    case OPTION_TIME:
        if (*(const int64_t *)o->target) value_format_time(*(const int64_t *)o->target, out);
        break;
    case OPTION_CUSTOM:
        text = o->preset;
        break;
    default:
        break;
    }
    if (text) (void)snprintf(out, VALUE_TEXT_MAX, "%s", text);
    if (number) (void)snprintf(out, VALUE_TEXT_MAX, "%" PRId64, number);
}

void option_default_text(const Option *o, char *out, size_t size)
{
    char value[VALUE_TEXT_MAX];

    *out = '\0';
    value_text(o, value);
    if (value[0])
        (void)snprintf(out, size, " (default %s)", value);
    else if (o->kind == OPTION_LIST)
        (void)snprintf(out, size, " (may be repeated)");
    else if (option_is_flag(o) && *(const bool *)o->target == (o->kind == OPTION_FLAG))
        (void)snprintf(out, size, " (default; --no-%s turns it off)", o->name);
}

/* ---- Values */

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

    assert(o->kind != OPTION_INT || (o->maximum > 0 && o->maximum <= INT_MAX));
    if (time ? !value_parse_time(text, &value) : !value_parse_int(text, &value))
        return refuse(o, dashes, time ? "a time such as 90s, 10m or 2h" : "a whole number", text,
                      err);
    Status status = check_bounds(o, dashes, (double)value, text, err);
    if (status != STATUS_OK) return status;
    if (o->kind == OPTION_INT)
        *(int *)o->target = (int)value;
    else if (o->kind == OPTION_MEGABYTES)
        *(size_t *)o->target = (size_t)value << 20;
    else
        *(int64_t *)o->target = value;
    return STATUS_OK;
}

Status option_set(const Option *o, const char *dashes, const char *text, Error *err)
{
    Status status = STATUS_OK;
    double number;
    bool flag;

    switch (o->kind) {
    case OPTION_FLAG:
    case OPTION_CLEAR:
        if (!value_parse_bool(text, &flag)) return refuse(o, dashes, "true or false", text, err);
        *(bool *)o->target = flag == (o->kind == OPTION_FLAG);
        return STATUS_OK;
    case OPTION_INT:
    case OPTION_INT64:
    case OPTION_MEGABYTES:
    case OPTION_TIME:
        return set_int(o, dashes, text, err);
    case OPTION_UINT64:
        return value_parse_uint64(text, o->target)
                   ? STATUS_OK
                   : refuse(o, dashes, "a whole number from 0 to 2^64 - 1", text, err);
    case OPTION_DOUBLE:
        if (!value_parse_double(text, &number)) return refuse(o, dashes, "a number", text, err);
        status = check_bounds(o, dashes, number, text, err);
        if (status == STATUS_OK) *(double *)o->target = number;
        return status;
    case OPTION_CHOICE:
    case OPTION_EITHER:
        return set_word(o, dashes, text, err);
    case OPTION_STRING:
        *(const char **)o->target = text;
        return STATUS_OK;
    case OPTION_CUSTOM:
        status = o->parse(o->target, text, err);
        return status == STATUS_OK ? status : error_prefix(err, "%s%s", dashes, o->name);
    default:
        return STATUS_OK;
    }
}
