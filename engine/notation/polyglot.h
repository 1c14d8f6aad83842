/* SPDX-License-Identifier: MIT
 * Opening books in the Polyglot format, read in place: the file may be far larger than memory.
 *
 * A book is a list of 16-byte entries, big-endian, sorted by key: key (8 bytes), move (2), weight
 * (2), learn (4). Source: Michel Van den Bergh and Fabien Letouzey, "PolyGlot book format"
 * (hgm.nubati.net/book_format.html). */
#ifndef TABIA_ENGINE_NOTATION_POLYGLOT_H
#define TABIA_ENGINE_NOTATION_POLYGLOT_H

#include "engine/base/pcg.h"
#include "engine/board/movegen.h"

typedef struct PolyglotMove {
    Move move;
    uint16_t weight; /* relative to the position's other moves; 0: not to be played */
    uint32_t learn;  /* as stored; its meaning differs between programs */
} PolyglotMove;

/* The moves of a position in the order of the book: usually the greatest weight first. */
typedef struct PolyglotMoves {
    int count;
    PolyglotMove moves[MAX_MOVES];
} PolyglotMoves;

typedef struct PolyglotBook PolyglotBook;

/* Opens a book and checks all of its entries. NULL with STATUS_BAD_INPUT and the file name when it
 * is missing or unreadable, empty, cut off inside an entry, not sorted by key, or has more entries
 * of a key than a position has moves. STATUS_INTERRUPTED after system_end_waits(). */
PolyglotBook *polyglot_open(const char *path, Error *err);
void polyglot_close(PolyglotBook *book); /* NULL-safe */

/* Fills *list with the legal moves that the book has for the position, maybe none. Its key in a
 * book is pos->key; the format also counts en passant captures that a pin forbids, which a Position
 * does not keep, and those keys are tried too. Moves that are not legal here, which a key shared by
 * two positions would give, are left out. Thread-safe. STATUS_BAD_INPUT when the file can no longer
 * be read; *list is empty then. */
MUST_CHECK Status polyglot_moves(const PolyglotBook *book, const Position *pos, PolyglotMoves *list,
                                 Error *err);

/* Draws a move with a probability in proportion to its weight; NULL when all weights are 0. */
const PolyglotMove *polyglot_draw(const PolyglotMoves *list, Pcg *rng);

#endif
