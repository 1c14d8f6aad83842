/* SPDX-License-Identifier: MIT
 * Real Syzygy tables for tests. No package contains any, so they are computed. */
#ifndef TABIA_TESTS_SUPPORT_SUPPORT_SYZYGY_H
#define TABIA_TESTS_SUPPORT_SUPPORT_SYZYGY_H

#include "engine/board/types.h"

/* Writes KPvK, KNvK, KBvK, KRvK and KQvK, results (.rtbw) and distances (.rtbz), into the folder.
 * longest_plies[man]: the most plies that a win takes to mate or, with a pawn, to the pawn's next
 * move. bitboard_init() comes first. False, with a line on standard error, if writing fails. */
bool support_make_syzygy(const char *folder, int longest_plies[KING]);

#endif
