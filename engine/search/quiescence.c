/* SPDX-License-Identifier: MIT
 * Quiescence search. */
#include "engine/search/quiescence.h"

#include "engine/board/see.h"
#include "engine/search/node.h"

/* Is `base` plus the value of the captured piece at most alpha? Then *best is at least this sum. */
static bool is_hopeless(const Position *pos, Move m, int base, int alpha, int *best)
{
    if (move_is_promotion(m)) return false;
    int gain = base + see_value[noisy_victim(pos, m)];
    if (gain > alpha) return false;
    *best = max_int(*best, gain);
    return true;
}

int search_quiescence(Worker *w, int ply, const Position *pos, int alpha, int beta)
{
    const bool pv = beta - alpha > 1, in_check = position_in_check(pos);
    int best = enter_node(w, ply, pos, pv);
    if (best != VALUE_NONE) return best;

    /* Stand pat, except in check, where every evasion is searched. The hash probe comes later since
     * it seldom changes this. */
    Frame *f = worker_frame(w, ply);
    const int original_alpha = alpha, blend = w->params->quiescence_blend;
    const int eval = in_check ? VALUE_NONE : corrected_eval(w, ply, pos);
    if (!in_check && eval >= beta) return soften_fail_high(eval, beta, blend);

    TtHit hit = tt_near_probe(&w->near, pos->key, ply);
    if (hit.found && !pv && hash_decides(&hit, alpha, beta)) return hit.value;

    const Continuation *continuation[CONTINUATIONS]; /* for quiet evasions */
    int base = VALUE_INFINITE;
    MovePicker picker;
    if (in_check) {
        best = -VALUE_MATE + ply;
        frame_continuations(f, continuation);
        movepick_init(&picker, pos, &w->histories, continuation, NULL, hit.move, NULL);
    } else {
        best = refine_eval(eval, &hit);
        if (best >= beta) return soften_fail_high(best, beta, blend);
        alpha = max_int(alpha, best);
        base = best + w->params->delta_margin;
        movepick_init_noisy(&picker, pos, &w->histories, hit.move);
    }

    Move best_move = MOVE_NONE, m;
    Position next;
    while ((m = movepick_next(&picker)) != MOVE_NONE) {
        if (best > -VALUE_MATE_IN_MAX) {
            /* After one evasion that avoids mate, only captures and promotions are searched. */
            picker.quiets = QUIETS_NONE;
            if (in_check ? !move_is_noisy(m) : is_hopeless(pos, m, base, alpha, &best)) continue;
        }
        worker_make_with(w, ply, pos, m, in_check ? &picker.checks : NULL, &next);
        int value = -search_quiescence(w, ply + 1, &next, -beta, -alpha);
        if (w->stopped) return 0;
        if (value <= best) continue;
        best = value;
        if (value <= alpha) continue;
        best_move = m;
        alpha = value;
        if (pv) worker_update_pv(w, ply, m);
        if (value >= beta) break;
    }
    if (best >= beta) best = soften_fail_high(best, beta, blend);
    tt_near_store(&w->near, pos->key, ply, 0, best, bound_of(best, original_alpha, beta),
                  hit.pv || pv, best_move);
    return best;
}
