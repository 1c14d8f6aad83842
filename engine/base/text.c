/* SPDX-License-Identifier: MIT
 * Streams into memory, by a write function of our own. */
#define _GNU_SOURCE /* fopencookie() */
#include "engine/base/text.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/types.h>

#ifndef _WIN32 /* tabia alone prints into memory */

enum { FIRST_ROOM = 1024 };

/* Makes room for `size` more bytes and a NUL. */
static bool reserve(TextStream *t, size_t size)
{
    size_t room = t->room ? t->room : FIRST_ROOM;

    while (room <= t->length + size)
        room *= 2;
    if (room == t->room) return true;
    char *text = realloc(t->text, room);
    if (!text) return false;
    t->text = text;
    t->room = room;
    return true;
}

static bool add(TextStream *t, const char *bytes, size_t size)
{
    if (!t->lost && reserve(t, size)) {
        memcpy(t->text + t->length, bytes, size);
        t->length += size;
    } else {
        t->lost = true;
    }
    return !t->lost;
}

#ifdef __APPLE__

static int write_bytes(void *stream, const char *bytes, int size)
{
    return add(stream, bytes, (size_t)size) ? size : -1;
}

static FILE *open_stream(TextStream *t)
{
    return funopen(t, NULL, write_bytes, NULL, NULL);
}

#else

static ssize_t write_bytes(void *stream, const char *bytes, size_t size)
{
    return add(stream, bytes, size) ? (ssize_t)size : 0;
}

static FILE *open_stream(TextStream *t)
{
    return fopencookie(t, "w", (cookie_io_functions_t){.write = write_bytes});
}

#endif

bool text_stream_open(TextStream *stream)
{
    *stream = (TextStream){0};
    stream->out = open_stream(stream);
    return stream->out != NULL;
}

bool text_stream_flush(TextStream *stream)
{
    if (fflush(stream->out) != 0 || ferror(stream->out)) stream->lost = true;
    return !stream->lost;
}

bool text_stream_close(TextStream *stream)
{
    if (!stream->out) return false;
    bool whole = text_stream_flush(stream);
    whole &= fclose(stream->out) == 0 && reserve(stream, 0);
    stream->out = NULL;
    if (whole)
        stream->text[stream->length] = '\0';
    else
        text_stream_discard(stream);
    return whole;
}

void text_stream_discard(TextStream *stream)
{
    if (stream->out) (void)fclose(stream->out);
    free(stream->text);
    *stream = (TextStream){0};
}

#endif

void text_append(char *out, size_t size, const char *format, ...)
{
    size_t used = strlen(out);
    va_list args;

    va_start(args, format);
    (void)vsnprintf(out + used, size - used, format, args);
    va_end(args);
}

char *text_put(char *out, const char *text)
{
    size_t length = strlen(text);
    memcpy(out, text, length + 1);
    return out + length;
}

char *text_put_int(char *out, int64_t value)
{
    char digits[20];
    int count = 0;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    if (value < 0) *out++ = '-';
    do
        digits[count++] = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    while (count > 0)
        *out++ = digits[--count];
    *out = '\0';
    return out;
}

TextWord text_next_word(TextSpan *text)
{
    while (text->at < text->end && text_is_blank(*text->at))
        text->at++;
    TextWord word = {text->at, 0};
    while (text->at < text->end && !text_is_blank(*text->at))
        text->at++;
    word.length = (size_t)(text->at - word.at);
    return word;
}

bool text_line_is_empty(TextSpan line)
{
    TextWord word = text_next_word(&line);
    return word.length == 0 || *word.at == '#';
}

bool text_ends_in(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

const char *text_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void text_clean(char *text)
{
    for (unsigned char *c = (unsigned char *)text; *c;) {
        size_t length = text_utf8_length((const char *)c);
        bool c1 = length == 2 && c[0] == 0xc2 && c[1] < 0xa0, raw = length == 0 && *c < 0xa0;
        if (c1) c[1] = '?';
        if (c1 || raw || *c < ' ' || *c == 0x7f) *c = '?';
        c += length > 0 ? length : 1;
    }
}

size_t text_utf8_length(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
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

void text_copy_utf8(char *out, size_t size, const char *from)
{
    const char *end = out + size - 1;

    while (*from) {
        unsigned char latin = (unsigned char)*from;
        size_t length = text_utf8_length(from);
        if (end - out < (length > 0 ? (ptrdiff_t)length : 2)) break;
        if (length == 0) {
            *out++ = (char)(0xc0 | latin >> 6);
            *out++ = (char)(0x80 | (latin & 0x3f));
            from++;
        }
        for (; length > 0; length--)
            *out++ = *from++;
    }
    *out = '\0';
}
