/* SPDX-License-Identifier: MIT
 * An engine instance: its life, its threads, iterative deepening, and the root of the search. */
#include "engine/search.h"

#include <stdlib.h>
#include <string.h>

#include "engine/clock.h"
#include "engine/search_internal.h"

enum { ASPIRATION_DEPTH = 4, DEFAULT_OVERHEAD_MS = 10 };

/* ---- Life */

/* Does the job on all threads, and returns when it is done. */
static void do_together(Search *search, ThreadPoolJob job)
{
    if (search->pool) thread_pool_start(search->pool, job, search);
    job(search, 0);
    if (search->pool) thread_pool_wait(search->pool);
}

static void forget_table(void *context, int number)
{
    Search *search = context;
    tt_clear(&search->tt, number, 1 + search->worker.helper_count);
}

static void forget_histories(void *context, int number)
{
    heuristics_clear(&search_worker(context, number)->heuristics);
}

static void take_weights(void *context, int number)
{
    Search *search = context;
    eval_psq_table(search->weights, &search_worker(search, number)->psq);
}

Search *search_create(const EvalWeights *weights, size_t hash_bytes, Error *err)
{
    Search *search = calloc(1, sizeof *search);
    if (!search) {
        (void)error_set(err, STATUS_FAILED, "out of memory for an engine instance");
        return NULL;
    }
    if (tt_init(&search->tt, hash_bytes, err) != STATUS_OK) {
        free(search);
        return NULL;
    }
    forget_table(search, 0);
    search->overhead_ms = DEFAULT_OVERHEAD_MS;
    search_params_defaults(&search->params);
    search->worker.params = &search->params;
    search->worker.tt = &search->tt;
    search->worker.control = &search->control;
    search->weights = weights;
    take_weights(search, 0);
    return search;
}

void search_destroy(Search *search)
{
    if (!search) return;
    thread_pool_destroy(search->pool);
    free(search->worker.helpers);
    tt_free(&search->tt);
    free(search);
}

void search_set_weights(Search *search, const EvalWeights *weights)
{
    search->weights = weights;
    do_together(search, take_weights);
    search_new_game(search);
}

Status search_resize(Search *search, size_t hash_bytes, Error *err)
{
    Tt table;
    Status status = tt_init(&table, hash_bytes, err);
    if (status != STATUS_OK) return status;
    tt_free(&search->tt);
    search->tt = table;
    do_together(search, forget_table);
    return STATUS_OK;
}

/* A clean room for each helper; the system backs it with memory where the helper itself touches it.
 */
static Status create_helpers(Search *search, int count, Error *err)
{
    Worker *main = &search->worker, *helpers = calloc((size_t)count, sizeof *helpers);
    if (!helpers) return error_set(err, STATUS_FAILED, "out of memory for %d more threads", count);
    ThreadPool *pool = thread_pool_create(count, err);
    if (!pool) {
        free(helpers);
        return STATUS_FAILED;
    }
    for (int i = 0; i < count; i++) {
        helpers[i].tt = main->tt;
        helpers[i].params = main->params;
        helpers[i].control = main->control;
        helpers[i].tables = main->tables;
        helpers[i].psq = main->psq;
    }
    search->pool = pool;
    main->helpers = helpers;
    main->helper_count = count;
    return STATUS_OK;
}

Status search_set_threads(Search *search, int threads, Error *err)
{
    ThreadPool *pool = search->pool;
    Worker *helpers = search->worker.helpers;

    if (threads < 1 || threads > SEARCH_THREADS_MAX)
        return error_set(err, STATUS_BAD_INPUT, "threads are 1 to %d, not %d", SEARCH_THREADS_MAX,
                         threads);
    if (threads == 1 + search->worker.helper_count) return STATUS_OK;
    if (threads > 1) {
        Status status = create_helpers(search, threads - 1, err);
        if (status != STATUS_OK) return status;
    } else {
        search->pool = NULL;
        search->worker.helpers = NULL;
        search->worker.helper_count = 0;
    }
    thread_pool_destroy(pool);
    free(helpers);
    return STATUS_OK;
}

void search_new_game(Search *search)
{
    timeman_lag_new_game(&search->lag);
    do_together(search, forget_table);
    do_together(search, forget_histories);
}

void search_set_info(Search *search, SearchInfoFn fn, void *context)
{
    search->info = fn;
    search->info_context = context;
}

