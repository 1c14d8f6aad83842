/* SPDX-License-Identifier: MIT
 * tabia bench perft: move generation, counting the last ply in bulk and making every move, and
 * Debian's stockfish (bulk) beside it, by processor time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/bench/leaves.h"
#include "cli/bench/support.h"
#include "cli/output/fields.h"
#include "engine/base/clock.h"
#include "engine/base/system.h"
#include "engine/notation/fen.h"

typedef enum PerftFigure { BULK, FULL, JUDGE, BULK_RATIO, FULL_RATIO, PERFT_FIGURES } PerftFigure;

typedef struct PerftSpeed {
    const char *name, *fen;
    int depth;
    uint64_t nodes;
    /* Leaf nodes a processor second, and their ratios to stockfish's; NAN where it is absent. */
    double figure[PERFT_FIGURES];
} PerftSpeed;

static const PerftSpeed cases[] = {
    {"start", START_FEN, 6},
    {"kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5},
    {"endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static const Field fields[] = {
    {"position", FIELD(PerftSpeed, name), .label = "position", .width = -9},
    {"depth", FIELD(PerftSpeed, depth), .label = "depth", .width = 7},
    {"nodes", FIELD(PerftSpeed, nodes), .label = "nodes", .width = 13},
    {"nps", FIELD(PerftSpeed, figure[BULK]), .label = "bulk M/s", .decimals = 1, .scale = 1e-6,
     .width = 11},
    {"full_nps", FIELD(PerftSpeed, figure[FULL]), .label = "full M/s", .decimals = 1, .scale = 1e-6,
     .width = 11},
    {"stockfish_nps", FIELD(PerftSpeed, figure[JUDGE]), .label = "stockfish M/s", .decimals = 1,
     .scale = 1e-6, .width = 15, .zero = ZERO_LEFT_OUT},
    {"ratio", FIELD(PerftSpeed, figure[BULK_RATIO]), .digits = 4, .label = "bulk, times",
     .decimals = 2, .width = 13, .zero = ZERO_LEFT_OUT},
    {"full_ratio", FIELD(PerftSpeed, figure[FULL_RATIO]), .digits = 4, .label = "full, times",
     .decimals = 2, .width = 13, .zero = ZERO_LEFT_OUT},
    {0},
};

/* Processor seconds of a stockfish that is given `commands`; *nodes: what its perft counts. */
static double stockfish_seconds(const char *commands, uint64_t *nodes)
{
    char line[512];
    int code;

    (void)snprintf(line, sizeof line, "printf '%s\\nquit\\n' | %s", commands, bench_stockfish());
    BenchTimes start = bench_times();
    FILE *f = bench_command_run(line, &code, &(Error){0});
    double seconds = bench_times_since(start).cpu;
    if (!f) return NAN;
    while (fgets(line, sizeof line, f))
        if (strncmp(line, "Nodes searched:", 15) == 0) *nodes = strtoull(line + 15, NULL, 10);
    (void)fclose(f);
    return seconds;
}

/* Stockfish's leaf nodes a processor second, without its start. */
static double stockfish_speed(const char *fen, int depth)
{
    char commands[256];
    uint64_t nodes = 0;

    if (!bench_stockfish()) return NAN;
    double start = stockfish_seconds("isready", &nodes);
    (void)snprintf(commands, sizeof commands, "isready\\nposition fen %s\\ngo perft %d", fen,
                   depth);
    double seconds = stockfish_seconds(commands, &nodes) - start;
    return nodes > 0 && seconds > 0 ? (double)nodes / seconds : NAN;
}

static Status run_round(void *context, void *round, Error *err)
{
    PerftSpeed *speed = round;
    double *figure = speed->figure;
    LeafCounter bulk, full;
    Position pos;

    *speed = *(const PerftSpeed *)context;
    Status status = position_from_fen(&pos, speed->fen, err);
    if (status != STATUS_OK) return status;
    leaf_counter_init(&bulk, false);
    leaf_counter_init(&full, true);
    position_refresh_psq(&pos, &full.table);

    double start = clock_cpu_seconds();
    speed->nodes = count_leaves(&bulk, &pos, speed->depth);
    double middle = clock_cpu_seconds();
    uint64_t nodes = count_leaves(&full, &pos, speed->depth);
    double end = clock_cpu_seconds();
    figure[JUDGE] = stockfish_speed(speed->fen, speed->depth);
    if (system_check_end(err) != STATUS_OK) return STATUS_INTERRUPTED;
    if (nodes != speed->nodes)
        return error_set(err, STATUS_FAILED, "%s: bulk counts %llu, full %llu", speed->name,
                         (unsigned long long)speed->nodes, (unsigned long long)nodes);
    figure[BULK] = (double)speed->nodes / (middle - start);
    figure[FULL] = (double)speed->nodes / (end - middle);
    figure[BULK_RATIO] = figure[BULK] / figure[JUDGE];
    figure[FULL_RATIO] = figure[FULL] / figure[JUDGE];
    return STATUS_OK;
}

/* The medians. */
static Status measure(const BenchOptions *options, PerftSpeed *speed, Error *err)
{
    BenchRounds rounds = {.fields = fields, .size = sizeof *speed};

    Status status = bench_rounds_run(&rounds, options, run_round, speed, err);
    if (status == STATUS_OK) memcpy(speed, rounds.columns, sizeof *speed);
    bench_rounds_free(&rounds);
    return status;
}

Status bench_perft(const BenchOptions *options, Error *err)
{
    BenchOptions rounds = *options;
    PerftSpeed speeds[CASES];

    if (rounds.rounds == 0) rounds.rounds = 1;
    if (!options->common.json) fields_header(stdout, fields);
    for (int i = 0; i < CASES; i++) {
        speeds[i] = cases[i];
        if (options->depth > 0) speeds[i].depth = options->depth;
        Status status = measure(&rounds, &speeds[i], err);
        if (status != STATUS_OK) return status;
        if (!options->common.json) fields_row(stdout, fields, &speeds[i]);
    }
    if (options->common.json) {
        JsonWriter w;
        json_begin(&w, stdout);
        fields_json_array(&w, "positions", fields, speeds, sizeof *speeds, CASES);
        json_finish(&w);
    }
    return STATUS_OK;
}
