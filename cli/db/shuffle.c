/* SPDX-License-Identifier: MIT
 * `tabia db shuffle`: the positions of an exported file in random order, whatever its size.
 *
 * Each record goes to one of BUCKETS files by chance; then each of these is shuffled in memory and
 * written out. Every order is as likely as any other, and memory is needed for one bucket. The
 * order depends on nothing but the seed and the input. */
#define _XOPEN_SOURCE 700
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/db/verbs.h"
#include "cli/output/fields.h"
#include "cli/output/output_file.h"
#include "cli/output/process.h"
#include "cli/output/progress.h"
#include "db/files/reader.h"
#include "engine/base/array.h"
#include "engine/base/new_file.h"
#include "engine/base/pcg.h"
#include "engine/notation/epd.h"
#include "selfplay/formats/formats.h"

enum { BUCKETS = 256, BULLET_BYTES = 32, CHUNK = 1 << 16, RECORD_MOST = 1 << 16 };

/* How a record ends. */
typedef enum RecordKind {
    RECORD_LINE,
    RECORD_BLOCK, /* lines up to a line "e" */
    RECORD_32     /* bytes */
} RecordKind;

typedef struct Record {
    size_t at, size;
} Record;

/* A bucket in memory; reused by the next one. */
typedef struct Bucket {
    char *data;
    size_t size;
    Record *records; /* in data */
    int64_t count, data_room, record_room;
} Bucket;

typedef struct Shuffle {
    const DbOptions *options;
    RecordKind kind;
    const char *from;
    FILE *buckets[BUCKETS];
    int64_t records;
    Progress progress;
} Shuffle;

static Status find_kind(const char *path, const char *format, RecordKind *kind, Error *err)
{
    static const struct {
        const char *name;
        RecordKind kind;
    } kinds[] = {{"epd", RECORD_LINE}, {"plain", RECORD_BLOCK}, {"bullet", RECORD_32}};
    const GameFormat *by_name = format ? game_format_find(format, err) : game_format_of(path, true);

    if (format && !by_name) return err->status;
    for (size_t i = 0; by_name && i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(by_name->name, kinds[i].name) != 0) continue;
        *kind = kinds[i].kind;
        return STATUS_OK;
    }
    return error_set(err, STATUS_USAGE,
                     "%s: only positions can be shuffled; give --format epd, plain or bullet",
                     path);
}

/* What is written has the form of what is read. */
static Status check_name(const char *to, RecordKind kind, Error *err)
{
    const GameFormat *format = game_format_of(to, false);
    RecordKind named = kind;

    if (!format || (find_kind(to, NULL, &named, NULL) == STATUS_OK && named == kind))
        return STATUS_OK;
    return error_set(err, STATUS_USAGE, "%s: shuffled positions keep their format, which is not %s",
                     to, format->name);
}

/* Bytes of the first record in `data`, or of an empty line before it; 0 when the end is not there.
 * At the end of a file the last newline may be missing, but no line of a block. */
static size_t record_size(RecordKind kind, const char *data, size_t size, bool at_end)
{
    if (kind == RECORD_32) return size >= BULLET_BYTES ? BULLET_BYTES : 0;
    for (size_t at = 0; at < size;) {
        const char *newline = memchr(data + at, '\n', size - at);
        if (!newline && !at_end) return 0;
        size_t next = newline ? (size_t)(newline - data) + 1 : size;
        size_t length = next - at - (newline ? 1 : 0);
        if (length > 0 && data[at + length - 1] == '\r') length--;
        if (kind == RECORD_LINE || (length == 0 && at == 0) || (length == 1 && data[at] == 'e'))
            return next;
        at = next;
    }
    return 0;
}

/* ---- First pass */

/* Some systems allow 256 descriptors unless more are asked for. */
static void allow_buckets(void)
{
    struct rlimit limit;
    const rlim_t wanted = BUCKETS + 64;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return;
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}

