/* SPDX-License-Identifier: MIT
 * The inside of an engine instance: search threads and their state. Private to engine/search. */
#ifndef TABIA_ENGINE_SEARCH_WORKER_H
#define TABIA_ENGINE_SEARCH_WORKER_H

#include <string.h>

#include "engine/base/clock.h"
#include "engine/base/thread_pool.h"
#include "engine/board/position_make.h"
#include "engine/search/history.h"
#include "engine/search/movepick.h"
#include "engine/search/search.h"
#include "engine/search/time_management.h"
#include "engine/search/tt.h"

enum {
    FRAMES_BEFORE = 4,     /* frames before the root, so that "4 plies ago" always exists */
    CHECK_INTERVAL = 1024, /* nodes between checks of the clock and the stop flag */
    CACHE_LINE = 64        /* bytes */
};

/* One ply of the line being searched. */
typedef struct Frame {
    Continuation *continuation; /* replies to `move`; of "no move" after a null move */
    Move move;                  /* being searched; MOVE_NONE for a null move */
    Move excluded;              /* by a singular search, or MOVE_NONE */
    Move killers[KILLERS];      /* quiet moves that failed high in sibling nodes */
    int cutoffs;                /* fail-highs at this ply below one node two plies up */
    int eval;                   /* corrected static evaluation, or VALUE_NONE in check */
} Frame;

/* The plies since the moves whose continuation histories count. */
static const int continuation_back[CONTINUATIONS] = {1, 2, 4};

/* Those histories, for the picker. */
static inline void frame_continuations(const Frame *f, const Continuation *out[CONTINUATIONS])
{
    for (int i = 0; i < CONTINUATIONS; i++)
        out[i] = f[-continuation_back[i]].continuation;
}

/* What a thread's last positions were evaluated to, where that costs more than a look-up: the next
 * iteration and the next move's search meet them again. Nothing of another game stays. */
enum { VALUE_ENTRIES = 1 << 13 };

typedef struct Values {
    uint64_t entry[VALUE_ENTRIES]; /* the high 48 bits of the key, 16 of the value; 0: empty */
} Values;

typedef struct RootMove {
    Move move;
    int score; /* of the running iteration, side to move's view; -VALUE_INFINITE: not better */
    int bound; /* of score: 0 exact, +1 a lower bound */
    int last_score, last_depth; /* as last reported among several lines; depth 0: never */
    int seldepth;
    uint64_t nodes; /* spent below it in this search */
    int pv_length;
    Move *pv; /* one of root_pv: moves change places often */
} RootMove;

/* What another thread may change while a search runs. */
typedef struct Control {
    atomic_bool stop;
    const atomic_int *interrupted; /* of the limits */
    atomic_bool pondering;
    atomic_bool begun;              /* search_begin() has set these fields for the next search */
    atomic_bool soft_limit_reached; /* only pondering continues: a ponderhit stops the search */
    _Atomic int64_t start_ms;
    _Atomic int64_t clock_start_ms; /* when our clock started: start_ms, or the ponderhit */
} Control;

/* Everything that one search thread changes. */
typedef struct Worker {
    /* Read in every node. */
    Tt *tt; /* shared by all threads; `near` is private */
    const SearchParams *params;
    Control *control;
    uint64_t nodes;
    uint64_t check_at;   /* check the limits when `nodes` reaches this */
    uint64_t nodes_hard; /* of all threads together; UINT64_MAX: none */
    bool stopped;
    int seldepth;
    int root_depth;
    int null_min_ply; /* no null move above this ply while a null move is verified */
    int root_key;     /* index in keys of the root position */
    TimeBudget budget;
    int64_t last_read_ms;   /* of the clock, in a search with a time limit … */
    int64_t longest_gap_ms; /* … and the longest time between two such readings */
    SearchSyzygy syzygy;
    uint64_t tb_hits;
    int root_value; /* by Syzygy, or VALUE_NONE */
    PsqTable psq;
    KingSquares kings; /* of which psq lacks what depends on them */

    Frame frame_store[FRAMES_BEFORE + MAX_PLY + 1];
    uint64_t keys[KEY_HISTORY_MAX + MAX_PLY + 1]; /* of the game, then of the line */
    const Position *line[MAX_PLY + 1];            /* from the root to the node being searched */
    int pv_length[MAX_PLY + 1];
    Move pv[MAX_PLY + 1][MAX_PLY + 1];

    int root_count;
    RootMove root[MAX_MOVES];
    Move root_pv[MAX_MOVES][MAX_PLY];
    SearchResult result; /* best so far; its nodes and time are not maintained */

    Histories histories;
    TtNear near;
    Classical classical;
    const Network *network; /* evaluates instead; NULL: none */
    bool keeps_values;      /* in `values` */
    Values values;
    TtLog log; /* of what this thread has written to `tt` */

    _Atomic uint64_t nodes_published, tb_hits_published; /* for other threads; may lag */
    const struct Worker *helped;                         /* borrowed: the main one; NULL in it */
    struct Worker *helpers; /* owned: the other search threads; NULL in a helper */
    int helper_count;
    Accumulator accumulators[MAX_PLY + 1]; /* of the network, each of some position at its ply */
    NetworkCache network_cache;            /* used with king buckets */
    char padding[CACHE_LINE];              /* separates the busy fields of neighbours in memory */
} Worker;

