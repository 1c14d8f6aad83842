/* SPDX-License-Identifier: MIT
 * PGN tags: [Name "value"], one or several a line. */
#include "selfplay/formats/pgn_tags.h"

#include <stdio.h>
#include <string.h>

enum { TAG_LINE_MAX = 4096 };

static const char blanks[] = " \t\r\v\f";

static char *tag_value(PgnTagValues *tags, const char *name, size_t length)
{
    static const char *const names[] = {"White",       "Black", "Result",
                                        "Termination", "FEN",   "Variant"};
    char *const values[] = {tags->white,       tags->black, tags->result,
                            tags->termination, tags->fen,   tags->variant};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0) return values[i];
    return NULL;
}

/* Copies a value; a backslash escapes quotes and backslashes. */
static void copy_value(const char *from, const char *end, char *to)
{
    size_t n = 0;

    for (; from < end && n < PGN_VALUE_MAX - 1; from++) {
        if (*from == '\\' && from + 1 < end && (from[1] == '"' || from[1] == '\\')) from++;
        to[n++] = *from;
    }
    to[n] = '\0';
}

/* The closing quote of a value: the bracket follows, and then the end of the line or another tag.
 * So quotes and brackets inside need no escape. */
static const char *closing_quote(const char *text, const char **rest)
{
    for (const char *quote = strchr(text, '"'); quote; quote = strchr(quote + 1, '"')) {
        const char *at = quote + 1 + strspn(quote + 1, blanks);
        if (*at != ']') continue;
        at += 1 + strspn(at + 1, blanks);
        if (*at != '\0' && *at != '[' && *at != ';') continue;
        *rest = at;
        return quote;
    }
    return NULL;
}

/* Reads a tag from after its opening bracket; NULL and an Error when it is malformed. */
static const char *read_tag(const char *text, bool whole, PgnTagValues *tags, Error *err)
{
    const char *name = text + strspn(text, blanks);
    size_t length = strcspn(name, " \t\r\v\f\"]");
    const char *value = name + length + strspn(name + length, blanks);
    const char *rest = "";

    if (length == 0 || *value != '"') {
        (void)error_set(err, STATUS_BAD_INPUT, "not a tag like [Name \"value\"]: [%.40s", text);
        return NULL;
    }
    const char *end = closing_quote(++value, &rest);
    if (!end && whole) {
        (void)error_set(err, STATUS_BAD_INPUT, "the value of the tag %.*s is not closed",
                        length < 40 ? (int)length : 40, name);
        return NULL;
    }
    char *out = tag_value(tags, name, length);
    if (out) copy_value(value, end ? end : value + strlen(value), out);
    return rest;
}

Status pgn_tags_read(FileReader *text, PgnTagValues *tags, int64_t *line, Error *err)
{
    char buffer[TAG_LINE_MAX];
    Status status = STATUS_OK;
    bool whole;

    *tags = (PgnTagValues){0};
    for (;;) {
        int c = reader_peek(text);
        int64_t here = text->line;
        if (c == ' ' || (c >= '\t' && c <= '\r')) {
            (void)reader_next(text);
            continue;
        }
        if (c != '[' && c != '%' && c != ';') return status;
        (void)reader_line(text, buffer, sizeof buffer, &whole);
        for (const char *at = buffer; at && *at == '[' && status == STATUS_OK;) {
            at = read_tag(at + 1, whole, tags, err);
            if (at) continue;
            status = STATUS_BAD_INPUT;
            *line = here;
        }
    }
}
