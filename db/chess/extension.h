/* SPDX-License-Identifier: MIT
 * SQL functions of positions, and positions computed from stored games.
 *
 *     sqlite3 games.db            .load build/release/tabia_sqlite
 *     Python                      connection.load_extension("build/release/tabia_sqlite")
 *     tabia db sql games.db       built in
 *
 * tabia_positions[(run_id)]
 *     A table with the columns of `positions`, replayed from `games` when it is read. More columns:
 *     phase, 24 with all pieces, 0 without; time (ms), nodes (4294967295: that many or more) and
 *     depth of the move's search, NULL where they were not recorded. The hidden column of the
 *     argument is of_run.
 *
 * tabia_find(pattern)
 *     Those of its rows whose position matches a partial FEN (position_pattern.h), or is that of a
 *     whole FEN.
 *
 * tabia_tree[(fen)]
 *     A row for each move that was played in a position (a partial FEN: in any of them), by default
 *     the start of chess; the most frequent first. Columns: move (UCI), san, games, white_wins,
 *     draws, black_wins, white_points (mean, 0 to 1), score (mean of the searches, centipawns,
 *     White's view, without mates), elo (White's, of white_points; NULL for 0 and 1).
 *
 * san(fen, move)
 *     The move (UCI, as positions.move) in standard algebraic notation.
 *
 * eval(fen [, weights])
 *     Static evaluation, centipawns, White's view. weights: a weights_id or sha256 of the table
 *     `weights`, 'builtin', 'zero', 'material', or the text of a weights header; default builtin.
 *
 * position_key(fen)
 *     Polyglot's key as a signed 64-bit number: equal for equal positions; without move counters.
 *
 * weights_text(header, base, difference)
 *     The header of a row of `weights`, from its columns and the header of the row base_id.
 *
 * Another function of NULL is NULL. Invalid positions, moves and weights are SQL errors. */
#ifndef TABIA_DB_CHESS_EXTENSION_H
#define TABIA_DB_CHESS_EXTENSION_H

#include <sqlite3ext.h>

/* SQLite's entry point of the extension tabia_sqlite.so: registers all of the above. */
int sqlite3_tabiasqlite_init(sqlite3 *db, char **message, const sqlite3_api_routines *api);

/* The parts of it that are positions_table.c and tree_table.c; they return SQLite's result code. */
int extension_register_positions(sqlite3 *db);
int extension_register_tree(sqlite3 *db);

#endif
