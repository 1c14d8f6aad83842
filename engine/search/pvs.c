/* SPDX-License-Identifier: MIT
 * Principal variation search below the root.
 * Sources: chessprogramming.org "Principal Variation Search", "Null Move Pruning", "Late Move
 * Reductions", "Reverse Futility Pruning", "Singular Extensions". Margins are centipawns,
 * reductions 1/1024 plies. */
#include "engine/search/pvs.h"

#include "engine/board/see.h"
#include "engine/search/node.h"
#include "engine/search/quiescence.h"
#include "engine/search/syzygy.h"

enum {
    LOG_SIZE = 64,
    PLY = 1024,             /* unit of reductions */
    CUTOFFS_MANY = 3,       /* of the reply; more of them change the reduction */
    SEARCHED_MAX = 64,      /* moves of a node kept for the history updates */
    SYZYGY_DEPTH_BONUS = 6, /* plies added to the stored depth of a Syzygy value */
    RULE50_HASH_LIMIT = 90  /* nearer to a draw, stored values of other paths are not used */
};

/* 256 ln n. Constants: the C library's logarithm may differ between machines. */
static const int16_t log_table[LOG_SIZE] = {
    0,   0,   177,  281,  355,  412,  459,  498,  532,  562,  589,  614,  636,  657,  676,  693,
    710, 725, 740,  754,  767,  779,  791,  803,  814,  824,  834,  844,  853,  862,  871,  879,
    887, 895, 903,  910,  917,  924,  931,  938,  944,  951,  957,  963,  969,  975,  980,  986,
    991, 996, 1001, 1007, 1012, 1016, 1021, 1026, 1030, 1035, 1039, 1044, 1048, 1052, 1057, 1061,
};

int search_base_reduction(const SearchParams *params, int depth, int count)
{
    int product = log_table[min_int(depth, LOG_SIZE - 1)] * log_table[min_int(count, LOG_SIZE - 1)];
    return params->lmr_base + (int)((int64_t)product * params->lmr_scale >> 16);
}

/* The Syzygy value of a node whose last move was a capture or pawn move; others are not probed. A
 * win or loss is a bound, since the search may find a mate. */
static TtHit probe_syzygy(Worker *w, int ply, const Position *pos, int depth)
{
    const int pieces = popcount(position_occupied(pos));
    TtHit known = {.bound = BOUND_NONE};

    if (pieces > w->syzygy.pieces ||
        (pieces == w->syzygy.pieces && depth < w->syzygy.probe_depth) || pos->rule50 != 0 ||
        worker_frame(w, ply)[-1].move == MOVE_NONE)
        return known;
    SyzygyResult result = syzygy_probe(pos);
    if (result == SYZYGY_UNKNOWN) return known;
    w->tb_hits++;
    known.found = true;
    known.value = syzygy_value(result, w->syzygy.rule50, ply);
    known.bound = !is_proven(known.value) ? BOUND_EXACT
                  : known.value > 0       ? BOUND_LOWER
                                          : BOUND_UPPER;
    return known;
}

/* ---- Histories */

static int history_bonus(const SearchParams *p, int depth)
{
    int bonus = p->bonus_square * depth * depth + p->bonus_scale * depth + p->bonus_offset;
    return min_int(bonus, p->bonus_most);
}

static void update_continuations(Frame *f, const Position *pos, Move m, int bonus)
{
    int piece = pos->board[move_from(m)], to = move_to(m);

    for (int i = 0; i < CONTINUATIONS; i++)
        history_update(&f[-continuation_back[i]].continuation->value[piece][to], bonus);
}

