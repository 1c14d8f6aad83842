/* SPDX-License-Identifier: MIT
 * tabia bench suite: how many positions of an EPD file with known best (bm) or bad (am) moves, or
 * a known mate (dm 5, bm #5), the search solves within a number of nodes, and how many points its
 * moves have where a file gives points (c7 "Nf3 d4"; c8 "10 4", as the Strategic Test Suite).
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
    MoveList best, avoid, pointed;
    int points[MAX_MOVES]; /* of the pointed moves */
    int point_count;
    int mate; /* in this many moves of the side to move, negative: against it; 0: none is known */
    char id[64];
    Error note; /* that a castling right or the like was dropped, or no text */
} SuitePosition;

typedef struct SuiteCounts {
    uint64_t nodes;    /* a position */
    int solved, total; /* positions */
    int left_out;      /* lines that cannot be read */
    int points, most_points;
} SuiteCounts;

static const Field fields[] = {
    {"nodes", FIELD(SuiteCounts, nodes)},
    {"solved", FIELD(SuiteCounts, solved)},
    {"total", FIELD(SuiteCounts, total)},
    {"left_out", FIELD(SuiteCounts, left_out)},
    {0},
};

static const Field fields_with_points[] = {
    {"nodes", FIELD(SuiteCounts, nodes)},
    {"solved", FIELD(SuiteCounts, solved)},
    {"total", FIELD(SuiteCounts, total)},
    {"left_out", FIELD(SuiteCounts, left_out)},
    {"points", FIELD(SuiteCounts, points)},
    {"most_points", FIELD(SuiteCounts, most_points)},
    {0},
};

static bool contains(const MoveList *list, Move m)
{
    for (int i = 0; i < list->count; i++)
        if (list->moves[i] == m) return true;
    return false;
}

/* The moves of an operation, up to `end`; a "+" or "?" by itself, as in some files, is skipped.
 * "#5" among them is a mate, if `mate` is not NULL. */
static Status read_moves(const Position *pos, const char *text, const char *end, MoveList *list,
                         int *mate, Error *err)
{
    Status status = STATUS_OK;
    char word[WORD_MAX];
    Move move;

    while (status == STATUS_OK && (text += strspn(text, " \t\"")) < end) {
        size_t length = strcspn(text, " \t\";");
        (void)snprintf(word, sizeof word, "%.*s", (int)length, text);
        text += length;
        if (word[strspn(word, "+!?")] == '\0') continue;
        if (mate && word[0] == '#') {
            *mate = (int)strtol(word + 1, NULL, 10);
            continue;
        }
        status = move_from_any(pos, word, &move, err);
        if (status == STATUS_OK && !contains(list, move)) list->moves[list->count++] = move;
    }
    return status;
}

static void read_points(SuitePosition *p, TextWord operand)
{
    char text[512], *at = text, *end;

    (void)snprintf(text, sizeof text, "%.*s", (int)operand.length, operand.at);
    while (p->point_count < MAX_MOVES) {
        long points = strtol(at, &end, 10);
        if (end == at || points < 0 || points > 1000) break;
        p->points[p->point_count++] = (int)points;
        at = end;
    }
}

/* The points of a move, and the most that a move has. */
static int points_of(const SuitePosition *p, Move move, int *most)
{
    int points = 0;

    *most = 0;
    if (p->pointed.count != p->point_count) return 0; /* other comments */
    for (int i = 0; i < p->point_count; i++) {
        if (p->points[i] > *most) *most = p->points[i];
        if (p->pointed.moves[i] == move) points = p->points[i];
    }
    return points;
}

/* An id is optional. */
static Status read_position(TextSpan line, SuitePosition *p, Error *err)
{
    EpdOperation op;

    p->best.count = p->avoid.count = p->pointed.count = p->point_count = p->mate = 0;
    p->id[0] = '\0';
    Status status = epd_read_position(&line, &p->pos, err);
    p->note = *err;
    while (status == STATUS_OK && epd_next_operation(&line, &op)) {
        if (text_word_is(op.opcode, "bm"))
            status = read_moves(&p->pos, op.operand.at, line.at, &p->best, &p->mate, err);
        else if (text_word_is(op.opcode, "am"))
            status = read_moves(&p->pos, op.operand.at, line.at, &p->avoid, NULL, err);
        else if (text_word_is(op.opcode, "dm"))
            p->mate = (int)strtol(op.operand.at, NULL, 10);
        else if (text_word_is(op.opcode, "c7"))
            (void)!read_moves(&p->pos, op.operand.at, line.at, &p->pointed, NULL, &(Error){0});
        else if (text_word_is(op.opcode, "c8"))
            read_points(p, op.operand);
        else if (text_word_is(op.opcode, "id"))
            (void)snprintf(p->id, sizeof p->id, "%.*s", (int)op.operand.length, op.operand.at);
    }
    if (status == STATUS_OK && p->best.count + p->avoid.count == 0 && p->mate == 0)
        status = error_set(err, STATUS_BAD_INPUT, "no operation bm, am or dm");
    return status;
}

/* Is it a mate in at most `mate` moves, for the same side? */
static bool is_mate_in(int score, int mate)
{
    return mate > 0   ? score >= VALUE_MATE - (2 * mate - 1)
           : mate < 0 ? score <= -VALUE_MATE - 2 * mate
                      : true;
}

static bool solves(Search *search, const SuitePosition *p, uint64_t nodes, Move *move)
{
    SearchLimits limits = {.nodes_hard = nodes, .interrupted = cli_interrupted()};
    SearchResult result;

    search_new_game(search);
    search_run(search, &p->pos, NULL, &limits, &result);
    *move = result.best;
    return is_mate_in(result.score, p->mate) &&
           (p->best.count == 0 || contains(&p->best, result.best)) &&
           !contains(&p->avoid, result.best);
}

typedef struct SuiteFile {
    Search *search;
    const char *path;
    bool quiet;
    SuiteCounts tally;
    FaultCount dropped;
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
    if (p.note.text[0]) {
        (void)error_prefix(&p.note, "line %lld", (long long)record->line);
        fault_count_add(&run->dropped, 1, &p.note);
    }
    Move move;
    int most;
    bool solved = solves(run->search, &p, run->tally.nodes, &move);
    Status status = system_check_end(err);
    if (status != STATUS_OK) return status; /* it was cut off */
    run->tally.total++;
    run->tally.solved += solved;
    run->tally.points += points_of(&p, move, &most);
    run->tally.most_points += most;
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
    cli_print_faults(run->path, "positions with a castling right or en passant square dropped",
                     &run->dropped);
    if (status == STATUS_OK) status = system_check_end(err);
    if (status == STATUS_OK && run->tally.total + run->tally.left_out == 0)
        status = error_set(err, STATUS_BAD_INPUT, "%s: no positions", run->path);
    return status;
}

static void print(const char *path, const SuiteCounts *tally)
{
    printf("%s: %d of %d solved at %llu nodes", path, tally->solved, tally->total,
           (unsigned long long)tally->nodes);
    if (tally->most_points > 0) printf(", %d of %d points", tally->points, tally->most_points);
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
        all.points += run.tally.points;
        all.most_points += run.tally.most_points;
    }
    search_destroy(search);
    if (status != STATUS_OK) return status;
    if (json) fields_json_line(stdout, all.most_points > 0 ? fields_with_points : fields, &all);
    if (all.left_out == 0) return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT, "suite: %d of %d lines left out; correct them",
                     all.left_out, all.left_out + all.total);
}
