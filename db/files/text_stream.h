/* SPDX-License-Identifier: MIT
 * A text file of any size, plain or compressed by zstd, character by character, with its line
 * numbers. */
#ifndef TABIA_DB_FILES_TEXT_STREAM_H
#define TABIA_DB_FILES_TEXT_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "db/files/input_file.h"

enum { TEXT_END = -1, TEXT_BUFFER = 1 << 16 };

typedef struct TextStream {
    InputFile *file;
    const unsigned char *at, *end; /* not read yet, in buffer */
    int64_t line;                  /* of the character that comes next, from 1 */
    Error fault;                   /* of the file: the text ends there */
    unsigned char buffer[TEXT_BUFFER];
} TextStream;

/* A UTF-8 byte order mark is skipped. NULL and an Error as of input_open(). */
TextStream *text_stream_open(const char *path, Error *err);
void text_stream_close(TextStream *text); /* NULL-safe */

/* For text_stream_peek() alone. */
int text_stream_fill(TextStream *text);

/* The character that comes next; TEXT_END at the end, and where the file cannot be read further:
 * `fault` tells. A NUL byte is such a fault. */
static inline int text_stream_peek(TextStream *text)
{
    return text->at < text->end ? *text->at : text_stream_fill(text);
}

static inline int text_stream_next(TextStream *text)
{
    int c = text_stream_peek(text);
    if (c == TEXT_END) return c;
    text->at++;
    text->line += c == '\n';
    return c;
}

/* The rest of the line without its end ("\n" or "\r\n"), cut to fit; *whole tells whether it did.
 * Returns its length, or TEXT_END when there is no line left. */
int text_stream_line(TextStream *text, char *line, int size, bool *whole);

/* At the end of the text: STATUS_OK, or what ended it. */
MUST_CHECK Status text_stream_end(const TextStream *text, Error *err);

/* Puts "FILE:LINE: " before the text of err, which a parser has set; returns err's status. */
Status text_stream_place(const TextStream *text, int64_t line, Error *err);

#endif