/* `best` failed high; the `count` moves searched before it did not. */
static void update_histories(Worker *w, int ply, const Position *pos, Move best,
                             const Move *searched, int count, int depth)
{
    Frame *f = worker_frame(w, ply);
    Histories *h = &w->histories;
    int bonus = history_bonus(w->params, depth), malus = bonus * w->params->malus_scale / 1024;
    bool quiet = !move_is_noisy(best);

    if (quiet) {
        for (int i = 0; i < CONTINUATIONS; i++)
            history_change(h, f[-continuation_back[i]].continuation);
        if (f->killers[0] != best) {
            f->killers[1] = f->killers[0];
            f->killers[0] = best;
        }
        history_update(history_quiet(h, position_stm(pos), best), bonus);
        update_continuations(f, pos, best, bonus);
    } else {
        history_update(history_capture(h, pos, best), bonus);
    }
    for (int i = 0; i < count; i++) {
        Move m = searched[i];
        if (move_is_noisy(m)) {
            history_update(history_capture(h, pos, m), -malus);
        } else if (quiet) {
            history_update(history_quiet(h, position_stm(pos), m), -malus);
            update_continuations(f, pos, m, -malus);
        } else {
            history_update(history_quiet(h, position_stm(pos), m),
                           -malus * w->params->quiet_malus / 1024);
        }
    }
}

/* The quiet move that led here, or MOVE_NONE. */
static Move prior_quiet_move(Worker *w, int ply)
{
    Move m = worker_frame(w, ply)[-1].move;
    return m != MOVE_NONE && move_is_noisy(m) ? MOVE_NONE : m;
}

/* History bonus for the prior quiet move: no move here failed high. */
static void update_prior_history(Worker *w, int ply, const Position *pos, int depth)
{
    Histories *h = &w->histories;
    const SearchParams *p = w->params;
    const Frame *f = worker_frame(w, ply) - 1;
    Move m = prior_quiet_move(w, ply);
    int bonus = history_bonus(p, depth);

    if (m == MOVE_NONE) return;
    history_update(history_quiet(h, opponent(position_stm(pos)), m), bonus * p->reply_bonus / 1024);
    int reply = (int)(f->continuation - &h->continuation[0][0]);
    history_change(h, f[-1].continuation);
    history_update(&f[-1].continuation->value[reply / SQUARES][reply % SQUARES],
                   bonus * p->reply_continuation / 1024);
}

/* History bonus or malus for the prior quiet move by the change of the evaluation. */
static void update_eval_history(Worker *w, int ply, const Position *pos)
{
    const Frame *f = worker_frame(w, ply);
    const SearchParams *p = w->params;
    Move m = prior_quiet_move(w, ply);

    if (m == MOVE_NONE || ply < 2 || f[-1].eval == VALUE_NONE) return;
    int bonus = -(f[-1].eval + f->eval) * p->eval_bonus / 8;
    bonus = max_int(min_int(bonus, p->bonus_most), -p->bonus_most);
    history_update(history_quiet(&w->histories, opponent(position_stm(pos)), m), bonus);
}

/* ---- The tree */

static bool has_pieces(const Position *pos)
{
    return (pos->by_color[pos->stm] & ~(pos->by_type[PAWN] | pos->by_type[KING])) != 0;
}

/* Null move pruning: if passing fails high, a move would too. Else VALUE_NONE. */
static int null_move(Worker *w, int ply, const Position *pos, int eval, int beta, int depth,
                     bool cut_node)
{
    Frame *f = worker_frame(w, ply);
    const SearchParams *p = w->params;
    Position next;
    int reduction = (p->null_base + depth * p->null_depth_scale) / PLY +
                    min_int((eval - beta) / p->null_eval_divisor, 3);

    f->move = MOVE_NONE;
    f->continuation = &w->histories.continuation[NO_PIECE][0];
    position_make_null(&next, pos);
    next.rule50 = 0; /* no repetition reaches over a null move */
    if (uses_shared_hash(w, depth - reduction)) tt_prefetch(w->tt, next.key);
    worker_enter(w, ply + 1, &next);
    int value = -search_tree(w, ply + 1, &next, -beta, -beta + 1, depth - reduction, !cut_node);
    if (w->stopped || value < beta) return VALUE_NONE;
    if (is_proven(value)) value = beta; /* not a proven mate */
    if (depth < p->null_verify_depth || w->null_min_ply > 0) return value;

    /* In zugzwang passing is better than any move, so a search without null moves verifies. */
    w->null_min_ply = ply + 3 * (depth - reduction) / 4;
    int verified = search_tree(w, ply, pos, beta - 1, beta, depth - reduction, false);
    w->null_min_ply = 0;
    return !w->stopped && verified >= beta ? value : VALUE_NONE;
}

