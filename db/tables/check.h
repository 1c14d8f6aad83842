/* SPDX-License-Identifier: MIT
 * Checking a database without the rules of chess. */
#ifndef TABIA_DB_TABLES_CHECK_H
#define TABIA_DB_TABLES_CHECK_H

#include "db/store/connection.h"

/* SQLite's integrity check, columns as in store_check_values() (STATUS_DATABASE when the file is
 * damaged); foreign keys, identities of runs, and lengths of blobs and positions against ply counts
 * (STATUS_FAILED). err is the first problem. */
MUST_CHECK Status store_check(Store *store, Error *err);

/* Every row that another one names is there: the run and the players of each game, weights, ends.
 * Statements that join tables would leave the others out without an error. STATUS_DATABASE with the
 * row. Reads each game's row, but not its moves; not the positions. */
MUST_CHECK Status store_check_links(Store *store, Error *err);

/* Before statements that add up, compare and join rows without reading them one by one: types and
 * ranges of columns, lengths of FENs (127 bytes), names (1000 bytes) and JSON (16 MiB), the names
 * of the ends of games, indexes against their tables, store_check_links(). STATUS_DATABASE with
 * what is wrong. Reads all tables but the positions. */
MUST_CHECK Status store_check_values(Store *store, Error *err);

#endif
