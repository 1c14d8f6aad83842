/* SPDX-License-Identifier: MIT
 * tabia bench search: the node signature and speed, and beside it Debian's stockfish, another
 * engine or, for other weights, the built-in ones. */
#include "engine/search/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/bench/support.h"
#include "cli/output/process.h"
#include "engine/eval/evaluation_load.h"

/* The bench of a program; all 0: there is none. */
typedef struct Program {
    uint64_t nodes, nps;
    double cpu_seconds, cpu_nps; /* without its start */
} Program;

/* The two benches run in turn, so that other work on the machine affects both. */
typedef struct Round {
    Program own, stockfish, against, builtin; /* at most one of the last three */
    int64_t ms;
    double ratio, cpu_ratio; /* 0: nothing to compare with */
} Round;

static const Field fields[] = {
    {"nodes", FIELD(Round, own.nodes), .label = "nodes"},
    {"nps", FIELD(Round, own.nps), .label = "nodes/s"},
    {"cpu_nps", FIELD(Round, own.cpu_nps), .label = "nodes a CPU second"},
    {"ms", FIELD(Round, ms), .label = "ms"},
    {"cpu_seconds", FIELD(Round, own.cpu_seconds), .label = "CPU seconds", .decimals = 2},
    {"stockfish_nps", FIELD(Round, stockfish.nps), .label = "nodes/s of stockfish's bench",
     .zero = ZERO_LEFT_OUT},
    {"stockfish_cpu_nps", FIELD(Round, stockfish.cpu_nps),
     .label = "nodes a CPU second of stockfish's bench", .zero = ZERO_LEFT_OUT},
    {"stockfish_cpu_seconds", FIELD(Round, stockfish.cpu_seconds),
     .label = "CPU seconds of stockfish's bench", .decimals = 2, .zero = ZERO_LEFT_OUT},
    {"against_nodes", FIELD(Round, against.nodes), .label = "nodes of --against",
     .zero = ZERO_LEFT_OUT},
    {"against_nps", FIELD(Round, against.nps), .label = "nodes/s of --against",
     .zero = ZERO_LEFT_OUT},
    {"against_cpu_nps", FIELD(Round, against.cpu_nps), .label = "nodes a CPU second of --against",
     .zero = ZERO_LEFT_OUT},
    {"against_cpu_seconds", FIELD(Round, against.cpu_seconds), .label = "CPU seconds of --against",
     .decimals = 2, .zero = ZERO_LEFT_OUT},
    {"builtin_nodes", FIELD(Round, builtin.nodes), .label = "nodes with the built-in weights",
     .zero = ZERO_LEFT_OUT},
    {"builtin_nps", FIELD(Round, builtin.nps), .label = "nodes/s with the built-in weights",
     .zero = ZERO_LEFT_OUT},
    {"builtin_cpu_nps", FIELD(Round, builtin.cpu_nps),
     .label = "nodes a CPU second with the built-in weights", .zero = ZERO_LEFT_OUT},
    {"builtin_cpu_seconds", FIELD(Round, builtin.cpu_seconds),
     .label = "CPU seconds with the built-in weights", .decimals = 2, .zero = ZERO_LEFT_OUT},
    {"ratio", FIELD(Round, ratio), .digits = 4, .label = "times as fast", .decimals = 3,
     .zero = ZERO_LEFT_OUT},
    {"cpu_ratio", FIELD(Round, cpu_ratio), .digits = 4, .label = "times as fast by CPU time",
     .decimals = 3, .zero = ZERO_LEFT_OUT},
    {0},
};

/* Reads "Nodes searched : N" and "Nodes/second : N", as Stockfish prints them, or "N nodes" and
 * "N nps", on one line or two, as OpenBench reads them. */
static void read_figures(FILE *f, Program *program)
{
    char line[256];

    while (fgets(line, sizeof line, f)) {
        const char *colon = strchr(line, ':');
        char *end;
        uint64_t count = strtoull(colon ? colon + 1 : line, &end, 10);
        if (colon && strncmp(line, "Nodes searched", 14) == 0)
            program->nodes = count;
        else if (colon && strncmp(line, "Nodes/second", 12) == 0)
            program->nps = count;
        if (strncmp(end, " nodes", 6) == 0) {
            program->nodes = count;
            count = strtoull(end + 6, &end, 10);
        }
        if (strncmp(end, " nps", 4) == 0) program->nps = count;
    }
}

