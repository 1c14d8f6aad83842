/* SPDX-License-Identifier: MIT
 * tabia bench perft: move generation, counting the last ply in bulk and making every move, and
 * Debian's stockfish (bulk) beside it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "engine/base/clock.h"
#include "engine/base/json.h"
#include "engine/board/movegen.h"
#include "engine/board/perft.h"
#include "engine/eval/eval.h"
#include "engine/notation/fen.h"

typedef struct PerftCase {
    const char *name, *fen;
    int depth;
} PerftCase;

static const PerftCase cases[] = {
    {"start", START_FEN, 6},
    {"kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5},
    {"endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7},
};
enum { CASES = sizeof cases / sizeof cases[0] };

/* Leaf nodes per second, and how many times the judge's; judge and ratios are 0 where stockfish is
 * absent. */
typedef struct PerftSpeed {
    uint64_t nodes;
    double bulk, full, judge, bulk_ratio, full_ratio;
} PerftSpeed;

/* Stockfish's leaf nodes per second, timed from its `readyok` to its total. */
static double stockfish_speed(const PerftCase *c, int depth)
{
    const char *path = bench_stockfish();
    char command[512], line[256];
    double start = clock_seconds(), end = start;
    uint64_t nodes = 0;

    if (!path) return 0;
    (void)fflush(stdout);
    (void)snprintf(command, sizeof command,
                   "printf 'position fen %s\\nisready\\ngo perft %d\\nquit\\n' | %s 2>&1", c->fen,
                   depth, path);
    FILE *f = popen(command, "r");
    if (!f) return 0;
    while (fgets(line, sizeof line, f)) {
        if (strncmp(line, "readyok", 7) == 0) start = clock_seconds();
        if (strncmp(line, "Nodes searched:", 15) == 0) {
            nodes = strtoull(line + 15, NULL, 10);
            end = clock_seconds();
        }
    }
    (void)pclose(f);
    return end > start ? (double)nodes / (end - start) : 0;
}

static Status measure(const PerftCase *c, int depth, PerftSpeed *speed, Error *err)
{
    EvalWeights weights;
    PsqTable table;
    Position pos;

    Status status = position_from_fen(&pos, c->fen, err);
    if (status != STATUS_OK) return status;
    weights_builtin(&weights);
    eval_psq_table(&weights, &table);
    position_refresh_psq(&pos, &table);

    double start = clock_seconds();
    speed->nodes = perft(&pos, depth);
    double middle = clock_seconds();
    uint64_t full = perft_full(&pos, depth, &table);
    double end = clock_seconds();
    if (full != speed->nodes)
        return error_set(err, STATUS_FAILED, "%s: bulk counts %llu, full %llu", c->name,
                         (unsigned long long)speed->nodes, (unsigned long long)full);
    speed->bulk = (double)speed->nodes / (middle - start);
    speed->full = (double)speed->nodes / (end - middle);
    speed->judge = stockfish_speed(c, depth);
    speed->bulk_ratio = speed->judge > 0 ? speed->bulk / speed->judge : 0;
    speed->full_ratio = speed->judge > 0 ? speed->full / speed->judge : 0;
    return STATUS_OK;
}

/* Several rounds: each figure is the middle one of its own. */
static Status measure_rounds(const PerftCase *c, int depth, int rounds, PerftSpeed *speed,
                             Error *err)
{
    double bulk[BENCH_ROUNDS_MAX], full[BENCH_ROUNDS_MAX], judge[BENCH_ROUNDS_MAX],
        bulk_ratio[BENCH_ROUNDS_MAX], full_ratio[BENCH_ROUNDS_MAX];

    for (int i = 0; i < rounds; i++) {
        Status status = measure(c, depth, speed, err);
        if (status != STATUS_OK) return status;
        bulk[i] = speed->bulk;
        full[i] = speed->full;
        judge[i] = speed->judge;
        bulk_ratio[i] = speed->bulk_ratio;
        full_ratio[i] = speed->full_ratio;
    }
    speed->bulk = bench_middle(bulk, rounds);
    speed->full = bench_middle(full, rounds);
    speed->judge = bench_middle(judge, rounds);
    speed->bulk_ratio = bench_middle(bulk_ratio, rounds);
    speed->full_ratio = bench_middle(full_ratio, rounds);
    return STATUS_OK;
}

static void print_text(const PerftCase *c, int depth, const PerftSpeed *s)
{
    printf("%-9s depth %d  %11llu nodes  bulk %7.1f M/s  full %6.1f M/s", c->name, depth,
           (unsigned long long)s->nodes, s->bulk * 1e-6, s->full * 1e-6);
    if (s->judge > 0)
        printf("  stockfish %6.1f M/s  (%.2f and %.2f times)", s->judge * 1e-6, s->bulk_ratio,
               s->full_ratio);
    printf("\n");
}

static void print_json(JsonWriter *w, const PerftCase *c, int depth, const PerftSpeed *s)
{
    json_object(w, NULL);
    json_string(w, "position", c->name);
    json_int(w, "depth", depth);
    json_uint(w, "nodes", s->nodes);
    json_double(w, "nps", s->bulk, 6);
    json_double(w, "full_nps", s->full, 6);
    if (s->judge > 0) {
        json_double(w, "stockfish_nps", s->judge, 6);
        json_double(w, "ratio", s->bulk_ratio, 4);
        json_double(w, "full_ratio", s->full_ratio, 4);
    }
    json_end_object(w);
}

Status bench_perft(const BenchOptions *options, Error *err)
{
    JsonWriter w;

    if (options->common.json) {
        json_begin(&w, stdout);
        json_array(&w, "positions");
    }
    for (int i = 0; i < CASES; i++) {
        PerftSpeed speed;
        int depth = options->depth > 0 ? (int)options->depth : cases[i].depth;
        int rounds = options->rounds > 0 ? (int)options->rounds : 1;
        Status status = measure_rounds(&cases[i], depth, rounds, &speed, err);
        if (status != STATUS_OK) return status;
        if (options->common.json)
            print_json(&w, &cases[i], depth, &speed);
        else
            print_text(&cases[i], depth, &speed);
    }
    if (options->common.json) {
        json_end_array(&w);
        json_finish(&w);
    }
    return STATUS_OK;
}
