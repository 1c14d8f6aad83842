/* SPDX-License-Identifier: MIT
 * An engine instance: principal variation search over its own hash table and histories, by one
 * thread or several ("lazy SMP"). A process may have any number of instances with different
 * weights. One caller at a time uses each. Nothing allocates in search_run(). */
#ifndef TABIA_ENGINE_SEARCH_SEARCH_H
#define TABIA_ENGINE_SEARCH_SEARCH_H

#include <stdatomic.h>
#include <stddef.h>

#include "engine/board/key_history.h"
#include "engine/board/movegen.h"
#include "engine/board/position.h"
#include "engine/eval/eval.h"
#include "engine/eval/evaluation.h"
#include "engine/search/params.h"

enum { SEARCH_THREADS_MAX = 1024 };

/* When to stop. With several threads nodes are the sum of all, and a limit on them is exceeded by
 * 1024 per thread at most. A zero field sets no limit; all zero is "infinite". */
/* A period of a chess clock. */
typedef struct ClockPeriod {
    int moves; /* 0: to the end of the game */
    int64_t time_ms, increment_ms;
} ClockPeriod;

enum { CLOCK_PERIODS = 3 };

typedef struct SearchLimits {
    int depth;           /* plies of iterative deepening */
    uint64_t nodes_soft; /* start no iteration that would exceed it if it took as many nodes as the
                            last */
    uint64_t nodes_hard; /* stop inside an iteration; one thread stops exactly here */
    int64_t movetime_ms; /* use this much wall-clock time */
    int64_t time_ms[COLORS], increment_ms[COLORS]; /* chess clock, if has_clock */
    bool has_clock;  /* time_ms is meaningful (it may be 0 or negative: then move at once) */
    int moves_to_go; /* until the next time control; 0: sudden death */
    /* Of a game, after its first moves_to_go; zero: none. The search does not read them. */
    ClockPeriod later[CLOCK_PERIODS - 1];
    int multipv;   /* how many best lines to find; 0 means 1 */
    int mate;      /* stop when a mate by either side in this many moves (not plies) is found */
    bool infinite; /* time limits are ignored; depth, nodes and mate are not */
    bool ponder;   /* our clock starts at ponderhit */
    bool alone;    /* the other search threads do not help */
    const Move *root_moves; /* borrowed: search only these (UCI searchmoves); NULL for all */
    int root_move_count;
    const atomic_int *interrupted; /* borrowed: stop soon after it is not zero; NULL: none */
} SearchLimits;

typedef struct SearchResult {
    Move best;   /* MOVE_NONE when there is no legal move */
    Move ponder; /* expected reply or MOVE_NONE */
    int score;   /* centipawns or mate value, side to move's view; of the last full iteration
                    or the improved partial one that gave `best` */
    int bound;   /* 0; +1: the search was stopped when score was a lower bound */
    int depth, seldepth; /* plies */
    uint64_t nodes;      /* moves made, quiescence included, by all threads */
    uint64_t tb_hits;    /* Syzygy probes that succeeded */
    int64_t time_ms;
    int pv_length;
    Move pv[MAX_PLY];
} SearchResult;

/* One line of progress; what UCI prints as `info`. Pointers are valid during the call only. */
typedef struct SearchInfo {
    int depth, seldepth, multipv, score; /* score: side to move's view */
    int bound;                           /* 0 exact, +1 lower bound, -1 upper bound */
    uint64_t nodes;
    int64_t time_ms;
    int hashfull;     /* per mille */
    uint64_t tb_hits; /* Syzygy probes that succeeded */
    const Move *pv;
    int pv_length;
} SearchInfo;

typedef void (*SearchInfoFn)(void *context, const SearchInfo *info);

typedef struct Search Search;

/* A new, single-threaded instance with a table of about `hash_bytes` (rounded down to a power of
 * two of buckets, at least one page). Copies nothing: `evaluation` is borrowed and must outlive the
 * instance or the next search_set_evaluation(). NULL and an Error when memory is short. */
