/* SPDX-License-Identifier: MIT
 * Merging databases: everything is matched by what it is (run uuid, game number, weights hash),
 * never by row numbers, so that merging again adds nothing. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "db/stmt.h"

/* Weights, oldest first, so that a parent is there before its children. */
static const char merge_weights[] =
    "INSERT INTO main.weights (sha256, label, header, parent_id, created)"
    " SELECT w.sha256, w.label, w.header, NULL, w.created FROM source.weights AS w WHERE true"
    " ORDER BY w.weights_id ON CONFLICT (sha256) DO NOTHING;"
    "UPDATE main.weights AS w SET parent_id = (SELECT mine.weights_id FROM source.weights AS theirs"
    " JOIN source.weights AS parent ON parent.weights_id = theirs.parent_id"
    " JOIN main.weights AS mine ON mine.sha256 = parent.sha256 WHERE theirs.sha256 = w.sha256)"
    " WHERE w.parent_id IS NULL;";

/* Runs: a run on both sides began when its first part did and ended when its last one did. */
static const char merge_runs[] =
    "INSERT INTO main.runs (uuid, kind, label, weights_a_id, weights_b_id, config, config_hash, "
    "seed,"
    " generation, program, host, started, finished)"
    " SELECT r.uuid, r.kind, r.label, ma.weights_id, mb.weights_id, r.config, r.config_hash, "
    "r.seed,"
    " r.generation, r.program, r.host, r.started, r.finished FROM source.runs AS r"
    " LEFT JOIN source.weights AS sa ON sa.weights_id = r.weights_a_id"
    " LEFT JOIN main.weights AS ma ON ma.sha256 = sa.sha256"
    " LEFT JOIN source.weights AS sb ON sb.weights_id = r.weights_b_id"
    " LEFT JOIN main.weights AS mb ON mb.sha256 = sb.sha256 WHERE true ORDER BY r.run_id"
    " ON CONFLICT (uuid) DO UPDATE SET started = min(started, excluded.started),"
    " finished = max(coalesce(finished, excluded.finished), coalesce(excluded.finished, "
    "finished));";

static const char merge_players[] =
    "INSERT INTO main.players (run_id, player_no, name, weights_id, config)"
    " SELECT m.run_id, p.player_no, p.name, mw.weights_id, p.config FROM source.players AS p"
    " JOIN source.runs AS s USING (run_id) JOIN main.runs AS m USING (uuid)"
    " LEFT JOIN source.weights AS sw ON sw.weights_id = p.weights_id"
    " LEFT JOIN main.weights AS mw ON mw.sha256 = sw.sha256 WHERE true"
    " ON CONFLICT (run_id, player_no) DO NOTHING;";

static const char merge_games[] =
    "INSERT INTO main.games (run_id, game_no, opening_no, start_fen, result, reason, white, black,"
    " nodes, ply_count, moves, clock, varied)"
    " SELECT m.run_id, g.game_no, g.opening_no, g.start_fen, g.result, g.reason, g.white, g.black,"
    " g.nodes, g.ply_count, g.moves, g.clock, g.varied"
    " FROM source.runs AS s JOIN main.runs AS m USING (uuid)"
    " CROSS JOIN source.games AS g ON g.run_id = s.run_id WHERE true ORDER BY s.run_id, g.game_no"
    " ON CONFLICT (run_id, game_no) DO NOTHING;";

/* Also for games that were here before without positions. */
static const char merge_positions[] =
    "INSERT INTO main.positions (game_id, ply, fen, score, move, flags)"
    " SELECT mg.game_id, p.ply, p.fen, p.score, p.move, p.flags FROM source.positions AS p"
    " CROSS JOIN source.games AS g ON g.game_id = p.game_id"
    " CROSS JOIN source.runs AS s ON s.run_id = g.run_id"
    " CROSS JOIN main.runs AS m ON m.uuid = s.uuid"
    " CROSS JOIN main.games AS mg ON mg.run_id = m.run_id AND mg.game_no = g.game_no WHERE true"
    " ON CONFLICT (game_id, ply) DO NOTHING;";

