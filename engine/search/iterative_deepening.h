/* SPDX-License-Identifier: MIT
 * The root of the search in one thread: iterative deepening with aspiration windows. Private to
 * engine/search. */
#ifndef TABIA_ENGINE_SEARCH_ITERATIVE_DEEPENING_H
#define TABIA_ENGINE_SEARCH_ITERATIVE_DEEPENING_H

#include "engine/search/worker.h"

/* One search in one thread. */
typedef struct IterativeDeepening {
    Search *search;
    Worker *worker;
    int number; /* of the thread; 0 is the main one */
    const Position *pos;
    const KeyHistory *history; /* may be NULL */
    const SearchLimits *limits;
    bool all_moves; /* the caller excludes none of the legal moves */
    int multipv;
} IterativeDeepening;

/* Everything before the first iteration. The result is the first root move, or MOVE_NONE. */
void iterative_deepening_prepare(IterativeDeepening *run);

/* Iterates until a limit is reached or the search is stopped. The main thread reports; helpers
 * obey only the stop flag. */
void iterative_deepening_run(const IterativeDeepening *run);

/* Fills in the fields of `info` that all lines share (nodes, time, …) and reports it. */
void iterative_deepening_report(Search *search, SearchInfo info);

#endif