void search_set_params(Search *search, const SearchParams *params)
{
    search->params = *params;
    search_new_game(search);
}

const SearchParams *search_params(const Search *search)
{
    return &search->params;
}

void search_set_move_overhead(Search *search, int64_t ms)
{
    search->overhead_ms = ms;
}

void search_set_tables(Search *search, const SearchTables *tables)
{
    for (int i = 0; i <= search->worker.helper_count; i++)
        search_worker(search, i)->tables = *tables;
}

/* ---- Control from outside */

void search_announce(Search *search, bool ponder)
{
    Control *c = &search->control;
    int64_t now = clock_ms();

    atomic_store(&c->stop, false);
    atomic_store(&c->pondering, ponder);
    atomic_store(&c->ripe, false);
    atomic_store(&c->start_ms, now);
    atomic_store(&c->clock_start_ms, now);
    atomic_store(&c->announced, true);
}

bool search_is_urgent(const Search *search, const SearchLimits *limits, Color stm)
{
    TimeBudget budget = timeman_budget(limits, stm, search->overhead_ms, search->lag.us / 1000);
    return budget.limited && budget.soft_ms == 0 && !limits->ponder && !limits->infinite;
}

void search_stop(Search *search)
{
    atomic_store(&search->control.stop, true);
}

void search_ponderhit(Search *search)
{
    atomic_store(&search->control.clock_start_ms, clock_ms());
    atomic_store(&search->control.pondering, false);
    if (atomic_load(&search->control.ripe)) search_stop(search);
}

/* ---- The root */

void worker_start(Worker *w, const Position *pos, const KeyHistory *history)
{
    Continuation *none = &w->heuristics.continuation[NO_PIECE][0];

    w->nodes = 0;
    w->table_hits = 0;
    w->root_value = VALUE_NONE;
    w->check_at = 0;
    w->nodes_hard = UINT64_MAX;
    w->stopped = false;
    w->exact = false;
    w->seldepth = 0;
    w->root_depth = 0;
    w->null_min_ply = 0;
    w->budget = (TimeBudget){false, false, 0, 0};
    for (int i = 0; i < FRAMES_BEFORE + MAX_PLY + 1; i++)
        w->frame_store[i] = (Frame){.continuation = none, .eval = VALUE_NONE};
    w->root_key = history ? history->count : 0;
    if (history) memcpy(w->keys, history->keys, (size_t)history->count * sizeof w->keys[0]);
    w->keys[w->root_key] = pos->key;
    w->pv_length[0] = 0;
}

static bool is_wanted(const SearchLimits *limits, Move m)
{
    if (!limits->root_moves) return true;
    for (int i = 0; i < limits->root_move_count; i++)
        if (limits->root_moves[i] == m) return true;
    return false;
}

/* Brings root move i to place `front`; those between move down one. */
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
        RootMove *r = &w->root[w->root_count++];
        *r = (RootMove){.move = list.moves[i], .score = -VALUE_INFINITE, .pv_length = 1};
        r->pv[0] = list.moves[i];
    }
    /* What an earlier search thought best comes first, then captures, as the generator has them. */
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

/* Drops the root moves that give away what the endgame tables promise. Not where the user wants to
 * know about several moves, or about certain ones. */
static void keep_table_moves(Worker *w, const Position *pos, const SearchLimits *limits)
{
    MoveList best;
    int kept = 0;

    if (popcount(position_occupied(pos)) > w->tables.men || limits->multipv > 1 ||
        limits->root_moves)
        return;
    TableResult result = tablebase_best_moves(pos, has_repeated(w, pos), w->tables.rule50, &best);
    if (result == TABLE_UNKNOWN) return;
    for (int i = 0; i < w->root_count; i++)
        for (int k = 0; k < best.count; k++)
            if (w->root[i].move == best.moves[k]) w->root[kept++] = w->root[i];
    w->root_count = kept;
    w->table_hits++;
    w->root_value = search_table_value(result, w->tables.rule50, 0);
}

/* What a reported score becomes where the tables know the root's value: mates stay. */
static int table_score(const Worker *w, int score)
{
    bool mate = score >= VALUE_MATE_IN_MAX || score <= -VALUE_MATE_IN_MAX;
    return w->root_value == VALUE_NONE || mate ? score : w->root_value;
}

