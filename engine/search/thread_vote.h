/* SPDX-License-Identifier: MIT
 * The choice among the threads' results. Private to engine/search. */
#ifndef TABIA_ENGINE_SEARCH_THREAD_VOTE_H
#define TABIA_ENGINE_SEARCH_THREAD_VOTE_H

#include "engine/search/worker.h"

/* The result of the finished search: the move with most votes, from the thread with the most
 * confident result for it, or the shortest mate found. Ties go to thread 0. Borrowed. */
const SearchResult *thread_vote(Search *search);

#endif