Search *search_create(const Evaluation *evaluation, size_t hash_bytes, Error *err);
void search_destroy(Search *search); /* NULL-safe */

/* Also clears hash table and histories, which belong to the old one. */
void search_set_evaluation(Search *search, const Evaluation *evaluation);

/* The tunable constants, initially built-in. Setting them clears hash table and histories. */
void search_set_params(Search *search, const SearchParams *params);
const SearchParams *search_params(const Search *search);

MUST_CHECK Status search_resize(Search *search, size_t hash_bytes, Error *err);

/* From 1 to SEARCH_THREADS_MAX threads, the caller of search_run() included; the others sleep
 * between searches. Keeps the hash table and the caller's histories. On failure nothing changes. */
MUST_CHECK Status search_set_threads(Search *search, int threads, Error *err);

/* Clears hash table and histories: the instance then behaves as if just created. It keeps the
 * measured delays of the machine, which only searches with time limits use. */
void search_new_game(Search *search);

/* Called after each iteration, on each fail-high and fail-low at the root, and if the answer is
 * another thread's; in the thread that called search_run(). NULL: not called. */
void search_set_info(Search *search, SearchInfoFn fn, void *context);

/* Reserved per move for transmission, ms (UCI Move Overhead). */
void search_set_move_overhead(Search *search, int64_t ms);

/* How a search uses the process's Syzygy files (engine/search/syzygy.h). */
typedef struct SearchSyzygy {
    int pieces;      /* positions with at most this many pieces are probed; 0: none */
    int probe_depth; /* least depth, plies, at which those with exactly `pieces` are */
    bool rule50;     /* the fifty-move rule applies */
} SearchSyzygy;

/* Without it, or with pieces 0, a search does not probe. `pieces` is at most syzygy_pieces(). */
void search_set_syzygy(Search *search, const SearchSyzygy *tables);

/* Searches. `history` may be NULL (no earlier positions). With one thread and only depth or node
 * limits the result is a function of the instance's state, the arguments and nothing else. */
void search_run(Search *search, const Position *pos, const KeyHistory *history,
                const SearchLimits *limits, SearchResult *result);

/* The static evaluation, side to move's view, limited to scores that are not proven: the score of a
 * search that was stopped at depth 0. */
int search_static_score(const Search *search, const Position *pos);

/* Optional, before another thread calls search_run(): the time of that search starts here, and a
 * later stop or ponderhit applies to it. Starting a thread may take long on a busy machine. Without
 * it search_run() does this itself. */
void search_begin(Search *search, bool ponder);

/* Do these limits give `stm` so little time that the search ends after its first iteration? */
bool search_is_urgent(const Search *search, const SearchLimits *limits, Color stm);

/* From another thread or a signal handler: stop at once / the opponent played the pondered move. */
void search_stop(Search *search);
void search_ponderhit(Search *search);

/* ---- The references */

/* Plain algorithms, each with all that those before it have. At the same depth all without
 * quiescence give the same value. */
typedef enum SearchStep {
    SEARCH_MINIMAX,
    SEARCH_ALPHABETA,  /* moves in the generator's order */
    SEARCH_ORDERING,   /* captures, killers and histories */
    SEARCH_HASH,       /* values of exactly the same depth, and best moves */
    SEARCH_DEEPENING,  /* iterations from depth 1 */
    SEARCH_PVS,        /* null windows */
    SEARCH_QUIESCENCE, /* instead of the static evaluation at depth 0 */
    SEARCH_STEPS
} SearchStep;

/* Searches to a fixed depth, without pruning of uncertain worth, reductions, extensions or draws by
 * repetition and the fifty-move rule. Uses depth, nodes_hard and interrupted of `limits`. The
 * result has nodes, time, depth and score, no moves; stopped by nodes_hard or interrupted, its
 * depth is 0 and its score VALUE_NONE. Fails only without memory. */
MUST_CHECK Status search_reference(SearchStep step, const Position *pos,
                                   const Evaluation *evaluation, const SearchLimits *limits,
                                   SearchResult *result, Error *err);

#endif
