/* SPDX-License-Identifier: MIT
 * tabia bench: the table of sub-benches and their options. */
#include "cli/bench/bench.h"
#include "cli/commands/command.h"
#include "cli/learn/options.h"

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
    {{"learn", "FILE.ini", 1, 1,
      .options = "nodes against dir budget checkpoint seeds games openings threads",
      .summary = "strength against the cost of learning, by settings of `tabia learn`"},
     bench_learn},
    {{0}},
};

static const char examples[] =
    "Examples:\n"
    "  tabia bench search\n"
    "  tabia bench suite wac.epd --nodes 1M\n"
    "  tabia bench tune games.db\n"
    "  tabia bench learn configs/demo.ini --dir curve --budget 30cm --against new.h";

static Status run(void *command, const OptionParser *parser, Error *err)
{
    BenchOptions *o = command;

    o->files = (const char *const *)options_arguments(parser, NULL);
    return benches[options_verb(parser)].run(o, err);
}

Status cmd_bench(int argc, char **argv, Error *err)
{
    BenchOptions o = {.weights = "builtin",
                      .seeds = 3,
                      .games = 400,
                      .checkpoint = {.seconds = 60, .cpu = true},
                      .sections = command_names};
    const Option options[] = {
        {"depth", OPTION_INT, &o.depth, "N",
         "depth, plies (search: that of the signature; threads: 16)", 1, 127},
        {"nodes", OPTION_INT64, &o.nodes, "N",
         "suite: nodes per position (200000); selfplay (1000), learn (5000): soft limit of nodes a "
         "move",
         1, 1e12},
        {"positions", OPTION_INT64, &o.positions, "N", "store: number of positions (1000000)", 1,
         1e9},
        {"rounds", OPTION_INT, &o.rounds, "N",
         "number of rounds; in each, all is measured once, and medians are printed (3, perft 1)", 1,
         BENCH_ROUNDS_MAX},
        {"against", OPTION_STRING, &o.against, "CMD|W",
         "search: shell command of another engine, whose bench runs instead of stockfish's; learn: "
         "weights that all others play"},
        {"weights", OPTION_STRING, &o.weights, "W",
         "builtin, zero, material, a weights header or a network (not for tune); search: others "
         "than builtin are compared with it"},
        {"dir", OPTION_STRING, &o.dir, "DIR",
         "learn: folder of the runs and matches; the same command continues there"},
        {"budget", OPTION_CUSTOM, &o.budget, "TIME", "learn: core time of each run, such as 30cm",
         .parse = learn_parse_budget},
        {"checkpoint", OPTION_CUSTOM, &o.checkpoint, "TIME",
         "learn: core time of the first measurement; the next ones follow at doubled times",
         .parse = learn_parse_budget, .preset = "1cm"},
        {"seeds", OPTION_INT, &o.seeds, "N", "learn: number of runs, from --seed on", 1, 999},
        {"games", OPTION_INT64, &o.games, "N", "learn: games of each match, an even number", 2,
         1e9},
        {"openings", OPTION_STRING, &o.openings.file, "FILE",
         "learn: start positions of the matches instead of random openings, as in gauntlet"},
        {0},
    };
    opening_options_init(&o.openings);
    o.common.seed = 1;
    const OptionSpec spec = {
        .command = "bench",
        .sections = command_names,
        .synopsis = "NAME [FILE ...] [options]",
        .description =
            "Measures one part of Tabia, beside Debian's stockfish where that is installed.\n",
        .options = options,
        .common = &o.common,
        .threads_help = "number of threads (default: all processors; tune: 1)",
        .verbs = &benches->verb,
        .verb_size = sizeof *benches,
        .epilogue = examples};

    return options_run(&spec, argc, argv, run, &o, err);
}
