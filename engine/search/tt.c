/* SPDX-License-Identifier: MIT
 * The hash tables: packing, replacement and ageing. */
#ifdef __linux__
#define _DEFAULT_SOURCE /* madvise */
#include <sys/mman.h>
#endif
#include "engine/search/tt.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/posix.h"

enum {
    PAGE_BYTES = 4096,
    HUGE_PAGE_BYTES = 2 << 20,
    GENERATIONS = 32,
    SAMPLE_BUCKETS = 250,
    AGE_PENALTY = 8 /* plies by which an entry is worth less for each generation of age */
};

typedef struct TtSlot {
    unsigned key, depth, generation;
    Bound bound;
    bool pv;
    Move move;
    int value;
} TtSlot;

static uint64_t pack(const TtSlot *s)
{
    return (uint64_t)s->key | (uint64_t)s->move << 16 | (uint64_t)(uint16_t)s->value << 32 |
           (uint64_t)s->depth << 48 | (uint64_t)s->bound << 56 | (uint64_t)s->pv << 58 |
           (uint64_t)s->generation << 59;
}

static TtSlot unpack(uint64_t word)
{
    return (TtSlot){.key = (unsigned)(word & 0xffff),
                    .move = (Move)(word >> 16 & 0xffff),
                    .value = (int16_t)(word >> 32 & 0xffff),
                    .depth = (unsigned)(word >> 48 & 0xff),
                    .bound = (Bound)(word >> 56 & 3),
                    .pv = (word >> 58 & 1) != 0,
                    .generation = (unsigned)(word >> 59)};
}

/* A mate or a win by the tables, reached `plies` earlier. Inside the table they are counted from
 * their position, not from the root. */
static int value_moved(int value, int plies)
{
    if (value >= VALUE_TB_WIN_IN_MAX) return value + plies;
    if (value <= -VALUE_TB_WIN_IN_MAX) return value - plies;
    return value;
}

Status tt_init(Tt *tt, size_t bytes, Error *err)
{
    size_t size = PAGE_BYTES;
    while (size <= bytes / 2)
        size *= 2;
    size_t alignment = size >= HUGE_PAGE_BYTES ? HUGE_PAGE_BYTES : PAGE_BYTES;

    tt->mask = 0;
    tt->generation = 0;
    tt->buckets = aligned_alloc(alignment, size);
    if (!tt->buckets)
        return error_set(err, STATUS_FAILED, "out of memory for a hash table of %d MiB",
                         (int)(size >> 20));
    tt->mask = size / sizeof(TtBucket) - 1;
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    /* Only a hint. Huge pages avoid most TLB misses of probes. */
    (void)madvise(tt->buckets, size, MADV_HUGEPAGE);
#endif
    return STATUS_OK;
}

void tt_free(Tt *tt)
{
    free_aligned(tt->buckets);
    tt->buckets = NULL;
    tt->mask = 0;
}

void tt_clear(Tt *tt, int part, int parts)
{
    uint64_t buckets = tt->mask + 1, share = buckets / (uint64_t)parts;
    uint64_t first = share * (uint64_t)part;
    uint64_t end = part == parts - 1 ? buckets : first + share;

    memset((void *)(tt->buckets + first), 0, (end - first) * sizeof(TtBucket));
    if (part == 0) tt->generation = 0;
}

void tt_clear_logged(Tt *tt, const TtLog *log)
{
    for (int i = 0; i < log->count; i++)
        memset((void *)&tt->buckets[log->bucket[i]], 0, sizeof(TtBucket));
    tt->generation = 0;
}

void tt_new_search(Tt *tt)
{
    tt->generation = (tt->generation + 1) % GENERATIONS;
}

/* Does the word hold an entry for this key? */
static bool is_about(uint64_t word, uint64_t key)
{
    return (word & 0xffff) == (key & 0xffff) && unpack(word).bound != BOUND_NONE;
}

static TtHit hit_of(uint64_t word, int ply)
{
    TtSlot s = unpack(word);
    return (TtHit){.found = true,
                   .pv = s.pv,
                   .bound = s.bound,
                   .depth = (int)s.depth,
                   .value = value_moved(s.value, -ply),
                   .move = s.move};
}

