/* SPDX-License-Identifier: MIT
 * Syzygy endgame tables: what perfect play gives in positions with few men. The only door to the
 * Fathom library, without which (a build without TABIA_FATHOM) no table is ever found.
 *
 * Fathom keeps one set of tables for the whole process, and so do we: this is the one exception to
 * the rule that an engine instance stands for itself. A search uses the set only if it is told to
 * (search_set_syzygy()). Fathom writes to standard error about damaged files, and ends the process
 * when it cannot map one that was there when the set was opened.
 * Source: Ronald de Man, Syzygy tablebases; chessprogramming.org "Syzygy Bases". */
#ifndef TABIA_ENGINE_SEARCH_SYZYGY_H
#define TABIA_ENGINE_SEARCH_SYZYGY_H

#include "engine/board/movegen.h"

/* What a position is worth, side to move's view. Cursed and blessed results would be won and lost
 * but for the fifty-move rule. */
typedef enum SyzygyResult {
    SYZYGY_LOSS = -2,
    SYZYGY_BLESSED_LOSS = -1,
    SYZYGY_DRAW = 0,
    SYZYGY_CURSED_WIN = 1,
    SYZYGY_WIN = 2,
    SYZYGY_UNKNOWN = 3 /* not in the tables */
} SyzygyResult;

/* Does this build know tables at all? */
bool syzygy_built(void);

/* Takes the tables in `paths`, folders separated by colons, instead of those from before; "" and
 * "<empty>" take none. No probe may run meanwhile. STATUS_BAD_INPUT: there are no tables there (and
 * now none at all); STATUS_FAILED: this build knows none. */
MUST_CHECK Status syzygy_open(const char *paths, Error *err);

/* The most men, kings included, of a table that was found; 0 without tables. */
int syzygy_men(void);

/* How many endings with at most `men` men have a file of results (KRvK.rtbw) in these folders: what
 * tells sets of tables apart without a path. Looks at names alone, and needs no tables open. */
int syzygy_count(const char *paths, int men);

/* The result as if no ply had been played since the last capture or pawn move. SYZYGY_UNKNOWN with
 * castling rights, too many men, or a table missing. Thread-safe. */
SyzygyResult syzygy_probe(const Position *pos);

/* The search's value of `result` found `ply` plies below the root: a win, a loss or, by the
 * fifty-move rule (if `rule50`), a draw; then ±1 marks cursed wins and blessed losses. */
int syzygy_value(SyzygyResult result, bool rule50, int ply);

/* Lists the moves that keep the position's result, which is returned; those that make progress
 * alone when the fifty-move rule (obeyed if `rule50`) presses or a position of the game was
 * `repeated`. SYZYGY_UNKNOWN, and no moves, where the tables do not know them all. Thread-safe. */
SyzygyResult syzygy_best_moves(const Position *pos, bool repeated, bool rule50, MoveList *best);

#endif
