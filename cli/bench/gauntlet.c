/* SPDX-License-Identifier: MIT
 * tabia bench gauntlet: games a second of an engine against itself, in this process and as UCI
 * child processes. Both play the same games: fixed nodes a move, hash tables of one size. They take
 * turns, and medians are printed: of games a second by wall clock and by processor time, which
 * other work on the machine changes little. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/bench/bench.h"
#include "cli/bench/support.h"
#include "cli/output/fields.h"
#include "cli/output/process.h"
#include "engine/eval/weights_file.h"
#include "selfplay/match/gauntlet.h"

enum { LEVELS = 3, TURNS = 3, HASH_MB = 1, STALL_MS = 30000, PATH_BYTES = 4096 };

/* Medians of the matches. */
typedef struct Rate {
    double wall, cpu; /* games a second, and a second of processor time, of its engines too */
} Rate;

typedef struct Speed {
    uint64_t nodes; /* a move */
    int64_t games;  /* a thread: they take a second or two */
    double goal;    /* intended ratio */
    Rate in_process, uci;
    double ratio, cpu_ratio; /* in process to UCI */
    bool equal;              /* the same results of the matches */
} Speed;

static const Speed levels[LEVELS] = {{100, 100, 6}, {1000, 30, 1.7}, {5000, 10, 1.1}};

static const Field fields[] = {
    {"nodes", FIELD(Speed, nodes), .label = "nodes a move", .width = 12},
    {"in_process", FIELD(Speed, in_process.wall), .label = "games/s in process", .decimals = 1,
     .width = 20},
    {"uci", FIELD(Speed, uci.wall), .label = "by UCI", .decimals = 1, .width = 9},
    {"ratio", FIELD(Speed, ratio), .digits = 4, .label = "times", .decimals = 2, .width = 8},
    {"cpu_ratio", FIELD(Speed, cpu_ratio), .digits = 4, .label = "by CPU time", .decimals = 2,
     .width = 14},
    {"goal", FIELD(Speed, goal), .digits = 4, .label = "goal", .decimals = 1, .width = 7},
    {"equal", FIELD(Speed, equal), .label = "same games", .width = 13},
    {0},
};

/* tabia-engine beside this program, or in PATH. */
static void find_engine(char path[PATH_BYTES])
{
    ssize_t length = readlink("/proc/self/exe", path, PATH_BYTES - sizeof "-engine");

    if (length > 0) {
        (void)snprintf(path + length, PATH_BYTES - (size_t)length, "-engine");
        if (access(path, X_OK) == 0) return;
    }
    (void)snprintf(path, PATH_BYTES, "tabia-engine");
}

/* Plays a match of the player against itself; the rates include starting its processes. */
static Status play(const GauntletPlayer *player, const GauntletSettings *settings,
                   MatchScore *score, double *wall, double *cpu, Error *err)
{
    const GauntletPlayer players[2] = {*player, *player};
    const double started = bench_cpu_seconds();
    GauntletProgress result;

    Status status = gauntlet_run(NULL, players, 2, settings, NULL, cli_interrupted(), &result, err);
    *score = result.score;
    *wall = (double)result.done / result.seconds;
    *cpu = (double)result.done / (bench_cpu_seconds() - started);
    scoreboard_free(&result.board);
    return status;
}

static Status measure(const BenchOptions *options, const EvalWeights *weights, const char *engine,
                      Speed *speed, Error *err)
{
    char hash[32];
    const char *uci_options[] = {hash};
    const UciSetup uci = {.name = "tabia-engine",
                          .program = engine,
                          .options = uci_options,
                          .option_count = 1,
                          .stall_ms = STALL_MS,
                          .init_ms = STALL_MS};
    /* What `go nodes` means: a hard limit. */
    const GauntletPlayer ours = {.name = "in process",
                                 .weights = weights,
                                 .limits = {.nodes_hard = speed->nodes},
                                 .hash_bytes = (size_t)HASH_MB << 20};
    const GauntletPlayer theirs = {
        .name = "uci", .uci = &uci, .limits = {.nodes_soft = speed->nodes}};
    GauntletSettings settings;
    MatchScore scores[2];
    double wall[2][TURNS], cpu[2][TURNS];

    (void)snprintf(hash, sizeof hash, "Hash=%d", HASH_MB);
    gauntlet_defaults(&settings);
    settings.threads = options_threads(&options->common);
    settings.games = speed->games * settings.threads;
    speed->equal = true;
    for (int i = 0; i < TURNS; i++) {
        settings.seed = (uint64_t)i + 1;
        Status status = play(&ours, &settings, &scores[0], &wall[0][i], &cpu[0][i], err);
        if (status == STATUS_OK)
            status = play(&theirs, &settings, &scores[1], &wall[1][i], &cpu[1][i], err);
        if (status != STATUS_OK) return status;
        speed->equal &= memcmp(&scores[0], &scores[1], sizeof scores[0]) == 0;
    }
    speed->in_process = (Rate){bench_median(wall[0], TURNS), bench_median(cpu[0], TURNS)};
    speed->uci = (Rate){bench_median(wall[1], TURNS), bench_median(cpu[1], TURNS)};
    speed->ratio = speed->in_process.wall / speed->uci.wall;
    speed->cpu_ratio = speed->in_process.cpu / speed->uci.cpu;
    return STATUS_OK;
}

Status bench_gauntlet(const BenchOptions *options, Error *err)
{
    int threads = options_threads(&options->common);
    bool json = options->common.json;
    char engine[PATH_BYTES];
    Speed speeds[LEVELS];
    EvalWeights weights;

    find_engine(engine);
    Status status = weights_load("builtin", &weights, NULL, err); /* as tabia-engine plays */
    if (status == STATUS_OK && !json) {
        printf("threads: %d\n", threads);
        fields_header(stdout, fields);
    }
    for (int i = 0; i < LEVELS && status == STATUS_OK; i++) {
        speeds[i] = levels[i];
        status = measure(options, &weights, engine, &speeds[i], err);
        if (status != STATUS_OK || json) continue;
        fields_row(stdout, fields, &speeds[i]);
        (void)fflush(stdout);
    }
    if (status == STATUS_OK && json) {
        JsonWriter w;
        json_begin(&w, stdout);
        json_int(&w, "threads", threads);
        fields_json_array(&w, "levels", fields, speeds, sizeof *speeds, LEVELS);
        json_finish(&w);
    }
    return status;
}
