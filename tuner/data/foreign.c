/* SPDX-License-Identifier: MIT
 * Features of other evaluations: the binary format, and the text format of directives and
 * positions, a line each. */
#include "tuner/data/foreign.h"

#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "db/files/reader.h"
#include "engine/base/byte_order.h"
#include "engine/base/name_table.h"
#include "engine/base/text.h"
#include "engine/notation/epd.h"
#include "tuner/data/epd_line.h"
#include "tuner/data/fingerprint.h"

void foreign_free(ForeignSet *set)
{
    dataset_destroy(set->data);
    space_destroy(set->space);
    free(set->start);
    *set = (ForeignSet){0};
}

/* ---- Building */

typedef struct Builder {
    int columns; /* declared number; 0: not declared yet */
    int base;    /* of the indices: 0, or 1 as in svmlight */
    bool untapered;
    const char *scratch; /* of foreign_read() */
    ForeignSet set;      /* .data and .space NULL before the first position or named column */
    NameTable ids;
    int32_t games;
} Builder;

/* One position while it is read. */
typedef struct ForeignRow {
    int count;        /* of occurrences */
    int last;         /* column of the last; -1 at first */
    int phase, score; /* -1, SCORE_UNKNOWN: not given */
    double result;    /* White's half points */
    int32_t game;     /* -1: not given */
    Occurrence at[OCCURRENCES_MAX];
} ForeignRow;

/* Makes data and space for builder->columns. */
static Status begin(Builder *b, Error *err)
{
    if (b->columns < 1 || b->columns > SPACE_COLUMNS_MAX)
        return error_set(err, STATUS_BAD_INPUT, "expected 1 to %d columns, not %d",
                         SPACE_COLUMNS_MAX, b->columns);
    Status status = dataset_create(b->columns, &b->set.data, err);
    if (status == STATUS_OK) {
        b->set.data->scratch = b->scratch;
        b->set.data->foreign = true;
        status = space_create(b->columns, &b->set.space, err);
    }
    if (status != STATUS_OK) return status;
    b->set.start = calloc((size_t)b->set.space->dimensions, sizeof *b->set.start);
    if (!b->set.start) return error_set(err, STATUS_FAILED, "out of memory for the start");
    for (int c = 0; c < b->columns; c++)
        (void)snprintf(b->set.space->name[c], SPACE_NAME_MAX, "%d", c + b->base);
    return STATUS_OK;
}

/* Columns must ascend; coefficients of 0 are left out. */
static Status add_feature(const Builder *b, ForeignRow *row, long column, long value, Error *err)
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

static Status add_row(Builder *b, const ForeignRow *row, Error *err)
{
    int phase = row->phase < 0 ? EVAL_PHASE_MAX : row->phase;

    b->set.data->stats.positions_read++;
    return dataset_add_features(b->set.data, row->at, row->count, phase, row->result, row->score,
                                row->game, err);
}

/* Reports and JSON know columns by their names. */
static Status names_check(const Builder *b, const char *file, Error *err)
{
    NameTable names = {0};
    int32_t count = 0, first = 0;
    Status status = STATUS_OK;

    for (int c = 0; c < b->columns && status == STATUS_OK; c++) {
        const char *name = b->set.space->name[c];
        status = name_table_number(&names, name, strlen(name), &count, &first, err);
        if (status == STATUS_OK && first != c)
            status = error_set(err, STATUS_BAD_INPUT, "%s: columns %d and %d are both named \"%s\"",
                               file, first + b->base, c + b->base, name);
    }
    name_table_free(&names);
    return status;
}

/* *set receives what was built, unless `status` is a failure, which is returned. */
static Status finish(Builder *b, Status status, const char *name, int threads, ForeignSet *set,
                     Error *err)
{
    Dataset *data = b->set.data;

    if (status == STATUS_OK && (!data || data->positions == 0))
        status = error_set(err, STATUS_BAD_INPUT, "%s: no positions", name);
    if (status == STATUS_OK) status = names_check(b, name, err);
    if (status == STATUS_OK) status = dataset_finish(data, threads, err);
    if (status == STATUS_OK) {
        for (int c = 0; b->untapered && c < b->columns; c++)
            b->set.space->fixed[b->columns + c] = 1;
        *set = b->set;
        set->base = b->base;
        b->set = (ForeignSet){0};
    }
    foreign_free(&b->set);
    name_table_free(&b->ids);
    return status;
}

