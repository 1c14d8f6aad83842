/* SPDX-License-Identifier: MIT
 * The table of players. */
#include "db/tables/players.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/stmt.h"
#include "db/tables/weights.h"

Status store_put_player(Store *store, int64_t run_id, const PlayerRecord *player, Error *err)
{
    int64_t weights_id;
    Stmt stmt;

    Status status = store_find_weights(store, player->weights, &weights_id, err);
    if (status) return status;
    stmt_open(store, &stmt,
              "INSERT INTO players (run_id, player_no, name, weights_id, config)"
              " VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (run_id, player_no)"
              " DO UPDATE SET name = excluded.name",
              err);
    stmt_bind_int(&stmt, 1, run_id);
    stmt_bind_int(&stmt, 2, player->player_no);
    stmt_bind_text(&stmt, 3, player->name);
    stmt_bind_row(&stmt, 4, weights_id);
    stmt_bind_text(&stmt, 5, player->config);
    return stmt_finish(&stmt);
}

/* The row of store_list_players(). False when out of memory. */
static bool read_player(Stmt *stmt, PlayerRecord *player)
{
    *player = (PlayerRecord){.player_no = (int)stmt_int_in(stmt, 0, 0, INT_MAX)};
    stmt_copy_text(stmt, 1, player->name, sizeof player->name);
    stmt_copy_text(stmt, 2, player->weights, sizeof player->weights);
    player->config = strdup(stmt_text(stmt, 3));
    return player->config != NULL;
}

Status store_list_players(Store *store, int64_t run_id, PlayerRecord **players, int *count,
                          Error *err)
{
    Stmt stmt;

    *players = NULL;
    *count = 0;
    stmt_open(store, &stmt,
              "SELECT p.player_no, p.name, w.sha256, p.config, count(*) OVER ()"
              " FROM players AS p LEFT JOIN weights AS w USING (weights_id)"
              " WHERE p.run_id = ?1 ORDER BY p.player_no",
              err);
    stmt_bind_int(&stmt, 1, run_id);
    while (stmt_row(&stmt)) {
        if (!*players) *players = calloc((size_t)stmt_int(&stmt, 4), sizeof **players);
        if (*players && read_player(&stmt, &(*players)[*count]))
            ++*count;
        else
            stmt.status = error_set(err, STATUS_FAILED, "out of memory");
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