/* Runs `program commands`, and gives its time by clock and processor. */
static Status run_commands(const char *program, const char *commands, Program *figures,
                           BenchTimes *times, Error *err)
{
    char command[1024];
    int code;

    (void)snprintf(command, sizeof command, "%s %s", program, commands);
    BenchTimes start = bench_times();
    FILE *f = bench_command_run(command, &code, err);
    *times = bench_times_since(start);
    if (!f) return err->status;
    read_figures(f, figures);
    (void)fclose(f);
    return code == 0 ? STATUS_OK : error_set(err, STATUS_FAILED, "%s: it fails", command);
}

static Status measure_program(const char *program, const char *bench, Program *p, Error *err)
{
    BenchTimes start, whole;

    Status status = run_commands(program, "quit", p, &start, err);
    if (status == STATUS_OK) status = run_commands(program, bench, p, &whole, err);
    if (status != STATUS_OK) return status;
    /* A bench of a few milliseconds can take less than the start that was measured before it.
     * Then its own start is counted, too. */
    p->cpu_seconds = whole.cpu > start.cpu ? whole.cpu - start.cpu : whole.cpu;
    if (p->nodes == 0 || p->nps == 0 || p->cpu_seconds <= 0)
        return error_set(err, STATUS_FAILED, "%s %s: it prints no nodes and nodes/s", program,
                         bench);
    p->cpu_nps = (double)p->nodes / p->cpu_seconds;
    return STATUS_OK;
}

/* The bench of this program. */
static Status measure_own(int depth, const Evaluation *weights, Program *p, int64_t *ms, Error *err)
{
    const BenchSettings settings = {
        .depth = depth, .evaluation = weights, .interrupted = cli_interrupted()};
    BenchResult result;

    BenchTimes start = bench_times();
    Status status = bench_run(&settings, &result, err);
    if (status != STATUS_OK) return status;
    *p = (Program){
        .nodes = result.nodes, .nps = result.nps, .cpu_seconds = bench_times_since(start).cpu};
    p->cpu_nps = (double)p->nodes / p->cpu_seconds;
    *ms = result.time_ms;
    return STATUS_OK;
}

static Status measure_other(const BenchOptions *options, const char *program, Program *other,
                            Error *err)
{
    char bench[32] = "bench";

    if (options->against && options->depth > 0)
        (void)snprintf(bench, sizeof bench, "'bench %d'", options->depth);
    return measure_program(program, bench, other, err);
}

typedef struct SearchBench {
    const BenchOptions *options;
    Evaluation weights, builtin;
    bool foreign; /* the weights are others than the built-in ones */
} SearchBench;

static Status run_round(void *context, void *round, Error *err)
{
    const SearchBench *bench = context;
    const BenchOptions *options = bench->options;
    const char *program = options->against ? options->against : bench_stockfish();
    Round *r = round;
    Program *other = &r->builtin;
    int64_t ms;

    Status status = measure_own(options->depth, &bench->weights, &r->own, &r->ms, err);
    if (status == STATUS_OK && bench->foreign && !options->against) {
        status = measure_own(options->depth, &bench->builtin, other, &ms, err);
    } else if (status == STATUS_OK && program) {
        other = options->against ? &r->against : &r->stockfish;
        status = measure_other(options, program, other, err);
    }
    if (status != STATUS_OK || other->nps == 0) return status;
    r->ratio = (double)r->own.nps / (double)other->nps;
    r->cpu_ratio = r->own.cpu_nps / other->cpu_nps;
    return STATUS_OK;
}

Status bench_search(const BenchOptions *options, Error *err)
{
    SearchBench bench = {.options = options, .foreign = strcmp(options->weights, "builtin") != 0};

    Status status = evaluation_load(options->weights, &bench.weights, NULL, err);
    if (status == STATUS_OK) status = evaluation_builtin(&bench.builtin, err);
    if (status != STATUS_OK) return status;
    return bench_rounds_report(fields, sizeof(Round), options, run_round, &bench, err);
}
