/* SPDX-License-Identifier: MIT
 * An engine instance: its life, its threads, and a search from begin to result. */
#include "engine/search/search.h"

#include <stdlib.h>

#include "engine/search/iterative_deepening.h"
#include "engine/search/thread_vote.h"

enum { DEFAULT_OVERHEAD_MS = 10 };

/* ---- Life */

/* Runs the job on all threads and waits for it. */
static void run_on_all_threads(Search *search, ThreadPoolJob job)
{
    if (search->pool) thread_pool_start(search->pool, job, search);
    job(search, 0);
    if (search->pool) thread_pool_wait(search->pool);
}

/* Clears this thread's own table and its part of the shared one. */
static void clear_hash_part(void *context, int number)
{
    Search *search = context;
    Worker *w = search_worker(search, number);

    if (search->clear_logged)
        tt_clear_logged(&search->tt, &w->log);
    else
        tt_clear(&search->tt, number, 1 + search->worker.helper_count);
    w->log.count = 0;
    memset(&w->near, 0, sizeof w->near);
}

/* Has the only thread written so few buckets that clearing each of them is quicker? */
static bool hash_is_nearly_empty(const Search *search)
{
    const int written = search->worker.log.count;

    return search->worker.helper_count == 0 && written < TT_LOG_MAX &&
           (uint64_t)written < search->tt.mask / 8;
}

static void clear_hash(Search *search)
{
    search->clear_logged = hash_is_nearly_empty(search);
    run_on_all_threads(search, clear_hash_part);
}

/* The log no longer lists all buckets that hold entries. */
static void invalidate_log(Search *search)
{
    search->worker.log.count = TT_LOG_MAX;
}

static void clear_histories(void *context, int number)
{
    Worker *w = search_worker(context, number);

    histories_clear(&w->histories);
    memset(&w->values, 0, sizeof w->values);
}

static void apply_evaluation(void *context, int number)
{
    Search *search = context;

    worker_set_evaluation(search_worker(search, number), search->evaluation);
}

