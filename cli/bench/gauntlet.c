/* SPDX-License-Identifier: MIT
 * tabia bench gauntlet: games a second of an engine against itself, in this process and as UCI
 * child processes. Both play the same games: fixed nodes a move, hash tables of one size. They take
 * turns. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/bench/bench.h"
#include "cli/bench/support.h"
#include "cli/output/process.h"
#include "engine/base/system.h"
#include "engine/base/text.h"
#include "engine/eval/evaluation_load.h"
#include "selfplay/match/gauntlet.h"

enum { LEVELS = 3, HASH_MB = 1, STALL_MS = 30000, PATH_BYTES = 4096 };

/* Games a second, and a second of processor time, of its engines too. */
typedef struct Rate {
    double wall, cpu;
} Rate;

/* What is played. */
typedef struct Level {
    uint64_t nodes; /* a move */
    int64_t games;  /* a thread: they take a second or two */
    double goal;    /* intended ratio */
} Level;

static const Level levels[LEVELS] = {{100, 100, 6}, {1000, 30, 1.7}, {5000, 10, 1.1}};

typedef struct Speed {
    Level level;
    Rate in_process, uci;
    double ratio, cpu_ratio; /* in process to UCI */
    bool equal;              /* the matches had equal results, in this round and those before */
} Speed;

static const Field fields[] = {
    {"nodes", FIELD(Speed, level.nodes), .label = "nodes a move"},
    {"in_process", FIELD(Speed, in_process.wall), .label = "games/s in process", .decimals = 1},
    {"uci", FIELD(Speed, uci.wall), .label = "games/s by UCI", .decimals = 1},
    {"in_process_cpu", FIELD(Speed, in_process.cpu), .label = "games a CPU second in process",
     .decimals = 1},
    {"uci_cpu", FIELD(Speed, uci.cpu), .label = "games a CPU second by UCI", .decimals = 1},
    {"ratio", FIELD(Speed, ratio), .digits = 4, .label = "times", .decimals = 2},
    {"cpu_ratio", FIELD(Speed, cpu_ratio), .digits = 4, .label = "times by CPU time",
     .decimals = 2},
    {"goal", FIELD(Speed, level.goal), .digits = 4, .label = "goal", .decimals = 1},
    {"equal", FIELD(Speed, equal), .label = "same games"},
    {0},
};

/* tabia-engine beside this program, or in PATH. */
static void find_engine(char path[PATH_BYTES])
{
    if (system_executable(path, PATH_BYTES - sizeof "-engine")) {
        text_append(path, PATH_BYTES, "-engine");
        if (access(path, X_OK) == 0) return;
    }
    (void)snprintf(path, PATH_BYTES, "tabia-engine");
}

/* Plays a match of the player against itself; the rates include starting its processes. */
static Status play(const GauntletPlayer *player, GauntletSettings *settings, MatchScore *score,
                   Rate *rate, Error *err)
{
    const GauntletPlayer players[2] = {*player, *player};
    const BenchTimes start = bench_times();
    GauntletProgress result;

    settings->players = players;
    Status status = gauntlet_run(NULL, settings, NULL, cli_interrupted(), &result, err);
    *score = result.score;
    *rate = (Rate){(double)result.done / result.seconds,
                   (double)result.done / bench_times_since(start).cpu};
    scoreboard_free(&result.board);
    return status;
}

typedef struct Match {
    const BenchOptions *options;
    const Evaluation *weights;
    char engine[PATH_BYTES];
    Level level;
    uint64_t rounds; /* begun */
    bool equal;      /* so far */
} Match;

static Status run_round(void *context, void *round, Error *err)
{
    Match *m = context;
    Speed *speed = round;
    char hash[32];
    const char *uci_options[] = {hash};
    const UciSetup uci = {.name = "tabia-engine",
                          .command.program = m->engine,
                          .options = uci_options,
                          .option_count = 1,
                          .stall_ms = STALL_MS,
                          .init_ms = STALL_MS};
    /* What `go nodes` means: a hard limit. */
    const GauntletPlayer ours = {
        .name = "in process",
        .engine = {.weights = m->weights, .hash_bytes = (size_t)HASH_MB << 20},
        .limits = {.nodes_hard = m->level.nodes}};
    const GauntletPlayer theirs = {
        .name = "uci", .uci = &uci, .limits = {.nodes_soft = m->level.nodes}};
    GauntletSettings settings;
    MatchScore scores[2];

    (void)snprintf(hash, sizeof hash, "Hash=%d", HASH_MB);
    gauntlet_defaults(&settings);
    settings.threads = options_threads(&m->options->common);
    settings.games = m->level.games * settings.threads;
    settings.seed = ++m->rounds;
    Status status = play(&ours, &settings, &scores[0], &speed->in_process, err);
    if (status == STATUS_OK) status = play(&theirs, &settings, &scores[1], &speed->uci, err);
    if (status != STATUS_OK) return status;
    m->equal &= memcmp(&scores[0], &scores[1], sizeof scores[0]) == 0;
    speed->level = m->level;
    speed->equal = m->equal;
    speed->ratio = speed->in_process.wall / speed->uci.wall;
    speed->cpu_ratio = speed->in_process.cpu / speed->uci.cpu;
    return STATUS_OK;
}

Status bench_gauntlet(const BenchOptions *options, Error *err)
{
    bool json = options->common.json;
    Evaluation weights;
    Match match = {.options = options, .weights = &weights};
    JsonWriter w;

    find_engine(match.engine);
    Status status = evaluation_load("builtin", &weights, NULL, err); /* as tabia-engine plays */
    BenchRounds rounds[LEVELS] = {0};
    if (!json) printf("threads: %d\n", options_threads(&options->common));
    for (int i = 0; i < LEVELS && status == STATUS_OK; i++) {
        rounds[i] = (BenchRounds){.fields = fields, .size = sizeof(Speed)};
        match.level = levels[i];
        match.rounds = 0;
        match.equal = true;
        status = bench_rounds_run(&rounds[i], options, run_round, &match, err);
        if (status != STATUS_OK || json) continue;
        bench_rounds_print(&rounds[i]);
        (void)fflush(stdout);
    }
    if (status == STATUS_OK && json) {
        json_begin(&w, stdout);
        json_int(&w, "threads", options_threads(&options->common));
        json_array(&w, "levels");
        for (int i = 0; i < LEVELS; i++) {
            json_object(&w, NULL);
            bench_rounds_json(&w, &rounds[i]);
            json_end_object(&w);
        }
        json_end_array(&w);
        json_finish(&w);
    }
    for (int i = 0; i < LEVELS; i++)
        bench_rounds_free(&rounds[i]);
    return status;
}
