/* SPDX-License-Identifier: MIT
 * Counting leaves (engine/board/perft.h) until Ctrl-C, and files of positions with known leaf
 * counts, in the two usual layouts. */
#ifndef TABIA_CLI_BENCH_LEAVES_H
#define TABIA_CLI_BENCH_LEAVES_H

#include <stdbool.h>
#include <stdint.h>

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

/* The number of leaves at one depth. */
typedef struct PerftCount {
    int line;     /* of the file, from 1 */
    int position; /* index into the suite's positions */
    int depth;    /* plies */
    uint64_t expected;
    uint64_t found; /* the caller's, from 0 on */
    bool skipped;   /* the caller's */
} PerftCount;

typedef struct PerftSuite {
    int position_count, count_count;
    Position *positions;
    PerftCount *counts;  /* in the file's order */
    FaultCount left_out; /* lines that cannot be read */
    FaultCount dropped;  /* positions that lost a castling right or the like */
} PerftSuite;

/* Reads a file, plain or .zst, of lines `FEN ;D1 20 ;D2 400 …`, or of blocks of lines `epd FEN`,
 * `perft DEPTH COUNT` …, with `id …`; blank lines and lines starting with # are skipped. With
 * `chess960` positions are read as Chess960, else as their FEN implies. STATUS_BAD_INPUT with file
 * and line, *suite is then empty; with `keep_going` such lines are left out, as are the counts of
 * such a position. */
MUST_CHECK Status perft_suite_read(PerftSuite *suite, const char *path, bool chess960,
                                   bool keep_going, Error *err);
void perft_suite_free(PerftSuite *suite);

#endif
