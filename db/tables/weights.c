/* SPDX-License-Identifier: MIT
 * The table of weights. */
#include "db/tables/weights.h"

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
    Stmt stmt =
        stmt_open(store,
                  "INSERT INTO weights (sha256, label, header, parent_id) VALUES (?1, ?2, ?3, ?4) "
                  "ON CONFLICT (sha256) DO NOTHING",
                  err);
    stmt_bind_text(&stmt, 1, hash);
    stmt_bind_text(&stmt, 2, label);
    stmt_bind_text(&stmt, 3, text);
    stmt_bind_weights(&stmt, 4, parent);
    return stmt_finish(&stmt);
}

char *store_get_weights(Store *store, const char *hash, Error *err)
{
    char *text = NULL;

    Stmt stmt = stmt_open(store, "SELECT header FROM weights WHERE sha256 = ?1", err);
    stmt_bind_text(&stmt, 1, hash);
    if (stmt_row(&stmt))
        text = stmt_dup_text(&stmt, 0);
    else if (stmt.status == STATUS_OK)
        (void)error_set(err, STATUS_FAILED, "%s: no weights %.64s in this database", store->path,
                        hash);
    (void)stmt_close(&stmt);
    return text;
}
