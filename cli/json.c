/* SPDX-License-Identifier: MIT
 * Writing one JSON value to a stream or a string, piece by piece (RFC 8259). */
#include "cli/json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void json_begin(JsonWriter *w, FILE *out)
{
    *w = (JsonWriter){.out = out, .first = true};
}

/* Length of the well-formed UTF-8 sequence at s, 0 when there is none (RFC 3629: no overlong forms,
 * surrogates, or anything past U+10FFFF). */
static size_t utf8_length(const unsigned char *s)
{
    static const struct {
        unsigned char first, last, low, high; /* lead bytes, and the range of the second byte */
        size_t length;
    } forms[] = {
        {0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (s[0] < forms[i].first || s[0] > forms[i].last) continue;
        size_t length = forms[i].length;
        if (length > 1 && (s[1] < forms[i].low || s[1] > forms[i].high)) return 0;
        for (size_t k = 2; k < length; k++)
            if ((s[k] & 0xc0) != 0x80) return 0;
        return length;
    }
    return 0;
}

static void write_quoted(FILE *out, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;

    putc('"', out);
    while (*s) {
        size_t length = utf8_length(s);
        if (length == 0) {
            fputs("\\ufffd", out); /* a file name may be any bytes; JSON may not */
            s++;
            continue;
        }
        if (*s == '"' || *s == '\\') {
            fprintf(out, "\\%c", *s);
        } else if (*s == '\n') {
            fputs("\\n", out);
        } else if (*s == '\t') {
            fputs("\\t", out);
        } else if (*s < 0x20 || *s == 0x7f) {
            fprintf(out, "\\u%04x", *s);
        } else {
            (void)fwrite(s, 1, length, out);
        }
        s += length;
    }
    putc('"', out);
}

/* Everything that stands before a value: the comma after its elder, its key. */
static void before_value(JsonWriter *w, const char *key)
{
    if (!w->first) fputs(", ", w->out);
    w->first = false;
    if (key) {
        write_quoted(w->out, key);
        fputs(": ", w->out);
    }
}

static void open_nest(JsonWriter *w, const char *key, char bracket)
{
    before_value(w, key);
    putc(bracket, w->out);
    w->depth++;
    w->first = true;
}

static void close_nest(JsonWriter *w, char bracket)
{
    putc(bracket, w->out);
    w->depth--;
    w->first = false;
}

void json_object(JsonWriter *w, const char *key)
{
    open_nest(w, key, '{');
}

void json_end_object(JsonWriter *w)
{
    close_nest(w, '}');
}

void json_array(JsonWriter *w, const char *key)
{
    open_nest(w, key, '[');
}

void json_end_array(JsonWriter *w)
{
    close_nest(w, ']');
}

void json_string(JsonWriter *w, const char *key, const char *value)
{
    before_value(w, key);
    if (value)
        write_quoted(w->out, value);
    else
        fputs("null", w->out);
}

void json_int(JsonWriter *w, const char *key, int64_t value)
{
    before_value(w, key);
    fprintf(w->out, "%" PRId64, value);
}

void json_uint(JsonWriter *w, const char *key, uint64_t value)
{
    before_value(w, key);
    fprintf(w->out, "%" PRIu64, value);
}

void json_bool(JsonWriter *w, const char *key, bool value)
{
    before_value(w, key);
    fputs(value ? "true" : "false", w->out);
}

void json_double(JsonWriter *w, const char *key, double value, int digits)
{
    before_value(w, key);
    if (isfinite(value))
        fprintf(w->out, "%.*g", digits, value == 0 ? 0.0 : value); /* never "-0" */
    else
        fputs("null", w->out);
}

void json_finish(JsonWriter *w)
{
    putc('\n', w->out);
}