static Status open_buckets(Shuffle *s, const char *to, Error *err)
{
    bool elsewhere = strcmp(to, "-") == 0 || file_is_written_directly(to);
    char name[4096];

    allow_buckets();

    for (int i = 0; i < BUCKETS; i++) {
        if (snprintf(name, sizeof name, "%s%s.shuffle-XXXXXX", elsewhere ? cli_temp_folder() : to,
                     elsewhere ? "/tabia" : "") >= (int)sizeof name)
            return error_set(err, STATUS_USAGE, "%s: the name is too long", to);
        int fd = mkstemp(name);
        if (fd >= 0) (void)unlink(name); /* removed when it is closed */
        s->buckets[i] = fd >= 0 ? fdopen(fd, "w+b") : NULL;
        if (!s->buckets[i])
            return error_set(err, STATUS_FAILED, "%s: cannot be made: %s", name, strerror(errno));
    }
    return STATUS_OK;
}

/* Blank lines, and comments of EPD, are no positions. */
static bool is_position(RecordKind kind, const char *record, size_t size)
{
    size_t blanks = 0;

    if (kind == RECORD_32) return true;
    if (kind == RECORD_LINE)
        return !epd_is_empty((EpdText){record, record + size - (record[size - 1] == '\n')});
    while (blanks < size && isspace((unsigned char)record[blanks]))
        blanks++;
    return blanks < size;
}

/* Writes the complete records to buckets drawn at random. */
static Status scatter(Shuffle *s, FileReader *in, Pcg *rng, Error *err)
{
    size_t size;

    while ((size = record_size(s->kind, (const char *)in->at, (size_t)(in->end - in->at),
                               in->ended)) > 0) {
        const char *record = (const char *)in->at;
        in->at += size;
        if (!is_position(s->kind, record, size)) continue;
        FILE *bucket = s->buckets[pcg_below(rng, BUCKETS)];
        (void)fwrite(record, 1, size, bucket);
        /* A last line without newline would be joined to the next one. */
        if (s->kind != RECORD_32 && in->at[-1] != '\n') (void)putc('\n', bucket);
        if (ferror(bucket))
            return error_set(err, STATUS_FAILED, "a temporary file cannot be written: %s",
                             strerror(errno));
        s->records++;
    }
    return STATUS_OK;
}

static Status read_records(Shuffle *s, FileReader *in, Error *err)
{
    Pcg rng;

    pcg_seed(&rng, s->options->common.seed, BUCKETS);
    Status status;
    do {
        reader_fill(in, CHUNK); /* nothing where reader_open_text() has read it all */
        status = reader_fault(in, err);
        if (status == STATUS_OK) status = scatter(s, in, &rng, err);
        if (status == STATUS_OK && in->end - in->at > RECORD_MOST) {
            (void)error_set(err, STATUS_BAD_INPUT, "no position ends within %d KiB",
                            RECORD_MOST >> 10);
            status = reader_place_byte(in, reader_offset(in), err);
        }
        if (status == STATUS_OK) status = cli_check_interrupted(err);
        if (progress_due(&s->progress))
            progress_draw(&s->progress, s->records, "positions", "%s", "read");
    } while (status == STATUS_OK && !in->ended);
    if (status == STATUS_OK && in->at < in->end)
        status = error_set(err, STATUS_BAD_INPUT, "%s: the file ends within a position", s->from);
    return status;
}

/* ---- Second pass */

static Status load_bucket(FILE *file, Bucket *bucket, Error *err)
{
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1; /* fseek flushes */
    if (size < 0)
        return error_set(err, STATUS_FAILED, "a temporary file cannot be written: %s",
                         strerror(errno));
    rewind(file);
    Status status = ARRAY_RESERVE(bucket->data, bucket->data_room, size + 1, err);
    if (status != STATUS_OK) return status;
    bucket->size = fread(bucket->data, 1, (size_t)size, file);
    return bucket->size == (size_t)size
               ? STATUS_OK
               : error_set(err, STATUS_FAILED, "a temporary file cannot be read");
}

