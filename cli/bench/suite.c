/* SPDX-License-Identifier: MIT
 * tabia bench suite: how many positions of an EPD file with known best (bm) or bad (am) moves the
 * search solves within a number of nodes.
 * Source of the format: S. J. Edwards, "Portable Game Notation Specification", section 16.2. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/output/fields.h"
#include "cli/output/process.h"
#include "db/files/reader.h"
#include "engine/base/system.h"
#include "engine/base/text.h"
#include "engine/board/movegen.h"
#include "engine/eval/evaluation_load.h"
#include "engine/notation/epd.h"
#include "engine/notation/move_text.h"
#include "engine/search/search.h"

enum { DEFAULT_NODES = 200000, HASH_BYTES = 64 << 20, WORD_MAX = 32 };

typedef struct SuitePosition {
    Position pos;
    MoveList best, avoid;
    char id[64];
} SuitePosition;

typedef struct SuiteCounts {
    uint64_t nodes;    /* a position */
    int solved, total; /* positions */
    int left_out;      /* lines that cannot be read */
} SuiteCounts;

static const Field fields[] = {
    {"nodes", FIELD(SuiteCounts, nodes)},
    {"solved", FIELD(SuiteCounts, solved)},
    {"total", FIELD(SuiteCounts, total)},
    {"left_out", FIELD(SuiteCounts, left_out)},
    {0},
};

static bool contains(const MoveList *list, Move m)
{
    for (int i = 0; i < list->count; i++)
        if (list->moves[i] == m) return true;
    return false;
}

/* The moves of an operation, up to `end`; a "+" by itself, as in some files, is skipped. */
static Status read_moves(const Position *pos, const char *text, const char *end, MoveList *list,
                         Error *err)
{
    Status status = STATUS_OK;
    char word[WORD_MAX];
    Move move;

    while (status == STATUS_OK && (text += strspn(text, " \t\"")) < end) {
        size_t length = strcspn(text, " \t\";");
        (void)snprintf(word, sizeof word, "%.*s", (int)length, text);
        text += length;
        if (strcmp(word, "+") == 0) continue;
        status = move_from_san(pos, word, &move, err);
        if (status == STATUS_OK && !contains(list, move)) list->moves[list->count++] = move;
    }
    return status;
}

/* An id is optional. */
static Status read_position(TextSpan line, SuitePosition *p, Error *err)
{
    EpdOperation op;

    p->best.count = p->avoid.count = 0;
    p->id[0] = '\0';
    Status status = epd_read_position(&line, &p->pos, err);
    while (status == STATUS_OK && epd_next_operation(&line, &op)) {
        if (text_word_is(op.opcode, "bm"))
            status = read_moves(&p->pos, op.operand.at, line.at, &p->best, err);
        else if (text_word_is(op.opcode, "am"))
            status = read_moves(&p->pos, op.operand.at, line.at, &p->avoid, err);
        else if (text_word_is(op.opcode, "id"))
            (void)snprintf(p->id, sizeof p->id, "%.*s", (int)op.operand.length, op.operand.at);
    }
    if (status == STATUS_OK && p->best.count + p->avoid.count == 0)
        status = error_set(err, STATUS_BAD_INPUT, "no operation bm or am");
    return status;
}

static bool solves(Search *search, const SuitePosition *p, uint64_t nodes)
{
    SearchLimits limits = {.nodes_hard = nodes, .interrupted = cli_interrupted()};
    SearchResult result;

    search_new_game(search);
    search_run(search, &p->pos, NULL, &limits, &result);
    return (p->best.count == 0 || contains(&p->best, result.best)) &&
           !contains(&p->avoid, result.best);
}

typedef struct SuiteFile {
    Search *search;
    const char *path;
    bool quiet;
    SuiteCounts tally;
} SuiteFile;

/* Prints the id of a position that is not solved. A record that cannot be read is named on standard
 * error and left out. */
static Status run_record(void *context, const TextRecord *record, Error *err)
{
    SuiteFile *run = context;
    SuitePosition p;
    Error wrong;

    if (read_position(text_span(record->text), &p, &wrong) != STATUS_OK) {
        fprintf(stderr, "tabia bench: %s:%lld: %s; left out\n", run->path, (long long)record->line,
                wrong.text);
        run->tally.left_out++;
        return STATUS_OK;
    }
    bool solved = solves(run->search, &p, run->tally.nodes);
    Status status = system_check_end(err);
    if (status != STATUS_OK) return status; /* it was cut off */
    run->tally.total++;
    run->tally.solved += solved;
    if (!run->quiet && !solved) {
        text_clean(p.id);
        printf(" %s", p.id[0] ? p.id : "?");
    }
    return STATUS_OK;
}

static Status run_file(SuiteFile *run, Error *err)
{
    FileReader *reader = reader_open(run->path, err); /* as text it could not have NUL bytes */

    if (!reader) return err->status;
    if (!run->quiet) printf("%s: not solved:", run->path);
    Status status = records_use(reader, run_record, run, err);
    if (!run->quiet) printf("\n");
    if (status == STATUS_OK) status = system_check_end(err);
    if (status == STATUS_OK && run->tally.total + run->tally.left_out == 0)
        status = error_set(err, STATUS_BAD_INPUT, "%s: no positions", run->path);
    return status;
}

static void print(const char *path, const SuiteCounts *tally)
{
    printf("%s: %d of %d solved at %llu nodes", path, tally->solved, tally->total,
           (unsigned long long)tally->nodes);
    if (tally->left_out > 0) printf(", %d lines left out", tally->left_out);
    putchar('\n');
}

Status bench_suite(const BenchOptions *options, Error *err)
{
    Evaluation weights;
    SuiteCounts all = {.nodes = options->nodes > 0 ? (uint64_t)options->nodes : DEFAULT_NODES};
    bool json = options->common.json, quiet = options->common.quiet || json;

    Status status = evaluation_load(options->weights, &weights, NULL, err);
    if (status != STATUS_OK) return status;
    Search *search = search_create(&weights, HASH_BYTES, err);
    if (!search) return STATUS_FAILED;

    for (const char *const *path = options->files; *path && status == STATUS_OK; path++) {
        SuiteFile run = {search, *path, quiet, {.nodes = all.nodes}};
        status = run_file(&run, err);
        if (status == STATUS_OK && !json) print(*path, &run.tally);
        all.solved += run.tally.solved;
        all.total += run.tally.total;
        all.left_out += run.tally.left_out;
    }
    search_destroy(search);
    if (status != STATUS_OK) return status;
    if (json) fields_json_line(stdout, fields, &all);
    if (all.left_out == 0) return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT, "suite: %d of %d lines left out; correct them",
                     all.left_out, all.left_out + all.total);
}
