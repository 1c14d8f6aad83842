/* SPDX-License-Identifier: MIT
 * Reading files of known leaf counts. */
#include "cli/bench/perft_suite.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "db/files/reader.h"
#include "engine/base/array.h"
#include "engine/notation/fen.h"

enum { DEPTH_MAX = 30, LINE_BYTES = 4096 };

/* A file being read. */
typedef struct Reader {
    PerftSuite *suite;
    bool chess960;
    int line;
    int64_t position_room, count_room;
} Reader;

static Status add_position(Reader *r, const char *fen, Error *err)
{
    PerftSuite *suite = r->suite;
    Status status =
        ARRAY_RESERVE(suite->positions, r->position_room, suite->position_count + 1, err);
    if (status != STATUS_OK) return status;
    Position *pos = &suite->positions[suite->position_count];
    status = position_from_fen(pos, fen, err);
    if (status != STATUS_OK) return status;
    if (r->chess960) pos->chess960 = true;
    suite->position_count++;
    return STATUS_OK;
}

/* Reads "DEPTH COUNT", followed by white space only. */
static Status add_count(Reader *r, const char *text, Error *err)
{
    PerftSuite *suite = r->suite;
    char *end;
    long depth = strtol(text, &end, 10);
    bool good = end != text && depth >= 0 && depth <= DEPTH_MAX && isspace((unsigned char)*end);
    char *number = end;

    while (isspace((unsigned char)*number))
        number++;
    good = good && isdigit((unsigned char)*number);
    errno = 0;
    unsigned long long expected = good ? strtoull(number, &end, 10) : 0;
    while (good && isspace((unsigned char)*end))
        end++;
    if (!good || *end != '\0' || errno)
        return error_set(err, STATUS_BAD_INPUT, "expected a depth and a count, found \"%.60s\"",
                         text);
    Status status = ARRAY_RESERVE(suite->counts, r->count_room, suite->count_count + 1, err);
    if (status != STATUS_OK) return status;
    suite->counts[suite->count_count++] =
        (PerftCount){r->line, suite->position_count - 1, (int)depth, expected, 0, false};
    return STATUS_OK;
}

/* "FEN ;D1 20 ;D2 400 …" */
static Status read_epd(Reader *r, char *line, Error *err)
{
    char *rest = strchr(line, ';');

    if (rest) *rest++ = '\0';
    Status status = add_position(r, line, err);
    if (status != STATUS_OK) return status;
    if (!rest) return error_set(err, STATUS_BAD_INPUT, "no counts after the FEN; add \";D1 20 …\"");
    while (rest && status == STATUS_OK) {
        char *field = rest;
        rest = strchr(field, ';');
        if (rest) *rest++ = '\0';
        while (isspace((unsigned char)*field))
            field++;
        if (*field == '\0') continue;
        if (*field != 'D')
            return error_set(err, STATUS_BAD_INPUT, "expected \"D1 20\", found \"%.60s\"", field);
        status = add_count(r, field + 1, err);
    }
    return status;
}

/* The text after `word` and white space if the line starts so, else NULL. */
static char *after_word(char *line, const char *word)
{
    size_t length = strlen(word);
    bool starts = strncmp(line, word, length) == 0 && isspace((unsigned char)line[length]);
    return starts ? line + length + 1 : NULL;
}

static Status read_line(Reader *r, char *line, Error *err)
{
    char *rest;

    while (isspace((unsigned char)*line))
        line++;
    if (*line == '\0' || *line == '#' || after_word(line, "id")) return STATUS_OK;
    if ((rest = after_word(line, "epd")) != NULL) return add_position(r, rest, err);
    if ((rest = after_word(line, "perft")) == NULL) return read_epd(r, line, err);
    if (r->suite->position_count == 0)
        return error_set(err, STATUS_BAD_INPUT, "a count before the first position");
    return add_count(r, rest, err);
}

static Status read_lines(Reader *r, FileReader *text, Error *err)
{
    char line[LINE_BYTES];
    bool whole;
    Status status = STATUS_OK;

    for (r->line = 1; reader_line(text, line, sizeof line, &whole) != READER_END; r->line++) {
        status = whole
                     ? read_line(r, line, err)
                     : error_set(err, STATUS_BAD_INPUT, "a line of %d bytes and more", LINE_BYTES);
        if (status != STATUS_OK) return reader_place_line(text, r->line, err);
    }
    return reader_fault(text, err);
}

Status perft_suite_read(PerftSuite *suite, const char *path, bool chess960, Error *err)
{
    Reader r = {.suite = suite, .chess960 = chess960};
    FileReader *text = reader_open_text(path, err);

    *suite = (PerftSuite){0};
    if (!text) return err->status;
    Status status = read_lines(&r, text, err);
    if (status == STATUS_OK && suite->count_count == 0)
        status = error_set(err, STATUS_BAD_INPUT, "%s: no position with known counts", path);
    if (status != STATUS_OK) perft_suite_free(suite);
    reader_close(text);
    return status;
}

void perft_suite_free(PerftSuite *suite)
{
    free(suite->positions);
    free(suite->counts);
    *suite = (PerftSuite){0};
}