/* The value of one root move; count is its place from 1. */
static int root_move_value(Worker *w, const Position *next, int alpha, int beta, int depth,
                           int count)
{
    int full = depth - 1;
    int value = alpha + 1;

    if (count > 1) {
        int r = !w->exact && depth >= 3 && count > 3 && !position_in_check(next)
                    ? search_base_reduction(w->params, depth, count) / 1024 - 1
                    : 0;
        if (r > 0) value = -search_tree(w, 1, next, -alpha - 1, -alpha, full - r, true);
        if (value > alpha) value = -search_tree(w, 1, next, -alpha - 1, -alpha, full, true);
    }
    if (value > alpha && (count == 1 || value < beta || w->exact))
        value = -search_tree(w, 1, next, -beta, -alpha, full, false);
    return value;
}

/* Searches the root moves from number `first` on. Whatever beats alpha is brought to place `first`,
 * so that the best move known stands there even when the search is stopped. */
static int search_root(Worker *w, const Position *pos, int first, int alpha, int beta, int depth)
{
    Frame *f = worker_frame(w, 0);
    int best = -VALUE_INFINITE, original_alpha = alpha;
    Position next;

    f->eval = position_in_check(pos) ? VALUE_NONE : eval_position(pos);
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
        r->seldepth = w->seldepth;
        r->pv_length = 1;
        if (value < beta) {
            memcpy(r->pv + 1, w->pv[1], (size_t)w->pv_length[1] * sizeof(Move));
            r->pv_length += w->pv_length[1];
        }
        bring_forward(w, i, first);
        if (value >= beta) break;
    }
    if (!w->stopped && first == 0) {
        Bound bound = best >= beta            ? BOUND_LOWER
                      : best > original_alpha ? BOUND_EXACT
                                              : BOUND_UPPER;
        tt_store(w->tt, pos->key, 0, depth, best, bound, true,
                 best > original_alpha ? w->root[first].move : MOVE_NONE);
    }
    return best;
}

/* ---- Iterative deepening */

/* One search as it goes, in one thread. */
typedef struct Run {
    Search *search;
    Worker *worker;
    int number; /* of the thread; 0 is the main one */
    const Position *pos;
    const KeyHistory *history; /* may be NULL */
    const SearchLimits *limits;
    int multipv;
} Run;

static int64_t elapsed_ms(const Search *search)
{
    return clock_ms() - atomic_load(&search->control.start_ms);
}

/* Completes the line with what is true of all of them, and says it. */
static void say(Search *search, SearchInfo info)
{
    if (!search->info) return;
    if (info.seldepth < info.depth) info.seldepth = info.depth;
    info.score = table_score(&search->worker, info.score);
    info.nodes = worker_total_nodes(&search->worker);
    info.time_ms = elapsed_ms(search);
    info.hashfull = tt_fullness(&search->tt);
    info.table_hits = worker_total_table_hits(&search->worker);
    search->info(search->info_context, &info);
}

static void report(const Run *run, int line, int depth, int score, int bound)
{
    const RootMove *r = &run->worker->root[line];

    if (run->number != 0) return;
    say(run->search, (SearchInfo){.depth = depth,
                                  .seldepth = r->seldepth,
                                  .multipv = line + 1,
                                  .score = score,
                                  .bound = bound,
                                  .pv = r->pv,
                                  .pv_length = r->pv_length});
}

/* The first root move as the answer. */
static void keep_result(Worker *w, int depth)
{
    const RootMove *r = &w->root[0];
    SearchResult *result = &w->result;

    result->best = r->move;
    result->ponder = r->pv_length > 1 ? r->pv[1] : MOVE_NONE;
    result->score = r->score;
    result->depth = depth;
    result->seldepth = r->seldepth;
    result->pv_length = r->pv_length;
    memcpy(result->pv, r->pv, (size_t)r->pv_length * sizeof(Move));
}

/* Searches line number `line` at `depth`, in a window around the last score that widens on the side
 * it is left. Returns false when stopped. */
