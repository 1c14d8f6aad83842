/* SPDX-License-Identifier: MIT
 * Checking a database without the rules of chess. */
#ifndef TABIA_DB_TABLES_CHECK_H
#define TABIA_DB_TABLES_CHECK_H

#include "db/store/connection.h"

/* SQLite's integrity check (STATUS_DATABASE when the file is damaged); then foreign keys,
 * identities of runs, and lengths of blobs and positions against ply counts (STATUS_FAILED). err is
 * the first problem. */
MUST_CHECK Status store_check(Store *store, Error *err);

/* Types and ranges of the columns that statements add up and compare without reading their rows one
 * by one. STATUS_DATABASE with the column and the row. Reads each game's row, but not its moves. */
MUST_CHECK Status store_check_values(Store *store, Error *err);

#endif
