/* SPDX-License-Identifier: MIT
 * tabia bench: the table of sub-benches and their options. */
#include <assert.h>
#include <stdio.h>

#include "cli/bench/bench.h"
#include "cli/commands/command.h"

typedef struct Bench {
    const char *summary;
    Status (*run)(const BenchOptions *options, Error *err);
} Bench;

static const OptionVerb verbs[] = {
    {"search", "", 0, 0},    {"perft", "", 0, 0},
    {"selfplay", "", 0, 0},  {"store", "", 0, 0},
    {"gauntlet", "", 0, 0},  {"suite", "FILE...", 1, 1 << 20},
    {"threads", "", 0, 0},   {"tune", "FILE", 1, 1},
    {"train", "FILE", 1, 1}, {0},
};

/* In the same order. */
static const Bench benches[] = {
    {"node signature and nodes per second, beside stockfish's own bench or --against",
     bench_search},
    {"move generation, bulk and full, beside stockfish's perft", bench_perft},
    {"games played and stored, beside the speed of the bare search", bench_selfplay},
    {"database: positions per second written, replayed, queried; bytes per position", bench_store},
    {"games of an engine against itself, in process and over UCI", bench_gauntlet},
    {"solved positions of EPD files with bm or am", bench_suite},
    {"time to a depth with several threads, beside one", bench_threads},
    {"labelled positions or stored games: reading, features, passes, fits", bench_tune},
    {"networks: positions a second of training, beside what the processor adds", bench_train},
};
static_assert(sizeof verbs / sizeof *verbs == sizeof benches / sizeof *benches + 1,
              "a row for each verb");

static const char examples[] = "\nExamples:\n"
                               "  tabia bench search\n"
                               "  tabia bench suite wac.epd --nodes 1M\n"
                               "  tabia bench tune games.db";

/* The list of sub-benches and examples, for --help. */
static void describe(char *text, size_t room)
{
    size_t used = 0;

    text[0] = '\0';
    for (int i = 0; verbs[i].name && used < room; i++) {
        int n =
            snprintf(text + used, room - used, "  %-9s %s\n", verbs[i].name, benches[i].summary);
        if (n > 0) used += (size_t)n;
    }
    if (used < room) (void)snprintf(text + used, room - used, "%s", examples);
}

static Status run(void *command, const OptionParser *parser, Error *err)
{
    BenchOptions *o = command;

    o->files = (const char *const *)options_arguments(parser, NULL);
    return benches[options_verb(parser)].run(o, err);
}

Status cmd_bench(int argc, char **argv, Error *err)
{
    BenchOptions o = {.common.seed = 1, .weights = "builtin"};
    char list[1536];
    const Option options[] = {
        {"depth", OPTION_INT, &o.depth, "N",
         "depth, plies (search: that of the signature; threads: 16)", 1, 127,
         .verbs = "search perft selfplay threads"},
        {"nodes", OPTION_INT64, &o.nodes, "N",
         "suite: nodes per position (200000); selfplay: soft limit of nodes a move (1000)", 1, 1e12,
         .verbs = "selfplay suite"},
        {"positions", OPTION_INT64, &o.positions, "N", "store: number of positions (1000000)", 1,
         1e9, .verbs = "store"},
        {"rounds", OPTION_INT, &o.rounds, "N",
         "number of rounds; in each, all is measured once, and medians are printed (3, perft 1)", 1,
         BENCH_ROUNDS_MAX, .verbs = "search perft selfplay gauntlet tune train"},
        {"against", OPTION_STRING, &o.against, "CMD",
         "search: shell command of another engine, whose bench runs instead of stockfish's",
         .verbs = "search"},
        {"weights", OPTION_STRING, &o.weights, "W",
         "builtin, zero, material, a weights header or a network (not for tune); search: others "
         "than builtin are compared with it",
         .verbs = "search selfplay suite threads tune"},
        {0},
    };
    describe(list, sizeof list);
    const OptionSpec spec = {
        .command = "bench",
        .sections = command_names,
        .synopsis = "NAME [FILE ...] [options]",
        .description =
            "Measures one part of Tabia, beside Debian's stockfish where that is installed.",
        .options = options,
        .common = &o.common,
        .threads_help = "number of threads (default: all processors; tune: 1)",
        .threads_verbs = "selfplay store gauntlet threads tune train",
        .verbs = verbs,
        .epilogue = list};

    return options_run(&spec, argc, argv, run, &o, err);
}
