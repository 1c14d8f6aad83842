/* SPDX-License-Identifier: MIT
 * tabia perft: leaf counts of one position, or of a file of positions against the known ones. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/bench/leaves.h"
#include "cli/commands/command.h"
#include "cli/output/process.h"
#include "engine/base/clock.h"
#include "engine/base/json.h"
#include "engine/board/movegen.h"
#include "engine/board/position_make.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"

typedef struct PerftOptions {
    int depth;
    uint64_t max_nodes;
    const char *fen, *epd;
    bool chess960, full, divide, keep_going;
    CommonOptions common;
} PerftOptions;

static uint64_t nodes_per_second(uint64_t nodes, double seconds)
{
    return seconds > 0 ? (uint64_t)((double)nodes / seconds) : 0;
}

static const char *counting_text(const PerftOptions *o)
{
    return o->full ? "every leaf made" : "last ply counted in bulk";
}

/* ---- One position */

/* Leaves below each legal move. */
typedef struct Division {
    MoveList list;
    uint64_t leaves[MAX_MOVES];
    uint64_t total;
    double seconds;
} Division;

/* Depth at least 1. */
static Status divide(const LeafCounter *counter, const Position *pos, int depth, Division *division)
{
    Position root = *pos;
    double start = clock_seconds();

    position_refresh_psq(&root, &counter->table);
    movegen_all(&root, &division->list);
    division->total = 0;
    for (int i = 0; i < division->list.count; i++) {
        Position next;
        position_make_eval(&next, &root, division->list.moves[i], &counter->table);
        division->leaves[i] = count_leaves(counter, &next, depth - 1);
        division->total += division->leaves[i];
        if (atomic_load(cli_interrupted())) return STATUS_INTERRUPTED;
    }
    division->seconds = clock_seconds() - start;
    return STATUS_OK;
}

static void print_position_json(const PerftOptions *o, const Position *pos, const Division *d)
{
    JsonWriter w;
    char fen[FEN_MAX], uci[UCI_MOVE_MAX];

    position_to_fen(pos, fen);
    json_begin(&w, stdout);
    json_string(&w, "fen", fen);
    json_int(&w, "depth", o->depth);
    json_bool(&w, "bulk", !o->full);
    json_uint(&w, "nodes", d->total);
    json_double(&w, "seconds", d->seconds, 6);
    json_uint(&w, "nps", nodes_per_second(d->total, d->seconds));
    if (o->divide) {
        json_object(&w, "divide");
        for (int i = 0; i < d->list.count; i++) {
            move_to_uci(pos, d->list.moves[i], uci);
            json_uint(&w, uci, d->leaves[i]);
        }
        json_end_object(&w);
    }
    json_finish(&w);
}

static void print_position(const PerftOptions *o, const Position *pos, const Division *d)
{
    char uci[UCI_MOVE_MAX];

    for (int i = 0; o->divide && i < d->list.count; i++) {
        move_to_uci(pos, d->list.moves[i], uci);
        printf("%s: %" PRIu64 "\n", uci, d->leaves[i]);
    }
    printf("%" PRIu64 " nodes at depth %d in %.3f s, %.1f M nodes/s (%s)\n", d->total, o->depth,
           d->seconds, (double)nodes_per_second(d->total, d->seconds) / 1e6, counting_text(o));
}

static Status run_position(const PerftOptions *o, const LeafCounter *counter, Error *err)
{
    Position pos;
    Division division;
    Status status = position_from_fen(&pos, fen_of(o->fen), err);

    if (status != STATUS_OK) return status;
    cli_print_note(err);
    if (o->chess960) pos.chess960 = true;
    status = divide(counter, &pos, o->depth, &division);
    if (status != STATUS_OK) return error_set(err, status, "interrupted");
    (o->common.json ? print_position_json : print_position)(o, &pos, &division);
    return STATUS_OK;
}

/* ---- A file */

/* A suite and what was counted of it. */
typedef struct SuiteRun {
    PerftSuite suite;
    int compared, failed;
    uint64_t nodes;
    double seconds;
} SuiteRun;

/* Counts are scheduled one by one, since their lengths differ greatly; then they are compared. */
static void suite_run_count(SuiteRun *run, const PerftOptions *o, const LeafCounter *counter)
{
    const PerftSuite *suite = &run->suite;
    const atomic_int *interrupted = cli_interrupted();
    double start = clock_seconds();
    int threads = options_threads(&o->common);

    (void)threads; /* built without OpenMP */
#pragma omp parallel for schedule(dynamic) num_threads(threads) default(none)                      \
    shared(suite, o, counter, interrupted)
    for (int i = 0; i < suite->count_count; i++) {
        PerftCount *count = &suite->counts[i];
        Position pos = suite->positions[count->position];
        count->skipped = (o->max_nodes && count->expected > o->max_nodes) ||
                         (o->depth && count->depth > o->depth);
        if (count->skipped || atomic_load(interrupted)) continue;
        position_refresh_psq(&pos, &counter->table);
        count->found = count_leaves(counter, &pos, count->depth);
    }
    run->seconds = clock_seconds() - start;
    for (int i = 0; i < suite->count_count; i++) {
        const PerftCount *count = &suite->counts[i];
        if (count->skipped) continue;
        run->compared++;
        run->nodes += count->found;
        run->failed += count->found != count->expected;
    }
}

