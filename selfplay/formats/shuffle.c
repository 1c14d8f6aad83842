/* SPDX-License-Identifier: MIT
 * Shuffling positions in two passes. Each goes to one of BUCKETS files by chance; then each of
 * these is shuffled in memory. So memory is needed for one bucket. */
#define _XOPEN_SOURCE 700
#include "selfplay/formats/shuffle.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/array.h"
#include "engine/base/pcg.h"
#include "engine/base/system.h"
#include "engine/base/text.h"

enum { BUCKETS = 256, BULLET_BYTES = 32, CHUNK = 1 << 16, RECORD_MOST = 1 << 16 };

typedef struct Record {
    size_t at, size;
} Record;

struct Shuffle {
    const char *path, *temporary;
    PositionEnd end;
    uint64_t seed;
    FileReader *in;
    FILE *buckets[BUCKETS];
    Pcg rng;
    /* The bucket that is given out; reused by the next one. */
    int next; /* the one after it */
    char *data;
    Record *records; /* in data; [count] are left */
    int64_t count, data_room, record_room;
};

/* ---- Opening */

/* A bucket's file is made when the first position falls into it. */
static Status open_bucket(const Shuffle *s, FILE **bucket, Error *err)
{
    char name[4096];

    if (snprintf(name, sizeof name, "%s.shuffle-XXXXXX", s->temporary) >= (int)sizeof name)
        return error_set(err, STATUS_USAGE, "%s: the name is too long", s->temporary);
    int fd = mkstemp(name);
    if (fd >= 0) (void)unlink(name); /* removed when it is closed */
    *bucket = fd >= 0 ? fdopen(fd, "w+b") : NULL;
    if (*bucket) return STATUS_OK;
    return error_set(err, STATUS_FAILED, "%s: cannot be made: %s", name, strerror(errno));
}

Shuffle *shuffle_open(const char *path, const GameFormat *format, uint64_t seed,
                      const char *temporary, Error *err)
{
    Shuffle *s = calloc(1, sizeof *s);

    if (!s) return ERROR_NULL(err, STATUS_FAILED, "out of memory");
    s->path = path;
    s->temporary = temporary;
    s->end = format->end;
    s->seed = seed;
    pcg_seed(&s->rng, seed, BUCKETS);
    s->in = s->end == END_32_BYTES ? reader_open(path, err) : reader_open_text(path, err);
    (void)system_raise_file_limit(); /* some systems allow 256 unless more are asked for */
    if (s->in) return s;
    shuffle_close(s);
    return NULL;
}

void shuffle_close(Shuffle *s)
{
    if (!s) return;
    reader_close(s->in);
    for (int i = 0; i < BUCKETS; i++)
        if (s->buckets[i]) (void)fclose(s->buckets[i]);
    free(s->data);
    free(s->records);
    free(s);
}

/* ---- First pass */

/* Bytes of the first record in `data`, or of an empty line before it; 0 when the end is not there.
 * At the end of a file the last newline may be missing, but no line of a block. */
static size_t record_size(PositionEnd end, const char *data, size_t size, bool at_end)
{
    if (end == END_32_BYTES) return size >= BULLET_BYTES ? BULLET_BYTES : 0;
    for (size_t at = 0; at < size;) {
        const char *newline = memchr(data + at, '\n', size - at);
        if (!newline && !at_end) return 0;
        size_t next = newline ? (size_t)(newline - data) + 1 : size;
        size_t length = next - at - (newline ? 1 : 0);
        if (length > 0 && data[at + length - 1] == '\r') length--;
        if (end == END_LINE || (length == 0 && at == 0) || (length == 1 && data[at] == 'e'))
            return next;
        at = next;
    }
    return 0;
}

/* Blank lines, and comments of EPD, are no positions. */
static bool is_position(PositionEnd end, const char *record, size_t size)
{
    TextSpan text = {record, record + size};

    if (end == END_32_BYTES) return true;
    return end == END_LINE ? !text_line_is_empty(text) : text_next_word(&text).length > 0;
}