/* ---- The binary format */

static const char magic[8] = "TABIAFEA";
enum { HEADER_BYTES = 24, RECORD_BYTES = 10, FEATURE_BYTES = 4, SCORE_NONE = 0x7fff };

/* The next bytes, of which there must be so many. */
static Status take(FileReader *reader, size_t size, const uint8_t **at, Error *err)
{
    Status status = reader_take(reader, size, at, err);

    if (*at) return status;
    status = reader_fault(reader, err);
    return status != STATUS_OK ? status
                               : error_set(err, STATUS_BAD_INPUT, "the file ends too early");
}

static Status read_record(Builder *b, FileReader *reader, Error *err)
{
    ForeignRow row = {.last = -1};
    const uint8_t *at;
    char game[16];

    Status status = take(reader, RECORD_BYTES, &at, err);
    if (status != STATUS_OK) return status;
    unsigned count = (unsigned)get_le(at + 2, 2);
    int16_t score = (int16_t)get_le(at + 4, 2);
    if (at[0] > RESULT_WHITE_WINS)
        return error_set(err, STATUS_BAD_INPUT, "label %d is not 0, 1 or 2", at[0]);
    if (at[1] > EVAL_PHASE_MAX)
        return error_set(err, STATUS_BAD_INPUT, "phase %d is beyond %d", at[1], EVAL_PHASE_MAX);
    row.result = (GameResult)at[0];
    row.phase = at[1];
    row.score = score == SCORE_NONE ? SCORE_UNKNOWN : score;
    int length = snprintf(game, sizeof game, "%lu", (unsigned long)get_le(at + 6, 4));
    status = name_table_number(&b->ids, game, (size_t)length, &b->games, &row.game, err);
    for (unsigned i = 0; i < count && status == STATUS_OK; i++) {
        status = take(reader, FEATURE_BYTES, &at, err);
        if (status == STATUS_OK)
            status = add_feature(b, &row, (long)get_le(at, 2), (int16_t)get_le(at + 2, 2), err);
    }
    return status == STATUS_OK ? add_row(b, &row, err) : status;
}

static Status read_records(Builder *b, FileReader *reader, uint64_t records, Error *err)
{
    const uint8_t *more;

    for (uint64_t record = 0; record < records; record++) {
        Status status = read_record(b, reader, err);
        if (status == STATUS_OK) continue;
        (void)error_prefix(err, "record %llu", (unsigned long long)record);
        return status;
    }
    Status status = reader_take(reader, 1, &more, err);
    return more ? error_set(err, STATUS_BAD_INPUT, "bytes after the last record") : status;
}

static Status read_binary(Builder *b, FileReader *reader, Error *err)
{
    const uint8_t *header;

    if (take(reader, HEADER_BYTES, &header, err) != STATUS_OK)
        return error_set(err, STATUS_BAD_INPUT, "not a file of features");
    uint32_t version = (uint32_t)get_le(header + 8, 4), columns = (uint32_t)get_le(header + 12, 4);
    uint64_t records = get_le(header + 16, 8);
    if (version != 1)
        return error_set(err, STATUS_BAD_INPUT,
                         "unknown version %" PRIu32 " of the format; expected 1", version);
    b->columns = columns > INT_MAX ? INT_MAX : (int)columns;
    Status status = begin(b, err);
    return status == STATUS_OK ? read_records(b, reader, records, err) : status;
}

/* ---- The text format */

/* The next word; length 0 at the end of the line or before a comment. */
static TextWord next_word(TextSpan *line)
{
    TextSpan rest = *line;
    TextWord word = text_next_word(&rest);

    if (word.length > 0 && *word.at == '#') return (TextWord){word.at, 0};
    *line = rest;
    return word;
}

