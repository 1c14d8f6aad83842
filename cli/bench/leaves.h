/* SPDX-License-Identifier: MIT
 * Counting leaves (engine/board/perft.h) until Ctrl-C. */
#ifndef TABIA_CLI_BENCH_LEAVES_H
#define TABIA_CLI_BENCH_LEAVES_H

#include <stdbool.h>

#include "engine/board/position.h"

/* How leaves are counted. */
typedef struct LeafCounter {
    bool full; /* make every move, instead of counting the last ply in bulk */
    PsqTable table;
} LeafCounter;

/* With the reference weights, to which positions must be refreshed. */
void leaf_counter_init(LeafCounter *counter, bool full);

/* The leaves at `depth` plies; a number that is too small once cli_interrupted() is set. */
uint64_t count_leaves(const LeafCounter *counter, const Position *pos, int depth);

#endif
