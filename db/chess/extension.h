/* SPDX-License-Identifier: MIT
 * Tabia's chess inside SQLite: positions out of compact games, and functions of positions.
 *
 *     sqlite3 games.db            .load build/release/tabia_sqlite
 *     Python                      connection.load_extension("build/release/tabia_sqlite")
 *     tabia db sql games.db       has it built in
 *
 * tabia_positions[(run_id)]
 *     A table with the columns of `positions`, replayed from `games` as it is read; hidden column
 *     run_id.
 * san(fen, move)
 *     The move (UCI, as positions.move) in standard algebraic notation.
 * eval(fen [, weights])
 *     Static evaluation, centipawns, White's view. weights: a weights_id or sha256 of the table
 *     `weights`, 'builtin', 'zero', 'material', or the text of a weights header; builtin when left
 *     out.
 * position_key(fen)
 *     64 bits (signed) that equal positions share: Polyglot's key, so without move counters.
 *
 * A function of NULL is NULL; what is no position, move or weights is an SQL error that says why.
 */
#ifndef TABIA_DB_CHESS_EXTENSION_H
#define TABIA_DB_CHESS_EXTENSION_H

#include <sqlite3ext.h>

/* SQLite's entry point of an extension in a file tabia_sqlite.so: gives all of the above to a
 * connection. */
int sqlite3_tabiasqlite_init(sqlite3 *db, char **message, const sqlite3_api_routines *api);

/* Parts of it; SQLite's result codes. */
int extension_register_functions(sqlite3 *db);
int extension_register_positions(sqlite3 *db);

#endif
