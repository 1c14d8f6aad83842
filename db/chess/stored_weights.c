/* SPDX-License-Identifier: MIT
 * Weights in the store. */
#include "db/chess/stored_weights.h"

#include <stdlib.h>
#include <string.h>

#include "db/tables/weights.h"
#include "engine/eval/weights_write.h"

static Status out_of_memory(Error *err)
{
    return error_set(err, STATUS_FAILED, "out of memory for the weights");
}

Status stored_weights_hash(const EvalWeights *w, char hash[HASH_HEX_MAX], Error *err)
{
    char *text = weights_text(w, NULL);

    if (!text) return out_of_memory(err);
    sha256_hex(text, strlen(text), hash);
    free(text);
    return STATUS_OK;
}

Status stored_weights_put(Store *store, const char *hash, const char *label, const EvalWeights *w,
                          const char *comment, const char *parent, Error *err)
{
    char *text = weights_text(w, comment);

    if (!text) return out_of_memory(err);
    Status status = store_put_weights(store, hash, label, text, parent, err);
    free(text);
    return status;
}

Status stored_weights_get(Store *store, const char *hash, EvalWeights *w, WeightsInfo *info,
                          Error *err)
{
    Error ignored;

    if (!err) err = &ignored;
    char *text = store_get_weights(store, hash, err);
    if (!text) return err->status;
    Status status = weights_parse(text, strlen(text), store_path(store), w, info, err);
    free(text);
    return status;
}
