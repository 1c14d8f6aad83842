/* SPDX-License-Identifier: MIT
 * The text form of foreign features: directives and positions, a line each. */
#include <stdlib.h>
#include <string.h>

#include "db/files/reader.h"
#include "engine/notation/epd.h"
#include "tuner/data/epd_line.h"
#include "tuner/data/foreign_builder.h"

enum { BLOCK_BYTES = 1 << 20 };

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next word up to a blank; length 0 at the end of the line or before a comment. */
static EpdWord next_word(EpdText *line)
{
    while (line->at < line->end && is_space(*line->at))
        line->at++;
    EpdWord word = {line->at, 0};
    if (line->at < line->end && *line->at == '#') return word;
    while (line->at < line->end && !is_space(*line->at))
        line->at++;
    word.length = (size_t)(line->at - word.at);
    return word;
}

/* A whole number that fits into 31 bits; "3.0" is one too. */
static bool word_integer(EpdWord word, long *value)
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

static bool word_number(EpdWord word, double *value)
{
    char text[32], *end;

    if (word.length == 0 || word.length >= sizeof text) return false;
    memcpy(text, word.at, word.length);
    text[word.length] = '\0';
    *value = strtod(text, &end);
    return *end == '\0' && *value >= -1e5 && *value <= 1e5;
}

/* ---- Directives */

static Status expected(const char *what, EpdWord word, Error *err)
{
    return error_set(err, STATUS_BAD_INPUT, "expected %s, not \"%.*s\"", what, (int)word.length,
                     word.at);
}

static Status parse_columns(ForeignBuilder *b, EpdText *line, Error *err)
{
    long count;
    EpdWord word = next_word(line);

    if (b->set.data)
        return error_set(err, STATUS_BAD_INPUT, "@columns must come once, before all else");
    if (!word_integer(word, &count) || count < 1 || count > SPACE_COLUMNS_MAX)
        return expected("a number of columns", word, err);
    b->columns = (int)count;
    return foreign_begin(b, err);
}

/* The column that a directive is about. */
static Status parse_column(const ForeignBuilder *b, EpdText *line, int *column, Error *err)
{
    long index;
    EpdWord word = next_word(line);

    if (!b->set.data) return error_set(err, STATUS_BAD_INPUT, "@columns must come first");
    if (!word_integer(word, &index) || index < b->base || index >= b->columns + b->base)
        return expected("the index of a column", word, err);
    *column = (int)index - b->base;
    return STATUS_OK;
}

static Status parse_name(ForeignBuilder *b, EpdText *line, Error *err)
{
    int column = 0;

    Status status = parse_column(b, line, &column, err);
    if (status != STATUS_OK) return status;
    EpdWord name = next_word(line);
    if (name.length == 0 || name.length >= SPACE_NAME_MAX)
        return expected("a name of at most 47 letters", name, err);
    memcpy(b->set.space->name[column], name.at, name.length);
    b->set.space->name[column][name.length] = '\0';
    return STATUS_OK;
}

static Status parse_start(ForeignBuilder *b, EpdText *line, Error *err)
{
    int column = 0;

    Status status = parse_column(b, line, &column, err);
    for (int half = 0; half < 2 && status == STATUS_OK; half++) {
        EpdWord word = next_word(line);
        if (word.length == 0 && half == 1 && b->untapered) break;
        if (!word_number(word, &b->set.start[half * b->columns + column]))
            status = expected("centipawns", word, err);
    }
    return status;
}

static Status parse_fixed(ForeignBuilder *b, EpdText *line, Error *err)
{
    int column = 0;

    Status status = parse_column(b, line, &column, err);
    if (status == STATUS_OK)
        b->set.space->fixed[column] = b->set.space->fixed[b->columns + column] = 1;
    return status;
}

static Status parse_directive(ForeignBuilder *b, EpdWord word, EpdText *line, Error *err)
{
    Status status = STATUS_OK;

    if (epd_word_is(word, "@columns"))
        status = parse_columns(b, line, err);
    else if (epd_word_is(word, "@one-based") && !b->set.data)
        b->base = 1;
    else if (epd_word_is(word, "@untapered") && (!b->set.data || b->set.data->positions == 0))
        b->untapered = true;
    else if (epd_word_is(word, "@name"))
        status = parse_name(b, line, err);
    else if (epd_word_is(word, "@start"))
        status = parse_start(b, line, err);
    else if (epd_word_is(word, "@fixed"))
        status = parse_fixed(b, line, err);
    else
        return error_set(err, STATUS_BAD_INPUT, "\"%.*s\" is no directive, or not allowed here",
                         (int)word.length, word.at);
    if (status != STATUS_OK) return status;
    EpdWord rest = next_word(line);
    return rest.length == 0 ? STATUS_OK : expected("the end of the line", rest, err);
}

