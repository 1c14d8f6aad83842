/* SPDX-License-Identifier: MIT
 * The table of players. */
#include "db/tables/players.h"

#include <limits.h>
#include <stdlib.h>

#include "db/store/stmt.h"
#include "db/tables/weights.h"
#include "engine/base/array.h"

Status store_put_player(Store *store, int64_t run_id, const PlayerRecord *player, Error *err)
{
    Stmt stmt = stmt_open(store,
                          "INSERT INTO players (run_id, player_no, name, weights_id, config)"
                          " VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (run_id, player_no)"
                          " DO UPDATE SET name = excluded.name",
                          err);
    stmt_bind_int(&stmt, 1, run_id);
    stmt_bind_int(&stmt, 2, player->player_no);
    stmt_bind_text(&stmt, 3, player->name);
    stmt_bind_weights(&stmt, 4, player->weights);
    stmt_bind_text(&stmt, 5, player->config);
    return stmt_finish(&stmt);
}

/* The row of store_list_players(). */
static void read_player(Stmt *stmt, PlayerRecord *player)
{
    *player = (PlayerRecord){.player_no = (int)stmt_int_in(stmt, 0, 0, INT_MAX)};
    stmt_copy_text(stmt, 1, player->name, sizeof player->name);
    stmt_copy_text(stmt, 2, player->weights, sizeof player->weights);
    player->config = stmt_dup_text(stmt, 3);
}

Status store_list_players(Store *store, int64_t run_id, PlayerRecord **players, int *count,
                          Error *err)
{
    int64_t room = 0;

    *players = NULL;
    *count = 0;
    Stmt stmt = stmt_open(store,
                          "SELECT p.player_no, p.name, w.sha256, p.config"
                          " FROM players AS p LEFT JOIN weights AS w USING (weights_id)"
                          " WHERE p.run_id = ?1 ORDER BY p.player_no",
                          err);
    stmt_bind_int(&stmt, 1, run_id);
    while (stmt_row(&stmt)) {
        if ((stmt.status = ARRAY_RESERVE(*players, room, *count + 1, err))) break;
        read_player(&stmt, &(*players)[(*count)++]);
    }
    if (stmt_close(&stmt) != STATUS_OK) {
        store_free_players(*players, *count);
        *players = NULL;
        *count = 0;
    }
    return stmt.status;
}

void store_free_players(PlayerRecord *players, int count)
{
    for (int i = 0; i < count; i++)
        free_text(players[i].config);
    free(players);
}
