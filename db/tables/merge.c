/* SPDX-License-Identifier: MIT
 * Merging databases (merge_*.sql). Rows are matched by identity (run uuid, game number, weights
 * hash), never by row number, so that merging again adds nothing. */
#include "db/tables/merge.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/json_read.h"
#include "db/store/stmt.h"
#include "db/store/store.h"
#include "engine/base/new_file.h"

enum { BATCH_GAMES = 4096 };

static const char merge_records_sql[] = {
#include "merge_records_sql.inc"
    '\0'};
static const char merge_games_sql[] = {
#include "merge_games_sql.inc"
    '\0'};
static const char merge_positions_sql[] = {
#include "merge_positions_sql.inc"
    '\0'};
static const char merge_learning_sql[] = {
#include "merge_learning_sql.inc"
    '\0'};

/* A merge in progress. */
typedef struct Merge {
    Store *store;        /* `from` is attached to it as `source` */
    const Store *source; /* `from`, open for itself */
    const char *from;    /* name of that file */
    const MergeOptions *options;
    MergeCounts *counts;
    int64_t last;   /* game_id of source that was taken last */
    int64_t picked; /* of options->game_ids */
} Merge;

/* ---- Refusals */

/* Refuses when the two databases disagree about a game. */
static Status refuse_conflicts(const Merge *m, Error *err)
{
    Stmt stmt = stmt_open(
        m->store,
        "SELECT s.uuid, g.game_no FROM source.runs AS s JOIN main.runs AS m USING (uuid)"
        " CROSS JOIN source.games AS g ON g.run_id = s.run_id"
        " CROSS JOIN main.games AS h ON h.run_id = m.run_id AND h.game_no = g.game_no"
        " WHERE (g.moves, g.result, g.reason, g.start_fen, g.opening_no, g.white, g.black,"
        " g.nodes, g.varied) IS NOT (h.moves, h.result, h.reason, h.start_fen, h.opening_no,"
        " h.white, h.black, h.nodes, h.varied) LIMIT 1",
        err);
    if (stmt_row(&stmt))
        stmt.status = error_set(
            err, STATUS_FAILED,
            "%s: game %lld of run %s differs from that in %s: the run is not deterministic; nothing was merged",
            m->from, (long long)stmt_int(&stmt, 1), stmt_text(&stmt, 0), m->store->path);
    return stmt_close(&stmt);
}

/* Self-play runs of one seed and generation share their openings: they are parts of one run that
 * were played with different settings. A run that is here already is allowed, so that a merge of
 * both can be repeated. */
static Status refuse_mixture(const Merge *m, Error *err)
{
    char difference[256];

    Stmt stmt = stmt_open(
        m->store,
        "SELECT s.seed, s.config, m.config FROM source.runs AS s JOIN main.runs AS m ON m.seed = "
        "s.seed AND m.kind = s.kind"
        " AND m.generation IS s.generation AND m.uuid <> s.uuid"
        " WHERE s.kind = 'selfplay' AND s.uuid NOT IN (SELECT uuid FROM main.runs) LIMIT 1",
        err);
    if (stmt_row(&stmt)) {
        stmt.status = json_difference(m->store, stmt_text(&stmt, 2), stmt_text(&stmt, 1),
                                      difference, sizeof difference, err);
        if (stmt.status == STATUS_OK)
            stmt.status = error_set(
                err, STATUS_FAILED,
                "%s holds a self-play run of seed %llu with other settings than %s (%s); nothing was merged; --mixed merges both",
                m->from, (unsigned long long)stmt_int(&stmt, 0), m->store->path,
                difference[0] ? difference : "other weights");
    }
    return stmt_close(&stmt);
}

/* ---- Batches */

/* Puts the next of options->game_ids into temp.chosen. */
static Status choose_picked(Merge *m, int64_t *count, Error *err)
{
    const MergeOptions *o = m->options;

    Stmt stmt = stmt_open(m->store, "INSERT INTO temp.chosen VALUES (?1)", err);
    for (*count = 0; *count < BATCH_GAMES && m->picked < o->count && stmt.status == STATUS_OK;
         ++*count) {
        stmt_bind_int(&stmt, 1, o->game_ids[m->picked++]);
        stmt_run(&stmt);
    }
    return stmt_close(&stmt);
}

