/* SPDX-License-Identifier: MIT
 * Games as Portable Game Notation (export format: seven tag roster, SAN, 80 columns). */
#ifndef TABIA_SELFPLAY_FORMATS_PGN_WRITE_H
#define TABIA_SELFPLAY_FORMATS_PGN_WRITE_H

#include <stdio.h>

#include "db/store/game_record.h"
#include "engine/search/search.h"

/* What else is told of each move or, the last one, left out: comments, and tags beyond the roster.
 */
enum { PGN_NODES = 1, PGN_NPS = 2, PGN_TIME_LEFT = 4, PGN_MIN = 8 };

typedef struct PgnTags {
    const char *event, *site, *date, *white, *black; /* NULL becomes "?" (date: "????.??.??") */
    int64_t round;                                   /* 0 becomes "?" */
    const char *white_tc, *black_tc; /* time controls, "2+0.02", "-" for none; NULL: no tag */
    unsigned fields;                 /* PGN_NODES | … */
    const SearchLimits
        *limits[COLORS]; /* the clocks at the start, for PGN_TIME_LEFT; may be NULL */
} PgnTags;

/* Writes one game with FEN/SetUp tags where it does not start from the initial position, a
 * Termination tag, and what was thought of each move behind it as fastchess writes it: "{+0.35/12
 * 0.500s, tl=1.200s, n=4321, nps=8642}", score (the mover's view; mates "+M5" in plies), depth and
 * time, and as fields are wanted the time left and the nodes; or the score alone where nobody kept
 * the others. A game that was ended by somebody, not by the board, closes with a
 * comment that says how. Errors: STATUS_BAD_INPUT for an illegal record, STATUS_FAILED when writing
 * fails. */
MUST_CHECK Status pgn_write(FILE *out, const PgnTags *tags, const GameRecord *game, Error *err);

#endif
