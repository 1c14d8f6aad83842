/* SPDX-License-Identifier: MIT
 * tabia bench threads: how much sooner several threads reach a depth than one does. The two take
 * turns on every bench position, so that a machine whose speed drifts is unjust to neither. */
#include <math.h>
#include <stdio.h>

#include "cli/bench/bench.h"
#include "cli/output/process.h"
#include "engine/base/clock.h"
#include "engine/base/json.h"
#include "engine/board/position_make.h"
#include "engine/eval/weights_file.h"
#include "engine/notation/fen.h"
#include "engine/search/bench.h"

enum { DEFAULT_DEPTH = 16, HASH_BYTES = 64 << 20 };

/* Below this one thread's time says more about waking threads than about searching. */
static const double least_seconds = 0.02;

/* Sums over the positions; [0] is one thread, [1] all threads. */
typedef struct ThreadTally {
    int threads, depth;
    double seconds[2];
    uint64_t nodes[2];
    int positions;              /* of those that took one thread long enough: */
    double log_time, log_nodes; /* ln of one thread's over all threads' */
} ThreadTally;

typedef struct Measure {
    double seconds;
    uint64_t nodes;
} Measure;

static Measure measure(Search *search, const Position *pos, int depth)
{
    SearchLimits limits = {.depth = depth};
    SearchResult result;

    search_new_game(search);
    double start = clock_seconds();
    search_run(search, pos, NULL, &limits, &result);
    return (Measure){clock_seconds() - start, result.nodes};
}

static void add(ThreadTally *tally, const Measure measures[2])
{
    for (int side = 0; side < 2; side++) {
        tally->seconds[side] += measures[side].seconds;
        tally->nodes[side] += measures[side].nodes;
    }
    if (measures[0].seconds < least_seconds) return;
    tally->log_time += log(measures[0].seconds / measures[1].seconds);
    tally->log_nodes += log((double)measures[0].nodes / (double)measures[1].nodes);
    tally->positions++;
}

static Status compare(ThreadTally *tally, Search *const searches[2], Error *err)
{
    for (int i = 0; bench_fens[i]; i++) {
        Position pos;
        Measure measures[2];
        Status status = position_from_fen(&pos, bench_fens[i], err);
        if (status != STATUS_OK) return status;
        if (atomic_load(cli_interrupted()))
            return error_set(err, STATUS_INTERRUPTED, "interrupted");
        for (int turn = 0; turn < 2; turn++) {
            int side = (i + turn) % 2;
            measures[side] = measure(searches[side], &pos, tally->depth);
        }
        add(tally, measures);
    }
    if (tally->positions == 0)
        return error_set(err, STATUS_FAILED, "every position was over too soon: give more --depth");
    return STATUS_OK;
}

static void print(const ThreadTally *t, bool json)
{
    double speedup = exp(t->log_time / t->positions);
    double nodes_ratio = exp(-t->log_nodes / t->positions);
    double nps[2] = {(double)t->nodes[0] / t->seconds[0], (double)t->nodes[1] / t->seconds[1]};

    if (!json) {
        printf("depth %d reached %.2f times as fast by %d threads as by one, with %.2f times the "
               "nodes\n(geometric means of %d positions)\n",
               t->depth, speedup, t->threads, nodes_ratio, t->positions);
        printf("one    %9.3f s  %8.0f knps\n", t->seconds[0], nps[0] / 1000);
        printf("all    %9.3f s  %8.0f knps, %.2f times one thread's\n", t->seconds[1],
               nps[1] / 1000, nps[1] / nps[0]);
        return;
    }
    JsonWriter w;
    json_begin(&w, stdout);
    json_int(&w, "threads", t->threads);
    json_int(&w, "depth", t->depth);
    json_int(&w, "positions", t->positions);
    json_double(&w, "speedup", speedup, 4);
    json_double(&w, "seconds_one", t->seconds[0], 6);
    json_double(&w, "seconds", t->seconds[1], 6);
    json_uint(&w, "nps_one", (uint64_t)nps[0]);
    json_uint(&w, "nps", (uint64_t)nps[1]);
    json_double(&w, "nodes_ratio", nodes_ratio, 4);
    json_double(&w, "nps_ratio", nps[1] / nps[0], 4);
    json_finish(&w);
}

Status bench_threads(const BenchOptions *options, Error *err)
{
    EvalWeights weights;
    ThreadTally tally = {.threads = options_threads(&options->common),
                         .depth = options->depth > 0 ? (int)options->depth : DEFAULT_DEPTH};

    Status status = weights_load(options->weights, &weights, NULL, err);
    if (status != STATUS_OK) return status;
    Search *searches[2] = {search_create(&weights, HASH_BYTES, err), NULL};
    if (searches[0]) searches[1] = search_create(&weights, HASH_BYTES, err);
    status = searches[1] ? search_set_threads(searches[1], tally.threads, err) : STATUS_FAILED;
    if (status == STATUS_OK) status = compare(&tally, searches, err);
    search_destroy(searches[0]);
    search_destroy(searches[1]);
    if (status == STATUS_OK) print(&tally, options->common.json);
    return status;
}
