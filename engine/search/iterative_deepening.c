/* SPDX-License-Identifier: MIT
 * Root moves, aspiration windows and iterative deepening in one thread. */
#include "engine/search/iterative_deepening.h"

#include "engine/search/node.h"
#include "engine/search/pvs.h"
#include "engine/search/syzygy.h"

enum {
    ASPIRATION_DEPTH = 4,
    ASPIRATION_WIDEST = 600 /* centipawns; beyond, the window is full */
};

/* ---- The root */

static bool is_wanted(const SearchLimits *limits, Move m)
{
    if (!limits->root_moves) return true;
    for (int i = 0; i < limits->root_move_count; i++)
        if (limits->root_moves[i] == m) return true;
    return false;
}

/* Moves root move i to place `front`; those between move down by one. */
static void bring_forward(Worker *w, int i, int front)
{
    RootMove taken = w->root[i];
    memmove(&w->root[front + 1], &w->root[front], (size_t)(i - front) * sizeof taken);
    w->root[front] = taken;
}

static void list_root_moves(Worker *w, const Position *pos, const SearchLimits *limits)
{
    MoveList list;
    TtHit hit = tt_probe(w->tt, pos->key, 0);

    movegen_all(pos, &list);
    w->root_count = 0;
    for (int i = 0; i < list.count; i++) {
        if (!is_wanted(limits, list.moves[i])) continue;
        Move *pv = w->root_pv[w->root_count];
        *pv = list.moves[i];
        w->root[w->root_count++] =
            (RootMove){.move = *pv, .score = -VALUE_INFINITE, .pv_length = 1, .pv = pv};
    }
    /* The hash move comes first, then captures and promotions in the order of generation. */
    int front = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = front; i < w->root_count; i++) {
            Move m = w->root[i].move;
            if (pass == 0 ? m != hit.move : !move_is_noisy(m)) continue;
            bring_forward(w, i, front++);
        }
}

/* Has a position of the game's present reversible stretch occurred twice? */
static bool has_repeated(const Worker *w, const Position *pos)
{
    int first = w->root_key - pos->rule50 > 0 ? w->root_key - pos->rule50 : 0;

    for (int i = first; i <= w->root_key; i++)
        for (int k = i + 4; k <= w->root_key; k += 2)
            if (w->keys[k] == w->keys[i]) return true;
    return false;
}

/* Drops the root moves that do not keep the Syzygy result. Not with several lines, nor with root
 * moves chosen by the user. */
static void keep_syzygy_moves(Worker *w, const Position *pos, const SearchLimits *limits)
{
    MoveList best;
    int kept = 0;

    if (popcount(position_occupied(pos)) > w->syzygy.pieces || limits->multipv > 1 ||
        limits->root_moves)
        return;
    SyzygyResult result = syzygy_best_moves(pos, has_repeated(w, pos), w->syzygy.rule50, &best);
    if (result == SYZYGY_UNKNOWN) return;
    for (int i = 0; i < w->root_count; i++)
        for (int k = 0; k < best.count; k++)
            if (w->root[i].move == best.moves[k]) w->root[kept++] = w->root[i];
    w->root_count = kept;
    w->tb_hits++;
    w->root_value = syzygy_value(result, w->syzygy.rule50, 0);
}

/* The value of one root move; count is its place from 1. */
static int root_move_value(Worker *w, const Position *next, int alpha, int beta, int depth,
                           int count)
{
    int full = depth - 1;
    int value = alpha + 1;

    if (count > 1) {
        int r = depth >= 3 && count > 3 && !position_in_check(next)
                    ? search_base_reduction(w->params, depth, count) / 1024 - 1
                    : 0;
        if (r > 0) value = -search_tree(w, 1, next, -alpha - 1, -alpha, full - r, true);
        if (value > alpha) value = -search_tree(w, 1, next, -alpha - 1, -alpha, full, true);
    }
    if (value > alpha && (count == 1 || value < beta))
        value = -search_tree(w, 1, next, -beta, -alpha, full, false);
    return value;
}

/* Searches the root moves from number `first` on. A move that raises alpha is moved to place
 * `first`, so the best known move is there even if the search is stopped. */
