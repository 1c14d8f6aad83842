/* SPDX-License-Identifier: MIT
 * The table of weights: header texts by the SHA-256 of their canonical form. A text that is close
 * to the last one that was kept whole is kept as its difference to that one. */
#ifndef TABIA_DB_TABLES_WEIGHTS_H
#define TABIA_DB_TABLES_WEIGHTS_H

#include "db/store/connection.h"
#include "db/store/run_record.h"

/* Weights must be stored before rows that refer to them (runs, fits, gauntlets, generations,
 * weights with a parent): an unknown hash is STATUS_FAILED there. "" and NULL mean no weights. */

/* Idempotent. text is the whole header with its comment; parent the hash of stored weights, or
 * NULL. */
MUST_CHECK Status store_put_weights(Store *store, const char *hash, const char *label,
                                    const char *text, const char *parent, Error *err);

/* Returns the header text, malloc'ed; NULL with an Error when the hash is unknown. */
char *store_get_weights(Store *store, const char *hash, Error *err);

/* Their label; "" when the hash is unknown. */
MUST_CHECK Status store_get_label(Store *store, const char *hash, char label[LABEL_MAX],
                                  Error *err);

/* In a store that is open for reading: SQL statements see in place of the table `weights` a view of
 * it, in which every header is whole. */
MUST_CHECK Status store_show_headers(Store *store, Error *err);

/* Binds the row of the weights with this hash; NULL for NULL and "". STATUS_FAILED when they are
 * not stored. */
typedef struct Stmt Stmt;
void stmt_bind_weights(Stmt *stmt, int index, const char *hash);

#endif
