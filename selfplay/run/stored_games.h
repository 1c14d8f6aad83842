/* SPDX-License-Identifier: MIT
 * The games of a database as the formats take them, with their run, players and clocks: the source
 * of exports (cli/db/verbs.h). */
#ifndef TABIA_SELFPLAY_RUN_STORED_GAMES_H
#define TABIA_SELFPLAY_RUN_STORED_GAMES_H

#include "db/chess/position_filter.h"
#include "db/tables/cursor.h"
#include "selfplay/formats/formats.h"

typedef struct StoredGames StoredGames;

/* In canonical order. With `salvage` of a damaged database: the readable games in order of their
 * rows; runs, players and settings that cannot be read are unknown. NULL and an Error. Borrows
 * store. */
StoredGames *stored_games_open(Store *store, bool salvage, Error *err);
void stored_games_close(StoredGames *games); /* NULL-safe */

/* The runs of the database, as far as they can be read. */
const RunRecord *stored_games_runs(const StoredGames *games, int *count);

/* A game with what it needs for an export. Zeroed before its first use, which the next ones reuse;
 * valid until stored_games_close(). */
typedef struct StoredGame {
    ExportGame game;
    BatchGame copy;
    Position *positions;           /* [room], owned */
    bool *taken;                   /* [taken_room], owned */
    int64_t dropped[DROP_REASONS]; /* positions that are not taken */
    int64_t room, taken_room;
} StoredGame;

void stored_game_free(StoredGame *game); /* what it owns */

/* The next game, still without positions; *found is false at the end. */
MUST_CHECK Status stored_games_next(StoredGames *games, StoredGame *game, bool *found, Error *err);

/* Sets the positions of the game, and with a filter which of them are taken, by any thread.
 * STATUS_BAD_INPUT for a game that breaks the rules. */
MUST_CHECK Status stored_game_replay(StoredGame *game, const PositionFilter *filter, Error *err);

/* As game_cursor_lost(). */
int64_t stored_games_lost(const StoredGames *games, bool *more);

#endif
