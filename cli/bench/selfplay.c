/* SPDX-License-Identifier: MIT
 * tabia bench selfplay: games played, searched and stored as `tabia selfplay` does it, in a
 * database that is thrown away, beside the node speed of the bare search in the same run. */
#include <stdio.h>

#include "cli/bench/bench.h"
#include "cli/bench/scratch.h"
#include "cli/output/process.h"
#include "db/store/store.h"
#include "engine/base/json.h"
#include "engine/eval/weights_file.h"
#include "engine/search/bench.h"
#include "selfplay/run/selfplay.h"

enum { GAMES_PER_THREAD = 32, DEFAULT_NODES = 1000 };

typedef struct SelfplaySpeed {
    const BenchOptions *options;
    SelfplayProgress totals;
    double cpu_seconds;
    uint64_t bench_nps; /* of the bare search, one thread */
    int threads;
    double speedup; /* positions a second, against one thread in the same run; 0: it is one */
} SelfplaySpeed;

static double rate(const SelfplayProgress *t)
{
    return (double)t->positions / t->seconds;
}

/* Plays into a new database in the folder. */
static Status play(void *context, const char *folder, Error *err)
{
    SelfplaySpeed *speed = context;
    const BenchOptions *options = speed->options;
    char path[1024];
    SelfplaySettings settings;
    EvalWeights weights;
    WeightsInfo info;

    selfplay_defaults(&settings);
    settings.threads = speed->threads;
    settings.games = (int64_t)GAMES_PER_THREAD * speed->threads;
    settings.limits = (SearchLimits){.depth = (int)options->depth,
                                     .nodes_soft = options->nodes > 0   ? (uint64_t)options->nodes
                                                   : options->depth > 0 ? 0
                                                                        : DEFAULT_NODES};
    Status status = weights_load(options->weights, &weights, &info, err);
    if (status != STATUS_OK) return status;
    (void)snprintf(path, sizeof path, "%s/games.db", folder);
    Store *store = store_open(path, STORE_CREATE, err);
    if (!store) return err->status;
    double started = bench_cpu_seconds();
    status = selfplay_run(store, &weights, info.label, &settings, cli_interrupted(), NULL, NULL,
                          &speed->totals, err);
    speed->cpu_seconds = bench_cpu_seconds() - started;
    store_close(store);
    return status;
}

static void print(const SelfplaySpeed *s, double per_move, double share)
{
    const SelfplayProgress *t = &s->totals;

    printf("games      %8.1f /s on %d thread%s\n", (double)t->done / t->seconds, s->threads,
           s->threads == 1 ? "" : "s");
    printf("positions  %8.0f /s, %.0f a CPU second\n", rate(t),
           (double)t->positions / s->cpu_seconds);
    if (s->speedup > 0) printf("speedup    %8.2f of one thread\n", s->speedup);
    printf("nodes      %8.0f a move, %.2f M a CPU second: %.1f %% of the bare search's %.2f M\n",
           per_move, (double)t->nodes / s->cpu_seconds * 1e-6, 100 * share,
           (double)s->bench_nps * 1e-6);
    printf("time       %8.1f %% of the CPU's playing, openings included; %.1f %% of the threads' "
           "waiting for the database\n",
           100 * t->times.playing / s->cpu_seconds,
           100 * t->times.waiting / (t->seconds * s->threads));
}

Status bench_selfplay(const BenchOptions *options, Error *err)
{
    SelfplaySpeed speed = {.options = options, .threads = options_threads(&options->common)};
    BenchResult bare;

    Status status = bench_run(&(BenchSettings){0}, &bare, err);
    SelfplaySpeed alone = {.options = options, .threads = 1};
    if (status == STATUS_OK && speed.threads > 1) status = bench_in_scratch(play, &alone, err);
    if (status == STATUS_OK) status = bench_in_scratch(play, &speed, err);
    if (status != STATUS_OK) return status;
    if (speed.threads > 1) speed.speedup = rate(&speed.totals) / rate(&alone.totals);
    const SelfplayProgress *t = &speed.totals;
    speed.bench_nps = bare.nps;
    double per_move = (double)t->nodes / (double)t->positions;
    double share = (double)t->nodes / speed.cpu_seconds / (double)bare.nps;

    if (!options->common.json) {
        print(&speed, per_move, share);
        return STATUS_OK;
    }
    JsonWriter w;
    json_begin(&w, stdout);
    json_int(&w, "threads", speed.threads);
    json_int(&w, "games", t->done);
    json_int(&w, "positions", t->positions);
    json_int(&w, "nodes", t->nodes);
    json_double(&w, "seconds", t->seconds, 6);
    json_double(&w, "cpu_seconds", speed.cpu_seconds, 6);
    json_double(&w, "nodes_per_move", per_move, 6);
    json_double(&w, "positions_per_cpu_second", (double)t->positions / speed.cpu_seconds, 6);
    json_uint(&w, "bench_nps", speed.bench_nps);
    json_double(&w, "ratio", share, 4);
    json_double(&w, "playing", t->times.playing / speed.cpu_seconds, 4);
    json_double(&w, "waiting", t->times.waiting / (t->seconds * speed.threads), 4);
    if (speed.speedup > 0) json_double(&w, "speedup", speed.speedup, 4);
    json_finish(&w);
    return STATUS_OK;
}
