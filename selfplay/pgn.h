/* SPDX-License-Identifier: MIT
 * Games as Portable Game Notation (export format: seven tag roster, SAN, 80 columns). */
#ifndef TABIA_SELFPLAY_PGN_H
#define TABIA_SELFPLAY_PGN_H

#include <stdio.h>

#include "db/record.h"
#include "engine/status.h"

typedef struct PgnTags {
    const char *event, *site, *date, *white, *black; /* NULL becomes "?" (date: "????.??.??") */
    int64_t round;                                   /* 0 becomes "?" */
    const char *white_tc, *black_tc; /* time controls, "2+0.02", "-" for none; NULL: no tag */
} PgnTags;

/* Writes one game with FEN/SetUp tags where it does not start from the initial position, a
 * Termination tag, and what was thought of each move behind it as fastchess writes it: "{+0.35/12
 * 0.500s}", score (the mover's view; mates "+M5" in plies), depth and time, or the score alone
 * where nobody kept the others. A game that was ended by somebody, not by the board, closes with a
 * comment that says how. Errors: STATUS_BAD_INPUT for an illegal record, STATUS_FAILED when writing
 * fails. */
MUST_CHECK Status pgn_write(FILE *out, const PgnTags *tags, const GameRecord *game, Error *err);

#endif
