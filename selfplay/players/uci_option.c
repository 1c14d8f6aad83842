/* SPDX-License-Identifier: MIT
 * Checking the options of UCI engines. */
#include "selfplay/players/uci_option.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/suggest.h"
#include "engine/base/text.h"

/* The text after `key`, up to the first of `ends` or the end; .at is NULL without the key. */
static TextWord words_after(const char *line, const char *key, const char *const *ends)
{
    const char *start = strstr(line, key);

    if (!start) return (TextWord){NULL, 0};
    start += strlen(key);
    const char *end = start + strlen(start);
    for (; *ends; ends++) {
        const char *at = strstr(start > line ? start - 1 : start, *ends);
        if (at && at < end) end = at;
    }
    return (TextWord){start, end > start ? (size_t)(end - start) : 0};
}

/* Of "option name NAME type TYPE …": a name may hold the other keywords. */
static TextWord option_name(const char *line)
{
    return words_after(line, "option name ", (const char *const[]){" type ", NULL});
}

/* From " type " on; "" without. */
static const char *after_name(const char *line)
{
    const char *type = strstr(line, " type ");
    return type ? type : "";
}

static TextWord option_part(const char *line, const char *key)
{
    return words_after(after_name(line), key,
                       (const char *const[]){" default ", " min ", " max ", " var ", NULL});
}

static TextWord name_of_wanted(const char *wanted)
{
    const char *equals = strchr(wanted, '=');
    return (TextWord){wanted, equals ? (size_t)(equals - wanted) : strlen(wanted)};
}

static bool read_number(const char *text, long long *value)
{
    char *end;

    errno = 0;
    *value = strtoll(text, &end, 10);
    return end != text && !errno && (*end == '\0' || *end == ' ');
}

static Status check_spin(const char *line, const char *wanted, const char *value, Error *err)
{
    long long number, least, most;
    TextWord min = option_part(line, " min "), max = option_part(line, " max ");

    if (!read_number(value, &number) || strchr(value, ' '))
        return error_set(err, STATUS_ENGINE, "%s: the option's value must be a number", wanted);
    if ((min.at && read_number(min.at, &least) && number < least) ||
        (max.at && read_number(max.at, &most) && number > most))
        return error_set(err, STATUS_ENGINE, "%s: the option's value must be from %.*s to %.*s",
                         wanted, (int)min.length, min.at ? min.at : "", (int)max.length,
                         max.at ? max.at : "");
    return STATUS_OK;
}

static Status check_combo(const char *line, const char *wanted, const char *value, Error *err)
{
    const char *first = strstr(after_name(line), " var ");
    size_t length = strlen(value);

    for (const char *at = first; at; at = strstr(at + 4, " var ")) {
        const char *end = at + strlen(" var ") + length;
        if (strncmp(at + strlen(" var "), value, length) == 0 &&
            (!*end || strncmp(end, " var ", 5) == 0 || strncmp(end, " default ", 9) == 0))
            return STATUS_OK;
    }
    return error_set(err, STATUS_ENGINE, "%s: the option does not have this value; it has:%.200s",
                     wanted, first ? first : " none");
}

static Status check_value(const char *line, const char *wanted, Error *err)
{
    TextWord type = option_part(line, " type ");
    const char *equals = strchr(wanted, '='), *value = equals ? equals + 1 : NULL;

    if (text_word_is(type, "button"))
        return !value || !*value
                   ? STATUS_OK
                   : error_set(err, STATUS_ENGINE, "%s: a button takes no value", wanted);
    if (!value) return error_set(err, STATUS_ENGINE, "%s: the option needs a value", wanted);
    if (text_word_is(type, "spin")) return check_spin(line, wanted, value, err);
    if (text_word_is(type, "combo")) return check_combo(line, wanted, value, err);
    if (text_word_is(type, "check") && strcmp(value, "true") != 0 && strcmp(value, "false") != 0)
        return error_set(err, STATUS_ENGINE, "%s: the option's value must be true or false",
                         wanted);
    return STATUS_OK;
}

static void add_name(UciOptionCheck *check, TextWord name)
{
    size_t used = strlen(check->names);

    if (used + name.length + sizeof ", " <= sizeof check->names)
        (void)snprintf(check->names + used, sizeof check->names - used, "%s%.*s", used ? ", " : "",
                       (int)name.length, name.at);
}

Status uci_option_line(UciOptionCheck *check, const char *line, Error *err)
{
    if (strncmp(line, "option name ", 12) != 0) return STATUS_OK;
    TextWord name = option_name(line);
    add_name(check, name);
    for (int i = 0; i < check->count; i++) {
        TextWord wanted = name_of_wanted(check->wanted[i]);
        if (wanted.length != name.length || memcmp(wanted.at, name.at, name.length) != 0) continue;
        check->known[i] = true;
        Status status = check_value(line, check->wanted[i], err);
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

/* Offers the names of the engine's options. */
static const char *nearest(const UciOptionCheck *check, TextWord name, Suggestion *s)
{
    char wanted[UCI_OPTION_NAMES_MAX], names[UCI_OPTION_NAMES_MAX];

    (void)snprintf(wanted, sizeof wanted, "%.*s", (int)name.length, name.at);
    (void)snprintf(names, sizeof names, "%s", check->names);
    suggest_begin(s, wanted);
    for (char *at = names, *next; at; at = next) {
        next = strstr(at, ", ");
        if (next) *next = '\0', next += 2;
        suggest_offer(s, at);
    }
    return suggest_text(s, "", "");
}

Status uci_option_end(const UciOptionCheck *check, Error *err)
{
    for (int i = 0; i < check->count; i++) {
        TextWord name = name_of_wanted(check->wanted[i]);
        if (check->known[i] || strcmp(check->wanted[i], "Threads=1") == 0) continue;
        Suggestion s;
        return error_set(err, STATUS_ENGINE, "no option %.*s%s%s%s", (int)name.length, name.at,
                         check->names[0] ? "; its options are " : "; it has no options",
                         check->names, nearest(check, name, &s));
    }
    return STATUS_OK;
}
