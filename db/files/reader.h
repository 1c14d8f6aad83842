/* SPDX-License-Identifier: MIT
 * A file of any size, plain or compressed, read piece by piece: characters, lines, records, bytes
 * or blocks of lines. */
#ifndef TABIA_DB_FILES_READER_H
#define TABIA_DB_FILES_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "db/files/input_file.h"

enum { READER_END = -1 };

typedef enum LineEnds { ENDS_UNKNOWN, ENDS_NEWLINE, ENDS_RETURN } LineEnds;

typedef struct FileReader {
    InputFile *file;
    const unsigned char *at, *end; /* read ahead and not taken yet, in buffer */
    int64_t line;                  /* of the next character, from 1: for characters and lines */
    int64_t offset;                /* of `end` in the unpacked file */
    bool text, ended;              /* ended: nothing follows `end` */
    bool part;                     /* of another reader, which owns the file */
    bool nul;                      /* of text: the last byte was a NUL, so that a line must end */
    bool returned;                 /* of text: the last byte was a carriage return */
    LineEnds ends;                 /* of text: how its first line ends */
    Error fault;                   /* why the file ended early, or STATUS_OK */
    bool reported;                 /* the fault was, by reader_take() */
    unsigned char *buffer;         /* [capacity], owned; grows where a block needs it */
    size_t capacity;
} FileReader;

/* NULL and an Error as of input_open(). */
FileReader *reader_open(const char *path, Error *err);
/* For text: a UTF-8 byte order mark is skipped; Ctrl-Z, with which DOS programs end files, such
 * marks where files were joined, and NUL bytes at the end of a line are read as blanks, carriage
 * returns as newlines where the first line ends with one alone. A NUL byte within a line is a
 * fault. */
FileReader *reader_open_text(const char *path, Error *err);
void reader_close(FileReader *reader); /* NULL-safe */

/* Reads up to `size` bytes more: they follow what at[0, end - at) holds already. */
void reader_fill(FileReader *reader, size_t size);

/* STATUS_OK, or the fault that ended the file. Characters and lines before a fault are read. */
MUST_CHECK Status reader_fault(const FileReader *reader, Error *err);

/* ---- Characters and lines */

/* For reader_peek() alone. */
int reader_peek_slowly(FileReader *reader);

/* The next character, which is not taken; READER_END at the end of the file or at a fault. */
static inline int reader_peek(FileReader *reader)
{
    return reader->at < reader->end ? *reader->at : reader_peek_slowly(reader);
}

static inline int reader_next(FileReader *reader)
{
    int c = reader_peek(reader);
    if (c == READER_END) return c;
    reader->at++;
    reader->line += c == '\n';
    return c;
}

/* The next characters, at most *size of them, which are not taken. The caller may change them and
 * the character after them. *size becomes their number: less only at the end. */
char *reader_ahead(FileReader *reader, size_t *size);

/* Takes `size` characters that were read ahead. */
void reader_advance(FileReader *reader, size_t size);

/* Takes `size` characters that were read ahead as a file of their own, with their number of line.
 * It borrows the path of `reader`. NULL and an Error when out of memory. */
FileReader *reader_split(FileReader *reader, size_t size, Error *err);

/* Takes the characters before the next `closing`, and that one; false: all to the end of the file.
 * Copies the first ones to text[size], without a NUL; *length: their number. */
bool reader_take_past(FileReader *reader, int closing, char *text, size_t size, size_t *length);

/* The rest of the line without its end ("\n" or "\r\n"), as a string that the caller may change,
 * valid until the next call. Of a file that was not opened as text, a byte order mark is skipped,
 * and any NUL byte and Ctrl-Z is read as a blank. NULL when no line is left: a line that a fault
 * cuts off is not read, and one of more than 64 MB is a fault. */
char *reader_line(FileReader *reader);

/* ---- Records: lines that are neither blank nor comments (text.h) */

typedef struct TextRecord {
    char *text;   /* without blanks before it; borrowed, as of reader_line(); may be changed */
    int64_t line; /* from 1; at the end of the file of what would follow */
} TextRecord;

/* Reads the next record; false when none is left. */
bool record_next(FileReader *reader, TextRecord *record);

typedef Status RecordUse(void *context, const TextRecord *record, Error *err);

/* Uses each record of the file, up to the first that is refused: then the Error begins with
 * "FILE:LINE: " if it is STATUS_BAD_INPUT. The reader is taken; NULL: it could not be opened, as
 * *err says. */
MUST_CHECK Status records_use(FileReader *reader, RecordUse *use, void *context, Error *err);

/* ---- Bytes and blocks */

/* The next `size` bytes, valid until the next call; *data is NULL at the end of the file, before
 * the first of them. STATUS_BAD_INPUT, naming the file: it ends within them or has a fault before
 * their end, which is reported once; then the file is at its end. */
MUST_CHECK Status reader_take(FileReader *reader, size_t size, const uint8_t **data, Error *err);

/* The next block of whole lines: about `size` bytes, more where one line is longer; only the last
 * line of the file may lack its newline. *length is 0 at the end. Valid until the next call.
 * STATUS_BAD_INPUT at a fault and at a line of more than 64 MB. */
MUST_CHECK Status reader_block(FileReader *reader, size_t size, const char **text, size_t *length,
                               Error *err);

/* Offset of the next byte in the unpacked file. */
int64_t reader_offset(const FileReader *reader);

/* ---- Errors: put "FILE:LINE: " or "FILE, byte N: " before the text of err; return its status */
Status reader_place_line(const FileReader *reader, int64_t line, Error *err);
Status reader_place_byte(const FileReader *reader, int64_t offset, Error *err);

#endif
