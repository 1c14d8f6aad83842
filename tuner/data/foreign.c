/* SPDX-License-Identifier: MIT
 * Building sets of foreign features, and their binary format. */
#include "tuner/data/foreign.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/base/byte_order.h"
#include "tuner/data/foreign_builder.h"

void foreign_free(ForeignSet *set)
{
    dataset_destroy(set->data);
    space_destroy(set->space);
    free(set->start);
    *set = (ForeignSet){0};
}

/* ---- Building */

Status foreign_begin(ForeignBuilder *b, Error *err)
{
    if (b->columns < 1 || b->columns > SPACE_COLUMNS_MAX)
        return error_set(err, STATUS_BAD_INPUT, "expected 1 to %d columns, not %d",
                         SPACE_COLUMNS_MAX, b->columns);
    Status status = dataset_create_columns(b->columns, &b->set.data, err);
    if (status == STATUS_OK) b->set.data->scratch = b->scratch;
    if (status == STATUS_OK) status = space_create(b->columns, &b->set.space, err);
    if (status != STATUS_OK) return status;
    b->set.start = calloc((size_t)b->set.space->dimensions, sizeof *b->set.start);
    if (!b->set.start) return error_set(err, STATUS_FAILED, "out of memory for the start");
    for (int c = 0; c < b->columns; c++)
        (void)snprintf(b->set.space->name[c], SPACE_NAME_MAX, "%d", c + b->base);
    return STATUS_OK;
}

Status foreign_add_feature(const ForeignBuilder *b, ForeignRow *row, long column, long value,
                           Error *err)
{
    if (column < 0 || column >= b->columns)
        return error_set(err, STATUS_BAD_INPUT, "index %ld is beyond the %d columns",
                         column + b->base, b->columns);
    if (column <= row->last)
        return error_set(err, STATUS_BAD_INPUT, "index %ld is not above the one before it",
                         column + b->base);
    if (value < INT16_MIN || value > INT16_MAX)
        return error_set(err, STATUS_BAD_INPUT, "coefficient %ld does not fit into 16 bits", value);
    row->last = (int)column;
    row->count = occurrences_add(row->at, row->count, (int)column, (int)value, b->columns);
    if (row->count < 0)
        return error_set(err, STATUS_BAD_INPUT,
                         "more than %d features, or coefficients that are too large",
                         OCCURRENCES_MAX);
    return STATUS_OK;
}

Status foreign_add_row(ForeignBuilder *b, const ForeignRow *row, Error *err)
{
    b->set.data->stats.positions_read++;
    return dataset_add_features(b->set.data, row->at, row->count, row->phase, row->result,
                                row->score, row->game, err);
}

Status foreign_finish(ForeignBuilder *b, const char *name, int threads, ForeignSet *set, Error *err)
{
    if (!b->set.data || b->set.data->positions == 0)
        return error_set(err, STATUS_BAD_INPUT, "%s: no positions", name);
    b->set.data->stats.games_read = b->set.data->games;
    Status status = dataset_finish(b->set.data, threads, err);
    if (status != STATUS_OK) return status;
    for (int c = 0; b->untapered && c < b->columns; c++)
        b->set.space->fixed[b->columns + c] = 1;
    *set = b->set;
    b->set = (ForeignSet){0};
    return STATUS_OK;
}

void foreign_discard(ForeignBuilder *b)
{
    foreign_free(&b->set);
    name_table_free(&b->ids);
}

/* ---- The binary format */

static const char magic[8] = "TABIAFEA";
enum { HEADER_BYTES = 24, RECORD_BYTES = 10, FEATURE_BYTES = 4, SCORE_NONE = 0x7fff };

/* The source of the records: a file, or memory. */
typedef struct Source {
    FILE *file; /* NULL: memory, as follows */
    const unsigned char *at;
    size_t left;
} Source;

/* False when there are fewer bytes. */
static bool take(Source *source, unsigned char *to, size_t bytes)
{
    if (source->file) return fread(to, 1, bytes, source->file) == bytes;
    if (source->left < bytes) return false;
    memcpy(to, source->at, bytes);
    source->at += bytes;
    source->left -= bytes;
    return true;
}

static Status cut_off(const Source *source, Error *err)
{
    if (source->file && ferror(source->file))
        return error_set(err, STATUS_FAILED, "cannot be read: %s", strerror(errno));
    return error_set(err, STATUS_BAD_INPUT, "the file ends too early");
}

