/* SPDX-License-Identifier: MIT
 * tabia bench search: the node signature and speed, and Debian's stockfish beside it. */
#include "engine/search/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/bench/support.h"
#include "cli/output/fields.h"

/* Nodes a second of Stockfish's own bench; 0 when it is absent or fails. */
static uint64_t stockfish_nps(void)
{
    FILE *f = bench_stockfish_open("", "bench");
    char line[256];
    uint64_t nps = 0;

    if (!f) return 0;
    while (fgets(line, sizeof line, f)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "Nodes/second", 12) == 0 && colon) nps = strtoull(colon + 1, NULL, 10);
    }
    (void)pclose(f);
    return nps;
}

/* The two benches run in turn, so that other work on the machine affects both. */
typedef struct Round {
    BenchResult own;
    uint64_t judge; /* nodes a second; 0: absent */
    double ratio;   /* 0: no judge */
} Round;

static const Field fields[] = {
    {"nodes", FIELD(Round, own.nodes), .label = "nodes"},
    {"nps", FIELD(Round, own.nps), .label = "nodes/s"},
    {"ms", FIELD(Round, own.time_ms), .label = "ms"},
    {"stockfish_nps", FIELD(Round, judge), .label = "nodes/s of stockfish's bench",
     .zero = ZERO_LEFT_OUT},
    {"ratio", FIELD(Round, ratio), .digits = 4, .label = "times as fast as stockfish",
     .decimals = 2, .zero = ZERO_LEFT_OUT},
    {0},
};

static Status run_round(const BenchSettings *settings, Round *round, Error *err)
{
    Status status = bench_run(settings, &round->own, err);
    if (status != STATUS_OK) return status;
    round->judge = stockfish_nps();
    round->ratio = round->judge > 0 ? (double)round->own.nps / (double)round->judge : 0;
    return STATUS_OK;
}

static int by_ratio(const void *a, const void *b)
{
    const Round *x = a, *y = b;
    if (x->ratio != y->ratio) return x->ratio > y->ratio ? 1 : -1;
    return (x->own.nps > y->own.nps) - (x->own.nps < y->own.nps); /* no judge */
}

Status bench_search(const BenchOptions *options, Error *err)
{
    BenchSettings settings = {.depth = (int)options->depth};
    Round round[BENCH_ROUNDS_MAX];
    int rounds = options->rounds > 0 ? (int)options->rounds : bench_stockfish() ? 3 : 1;

    for (int i = 0; i < rounds; i++) {
        Status status = run_round(&settings, &round[i], err);
        if (status != STATUS_OK) return status;
    }
    qsort(round, (size_t)rounds, sizeof *round, by_ratio);
    const Round *middle = &round[(rounds - 1) / 2];
    (options->common.json ? fields_json_line : fields_list)(stdout, fields, middle);
    if (middle->judge > 0 && rounds > 1 && !options->common.json)
        printf("the middle one of %d rounds: %.2f to %.2f times\n", rounds, round[0].ratio,
               round[rounds - 1].ratio);
    return STATUS_OK;
}
