/* SPDX-License-Identifier: MIT
 * The table of runs. */
#include "db/tables/runs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/store/stmt.h"
#include "db/tables/weights.h"
#include "engine/base/array.h"

Status store_find_run(Store *store, const char *uuid, int64_t *run_id, Error *err)
{
    Stmt stmt = stmt_open(store, "SELECT run_id FROM runs WHERE uuid = ?1", err);
    stmt_bind_text(&stmt, 1, uuid);
    *run_id = stmt_row(&stmt) ? stmt_int(&stmt, 0) : 0;
    return stmt_close(&stmt);
}

static Status insert_run(Store *store, const RunRecord *run, Error *err)
{
    char host[LABEL_MAX] = "";

    if (gethostname(host, sizeof host - 1) != 0)
        host[0] = '\0'; /* provenance only: no reason to fail */
    Stmt stmt = stmt_open(store,
                          "INSERT INTO runs (uuid, kind, label, weights_a_id, weights_b_id, config,"
                          " config_hash, seed, generation, program, host, started)"
                          " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,"
                          " strftime('%Y-%m-%dT%H:%M:%SZ', 'now')) ON CONFLICT (uuid) DO NOTHING",
                          err);
    stmt_bind_text(&stmt, 1, run->uuid);
    stmt_bind_text(&stmt, 2, run_kind_name(run->kind));
    stmt_bind_text(&stmt, 3, run->label);
    stmt_bind_weights(&stmt, 4, run->weights[0]);
    stmt_bind_weights(&stmt, 5, run->weights[1]);
    stmt_bind_text(&stmt, 6, run->config);
    stmt_bind_text(&stmt, 7, run->config_hash);
    stmt_bind_int(&stmt, 8, (int64_t)run->seed);
    if (run->generation >= 0) stmt_bind_int(&stmt, 9, run->generation);
    stmt_bind_text(&stmt, 10, run->program);
    stmt_bind_text(&stmt, 11, host);
    return stmt_finish(&stmt);
}

Status store_open_run(Store *store, RunRecord *run, bool *created, Error *err)
{
    bool inserted = false;

    Status status = store_find_run(store, run->uuid, &run->run_id, err);
    if (status == STATUS_OK && run->run_id == 0) {
        status = insert_run(store, run, err);
        if (status) return status;
        inserted =
            sqlite3_changes(store->handle) > 0; /* another process may have inserted it first */
        status = store_find_run(store, run->uuid, &run->run_id, err);
    }
    if (created) *created = inserted;
    return status;
}

Status store_finish_run(Store *store, int64_t run_id, Error *err)
{
    Stmt stmt = stmt_open(store,
                          "UPDATE runs SET finished = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')"
                          " WHERE run_id = ?1 AND finished IS NULL",
                          err);
    stmt_bind_int(&stmt, 1, run_id);
    return stmt_finish(&stmt);
}

#define UNFINISHED_RANGE                                                                           \
    " WHERE run_id = ?1 AND finished IS NULL AND NOT EXISTS (SELECT 1 FROM games"                  \
    " WHERE run_id = ?1 AND (game_no < ?2 OR game_no - ?2 >= ?3))"

Status store_finish_range(Store *store, int64_t run_id, int64_t first, int64_t count, Error *err)
{
    /* The first only reads, and so takes no write lock. */
    static const char *const sql[] = {
        "SELECT 1 FROM runs" UNFINISHED_RANGE,
        "UPDATE runs SET finished = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')" UNFINISHED_RANGE};
    Status status = STATUS_OK;
    bool unset = true;

    for (int i = 0; i < 2 && unset && status == STATUS_OK; i++) {
        Stmt stmt = stmt_open(store, sql[i], err);
        stmt_bind_int(&stmt, 1, run_id);
        stmt_bind_int(&stmt, 2, first);
        stmt_bind_int(&stmt, 3, count);
        unset = stmt_row(&stmt);
        status = stmt_close(&stmt);
    }
    return status;
}

Status store_reopen_run(Store *store, int64_t run_id, Error *err)
{
    Stmt stmt = stmt_open(store, "UPDATE runs SET finished = NULL WHERE run_id = ?1", err);
    stmt_bind_int(&stmt, 1, run_id);
    return stmt_finish(&stmt);
}

static RunKind read_kind(Stmt *stmt, int column)
{
    const char *name = stmt_text(stmt, column);

    for (RunKind kind = RUN_SELFPLAY; kind <= RUN_IMPORT; kind++)
        if (strcmp(name, run_kind_name(kind)) == 0) return kind;
    if (stmt->status == STATUS_OK)
        stmt->status = error_set(stmt->err, STATUS_DATABASE,
                                 "%s: the database is damaged: a run of kind '%.20s'",
                                 stmt->store->path, name);
    return RUN_IMPORT;
}

/* The row of store_list_runs(). */
static void read_run(Stmt *stmt, RunRecord *run)
{
    *run = (RunRecord){.run_id = stmt_int(stmt, 0),
                       .kind = read_kind(stmt, 2),
                       .seed = (uint64_t)stmt_int(stmt, 8),
                       .generation =
                           stmt_is_null(stmt, 9) ? -1 : (int)stmt_int_in(stmt, 9, 0, INT_MAX)};
    stmt_copy_text(stmt, 1, run->uuid, sizeof run->uuid);
    stmt_copy_text(stmt, 3, run->label, sizeof run->label);
    stmt_copy_text(stmt, 4, run->weights[0], sizeof run->weights[0]);
    stmt_copy_text(stmt, 5, run->weights[1], sizeof run->weights[1]);
    stmt_copy_text(stmt, 7, run->config_hash, sizeof run->config_hash);
    stmt_copy_text(stmt, 10, run->program, sizeof run->program);
    stmt_copy_text(stmt, 11, run->host, sizeof run->host);
    stmt_copy_text(stmt, 12, run->started, sizeof run->started);
    stmt_copy_text(stmt, 13, run->finished, sizeof run->finished);
    run->config = stmt_dup_text(stmt, 6);
}

Status store_list_runs(Store *store, int kind, RunRecord **runs, int *count, Error *err)
{
    int64_t room = 0;

    *runs = NULL;
    *count = 0;
    Stmt stmt =
        stmt_open(store,
                  "SELECT r.run_id, r.uuid, r.kind, r.label, a.sha256, b.sha256, r.config,"
                  " r.config_hash, r.seed, r.generation, r.program, r.host, r.started, r.finished"
                  " FROM runs AS r LEFT JOIN weights AS a ON a.weights_id = r.weights_a_id "
                  "LEFT JOIN weights AS b ON b.weights_id = r.weights_b_id "
                  "WHERE ?1 IS NULL OR r.kind = ?1 ORDER BY r.run_id",
                  err);
    stmt_bind_text(&stmt, 1, kind ? run_kind_name((RunKind)kind) : NULL);
    while (stmt_row(&stmt)) {
        if ((stmt.status = ARRAY_RESERVE(*runs, room, *count + 1, err))) break;
        read_run(&stmt, &(*runs)[(*count)++]);
    }
    if (stmt_close(&stmt) != STATUS_OK) {
        store_free_runs(*runs, *count);
        *runs = NULL;
        *count = 0;
    }
    return stmt.status;
}

void store_free_runs(RunRecord *runs, int count)
{
    for (int i = 0; i < count; i++)
        free_text(runs[i].config);
    free(runs);
}
