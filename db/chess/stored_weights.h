/* SPDX-License-Identifier: MIT
 * Weights in the store: their hash, and the way between values and header texts. */
#ifndef TABIA_DB_CHESS_STORED_WEIGHTS_H
#define TABIA_DB_CHESS_STORED_WEIGHTS_H

#include "db/files/sha256.h"
#include "db/store/connection.h"
#include "engine/eval/evaluation_load.h"

/* SHA-256 of the weights' text without a comment: their name in headers and in the store. */
MUST_CHECK Status stored_weights_hash(const Evaluation *w, char hash[HASH_HEX_MAX], Error *err);

/* store_put_weights() of a header with this comment, which may be NULL. */
MUST_CHECK Status stored_weights_put(Store *store, const char *hash, const char *label,
                                     const Evaluation *w, const char *comment, const char *parent,
                                     Error *err);

/* The stored weights of this hash; info may be NULL. STATUS_FAILED when there are none,
 * STATUS_DATABASE when the stored text is that of other weights. */
MUST_CHECK Status stored_weights_get(Store *store, const char *hash, Evaluation *w,
                                     WeightsInfo *info, Error *err);

/* Compares the text of all stored weights with their hashes. STATUS_DATABASE with the first that
 * differs. */
MUST_CHECK Status stored_weights_check(Store *store, Error *err);

#endif
