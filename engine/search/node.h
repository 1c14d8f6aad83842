/* SPDX-License-Identifier: MIT
 * What the nodes of the tree and of quiescence have in common: entering, evaluating, hash bounds.
 * For the files of the search alone. */
#ifndef TABIA_ENGINE_SEARCH_NODE_H
#define TABIA_ENGINE_SEARCH_NODE_H

#include "engine/search/internal.h"

static inline int min_int(int a, int b)
{
    return a < b ? a : b;
}

static inline int max_int(int a, int b)
{
    return a > b ? a : b;
}

/* Mate, or won or lost by the tables: no evaluation. */
static inline bool is_proven(int value)
{
    return value >= VALUE_TB_WIN_IN_MAX || value <= -VALUE_TB_WIN_IN_MAX;
}

/* Does the table's bound decide this window? */
static inline bool hash_decides(const TtHit *hit, int alpha, int beta)
{
    return hit->bound == BOUND_EXACT || (hit->bound == BOUND_LOWER && hit->value >= beta) ||
           (hit->bound == BOUND_UPPER && hit->value <= alpha);
}

static inline Bound bound_of(int value, int alpha, int beta)
{
    return value >= beta ? BOUND_LOWER : value > alpha ? BOUND_EXACT : BOUND_UPPER;
}

/* Better than the static evaluation where the hash table has seen the position: a bound on the
 * other side of it. */
static inline int refine_eval(int eval, const TtHit *hit)
{
    if (!hit->found || is_proven(hit->value)) return eval;
    bool closer = hit->bound == BOUND_EXACT || (hit->bound == BOUND_LOWER) == (hit->value > eval);
    return closer ? hit->value : eval;
}

/* A value at or above beta, brought nearer to it by so many 64ths: what was found beyond beta was
 * not looked for, and counts in part. */
static inline int soften_fail_high(int value, int beta, int part)
{
    return is_proven(value) ? value : value - (value - beta) * part / 64;
}

/* Will a node of that depth be looked up in the table that all threads share? Shallow ones are kept
 * by the thread alone. */
static inline bool uses_shared_hash(const Worker *w, int depth)
{
    return depth >= w->params->shared_depth;
}

/* What the tables know of the node at `ply`, searched to `depth`. */
static inline TtHit probe_hash(const Worker *w, int ply, const Position *pos, int depth)
{
    if (uses_shared_hash(w, depth)) {
        TtHit hit = tt_probe(w->tt, pos->key, ply);
        if (hit.found) return hit;
    }
    return tt_near_probe(&w->near, pos->key, ply);
}

/* Hands a result to the tables. */
static inline void store_hash(Worker *w, int ply, const Position *pos, int depth, int value,
                              Bound bound, bool pv, Move move)
{
    if (uses_shared_hash(w, depth)) tt_store(w->tt, pos->key, ply, depth, value, bound, pv, move);
    tt_near_store(&w->near, pos->key, ply, depth, value, bound, pv, move);
}

/* The entries of the correction histories that concern the position at `ply`. */
static inline Corrections find_corrections(Worker *w, int ply, const Position *pos)
{
    const Frame *f = worker_frame(w, ply);
    return correction_find(&w->histories, pos, f[-1].continuation, f[-2].continuation);
}

/* The static evaluation, and what searches of such positions have found beyond it; centipawns,
 * side to move's view, below every proven value. */
int corrected_eval(Worker *w, int ply, const Position *pos);

/* The value of a node where the search ends at once: limits, draws, the end of the stack (a stopped
 * search's value means nothing); VALUE_NONE where it goes on. */
int enter_node(Worker *w, int ply, const Position *pos, bool pv);

#endif
