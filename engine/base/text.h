/* SPDX-License-Identifier: MIT
 * Text in memory: printed there, cut into words, compared and copied. */
#ifndef TABIA_ENGINE_BASE_TEXT_H
#define TABIA_ENGINE_BASE_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/status.h"

/* ---- Printing */

/* A stream into memory that grows. open_memstream() is not used: without memory some C libraries
 * drop text of it, and neither ferror() nor fclose() reports it. Do not move it while it is open.
 * Zero: closed and empty. */
typedef struct TextStream {
    FILE *out;     /* print here; NULL when it is closed */
    char *text;    /* what has left the buffer of `out`, malloc'ed, without a NUL until the end */
    size_t length; /* of text, in bytes */
    size_t room;   /* in text */
    bool lost;     /* text was lost because memory ran out */
} TextStream;

/* False without memory. */
MUST_CHECK bool text_stream_open(TextStream *stream);

/* Completes text[0 … length-1] with what was printed so far; printing may go on. False when any of
 * it was lost. */
MUST_CHECK bool text_stream_flush(TextStream *stream);

/* Ends the stream and appends a NUL to the text, which the caller takes. False when any of it was
 * lost, or it is not open; the text is NULL then. */
MUST_CHECK bool text_stream_close(TextStream *stream);

/* Ends the stream, if it is open, and frees the text. */
void text_stream_discard(TextStream *stream);

/* Appends to the text in out[size]; what does not fit is cut. */
void text_append(char *out, size_t size, const char *format, ...) PRINTF_LIKE(3, 4);

/* Both write to `out`, which has room, and return the end, a NUL: faster than printf. */
char *text_put(char *out, const char *text);
char *text_put_int(char *out, int64_t value);

/* ---- Lines and words */

/* Text that need not be NUL-terminated, such as the rest of a line that is being read. */
typedef struct TextSpan {
    const char *at, *end;
} TextSpan;

static inline TextSpan text_span(const char *text)
{
    return (TextSpan){text, text + strlen(text)};
}

/* A word within a text. */
typedef struct TextWord {
    const char *at;
    size_t length;
} TextWord;

static inline bool text_word_is(TextWord word, const char *text)
{
    return word.length == strlen(text) && memcmp(word.at, text, word.length) == 0;
}

/* White space of the C locale. */
static inline bool text_is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Moves *text past white space and the word up to the next; its length is 0 at the end. */
TextWord text_next_word(TextSpan *text);

/* A blank line, or a comment, which begins with '#': no record of a text file. */
bool text_line_is_empty(TextSpan line);

/* ---- Strings */

/* Does the text end in these characters? */
bool text_ends_in(const char *text, const char *end);

/* Bytes of the well-formed UTF-8 sequence that the text begins with, 0 when there is none (RFC
 * 3629: no overlong forms, surrogates, or anything past U+10FFFF). An empty text has 1. */
size_t text_utf8_length(const char *text);

/* Copies to out[size] what fits of a name from outside, cut between two characters. Bytes that are
 * not UTF-8 are taken for Latin-1, PGN's encoding. The two must not overlap. */
void text_copy_utf8(char *out, size_t size, const char *from);

/* The last part of a path: what follows its last slash. */
const char *text_file_name(const char *path);

/* Replaces each byte of a control character (C0, DEL, and C1, in UTF-8 or as one byte) by '?':
 * names and quoted input must not control a terminal. */
void text_clean(char *text);

#endif