/* ---- Positions */

/* `p:`, `g:`, `s:` or an index, and what follows the colon. */
static Status parse_pair(ForeignBuilder *b, ForeignRow *row, EpdWord key, EpdWord value, Error *err)
{
    long index, number = 0;

    if (epd_word_is(key, "g")) {
        if (value.length == 0) return expected("the name of a game", value, err);
        return name_table_number(&b->ids, value.at, value.length, &b->games, &row->game, err);
    }
    bool whole = word_integer(value, &number);
    if (epd_word_is(key, "p")) {
        if (!whole || number < 0 || number > EVAL_PHASE_MAX)
            return expected("a phase from 0 to 24", value, err);
        row->phase = (int)number;
        return STATUS_OK;
    }
    if (epd_word_is(key, "s")) {
        if (!whole || number < -32000 || number > 32000)
            return expected("a score in centipawns", value, err);
        row->score = (int)number;
        return STATUS_OK;
    }
    if (!word_integer(key, &index)) return expected("index:coefficient", key, err);
    if (!whole) return expected("a whole number as coefficient", value, err);
    return foreign_add_feature(b, row, index - b->base, number, err);
}

static Status parse_row(ForeignBuilder *b, EpdWord label, EpdText *line, Error *err)
{
    ForeignRow row = {.last = -1, .phase = EVAL_PHASE_MAX, .score = SCORE_UNKNOWN, .game = -1};
    Status status = STATUS_OK;

    if (!b->set.data) return error_set(err, STATUS_BAD_INPUT, "@columns must come first");
    if (!epd_parse_result(label.at, label.length, &row.result))
        return error_set(err, STATUS_BAD_INPUT, "unknown label '%.*s'", (int)label.length,
                         label.at);
    for (EpdWord word; status == STATUS_OK && (word = next_word(line)).length > 0;) {
        const char *colon = memchr(word.at, ':', word.length);
        if (!colon) return expected("index:coefficient", word, err);
        EpdWord key = {word.at, (size_t)(colon - word.at)};
        EpdWord value = {colon + 1, word.length - key.length - 1};
        status = parse_pair(b, &row, key, value, err);
    }
    if (row.game < 0) row.game = b->games++; /* without a name a game of its own */
    return status == STATUS_OK ? foreign_add_row(b, &row, err) : status;
}

static Status parse_line(ForeignBuilder *b, EpdText line, Error *err)
{
    EpdWord word = next_word(&line);

    if (word.length == 0) return STATUS_OK;
    return *word.at == '@' ? parse_directive(b, word, &line, err) : parse_row(b, word, &line, err);
}

/* Counts the lines on in *number. */
static Status parse_block(ForeignBuilder *b, const char *text, size_t length, const char *name,
                          int64_t *number, Error *err)
{
    const char *at = text, *end = text + length;

    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        ++*number;
        Status status = parse_line(b, (EpdText){at, stop}, err);
        if (status == STATUS_BAD_INPUT)
            (void)error_prefix(err, "%s:%lld", name, (long long)*number);
        if (status != STATUS_OK) return status;
        at = stop + 1;
    }
    return STATUS_OK;
}

Status foreign_parse(const char *text, size_t length, const char *name, ForeignSet *set, Error *err)
{
    ForeignBuilder b = {0};
    int64_t lines = 0;

    Status status = parse_block(&b, text, length, name, &lines, err);
    if (status == STATUS_OK) status = foreign_finish(&b, name, 1, set, err);
    foreign_discard(&b);
    return status;
}

Status foreign_read_text(const char *path, const char *scratch, int threads, ForeignSet *set,
                         Error *err)
{
    ForeignBuilder b = {.scratch = scratch};
    const char *text;
    size_t length = 1;
    int64_t lines = 0;
    FileReader *source = reader_open(path, err);

    if (!source) return err->status;
    Status status = STATUS_OK;
    while (status == STATUS_OK && length > 0) {
        status = reader_block(source, BLOCK_BYTES, &text, &length, err);
        if (status == STATUS_OK) status = parse_block(&b, text, length, path, &lines, err);
    }
    if (status == STATUS_OK) status = foreign_finish(&b, path, threads, set, err);
    reader_close(source);
    foreign_discard(&b);
    return status;
}