/* A whole number that fits into 31 bits; "3.0" is one too. */
static bool word_integer(TextWord word, long *value)
{
    bool negative = word.length > 0 && *word.at == '-';
    size_t i = negative || (word.length > 0 && *word.at == '+') ? 1 : 0, first = i;
    long sum = 0;

    for (; i < word.length && word.at[i] >= '0' && word.at[i] <= '9'; i++) {
        if (sum > 99999999) return false;
        sum = 10 * sum + (word.at[i] - '0');
    }
    if (i == first) return false;
    if (i < word.length && word.at[i] == '.')
        for (i++; i < word.length && word.at[i] == '0'; i++) {
        }
    *value = negative ? -sum : sum;
    return i == word.length;
}

static bool word_number(TextWord word, double *value)
{
    char text[32], *end;

    if (word.length == 0 || word.length >= sizeof text) return false;
    memcpy(text, word.at, word.length);
    text[word.length] = '\0';
    *value = strtod(text, &end);
    return *end == '\0' && *value >= -1e5 && *value <= 1e5;
}

/* ---- Directives */

static Status expected(const char *what, TextWord word, Error *err)
{
    return error_set(err, STATUS_BAD_INPUT, "expected %s, not \"%.*s\"", what, (int)word.length,
                     word.at);
}

static Status parse_columns(Builder *b, TextSpan *line, Error *err)
{
    long count;
    TextWord word = next_word(line);

    if (b->set.data)
        return error_set(err, STATUS_BAD_INPUT, "@columns must come once, before all else");
    if (!word_integer(word, &count) || count < 1 || count > SPACE_COLUMNS_MAX)
        return error_set(err, STATUS_BAD_INPUT, "expected 1 to %d columns, not \"%.*s\"",
                         SPACE_COLUMNS_MAX, (int)word.length, word.at);
    b->columns = (int)count;
    return begin(b, err);
}

/* The column that a directive is about. */
static Status parse_column(const Builder *b, TextSpan *line, int *column, Error *err)
{
    long index;
    TextWord word = next_word(line);

    if (!b->set.data) return error_set(err, STATUS_BAD_INPUT, "@columns must come first");
    if (!word_integer(word, &index) || index < b->base || index >= b->columns + b->base)
        return expected("the index of a column", word, err);
    *column = (int)index - b->base;
    return STATUS_OK;
}

static Status parse_name(Builder *b, int column, TextSpan *line, Error *err)
{
    TextWord name = next_word(line);
    if (name.length == 0 || name.length >= SPACE_NAME_MAX)
        return expected("a name of at most 47 letters", name, err);
    memcpy(b->set.space->name[column], name.at, name.length);
    b->set.space->name[column][name.length] = '\0';
    text_clean(b->set.space->name[column]);
    return STATUS_OK;
}

static Status parse_start(Builder *b, int column, TextSpan *line, Error *err)
{
    for (int half = 0; half < 2; half++) {
        TextWord word = next_word(line);
        if (word.length == 0 && half == 1 && b->untapered) break;
        if (!word_number(word, &b->set.start[half * b->columns + column]))
            return expected("centipawns", word, err);
    }
    return STATUS_OK;
}

static Status parse_directive(Builder *b, TextWord word, TextSpan *line, Error *err)
{
    bool name = text_word_is(word, "@name"), start = text_word_is(word, "@start");
    bool fixed = text_word_is(word, "@fixed");
    int column = 0;
    Status status = STATUS_OK;

    if (name || start || fixed) status = parse_column(b, line, &column, err);
    if (status != STATUS_OK) return status;
    if (text_word_is(word, "@columns"))
        status = parse_columns(b, line, err);
    else if (text_word_is(word, "@one-based") && !b->set.data)
        b->base = 1;
    else if (text_word_is(word, "@untapered") && (!b->set.data || b->set.data->positions == 0))
        b->untapered = true;
    else if (name)
        status = parse_name(b, column, line, err);
    else if (start)
        status = parse_start(b, column, line, err);
    else if (fixed)
        b->set.space->fixed[column] = b->set.space->fixed[b->columns + column] = 1;
    else
        return error_set(err, STATUS_BAD_INPUT, "\"%.*s\" is no directive, or not allowed here",
                         (int)word.length, word.at);
    if (status != STATUS_OK) return status;
    TextWord rest = next_word(line);
    return rest.length == 0 ? STATUS_OK : expected("the end of the line", rest, err);
}

