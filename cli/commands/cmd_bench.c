/* SPDX-License-Identifier: MIT
 * tabia bench: the table of sub-benches and their options. */
#include "cli/bench/bench.h"
#include "cli/commands/command.h"
#include "engine/eval/evaluation_load.h"

typedef struct Bench {
    OptionVerb verb;
    Status (*run)(const BenchOptions *options, Error *err);
} Bench;

static const Bench benches[] = {
    {{"search", "", 0, 0, .options = "depth rounds against weights",
      .summary = "node signature and nodes per second, beside stockfish's own bench or --against"},
     bench_search},
    {{"perft", "", 0, 0, .options = "depth rounds",
      .summary = "move generation, bulk and full, beside stockfish's perft"},
     bench_perft},
    {{"selfplay", "", 0, 0, .options = "depth nodes rounds weights threads",
      .summary = "games played and stored, beside the speed of the bare search"},
     bench_selfplay},
    {{"store", "", 0, 0, .options = "positions threads",
      .summary = "database: positions per second written, replayed, queried; bytes per position"},
     bench_store},
    {{"gauntlet", "", 0, 0, .options = "rounds threads",
      .summary = "games of an engine against itself, in process and over UCI"},
     bench_gauntlet},
    {{"suite", "FILE...", 1, 1 << 20, .options = "nodes weights",
      .summary = "solved positions of EPD files with bm or am"},
     bench_suite},
    {{"threads", "", 0, 0, .options = "depth weights threads",
      .summary = "time to a depth with several threads, beside one"},
     bench_threads},
    {{"tune", "FILE", 1, 1, .options = "rounds weights threads",
      .summary = "labelled positions or stored games: reading, features, passes, fits"},
     bench_tune},
    {{"train", "FILE", 1, 1, .options = "rounds threads",
      .summary = "networks: positions a second of training, beside what the processor adds"},
     bench_train},
    {{0}},
};

static const char examples[] = "Examples:\n"
                               "  tabia bench search\n"
                               "  tabia bench suite wac.epd --nodes 1M\n"
                               "  tabia bench tune games.db";

static Status run(void *command, const OptionParser *parser, Error *err)
{
    BenchOptions *o = command;

    o->files = (const char *const *)options_arguments(parser, NULL);
    return benches[options_verb(parser)].run(o, err);
}

static const Setting options[] = {
    {"depth", FIELD(BenchOptions, depth), "N",
     "depth, plies (search: that of the signature; threads: 16)", 1, 127},
    {"nodes", FIELD(BenchOptions, nodes), "N",
     "suite: nodes per position (200000); selfplay: soft limit of nodes a move (1000)", 1, 1e12},
    {"positions", FIELD(BenchOptions, positions), "N", "store: number of positions (1000000)", 1,
     1e9},
    {"rounds", FIELD(BenchOptions, rounds), "N",
     "number of rounds; in each, all is measured once, and medians are printed (3, perft 1)", 1,
     BENCH_ROUNDS_MAX},
    {"against", FIELD(BenchOptions, against), "CMD",
     "search: shell command of another engine, whose bench runs instead of stockfish's"},
    {"weights", FIELD(BenchOptions, weights), "W",
     "builtin, classical, tables, network, pesto, zero, material or a file (not for tune: a network); search: others than builtin are compared with it",
     .words = EVALUATION_NAMES},
    {FIELD(BenchOptions, common), .rows = common_settings},
    {0},
};

static const OptionSpec spec = {
    .command = "bench",
    .synopsis = "NAME [FILE ...] [options]",
    .description =
        "Measures one part of Tabia, beside Debian's stockfish where that is installed.\n",
    .settings = options,
    .threads_help = "number of threads (default: all processors; tune: 1)",
    .verbs = &benches->verb,
    .verb_size = sizeof *benches,
    .epilogue = examples};

bool bench_has_verb(const char *name)
{
    return options_has_verb(&spec, name);
}

Status cmd_bench(int argc, char **argv, Error *err)
{
    BenchOptions o = {.common.seed = 1, .weights = "builtin"};

    return options_run(&spec, argc, argv, run, &o, err);
}
