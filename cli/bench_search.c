/* SPDX-License-Identifier: MIT
 * tabia bench search: the node signature and speed, and Debian's stockfish beside it. */
#include "engine/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench.h"
#include "cli/json.h"

/* Stockfish's own bench, nodes per second; 0 when it is absent or says nothing. */
static uint64_t stockfish_nps(void)
{
    const char *path = bench_stockfish();
    char command[256], line[256];
    uint64_t nps = 0;

    if (!path) return 0;
    (void)fflush(stdout);
    (void)snprintf(command, sizeof command, "%s bench 2>&1", path);
    FILE *f = popen(command, "r");
    if (!f) return 0;
    while (fgets(line, sizeof line, f)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "Nodes/second", 12) == 0 && colon) nps = strtoull(colon + 1, NULL, 10);
    }
    (void)pclose(f);
    return nps;
}

Status bench_search(const BenchOptions *options, Error *err)
{
    BenchSettings settings = {.depth = (int)options->depth};
    BenchResult result;
    Status status = bench_run(&settings, &result, err);
    if (status != STATUS_OK) return status;
    uint64_t judge = stockfish_nps();
    double ratio = judge > 0 ? (double)result.nps / (double)judge : 0;

    if (options->common.json) {
        JsonWriter w;
        json_begin(&w, stdout);
        json_object(&w, NULL);
        json_uint(&w, "nodes", result.nodes);
        json_uint(&w, "nps", result.nps);
        json_int(&w, "ms", result.time_ms);
        if (judge > 0) {
            json_uint(&w, "stockfish_nps", judge);
            json_double(&w, "ratio", ratio, 4);
        }
        json_end_object(&w);
        json_finish(&w);
        return STATUS_OK;
    }
    printf("%llu nodes\n%llu nps\n", (unsigned long long)result.nodes,
           (unsigned long long)result.nps);
    if (judge > 0)
        printf("%.2f times stockfish's bench (%llu nps)\n", ratio, (unsigned long long)judge);
    return STATUS_OK;
}