/* The state of a node while its moves are searched. */
typedef struct Node {
    bool pv, in_check, improving, cut_node;
    bool was_pv; /* now, or in an earlier search */
    int depth;
    int eval;      /* static evaluation refined by the hash value; VALUE_NONE in check */
    Move excluded; /* by a singular search above */
    TtHit hit;
} Node;

static void evaluate_node(Worker *w, int ply, const Position *pos, Node *node)
{
    Frame *f = worker_frame(w, ply);

    node->improving = false;
    node->eval = f->eval = VALUE_NONE;
    if (node->in_check) return;
    f->eval = corrected_eval(w, ply, pos);
    node->eval = refine_eval(f->eval, &node->hit);
    int earlier = f[-2].eval != VALUE_NONE ? f[-2].eval : f[-4].eval;
    node->improving = earlier == VALUE_NONE || f->eval > earlier;
    if (node->excluded == MOVE_NONE) update_eval_history(w, ply, pos);
}

static bool may_probcut(const SearchParams *p, const Node *node, int beta)
{
    bool unlikely = node->hit.found && node->hit.depth >= node->depth - 3 &&
                    node->hit.value < beta + p->probcut_margin;
    return node->depth >= p->probcut_depth && !is_proven(beta) && !unlikely;
}

/* A capture that a shallow search finds far above beta very likely fails high. VALUE_NONE if there
 * is none. Source: chessprogramming.org "ProbCut". */
static int probcut(Worker *w, int ply, const Position *pos, const Node *node, int beta)
{
    const int goal = beta + w->params->probcut_margin, depth = node->depth - 4;
    MovePicker picker;
    Position next;
    Move m;

    movepick_init_noisy(&picker, pos, &w->histories, node->hit.move);
    while ((m = movepick_next(&picker)) != MOVE_NONE) {
        if (!see_at_least(pos, m, goal - worker_frame(w, ply)->eval)) continue;
        worker_make(w, ply, pos, m, &next);
        int value = -search_quiescence(w, ply + 1, &next, -goal, -goal + 1);
        if (!w->stopped && value >= goal)
            value = -search_tree(w, ply + 1, &next, -goal, -goal + 1, depth, !node->cut_node);
        if (w->stopped) return VALUE_NONE;
        if (value < goal) continue;
        store_hash(w, ply, pos, depth + 1, value, BOUND_LOWER, node->was_pv, m);
        return value;
    }
    return VALUE_NONE;
}

/* A value for the whole node from its evaluation, or nearly so; or VALUE_NONE. */
static int prune_by_eval(Worker *w, int ply, const Position *pos, const Node *node, int alpha,
                         int beta)
{
    const Frame *f = worker_frame(w, ply);
    const SearchParams *p = w->params;
    const int depth = node->depth, eval = node->eval;

    /* Razoring: far below alpha, only captures could help. */
    if (depth <= p->razor_depth && eval + p->razor_margin * depth < alpha) {
        int value = search_quiescence(w, ply, pos, alpha, alpha + 1);
        if (w->stopped || value <= alpha) return value;
    }
    if (is_proven(beta) || eval < beta) return VALUE_NONE;
    /* Reverse futility: so far above beta that no quiet reply will bring it down. */
    if (depth <= p->rfp_depth && eval - p->rfp_margin * (depth - node->improving) >= beta)
        return beta + (eval - beta) / 3;
    if (depth >= p->null_depth && f->eval + p->null_slope * depth >= beta + p->null_margin &&
        f[-1].move != MOVE_NONE && ply >= w->null_min_ply && has_pieces(pos))
        return null_move(w, ply, pos, eval, beta, depth, node->cut_node);
    return VALUE_NONE;
}