static bool search_line(const Run *run, int line, int depth, int previous)
{
    Worker *w = run->worker;
    const SearchParams *p = w->params;
    int delta = p->aspiration_delta, alpha = -VALUE_INFINITE, beta = VALUE_INFINITE, reduced = 0;

    if (depth >= ASPIRATION_DEPTH && !w->exact) {
        alpha = previous - delta > -VALUE_INFINITE ? previous - delta : -VALUE_INFINITE;
        beta = previous + delta < VALUE_INFINITE ? previous + delta : VALUE_INFINITE;
    }
    for (;;) {
        int search_depth = depth - reduced > 1 ? depth - reduced : 1;
        int value = search_root(w, run->pos, line, alpha, beta, search_depth);
        if (w->stopped) return false;
        if (value > alpha && value < beta) return true;
        report(run, line, depth, value, value <= alpha ? -1 : 1);
        if (value <= alpha) {
            beta = (alpha + beta) / 2;
            alpha = value - delta > -VALUE_INFINITE ? value - delta : -VALUE_INFINITE;
            reduced = 0;
        } else {
            beta = value + delta < VALUE_INFINITE ? value + delta : VALUE_INFINITE;
            if (reduced < 3) reduced++;
        }
        delta += delta * p->aspiration_growth / 1024 + 1;
        if (delta > 600) alpha = -VALUE_INFINITE, beta = VALUE_INFINITE;
    }
}

/* Is it too late for another iteration? What was thought while pondering counts too: it leaves more
 * of the clock for the moves to come. */
static bool time_is_up(Search *search, int stable, int drop)
{
    const Worker *w = &search->worker;
    Control *c = &search->control;
    int share = (int)(w->nodes ? 1000 * w->root[0].nodes / w->nodes : 1000);
    int64_t since = atomic_load(w->budget.adjustable ? &c->start_ms : &c->clock_start_ms);

    if (!(w->budget.adjustable && w->root_count == 1) &&
        clock_ms() - since < timeman_soft_ms(&w->budget, stable, drop, share))
        return false;
    /* The order matters: a ponderhit in between either sees ripe or is seen here. */
    atomic_store(&c->ripe, true);
    return !atomic_load(&c->pondering);
}

/* Is it settled, or too late for another iteration? */
static bool enough(const Run *run, int depth, int stable, int drop)
{
    const Worker *w = run->worker;
    const SearchLimits *limits = run->limits;
    int score = w->result.score;
    int distance = VALUE_MATE - (score < 0 ? -score : score); /* plies to a mate, if it is one */

    if (limits->nodes_soft > 0 && worker_total_nodes(w) >= limits->nodes_soft) return true;
    if (limits->depth > 0 && depth >= limits->depth) return true;
    if (limits->mate > 0 && distance <= 2 * limits->mate) return true;
    if (limits->nodes_soft > 0 || w->budget.adjustable) {
        /* A forced mate that depth has long passed will not change. */
        if (distance < MAX_PLY && depth > 2 * distance) return true;
    }
    return w->budget.limited && time_is_up(run->search, stable, drop);
}

/* One iteration over all lines wanted; false when stopped. The lines end up best first. */
static bool iterate(const Run *run, int depth, int previous[])
{
    Worker *w = run->worker;

    w->root_depth = depth;
    for (int i = 0; i < w->root_count; i++)
        w->root[i].score = -VALUE_INFINITE;
    for (int line = 0; line < run->multipv; line++) {
        bool whole = search_line(run, line, depth, previous[line]);
        /* Even an unfinished iteration counts once a move has beaten its window's floor. */
        if (line == 0 && w->root[0].score > -VALUE_INFINITE) keep_result(w, depth);
        if (!whole) return false;
        int place = line;
        while (place > 0 && w->root[line].score > w->root[place - 1].score)
            place--;
        bring_forward(w, line, place);
    }
    keep_result(w, depth);
    for (int line = 0; line < run->multipv; line++) {
        previous[line] = w->root[line].score;
        report(run, line, depth, previous[line], 0);
    }
    return true;
}

static void deepen(const Run *run)
{
    const Worker *w = run->worker;
    int previous[MAX_MOVES] = {0};
    int stable = 0;

    /* Every other helper is a ply ahead, so that the others find its hash moves.
     * Source: chessprogramming.org "Lazy SMP". */
    for (int depth = 1 + run->number % 2; depth < MAX_PLY; depth++) {
        Move last_best = w->root[0].move;
        int last_score = w->result.score;
        if (!iterate(run, depth, previous)) return;
        stable = w->root[0].move == last_best ? stable + 1 : 0;
        if (run->number == 0 && enough(run, depth, stable, last_score - w->result.score)) return;
    }
}

/* ---- A whole search */

static void start_clock(Search *search, const SearchLimits *limits, Color stm)
{
    Worker *w = &search->worker;

    timeman_lag_before(&search->lag, limits, stm);
    w->budget = timeman_budget(limits, stm, search->overhead_ms, search->lag.us / 1000);
    w->looked_ms = atomic_load(&search->control.start_ms);
    w->waited_ms = 0;
}

