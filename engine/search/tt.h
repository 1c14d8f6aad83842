/* SPDX-License-Identifier: MIT
 * The hash tables (transposition tables): results of earlier searches, by Zobrist key.
 *
 * An entry is one 64-bit word, read and written whole, so that threads may share a table without
 * locks and never see a torn entry. Four make a bucket, two buckets a cache line. Evaluations are
 * not stored: a linear one costs less than the space, others have a table (Values). Source:
 * chessprogramming.org "Transposition Table", "Shared Hash Table".
 *
 * Besides the large shared table each thread has a small table of its own that fits into its core's
 * cache: a memory access costs more than a shallow result is worth. */
#ifndef TABIA_ENGINE_SEARCH_TT_H
#define TABIA_ENGINE_SEARCH_TT_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>

#include "engine/base/status.h"
#include "engine/board/types.h"

typedef enum Bound { BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT } Bound;

enum { TT_BUCKET_SLOTS = 4 };

/* From the low bits up: key 16, move 16, value 16, depth 8, bound 2, PV flag 1, generation 5. */
typedef struct TtBucket {
    _Atomic uint64_t slot[TT_BUCKET_SLOTS];
} TtBucket;

typedef struct Tt {
    TtBucket *buckets; /* owned, aligned to cache lines */
    uint64_t mask;     /* number of buckets - 1; the number is a power of two */
    unsigned generation;
} Tt;

/* The buckets that one thread has written since the table was cleared: after a short game only they
 * are cleared. When it is full, more may have been written. */
enum { TT_LOG_MAX = 1 << 14 };

typedef struct TtLog {
    int count;
    uint32_t bucket[TT_LOG_MAX];
} TtLog;

/* A thread's own table, sized for a core's second level of cache. A bucket holds the last entry of
 * the main search and the last of quiescence, whose many entries are worth less. Zeros: empty. */
enum { TT_NEAR_BUCKETS = 1 << 14 };

typedef struct TtNearBucket {
    alignas(2 * sizeof(uint64_t)) uint64_t tree; /* a bucket lies in one cache line */
    uint64_t quiescence;
} TtNearBucket;

typedef struct TtNear {
    TtNearBucket bucket[TT_NEAR_BUCKETS];
} TtNear;

/* What a probe found. */
typedef struct TtHit {
    bool found;
    bool pv;     /* was once on a principal variation */
    Bound bound; /* of value; BOUND_NONE when not found */
    int depth;   /* plies searched below the position; 0: quiescence */
    int value;   /* side to move's view, mates counted from the probing node's root */
    Move move;   /* MOVE_NONE where none is known; may be illegal after a key collision */
} TtHit;

/* A table of at most `bytes` (at least one page). Its contents are undefined before tt_clear(). On
 * failure *tt is empty and *err is set. */
MUST_CHECK Status tt_init(Tt *tt, size_t bytes, Error *err);
void tt_free(Tt *tt);

/* Clears the part-th (from 0) of `parts` equal parts. Different threads may clear different parts;
 * clearing all of them makes the table as new. */
void tt_clear(Tt *tt, int part, int parts);

/* Clears the buckets in the log. If it is not full and no other thread has written any, the table
 * is then as new. */
void tt_clear_logged(Tt *tt, const TtLog *log);

/* A thread is about to store an entry for `key`. */
static inline void tt_log_store(TtLog *log, const Tt *tt, uint64_t key)
{
    if (log->count < TT_LOG_MAX) log->bucket[log->count++] = (uint32_t)(key >> 16 & tt->mask);
}

/* A new root search starts: entries of earlier searches are replaced first. */
void tt_new_search(Tt *tt);

/* Prefetches the bucket of `key`. */
static inline void tt_prefetch(const Tt *tt, uint64_t key)
{
    __builtin_prefetch(&tt->buckets[key >> 16 & tt->mask]);
}

/* `ply` is the distance from the root, for mate values. */
TtHit tt_probe(const Tt *tt, uint64_t key, int ply);
void tt_store(Tt *tt, uint64_t key, int ply, int depth, int value, Bound bound, bool pv, Move move);

/* The same in a thread's own table; `depth` 0 is quiescence. */
TtHit tt_near_probe(const TtNear *near, uint64_t key, int ply);
void tt_near_store(TtNear *near, uint64_t key, int ply, int depth, int value, Bound bound, bool pv,
                   Move move);

/* Per mille of a sample of slots written in the current generation. */
int tt_fullness(const Tt *tt);

#endif
