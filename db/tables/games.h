/* SPDX-License-Identifier: MIT
 * The table of games: writing and counting; cursor.h reads them. */
#ifndef TABIA_DB_TABLES_GAMES_H
#define TABIA_DB_TABLES_GAMES_H

#include "db/store/connection.h"
#include "db/store/game_record.h"

/* present[i]: the run has the game number first + i; i in [0, count). */
MUST_CHECK Status store_games_present(Store *store, int64_t run_id, int64_t first, int64_t count,
                                      bool *present, Error *err);

/* Inserts a game and, unless rows is NULL, its positions rows[0 … ply_count - 1]. Inside a
 * transaction. An existing game of this number is compared: equal is no error and writes nothing;
 * different, but for times, is STATUS_FAILED, because the run is then not deterministic. */
MUST_CHECK Status store_put_game(Store *store, int64_t run_id, const GameRecord *game,
                                 const PositionRow *rows, Error *err);

typedef struct GameCounts {
    int64_t games, plies, nodes;
    int64_t wins, draws, losses; /* White's view */
    int64_t reasons[16];         /* by GameReason */
} GameCounts;
/* The games of a run. */
MUST_CHECK Status store_count_games(Store *store, int64_t run_id, GameCounts *counts, Error *err);

/* The sum of two counts >= 0; INT64_MAX when it is greater. */
static inline int64_t game_counts_sum(int64_t a, int64_t b)
{
    return a > INT64_MAX - b ? INT64_MAX : a + b;
}

/* The number of games alone: faster. */
MUST_CHECK Status store_total_games(Store *store, int64_t *games, Error *err);

#endif
