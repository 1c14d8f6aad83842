/* SPDX-License-Identifier: MIT
 * A game as the formats export it. */
#ifndef TABIA_SELFPLAY_FORMATS_EXPORT_GAME_H
#define TABIA_SELFPLAY_FORMATS_EXPORT_GAME_H

#include "db/store/game_record.h"
#include "db/store/run_record.h"
#include "engine/board/position.h"
#include "engine/search/search.h"

/* Its moves are legal. Everything is borrowed. */
typedef struct ExportGame {
    const RunRecord *run;
    const char *white, *black;          /* the players' names */
    const SearchLimits *limits[COLORS]; /* of the players; NULL: unknown */
    unsigned pgn_fields;                /* of PGN, besides PGN_NODES */
    const GameRecord *record;
    const Position *positions; /* [ply_count + 1]: before each ply, and the last */
    const bool *taken;         /* [ply_count]: positions to export; NULL: all */
} ExportGame;

#endif