/* Into the open array, or as text when `w` is NULL. */
static void print_mismatches(const SuiteRun *run, const char *path, JsonWriter *w)
{
    for (int i = 0; i < run->suite.count_count; i++) {
        const PerftCount *count = &run->suite.counts[i];
        char fen[FEN_MAX];
        if (count->skipped || count->found == count->expected) continue;
        position_to_fen(&run->suite.positions[count->position], fen);
        if (!w) {
            printf("%s:%d: %s: depth %d: expected %" PRIu64 ", found %" PRIu64 "\n", path,
                   count->line, fen, count->depth, count->expected, count->found);
            continue;
        }
        json_object(w, NULL);
        json_int(w, "line", count->line);
        json_string(w, "fen", fen);
        json_int(w, "depth", count->depth);
        json_uint(w, "expected", count->expected);
        json_uint(w, "found", count->found);
        json_end_object(w);
    }
}

static void print_suite_json(const PerftOptions *o, const SuiteRun *run)
{
    JsonWriter w;

    json_begin(&w, stdout);
    json_string(&w, "file", o->epd);
    json_int(&w, "positions", run->suite.position_count);
    json_int(&w, "counts", run->compared);
    json_int(&w, "skipped", run->suite.count_count - run->compared);
    json_int(&w, "failed", run->failed);
    json_bool(&w, "bulk", !o->full);
    json_uint(&w, "nodes", run->nodes);
    json_double(&w, "seconds", run->seconds, 6);
    json_uint(&w, "nps", nodes_per_second(run->nodes, run->seconds));
    json_array(&w, "mismatches");
    print_mismatches(run, NULL, &w);
    json_end_array(&w);
    json_finish(&w);
}

static void print_suite(const PerftOptions *o, const SuiteRun *run)
{
    print_mismatches(run, o->epd, NULL);
    printf("%d of %d counts right, %d skipped; %" PRIu64 " nodes in %.3f s, %.1f M nodes/s (%s)\n",
           run->compared - run->failed, run->compared, run->suite.count_count - run->compared,
           run->nodes, run->seconds, (double)nodes_per_second(run->nodes, run->seconds) / 1e6,
           counting_text(o));
}

static Status run_suite(const PerftOptions *o, const LeafCounter *counter, Error *err)
{
    SuiteRun run = {0};

    Status status = perft_suite_read(&run.suite, o->epd, o->chess960, o->keep_going, err);
    if (status != STATUS_OK) return status;
    cli_print_faults(o->epd, "lines left out", &run.suite.left_out);
    cli_print_faults(o->epd, "positions with a castling right or en passant square dropped",
                     &run.suite.dropped);
    suite_run_count(&run, o, counter);
    if (atomic_load(cli_interrupted())) {
        status = error_set(err, STATUS_INTERRUPTED, "interrupted");
    } else {
        (o->common.json ? print_suite_json : print_suite)(o, &run);
        if (run.compared == 0)
            status = error_set(err, STATUS_BAD_INPUT, "%s: no count within --depth and --max-nodes",
                               o->epd);
        if (run.failed)
            status = error_set(err, STATUS_FAILED, "%s: %d of %d counts are wrong", o->epd,
                               run.failed, run.compared);
    }
    perft_suite_free(&run.suite);
    return status;
}

/* ---- The command */

static Status run(void *command, const OptionParser *parser, Error *err)
{
    const PerftOptions *o = command;
    LeafCounter counter;

    (void)parser;
    cli_end_with_reader();
    if (!o->epd && o->depth == 0)
        return error_set(err, STATUS_USAGE, "--depth is needed, or --epd");
    leaf_counter_init(&counter, o->full);
    return o->epd ? run_suite(o, &counter, err) : run_position(o, &counter, err);
}

enum { DEPTH_MAX = 30 };

static const Setting options[] = {
    {"depth", FIELD(PerftOptions, depth), "N",
     "depth, plies; with --epd: deeper counts are left out", 1, DEPTH_MAX},
    {"fen", FIELD(PerftOptions, fen), "FEN", "position to count from (default: the start)",
     .not_with = "epd"},
    {"chess960", FIELD(PerftOptions, chess960), NULL, "castling written as king takes rook"},
    {"full", FIELD(PerftOptions, full), NULL,
     "make every move, with key and evaluation, instead of counting the last ply in bulk"},
    {"divide", FIELD(PerftOptions, divide), NULL, "print the count below each move",
     .not_with = "epd"},
    {"epd", FIELD(PerftOptions, epd), "FILE", "file of known counts to compare with (.zst too)",
     .not_with = "fen divide"},
    {"max-nodes", FIELD(PerftOptions, max_nodes), "N",
     "number of leaves above which a count of --epd is left out", 1, INFINITY, .needs = "epd"},
    {"keep-going", FIELD(PerftOptions, keep_going), NULL,
     "leave out lines of --epd that cannot be read, and say how many", .needs = "epd"},
    {FIELD(PerftOptions, common), .rows = common_settings},
    {0},
};

static const OptionSpec spec = {
    .command = "perft",
    .synopsis = "--depth N [--fen FEN] | --epd FILE [options]",
    .description =
        "Counts the leaves of the game tree, which tests the move generator and its speed. One\n"
        "position is counted on one thread; --threads share the counts of a file. Lines of a file\n"
        "are \"FEN ;D1 20 ;D2 400 ...\", or blocks of \"epd FEN\" and \"perft DEPTH COUNT\". A wrong\n"
        "count is exit code 1.",
    .bare = "depth",
    .settings = options,
    .epilogue = "Examples:\n"
                "  tabia perft --depth 6\n"
                "  tabia perft --epd suite.epd --max-nodes 1M --threads 2\n",
};

Status cmd_perft(int argc, char **argv, Error *err)
{
    PerftOptions o = {0};

    return options_run(&spec, argc, argv, run, &o, err);
}
