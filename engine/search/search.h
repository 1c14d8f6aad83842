/* SPDX-License-Identifier: MIT
 * An engine instance: principal variation search over its own hash table and histories, by one
 * thread or several ("lazy SMP"). Any number of instances per process, with different weights; one
 * caller at a time uses each. Nothing allocates in search.
 */
#ifndef TABIA_ENGINE_SEARCH_SEARCH_H
#define TABIA_ENGINE_SEARCH_SEARCH_H

#include <stdatomic.h>
#include <stddef.h>

#include "engine/board/key_history.h"
#include "engine/board/movegen.h"
#include "engine/board/position.h"
#include "engine/eval/eval.h"
#include "engine/search/params.h"

enum { SEARCH_THREADS_MAX = 1024 };

/* When to stop. With several threads nodes are those of all together, and a limit on them is
 * overstepped, by about 1024 a thread. A zero field sets no limit; all zero is "infinite". */
typedef struct SearchLimits {
    int depth;           /* plies of iterative deepening */
    uint64_t nodes_soft; /* start no iteration that would pass it, were it as long as the last */
    uint64_t nodes_hard; /* stop inside an iteration; one thread stops exactly here */
    int64_t movetime_ms; /* use this much wall-clock time */
    int64_t time_ms[COLORS], increment_ms[COLORS]; /* chess clock, if has_clock */
    bool has_clock;  /* time_ms is meaningful (it may be 0 or negative: then move at once) */
    int moves_to_go; /* until the next time control; 0: sudden death */
    int multipv;     /* how many best lines to find; 0 means 1 */
    int mate;        /* stop when a mate by either side in this many moves (not plies) is found */
    bool infinite;   /* no clock ends it, whatever is said above; depth, nodes and mate do */
    bool ponder;     /* our clock starts at ponderhit */
    const Move *root_moves; /* borrowed: search only these (UCI searchmoves); NULL for all */
    int root_move_count;
} SearchLimits;

typedef struct SearchResult {
    Move best;   /* MOVE_NONE when there is no legal move */
    Move ponder; /* expected reply or MOVE_NONE */
    int score;   /* centipawns or mate value, side to move's view; of the last full iteration
                    or the improved partial one that gave `best` */
    int depth, seldepth; /* plies */
    uint64_t nodes;      /* positions entered by a move, quiescence included, by all threads */
    uint64_t tb_hits;    /* positions found in the endgame tables */
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
    uint64_t tb_hits; /* positions found in the endgame tables */
    const Move *pv;
    int pv_length;
} SearchInfo;

typedef void (*SearchInfoFn)(void *context, const SearchInfo *info);

typedef struct Search Search;

/* A new, single-threaded instance with a table of about `hash_bytes` (rounded down to a power of
 * two of buckets, at least one page). Copies nothing: `weights` is borrowed and must outlive the
 * instance or the next search_set_weights(). NULL and an Error when memory is short. */
Search *search_create(const EvalWeights *weights, size_t hash_bytes, Error *err);
void search_destroy(Search *search); /* NULL-safe */

/* Also clears everything learned, since it belonged to the old weights. */
void search_set_weights(Search *search, const EvalWeights *weights);

/* The tunable constants; the built-in ones at first. Setting them also clears everything learned.
 */
void search_set_params(Search *search, const SearchParams *params);
const SearchParams *search_params(const Search *search);

MUST_CHECK Status search_resize(Search *search, size_t hash_bytes, Error *err);

/* From 1 to SEARCH_THREADS_MAX threads, the caller of search_run() included; the others sleep
 * between searches. Hash table and the caller's histories stay. On failure all is as before. */
MUST_CHECK Status search_set_threads(Search *search, int threads, Error *err);

/* Forgets hash table and histories: afterwards the instance behaves as if just created, but for
 * what it has learned about the machine's delays, which only searches on time heed. */
void search_new_game(Search *search);

/* Called after each iteration and bound failure, and when the answer is another thread's, from the
 * thread that called search_run(). NULL for silence. */
void search_set_info(Search *search, SearchInfoFn fn, void *context);

/* Reserved per move for transmission, ms (UCI Move Overhead). */
void search_set_move_overhead(Search *search, int64_t ms);

/* How a search uses the process's endgame tables (engine/search/syzygy.h). */
typedef struct SearchSyzygy {
    int men;         /* positions with at most so many men are looked up; 0: none */
    int probe_depth; /* least depth, plies, at which those with just so many are */
    bool rule50;     /* what the fifty-move rule makes a draw is one */
} SearchSyzygy;

/* Without it, and after one with men 0, a search leaves the tables alone. No more men than the
 * tables have make sense. */
void search_set_syzygy(Search *search, const SearchSyzygy *tables);

/* Searches. `history` may be NULL (no earlier positions). With one thread and only depth or node
 * limits the result is a function of the instance's state, the arguments and nothing else. */
void search_run(Search *search, const Position *pos, const KeyHistory *history,
                const SearchLimits *limits, SearchResult *result);

/* Announces a search that another thread is about to run: its time starts here, since starting a
 * thread may take long on a busy machine, and a stop or ponderhit from now on is meant for it.
 * Without it, search_run() does this as it begins. */
void search_begin(Search *search, bool ponder);

/* Has `stm` so little time that a search under these limits ends with its first iteration? */
bool search_is_urgent(const Search *search, const SearchLimits *limits, Color stm);

/* From another thread or a signal handler: stop at once / the opponent played the pondered move. */
void search_stop(Search *search);
void search_ponderhit(Search *search);

/* ---- The references */

/* Plain algorithms that tests hold the real search against, and that show what pruning saves. All
 * share the leaf (quiescence) and draw rules, and give the same root value at the same depth. */
typedef enum SearchAlgorithm { SEARCH_MINIMAX, SEARCH_ALPHABETA, SEARCH_PVS } SearchAlgorithm;

/* Fixed-depth search with every heuristic that may change the value switched off (no null move,
 * reductions, forward pruning, extensions or hash cut-offs). node_limit 0: none; past it the
 * result's depth is 0 and score VALUE_NONE. SEARCH_PVS runs the real search's code in its exact
 * mode with iterative deepening, move ordering and hash moves. Fails only for want of memory. */
MUST_CHECK Status search_reference(SearchAlgorithm algorithm, const Position *pos,
                                   const EvalWeights *weights, int depth, uint64_t node_limit,
                                   SearchResult *result, Error *err);

#endif
