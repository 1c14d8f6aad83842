/* SPDX-License-Identifier: MIT
 * tabia_new_positions: rows in memory as a virtual table, so that one INSERT … SELECT stores all
 * positions of a game. An INSERT a row takes twice as long. */
#ifndef TABIA_DB_TABLES_NEW_POSITIONS_H
#define TABIA_DB_TABLES_NEW_POSITIONS_H

#include "db/store/connection.h"

/* Adds the table to the connection of a store; its rows are store->new_rows[new_row_count] at the
 * time of the SELECT. Returns SQLite's result code. */
int new_positions_register(Store *store);

#endif
