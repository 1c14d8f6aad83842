/* SPDX-License-Identifier: MIT
 * Checking a database without the rules of chess. */
#include "db/tables/check.h"

#include <string.h>

#include "db/store/stmt.h"
#include "db/tables/runs.h"

/* Fails with `failure` if the statement yields a row, whose first column is the message. */
static Status expect_nothing(Store *store, const char *sql, Status failure, Error *err)
{
    char what[512];
    Stmt stmt;

    stmt_open(store, &stmt, sql, err);
    if (stmt_row(&stmt)) {
        stmt_copy_text(&stmt, 0, what, sizeof what);
        for (char *c = what; *c; c++)
            if (*c == '\n') *c = ' '; /* SQLite's report has several lines */
        stmt.status = error_set(err, failure, "%s: %s", store->path, what);
    }
    return stmt_close(&stmt);
}

Status store_check_values(Store *store, Error *err)
{
    static const char *const checks[] = {
        "SELECT format('the database is damaged: games.%s of game %d', wrong, game_id) FROM"
        " (SELECT game_id, CASE"
        "  WHEN typeof(result) <> 'integer' OR result NOT BETWEEN 0 AND 2 THEN 'result'"
        "  WHEN typeof(reason) <> 'integer' THEN 'reason'"
        "  WHEN typeof(game_no) <> 'integer' OR game_no < 0 THEN 'game_no'"
        "  WHEN typeof(opening_no) <> 'integer' THEN 'opening_no'"
        "  WHEN typeof(white) <> 'integer' OR white NOT BETWEEN 0 AND 2147483647 THEN 'white'"
        "  WHEN typeof(black) <> 'integer' OR black NOT BETWEEN 0 AND 2147483647 THEN 'black'"
        "  WHEN typeof(nodes) <> 'integer' OR nodes < 0 THEN 'nodes'"
        "  WHEN typeof(moves) <> 'blob' THEN 'moves'"
        "  WHEN typeof(ply_count) <> 'integer' OR 4 * ply_count <> length(moves) THEN 'ply_count'"
        "  END AS wrong FROM games) WHERE wrong IS NOT NULL LIMIT 1",
        "SELECT format('the database is damaged: players.%s of run %d', wrong, run_id) FROM"
        " (SELECT run_id, CASE"
        "  WHEN typeof(player_no) <> 'integer' OR player_no NOT BETWEEN 0 AND 2147483647"
        "  THEN 'player_no'"
        "  WHEN typeof(name) <> 'text' THEN 'name'"
        "  WHEN NOT json_valid(config) THEN 'config'"
        "  END AS wrong FROM players) WHERE wrong IS NOT NULL LIMIT 1",
        "SELECT format('the database is damaged: runs.%s of run %d', wrong, run_id) FROM"
        " (SELECT run_id, CASE"
        "  WHEN kind NOT IN ('selfplay', 'gauntlet', 'import') THEN 'kind'"
        "  WHEN typeof(label) <> 'text' THEN 'label'"
        "  WHEN NOT json_valid(config) THEN 'config'"
        "  WHEN generation IS NOT NULL AND (typeof(generation) <> 'integer' OR"
        "       generation NOT BETWEEN 0 AND 2147483647) THEN 'generation'"
        "  END AS wrong FROM runs) WHERE wrong IS NOT NULL LIMIT 1",
        "SELECT format('the database is damaged: generations.%s of generation %d', wrong,"
        " generation) FROM (SELECT generation, CASE"
        "  WHEN generation NOT BETWEEN 0 AND 2147483647 THEN 'generation'"
        "  WHEN NOT json_valid(json) THEN 'json'"
        "  END AS wrong FROM generations) WHERE wrong IS NOT NULL LIMIT 1",
        "SELECT format('the database is damaged: %s', wrong) FROM"
        " (SELECT CASE WHEN NOT json_valid(json) THEN 'fits.json of fit ' || fit_id END AS wrong"
        "  FROM fits UNION ALL"
        "  SELECT CASE WHEN NOT json_valid(json) THEN 'gauntlets.json of run ' || run_id END"
        "  FROM gauntlets) WHERE wrong IS NOT NULL LIMIT 1",
    };
    Status status = STATUS_OK;

    for (size_t i = 0; i < sizeof checks / sizeof *checks && status == STATUS_OK; i++)
        status = expect_nothing(store, checks[i], STATUS_DATABASE, err);
    return status;
}

/* Compares each run's uuid with the one of its content. */
static Status check_runs(Store *store, Error *err)
{
    RunRecord *runs;
    int count;

    Status status = store_list_runs(store, 0, &runs, &count, err);
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        RunRecord again = runs[i];
        run_identify(&again);
        if (strcmp(again.uuid, runs[i].uuid) != 0 ||
            strcmp(again.config_hash, runs[i].config_hash) != 0)
            status =
                error_set(err, STATUS_FAILED,
                          "%s: run %lld was altered: its configuration, seed or weights do not "
                          "match its uuid %s",
                          store->path, (long long)runs[i].run_id, runs[i].uuid);
    }
    store_free_runs(runs, count);
    return status;
}

Status store_check(Store *store, Error *err)
{
    static const char *const checks[] = {
        "SELECT format('row %d of %s refers to a missing row of %s', \"rowid\", "
        "\"table\","
        " \"parent\") FROM pragma_foreign_key_check LIMIT 1",
        "SELECT format('game %d: %d bytes of moves for %d plies', game_id, length(moves), "
        "ply_count)"
        " FROM games WHERE length(moves) <> 4 * ply_count LIMIT 1",
        "SELECT format('game %d: %d bytes of times for %d plies', game_id, length(clock), "
        "ply_count)"
        " FROM games WHERE length(clock) <> 9 * ply_count LIMIT 1",
        "SELECT format('game %d: its player is missing from run %d', game_id, run_id)"
        " FROM games AS g WHERE (SELECT count(*) FROM players AS p WHERE p.run_id = g.run_id"
        " AND p.player_no IN (g.white, g.black)) < 1 + (g.white <> g.black)"
        " AND (EXISTS (SELECT 1 FROM players AS p WHERE p.run_id = g.run_id)"
        " OR (SELECT kind FROM runs AS r WHERE r.run_id = g.run_id) <> 'selfplay') LIMIT 1",
        "SELECT format('game %d: player %d of run %d meets itself', game_id, white, run_id)"
        " FROM games JOIN runs USING (run_id) WHERE kind = 'gauntlet' AND white = black LIMIT 1",
        "SELECT format('game %d: %d positions for %d plies', game_id, n, ply_count) FROM"
        " (SELECT game_id, count(*) AS n, min(ply) AS low, max(ply) AS high FROM positions"
        "  GROUP BY game_id) JOIN games USING (game_id)"
        " WHERE n <> ply_count OR low <> 0 OR high <> ply_count - 1 LIMIT 1",
    };
    Status status = expect_nothing(
        store,
        "SELECT 'the database is damaged: ' || replace(integrity_check, '*** in database main ***'"
        " || char(10), '') FROM pragma_integrity_check(1) WHERE integrity_check <> 'ok'",
        STATUS_DATABASE, err);

    for (size_t i = 0; i < sizeof checks / sizeof *checks && status == STATUS_OK; i++)
        status = expect_nothing(store, checks[i], STATUS_FAILED, err);
    return status ? status : check_runs(store, err);
}
