/* SPDX-License-Identifier: MIT
 * Games as Portable Game Notation (export format: seven tag roster, SAN, 80 columns). */
#ifndef TABIA_SELFPLAY_FORMATS_PGN_WRITE_H
#define TABIA_SELFPLAY_FORMATS_PGN_WRITE_H

#include <stdio.h>

#include "db/store/game_record.h"
#include "engine/search/search.h"

/* Additional fields in comments. PGN_MIN: no comments, and no tags beyond the roster. */
enum { PGN_NODES = 1, PGN_NPS = 2, PGN_TIME_LEFT = 4, PGN_MIN = 8 };

typedef struct PgnTags {
    const char *event, *site, *date, *white, *black; /* NULL becomes "?" (date: "????.??.??") */
    int64_t round;                                   /* 0 becomes "?" */
    const char *white_tc, *black_tc; /* time controls, "2+0.02", "-" for none; NULL: no tag */
    unsigned fields;                 /* PGN_NODES | … */
    const SearchLimits
        *limits[COLORS]; /* the clocks at the start, for PGN_TIME_LEFT; may be NULL */
} PgnTags;

/* Writes one game, with FEN and SetUp tags unless it starts from the initial position, and a
 * Termination tag. After each move follows a comment as fastchess writes it: "{+0.35/12 0.500s,
 * tl=1.200s, n=4321, nps=8642}": score (the mover's view; mates "+M5" in plies), depth, time, and
 * the wanted fields. Without times the comment is the score only. A game that did not end on the
 * board closes with a comment that gives the reason. STATUS_BAD_INPUT for an illegal record,
 * STATUS_FAILED when writing fails. */
MUST_CHECK Status pgn_write(FILE *out, const PgnTags *tags, const GameRecord *game, Error *err);

#endif
