/* SPDX-License-Identifier: MIT
 * The table of readable positions. */
#ifndef TABIA_DB_TABLES_POSITIONS_H
#define TABIA_DB_TABLES_POSITIONS_H

#include "db/store/connection.h"
#include "db/store/game_record.h"

/* Replaces the game's rows. */
MUST_CHECK Status store_put_positions(Store *store, int64_t game_id, const PositionRow *rows,
                                      int count, Error *err);
/* *rows is malloc'ed, or NULL with *count 0. */
MUST_CHECK Status store_get_positions(Store *store, int64_t game_id, PositionRow **rows, int *count,
                                      Error *err);
MUST_CHECK Status store_count_positions(Store *store, int64_t *count, Error *err);
/* Are there games, but no readable positions at all? */
MUST_CHECK Status store_lacks_positions(Store *store, bool *lacking, Error *err);

#endif