Search *search_create(const Evaluation *evaluation, size_t hash_bytes, Error *err)
{
    Search *search = calloc(1, sizeof *search);
    if (!search) return ERROR_NULL(err, STATUS_FAILED, "out of memory for an engine instance");
    if (tt_init(&search->tt, hash_bytes, err) != STATUS_OK) {
        free(search);
        return NULL;
    }
    invalidate_log(search);
    clear_hash(search);
    search->overhead_ms = DEFAULT_OVERHEAD_MS;
    search_params_defaults(&search->params);
    search->worker.params = &search->params;
    search->worker.tt = &search->tt;
    search->worker.control = &search->control;
    search->evaluation = evaluation;
    apply_evaluation(search, 0);
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

void search_set_evaluation(Search *search, const Evaluation *evaluation)
{
    search->evaluation = evaluation;
    run_on_all_threads(search, apply_evaluation);
    search_new_game(search);
}

Status search_resize(Search *search, size_t hash_bytes, Error *err)
{
    Tt table;
    Status status = tt_init(&table, hash_bytes, err);
    if (status != STATUS_OK) return status;
    tt_free(&search->tt);
    search->tt = table;
    invalidate_log(search);
    clear_hash(search);
    return STATUS_OK;
}

/* Zeroed helpers; the system allocates their pages on the helper's first access. */
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
        helpers[i].helped = main;
        helpers[i].tt = main->tt;
        helpers[i].params = main->params;
        helpers[i].control = main->control;
        helpers[i].syzygy = main->syzygy;
        worker_set_evaluation(&helpers[i], search->evaluation);
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
    if (helpers) invalidate_log(search);
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
    time_management_lag_new_game(&search->lag);
    clear_hash(search);
    run_on_all_threads(search, clear_histories);
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

void search_set_syzygy(Search *search, const SearchSyzygy *tables)
{
    search->worker.syzygy = *tables;
    for (int i = 0; i < search->worker.helper_count; i++)
        search->worker.helpers[i].syzygy = *tables;
}

int search_static_score(const Search *search, const Position *pos)
{
    const int most = VALUE_TB_WIN_IN_MAX - 1, white = evaluation_white(pos, search->evaluation);
    const int score = position_stm(pos) == WHITE ? white : -white;

    return score > most ? most : score < -most ? -most : score;
}

/* ---- Control from outside */

void search_begin(Search *search, bool ponder)
{
    Control *c = &search->control;
    int64_t now = clock_ms();

    atomic_store(&c->stop, false);
    atomic_store(&c->pondering, ponder);
    atomic_store(&c->soft_limit_reached, false);
    atomic_store(&c->start_ms, now);
    atomic_store(&c->clock_start_ms, now);
    atomic_store(&c->begun, true);
}

bool search_is_urgent(const Search *search, const SearchLimits *limits, Color stm)
{
    TimeBudget budget =
        time_management_budget(limits, stm, search->overhead_ms, search->lag.us / 1000);
    return budget.limited && budget.soft_ms == 0 && !limits->ponder;
}

void search_stop(Search *search)
{
    atomic_store(&search->control.stop, true);
}

void search_ponderhit(Search *search)
{
    atomic_store(&search->control.clock_start_ms, clock_ms());
    atomic_store(&search->control.pondering, false);
    if (atomic_load(&search->control.soft_limit_reached)) search_stop(search);
}

/* ---- A whole search */

static void start_clock(Search *search, const SearchLimits *limits, Color stm)
{
    Worker *w = &search->worker;

    time_management_lag_before(&search->lag, limits, stm);
    w->budget = time_management_budget(limits, stm, search->overhead_ms, search->lag.us / 1000);
    w->last_read_ms = atomic_load(&search->control.start_ms);
    w->longest_gap_ms = 0;
}

static void stop_clock(Search *search, const SearchLimits *limits, Color stm)
{
    Worker *w = &search->worker;
    bool pondered = atomic_load(&search->control.pondering); /* stopped without a ponderhit */
    int64_t used = worker_read_clock(w) - atomic_load(&search->control.clock_start_ms);

    time_management_lag_after(&search->lag, limits, stm, pondered ? -1 : used, w->longest_gap_ms);
}

/* A helper runs the same search over the shared hash table until the main thread ends. */
static void help(void *context, int number)
{
    IterativeDeepening run = *(const IterativeDeepening *)context;

    run.number = number;
    run.worker = search_worker(run.search, number);
    iterative_deepening_prepare(&run);
    iterative_deepening_run(&run);
}

/* The result of all threads. With a depth limit reached or with several lines it is what the main
 * thread found and reported. */
static const SearchResult *choose(const IterativeDeepening *run)
{
    const SearchResult *own = &run->worker->result;

    if (run->multipv > 1 || (run->limits->depth > 0 && own->depth >= run->limits->depth))
        return own;
    const SearchResult *chosen = thread_vote(run->search);
    if (chosen != own)
        iterative_deepening_report(run->search, (SearchInfo){.depth = chosen->depth,
                                                             .seldepth = chosen->seldepth,
                                                             .multipv = 1,
                                                             .score = chosen->score,
                                                             .pv = chosen->pv,
                                                             .pv_length = chosen->pv_length});
    return chosen;
}

/* The search with helpers. They get the main thread's root moves, so Syzygy is probed once. */
static const SearchResult *deepen_together(const IterativeDeepening *run)
{
    Search *search = run->search;
    Worker *w = run->worker;
    Move moves[MAX_MOVES];
    SearchLimits limits = *run->limits;
    IterativeDeepening helpers = *run;

    for (int i = 0; i < w->root_count; i++)
        moves[i] = w->root[i].move;
    limits.root_moves = moves;
    limits.root_move_count = w->root_count;
    helpers.limits = &limits;
    thread_pool_start(search->pool, help, &helpers);
    iterative_deepening_run(run);
    search_stop(search);
    thread_pool_wait(search->pool);
    for (int i = 0; i < w->helper_count; i++)
        worker_publish_counts(&w->helpers[i]);
    return choose(run);
}

void search_run(Search *search, const Position *pos, const KeyHistory *history,
                const SearchLimits *limits, SearchResult *result)
{
    Worker *w = &search->worker;
    Position root = *pos;
    IterativeDeepening run = {.search = search,
                              .worker = w,
                              .pos = &root,
                              .history = history,
                              .limits = limits,
                              .all_moves = !limits->root_moves,
                              .multipv = limits->multipv > 1 ? limits->multipv : 1};
    const SearchResult *answer = &w->result;

    if (!atomic_load(&search->control.begun)) search_begin(search, limits->ponder);
    atomic_store(&search->control.begun, false);
    worker_refresh_psq(w, &root);
    tt_new_search(&search->tt);
    for (int i = 0; i < w->helper_count; i++) {
        w->helpers[i].nodes = w->helpers[i].tb_hits = 0;
        worker_publish_counts(&w->helpers[i]);
    }
    iterative_deepening_prepare(&run);
    worker_publish_counts(w);
    search->control.interrupted = limits->interrupted;
    /* A search that is stopped at once has looked at every move. */
    w->check_at = w->nodes_hard < CHECK_INTERVAL ? w->nodes_hard : CHECK_INTERVAL;
    start_clock(search, limits, position_stm(pos));

    if (w->root_count > 0 && search->pool && !limits->alone)
        answer = deepen_together(&run);
    else if (w->root_count > 0)
        iterative_deepening_run(&run);
    if (w->budget.limited) stop_clock(search, limits, position_stm(pos));
    *result = *answer;
    result->score = worker_reported_score(w, result->score);
    result->nodes = worker_total_nodes(w);
    result->tb_hits = worker_total_tb_hits(w);
    result->time_ms = search_elapsed_ms(search);
}
