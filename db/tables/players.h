/* SPDX-License-Identifier: MIT
 * The table of players of a run. */
#ifndef TABIA_DB_TABLES_PLAYERS_H
#define TABIA_DB_TABLES_PLAYERS_H

#include "db/store/connection.h"
#include "db/store/run_record.h"

/* Inserts the player, or renames the one with this number; its weights must be stored. */
MUST_CHECK Status store_put_player(Store *store, int64_t run_id, const PlayerRecord *player,
                                   Error *err);
/* Lists players in order of number into a malloc'ed array (each config malloc'ed), to be freed by
 * store_free_players(). */
MUST_CHECK Status store_list_players(Store *store, int64_t run_id, PlayerRecord **players,
                                     int *count, Error *err);
void store_free_players(PlayerRecord *players, int count);

#endif
