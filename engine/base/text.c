/* SPDX-License-Identifier: MIT
 * Streams into memory, by a write function of our own. */
#define _GNU_SOURCE /* fopencookie() */
#include "engine/base/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
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

bool text_ends_in(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

void text_clean(char *text)
{
    for (unsigned char *c = (unsigned char *)text; *c; c++) {
        bool c1 = c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0;
        if (c1) c[1] = '?';
        if (c1 || *c < ' ' || *c == 0x7f) *c = '?';
    }
}
