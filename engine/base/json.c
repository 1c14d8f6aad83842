/* SPDX-License-Identifier: MIT
 * Writing JSON (RFC 8259). */
#include "engine/base/json.h"

#include <inttypes.h>
#include <math.h>

static void write_quoted(const JsonWriter *w, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;

    putc('"', w->out);
    while (*s) {
        size_t length = w->compact ? 1 : text_utf8_length((const char *)s);
        if (length == 0) {
            fputs("\\ufffd", w->out); /* a file name may have any bytes, JSON only UTF-8 */
            s++;
            continue;
        }
        if (*s == '"' || *s == '\\')
            fprintf(w->out, "\\%c", *s);
        else if (*s == '\n' && !w->compact)
            fputs("\\n", w->out);
        else if (*s == '\t' && !w->compact)
            fputs("\\t", w->out);
        else if (*s < 0x20 || (*s == 0x7f && !w->compact))
            fprintf(w->out, "\\u%04x", *s);
        else if (length == 2 && *s == 0xc2 && s[1] < 0xa0) /* C1 controls a terminal, too */
            fprintf(w->out, "\\u%04x", s[1]);
        else
            (void)fwrite(s, 1, length, w->out);
        s += length;
    }
    putc('"', w->out);
}

/* Everything that stands before a value: the comma after the one before, its key. False: there is
 * no stream. */
static bool before_value(JsonWriter *w, const char *key)
{
    if (!w->out) return false;
    if (w->comma) fputs(w->compact ? "," : ", ", w->out);
    w->comma = true;
    if (key) {
        write_quoted(w, key);
        fputs(w->compact ? ":" : ": ", w->out);
    }
    return true;
}

static void open_nest(JsonWriter *w, const char *key, char bracket)
{
    if (!before_value(w, key)) return;
    putc(bracket, w->out);
    w->comma = false;
}

static void close_nest(JsonWriter *w, char bracket)
{
    if (w->out) putc(bracket, w->out);
    w->comma = true;
}

void json_begin(JsonWriter *w, FILE *out)
{
    *w = (JsonWriter){.out = out};
    json_object(w, NULL);
}

void json_finish(JsonWriter *w)
{
    json_end_object(w);
    putc('\n', w->out);
}

void json_begin_text(JsonWriter *w, bool compact)
{
    *w = (JsonWriter){.compact = compact};
    if (text_stream_open(&w->text)) w->out = w->text.out;
    json_object(w, NULL);
}

Status json_finish_text(JsonWriter *w, char **text, Error *err)
{
    json_end_object(w);
    if (!text_stream_close(&w->text))
        return error_set(err, STATUS_FAILED, "out of memory for JSON");
    *text = w->text.text;
    return STATUS_OK;
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

void json_ints(JsonWriter *w, const char *key, const int64_t *values, int count)
{
    json_array(w, key);
    for (int i = 0; i < count; i++)
        json_int(w, NULL, values[i]);
    json_end_array(w);
}

void json_string(JsonWriter *w, const char *key, const char *value)
{
    if (!before_value(w, key)) return;
    if (value)
        write_quoted(w, value);
    else
        fputs("null", w->out);
}

void json_int(JsonWriter *w, const char *key, int64_t value)
{
    if (!before_value(w, key)) return;
    fprintf(w->out, "%" PRId64, value);
}

void json_uint(JsonWriter *w, const char *key, uint64_t value)
{
    if (!before_value(w, key)) return;
    fprintf(w->out, "%" PRIu64, value);
}

void json_bool(JsonWriter *w, const char *key, bool value)
{
    if (!before_value(w, key)) return;
    fputs(value ? "true" : "false", w->out);
}

void json_double(JsonWriter *w, const char *key, double value, int digits)
{
    if (!before_value(w, key)) return;
    if (value == 0 && !w->compact)
        value = 0.0; /* no "-0", but in compact text, as stored configurations have it */
    if (isfinite(value))
        fprintf(w->out, "%.*g", digits, value);
    else
        fputs("null", w->out);
}
