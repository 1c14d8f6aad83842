/* SPDX-License-Identifier: MIT
 * What nodes of the main search and of quiescence share: entering, draws, evaluation, hash bounds.
 * Private to engine/search. */
#ifndef TABIA_ENGINE_SEARCH_NODE_H
#define TABIA_ENGINE_SEARCH_NODE_H

#include "engine/search/worker.h"

static inline int min_int(int a, int b)
{
    return a < b ? a : b;
}

static inline int max_int(int a, int b)
{
    return a > b ? a : b;
}

/* A mate, or a win or loss by Syzygy; not an evaluation. */
static inline bool is_proven(int value)
{
    return value >= VALUE_TB_WIN_IN_MAX || value <= -VALUE_TB_WIN_IN_MAX;
}

/* Does the hash bound allow a cut-off in this window? */
static inline bool hash_decides(const TtHit *hit, int alpha, int beta)
{
    return hit->bound == BOUND_EXACT || (hit->bound == BOUND_LOWER && hit->value >= beta) ||
           (hit->bound == BOUND_UPPER && hit->value <= alpha);
}

static inline Bound bound_of(int value, int alpha, int beta)
{
    return value >= beta ? BOUND_LOWER : value > alpha ? BOUND_EXACT : BOUND_UPPER;
}

/* The static evaluation, or the hash value if its bound shows the evaluation to be too low or too
 * high. */
static inline int refine_eval(int eval, const TtHit *hit)
{
    if (!hit->found || is_proven(hit->value)) return eval;
    bool closer = hit->bound == BOUND_EXACT || (hit->bound == BOUND_LOWER) == (hit->value > eval);
    return closer ? hit->value : eval;
}

/* A value at or above beta, moved towards beta by part/64 of the difference: the search does not
 * verify by how much a value exceeds beta. */
static inline int soften_fail_high(int value, int beta, int part)
{
    return is_proven(value) ? value : value - (value - beta) * part / 64;
}

/* Is a node of this depth stored in the shared hash table? Shallower ones are only in the thread's
 * own table. */
static inline bool uses_shared_hash(const Worker *w, int depth)
{
    return depth >= w->params->shared_depth;
}

/* Probes the hash tables for the node at `ply`, searched to `depth`. */
static inline TtHit probe_hash(const Worker *w, int ply, const Position *pos, int depth)
{
    if (uses_shared_hash(w, depth)) {
        TtHit hit = tt_probe(w->tt, pos->key, ply);
        if (hit.found) return hit;
    }
    return tt_near_probe(&w->near, pos->key, ply);
}

/* Stores a result in the hash tables. */
static inline void store_hash(Worker *w, int ply, const Position *pos, int depth, int value,
                              Bound bound, bool pv, Move move)
{
    if (uses_shared_hash(w, depth)) {
        tt_log_store(&w->log, w->tt, pos->key);
        tt_store(w->tt, pos->key, ply, depth, value, bound, pv, move);
    }
    tt_near_store(&w->near, pos->key, ply, depth, value, bound, pv, move);
}

/* The correction history entries for the position at `ply`. */
static inline Corrections find_corrections(Worker *w, int ply, const Position *pos)
{
    const Frame *f = worker_frame(w, ply);
    return correction_find(&w->histories, pos, f[-1].continuation, f[-2].continuation);
}

/* The static evaluation plus the correction histories; centipawns, side to move's view, never a
 * proven value. */
int corrected_eval(Worker *w, int ply, const Position *pos);

/* The value of a node that needs no search (limits, draws, maximum ply), or VALUE_NONE. Meaningless
 * once w->stopped is set. */
int enter_node(Worker *w, int ply, const Position *pos, bool pv);

#endif
