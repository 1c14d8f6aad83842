/* SPDX-License-Identifier: MIT
 * What a database holds, for people and as JSON. */
#ifndef TABIA_CLI_DB_INFO_H
#define TABIA_CLI_DB_INFO_H

#include <stdbool.h>

#include "db/store.h"

/* Prints runs, games, results, reasons, game lengths and scores to standard output. */
MUST_CHECK Status db_info_print(Store *store, bool json, Error *err);

#endif