/* A value for the whole node without trying all its moves, or VALUE_NONE. */
static int prune_node(Worker *w, int ply, const Position *pos, const Node *node, int alpha,
                      int beta)
{
    int value = prune_by_eval(w, ply, pos, node, alpha, beta);

    if (w->stopped || value != VALUE_NONE) return value;
    return may_probcut(w->params, node, beta) ? probcut(w, ply, pos, node, beta) : VALUE_NONE;
}

/* Is a capture or promotion pruned because it gains too little or loses too much? */
static bool prune_noisy(const SearchParams *p, const Position *pos, const Node *node,
                        const MovePicker *picker, Move m, int alpha)
{
    const int depth = node->depth;

    if (!node->in_check && depth <= p->noisy_futility_depth && !move_is_promotion(m)) {
        int most = node->eval + see_value[noisy_victim(pos, m)];
        if (most + p->noisy_futility_margin * (depth + 1) <= alpha) return true;
    }
    return depth <= p->see_noisy_depth && picker->stage == PICK_BAD_NOISY &&
           !see_at_least(pos, m, -p->see_noisy_margin * depth);
}

/* Is the move pruned before it is searched? Requires a searched move that avoids mate. Late move
 * and futility pruning also restrict the picker's quiet moves to checks. */
static bool prune_move(const SearchParams *p, const Position *pos, const Node *node,
                       MovePicker *picker, Move m, int history, int count, int alpha)
{
    int depth = node->depth;

    if (move_is_noisy(m)) return prune_noisy(p, pos, node, picker, m, alpha);

    int reduced = max_int(depth - search_base_reduction(p, depth, count) / PLY, 1);
    if (picker->quiets == QUIETS_ALL) {
        bool late =
            count >= (p->lmp_base + depth * depth * p->lmp_scale / 1024) / (2 - node->improving);
        bool futile = !node->in_check && reduced <= p->futility_depth &&
                      node->eval + p->futility_base + p->futility_margin * reduced <= alpha;
        if (late || futile) {
            picker->quiets = QUIETS_CHECKS;
            if (!checks_may_give(&picker->checks, pos, m) || !movegen_gives_check(pos, m))
                return true;
        }
        if (reduced <= p->history_depth && history < -p->history_margin * depth) return true;
    }
    return reduced <= p->see_quiet_depth &&
           !see_at_least(pos, m, -p->see_quiet_margin * reduced * reduced);
}

/* Searches without the hash move, to test whether it is the only good move. Returns the extension
 * in plies; sets *cutoff to a value at or above beta if several moves fail high. */
static int singular_extension(Worker *w, int ply, const Position *pos, const Node *node, int beta,
                              int *cutoff)
{
    Frame *f = worker_frame(w, ply);
    int singular_beta = node->hit.value - w->params->singular_margin * node->depth / 64;

    f->excluded = node->hit.move;
    int value = search_tree(w, ply, pos, singular_beta - 1, singular_beta, (node->depth - 1) / 2,
                            node->cut_node);
    f->excluded = MOVE_NONE;
    if (w->stopped) return 0;
    if (value < singular_beta)
        return !node->pv && value < singular_beta - w->params->double_margin ? 2 : 1;
    if (singular_beta >= beta) *cutoff = singular_beta;
    return node->hit.value >= beta ? -1 : 0;
}

static bool may_be_singular(const Worker *w, int ply, const Node *node, Move m)
{
    const TtHit *hit = &node->hit;
    return m == hit->move && node->depth >= w->params->singular_depth &&
           node->excluded == MOVE_NONE && hit->found && hit->bound != BOUND_UPPER &&
           hit->depth >= node->depth - 3 && !is_proven(hit->value) && ply < 2 * w->root_depth;
}