TtHit tt_probe(const Tt *tt, uint64_t key, int ply)
{
    const TtBucket *bucket = &tt->buckets[key >> 16 & tt->mask];

    for (int i = 0; i < TT_BUCKET_SLOTS; i++) {
        uint64_t word = atomic_load_explicit(&bucket->slot[i], memory_order_relaxed);
        if (is_about(word, key)) return hit_of(word, ply);
    }
    return (TtHit){.found = false, .bound = BOUND_NONE, .move = MOVE_NONE};
}

TtHit tt_near_probe(const TtNear *near, uint64_t key, int ply)
{
    const TtNearBucket *bucket = &near->bucket[key >> 16 & (TT_NEAR_BUCKETS - 1)];

    if (is_about(bucket->tree, key)) return hit_of(bucket->tree, ply);
    if (is_about(bucket->quiescence, key)) return hit_of(bucket->quiescence, ply);
    return (TtHit){.found = false, .bound = BOUND_NONE, .move = MOVE_NONE};
}

/* The entry for a result found at `ply`, without the generation. */
static TtSlot slot_for(uint64_t key, int ply, int depth, int value, Bound bound, bool pv, Move move)
{
    return (TtSlot){.key = (unsigned)(key & 0xffff),
                    .move = move,
                    .value = value_moved(value, ply),
                    .depth = (unsigned)depth,
                    .bound = bound,
                    .pv = pv};
}

/* The value of keeping an entry, in plies; an empty entry is replaced first. */
static int worth(const Tt *tt, uint64_t word)
{
    TtSlot s = unpack(word);
    if (s.bound == BOUND_NONE) return -1000;
    int age = (int)((tt->generation + GENERATIONS - s.generation) % GENERATIONS);
    return (int)s.depth - AGE_PENALTY * age;
}

void tt_store(Tt *tt, uint64_t key, int ply, int depth, int value, Bound bound, bool pv, Move move)
{
    TtBucket *bucket = &tt->buckets[key >> 16 & tt->mask];
    _Atomic uint64_t *victim = NULL;
    int least = 0;

    for (int i = 0; i < TT_BUCKET_SLOTS; i++) {
        uint64_t word = atomic_load_explicit(&bucket->slot[i], memory_order_relaxed);
        if ((word & 0xffff) == (key & 0xffff)) {
            TtSlot old = unpack(word);
            if (move == MOVE_NONE) move = old.move;
            /* A much deeper result of the current search is kept instead of a new bound. */
            if (bound != BOUND_EXACT && old.generation == tt->generation &&
                depth + 4 + 2 * pv < (int)old.depth)
                return;
            victim = &bucket->slot[i];
            break;
        }
        int w = worth(tt, word);
        if (!victim || w < least) {
            victim = &bucket->slot[i];
            least = w;
        }
    }
    TtSlot s = slot_for(key, ply, depth, value, bound, pv, move);
    s.generation = tt->generation;
    atomic_store_explicit(victim, pack(&s), memory_order_relaxed);
}

void tt_near_store(TtNear *near, uint64_t key, int ply, int depth, int value, Bound bound, bool pv,
                   Move move)
{
    TtNearBucket *bucket = &near->bucket[key >> 16 & (TT_NEAR_BUCKETS - 1)];
    uint64_t *word = depth > 0 ? &bucket->tree : &bucket->quiescence;

    if (move == MOVE_NONE && is_about(*word, key)) move = unpack(*word).move;
    TtSlot s = slot_for(key, ply, depth, value, bound, pv, move);
    *word = pack(&s);
}

int tt_fullness(const Tt *tt)
{
    uint64_t sample = tt->mask + 1 < SAMPLE_BUCKETS ? tt->mask + 1 : SAMPLE_BUCKETS;
    uint64_t used = 0;

    for (uint64_t b = 0; b < sample; b++)
        for (int i = 0; i < TT_BUCKET_SLOTS; i++) {
            TtSlot s = unpack(atomic_load_explicit(&tt->buckets[b].slot[i], memory_order_relaxed));
            used += s.bound != BOUND_NONE && s.generation == tt->generation;
        }
    return (int)(1000 * used / (TT_BUCKET_SLOTS * sample));
}
