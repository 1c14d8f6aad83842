/* SPDX-License-Identifier: MIT
 * Counting leaves in parts, and reading files of known counts. */
#include "cli/bench/leaves.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/process.h"
#include "db/files/reader.h"
#include "engine/base/array.h"
#include "engine/base/text.h"
#include "engine/board/movegen.h"
#include "engine/board/perft.h"
#include "engine/board/position_make.h"
#include "engine/eval/eval.h"
#include "engine/notation/epd.h"
#include "engine/values/value.h"

enum {
    DEPTH_MAX = 30,
    PART_DEPTH = 3 /* plies, counted in less than a second in any position */
};

/* ---- Counting */

void leaf_counter_init(LeafCounter *counter, bool full)
{
    EvalWeights weights;

    weights_material(&weights);
    counter->full = full;
    eval_psq_table(&weights, &counter->table);
}

uint64_t count_leaves(const LeafCounter *counter, const Position *pos, int depth)
{
    MoveList list;
    Position next;
    uint64_t leaves = 0;

    if (depth <= PART_DEPTH)
        return counter->full ? perft_full(pos, depth, &counter->table) : perft(pos, depth);
    movegen_all(pos, &list);
    for (int i = 0; i < list.count && !atomic_load(cli_interrupted()); i++) {
        position_make_eval(&next, pos, list.moves[i], &counter->table);
        leaves += count_leaves(counter, &next, depth - 1);
    }
    return leaves;
}

/* ---- Files */

/* A file being read. */
typedef struct Reader {
    PerftSuite *suite;
    bool chess960, keep_going;
    bool lost; /* the last position: its counts are left out with it */
    int line;  /* of the record */
    int64_t position_room, count_room;
} Reader;

/* Reads the position that *text begins with and moves *text past it. */
static Status add_position(Reader *r, TextSpan *text, Error *err)
{
    PerftSuite *suite = r->suite;
    Status status =
        ARRAY_RESERVE(suite->positions, r->position_room, suite->position_count + 1, err);
    if (status != STATUS_OK) return status;
    r->lost = true;
    Position *pos = &suite->positions[suite->position_count];
    status = epd_read_position(text, pos, err);
    if (status != STATUS_OK) return status;
    if (err->text[0]) {
        (void)error_prefix(err, "line %d", r->line);
        fault_count_add(&suite->dropped, 1, err);
    }
    if (r->chess960) pos->chess960 = true;
    r->lost = false;
    suite->position_count++;
    return STATUS_OK;
}

/* Reads "DEPTH COUNT", up to a semicolon or the end. */
static Status add_count(Reader *r, const char *text, Error *err)
{
    PerftSuite *suite = r->suite;
    char depth[8], count[24], after = ';';
    uint64_t plies, leaves;

    if (sscanf(text, "%7s %23[0-9] %c", depth, count, &after) < 2 || after != ';' ||
        !value_parse_uint64(depth, &plies) || plies > DEPTH_MAX ||
        !value_parse_uint64(count, &leaves))
        return error_set(err, STATUS_BAD_INPUT, "expected a depth and a count, found \"%.60s\"",
                         text);
    Status status = ARRAY_RESERVE(suite->counts, r->count_room, suite->count_count + 1, err);
    if (status != STATUS_OK) return status;
    suite->counts[suite->count_count++] =
        (PerftCount){r->line, suite->position_count - 1, (int)plies, leaves, 0, false};
    return STATUS_OK;
}

/* "FEN ;D1 20 ;D2 400 …", or with `block` also a FEN alone. */
static Status read_epd(Reader *r, const char *line, bool block, Error *err)
{
    TextSpan text = text_span(line);
    EpdOperation count;

    Status status = add_position(r, &text, err);
    if (status == STATUS_OK && !block && text_line_is_empty(text))
        return error_set(err, STATUS_BAD_INPUT, "no counts after the FEN; add \";D1 20 …\"");
    while (status == STATUS_OK && epd_next_operation(&text, &count)) {
        const char *at = count.opcode.at;
        status = *at == 'D'
                     ? add_count(r, at + 1, err)
                     : error_set(err, STATUS_BAD_INPUT, "expected \"D1 20\", found \"%.60s\"", at);
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

static Status read_line(Reader *r, const TextRecord *record, Error *err)
{
    char *rest;

    if (after_word(record->text, "id")) return STATUS_OK;
    if ((rest = after_word(record->text, "epd")) != NULL) return read_epd(r, rest, true, err);
    if ((rest = after_word(record->text, "perft")) == NULL)
        return read_epd(r, record->text, false, err);
    if (r->lost) return STATUS_OK;
    if (r->suite->position_count == 0)
        return error_set(err, STATUS_BAD_INPUT, "a count before the first position");
    return add_count(r, rest, err);
}

static Status read_record(void *context, const TextRecord *record, Error *err)
{
    Reader *r = context;

    r->line = (int)record->line;
    Status status = read_line(r, record, err);
    if (status != STATUS_BAD_INPUT || !r->keep_going) return status;
    (void)error_prefix(err, "line %d", r->line);
    fault_count_add(&r->suite->left_out, 1, err);
    *err = (Error){0};
    return STATUS_OK;
}

Status perft_suite_read(PerftSuite *suite, const char *path, bool chess960, bool keep_going,
                        Error *err)
{
    Reader r = {.suite = suite, .chess960 = chess960, .keep_going = keep_going};

    *suite = (PerftSuite){0};
    Status status = records_use(reader_open_text(path, err), read_record, &r, err);
    if (status == STATUS_OK && suite->count_count == 0)
        status = error_set(err, STATUS_BAD_INPUT, "%s: no position with known counts", path);
    if (status != STATUS_OK) perft_suite_free(suite);
    return status;
}

void perft_suite_free(PerftSuite *suite)
{
    free(suite->positions);
    free(suite->counts);
    *suite = (PerftSuite){0};
}
