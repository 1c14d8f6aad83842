/* SPDX-License-Identifier: MIT
 * Games out of lists of positions: consecutive positions connected by their moves are joined. */
#ifndef TABIA_SELFPLAY_FORMATS_JOINED_POSITIONS_H
#define TABIA_SELFPLAY_FORMATS_JOINED_POSITIONS_H

#include "engine/board/position.h"
#include "selfplay/formats/formats.h"

/* A position of a list. */
typedef struct ListedPosition {
    int64_t line; /* its first line */
    Position pos;
    bool counted; /* the move counters of pos are known */
    Move move;    /* legal; played in pos */
    int score;    /* White's view, or SCORE_UNKNOWN */
    GameResult result;
    char id[128]; /* of the game; "": unknown */
} ListedPosition;

/* Reads the next position; *found is false at the end of the text. `expected` (or NULL) is the
 * position after the last move: comparing texts is faster than parsing them. STATUS_BAD_INPUT with
 * file, line and cause; the next call reads on. */
typedef Status ListReader(FileReader *text, const Position *expected, ListedPosition *position,
                          bool *found, Error *err);

/* Positions are one game while each follows from the one before by its move, with equal result and
 * id. A single position is a game of one ply. */
GameSource *joined_open(const char *path, ListReader *read, Error *err);

#endif
