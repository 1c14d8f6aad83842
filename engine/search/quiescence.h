/* SPDX-License-Identifier: MIT
 * Quiescence search. Source: chessprogramming.org "Quiescence Search". Private to engine/search. */
#ifndef TABIA_ENGINE_SEARCH_QUIESCENCE_H
#define TABIA_ENGINE_SEARCH_QUIESCENCE_H

#include "engine/search/worker.h"

/* Like search_tree(), over captures and promotions (all evasions in check) until the position is
 * quiet. */
int search_quiescence(Worker *w, int ply, const Position *pos, int alpha, int beta);

#endif
