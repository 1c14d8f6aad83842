/* SPDX-License-Identifier: MIT
 * The opening book's answer to `go`. Private to engine/uci. */
#ifndef TABIA_ENGINE_UCI_BOOK_H
#define TABIA_ENGINE_UCI_BOOK_H

#include "engine/uci/session.h"

/* Prints a book move as the answer to `go`. False, and no answer, if the book is off, has no move
 * for the position, or uci->limits request analysis. */
bool uci_book_answer(Uci *uci);

#endif