/* ---- Positions */

/* `p:`, `g:`, `s:` or an index, and what follows the colon. */
static Status parse_pair(Builder *b, ForeignRow *row, TextWord key, TextWord value, Error *err)
{
    long index, number = 0;

    if ((text_word_is(key, "g") && row->game >= 0) || (text_word_is(key, "p") && row->phase >= 0) ||
        (text_word_is(key, "s") && row->score != SCORE_UNKNOWN))
        return error_set(err, STATUS_BAD_INPUT, "\"%.*s:\" comes twice", (int)key.length, key.at);
    if (text_word_is(key, "g")) {
        if (value.length == 0) return expected("the name of a game", value, err);
        return name_table_number(&b->ids, value.at, value.length, &b->games, &row->game, err);
    }
    bool whole = word_integer(value, &number);
    if (text_word_is(key, "p")) {
        if (!whole || number < 0 || number > EVAL_PHASE_MAX)
            return expected("a phase from 0 to 24", value, err);
        if (b->untapered && number != EVAL_PHASE_MAX)
            return error_set(err, STATUS_BAD_INPUT, "\"p:%ld\" does not go with @untapered",
                             number);
        row->phase = (int)number;
        return STATUS_OK;
    }
    if (text_word_is(key, "s")) {
        if (!whole || number < -32000 || number > 32000)
            return expected("a score in centipawns", value, err);
        row->score = (int)number;
        return STATUS_OK;
    }
    if (!word_integer(key, &index)) return expected("index:coefficient", key, err);
    if (!whole) return expected("a whole number as coefficient", value, err);
    return add_feature(b, row, index - b->base, number, err);
}

static Status parse_row(Builder *b, TextWord label, TextSpan *line, Error *err)
{
    ForeignRow row = {.last = -1, .phase = -1, .score = SCORE_UNKNOWN, .game = -1};
    Status status = STATUS_OK;

    if (!b->set.data) return error_set(err, STATUS_BAD_INPUT, "@columns must come first");
    if (!epd_parse_result(label.at, label.length, &row.result))
        return error_set(err, STATUS_BAD_INPUT, "unknown label '%.*s'", (int)label.length,
                         label.at);
    for (TextWord word; status == STATUS_OK && (word = next_word(line)).length > 0;) {
        const char *colon = memchr(word.at, ':', word.length);
        if (!colon) return expected("index:coefficient", word, err);
        TextWord key = {word.at, (size_t)(colon - word.at)};
        TextWord value = {colon + 1, word.length - key.length - 1};
        status = parse_pair(b, &row, key, value, err);
    }
    if (row.game < 0) row.game = b->games++; /* without a name a game of its own */
    return status == STATUS_OK ? add_row(b, &row, err) : status;
}

static Status parse_record(void *builder, const TextRecord *record, Error *err)
{
    TextSpan line = text_span(record->text);
    TextWord word = next_word(&line);

    return *word.at == '@' ? parse_directive(builder, word, &line, err)
                           : parse_row(builder, word, &line, err);
}

/* ---- Files */

/* Does an open text file begin with the magic number, and can it be opened again? */
static bool is_binary(const FileReader *reader, const char *path)
{
    struct stat there;

    return reader->end - reader->at >= (ptrdiff_t)sizeof magic &&
           memcmp(reader->at, magic, sizeof magic) == 0 && stat(path, &there) == 0 &&
           S_ISREG(there.st_mode);
}

Status foreign_read(const char *path, const char *scratch, int threads, ForeignSet *set, Error *err)
{
    Builder b = {.scratch = scratch};
    FileReader *reader = reader_open_text(path, err);

    if (!reader || !is_binary(reader, path))
        return finish(&b, records_use(reader, parse_record, &b, err), path, threads, set, err);
    reader_close(reader);
    reader = reader_open(path, err);
    Status status = reader ? read_binary(&b, reader, err) : err->status;
    if (reader && status != STATUS_OK) (void)error_prefix(err, "%s", path);
    reader_close(reader);
    return finish(&b, status, path, threads, set, err);
}
