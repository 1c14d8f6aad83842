/* SPDX-License-Identifier: MIT
 * The references: minimax, and the steps from it to principal variation search with quiescence.
 * After each move the counter of the fifty-move rule starts anew, so no draw by repetition or by
 * that rule is found. A value then depends on the position and the depth, not on the moves before
 * it, and a hash table may return it on any path (chessprogramming.org "Graph History
 * Interaction"). */
#include <stdlib.h>
#include <string.h>

#include "engine/search/node.h"

enum { HASH_ENTRIES = 1 << 18 };

/* With its whole key: no position is mistaken for another. */
typedef struct Entry {
    uint64_t key;
    TtHit hit; /* mates counted from the position; depth -1: empty */
} Entry;

typedef struct Reference {
    Worker *worker;
    SearchStep step;
    Entry *table; /* owned, HASH_ENTRIES; NULL: none */
} Reference;

/* Plies to add to a value so that a mate counts from the position at `ply`, not from the root. */
static int mate_plies(int value, int ply)
{
    return value >= VALUE_MATE_IN_MAX ? ply : value <= -VALUE_MATE_IN_MAX ? -ply : 0;
}

/* In the generator's order, or with the best ones probably first. `noisy`: captures and promotions
 * that lose nothing. */
static void list_moves(const Reference *r, int ply, const Position *pos, bool noisy, Move hash_move,
                       MoveList *list)
{
    const Continuation *continuation[CONTINUATIONS];
    const Frame *f = worker_frame(r->worker, ply);
    MovePicker picker;
    Move m;

    if (r->step < SEARCH_ORDERING) {
        movegen_all(pos, list);
        return;
    }
    frame_continuations(f, continuation);
    if (noisy)
        movepick_init_noisy(&picker, pos, &r->worker->histories, MOVE_NONE);
    else
        movepick_init(&picker, pos, &r->worker->histories, continuation, NULL, hash_move,
                      f->killers);
    list->count = 0;
    while ((m = movepick_next(&picker)) != MOVE_NONE)
        list->moves[list->count++] = m;
}

/* A quiet move failed high: killer move and history heuristic. */
static void reward_quiet(Worker *w, int ply, const Position *pos, Move m, int depth)
{
    Frame *f = worker_frame(w, ply);

    if (f->killers[0] != m) {
        f->killers[1] = f->killers[0];
        f->killers[0] = m;
    }
    history_update(history_quiet(&w->histories, position_stm(pos), m), depth * depth);
}

/* Fail-soft. Minimax is the case in which alpha and beta stay infinite. Quiescence, at depth 0 or
 * below, may stand pat out of check and searches noisy moves, in check all. */
static int search_node(const Reference *r, int ply, const Position *pos, int alpha, int beta,
                       int depth)
{
    Worker *w = r->worker;
    Entry *entry = r->table && depth > 0 ? &r->table[pos->key % HASH_ENTRIES] : NULL;
    const bool noisy = depth <= 0 && !position_in_check(pos);
    const int original_alpha = alpha;
    Move best_move = MOVE_NONE;
    MoveList list;
    Position next;

    int best = enter_node(w, ply, pos, false);
    if (best != VALUE_NONE) return best;
    if (depth == 0 && r->step < SEARCH_QUIESCENCE) return corrected_eval(w, ply, pos);
    best = noisy ? corrected_eval(w, ply, pos) : -VALUE_INFINITE;
    if (best >= beta) return best;
    alpha = max_int(alpha, best);
    if (entry && entry->key == pos->key) {
        TtHit hit = entry->hit;
        hit.value -= mate_plies(hit.value, ply);
        if (hit.depth == depth && hash_decides(&hit, alpha, beta)) return hit.value;
        best_move = hit.move;
    }
    list_moves(r, ply, pos, noisy, best_move, &list);
    if (list.count == 0 && !noisy) return position_in_check(pos) ? -VALUE_MATE + ply : VALUE_DRAW;

    for (int i = 0; i < list.count && alpha < beta; i++) {
        const bool scout = r->step >= SEARCH_PVS && i > 0 && depth > 0;
        int value = alpha;
        worker_make(w, ply, pos, list.moves[i], &next);
        next.rule50 = 0;
        if (scout) value = -search_node(r, ply + 1, &next, -alpha - 1, -alpha, depth - 1);
        if (!scout || (value > alpha && value < beta))
            value = -search_node(r, ply + 1, &next, -beta, -alpha, depth - 1);
        if (w->stopped) return 0;
        if (value <= best) continue;
        best = value;
        if (value <= alpha || r->step == SEARCH_MINIMAX) continue;
        alpha = value;
        best_move = list.moves[i];
    }
    if (depth > 0 && best >= beta && !move_is_noisy(best_move))
        reward_quiet(w, ply, pos, best_move, depth);
    if (entry)
        *entry = (Entry){pos->key,
                         {.bound = bound_of(best, original_alpha, beta),
                          .depth = depth,
                          .value = best + mate_plies(best, ply),
                          .move = best_move}};
    return best;
}

Status search_reference(SearchStep step, const Position *pos, const Evaluation *evaluation,
                        const SearchLimits *limits, SearchResult *result, Error *err)
{
    Search *search = search_create(evaluation, 1, err);
    Reference r = {.step = step};
    Position root = *pos;
    int value = VALUE_NONE;

    if (!search) return STATUS_FAILED;
    if (step >= SEARCH_HASH) r.table = malloc(HASH_ENTRIES * sizeof *r.table);
    if (step >= SEARCH_HASH && !r.table) {
        search_destroy(search);
        return error_set(err, STATUS_FAILED, "out of memory for a hash table");
    }
    /* Before the clock starts, since the first access to new memory takes long. */
    for (int i = 0; r.table && i < HASH_ENTRIES; i++)
        r.table[i] = (Entry){.hit.depth = -1};
    Worker *w = r.worker = &search->worker;
    worker_refresh_psq(w, &root);
    root.rule50 = 0;
    worker_start(w, &root, NULL);
    if (limits->nodes_hard > 0) w->nodes_hard = limits->nodes_hard;
    w->control->interrupted = limits->interrupted;
    atomic_store(&search->control.start_ms, clock_ms());
    for (int d = step < SEARCH_DEEPENING ? limits->depth : 1; d <= limits->depth; d++)
        value = search_node(&r, 0, &root, -VALUE_INFINITE, VALUE_INFINITE, d);

    memset(result, 0, sizeof *result);
    result->nodes = w->nodes;
    result->time_ms = search_elapsed_ms(search);
    result->score = w->stopped ? VALUE_NONE : value;
    result->depth = w->stopped ? 0 : limits->depth;
    free(r.table);
    search_destroy(search);
    return STATUS_OK;
}