/* Sets bucket->records. */
static Status find_records(RecordKind kind, Bucket *bucket, Error *err)
{
    size_t at = 0, size;

    bucket->count = 0;
    while ((size = record_size(kind, bucket->data + at, bucket->size - at, true)) > 0) {
        Status status = ARRAY_RESERVE(bucket->records, bucket->record_room, bucket->count + 1, err);
        if (status != STATUS_OK) return status;
        bucket->records[bucket->count++] = (Record){at, size};
        at += size;
    }
    return STATUS_OK;
}

/* Fisher-Yates shuffle: each record is written when it is drawn. */
static Status write_shuffled(Bucket *bucket, Pcg *rng, OutputFile *out, Error *err)
{
    Status status = STATUS_OK;

    for (; bucket->count > 0 && status == STATUS_OK; bucket->count--) {
        Record *drawn = &bucket->records[pcg_below(rng, (uint32_t)bucket->count)];
        (void)fwrite(bucket->data + drawn->at, 1, drawn->size, output_stream(out));
        *drawn = bucket->records[bucket->count - 1];
        status = output_flush(out, err);
    }
    return status;
}

static Status write_records(Shuffle *s, OutputFile *out, Error *err)
{
    Bucket bucket = {0};
    Status status = STATUS_OK;
    Pcg rng;

    for (int i = 0; i < BUCKETS && status == STATUS_OK; i++) {
        pcg_seed(&rng, s->options->common.seed, (uint64_t)i);
        status = load_bucket(s->buckets[i], &bucket, err);
        if (status == STATUS_OK) status = find_records(s->kind, &bucket, err);
        if (status == STATUS_OK) status = write_shuffled(&bucket, &rng, out, err);
        (void)fclose(s->buckets[i]);
        s->buckets[i] = NULL;
        if (status == STATUS_OK) status = cli_check_interrupted(err);
        if (progress_due(&s->progress))
            progress_draw(&s->progress, s->records * i / BUCKETS, "positions", "%s", "written");
    }
    free(bucket.data);
    free(bucket.records);
    return status;
}

/* ---- The verb */

static Status shuffle(Shuffle *s, const char *to, Error *err)
{
    Status status = outputs_check(&to, &s->from, 1, err);
    if (status != STATUS_OK) return status;
    FileReader *in =
        s->kind == RECORD_32 ? reader_open(s->from, err) : reader_open_text(s->from, err);
    if (!in) return err->status;
    status = open_buckets(s, to, err);
    if (status == STATUS_OK) status = read_records(s, in, err);
    reader_close(in);
    OutputFile *out = status == STATUS_OK ? output_open(to, err) : NULL;
    if (status == STATUS_OK && !out) status = err->status;
    if (status == STATUS_OK) status = write_records(s, out, err);
    if (status == STATUS_OK)
        status = output_commit(out, err);
    else
        output_discard(out);
    for (int i = 0; i < BUCKETS; i++)
        if (s->buckets[i]) (void)fclose(s->buckets[i]);
    return status;
}

static const Field count_field[] = {
    {"positions", .kind = FIELD_INT64, .label = "positions"},
    {0},
};

Status db_verb_shuffle(const DbOptions *options, const char **arguments, Error *err)
{
    Shuffle s = {.options = options, .from = arguments[0]};

    Status status = find_kind(arguments[0], options->format, &s.kind, err);
    if (status == STATUS_OK) status = check_name(arguments[1], s.kind, err);
    if (status == STATUS_OK && strcmp(arguments[0], arguments[1]) != 0 && !options->force)
        status = db_refuse_existing(arguments[1], err);
    if (status != STATUS_OK) return status;
    progress_start(&s.progress, 0, 0, options->common.quiet);
    status = shuffle(&s, arguments[1], err);
    progress_end(&s.progress);
    if (status == STATUS_OK && strcmp(arguments[1], "-") != 0)
        fields_print(options->common.json, arguments[1], count_field, &s.records);
    return status;
}
