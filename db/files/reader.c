/* SPDX-License-Identifier: MIT
 * Reading a file piece by piece through one buffer. */
#include "db/files/reader.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/text.h"

enum { CHUNK = 1 << 16, LINE_MOST = 1 << 26 };

#define BYTE_ORDER_MARK "\xef\xbb\xbf" /* of UTF-8 */

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
    if (reader->end - reader->at >= 3 && memcmp(reader->at, BYTE_ORDER_MARK, 3) == 0)
        reader->at += 3;
    return reader;
}

void reader_close(FileReader *reader)
{
    if (!reader) return;
    if (!reader->part) input_close(reader->file);
    free(reader->buffer);
    free(reader);
}

static size_t unread(const FileReader *reader)
{
    return (size_t)(reader->end - reader->at);
}

/* Moves the unread bytes to the front of a buffer that has room for `size` more and a NUL. */
static Status make_room(FileReader *reader, size_t size)
{
    size_t left = unread(reader), wanted = left + size + 1;

    if (left > 0) memmove(reader->buffer, reader->at, left);
    if (wanted > reader->capacity) {
        unsigned char *grown = realloc(reader->buffer, wanted);
        if (!grown)
            return error_set(&reader->fault, STATUS_FAILED, "%s: out of memory",
                             input_path(reader->file));
        reader->buffer = grown;
        reader->capacity = wanted;
    }
    reader->at = reader->buffer;
    reader->end = reader->buffer + left;
    return STATUS_OK;
}

/* Of a file whose first line ends with a carriage return alone, all do: makes them newlines. */
static void accept_line_ends(FileReader *reader, unsigned char *text, size_t n)
{
    unsigned char *at = text, *const end = text + n;

    for (; reader->ends == ENDS_UNKNOWN && at < end; at++) {
        if (*at == '\n')
            reader->ends = ENDS_NEWLINE;
        else if (reader->returned && *at != '\r')
            reader->ends = ENDS_RETURN;
        reader->returned = *at == '\r';
    }
    if (reader->ends != ENDS_RETURN) return;
    for (at = text; (at = memchr(at, '\r', (size_t)(end - at))) != NULL;)
        *at = '\n';
}

/* Byte order marks at the beginning of lines, where files with one were joined, become blanks. */
static void accept_marks(unsigned char *text, size_t n)
{
    enum { LENGTH = sizeof BYTE_ORDER_MARK - 1 };
    unsigned char *at = text, *const end = text + n;

    while ((at = memchr(at, (unsigned char)BYTE_ORDER_MARK[0], (size_t)(end - at))) != NULL) {
        bool is_mark = at > text && at[-1] == '\n' && end - at >= LENGTH &&
                       memcmp(at, BYTE_ORDER_MARK, LENGTH) == 0;
        if (is_mark) memset(at, ' ', LENGTH);
        at++;
    }
}

/* Reads what ends lines and files elsewhere as blanks. Returns how many bytes of text[0, n) are
 * text: those before a NUL within a line. */
static size_t accept_text(FileReader *reader, unsigned char *text, size_t n)
{
    unsigned char *at = text, *const end = text + n;

    accept_line_ends(reader, text, n);
    accept_marks(text, n);
    while (n > 0 && (reader->nul || (at = memchr(at, '\0', (size_t)(end - at))) != NULL)) {
        unsigned char *nul = at;
        while (at < end && *at == '\0')
            *at++ = ' ';
        reader->nul = at == end;
        if (reader->nul) break;
        if (!memchr("\r\n\x1a", *at, 3)) return (size_t)(nul - text);
    }
    for (at = text; (at = memchr(at, '\x1a', (size_t)(end - at))) != NULL;)
        *at = ' ';
    return n;
}

