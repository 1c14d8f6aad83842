/* SPDX-License-Identifier: MIT
 * The choice among the threads' results: a vote weighted by depth and score.
 * Source: chessprogramming.org "Lazy SMP"; Stockfish since 2018. */
#include "engine/search/thread_vote.h"

enum { VOTE_BASE = 14 }; /* cp: the thread with the lowest score votes too */

static bool is_proven_win(const SearchResult *r)
{
    return r->score >= VALUE_MATE_IN_MAX;
}

/* The weight of a thread's vote: its depth times its score above the lowest one. */
static int64_t voting_weight(const SearchResult *r, int lowest)
{
    return (int64_t)r->depth * (r->score - lowest + VOTE_BASE);
}

static int64_t votes_for(Search *search, Move m, int lowest)
{
    int64_t votes = 0;
    for (int i = 0; i <= search->worker.helper_count; i++) {
        const SearchResult *r = &search_worker(search, i)->result;
        if (r->best == m) votes += voting_weight(r, lowest);
    }
    return votes;
}

/* Is r preferred to `to` as the answer? */
static bool is_preferred(Search *search, const SearchResult *r, const SearchResult *to, int lowest)
{
    if (r->depth == 0) return false;
    if (is_proven_win(r) || is_proven_win(to)) return r->score > to->score;
    if (r->best == to->best) return voting_weight(r, lowest) > voting_weight(to, lowest);
    return votes_for(search, r->best, lowest) > votes_for(search, to->best, lowest);
}

const SearchResult *thread_vote(Search *search)
{
    const SearchResult *chosen = &search->worker.result;
    int lowest = VALUE_INFINITE;

    for (int i = 0; i <= search->worker.helper_count; i++) {
        const SearchResult *r = &search_worker(search, i)->result;
        if (r->depth > 0 && r->score < lowest) lowest = r->score;
    }
    for (int i = 1; i <= search->worker.helper_count; i++) {
        const SearchResult *r = &search_worker(search, i)->result;
        if (is_preferred(search, r, chosen, lowest)) chosen = r;
    }
    return chosen;
}
