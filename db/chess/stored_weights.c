/* SPDX-License-Identifier: MIT
 * Weights in the store. */
#include "db/chess/stored_weights.h"

#include <stdlib.h>
#include <string.h>

#include "db/store/stmt.h"
#include "db/tables/weights.h"
#include "engine/eval/evaluation_write.h"

static Status out_of_memory(Error *err)
{
    return error_set(err, STATUS_FAILED, "out of memory for the weights");
}

Status stored_weights_hash(const Evaluation *w, char hash[HASH_HEX_MAX], Error *err)
{
    char *text = evaluation_text(w, NULL);

    if (!text) return out_of_memory(err);
    sha256_hex(text, strlen(text), hash);
    free(text);
    return STATUS_OK;
}

Status stored_weights_put(Store *store, const char *hash, const char *label, const Evaluation *w,
                          const char *comment, const char *parent, Error *err)
{
    char *text = evaluation_text(w, comment);

    if (!text) return out_of_memory(err);
    Status status = store_put_weights(store, hash, label, text, parent, err);
    free(text);
    return status;
}

/* Is this the text of the weights with this hash? The hash is that of the text without the comment
 * before it, which may hold the same first line. */
static Status check_text(const Store *store, const char *hash, const char *text, Error *err)
{
    char own[HASH_HEX_MAX] = "";
    const char *start = NULL;

    for (const char *at = text; (at = strstr(at, WEIGHTS_TEXT_START)); at++)
        start = at;
    if (start) sha256_hex(start, strlen(start), own);
    if (strcmp(own, hash) == 0) return STATUS_OK;
    return error_set(err, STATUS_DATABASE,
                     "%s: the database is damaged: the text of weights %.12s has another hash",
                     store_path(store), hash);
}

Status stored_weights_check(Store *store, Error *err)
{
    Stmt stmt = stmt_open(store, "SELECT sha256 FROM weights ORDER BY weights_id", err);
    while (stmt_row(&stmt)) {
        const char *hash = stmt_text(&stmt, 0);
        char *text = stmt.status == STATUS_OK ? store_get_weights(store, hash, err) : NULL;
        if (stmt.status == STATUS_OK)
            stmt.status = text ? check_text(store, hash, text, err) : err->status;
        free(text);
    }
    return stmt_close(&stmt);
}

Status stored_weights_get(Store *store, const char *hash, Evaluation *w, WeightsInfo *info,
                          Error *err)
{
    char *text = store_get_weights(store, hash, err);
    if (!text) return err->status;
    Status status = check_text(store, hash, text, err);
    if (status == STATUS_OK)
        status = evaluation_parse(text, strlen(text), store_path(store), w, info, err);
    free(text);
    return status;
}