/* Puts the next games of source, after m->last, into temp.chosen. */
static Status choose_next(Merge *m, int64_t *count, Error *err)
{
    Stmt stmt = stmt_open(m->store,
                          "INSERT OR IGNORE INTO temp.chosen SELECT game_id FROM source.games"
                          " WHERE game_id > ?1 ORDER BY game_id LIMIT ?2",
                          err);
    stmt_bind_int(&stmt, 1, m->last);
    stmt_bind_int(&stmt, 2, BATCH_GAMES);
    Status status = stmt_finish(&stmt);
    if (status) return status;
    stmt = stmt_open(m->store, "SELECT count(*), min(game_id), max(game_id) FROM temp.chosen", err);
    *count = stmt_row(&stmt) ? stmt_int(&stmt, 0) : 0;
    /* A damaged tree may give the same rows again and again. */
    if (*count > 0 && stmt_int(&stmt, 1) <= m->last)
        stmt.status = error_set(err, STATUS_DATABASE,
                                "%s: the database is damaged: game %lld is not in its order",
                                m->from, (long long)stmt_int(&stmt, 1));
    if (*count > 0) m->last = stmt_int(&stmt, 2);
    return stmt_close(&stmt);
}

/* The body of a batch's transaction. */
static Status take_batch(Merge *m, int64_t *count, int64_t *added, Error *err)
{
    Status status = store_exec(m->store, "DELETE FROM temp.chosen", err);
    if (status == STATUS_OK)
        status = m->options->game_ids ? choose_picked(m, count, err) : choose_next(m, count, err);
    if (status || *count == 0) return status;
    status = store_exec(m->store, merge_games_sql, err);
    *added = sqlite3_changes64(m->store->handle);
    return status ? status : store_exec(m->store, merge_positions_sql, err);
}

static Status merge_batch(Merge *m, int64_t *count, Error *err)
{
    int64_t added = 0;

    Status status = store_begin(m->store, err);
    if (status) return status;
    status = take_batch(m, count, &added, err);
    if (status == STATUS_OK) status = store_check_unchanged(m->source, err);
    status = store_end(m->store, status, err);
    if (status) return status;
    m->counts->games += *count;
    m->counts->added += added;
    if (m->options->progress) m->options->progress(m->options->context, m->counts);
    return STATUS_OK;
}

/* All other tables, before or after the games, in one transaction. */
static Status merge_records(const Merge *m, bool before, Error *err)
{
    Status status = store_begin(m->store, err);
    if (status) return status;
    if (before) {
        status = refuse_conflicts(m, err);
        if (status == STATUS_OK && !m->options->mixed) status = refuse_mixture(m, err);
    }
    if (status == STATUS_OK)
        status = store_exec(m->store, before ? merge_records_sql : merge_learning_sql, err);
    if (status == STATUS_OK) status = store_check_unchanged(m->source, err);
    return store_end(m->store, status, err);
}

static Status merge_attached(Merge *m, Error *err)
{
    int64_t count = 1;

    Status status = merge_records(m, true, err);
    while (status == STATUS_OK && count > 0)
        status = merge_batch(m, &count, err);
    if (status == STATUS_OK && !m->options->game_ids) status = merge_records(m, false, err);
    Status dropped =
        store_exec(m->store, "DROP TABLE IF EXISTS temp.chosen", status ? &(Error){0} : err);
    return status ? status : dropped;
}

/* ---- The other file */

static Status attach(Store *store, const char *from, bool immutable, Error *err)
{
    char *uri = store_uri(from, immutable ? "immutable=1" : "mode=ro");
    if (!uri) return error_set(err, STATUS_FAILED, "out of memory");
    Stmt stmt = stmt_open(store, "ATTACH ?1 AS source", err);
    stmt_bind_text(&stmt, 1, uri);
    Status status = stmt_finish(&stmt);
    free(uri);
    return status;
}

Status store_merge(Store *store, const char *from, const MergeOptions *options, MergeCounts *counts,
                   Error *err)
{
    static const MergeOptions everything = {0};
    Merge merge = {.store = store,
                   .from = from,
                   .options = options ? options : &everything,
                   .counts = counts,
                   .last = INT64_MIN};

    assert(sqlite3_get_autocommit(store->handle) && "merging is its own transactions");
    *counts = (MergeCounts){0};
    if (file_is_same(store->path, from))
        return error_set(err, STATUS_BAD_INPUT, "%s: cannot be merged into itself", from);

    /* Checks that it is a store; it stays open, so that its files stay, while it is attached. */
    Store *source = store_open_watched(from, STORE_READ, store->interrupted, err);
    if (!source) return err->status;
    merge.source = source;
    /* Of a file that `source` keeps for itself, `store` reads the state in the file alone. */
    Status status = source->alone ? store_settle(source, err) : STATUS_OK;
    if (status == STATUS_OK) status = attach(store, from, source->immutable || source->alone, err);
    if (status == STATUS_OK) {
        status = merge_attached(&merge, err);
        /* Cached statements must not refer to `source` after this. */
        Status detached = store_exec(store, "DETACH source", status ? &(Error){0} : err);
        if (status == STATUS_OK) status = detached;
    }
    store_close(source);
    return status;
}
