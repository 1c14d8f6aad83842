/* SPDX-License-Identifier: MIT
 * Checking a database without the rules of chess. */
#include "db/tables/check.h"

#include <string.h>

#include "db/store/game_record.h"
#include "db/store/stmt.h"
#include "db/tables/runs.h"

/* Fails with `failure` if the statement yields a row, whose first column is the message.
 * STATUS_DATABASE: as of a file that SQLite finds damaged. */
static Status expect_nothing(Store *store, const char *sql, Status failure, Error *err)
{
    char what[512];

    Stmt stmt = stmt_open(store, sql, err);
    if (stmt_row(&stmt)) {
        stmt_copy_text(&stmt, 0, what, sizeof what);
        for (char *c = what; *c; c++)
            if (*c == '\n') *c = ' '; /* SQLite's report has several lines */
        stmt.status = error_set(err, failure, "%s: %s", store->path, what);
        err->damage = failure == STATUS_DATABASE;
    }
    return stmt_close(&stmt);
}

/* SQL: SQLite's report of its integrity check as a sentence. */
#define INTEGRITY                                                                                  \
    "'the database is damaged: ' || replace(integrity_check, '*** in database main ***'"           \
    " || char(10), '')"

/* SQL: columns of pragma_foreign_key_check as a sentence. */
#define MISSING_PARENT                                                                             \
    "format('%s of %s refers to a missing row of %s', coalesce('row ' || \"rowid\", 'a row'),"     \
    " \"table\", parent)"

/* SQL: a sentence for a game whose player has no row. A run of self-play may have no players. There
 * are few pairs of players for many games. */
#define MISSING_PLAYER                                                                             \
    "format('game %d: its player is missing from run %d', (SELECT min(game_id) FROM games AS a"    \
    " WHERE a.run_id IS g.run_id AND a.white IS g.white AND a.black IS g.black), run_id)"          \
    " FROM (SELECT DISTINCT run_id, white, black FROM games) AS g"                                 \
    " WHERE (SELECT count(*) FROM players AS p WHERE p.run_id = g.run_id"                          \
    " AND p.player_no IN (g.white, g.black)) < 1 + (g.white <> g.black)"                           \
    " AND (EXISTS (SELECT 1 FROM players AS p WHERE p.run_id = g.run_id)"                          \
    " OR (SELECT kind FROM runs AS r WHERE r.run_id = g.run_id) <> 'selfplay') LIMIT 1"

Status store_check_links(Store *store, Error *err)
{
    /* Nothing joins the positions, of which there may be a hundred a game. */
    Status status = expect_nothing(store,
                                   "SELECT 'the database is damaged: ' || " MISSING_PARENT
                                   " FROM pragma_table_list AS t, pragma_foreign_key_check(t.name)"
                                   " WHERE t.schema = 'main' AND t.name <> 'positions' LIMIT 1",
                                   STATUS_DATABASE, err);
    return status ? status
                  : expect_nothing(store, "SELECT 'the database is damaged: ' || " MISSING_PLAYER,
                                   STATUS_DATABASE, err);
}

/* Ranges and lengths of columns, of `games` also what its CHECK constraints say. The types are left
 * to the integrity check: the tables are STRICT. */
static Status check_columns(Store *store, Error *err)
{
    static const char *const checks[] = {
        "SELECT format('the database is damaged: games.%s of game %d', wrong, game_id) FROM"
        " (SELECT game_id, CASE"
        "  WHEN game_id < 1 THEN 'game_id'"
        "  WHEN length(CAST(start_fen AS BLOB)) > 127 THEN 'start_fen'"
        "  WHEN result NOT BETWEEN 0 AND 2 THEN 'result'"
        "  WHEN game_no < 0 THEN 'game_no'"
        "  WHEN white NOT BETWEEN 0 AND 2147483647 THEN 'white'"
        "  WHEN black NOT BETWEEN 0 AND 2147483647 THEN 'black'"
        "  WHEN nodes < 0 THEN 'nodes'"
        "  WHEN 4 * ply_count <> length(moves) THEN 'ply_count'"
        "  WHEN 9 * ply_count <> length(clock) THEN 'clock'"
        "  END AS wrong FROM games NOT INDEXED) WHERE wrong IS NOT NULL LIMIT 1",
        "SELECT format('the database is damaged: %s', wrong) FROM ("
        "  SELECT 'players.player_no of run ' || run_id AS wrong FROM players"
        "  WHERE typeof(player_no) <> 'integer' OR player_no NOT BETWEEN 0 AND 2147483647 UNION ALL"
        "  SELECT 'runs.kind of run ' || run_id FROM runs"
        "  WHERE kind NOT IN ('selfplay', 'gauntlet', 'import') UNION ALL"
        "  SELECT 'runs.generation of run ' || run_id FROM runs WHERE generation IS NOT NULL AND"
        "  (typeof(generation) <> 'integer' OR generation NOT BETWEEN 0 AND 2147483647) UNION ALL"
        "  SELECT 'generations.generation of generation ' || generation FROM generations"
        "  WHERE generation NOT BETWEEN 0 AND 2147483647) LIMIT 1",
        /* Their length in bytes, beyond a NUL too. */
        "SELECT format('the database is damaged: %s', wrong) FROM ("
        "  SELECT 'players.name of run ' || run_id AS wrong, name FROM players UNION ALL"
        "  SELECT 'runs.uuid of run ' || run_id, uuid FROM runs UNION ALL"
        "  SELECT 'runs.label of run ' || run_id, label FROM runs UNION ALL"
        "  SELECT 'runs.program of run ' || run_id, program FROM runs UNION ALL"
        "  SELECT 'runs.host of run ' || run_id, host FROM runs UNION ALL"
        "  SELECT 'weights.label of weights ' || weights_id, label FROM weights UNION ALL"
        "  SELECT 'generations.stage of generation ' || generation, stage FROM generations)"
        " WHERE typeof(name) <> 'text' OR length(CAST(name AS BLOB)) > 1000 LIMIT 1",
        "SELECT format('the database is damaged: %s', wrong) FROM ("
        "  SELECT 'players.config of run ' || run_id AS wrong, config FROM players UNION ALL"
        "  SELECT 'runs.config of run ' || run_id, config FROM runs UNION ALL"
        "  SELECT 'generations.json of generation ' || generation, json FROM generations UNION ALL"
        "  SELECT 'fits.json of fit ' || fit_id, json FROM fits UNION ALL"
        "  SELECT 'gauntlets.json of run ' || run_id, json FROM gauntlets)"
        " WHERE NOT json_valid(config) OR length(CAST(config AS BLOB)) > 16777216 LIMIT 1",
    };
    Status status = STATUS_OK;

    for (size_t i = 0; i < sizeof checks / sizeof *checks && status == STATUS_OK; i++)
        status = expect_nothing(store, checks[i], STATUS_DATABASE, err);
    return status;
}

