/* SPDX-License-Identifier: MIT
 * Syzygy probes: the result of perfect play in positions with few pieces. The only user of the
 * Fathom library; a build without it (no TABIA_FATHOM) finds no files.
 *
 * Fathom keeps one set of Syzygy files for the whole process. This is the one exception to the rule
 * that engine instances are independent. A search uses the set only after search_set_syzygy().
 * Fathom reports damaged files on standard error. It ends the process if it cannot map a file that
 * existed when the set was opened. Source: Ronald de Man, Syzygy tablebases; chessprogramming.org
 * "Syzygy Bases". */
#ifndef TABIA_ENGINE_SEARCH_SYZYGY_H
#define TABIA_ENGINE_SEARCH_SYZYGY_H

#include "engine/board/movegen.h"

/* The result of a position, side to move's view. Cursed wins and blessed losses are draws by the
 * fifty-move rule. */
typedef enum SyzygyResult {
    SYZYGY_LOSS = -2,
    SYZYGY_BLESSED_LOSS = -1,
    SYZYGY_DRAW = 0,
    SYZYGY_CURSED_WIN = 1,
    SYZYGY_WIN = 2,
    SYZYGY_UNKNOWN = 3 /* not in the files */
} SyzygyResult;

/* Was this build made with Fathom? */
bool syzygy_built(void);

/* Replaces the set of Syzygy files by those in `paths`, folders separated by colons; "" and
 * "<empty>" mean none. No probe may run meanwhile. STATUS_BAD_INPUT: no files there, and the set is
 * empty; STATUS_FAILED: a build without Fathom. */
MUST_CHECK Status syzygy_open(const char *paths, Error *err);

/* The most pieces, kings included, of any Syzygy file found; 0 without files. */
int syzygy_pieces(void);

/* How many endgames with at most `pieces` pieces have a WDL file (KRvK.rtbw) in these folders: it
 * identifies a set without its path. Reads only file names; no set needs to be open. */
int syzygy_count(const char *paths, int pieces);

/* The result as if no ply had been played since the last capture or pawn move. SYZYGY_UNKNOWN with
 * castling rights, too many pieces, or a missing file. Thread-safe. */
SyzygyResult syzygy_probe(const Position *pos);

/* The search's value of `result` found `ply` plies below the root: a win, a loss or, by the
 * fifty-move rule (if `rule50`), a draw; then ±1 marks cursed wins and blessed losses. */
int syzygy_value(SyzygyResult result, bool rule50, int ply);

/* Lists the moves that keep the position's result, which is returned. Only those that make progress
 * are listed near the fifty-move limit (used if `rule50`) or if a position of the game was
 * `repeated`. SYZYGY_UNKNOWN, and no moves, if a move is not in the files. Thread-safe. */
SyzygyResult syzygy_best_moves(const Position *pos, bool repeated, bool rule50, MoveList *best);

#endif
