/* SPDX-License-Identifier: MIT
 * tabia bench threads: how much sooner several threads reach a depth than one does. The two take
 * turns on every bench position, so that a drift of the machine's speed affects both. */
#include <math.h>
#include <stdio.h>

#include "cli/bench/bench.h"
#include "cli/output/fields.h"
#include "cli/output/process.h"
#include "engine/base/clock.h"
#include "engine/base/system.h"
#include "engine/board/position_make.h"
#include "engine/eval/evaluation_load.h"
#include "engine/notation/fen.h"
#include "engine/search/bench.h"

enum { DEFAULT_DEPTH = 16, HASH_BYTES = 64 << 20 };

/* Nodes of one thread below which starting threads takes longer than searching. They are counted,
 * not timed, so that each run compares the same positions. */
enum { LEAST_NODES = 30000 };

/* Sums over the positions, and what follows from them; [0] is one thread, [1] all threads. */
typedef struct ThreadBench {
    int threads, depth;
    double seconds[2];
    uint64_t nodes[2];
    int positions;              /* of those long enough for one thread: */
    double log_time, log_nodes; /* ln of one thread's over all threads' */
    double speedup, nodes_ratio, nps_ratio;
    uint64_t nps[2];
} ThreadBench;

static const Field fields[] = {
    {"threads", FIELD(ThreadBench, threads), .label = "threads"},
    {"depth", FIELD(ThreadBench, depth), .label = "depth, plies"},
    {"positions", FIELD(ThreadBench, positions), .label = "positions compared"},
    {"speedup", FIELD(ThreadBench, speedup), .digits = 4, .label = "speed-up, geometric mean",
     .decimals = 2},
    {"seconds_one", FIELD(ThreadBench, seconds[0]), .label = "seconds of one thread",
     .decimals = 3},
    {"seconds", FIELD(ThreadBench, seconds[1]), .label = "seconds of all threads", .decimals = 3},
    {"nps_one", FIELD(ThreadBench, nps[0]), .label = "nodes/s of one thread"},
    {"nps", FIELD(ThreadBench, nps[1]), .label = "nodes/s of all threads"},
    {"nodes_ratio", FIELD(ThreadBench, nodes_ratio), .digits = 4,
     .label = "nodes, all threads to one, geometric mean", .decimals = 2},
    {"nps_ratio", FIELD(ThreadBench, nps_ratio), .digits = 4,
     .label = "nodes/s, all threads to one", .decimals = 2},
    {0},
};

/* Seconds of a search to the depth. */
static double measure(Search *search, const Position *pos, int depth, uint64_t *nodes)
{
    SearchLimits limits = {.depth = depth, .interrupted = cli_interrupted()};
    SearchResult result;

    search_new_game(search);
    double start = clock_seconds();
    search_run(search, pos, NULL, &limits, &result);
    *nodes = result.nodes;
    return clock_seconds() - start;
}

static void add(ThreadBench *t, const double seconds[2], const uint64_t nodes[2])
{
    for (int side = 0; side < 2; side++) {
        t->seconds[side] += seconds[side];
        t->nodes[side] += nodes[side];
    }
    if (nodes[0] < LEAST_NODES) return;
    t->log_time += log(seconds[0] / seconds[1]);
    t->log_nodes += log((double)nodes[0] / (double)nodes[1]);
    t->positions++;
}

static Status compare(ThreadBench *t, Search *const searches[2], Error *err)
{
    for (int i = 0; bench_fens[i]; i++) {
        Position pos;
        double seconds[2];
        uint64_t nodes[2];
        Status status = position_from_fen(&pos, bench_fens[i], err);
        if (status != STATUS_OK) return status;
        for (int turn = 0; turn < 2; turn++) {
            int side = (i + turn) % 2;
            seconds[side] = measure(searches[side], &pos, t->depth, &nodes[side]);
        }
        if (system_check_end(err) != STATUS_OK) return STATUS_INTERRUPTED;
        add(t, seconds, nodes);
    }
    if (t->positions == 0)
        return error_set(err, STATUS_FAILED,
                         "all positions were searched in less than %d nodes; give more --depth",
                         LEAST_NODES);
    return STATUS_OK;
}

static void finish(ThreadBench *t)
{
    double nps[2] = {(double)t->nodes[0] / t->seconds[0], (double)t->nodes[1] / t->seconds[1]};

    t->speedup = exp(t->log_time / t->positions);
    t->nodes_ratio = exp(-t->log_nodes / t->positions);
    t->nps_ratio = nps[1] / nps[0];
    for (int side = 0; side < 2; side++)
        t->nps[side] = (uint64_t)nps[side];
}

Status bench_threads(const BenchOptions *options, Error *err)
{
    Evaluation weights;
    ThreadBench t = {.threads = options_threads(&options->common),
                     .depth = options->depth > 0 ? (int)options->depth : DEFAULT_DEPTH};

    Status status = evaluation_load(options->weights, &weights, NULL, err);
    if (status != STATUS_OK) return status;
    Search *searches[2] = {search_create(&weights, HASH_BYTES, err), NULL};
    if (searches[0]) searches[1] = search_create(&weights, HASH_BYTES, err);
    status = searches[1] ? search_set_threads(searches[1], t.threads, err) : STATUS_FAILED;
    if (status == STATUS_OK) status = compare(&t, searches, err);
    search_destroy(searches[0]);
    search_destroy(searches[1]);
    if (status != STATUS_OK) return status;
    finish(&t);
    (options->common.json ? fields_json_line : fields_list)(stdout, fields, &t);
    return STATUS_OK;
}