void reader_fill(FileReader *reader, size_t size)
{
    size_t n = 0;

    if (reader->ended) return;
    Status status = make_room(reader, size);
    unsigned char *to = reader->buffer + unread(reader);
    if (status == STATUS_OK) status = input_read(reader->file, to, size, &n, &reader->fault);
    size_t accepted = reader->text ? accept_text(reader, to, n) : n;
    if (accepted < n) {
        n = accepted;
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

char *reader_ahead(FileReader *reader, size_t *size)
{
    if (unread(reader) < *size) reader_fill(reader, *size > CHUNK ? *size : CHUNK);
    if (unread(reader) < *size) *size = unread(reader);
    return (char *)reader->buffer + (reader->at - reader->buffer);
}

void reader_advance(FileReader *reader, size_t size)
{
    const unsigned char *end = reader->at + size, *newline;

    while ((newline = memchr(reader->at, '\n', (size_t)(end - reader->at))) != NULL) {
        reader->line++;
        reader->at = newline + 1;
    }
    reader->at = end;
}

FileReader *reader_split(FileReader *reader, size_t size, Error *err)
{
    FileReader *part = malloc(sizeof *part);
    unsigned char *buffer = malloc(size + 1);

    if (!part || !buffer) {
        (void)error_set(err, STATUS_FAILED, "%s: out of memory", input_path(reader->file));
        free(part);
        free(buffer);
        return NULL;
    }
    memcpy(buffer, reader->at, size);
    *part = (FileReader){.file = reader->file,
                         .at = buffer,
                         .end = buffer + size,
                         .line = reader->line,
                         .text = reader->text,
                         .ended = true,
                         .part = true,
                         .buffer = buffer,
                         .capacity = size + 1};
    reader_advance(reader, size);
    return part;
}

bool reader_take_past(FileReader *reader, int closing, char *text, size_t size, size_t *length)
{
    const unsigned char *found = NULL;

    for (*length = 0; !found && reader_peek(reader) != READER_END;) {
        found = memchr(reader->at, closing, unread(reader));
        size_t piece = found ? (size_t)(found - reader->at) : unread(reader);
        size_t kept = piece < size - *length ? piece : size - *length;
        if (kept > 0) memcpy(text + *length, reader->at, kept);
        *length += kept;
        reader_advance(reader, piece + (found != NULL));
    }
    return found != NULL;
}

static void refuse_long_line(FileReader *reader)
{
    reader->fault.status =
        error_set(&reader->fault, STATUS_BAD_INPUT, "%s: a line of more than %d MB",
                  input_path(reader->file), LINE_MOST >> 20);
    reader->ended = true;
}

char *reader_line(FileReader *reader)
{
    const unsigned char *newline;
    int64_t number = reader->line;
    size_t seen = 0;

    if (reader_peek(reader) == READER_END) return NULL;
    while (!(newline = memchr(reader->at + seen, '\n', unread(reader) - seen)) && !reader->ended) {
        seen = unread(reader);
        if (seen > LINE_MOST)
            refuse_long_line(reader);
        else
            reader_fill(reader, seen > CHUNK ? seen : CHUNK);
    }
    char *line = (char *)reader->buffer + (reader->at - reader->buffer);
    size_t length = newline ? (size_t)(newline - reader->at) : unread(reader);
    reader->at += length + (newline != NULL);
    reader->line += newline != NULL;
    if (!newline && reader->fault.status != STATUS_OK) return NULL;
    if (length > 0 && line[length - 1] == '\r') length--;
    line[length] = '\0';
    for (size_t i = 0; !reader->text && i < length; i++)
        if (line[i] == '\0' || line[i] == '\x1a') line[i] = ' ';
    return number == 1 && strncmp(line, BYTE_ORDER_MARK, 3) == 0 ? line + 3 : line;
}

/* ---- Records */

bool record_next(FileReader *reader, TextRecord *record)
{
    do {
        record->line = reader->line;
        record->text = reader_line(reader);
        if (!record->text) return false;
        while (text_is_blank(*record->text))
            record->text++;
    } while (*record->text == '\0' || *record->text == '#');
    return true;
}

Status records_use(FileReader *reader, RecordUse *use, void *context, Error *err)
{
    TextRecord record;
    Status status = STATUS_OK;

    if (!reader) return err->status;
    while (status == STATUS_OK && record_next(reader, &record)) {
        status = use(context, &record, err);
        if (status == STATUS_BAD_INPUT) status = reader_place_line(reader, record.line, err);
    }
    if (status == STATUS_OK) status = reader_fault(reader, err);
    reader_close(reader);
    return status;
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
