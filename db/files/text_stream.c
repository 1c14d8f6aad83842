/* SPDX-License-Identifier: MIT
 * Text files as streams of characters. */
#include "db/files/text_stream.h"

#include <stdlib.h>
#include <string.h>

static void skip_byte_order_mark(TextStream *text)
{
    (void)text_stream_peek(text);
    if (text->end - text->at >= 3 && memcmp(text->at, "\xef\xbb\xbf", 3) == 0) text->at += 3;
}

TextStream *text_stream_open(const char *path, Error *err)
{
    TextStream *text = malloc(sizeof *text);
    if (!text) {
        (void)error_set(err, STATUS_FAILED, "out of memory");
        return NULL;
    }
    text->file = input_open(path, err);
    if (!text->file) {
        free(text);
        return NULL;
    }
    text->at = text->end = text->buffer;
    text->line = 1;
    text->fault = (Error){0};
    skip_byte_order_mark(text);
    return text;
}

void text_stream_close(TextStream *text)
{
    if (!text) return;
    input_close(text->file);
    free(text);
}

int text_stream_fill(TextStream *text)
{
    size_t n;

    if (text->fault.status != STATUS_OK) return TEXT_END;
    Status status = input_read(text->file, text->buffer, TEXT_BUFFER, &n, &text->fault);
    const void *nul = memchr(text->buffer, '\0', n);
    if (nul) {
        n = (size_t)((const unsigned char *)nul - text->buffer);
        status = error_set(&text->fault, STATUS_BAD_INPUT, "%s: not a text file: it has a NUL byte",
                           input_path(text->file));
    }
    text->fault.status = status; /* what was read before a fault still counts */
    text->at = text->buffer;
    text->end = text->buffer + n;
    return n > 0 ? *text->at : TEXT_END;
}

int text_stream_line(TextStream *text, char *line, int size, bool *whole)
{
    int length = 0;
    bool ended = false;

    *whole = true;
    if (text_stream_peek(text) == TEXT_END) return TEXT_END;
    while (!ended && text_stream_peek(text) != TEXT_END) {
        size_t left = (size_t)(text->end - text->at);
        const unsigned char *end = memchr(text->at, '\n', left);
        size_t part = end ? (size_t)(end - text->at) : left, room = (size_t)(size - 1 - length);
        *whole = *whole && part <= room;
        size_t copied = part < room ? part : room;
        memcpy(line + length, text->at, copied);
        length += (int)copied;
        ended = end != NULL;
        text->at += part + ended;
        text->line += ended;
    }
    if (*whole && length > 0 && line[length - 1] == '\r') length--;
    line[length] = '\0';
    return length;
}

Status text_stream_end(const TextStream *text, Error *err)
{
    if (err && text->fault.status != STATUS_OK) *err = text->fault;
    return text->fault.status;
}

Status text_stream_place(const TextStream *text, int64_t line, Error *err)
{
    return error_prefix(err, "%s:%lld", input_path(text->file), (long long)line);
}
