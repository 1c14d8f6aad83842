/* SPDX-License-Identifier: MIT
 * Principal variation search below the root. Private to engine/search. */
#ifndef TABIA_ENGINE_SEARCH_PVS_H
#define TABIA_ENGINE_SEARCH_PVS_H

#include "engine/search/worker.h"

/* The value of `pos` at `ply` >= 1 in the window (alpha, beta), fail-soft,
 * side to move's view. Meaningless once w->stopped is set. `cut_node`: expected to fail high. */
int search_tree(Worker *w, int ply, const Position *pos, int alpha, int beta, int depth,
                bool cut_node);

/* Plies, in 1/1024, by which the count-th move (from 1) of a node is reduced. */
int search_base_reduction(const SearchParams *params, int depth, int count);

#endif