/* Compares the names of the ends of games with those of this version. */
static Status check_reasons(Store *store, Error *err)
{
    int reason = REASON_CHECKMATE;

    Stmt stmt =
        stmt_open(store, "SELECT reason, name FROM reasons NOT INDEXED ORDER BY reason", err);
    for (; stmt_row(&stmt); reason++)
        if (stmt_int(&stmt, 0) != reason || reason > REASON_TABLEBASE ||
            strcmp(stmt_text(&stmt, 1), reason_name((GameReason)reason)) != 0)
            break;
    if (stmt.status == STATUS_OK && reason != REASON_TABLEBASE + 1)
        stmt.status = error_set(err, STATUS_DATABASE,
                                "%s: the database is damaged: reasons: the name of %d is not '%s'",
                                store->path, reason, reason_name((GameReason)reason));
    return stmt_close(&stmt);
}

/* SQL: the first problem of some tables: types, constraints, and indexes against their tables. One
 * that does not fit may give other rows. */
#define TABLES_PROBLEM(names)                                                                      \
    "SELECT " INTEGRITY " FROM pragma_table_list AS t, pragma_integrity_check(t.name)"             \
    " WHERE t.schema = 'main' AND t.type = 'table' AND t.name " names                              \
    " AND integrity_check <> 'ok' LIMIT 1"

Status store_check_values(Store *store, Error *err)
{
    Status status = check_columns(store, err);

    if (status == STATUS_OK) status = check_reasons(store, err);
    if (status == STATUS_OK)
        status = expect_nothing(store, TABLES_PROBLEM("NOT IN ('positions', 'games')"),
                                STATUS_DATABASE, err);
    /* check_columns() has compared those of `games`, in less time. */
    if (status == STATUS_OK)
        status = store_exec(store, "PRAGMA ignore_check_constraints = ON", err);
    if (status == STATUS_OK)
        status = expect_nothing(store, TABLES_PROBLEM("= 'games'"), STATUS_DATABASE, err);
    Status restored =
        store_exec(store, "PRAGMA ignore_check_constraints = OFF", status ? &(Error){0} : err);
    if (status == STATUS_OK) status = restored;
    return status ? status : store_check_links(store, err);
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
            status = error_set(
                err, STATUS_FAILED,
                "%s: run %lld was altered: its configuration, seed or weights do not match its uuid %s",
                store->path, (long long)runs[i].run_id, runs[i].uuid);
    }
    store_free_runs(runs, count);
    return status;
}

Status store_check(Store *store, Error *err)
{
    static const char *const checks[] = {
        "SELECT " MISSING_PARENT " FROM pragma_foreign_key_check LIMIT 1",
        "SELECT format('game %d: %d bytes of moves for %d plies', game_id, length(moves), "
        "ply_count)"
        " FROM games WHERE length(moves) <> 4 * ply_count LIMIT 1",
        "SELECT format('game %d: %d bytes of times for %d plies', game_id, length(clock), "
        "ply_count)"
        " FROM games WHERE length(clock) <> 9 * ply_count LIMIT 1",
        "SELECT " MISSING_PLAYER,
        "SELECT format('game %d: player %d of run %d meets itself', game_id, white, run_id)"
        " FROM games JOIN runs USING (run_id) WHERE kind = 'gauntlet' AND white = black LIMIT 1",
        "SELECT format('game %d: %d positions for %d plies', game_id, n, ply_count) FROM"
        " (SELECT game_id, count(*) AS n, min(ply) AS low, max(ply) AS high FROM positions"
        "  GROUP BY game_id) JOIN games USING (game_id)"
        " WHERE n <> ply_count OR low <> 0 OR high <> ply_count - 1 LIMIT 1",
    };
    Status status = expect_nothing(
        store, "SELECT " INTEGRITY " FROM pragma_integrity_check(1) WHERE integrity_check <> 'ok'",
        STATUS_DATABASE, err);

    for (size_t i = 0; i < sizeof checks / sizeof *checks && status == STATUS_OK; i++)
        status = expect_nothing(store, checks[i], STATUS_FAILED, err);
    if (status == STATUS_OK) status = check_columns(store, err);
    if (status == STATUS_OK) status = check_reasons(store, err);
    return status ? status : check_runs(store, err);
}
