/* SPDX-License-Identifier: MIT
 * What a score means in results: the chances of win, draw and loss in games of this engine against
 * itself. For the UCI option UCI_ShowWDL. */
#ifndef TABIA_ENGINE_UCI_WDL_H
#define TABIA_ENGINE_UCI_WDL_H

#include "engine/board/position.h"

/* Per mille, together 1000. */
typedef struct Wdl {
    int win, draw, loss;
} Wdl;

/* score: side to move's view, centipawns or mate value. */
Wdl wdl_of_score(int score, const Position *pos);

#endif