struct Search {
    const Evaluation *evaluation; /* borrowed */
    SearchParams params;
    Tt tt;
    Control control;
    SearchInfoFn info;
    void *info_context;
    bool clear_logged; /* only what the logs hold is cleared in the hash table */
    int64_t overhead_ms;
    TimeLag lag;
    Worker worker;    /* the main one: it checks the limits and reports */
    ThreadPool *pool; /* one thread for each helper; NULL without helpers */
};

/* The worker of a thread: number 0 is the caller of search_run(), the others are the pool's. */
static inline Worker *search_worker(Search *search, int number)
{
    return number == 0 ? &search->worker : &search->worker.helpers[number - 1];
}

/* Since search_begin(). */
static inline int64_t search_elapsed_ms(const Search *search)
{
    return clock_ms() - atomic_load(&search->control.start_ms);
}

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

/* Makes the worker's counters visible to other threads. */
static inline void worker_publish_counts(Worker *w)
{
    atomic_store_explicit(&w->nodes_published, w->nodes, memory_order_relaxed);
    atomic_store_explicit(&w->tb_hits_published, w->tb_hits, memory_order_relaxed);
}

/* Of the main worker and its helpers; each helper's may lag by CHECK_INTERVAL nodes. */
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

/* The score to report: the Syzygy value of the root if it is known, except for mates. */
static inline int worker_reported_score(const Worker *w, int score)
{
    return w->root_value == VALUE_NONE || value_is_mate(score) ? score : w->root_value;
}

/* Counts the node at `ply`, whose position must live as long as it is searched. */
static inline void worker_enter(Worker *w, int ply, const Position *pos)
{
    w->keys[w->root_key + ply] = pos->key;
    w->line[ply] = pos;
    w->nodes++;
}

/* Makes m at `ply` and counts a node. `checks` are those of `pos`, or NULL. */
ALWAYS_INLINE void worker_make_with(Worker *w, int ply, const Position *pos, Move m,
                                    const Checks *checks, Position *next)
{
    Frame *f = worker_frame(w, ply);

    position_make_with(next, pos, m, &w->psq, checks);
    if (w->kings.used) next->psq += king_squares_change(&w->kings, pos, m, next);
    f->move = m;
    f->continuation = &w->histories.continuation[pos->board[move_from(m)]][move_to(m)];
    worker_enter(w, ply + 1, next);
}

static inline void worker_make(Worker *w, int ply, const Position *pos, Move m, Position *next)
{
    worker_make_with(w, ply, pos, m, NULL, next);
}

/* Sets pos->psq from scratch. */
void worker_refresh_psq(const Worker *w, Position *pos);

/* Derives the tables of the terms, and clears what another evaluation had computed. Linear weights
 * are copied, a network is borrowed. */
void worker_set_evaluation(Worker *w, const Evaluation *evaluation);

/* The evaluation of the position at `ply`, which may be known. */
int worker_kept_value(Worker *w, int ply, const Position *pos);

/* The static evaluation, side to move's view. */
static inline int worker_evaluate(Worker *w, int ply, const Position *pos)
{
    return w->keeps_values ? worker_kept_value(w, ply, pos) : eval_position(pos, &w->classical);
}

/* Prepares the worker for a search from `pos`: frames, keys of the game, counters. */
void worker_start(Worker *w, const Position *pos, const KeyHistory *history);

/* Reads the clock, ms, and notes the time since the last reading. */
int64_t worker_read_clock(Worker *w);

/* Stops the search when a limit is reached or the stop flag is set. Call when nodes >= check_at. */
void worker_check_limits(Worker *w);

#endif