static Status read_record(ForeignBuilder *b, Source *source, Error *err)
{
    ForeignRow row = {.last = -1};
    unsigned char record[RECORD_BYTES], feature[FEATURE_BYTES];
    char game[16];

    if (!take(source, record, sizeof record)) return cut_off(source, err);
    unsigned count = (unsigned)get_le(record + 2, 2);
    int16_t score = (int16_t)get_le(record + 4, 2);
    if (record[0] > RESULT_WHITE_WINS)
        return error_set(err, STATUS_BAD_INPUT, "label %d is not 0, 1 or 2", record[0]);
    if (record[1] > EVAL_PHASE_MAX)
        return error_set(err, STATUS_BAD_INPUT, "phase %d is beyond %d", record[1], EVAL_PHASE_MAX);
    row.result = (GameResult)record[0];
    row.phase = record[1];
    row.score = score == SCORE_NONE ? SCORE_UNKNOWN : score;
    int length = snprintf(game, sizeof game, "%lu", (unsigned long)get_le(record + 6, 4));
    Status status = name_table_number(&b->ids, game, (size_t)length, &b->games, &row.game, err);
    for (unsigned i = 0; i < count && status == STATUS_OK; i++) {
        if (!take(source, feature, sizeof feature)) return cut_off(source, err);
        status = foreign_add_feature(b, &row, (long)get_le(feature, 2),
                                     (int16_t)get_le(feature + 2, 2), err);
    }
    return status == STATUS_OK ? foreign_add_row(b, &row, err) : status;
}

static Status read_records(ForeignBuilder *b, Source *source, uint64_t records, Error *err)
{
    unsigned char more;

    for (uint64_t record = 0; record < records; record++) {
        Status status = read_record(b, source, err);
        if (status == STATUS_OK) continue;
        (void)error_prefix(err, "record %llu", (unsigned long long)record);
        return status;
    }
    if (take(source, &more, 1))
        return error_set(err, STATUS_BAD_INPUT, "bytes after the last record");
    return STATUS_OK;
}

static Status read_binary(Source *source, const char *name, const char *scratch, int threads,
                          ForeignSet *set, Error *err)
{
    ForeignBuilder b = {.scratch = scratch};
    unsigned char header[HEADER_BYTES];

    if (!take(source, header, sizeof header) || memcmp(header, magic, sizeof magic) != 0)
        return error_set(err, STATUS_BAD_INPUT, "%s: not a file of features", name);
    if (get_le(header + 8, 4) != 1)
        return error_set(err, STATUS_BAD_INPUT, "%s: unknown version %lu of the format; expected 1",
                         name, (unsigned long)get_le(header + 8, 4));
    uint32_t columns = (uint32_t)get_le(header + 12, 4);
    b.columns = columns > INT_MAX ? INT_MAX : (int)columns;
    Status status = foreign_begin(&b, err);
    if (status == STATUS_OK) status = read_records(&b, source, get_le(header + 16, 8), err);
    if (status != STATUS_OK) (void)error_prefix(err, "%s", name);
    if (status == STATUS_OK) status = foreign_finish(&b, name, threads, set, err);
    foreign_discard(&b);
    return status;
}

Status foreign_parse_binary(const unsigned char *bytes, size_t length, const char *name,
                            ForeignSet *set, Error *err)
{
    Source source = {.at = bytes, .left = length};
    return read_binary(&source, name, NULL, 1, set, err);
}

/* ---- Files */

/* Whether the file begins with the magic number. Rewinds it. */
static bool is_binary(FILE *file)
{
    char first[sizeof magic] = "";
    bool binary = fread(first, 1, sizeof first, file) == sizeof first &&
                  memcmp(first, magic, sizeof magic) == 0;
    rewind(file);
    return binary;
}

Status foreign_read(const char *path, const char *scratch, int threads, ForeignSet *set, Error *err)
{
    struct stat there;

    /* A pipe cannot be rewound, so it is always text. */
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        return foreign_read_text(path, scratch, threads, set, err);
    Source source = {.file = fopen(path, "rb")};
    if (!source.file)
        return error_set(err, STATUS_BAD_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
    bool binary = is_binary(source.file);
    Status status = binary ? read_binary(&source, path, scratch, threads, set, err) : STATUS_OK;
    (void)fclose(source.file);
    return binary ? status : foreign_read_text(path, scratch, threads, set, err);
}
