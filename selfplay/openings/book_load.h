/* SPDX-License-Identifier: MIT
 * Opening books from files. */
#ifndef TABIA_SELFPLAY_OPENINGS_BOOK_LOAD_H
#define TABIA_SELFPLAY_OPENINGS_BOOK_LOAD_H

#include "selfplay/openings/book.h"

enum {
    OPENING_DRAWS = 20000,     /* most positions drawn from a Polyglot book */
    OPENING_POLYGLOT_PLIES = 8 /* when `plies` is 0 */
};

/* What is taken from a file, and in which order. */
typedef struct OpeningChoice {
    int plies;   /* of a line (PGN, Polyglot), or fewer where it ends before; 0: PGN to the end */
    bool random; /* shuffled by the seed; lines of Polyglot are drawn by their weights instead */
    uint64_t seed;
} OpeningChoice;

/* By the name's ending:
 *   .pgn, .pgn.zst  the position of each game after `plies`; repeated positions
 *                   are left out, also by transposition
 *   .bin            lines of a Polyglot book from the initial position: all of them, in the book's
 *                   order, or OPENING_DRAWS of them drawn by the moves' weights (fewer where a
 *                   thousand draws find nothing new); moves of weight 0 are not played
 *   others          EPD or FEN, one a line, plain or .zst: blank lines and lines starting with '#'
 *                   are skipped; of operations hmvc and fmvn are understood, others ignored
 * STATUS_BAD_INPUT with file, and line where there are lines: malformed, a position that cannot be
 * played from or where the game is over, no position at all, more than OPENING_BOOK_MAX. *book is
 * unchanged on error; its start is 0 and its name NULL. */
MUST_CHECK Status opening_book_load(const char *path, const OpeningChoice *choice,
                                    OpeningBook *book, Error *err);

#endif
