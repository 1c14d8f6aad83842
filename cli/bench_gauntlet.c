/* SPDX-License-Identifier: MIT
 * tabia bench gauntlet: games a second of an engine against itself, in this process and as child
 * processes that speak UCI through our pipes. Both play the same games: fixed nodes a move, equal
 * tables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/bench.h"
#include "cli/command.h"
#include "cli/json.h"
#include "selfplay/gauntlet.h"

enum { LEVELS = 3, HASH_MB = 1, STALL_MS = 30000, PATH_BYTES = 4096 };

/* Nodes a move, how many games that makes in a second or two, and by how much this process should
 * be faster. */
static const struct Level {
    uint64_t nodes;
    int64_t games; /* a thread */
    double goal;
} levels[LEVELS] = {{100, 200, 6}, {1000, 60, 1.7}, {5000, 20, 1.1}};

typedef struct Speed {
    double in_process, uci; /* games a second */
    bool equal;             /* the same result of the match */
} Speed;

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

/* Plays a match of the player against itself; seconds includes starting its processes. */
static Status play(const GauntletPlayer *player, const GauntletSettings *settings,
                   MatchScore *score, double *rate, Error *err)
{
    const GauntletPlayer players[2] = {*player, *player};
    GauntletProgress result;

    Status status = gauntlet_run(NULL, players, 2, settings, NULL, cli_interrupted(), &result, err);
    *score = result.score;
    *rate = (double)result.done / result.seconds;
    gauntlet_progress_free(&result);
    return status;
}

static Status measure(const BenchOptions *options, const EvalWeights *weights, const char *engine,
                      const struct Level *level, Speed *speed, Error *err)
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
                                 .limits = {.nodes_hard = level->nodes},
                                 .hash_bytes = (size_t)HASH_MB << 20};
    const GauntletPlayer theirs = {
        .name = "uci", .uci = &uci, .limits = {.nodes_soft = level->nodes}};
    GauntletSettings settings;
    MatchScore scores[2];

    (void)snprintf(hash, sizeof hash, "Hash=%d", HASH_MB);
    gauntlet_defaults(&settings);
    settings.threads = options_threads(&options->common);
    settings.games = level->games * settings.threads;
    Status status = play(&ours, &settings, &scores[0], &speed->in_process, err);
    if (status == STATUS_OK) status = play(&theirs, &settings, &scores[1], &speed->uci, err);
    speed->equal = memcmp(&scores[0], &scores[1], sizeof scores[0]) == 0;
    return status;
}

static void print_json(const Speed speeds[LEVELS], int threads)
{
    JsonWriter w;

    json_begin(&w, stdout);
    json_object(&w, NULL);
    json_int(&w, "threads", threads);
    json_array(&w, "levels");
    for (int i = 0; i < LEVELS; i++) {
        json_object(&w, NULL);
        json_uint(&w, "nodes", levels[i].nodes);
        json_double(&w, "in_process", speeds[i].in_process, 6);
        json_double(&w, "uci", speeds[i].uci, 6);
        json_double(&w, "ratio", speeds[i].in_process / speeds[i].uci, 4);
        json_double(&w, "goal", levels[i].goal, 4);
        json_bool(&w, "equal", speeds[i].equal);
        json_end_object(&w);
    }
    json_end_array(&w);
    json_end_object(&w);
    json_finish(&w);
}

Status bench_gauntlet(const BenchOptions *options, Error *err)
{
    int threads = options_threads(&options->common);
    char engine[PATH_BYTES];
    Speed speeds[LEVELS];
    EvalWeights weights;

    find_engine(engine);
    Status status = weights_load(options->weights, &weights, NULL, err);
    if (status == STATUS_OK && strcmp(options->weights, "builtin") != 0)
        status = error_set(err, STATUS_USAGE, "tabia-engine plays with its builtin weights");
    if (status == STATUS_OK && !options->common.json)
        printf("nodes a move   games/s in process   by UCI   times   goal, %d thread%s\n", threads,
               threads == 1 ? "" : "s");
    for (int i = 0; i < LEVELS && status == STATUS_OK; i++) {
        status = measure(options, &weights, engine, &levels[i], &speeds[i], err);
        if (status != STATUS_OK || options->common.json) continue;
        printf("%12llu %20.1f %8.1f %7.2f %6.1f%s\n", (unsigned long long)levels[i].nodes,
               speeds[i].in_process, speeds[i].uci, speeds[i].in_process / speeds[i].uci,
               levels[i].goal, speeds[i].equal ? "" : "   (other games)");
        (void)fflush(stdout);
    }
    if (status == STATUS_OK && options->common.json) print_json(speeds, threads);
    return status;
}
