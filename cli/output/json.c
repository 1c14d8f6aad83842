/* SPDX-License-Identifier: MIT
 * Writing one JSON value to a stream, piece by piece, and reading back what was written (RFC 8259).
 */
#include "cli/output/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
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

/* ---- Reading */

static const char *skip_space(const char *s)
{
    return s + strspn(s, " \t\r\n");
}

/* Past the string that begins at s, or to the end of a text that breaks off. */
static const char *skip_string(const char *s)
{
    for (s++; *s && *s != '"'; s++)
        if (*s == '\\' && s[1]) s++;
    return *s ? s + 1 : s;
}

/* Past the value that begins at s. */
static const char *skip_value(const char *s)
{
    int depth = 0;

    while (*s) {
        if (*s == '"') {
            s = skip_string(s);
            continue;
        }
        if (*s == '{' || *s == '[') depth++;
        if (*s == '}' || *s == ']') depth--;
        if (depth < 0 || (depth == 0 && *s == ',')) break;
        s++;
    }
    return s;
}

/* Where the key's value begins, or NULL. */
static const char *find_value(const char *object, const char *key)
{
    size_t length = strlen(key);
    const char *s = skip_space(object);

    if (*s != '{') return NULL;
    for (s = skip_space(s + 1); *s == '"'; s = skip_space(s + 1)) {
        const char *name = s + 1;
        s = skip_string(s);
        bool found = s == name + length + 1 && strncmp(name, key, length) == 0;
        s = skip_space(s);
        if (*s != ':') return NULL;
        s = skip_space(s + 1);
        if (found) return s;
        s = skip_value(s);
        if (*s != ',') return NULL;
    }
    return NULL;
}

/* The integer at *s, stepping over it. */
static bool read_int(const char **s, int64_t *value)
{
    char *end;
    intmax_t number = strtoimax(*s, &end, 10);

    if (end == *s || *end == '.' || *end == 'e' || *end == 'E') return false;
    *value = (int64_t)number;
    *s = end;
    return true;
}

bool json_get_int(const char *object, const char *key, int64_t *value)
{
    const char *s = find_value(object, key);
    return s && read_int(&s, value);
}

bool json_get_double(const char *object, const char *key, double *value)
{
    const char *s = find_value(object, key);
    char *end;

    if (!s) return false;
    double number = strtod(s, &end);
    if (end == s) return false;
    *value = number;
    return true;
}

bool json_get_bool(const char *object, const char *key, bool *value)
{
    const char *s = find_value(object, key);

    if (!s || (*s != 't' && *s != 'f')) return false;
    *value = *s == 't';
    return true;
}

bool json_get_string(const char *object, const char *key, char *out, size_t size)
{
    const char *s = find_value(object, key);
    size_t used = 0;

    if (!s || *s != '"') return false;
    for (s++; *s && *s != '"'; s++) {
        if (*s == '\\' && (s[1] == '"' || s[1] == '\\')) s++;
        if (used + 1 < size) out[used++] = *s;
    }
    out[used] = '\0';
    return true;
}

bool json_get_ints(const char *object, const char *key, int64_t *values, int count)
{
    const char *s = find_value(object, key);
    int64_t read[16];

    if (!s || *s++ != '[' || count > (int)(sizeof read / sizeof *read)) return false;
    for (int i = 0; i < count; i++) {
        if (!read_int(&s, &read[i])) return false;
        s = skip_space(s);
        if (*s++ != (i + 1 < count ? ',' : ']')) return false;
    }
    memcpy(values, read, (size_t)count * sizeof *values);
    return true;
}
