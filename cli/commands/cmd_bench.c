/* SPDX-License-Identifier: MIT
 * tabia bench: the table of sub-benches and their options. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/bench/bench.h"
#include "cli/commands/command.h"

/* Every bench_*.c has its row here; the help text lists them. */
static const Bench benches[] = {
    {"search", "node signature and nodes per second, against stockfish's own bench",
     BENCH_DEPTH | BENCH_ROUNDS, bench_search},
    {"perft", "move generation, bulk and full, against stockfish's perft",
     BENCH_DEPTH | BENCH_ROUNDS, bench_perft},
    {"selfplay", "games played and stored, against the speed of the bare search",
     BENCH_DEPTH | BENCH_NODES | BENCH_WEIGHTS, bench_selfplay},
    {"store", "the database: positions a second written, replayed, asked for; bytes a position",
     BENCH_POSITIONS, bench_store},
    {"gauntlet", "games of an engine against itself, in process and through UCI", 0,
     bench_gauntlet},
    {"suite", "positions solved of EPD files with bm or am",
     BENCH_NODES | BENCH_WEIGHTS | BENCH_FILES, bench_suite},
    {"threads", "time to a depth by several threads, against one", BENCH_DEPTH | BENCH_WEIGHTS,
     bench_threads},
    {"tune", "labelled positions or stored games: reading, features, passes, fits",
     BENCH_WEIGHTS | BENCH_FILES, bench_tune},
    {NULL, NULL, 0, NULL},
};

const char *bench_stockfish(void)
{
    static const char *const places[] = {"/usr/games/stockfish", "/usr/bin/stockfish",
                                         "/usr/local/bin/stockfish"};

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (access(places[i], X_OK) == 0) return places[i];
    return NULL;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_middle(double values[], int count)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
    return values[(count - 1) / 2];
}

static const Bench *find_bench(const char *name)
{
    for (const Bench *b = benches; b->name; b++)
        if (strcmp(b->name, name) == 0) return b;
    return NULL;
}

/* What a bench would not look at is refused, not ignored. */
static Status refuse_unread(const Bench *bench, const BenchOptions *o, Error *err)
{
    const struct {
        BenchReads flag;
        const char *name;
        bool given;
    } own[] = {{BENCH_DEPTH, "depth", o->depth != 0},
               {BENCH_NODES, "nodes", o->nodes != 0},
               {BENCH_POSITIONS, "positions", o->positions != 0},
               {BENCH_ROUNDS, "rounds", o->rounds != 0},
               {BENCH_WEIGHTS, "weights", strcmp(o->weights, "builtin") != 0}};

    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (own[i].given && !(bench->reads & own[i].flag))
            return error_set(err, STATUS_USAGE, "bench %s has no use for --%s", bench->name,
                             own[i].name);
    if (o->files[0] && !(bench->reads & BENCH_FILES))
        return error_set(err, STATUS_USAGE, "bench %s has no use for \"%s\"", bench->name,
                         o->files[0]);
    return STATUS_OK;
}

/* The list of sub-benches, for --help. */
static void describe(char *text, size_t room)
{
    size_t used = 0;

    text[0] = '\0';
    for (const Bench *b = benches; b->name && used < room; b++) {
        int n = snprintf(text + used, room - used, "  %-9s %s\n", b->name, b->summary);
        if (n > 0) used += (size_t)n;
    }
}

Status cmd_bench(int argc, char **argv, Error *err)
{
    BenchOptions o = {.weights = "builtin"};
    char list[1024];
    const Option options[] = {
        {"depth", OPTION_INT, &o.depth, "N", "plies (search: of the signature; threads: 16)", 1,
         127},
        {"nodes", OPTION_INT, &o.nodes, "N",
         "suite: nodes a position (200000); selfplay: soft, a move (1000)", 1, 1e12},
        {"positions", OPTION_INT, &o.positions, "N", "store: positions (1000000)", 1, 1e9},
        {"rounds", OPTION_INT, &o.rounds, "N",
         "search, perft: rounds, the middle one counts (search 3, perft 1)", 1, BENCH_ROUNDS_MAX},
        {"weights", OPTION_STRING, &o.weights, "W",
         "suite, selfplay, threads, tune: builtin, zero, material or a weights header", 0, 0},
        {NULL, OPTION_END, NULL, NULL, NULL, 0, 0},
    };
    describe(list, sizeof list);
    const OptionSpec spec = {
        .command = "bench",
        .sections = command_names,
        .synopsis = "NAME [FILE ...] [options]",
        .description = "Measures one part of Tabia and compares it with Debian's stockfish "
                       "where that is installed.",
        .options = options,
        .common = &o.common,
        .takes_arguments = true,
        .epilogue = list};
    OptionParser *parser = NULL;
    const char **arguments = NULL;
    bool done = false;

    Status status = options_parse(&spec, argc, argv, &parser, &arguments, &done, err);
    if (status == STATUS_OK && !done) {
        const Bench *bench = arguments[0] ? find_bench(arguments[0]) : NULL;
        if (bench) {
            o.files = (const char *const *)arguments + 1;
            status = refuse_unread(bench, &o, err);
            if (status == STATUS_OK) status = bench->run(&o, err);
        } else if (arguments[0]) {
            status = error_set(err, STATUS_USAGE, "no bench called \"%s\"", arguments[0]);
        } else {
            status = error_set(err, STATUS_USAGE, "which one?");
        }
    }
    options_destroy(parser);
    return status;
}