/* Plies to search less than full depth, for the count-th move. */
static int late_move_reduction(const SearchParams *p, const Frame *f, const Node *node,
                               const Position *next, Move m, int history, int count)
{
    const bool killer = m == f->killers[0] || m == f->killers[1];
    int r = search_base_reduction(p, node->depth, count);

    r -= history * PLY / (move_is_noisy(m) ? p->lmr_capture_history : p->lmr_history);
    if (!node->was_pv) r += p->lmr_not_was_pv;
    if (node->pv) r -= p->lmr_pv;
    if (node->cut_node) r += p->lmr_cut_node;
    if (!node->improving) r += p->lmr_not_improving;
    if (killer) r -= p->lmr_killer;
    if (f[1].cutoffs > CUTOFFS_MANY) r += p->lmr_cutoffs;
    if (position_in_check(next)) r -= p->lmr_check;
    if (node->hit.move != MOVE_NONE && move_is_noisy(node->hit.move)) r += p->lmr_hash_noisy;
    return r / PLY;
}

/* The value of the count-th move m, which led to `next`. Moves after the first get a null window,
 * with a reduced depth first. */
static int move_value(Worker *w, int ply, const Position *next, const Node *node, Move m, int alpha,
                      int beta, int full, int history, int count)
{
    int value = -VALUE_INFINITE;
    bool full_null_window = !node->pv || count > 1;

    if (node->depth >= 2 && count > 1 + node->pv) {
        int reduction =
            late_move_reduction(w->params, worker_frame(w, ply), node, next, m, history, count);
        /* Helpers search a narrower tree, so they are ahead: the main thread finds their moves. */
        if (w->helped) reduction++;
        int reduced = max_int(1, min_int(full - reduction, full));
        value = -search_tree(w, ply + 1, next, -alpha - 1, -alpha, reduced, true);
        full_null_window = value > alpha && reduced < full;
    }
    if (full_null_window)
        value = -search_tree(w, ply + 1, next, -alpha - 1, -alpha, full, !node->cut_node);
    if (node->pv && (count == 1 || value > alpha))
        value = -search_tree(w, ply + 1, next, -beta, -alpha, full, false);
    return value;
}

static int move_history(Worker *w, int ply, const Position *pos, Move m)
{
    Histories *h = &w->histories;
    const Frame *f = worker_frame(w, ply);
    int piece = pos->board[move_from(m)], to = move_to(m);

    if (move_is_noisy(m)) return *history_capture(h, pos, m);
    return *history_quiet(h, position_stm(pos), m) + f[-1].continuation->value[piece][to] +
           f[-2].continuation->value[piece][to];
}

/* Stores the node's result in the hash tables and updates the correction histories. */
static void store_node(Worker *w, int ply, const Position *pos, const Node *node, int best,
                       Bound bound, Move best_move)
{
    int eval = worker_frame(w, ply)->eval;

    store_hash(w, ply, pos, node->depth, best, bound, node->was_pv, best_move);
    if (node->in_check || is_proven(best)) return;
    /* After a capture the difference is tactical; a bound on the wrong side gives no difference. */
    if (best_move != MOVE_NONE && move_is_noisy(best_move)) return;
    if ((bound == BOUND_LOWER && best <= eval) || (bound == BOUND_UPPER && best >= eval)) return;
    Corrections corrections = find_corrections(w, ply, pos);
    correction_update(&corrections, node->depth, best - eval);
}

