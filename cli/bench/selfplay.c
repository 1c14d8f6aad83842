/* SPDX-License-Identifier: MIT
 * tabia bench selfplay: games played, searched and stored as `tabia selfplay` does it, in a
 * database that is thrown away. The bare search, one thread and all threads take turns. */
#include <stdio.h>

#include "cli/bench/bench.h"
#include "cli/bench/support.h"
#include "cli/output/process.h"
#include "db/store/store.h"
#include "engine/eval/evaluation_load.h"
#include "engine/search/bench.h"
#include "selfplay/run/selfplay.h"

enum { GAMES_PER_THREAD = 32, DEFAULT_NODES = 1000 };

typedef struct SelfplayBench {
    const BenchOptions *options;
    Evaluation weights;
    WeightsInfo info;
} SelfplayBench;

typedef struct SelfplaySpeed {
    const SelfplayBench *bench;
    SelfplayProgress totals;
    double cpu_seconds;
    uint64_t bench_nps;   /* of the bare search, one thread */
    double bench_cpu_nps; /* a second of processor time */
    int threads;
    double games_per_second, positions_per_second, nodes_per_move, positions_per_cpu_second;
    double ratio;            /* nodes a second of processor time to bench_cpu_nps */
    double playing, waiting; /* shares: of processor time, of the threads' time */
    /* Against one thread in the same round; 0: it is one. */
    double speedup, cpu_speedup; /* positions a second, and a second of processor time */
} SelfplaySpeed;

static const Field fields[] = {
    {"threads", FIELD(SelfplaySpeed, threads), .label = "threads"},
    {"games", FIELD(SelfplaySpeed, totals.done), .label = "games"},
    {"positions", FIELD(SelfplaySpeed, totals.positions), .label = "positions"},
    {"nodes", FIELD(SelfplaySpeed, totals.nodes), .label = "nodes"},
    {"seconds", FIELD(SelfplaySpeed, totals.seconds), .label = "seconds", .decimals = 2},
    {"cpu_seconds", FIELD(SelfplaySpeed, cpu_seconds), .label = "CPU seconds", .decimals = 2},
    {NULL, FIELD(SelfplaySpeed, games_per_second), .label = "games a second", .decimals = 1},
    {NULL, FIELD(SelfplaySpeed, positions_per_second), .label = "positions a second"},
    {"nodes_per_move", FIELD(SelfplaySpeed, nodes_per_move), .label = "nodes a move"},
    {"positions_per_cpu_second", FIELD(SelfplaySpeed, positions_per_cpu_second),
     .label = "positions a CPU second"},
    {"bench_nps", FIELD(SelfplaySpeed, bench_nps), .label = "nodes/s of the bare search"},
    {"bench_cpu_nps", FIELD(SelfplaySpeed, bench_cpu_nps),
     .label = "nodes a CPU second of the bare search"},
    {"ratio", FIELD(SelfplaySpeed, ratio), .digits = 4,
     .label = "nodes a CPU second, % of the bare search's", .decimals = 1, .scale = 100},
    {"playing", FIELD(SelfplaySpeed, playing), .digits = 4,
     .label = "playing, % of CPU time, openings included", .decimals = 1, .scale = 100},
    {"waiting", FIELD(SelfplaySpeed, waiting), .digits = 4,
     .label = "waiting for the database, % of threads' time", .decimals = 1, .scale = 100},
    {"speedup", FIELD(SelfplaySpeed, speedup), .digits = 4, .label = "speed-up to one thread",
     .decimals = 2, .zero = ZERO_LEFT_OUT},
    {"cpu_speedup", FIELD(SelfplaySpeed, cpu_speedup), .digits = 4,
     .label = "positions a CPU second, times one thread's", .decimals = 2, .zero = ZERO_LEFT_OUT},
    {0},
};

/* Plays into a new database in the folder. */
static Status play(void *context, const char *folder, Error *err)
{
    SelfplaySpeed *speed = context;
    const SelfplayBench *bench = speed->bench;
    const BenchOptions *options = bench->options;
    char path[1024];
    SelfplaySettings settings;

    selfplay_defaults(&settings);
    settings.threads = speed->threads;
    settings.games = (int64_t)GAMES_PER_THREAD * speed->threads;
    settings.limits = (SearchLimits){.depth = (int)options->depth,
                                     .nodes_soft = options->nodes > 0   ? (uint64_t)options->nodes
                                                   : options->depth > 0 ? 0
                                                                        : DEFAULT_NODES};
    (void)snprintf(path, sizeof path, "%s/games.db", folder);
    Store *store = store_open(path, STORE_CREATE, err);
    if (!store) return err->status;
    BenchTimes start = bench_times();
    Status status = selfplay_run(store, &bench->weights, bench->info.label, &settings,
                                 cli_interrupted(), NULL, NULL, &speed->totals, err);
    speed->cpu_seconds = bench_times_since(start).cpu;
    store_close(store);
    return status;
}

static void finish(SelfplaySpeed *s)
{
    const SelfplayProgress *t = &s->totals;

    s->games_per_second = (double)t->done / t->seconds;
    s->positions_per_second = (double)t->positions / t->seconds;
    s->nodes_per_move = (double)t->nodes / (double)t->positions;
    s->positions_per_cpu_second = (double)t->positions / s->cpu_seconds;
    s->ratio = (double)t->nodes / s->cpu_seconds / s->bench_cpu_nps;
    s->playing = t->times.playing / s->cpu_seconds;
    s->waiting = t->times.waiting / (t->seconds * s->threads);
}

static Status run_round(void *context, void *round, Error *err)
{
    const SelfplayBench *bench = context;
    const BenchSettings search = {.evaluation = &bench->weights, .interrupted = cli_interrupted()};
    SelfplaySpeed *speed = round;
    SelfplaySpeed alone = {.bench = bench, .threads = 1};
    BenchResult bare;

    *speed = (SelfplaySpeed){.bench = bench, .threads = options_threads(&bench->options->common)};
    BenchTimes start = bench_times();
    Status status = bench_run(&search, &bare, err);
    if (status != STATUS_OK) return status;
    speed->bench_nps = bare.nps;
    speed->bench_cpu_nps = (double)bare.nodes / bench_times_since(start).cpu;
    if (speed->threads > 1) status = bench_in_scratch(play, &alone, err);
    if (status == STATUS_OK) status = bench_in_scratch(play, speed, err);
    if (status != STATUS_OK) return status;
    finish(speed);
    if (speed->threads == 1) return STATUS_OK;
    finish(&alone);
    speed->speedup = speed->positions_per_second / alone.positions_per_second;
    speed->cpu_speedup = speed->positions_per_cpu_second / alone.positions_per_cpu_second;
    return STATUS_OK;
}

Status bench_selfplay(const BenchOptions *options, Error *err)
{
    SelfplayBench bench = {.options = options};

    Status status = evaluation_load(options->weights, &bench.weights, &bench.info, err);
    if (status != STATUS_OK) return status;
    return bench_rounds_report(fields, sizeof(SelfplaySpeed), options, run_round, &bench, err);
}
