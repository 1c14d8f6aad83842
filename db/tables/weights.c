/* SPDX-License-Identifier: MIT
 * The table of weights. */
#include "db/tables/weights.h"

#include <string.h>

#include "db/store/stmt.h"

Status store_put_weights(Store *store, const char *hash, const char *label, const char *text,
                         const char *parent, Error *err)
{
    Stmt stmt;
    int64_t parent_id;

    Status status = store_find_weights(store, parent, &parent_id, err);
    if (status) return status;
    stmt_open(store, &stmt,
              "INSERT INTO weights (sha256, label, header, parent_id) VALUES (?1, ?2, ?3, ?4) "
              "ON CONFLICT (sha256) DO NOTHING",
              err);
    stmt_bind_text(&stmt, 1, hash);
    stmt_bind_text(&stmt, 2, label);
    stmt_bind_text(&stmt, 3, text);
    stmt_bind_row(&stmt, 4, parent_id);
    return stmt_finish(&stmt);
}

char *store_get_weights(Store *store, const char *hash, Error *err)
{
    Stmt stmt;
    char *text = NULL;

    stmt_open(store, &stmt, "SELECT header FROM weights WHERE sha256 = ?1", err);
    stmt_bind_text(&stmt, 1, hash);
    if (stmt_row(&stmt)) {
        text = strdup(stmt_text(&stmt, 0));
        if (!text) (void)error_set(err, STATUS_FAILED, "out of memory");
    } else if (stmt.status == STATUS_OK) {
        (void)error_set(err, STATUS_FAILED, "%s: no weights %.64s in this database", store->path,
                        hash);
    }
    (void)stmt_close(&stmt);
    return text;
}

Status store_find_weights(Store *store, const char *hash, int64_t *id, Error *err)
{
    Stmt stmt;

    *id = 0;
    if (!hash || !*hash) return STATUS_OK;
    stmt_open(store, &stmt, "SELECT weights_id FROM weights WHERE sha256 = ?1", err);
    stmt_bind_text(&stmt, 1, hash);
    if (stmt_row(&stmt))
        *id = stmt_int(&stmt, 0);
    else if (stmt.status == STATUS_OK)
        stmt.status = error_set(err, STATUS_FAILED,
                                "%s: no weights %.64s in this database; store them before rows "
                                "that refer to them",
                                store->path, hash);
    return stmt_close(&stmt);
}
