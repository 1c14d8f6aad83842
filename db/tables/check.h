/* SPDX-License-Identifier: MIT
 * Whether a database contradicts itself. */
#ifndef TABIA_DB_TABLES_CHECK_H
#define TABIA_DB_TABLES_CHECK_H

#include "db/store/connection.h"

/* SQLite's own check of the file (STATUS_DATABASE when it is damaged); then foreign keys,
 * identities of runs, blob lengths and positions against ply counts (STATUS_FAILED). The first
 * problem becomes the Error. */
MUST_CHECK Status store_check(Store *store, Error *err);

#endif
