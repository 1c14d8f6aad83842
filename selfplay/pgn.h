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
} PgnTags;

/* Writes one game with FEN/SetUp tags where it does not start from the initial position, a
 * Termination tag for adjudications, and scores in comments ("{+0.35}", the mover's view, as
 * fastchess writes them). Errors: STATUS_BAD_INPUT for an illegal record, STATUS_FAILED when
 * writing fails. */
MUST_CHECK Status pgn_write(FILE *out, const PgnTags *tags, const GameRecord *game, Error *err);

#endif
