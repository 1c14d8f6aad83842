/* SPDX-License-Identifier: MIT
 * Games out of lists of positions: neighbours that follow from each other by the moves given are
 * joined. */
#ifndef TABIA_SELFPLAY_FORMATS_JOINED_POSITIONS_H
#define TABIA_SELFPLAY_FORMATS_JOINED_POSITIONS_H

#include "engine/board/position.h"
#include "selfplay/formats/game_source.h"

/* A position of a list. */
typedef struct ListedPosition {
    int64_t line; /* where it begins */
    Position pos;
    bool counted; /* the position's counters of moves are known */
    Move move;    /* legal; played there */
    int score;    /* White's view, or SCORE_UNKNOWN */
    GameResult result;
    char id[128]; /* of the game; "": not said */
} ListedPosition;

/* Reads the next one; *found is false at the end of the text. `expected` (or NULL) is what the one
 * before leads to: to compare texts is quicker than to read them. STATUS_BAD_INPUT with file, line
 * and cause: it is passed over. */
typedef Status ListReader(FileReader *text, const Position *expected, ListedPosition *position,
                          bool *found, Error *err);

/* Positions are one game as long as each is what the one before leads to, with equal result and id;
 * a position that stands alone is a game of one ply. */
GameSource *joined_open(const char *path, ListReader *read, Error *err);

#endif
