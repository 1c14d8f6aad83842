/* SPDX-License-Identifier: MIT
 * The 960 starting positions of Chess960, and the 921,600 of double Chess960. */
#ifndef TABIA_ENGINE_BOARD_CHESS960_H
#define TABIA_ENGINE_BOARD_CHESS960_H

#include "engine/board/position.h"

enum { CHESS960_STARTS = 960, CHESS960_STANDARD = 518 /* the one of chess */ };

/* Sets the start with White's back rank number `white` and Black's number `black`, each from 0 to
 * 959 by Scharnagl's numbering; the same twice is Chess960, else double Chess960. All castling is
 * allowed, pos->chess960 is set. */
void chess960_start(Position *pos, int white, int black);

/* Is there a castling that a king's move of two squares cannot express? */
bool chess960_is_needed(const Position *pos);

#endif