static int search_root(const IterativeDeepening *run, int first, int alpha, int beta, int depth)
{
    Worker *w = run->worker;
    const Position *pos = run->pos;
    Frame *f = worker_frame(w, 0);
    int best = -VALUE_INFINITE, original_alpha = alpha;
    Position next;

    f->eval = position_in_check(pos) ? VALUE_NONE : worker_evaluate(w, 0, pos);
    f[1].killers[0] = f[1].killers[1] = MOVE_NONE;
    for (int i = first; i < w->root_count; i++) {
        uint64_t nodes_before = w->nodes;
        w->seldepth = 0;
        worker_make(w, 0, pos, w->root[i].move, &next);
        int value = root_move_value(w, &next, alpha, beta, depth, i - first + 1);
        RootMove *r = &w->root[i];
        r->nodes += w->nodes - nodes_before;
        if (w->stopped) break;
        r->score = -VALUE_INFINITE;
        if (value > best) best = value;
        if (value <= alpha) continue;

        r->score = alpha = value;
        r->bound = value >= beta;
        r->seldepth = w->seldepth;
        r->pv_length = 1;
        if (value < beta) {
            memcpy(r->pv + 1, w->pv[1], (size_t)w->pv_length[1] * sizeof(Move));
            r->pv_length += w->pv_length[1];
        }
        bring_forward(w, i, first);
        if (value >= beta) break;
    }
    if (!w->stopped && first == 0 && run->all_moves) {
        store_hash(w, 0, pos, depth, best, bound_of(best, original_alpha, beta), true,
                   best > original_alpha ? w->root[first].move : MOVE_NONE);
    }
    return best;
}

void iterative_deepening_prepare(IterativeDeepening *run)
{
    Worker *w = run->worker;
    SearchResult *result = &w->result;

    worker_start(w, run->pos, run->history);
    if (run->limits->nodes_hard > 0) w->nodes_hard = run->limits->nodes_hard;
    list_root_moves(w, run->pos, run->limits);
    keep_syzygy_moves(w, run->pos, run->limits);
    if (run->multipv > w->root_count) run->multipv = w->root_count;

    memset(result, 0, offsetof(SearchResult, pv));
    if (w->root_count > 0) {
        result->best = result->pv[0] = w->root[0].move;
        result->pv_length = 1;
    } else {
        result->score = position_in_check(run->pos) ? -VALUE_MATE : VALUE_DRAW;
    }
}

/* ---- Iterative deepening */

void iterative_deepening_report(Search *search, SearchInfo info)
{
    if (!search->info) return;
    if (info.seldepth < info.depth) info.seldepth = info.depth;
    info.score = worker_reported_score(&search->worker, info.score);
    info.nodes = worker_total_nodes(&search->worker);
    info.time_ms = search_elapsed_ms(search);
    info.hashfull = tt_fullness(&search->tt);
    info.tb_hits = worker_total_tb_hits(&search->worker);
    search->info(search->info_context, &info);
}

static void report(const IterativeDeepening *run, int line, int depth, int score, int bound)
{
    const RootMove *r = &run->worker->root[line];

    if (run->number != 0) return;
    iterative_deepening_report(run->search, (SearchInfo){.depth = depth,
                                                         .seldepth = r->seldepth,
                                                         .multipv = line + 1,
                                                         .score = score,
                                                         .bound = bound,
                                                         .pv = r->pv,
                                                         .pv_length = r->pv_length});
}

/* Makes the first root move the result. */
static void keep_result(Worker *w, int depth)
{
    const RootMove *r = &w->root[0];
    SearchResult *result = &w->result;

    result->best = r->move;
    result->ponder = r->pv_length > 1 ? r->pv[1] : MOVE_NONE;
    result->score = r->score;
    result->bound = r->bound;
    result->depth = depth;
    result->seldepth = r->seldepth;
    result->pv_length = r->pv_length;
    memcpy(result->pv, r->pv, (size_t)r->pv_length * sizeof(Move));
}

/* Searches line number `line` at `depth` in an aspiration window around the last score, which
 * widens on the side of a failure. Returns false when stopped. */
static bool search_line(const IterativeDeepening *run, int line, int depth, int previous)
{
    Worker *w = run->worker;
    const SearchParams *p = w->params;
    int delta = p->aspiration_delta, alpha = -VALUE_INFINITE, beta = VALUE_INFINITE, reduced = 0;

    if (depth >= ASPIRATION_DEPTH) {
        alpha = max_int(previous - delta, -VALUE_INFINITE);
        beta = min_int(previous + delta, VALUE_INFINITE);
    }
    for (;;) {
        int value = search_root(run, line, alpha, beta, max_int(depth - reduced, 1));
        if (w->stopped) return false;
        if (value > alpha && value < beta) return true;
        report(run, line, depth, value, value <= alpha ? -1 : 1);
        if (value <= alpha) {
            beta = (alpha + beta) / 2;
            alpha = max_int(value - delta, -VALUE_INFINITE);
            reduced = 0;
        } else {
            beta = min_int(value + delta, VALUE_INFINITE);
            if (reduced < 3) reduced++;
        }
        delta += delta * p->aspiration_growth / 1024 + 1;
        if (delta > ASPIRATION_WIDEST) alpha = -VALUE_INFINITE, beta = VALUE_INFINITE;
    }
}

