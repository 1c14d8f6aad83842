/* SPDX-License-Identifier: MIT
 * What the readers of opening books share. */
#ifndef TABIA_SELFPLAY_OPENINGS_INTERNAL_H
#define TABIA_SELFPLAY_OPENINGS_INTERNAL_H

#include "engine/board/position.h"
#include "selfplay/openings/opening.h"

/* STATUS_BAD_INPUT, without the file's name, when the game is over there or the book is full. */
MUST_CHECK Status opening_book_add(OpeningBook *book, const Position *pos, Error *err);

/* Both add to the book; contracts as of opening_book_load(). */
MUST_CHECK Status opening_book_load_pgn(const char *path, int plies, OpeningBook *book, Error *err);
MUST_CHECK Status opening_book_load_polyglot(const char *path, const OpeningChoice *choice,
                                             OpeningBook *book, Error *err);

#endif
