/* SPDX-License-Identifier: MIT
 * Openings that files hold as lines of moves: games in PGN, Polyglot books. Contracts as of
 * opening_book_load(), but both append to the book. */
#ifndef TABIA_SELFPLAY_OPENINGS_LINES_H
#define TABIA_SELFPLAY_OPENINGS_LINES_H

#include "selfplay/openings/book_load.h"

MUST_CHECK Status opening_lines_load_pgn(const char *path, int plies, OpeningBook *book,
                                         Error *err);
MUST_CHECK Status opening_lines_load_polyglot(const char *path, const OpeningChoice *choice,
                                              OpeningBook *book, Error *err);

#endif
