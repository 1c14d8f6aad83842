/* SPDX-License-Identifier: MIT
 * The inside of an engine instance, shared by the files of the search and by nobody else. */
#ifndef TABIA_ENGINE_SEARCH_INTERNAL_H
#define TABIA_ENGINE_SEARCH_INTERNAL_H

#include <string.h>

#include "engine/base/clock.h"
#include "engine/base/thread_pool.h"
#include "engine/board/position_make.h"
#include "engine/search/history.h"
#include "engine/search/movepick.h"
#include "engine/search/search.h"
#include "engine/search/syzygy.h"
#include "engine/search/time_management.h"
#include "engine/search/tt.h"

enum {
    FRAMES_BEFORE = 4,     /* frames before the root, so that "4 plies ago" always exists */
    CHECK_INTERVAL = 1024, /* nodes between looks at the clock and the stop flag */
    CACHE_LINE = 64        /* bytes */
};

/* One ply of the line being searched. */
typedef struct Frame {
    Continuation *continuation; /* replies to `move`; of "no move" after a null move */
    Move move;                  /* being tried here; MOVE_NONE for a null move */
    Move excluded;              /* left out by a singular search, or MOVE_NONE */
    Move killers[KILLERS];      /* quiet moves that refuted siblings */
    int cutoffs;                /* nodes at this ply that failed high, of one node two plies up */
    int eval;                   /* corrected static evaluation, or VALUE_NONE in check */
} Frame;

typedef struct RootMove {
    Move move;
    int score; /* of the running iteration, side to move's view; -VALUE_INFINITE: not better */
    int seldepth;
    uint64_t nodes; /* spent below it in this search */
    int pv_length;
    Move pv[MAX_PLY];
} RootMove;

/* What another thread may touch while a search runs. */
typedef struct Control {
    atomic_bool stop;
    atomic_bool pondering;
    atomic_bool begun;              /* all of this already belongs to the coming search */
    atomic_bool soft_limit_reached; /* only pondering keeps it going: ponderhit is to end it */
    _Atomic int64_t start_ms;
    _Atomic int64_t clock_start_ms; /* since when our clock runs: start_ms, or the ponderhit */
} Control;

/* Everything one searching thread changes. */
typedef struct Worker {
    /* Read in every node. */
    Tt *tt; /* of all threads; `near` is this one's */
    const SearchParams *params;
    Control *control;
    uint64_t nodes;
    uint64_t check_at;   /* look at limits when nodes reach this */
    uint64_t nodes_hard; /* of all threads together; UINT64_MAX: none */
    bool stopped;
    bool reference; /* reference mode: nothing that may change the value */
    int seldepth;
    int root_depth;
    int null_min_ply; /* no null move above this ply: a null move is being verified */
    int root_key;     /* index in keys of the root position */
    TimeBudget budget;
    int64_t last_read_ms;   /* when it last looked at the clock, in a search on time … */
    int64_t longest_gap_ms; /* … and the longest that it was kept from looking */
    SearchSyzygy tables;
    uint64_t tb_hits;
    int root_value; /* by the tables, or VALUE_NONE */
    PsqTable psq;

    Frame frame_store[FRAMES_BEFORE + MAX_PLY + 1];
    uint64_t keys[KEY_HISTORY_MAX + MAX_PLY + 1]; /* of the game, then of the line */
    int pv_length[MAX_PLY + 1];
    Move pv[MAX_PLY + 1][MAX_PLY + 1];

    int root_count;
    RootMove root[MAX_MOVES];
    SearchResult result; /* as far as it got; its nodes and time are not kept */

    Histories histories;
    TtNear near;
    Classical classical;

    _Atomic uint64_t nodes_published, tb_hits_published; /* to other threads: as of its last look */
    struct Worker *helpers; /* owned: the others that search with this one; a helper has none */
    int helper_count;
    char apart[CACHE_LINE]; /* from the busy fields of the next worker in memory */
} Worker;

struct Search {
    const EvalWeights *weights; /* borrowed */
    SearchParams params;
    Tt tt;
    Control control;
    SearchInfoFn info;
    void *info_context;
    int64_t overhead_ms;
    TimeLag lag;
    Worker worker;    /* the main one: it watches the limits and speaks */
    ThreadPool *pool; /* a thread for each of its helpers; NULL without any */
};

/* The worker of a thread: number 0 is the caller of search_run(), the others are the pool's. */
static inline Worker *search_worker(Search *search, int number)
{
    return number == 0 ? &search->worker : &search->worker.helpers[number - 1];
}

/* The answer of all threads, when they are done: the move with most votes, as the thread that is
 * surest of it sees it, or the shortest mate that somebody found; number 0's where they are equal.
 */
const SearchResult *thread_vote(Search *search);

static inline Frame *worker_frame(Worker *w, int ply)
{
    return &w->frame_store[FRAMES_BEFORE + ply];
}