/* Is the soft time limit reached? On a game clock the time of pondering counts too, which saves
 * time for later moves. */
static bool time_is_up(Search *search, int stable, int drop)
{
    const Worker *w = &search->worker;
    Control *c = &search->control;
    int share = (int)(w->nodes ? 1000 * w->root[0].nodes / w->nodes : 1000);

    /* A fixed time per move starts with the ponderhit. */
    if (!w->budget.adjustable && atomic_load(&c->pondering)) return false;
    int64_t since = atomic_load(w->budget.adjustable ? &c->start_ms : &c->clock_start_ms);

    if (!(w->budget.adjustable && w->root_count == 1) &&
        clock_ms() - since < time_management_soft_ms(&w->budget, stable, drop, share))
        return false;
    /* The order matters: with a ponderhit in between, one of the two threads sees both. */
    atomic_store(&c->soft_limit_reached, true);
    return !atomic_load(&c->pondering);
}

/* Is this the last iteration? `last` is the nodes that it took. */
static bool enough(const IterativeDeepening *run, int depth, uint64_t last, int stable, int drop)
{
    const Worker *w = run->worker;
    const SearchLimits *limits = run->limits;
    int score = w->result.score;
    int distance = VALUE_MATE - (score < 0 ? -score : score); /* plies to a mate, if it is one */

    /* The next iteration will seldom take fewer nodes. */
    if (limits->nodes_soft > 0 && worker_total_nodes(w) + last >= limits->nodes_soft) return true;
    if (limits->depth > 0 && depth >= limits->depth) return true;
    if (limits->mate > 0 && distance <= 2 * limits->mate) return true;
    if (limits->nodes_soft > 0 || w->budget.adjustable) {
        /* A mate found at less than half the depth will not change. */
        if (distance < MAX_PLY && depth > 2 * distance) return true;
    }
    return w->budget.limited && time_is_up(run->search, stable, drop);
}

/* One iteration over all lines; false when stopped. Afterwards the lines that this iteration found
 * are sorted, best first. */
static bool iterate(const IterativeDeepening *run, int depth, int previous[])
{
    Worker *w = run->worker;

    w->root_depth = depth;
    for (int i = 0; i < w->root_count; i++)
        w->root[i].score = -VALUE_INFINITE;
    for (int line = 0; line < run->multipv; line++) {
        bool whole = search_line(run, line, depth, previous[line]);
        int place = line;
        while (place > 0 && w->root[line].score > w->root[place - 1].score)
            place--;
        bring_forward(w, line, place);
        /* An unfinished iteration counts if a move has raised alpha. */
        if (place == 0 && w->root[0].score > -VALUE_INFINITE) keep_result(w, depth);
        if (!whole) return false;
    }
    for (int line = 0; line < run->multipv; line++) {
        RootMove *r = &w->root[line];
        previous[line] = r->last_score = r->score;
        r->last_depth = depth;
        report(run, line, depth, r->score, 0);
    }
    return true;
}

/* The lines of a search that was stopped at `depth`: the result first, then the others as they were
 * found last. */
static void report_stopped(const IterativeDeepening *run, int depth)
{
    Worker *w = run->worker;
    int best = 0;

    while (w->root[best].move != w->result.best)
        best++;
    bring_forward(w, best, 0);
    for (int line = 0; line < run->multipv; line++) {
        const RootMove *r = &w->root[line];
        if (r->score > -VALUE_INFINITE)
            report(run, line, depth, r->score, r->bound);
        else if (r->last_depth > 0)
            report(run, line, r->last_depth, r->last_score, 0);
    }
}

void iterative_deepening_run(const IterativeDeepening *run)
{
    const Worker *w = run->worker;
    int previous[MAX_MOVES] = {0};
    int stable = 0;

    /* Odd-numbered helpers search one ply deeper and leave hash moves for the others.
     * Source: chessprogramming.org "Lazy SMP". */
    for (int depth = 1 + run->number % 2; depth < MAX_PLY; depth++) {
        Move last_best = w->root[0].move;
        int last_score = w->result.score;
        uint64_t before = worker_total_nodes(w);
        if (!iterate(run, depth, previous)) {
            if (run->multipv > 1 && w->result.depth > 0) report_stopped(run, depth);
            return;
        }
        stable = w->root[0].move == last_best ? stable + 1 : 0;
        uint64_t last = worker_total_nodes(w) - before;
        if (run->number == 0 && enough(run, depth, last, stable, last_score - w->result.score))
            return;
    }
}
