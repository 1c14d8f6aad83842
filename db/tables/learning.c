/* SPDX-License-Identifier: MIT
 * The tables of learning: fits, gauntlets, generations. */
#include "db/tables/learning.h"

#include <limits.h>

#include "db/store/stmt.h"
#include "db/tables/weights.h"

Status store_put_fit(Store *store, const char *weights_hash, const char *start_hash,
                     const char *dataset_digest, const char *json, Error *err)
{
    Stmt stmt = stmt_open(store,
                          "INSERT INTO fits (weights_id, start_id, dataset_digest, json)"
                          " VALUES (?1, ?2, ?3, ?4)",
                          err);
    stmt_bind_weights(&stmt, 1, weights_hash);
    stmt_bind_weights(&stmt, 2, start_hash);
    stmt_bind_text(&stmt, 3, dataset_digest);
    stmt_bind_text(&stmt, 4, json);
    return stmt_finish(&stmt);
}

Status store_put_gauntlet(Store *store, const RunRecord *run, const char *state, const char *json,
                          Error *err)
{
    Stmt stmt = stmt_open(store,
                          "INSERT INTO gauntlets (run_id, weights_a_id, weights_b_id, state, json)"
                          " VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (run_id) DO UPDATE SET"
                          " weights_a_id = excluded.weights_a_id,"
                          " weights_b_id = excluded.weights_b_id, state = excluded.state,"
                          " json = excluded.json, updated = excluded.updated"
                          " WHERE (gauntlets.weights_a_id, gauntlets.weights_b_id, gauntlets.state,"
                          " gauntlets.json) IS NOT (excluded.weights_a_id, excluded.weights_b_id,"
                          " excluded.state, excluded.json)",
                          err);
    stmt_bind_int(&stmt, 1, run->run_id);
    stmt_bind_weights(&stmt, 2, run->weights[0]);
    stmt_bind_weights(&stmt, 3, run->weights[1]);
    stmt_bind_text(&stmt, 4, state);
    stmt_bind_text(&stmt, 5, json);
    return stmt_finish(&stmt);
}

Status store_get_gauntlet(Store *store, const RunRecord *run, const char *keys, char **json,
                          Error *err)
{
    Stmt stmt = stmt_open(store,
                          "SELECT (SELECT json_group_object(key, atom) FROM json_each(g.json)"
                          " WHERE key LIKE ?2) FROM gauntlets g WHERE run_id = ?1",
                          err);
    stmt_bind_int(&stmt, 1, run->run_id);
    stmt_bind_text(&stmt, 2, keys);
    *json = stmt_row(&stmt) ? stmt_dup_text(&stmt, 0) : NULL;
    return stmt_close(&stmt);
}

Status store_put_generation(Store *store, int generation, const char *stage, const char *best_hash,
                            const char *json, Error *err)
{
    Stmt stmt = stmt_open(store,
                          "INSERT INTO generations (generation, stage, best_id, json)"
                          " VALUES (?1, ?2, ?3, ?4) ON CONFLICT (generation) DO UPDATE SET"
                          " stage = excluded.stage, best_id = excluded.best_id,"
                          " json = excluded.json, updated = excluded.updated",
                          err);
    stmt_bind_int(&stmt, 1, generation);
    stmt_bind_text(&stmt, 2, stage);
    stmt_bind_weights(&stmt, 3, best_hash);
    stmt_bind_text(&stmt, 4, json);
    return stmt_finish(&stmt);
}

/* The row is generation, stage, best hash, json. best_hash may be NULL. Closes the statement. */
static Status read_generation(Stmt *stmt, int *generation, char stage[32], char *best_hash,
                              char **json)
{
    *generation = -1;
    *json = NULL;
    stage[0] = '\0';
    if (best_hash) best_hash[0] = '\0';
    if (stmt_row(stmt)) {
        *json = stmt_dup_text(stmt, 3);
        *generation = (int)stmt_int_in(stmt, 0, 0, INT_MAX);
        stmt_copy_text(stmt, 1, stage, 32);
        if (best_hash) stmt_copy_text(stmt, 2, best_hash, HASH_HEX_MAX);
    }
    return stmt_close(stmt);
}

Status store_last_generation(Store *store, int *generation, char stage[32],
                             char best_hash[HASH_HEX_MAX], char **json, Error *err)
{
    Stmt stmt = stmt_open(store,
                          "SELECT g.generation, g.stage, w.sha256, g.json FROM generations AS g"
                          " LEFT JOIN weights AS w ON w.weights_id = g.best_id"
                          " ORDER BY g.generation DESC LIMIT 1",
                          err);
    return read_generation(&stmt, generation, stage, best_hash, json);
}

Status store_list_best(Store *store, int room, char hashes[][HASH_HEX_MAX], int *count, Error *err)
{
    *count = 0;
    Stmt stmt = stmt_open(
        store,
        "SELECT w.sha256 FROM generations AS g JOIN weights AS w ON w.weights_id = g.best_id"
        " GROUP BY w.sha256 ORDER BY max(g.generation) DESC LIMIT ?1",
        err);
    stmt_bind_int(&stmt, 1, room);
    while (stmt_row(&stmt))
        stmt_copy_text(&stmt, 0, hashes[(*count)++], HASH_HEX_MAX);
    return stmt_close(&stmt);
}

Status store_get_generation(Store *store, int generation, char stage[32], char **json, Error *err)
{
    int found;

    Stmt stmt = stmt_open(
        store, "SELECT generation, stage, NULL, json FROM generations WHERE generation = ?1", err);
    stmt_bind_int(&stmt, 1, generation);
    return read_generation(&stmt, &found, stage, NULL, json);
}