/* Generations stay where they are: they are the diary of one `tabia learn`. */
static const char merge_learning[] =
    "INSERT INTO main.gauntlets (run_id, weights_a_id, weights_b_id, state, json, updated)"
    " SELECT m.run_id, m.weights_a_id, m.weights_b_id, t.state, t.json, t.updated"
    " FROM source.gauntlets AS t JOIN source.runs AS s ON s.run_id = t.run_id"
    " JOIN main.runs AS m ON m.uuid = s.uuid WHERE true ON CONFLICT (run_id) DO NOTHING;"
    "INSERT INTO main.fits (weights_id, start_id, dataset_digest, json, created)"
    " SELECT mw.weights_id, ms.weights_id, f.dataset_digest, f.json, f.created FROM source.fits AS "
    "f"
    " JOIN source.weights AS sw ON sw.weights_id = f.weights_id"
    " JOIN main.weights AS mw ON mw.sha256 = sw.sha256"
    " LEFT JOIN source.weights AS ss ON ss.weights_id = f.start_id"
    " LEFT JOIN main.weights AS ms ON ms.sha256 = ss.sha256 WHERE NOT EXISTS (SELECT 1"
    " FROM main.fits AS h WHERE h.weights_id = mw.weights_id AND h.start_id IS ms.weights_id"
    " AND h.dataset_digest = f.dataset_digest AND h.json = f.json);";

/* Two databases that disagree about a game cannot be one. */
static Status refuse_conflicts(Store *store, const char *from, Error *err)
{
    Stmt stmt;
    bool row;

    Status status = stmt_open(
        store, &stmt,
        "SELECT s.uuid, g.game_no FROM source.runs AS s JOIN main.runs AS m USING (uuid)"
        " CROSS JOIN source.games AS g ON g.run_id = s.run_id"
        " CROSS JOIN main.games AS h ON h.run_id = m.run_id AND h.game_no = g.game_no"
        " WHERE (g.moves, g.result, g.reason, g.start_fen, g.opening_no, g.white, g.black,"
        " g.nodes, g.varied) IS NOT (h.moves, h.result, h.reason, h.start_fen, h.opening_no, "
        "h.white,"
        " h.black, h.nodes, h.varied) LIMIT 1",
        err);
    if (status) return status;
    status = stmt_step(&stmt, &row, err);
    if (status == STATUS_OK && row)
        status = error_set(err, STATUS_FAILED,
                           "%s: game %lld of run %s is another game than in %s: the run is not "
                           "deterministic; nothing was merged",
                           from, (long long)stmt_int(&stmt, 1), stmt_text(&stmt, 0), store->path);
    stmt_close(&stmt);
    return status;
}

/* Everything in one transaction. */
static Status merge_attached(Store *store, const char *from, int64_t *added, Error *err)
{
    Status status = store_begin(store, err);
    if (status) return status;
    status = refuse_conflicts(store, from, err);
    if (status == STATUS_OK) status = store_exec(store, merge_weights, err);
    if (status == STATUS_OK) status = store_exec(store, merge_runs, err);
    if (status == STATUS_OK) status = store_exec(store, merge_players, err);
    if (status == STATUS_OK) status = store_exec(store, merge_games, err);
    if (status == STATUS_OK) *added = sqlite3_changes64(store->handle);
    if (status == STATUS_OK) status = store_exec(store, merge_positions, err);
    if (status == STATUS_OK) status = store_exec(store, merge_learning, err);
    if (status == STATUS_OK) status = store_commit(store, err);
    if (status) store_rollback(store);
    return status;
}

static Status attach(Store *store, const char *from, bool immutable, Error *err)
{
    Stmt stmt;

    char *uri = store_uri(from, immutable ? "immutable=1" : "mode=ro");
    if (!uri) return error_set(err, STATUS_FAILED, "out of memory");
    Status status = stmt_open(store, &stmt, "ATTACH ?1 AS source", err);
    if (status == STATUS_OK) {
        stmt_bind_text(&stmt, 1, uri);
        status = stmt_run(&stmt, err);
        stmt_close(&stmt);
    }
    free(uri);
    return status;
}

static bool same_file(const char *a, const char *b)
{
    struct stat sa, sb;
    return stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev &&
           sa.st_ino == sb.st_ino;
}

Status store_merge(Store *store, const char *from, int64_t *added, Error *err)
{
    assert(sqlite3_get_autocommit(store->handle) && "merging is its own transaction");
    *added = 0;
    if (same_file(store->path, from))
        return error_set(err, STATUS_BAD_INPUT, "%s: cannot be merged into itself", from);

    /* Opening it as a store says whether it is one; open while it is attached, so that it stays. */
    Store *source = store_open(from, STORE_READ, err);
    if (!source) return err ? err->status : STATUS_DATABASE;
    Status status = attach(store, from, source->immutable, err);
    if (status == STATUS_OK) {
        status = merge_attached(store, from, added, err);
        if (status) *added = 0;
        /* Statements that mention `source` are not to be kept beyond it. */
        Status detached = store_exec(store, "DETACH source", status ? NULL : err);
        if (status == STATUS_OK) status = detached;
    }
    store_close(source);
    return status;
}