int search_tree(Worker *w, int ply, const Position *pos, int alpha, int beta, int depth,
                bool cut_node)
{
    if (depth <= 0) return search_quiescence(w, ply, pos, alpha, beta);

    Frame *f = worker_frame(w, ply);
    Node node = {.pv = beta - alpha > 1,
                 .in_check = position_in_check(pos),
                 .cut_node = cut_node,
                 .depth = depth,
                 .excluded = f->excluded};
    int best = enter_node(w, ply, pos, node.pv);
    if (best != VALUE_NONE) return best;
    /* Mate distance: no line from here can beat a shorter mate already found. */
    alpha = max_int(alpha, -VALUE_MATE + ply);
    beta = min_int(beta, VALUE_MATE - ply - 1);
    if (alpha >= beta) return alpha;

    node.hit = probe_hash(w, ply, pos, depth);
    if (node.excluded != MOVE_NONE) node.hit.found = false;
    if (node.hit.found && !node.pv && node.hit.depth >= depth && pos->rule50 < RULE50_HASH_LIMIT &&
        hash_decides(&node.hit, alpha, beta))
        return node.hit.value;
    node.was_pv = node.pv || (node.hit.found && node.hit.pv);

    /* Syzygy: the value, or a lower or upper bound of it. */
    int floor = -VALUE_INFINITE, ceiling = VALUE_INFINITE;
    if (w->syzygy.pieces > 0 && node.excluded == MOVE_NONE) {
        TtHit known = probe_syzygy(w, ply, pos, depth);
        if (known.found && hash_decides(&known, alpha, beta)) {
            store_hash(w, ply, pos, min_int(depth + SYZYGY_DEPTH_BONUS, MAX_PLY - 1), known.value,
                       known.bound, node.was_pv, MOVE_NONE);
            return known.value;
        }
        if (known.bound == BOUND_LOWER) floor = known.value;
        if (known.bound == BOUND_UPPER) ceiling = known.value;
        alpha = max_int(alpha, floor);
    }

    evaluate_node(w, ply, pos, &node);
    f[1].killers[0] = f[1].killers[1] = MOVE_NONE;
    f[2].cutoffs = 0;
    if (!node.pv && !node.in_check && node.excluded == MOVE_NONE) {
        int value = prune_node(w, ply, pos, &node, alpha, beta);
        if (w->stopped) return 0;
        if (value != VALUE_NONE) return value;
    }
    /* Internal iterative reduction: a shallower search finds the missing hash move at less cost. */
    if (depth >= w->params->iir_depth && node.hit.move == MOVE_NONE && (node.pv || cut_node))
        node.depth = --depth;

    const Continuation *continuation[CONTINUATIONS];
    MovePicker picker;
    frame_continuations(f, continuation);
    const Tt *ahead = uses_shared_hash(w, depth - 1) ? w->tt : NULL;
    movepick_init(&picker, pos, &w->histories, continuation, ahead, node.hit.move, f->killers);
    node.hit.move = picker.hash_move; /* tested */

    const int original_alpha = alpha;
    const bool may_prune = has_pieces(pos);
    int count = 0, searched_count = 0;
    Move searched[SEARCHED_MAX], best_move = MOVE_NONE, m;
    Position next;
    best = floor;
    while ((m = movepick_next(&picker)) != MOVE_NONE) {
        if (m == node.excluded) continue;
        count++;
        const int history = move_history(w, ply, pos, m);
        if (may_prune && best > -VALUE_MATE_IN_MAX &&
            prune_move(w->params, pos, &node, &picker, m, history, count, alpha))
            continue;

        int extension = 0, cutoff = VALUE_NONE;
        if (may_be_singular(w, ply, &node, m)) {
            extension = singular_extension(w, ply, pos, &node, beta, &cutoff);
            if (w->stopped) return 0;
            if (cutoff != VALUE_NONE) return cutoff;
        }

        worker_make_with(w, ply, pos, m, &picker.checks, &next);
        int value =
            move_value(w, ply, &next, &node, m, alpha, beta, depth - 1 + extension, history, count);
        if (w->stopped) return 0;

        if (value > best) best = value;
        if (value > alpha) {
            alpha = value;
            best_move = m;
            if (node.pv) worker_update_pv(w, ply, m);
            if (value >= beta) {
                f->cutoffs++;
                update_histories(w, ply, pos, m, searched, searched_count, depth);
                break;
            }
        }
        if (searched_count < SEARCHED_MAX) searched[searched_count++] = m;
    }

    if (node.excluded != MOVE_NONE) return count > 0 ? best : alpha;
    if (best <= original_alpha && count > 0) update_prior_history(w, ply, pos, depth);
    if (count == 0) return node.in_check ? -VALUE_MATE + ply : VALUE_DRAW;
    best = min_int(best, ceiling);
    if (!node.pv && best >= beta) best = soften_fail_high(best, beta, w->params->blend);
    store_node(w, ply, pos, &node, best, bound_of(best, original_alpha, beta), best_move);
    return best;
}
