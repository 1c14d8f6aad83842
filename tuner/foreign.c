/* SPDX-License-Identifier: MIT
 * Building sets of foreign features, and their binary form. */
#include "tuner/foreign.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/foreign_builder.h"

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
        return error_set(err, STATUS_BAD_INPUT, "expected from 1 to %d columns, not %d",
                         SPACE_COLUMNS_MAX, b->columns);
    Status status = dataset_create_columns(b->columns, &b->set.data, err);
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
        return error_set(err, STATUS_BAD_INPUT, "index %ld is not one of the %d columns",
                         column + b->base, b->columns);
    if (column <= row->last)
        return error_set(err, STATUS_BAD_INPUT, "index %ld does not ascend", column + b->base);
    if (value < INT16_MIN || value > INT16_MAX)
        return error_set(err, STATUS_BAD_INPUT, "coefficient %ld is beyond 16 bits", value);
    row->last = (int)column;
    row->count = occurrences_add(row->at, row->count, (int)column, (int)value, b->columns);
    if (row->count < 0)
        return error_set(err, STATUS_BAD_INPUT, "more features than %d, or too great ones",
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
    id_table_free(&b->ids);
}

/* ---- The binary form */

static const char magic[8] = "TABIAFEA";
enum { HEADER_BYTES = 24, RECORD_BYTES = 10, FEATURE_BYTES = 4, SCORE_NONE = 0x7fff };

static unsigned get16(const unsigned char *at)
{
    return at[0] | (unsigned)at[1] << 8;
}

static uint32_t get32(const unsigned char *at)
{
    return get16(at) | (uint32_t)get16(at + 2) << 16;
}

static uint64_t get64(const unsigned char *at)
{
    return get32(at) | (uint64_t)get32(at + 4) << 32;
}

/* One record; *at moves behind it. */
static Status parse_record(ForeignBuilder *b, const unsigned char **at, const unsigned char *end,
                           Error *err)
{
    ForeignRow row = {.last = -1};
    const unsigned char *record = *at;
    char game[16];

    if (end - record < RECORD_BYTES) return error_set(err, STATUS_BAD_INPUT, "it is cut off");
    unsigned count = get16(record + 2);
    int16_t score = (int16_t)get16(record + 4);
    *at = record + RECORD_BYTES + (size_t)count * FEATURE_BYTES;
    if ((size_t)(end - record) < RECORD_BYTES + (size_t)count * FEATURE_BYTES)
        return error_set(err, STATUS_BAD_INPUT, "it is cut off");
    if (record[0] > RESULT_WHITE_WINS)
        return error_set(err, STATUS_BAD_INPUT, "label %d is not 0, 1 or 2", record[0]);
    if (record[1] > EVAL_PHASE_MAX)
        return error_set(err, STATUS_BAD_INPUT, "phase %d is beyond %d", record[1], EVAL_PHASE_MAX);
    row.result = (GameResult)record[0];
    row.phase = record[1];
    row.score = score == SCORE_NONE ? SCORE_UNKNOWN : score;
    int length = snprintf(game, sizeof game, "%lu", (unsigned long)get32(record + 6));
    Status status = id_table_number(&b->ids, game, (size_t)length, &b->games, &row.game, err);
    for (unsigned i = 0; i < count && status == STATUS_OK; i++) {
        const unsigned char *feature = record + RECORD_BYTES + (size_t)i * FEATURE_BYTES;
        status =
            foreign_add_feature(b, &row, (long)get16(feature), (int16_t)get16(feature + 2), err);
    }
    return status == STATUS_OK ? foreign_add_row(b, &row, err) : status;
}

Status foreign_parse_binary(const unsigned char *bytes, size_t length, const char *name,
                            ForeignSet *set, Error *err)
{
    ForeignBuilder b = {0};
    const unsigned char *at = bytes + HEADER_BYTES, *end = bytes + length;
    Status status = STATUS_OK;

    if (length < HEADER_BYTES || memcmp(bytes, magic, sizeof magic) != 0)
        return error_set(err, STATUS_BAD_INPUT, "%s: not a file of features", name);
    if (get32(bytes + 8) != 1)
        return error_set(err, STATUS_BAD_INPUT, "%s: version %lu of the form is not known", name,
                         (unsigned long)get32(bytes + 8));
    b.columns =
        get32(bytes + 12) > SPACE_COLUMNS_MAX ? SPACE_COLUMNS_MAX + 1 : (int)get32(bytes + 12);
    uint64_t records = get64(bytes + 16), record = 0;
    status = foreign_begin(&b, err);
    for (; record < records && status == STATUS_OK; record++) {
        status = parse_record(&b, &at, end, err);
        if (status != STATUS_OK) (void)error_prefix(err, "record %llu", (unsigned long long)record);
    }
    if (status == STATUS_OK && at != end)
        status = error_set(err, STATUS_BAD_INPUT, "bytes behind the last record");
    if (status == STATUS_BAD_INPUT) (void)error_prefix(err, "%s", name);
    if (status == STATUS_OK) status = foreign_finish(&b, name, 1, set, err);
    foreign_discard(&b);
    return status;
}

/* ---- Files */

/* The whole file, malloc'ed, when it begins with the magic number; else NULL with STATUS_OK. */
static Status read_binary(const char *path, unsigned char **bytes, size_t *length, Error *err)
{
    char first[sizeof magic] = "";
    FILE *file = fopen(path, "rb");
    long size = 0;

    *bytes = NULL;
    if (!file)
        return error_set(err, STATUS_BAD_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
    bool binary = fread(first, 1, sizeof first, file) == sizeof first &&
                  memcmp(first, magic, sizeof magic) == 0;
    bool ok = true;
    if (binary) {
        ok = fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) > 0 &&
             fseek(file, 0, SEEK_SET) == 0;
        *bytes = ok ? malloc((size_t)size) : NULL;
        ok = *bytes && fread(*bytes, 1, (size_t)size, file) == (size_t)size;
        *length = (size_t)size;
    }
    (void)fclose(file);
    if (ok) return STATUS_OK;
    free(*bytes);
    *bytes = NULL;
    return error_set(err, STATUS_FAILED, "%s: cannot be read", path);
}

Status foreign_read(const char *path, int threads, ForeignSet *set, Error *err)
{
    unsigned char *bytes;
    size_t length;

    Status status = read_binary(path, &bytes, &length, err);
    if (status != STATUS_OK) return status;
    if (!bytes) return foreign_read_text(path, threads, set, err);
    status = foreign_parse_binary(bytes, length, path, set, err);
    free(bytes);
    return status;
}
