/* SPDX-License-Identifier: MIT
 * The table of weights. */
#include "db/tables/weights.h"

#include <stdlib.h>

#include "db/store/difference.h"
#include "db/store/stmt.h"

void stmt_bind_weights(Stmt *stmt, int index, const char *hash)
{
    Store *store = stmt->store;

    if (stmt->status != STATUS_OK || !hash || !*hash) return;
    Stmt row = stmt_open(store, "SELECT weights_id FROM weights WHERE sha256 = ?1", stmt->err);
    stmt_bind_text(&row, 1, hash);
    if (stmt_row(&row))
        stmt_bind_int(stmt, index, stmt_int(&row, 0));
    else if (row.status == STATUS_OK)
        row.status = error_set(
            stmt->err, STATUS_FAILED,
            "%s: no weights %.64s in this database; store them before rows that refer to them",
            store->path, hash);
    Status status = stmt_close(&row);
    if (status != STATUS_OK) stmt->status = status;
}

Status store_put_weights(Store *store, const char *hash, const char *label, const char *text,
                         const char *parent, Error *err)
{
    uint8_t *difference = NULL;
    size_t size = 0;
    int64_t base = 0;

    /* The last text that was kept whole. */
    Stmt stmt = stmt_open(store,
                          "SELECT b.weights_id, b.header FROM weights AS w JOIN weights AS b"
                          " ON b.weights_id = coalesce(w.base_id, w.weights_id)"
                          " WHERE w.weights_id = (SELECT max(weights_id) FROM weights)",
                          err);
    if (stmt_row(&stmt)) {
        base = stmt_int(&stmt, 0);
        difference = text_difference(text, stmt_text(&stmt, 1), &size);
    }
    Status status = stmt_close(&stmt);
    if (status != STATUS_OK) goto cleanup;
    stmt = stmt_open(store,
                     "INSERT INTO weights (sha256, label, header, parent_id, base_id, difference)"
                     " VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (sha256) DO NOTHING",
                     err);
    stmt_bind_text(&stmt, 1, hash);
    stmt_bind_text(&stmt, 2, label);
    stmt_bind_text(&stmt, 3, difference ? "" : text);
    stmt_bind_weights(&stmt, 4, parent);
    if (difference) {
        stmt_bind_int(&stmt, 5, base);
        stmt_bind_blob(&stmt, 6, difference, size);
    }
    status = stmt_finish(&stmt);
cleanup:
    free(difference);
    return status;
}

char *store_get_weights(Store *store, const char *hash, Error *err)
{
    char *text = NULL;

    Stmt stmt = stmt_open(store,
                          "SELECT weights_text(w.header, b.header, w.difference)"
                          " FROM main.weights AS w LEFT JOIN main.weights AS b"
                          " ON b.weights_id = w.base_id WHERE w.sha256 = ?1",
                          err);
    stmt_bind_text(&stmt, 1, hash);
    if (stmt_row(&stmt))
        text = stmt_dup_text(&stmt, 0);
    else if (stmt.status == STATUS_OK)
        (void)error_set(err, STATUS_FAILED, "%s: no weights %.64s in this database", store->path,
                        hash);
    (void)stmt_close(&stmt);
    return text;
}

Status store_get_label(Store *store, const char *hash, char label[LABEL_MAX], Error *err)
{
    Stmt stmt = stmt_open(store, "SELECT label FROM weights WHERE sha256 = ?1", err);

    label[0] = '\0';
    stmt_bind_text(&stmt, 1, hash);
    if (stmt_row(&stmt)) stmt_copy_text(&stmt, 0, label, LABEL_MAX);
    return stmt_close(&stmt);
}

Status store_show_headers(Store *store, Error *err)
{
    return store_exec(store,
                      "PRAGMA query_only = OFF;"
                      "CREATE TEMP VIEW weights AS SELECT weights_id, sha256, label, weights_text("
                      " header, (SELECT header FROM main.weights AS b"
                      "          WHERE b.weights_id = w.base_id), difference) AS header,"
                      " parent_id, created FROM main.weights AS w;"
                      "PRAGMA query_only = ON",
                      err);
}
