/* SPDX-License-Identifier: MIT
 * Reading a file piece by piece through one buffer. */
#include "db/files/reader.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 16, LINE_MOST = 1 << 26 };

FileReader *reader_open(const char *path, Error *err)
{
    FileReader *reader = calloc(1, sizeof *reader);
    if (!reader) {
        (void)error_set(err, STATUS_FAILED, "%s: out of memory", path);
        return NULL;
    }
    reader->line = 1;
    reader->file = input_open(path, err);
    if (reader->file) return reader;
    free(reader);
    return NULL;
}

FileReader *reader_open_text(const char *path, Error *err)
{
    FileReader *reader = reader_open(path, err);

    if (!reader) return NULL;
    reader->text = true;
    reader_fill(reader, CHUNK);
    if (reader->end - reader->at >= 3 && memcmp(reader->at, "\xef\xbb\xbf", 3) == 0)
        reader->at += 3;
    return reader;
}

void reader_close(FileReader *reader)
{
    if (!reader) return;
    input_close(reader->file);
    free(reader->buffer);
    free(reader);
}

static size_t unread(const FileReader *reader)
{
    return (size_t)(reader->end - reader->at);
}

/* Moves the unread bytes to the front of a buffer that has room for `size` more. */
static Status make_room(FileReader *reader, size_t size)
{
    size_t left = unread(reader);

    if (left > 0) memmove(reader->buffer, reader->at, left);
    if (left + size > reader->capacity) {
        unsigned char *grown = realloc(reader->buffer, left + size);
        if (!grown)
            return error_set(&reader->fault, STATUS_FAILED, "%s: out of memory",
                             input_path(reader->file));
        reader->buffer = grown;
        reader->capacity = left + size;
    }
    reader->at = reader->buffer;
    reader->end = reader->buffer + left;
    return STATUS_OK;
}

void reader_fill(FileReader *reader, size_t size)
{
    size_t n = 0;

    if (reader->ended) return;
    Status status = make_room(reader, size);
    unsigned char *to = reader->buffer + unread(reader);
    if (status == STATUS_OK) status = input_read(reader->file, to, size, &n, &reader->fault);
    const unsigned char *nul = reader->text && n > 0 ? memchr(to, '\0', n) : NULL;
    if (nul) {
        n = (size_t)(nul - to);
        status = error_set(&reader->fault, STATUS_BAD_INPUT,
                           "%s: not a text file: it has a NUL byte", input_path(reader->file));
    }
    reader->fault.status = status;
    reader->ended = n < size || status != STATUS_OK;
    reader->end += n;
    reader->offset += (int64_t)n;
}

Status reader_fault(const FileReader *reader, Error *err)
{
    if (reader->fault.status != STATUS_OK) *err = reader->fault;
    return reader->fault.status;
}

/* ---- Characters and lines */

int reader_peek_slowly(FileReader *reader)
{
    reader_fill(reader, CHUNK);
    return reader->at < reader->end ? *reader->at : READER_END;
}

int reader_line(FileReader *reader, char *line, int size, bool *whole)
{
    int length = 0;
    bool ended = false;

    *whole = true;
    if (reader_peek(reader) == READER_END) return READER_END;
    while (!ended && reader_peek(reader) != READER_END) {
        const unsigned char *end = memchr(reader->at, '\n', unread(reader));
        size_t part = end ? (size_t)(end - reader->at) : unread(reader);
        size_t room = (size_t)(size - 1 - length);
        *whole = *whole && part <= room;
        size_t copied = part < room ? part : room;
        memcpy(line + length, reader->at, copied);
        length += (int)copied;
        ended = end != NULL;
        reader->at += part + ended;
        reader->line += ended;
    }
    if (*whole && length > 0 && line[length - 1] == '\r') length--;
    line[length] = '\0';
    return length;
}

/* ---- Bytes and blocks */

Status reader_take(FileReader *reader, size_t size, const uint8_t **data, Error *err)
{
    *data = NULL;
    if (unread(reader) < size) reader_fill(reader, size > CHUNK ? size : CHUNK);
    if (unread(reader) < size && reader->fault.status != STATUS_OK && !reader->reported) {
        reader->at = reader->end;
        reader->reported = true;
        return reader_fault(reader, err);
    }
    if (unread(reader) == 0) return STATUS_OK;
    if (unread(reader) < size) {
        reader->at = reader->end;
        return error_set(err, STATUS_BAD_INPUT, "%s: cut off: it ends at byte %lld",
                         input_path(reader->file), (long long)reader->offset);
    }
    *data = reader->at;
    reader->at += size;
    return STATUS_OK;
}

/* Where the last whole line of text[0, length) ends; 0 when there is no newline. */
static size_t whole_lines(const unsigned char *text, size_t length)
{
    while (length > 0 && text[length - 1] != '\n')
        length--;
    return length;
}

Status reader_block(FileReader *reader, size_t size, const char **text, size_t *length, Error *err)
{
    *length = 0;
    while (*length == 0 && !reader->ended) {
        size_t left = unread(reader);
        if (left > LINE_MOST)
            return error_set(err, STATUS_BAD_INPUT, "%s: a line of more than %d MB",
                             input_path(reader->file), LINE_MOST >> 20);
        reader_fill(reader, left > size ? left : size); /* a long line is searched twice at most */
        *length = whole_lines(reader->at, unread(reader));
    }
    if (reader->ended) *length = unread(reader);
    *text = (const char *)reader->at;
    reader->at += *length;
    return reader_fault(reader, err);
}

int64_t reader_offset(const FileReader *reader)
{
    return reader->offset - (int64_t)unread(reader);
}

/* ---- Errors */

Status reader_place_line(const FileReader *reader, int64_t line, Error *err)
{
    return error_prefix(err, "%s:%lld", input_path(reader->file), (long long)line);
}

Status reader_place_byte(const FileReader *reader, int64_t offset, Error *err)
{
    return error_prefix(err, "%s, byte %lld", input_path(reader->file), (long long)offset);
}