/* Writes the complete records to buckets drawn at random. */
static Status scatter(Shuffle *s, int64_t *count, Error *err)
{
    FileReader *in = s->in;
    size_t size;

    while ((size = record_size(s->end, (const char *)in->at, (size_t)(in->end - in->at),
                               in->ended)) > 0) {
        const char *record = (const char *)in->at;
        in->at += size;
        if (!is_position(s->end, record, size)) continue;
        FILE **bucket = &s->buckets[pcg_below(&s->rng, BUCKETS)];
        Status status = *bucket ? STATUS_OK : open_bucket(s, bucket, err);
        if (status != STATUS_OK) return status;
        (void)fwrite(record, 1, size, *bucket);
        /* A last line without newline would be joined to the next one. */
        if (s->end != END_32_BYTES && in->at[-1] != '\n') (void)putc('\n', *bucket);
        if (ferror(*bucket))
            return error_set(err, STATUS_FAILED, "a temporary file cannot be written: %s",
                             strerror(errno));
        ++*count;
    }
    return STATUS_OK;
}

Status shuffle_take(Shuffle *s, int64_t *count, bool *ended, Error *err)
{
    FileReader *in = s->in;

    reader_fill(in, CHUNK); /* nothing where reader_open_text() has read it all */
    Status status = reader_fault(in, err);
    if (status == STATUS_OK) status = scatter(s, count, err);
    if (status != STATUS_OK) return status;
    *ended = in->ended;
    if (in->end - in->at > RECORD_MOST) {
        (void)error_set(err, STATUS_BAD_INPUT, "no position ends within %d KiB", RECORD_MOST >> 10);
        return reader_place_byte(in, reader_offset(in), err);
    }
    if (in->ended && in->at < in->end)
        return error_set(err, STATUS_BAD_INPUT, "%s: the file ends within a position", s->path);
    return STATUS_OK;
}

/* ---- Second pass */

/* Reads the next bucket and finds its records. */
static Status load_bucket(Shuffle *s, Error *err)
{
    FILE *file = s->buckets[s->next];
    if (!file) {
        s->next++; /* no position fell into it */
        return STATUS_OK;
    }
    long total = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1; /* fseek flushes */

    if (total < 0)
        return error_set(err, STATUS_FAILED, "a temporary file cannot be written: %s",
                         strerror(errno));
    rewind(file);
    Status status = ARRAY_RESERVE(s->data, s->data_room, total + 1, err);
    if (status != STATUS_OK) return status;
    if (fread(s->data, 1, (size_t)total, file) != (size_t)total)
        return error_set(err, STATUS_FAILED, "a temporary file cannot be read");
    size_t size;
    for (size_t at = 0; (size = record_size(s->end, s->data + at, (size_t)total - at, true)) > 0;
         at += size) {
        status = ARRAY_RESERVE(s->records, s->record_room, s->count + 1, err);
        if (status != STATUS_OK) return status;
        s->records[s->count++] = (Record){at, size};
    }
    (void)fclose(file);
    pcg_seed(&s->rng, s->seed, (uint64_t)s->next);
    s->buckets[s->next++] = NULL;
    return STATUS_OK;
}

/* Fisher-Yates shuffle: each record is given out when it is drawn. */
Status shuffle_next(Shuffle *s, const char **position, size_t *size, Error *err)
{
    *position = NULL;
    while (s->count == 0 && s->next < BUCKETS) {
        Status status = load_bucket(s, err);
        if (status != STATUS_OK) return status;
    }
    if (s->count == 0) return STATUS_OK;
    Record *drawn = &s->records[pcg_below(&s->rng, (uint32_t)s->count)];
    *position = s->data + drawn->at;
    *size = drawn->size;
    *drawn = s->records[--s->count];
    return STATUS_OK;
}
