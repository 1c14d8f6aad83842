/* SPDX-License-Identifier: MIT
 * Finding stored weights by their hash, for the rows that refer to them. */
#ifndef TABIA_DB_TABLES_WEIGHTS_H
#define TABIA_DB_TABLES_WEIGHTS_H

#include "db/store/stmt.h"

/* *id becomes the row of the weights with this SHA-256, or 0 for NULL and "" (nobody's weights). A
 * hash that is not stored is STATUS_FAILED: provenance would end there. */
MUST_CHECK Status weights_find(Store *store, const char *hash, int64_t *id, Error *err);

/* Binds what weights_find gave: 0 as NULL. */
void weights_bind(Stmt *stmt, int index, int64_t id);

#endif