static void stop_clock(Search *search, const SearchLimits *limits, Color stm)
{
    Worker *w = &search->worker;
    bool pondered = atomic_load(&search->control.pondering); /* for nothing: it was not our turn */
    int64_t used = worker_look_at_clock(w) - atomic_load(&search->control.clock_start_ms);

    timeman_lag_after(&search->lag, limits, stm, pondered ? -1 : used, w->waited_ms);
}

/* Everything before the first iteration; the answer is the first root move as long as there is no
 * better, or none. */
static void prepare(Run *run)
{
    Worker *w = run->worker;
    SearchResult *result = &w->result;

    worker_start(w, run->pos, run->history);
    list_root_moves(w, run->pos, run->limits);
    keep_table_moves(w, run->pos, run->limits);
    if (run->multipv > w->root_count) run->multipv = w->root_count;

    memset(result, 0, offsetof(SearchResult, pv));
    if (w->root_count > 0) {
        result->best = result->pv[0] = w->root[0].move;
        result->pv_length = 1;
    } else {
        result->score = position_in_check(run->pos) ? -VALUE_MATE : VALUE_DRAW;
    }
}

/* A helper's part: the same search over the same hash table, with histories of its own, until the
 * main one ends. */
static void help(void *context, int number)
{
    Run run = *(const Run *)context;

    run.number = number;
    run.worker = search_worker(run.search, number);
    prepare(&run);
    deepen(&run);
}

/* The answer of all threads. Where the caller asked for a depth or for several lines it wants what
 * the main thread found, and has been told. */
static const SearchResult *choose(const Run *run)
{
    const SearchResult *own = &run->worker->result;

    if (run->multipv > 1 || (run->limits->depth > 0 && own->depth >= run->limits->depth))
        return own;
    const SearchResult *chosen = search_elect(run->search);
    if (chosen != own)
        say(run->search, (SearchInfo){.depth = chosen->depth,
                                      .seldepth = chosen->seldepth,
                                      .multipv = 1,
                                      .score = chosen->score,
                                      .pv = chosen->pv,
                                      .pv_length = chosen->pv_length});
    return chosen;
}

/* The search with helpers, after prepare(). They are given the main thread's root moves, so that
 * the endgame tables are asked about them once. */
static const SearchResult *deepen_together(const Run *run)
{
    Search *search = run->search;
    Worker *w = run->worker;
    Move moves[MAX_MOVES];
    SearchLimits limits = *run->limits;
    Run helpers = *run;

    for (int i = 0; i < w->root_count; i++)
        moves[i] = w->root[i].move;
    limits.root_moves = moves;
    limits.root_move_count = w->root_count;
    helpers.limits = &limits;
    for (int i = 0; i < w->helper_count; i++) {
        w->helpers[i].nodes = w->helpers[i].table_hits = 0;
        worker_show_counts(&w->helpers[i]);
    }
    thread_pool_start(search->pool, help, &helpers);
    deepen(run);
    search_stop(search);
    thread_pool_wait(search->pool);
    for (int i = 0; i < w->helper_count; i++)
        worker_show_counts(&w->helpers[i]);
    return choose(run);
}

void search_run(Search *search, const Position *pos, const KeyHistory *history,
                const SearchLimits *limits, SearchResult *result)
{
    Worker *w = &search->worker;
    Position root = *pos;
    Run run = {.search = search,
               .worker = w,
               .pos = &root,
               .history = history,
               .limits = limits,
               .multipv = limits->multipv > 1 ? limits->multipv : 1};
    const SearchResult *answer = &w->result;

    if (!atomic_load(&search->control.announced)) search_announce(search, limits->ponder);
    atomic_store(&search->control.announced, false);
    position_refresh_psq(&root, &w->psq);
    tt_new_search(&search->tt);
    prepare(&run);
    if (limits->nodes_hard > 0) w->nodes_hard = limits->nodes_hard;
    start_clock(search, limits, position_stm(pos));

    if (w->root_count > 0 && search->pool)
        answer = deepen_together(&run);
    else if (w->root_count > 0)
        deepen(&run);
    if (w->budget.limited) stop_clock(search, limits, position_stm(pos));
    *result = *answer;
    result->nodes = worker_total_nodes(w);
    result->time_ms = elapsed_ms(search);
}
