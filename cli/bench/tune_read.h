/* SPDX-License-Identifier: MIT
 * Reading positions of a file into memory, to time the reading alone. */
#ifndef TABIA_CLI_BENCH_TUNE_READ_H
#define TABIA_CLI_BENCH_TUNE_READ_H

#include "db/store/game_record.h"
#include "engine/board/position.h"

/* At most this many positions are kept: the last ones of a larger file. */
enum { BENCH_KEPT_MAX = 1 << 20 };

typedef struct BenchPosition {
    Position pos;
    GameResult result;
} BenchPosition;

typedef struct BenchPositions {
    int64_t read; /* positions that a fit would take */
    int64_t kept; /* the smaller of that and BENCH_KEPT_MAX */
    BenchPosition *at;
} BenchPositions;

/* Is it a database? STATUS_BAD_INPUT when it cannot be opened. */
MUST_CHECK Status bench_is_database(const char *path, bool *database, Error *err);

/* By one thread, as the tuner does: lines of labelled text parsed, or games of a database replayed
 * and filtered. at[BENCH_KEPT_MAX] is the caller's. */
MUST_CHECK Status bench_read_text(const char *path, BenchPositions *out, Error *err);
MUST_CHECK Status bench_read_store(const char *path, BenchPositions *out, Error *err);

#endif
