/* SPDX-License-Identifier: MIT
 * Positions that occur more than once in a database. */
#ifndef TABIA_CLI_DB_DUPLICATES_H
#define TABIA_CLI_DB_DUPLICATES_H

#include <stdint.h>

#include "engine/base/status.h"

typedef struct PositionDuplicates {
    int64_t positions;     /* that were moved from */
    int64_t different;     /* by placement, side to move, castling and en passant rights */
    int64_t contradicting; /* of these, in games of different results */
} PositionDuplicates;

/* Replays all games; needs 8 bytes of memory for each position. */
MUST_CHECK Status count_position_duplicates(const char *path, PositionDuplicates *counts,
                                            Error *err);

#endif