/* m and the line found below it become the principal variation from `ply` on. */
static inline void worker_update_pv(Worker *w, int ply, Move m)
{
    w->pv[ply][0] = m;
    memcpy(w->pv[ply] + 1, w->pv[ply + 1], (size_t)w->pv_length[ply + 1] * sizeof(Move));
    w->pv_length[ply] = w->pv_length[ply + 1] + 1;
}

/* Lets other threads see what the worker has counted. */
static inline void worker_publish_counts(Worker *w)
{
    atomic_store_explicit(&w->nodes_published, w->nodes, memory_order_relaxed);
    atomic_store_explicit(&w->tb_hits_published, w->tb_hits, memory_order_relaxed);
}

/* Of the worker and its helpers; theirs may lag by CHECK_INTERVAL nodes each. */
static inline uint64_t worker_total_nodes(const Worker *w)
{
    uint64_t total = w->nodes;
    for (int i = 0; i < w->helper_count; i++)
        total += atomic_load_explicit(&w->helpers[i].nodes_published, memory_order_relaxed);
    return total;
}

static inline uint64_t worker_total_tb_hits(const Worker *w)
{
    uint64_t total = w->tb_hits;
    for (int i = 0; i < w->helper_count; i++)
        total += atomic_load_explicit(&w->helpers[i].tb_hits_published, memory_order_relaxed);
    return total;
}

/* One search as it goes, in one thread. */
typedef struct Run {
    Search *search;
    Worker *worker;
    int number; /* of the thread; 0 is the main one */
    const Position *pos;
    const KeyHistory *history; /* may be NULL */
    const SearchLimits *limits;
    bool whole; /* the caller has left none of the legal moves out */
    int multipv;
} Run;

/* Everything before the first iteration; the result is the first root move as long as there is no
 * better, or none. */
void run_prepare(Run *run);

/* Iteration after iteration, until a limit is reached or the search is stopped. The main thread
 * reports; helpers heed nothing but the stop. */
void run_deepen(const Run *run);

/* What a reported score becomes where the tables know the root's value: mates stay. */
static inline int worker_reported_score(const Worker *w, int score)
{
    return w->root_value == VALUE_NONE || value_is_mate(score) ? score : w->root_value;
}

/* Since the search was announced. */
static inline int64_t search_elapsed_ms(const Search *search)
{
    return clock_ms() - atomic_load(&search->control.start_ms);
}

/* Completes the line with what is true of all of them (nodes, time, …), and says it. */
void search_report(Search *search, SearchInfo info);

/* Prepares the worker for a search from `pos`: frames, keys of the game, counters. */
void worker_start(Worker *w, const Position *pos, const KeyHistory *history);

/* Makes m at `ply` and counts a node. `checks` are those of `pos`, or NULL. */
ALWAYS_INLINE void worker_make_with(Worker *w, int ply, const Position *pos, Move m,
                                    const Checks *checks, Position *next)
{
    Frame *f = worker_frame(w, ply);

    position_make_with(next, pos, m, &w->psq, checks);
    f->move = m;
    f->continuation = &w->histories.continuation[pos->board[move_from(m)]][move_to(m)];
    w->keys[w->root_key + ply + 1] = next->key;
    w->nodes++;
}

static inline void worker_make(Worker *w, int ply, const Position *pos, Move m, Position *next)
{
    worker_make_with(w, ply, pos, m, NULL, next);
}

/* The value of `pos` at `ply` (0 only for the references) in the window (alpha, beta), fail-soft,
 * side to move's view; what it returns once w->stopped is set has no meaning. `cut_node`: expected
 * to fail high. */
int search_tree(Worker *w, int ply, const Position *pos, int alpha, int beta, int depth,
                bool cut_node);

/* The same over captures and promotions (all evasions in check) until the position is quiet. */
int search_quiescence(Worker *w, int ply, const Position *pos, int alpha, int beta);

/* A draw by repetition (once inside the tree, twice counting the game), the fifty-move rule or
 * insufficient material, at ply ≥ 1. Mate on the hundredth ply has precedence. */
bool search_is_draw(const Worker *w, int ply, const Position *pos);

/* The value of a table's result found `ply` plies below the root: a win, a loss, or by the
 * fifty-move rule (if `rule50`) a draw, where ±1 tells cursed wins and blessed losses. */
int syzygy_value(SyzygyResult result, bool rule50, int ply);

/* Plies, in 1/1024, by which the count-th move (from 1) of a node is reduced. */
int search_base_reduction(const SearchParams *params, int depth, int count);

/* Reads the clock, ms, and notes how long ago that was done last. */
int64_t worker_read_clock(Worker *w);

/* Aborts the search when a limit is reached or a stop is wanted. Call when nodes >= check_at. */
void worker_check_limits(Worker *w);

#endif
