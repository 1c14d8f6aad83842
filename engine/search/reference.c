/* SPDX-License-Identifier: MIT
 * The references: minimax, alpha-beta, and the main search without anything that may change its
 * value. All three give the same value. */
#include <string.h>

#include "engine/search/node.h"
#include "engine/search/pvs.h"
#include "engine/search/quiescence.h"

/* The value of a finished game or of a leaf; VALUE_NONE if the moves, in *list, must be searched.
 */
static int terminal_value(Worker *w, int ply, const Position *pos, int alpha, int beta, int depth,
                          MoveList *list)
{
    if (ply > 0 && search_is_draw(w, ply, pos)) return VALUE_DRAW;
    if (depth == 0) return search_quiescence(w, ply, pos, alpha, beta);
    movegen_all(pos, list);
    if (list->count == 0) return position_in_check(pos) ? -VALUE_MATE + ply : VALUE_DRAW;
    return VALUE_NONE;
}

/* Source: C. E. Shannon, "Programming a Computer for Playing Chess", 1950. */
static int minimax(Worker *w, int ply, const Position *pos, int depth)
{
    MoveList list;
    Position next;

    w->pv_length[ply] = 0;
    if (w->nodes >= w->check_at) worker_check_limits(w);
    if (w->stopped) return 0;
    /* The full window makes quiescence exact. */
    int best = terminal_value(w, ply, pos, -VALUE_INFINITE, VALUE_INFINITE, depth, &list);
    if (best != VALUE_NONE) return best;

    best = -VALUE_INFINITE;
    for (int i = 0; i < list.count && !w->stopped; i++) {
        worker_make(w, ply, pos, list.moves[i], &next);
        int value = -minimax(w, ply + 1, &next, depth - 1);
        if (value <= best) continue;
        best = value;
        worker_update_pv(w, ply, list.moves[i]);
    }
    return best;
}

/* Source: D. E. Knuth, R. W. Moore, "An Analysis of Alpha-Beta Pruning", 1975. Fail-soft, moves in
 * the generator's order. */
static int alphabeta(Worker *w, int ply, const Position *pos, int alpha, int beta, int depth)
{
    MoveList list;
    Position next;

    w->pv_length[ply] = 0;
    if (w->nodes >= w->check_at) worker_check_limits(w);
    if (w->stopped) return 0;
    int best = terminal_value(w, ply, pos, alpha, beta, depth, &list);
    if (best != VALUE_NONE) return best;

    best = -VALUE_INFINITE;
    for (int i = 0; i < list.count && !w->stopped; i++) {
        worker_make(w, ply, pos, list.moves[i], &next);
        int value = -alphabeta(w, ply + 1, &next, -beta, -alpha, depth - 1);
        if (value <= best) continue;
        best = value;
        if (value <= alpha) continue;
        worker_update_pv(w, ply, list.moves[i]);
        alpha = value;
        if (value >= beta) break;
    }
    return best;
}

/* Iterative deepening of the main search: hash moves of one iteration order the next. */
static int exact_pvs(Worker *w, const Position *pos, int depth)
{
    int value = 0;
    for (int d = 1; d <= depth && !w->stopped; d++)
        value = search_tree(w, 0, pos, -VALUE_INFINITE, VALUE_INFINITE, d, false);
    return value;
}

Status search_reference(SearchAlgorithm algorithm, const Position *pos,
                        const Evaluation *evaluation, const SearchLimits *limits,
                        SearchResult *result, Error *err)
{
    enum { HASH_BYTES = 1 << 22 };
    Search *search = search_create(evaluation, algorithm == SEARCH_PVS ? HASH_BYTES : 1, err);
    if (!search) return STATUS_FAILED;

    Worker *w = &search->worker;
    Position root = *pos;
    int depth = limits->depth;
    int value = VALUE_NONE;
    worker_refresh_psq(w, &root);
    worker_start(w, &root, NULL);
    w->reference = true;
    if (limits->nodes_hard > 0) w->nodes_hard = limits->nodes_hard;
    w->control->interrupted = limits->interrupted;
    atomic_store(&search->control.start_ms, clock_ms());

    switch (algorithm) {
    case SEARCH_MINIMAX:
        value = minimax(w, 0, &root, depth);
        break;
    case SEARCH_ALPHABETA:
        value = alphabeta(w, 0, &root, -VALUE_INFINITE, VALUE_INFINITE, depth);
        break;
    case SEARCH_PVS:
        value = exact_pvs(w, &root, depth);
        break;
    }

    memset(result, 0, sizeof *result);
    result->nodes = w->nodes;
    result->time_ms = clock_ms() - atomic_load(&search->control.start_ms);
    result->seldepth = w->seldepth;
    if (w->stopped) {
        result->score = VALUE_NONE;
    } else {
        result->score = value;
        result->depth = depth;
        result->pv_length = w->pv_length[0];
        memcpy(result->pv, w->pv[0], (size_t)w->pv_length[0] * sizeof(Move));
        result->best = result->pv_length > 0 ? result->pv[0] : MOVE_NONE;
        result->ponder = result->pv_length > 1 ? result->pv[1] : MOVE_NONE;
    }
    search_destroy(search);
    return STATUS_OK;
}
