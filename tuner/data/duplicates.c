/* SPDX-License-Identifier: MIT
 * Finding positions that look the same to the evaluation: sorted by the first bits of their hashes
 * into parts that fit into a cache; each part is searched with a small hash set. */
#include "tuner/data/duplicates.h"

#include <stdlib.h>
#include <string.h>

#include "tuner/data/fingerprint.h"
#include "tuner/data/scratch.h"

enum { PART_POSITIONS = 1 << 14, MAX_PART_BITS = 14 }; /* of a part, about */

/* The positions that are searched: part by part, in reading order within each. */
typedef struct Parts {
    int bits;          /* of a hash that choose its part */
    int64_t *end;      /* [1 << bits] of each part */
    int32_t *position; /* of scratch */
    int64_t greatest;  /* positions of a part */
} Parts;

/* Working memory of a thread. Open addressing: a slot holds one plus the place in the part of the
 * first position with its hash. */
typedef struct HashSet {
    uint64_t size; /* of slots, a power of two; half of them stay free */
    uint32_t *slot;
    uint64_t *hash; /* [size / 2] of the positions of the part */
} HashSet;

typedef struct DuplicateSearch {
    const Dataset *data;
    const uint64_t *hash; /* [positions] */
    const uint8_t *take;
    uint8_t which;
    Parts parts;
    int32_t *first; /* [positions] */
} DuplicateSearch;

static bool is_taken(const DuplicateSearch *s, int64_t i)
{
    return !s->take || s->take[s->data->game[i]] == s->which;
}

static uint64_t part_of(const DuplicateSearch *s, int64_t i)
{
    return s->hash[i] >> (64 - s->parts.bits);
}

static int64_t part_count(const DuplicateSearch *s)
{
    return (int64_t)1 << s->parts.bits;
}

/* Sets end[p] to the begin of part p, and greatest. */
static void size_parts(DuplicateSearch *s)
{
    int64_t at = 0;

    for (int64_t i = 0; i < s->data->positions; i++)
        if (is_taken(s, i)) s->parts.end[part_of(s, i)]++;
    for (int64_t p = 0; p < part_count(s); p++) {
        int64_t count = s->parts.end[p];
        if (count > s->parts.greatest) s->parts.greatest = count;
        s->parts.end[p] = at;
        at += count;
    }
}

/* Sorts the positions into their parts; end[p] becomes the end of part p. */
static void fill_parts(DuplicateSearch *s)
{
    for (int64_t i = 0; i < s->data->positions; i++) {
        if (is_taken(s, i))
            s->parts.position[s->parts.end[part_of(s, i)]++] = (int32_t)i;
        else
            s->first[i] = -1;
    }
}

static void search_part(const DuplicateSearch *s, int64_t part, HashSet *t)
{
    int64_t begin = part > 0 ? s->parts.end[part - 1] : 0, count = s->parts.end[part] - begin;
    const int32_t *position = s->parts.position + begin;

    for (int64_t i = 0; i < count; i++)
        t->hash[i] = s->hash[position[i]];
    memset(t->slot, 0, t->size * sizeof *t->slot);
    for (int64_t i = 0; i < count; i++) {
        uint64_t at = t->hash[i] & (t->size - 1);
        while (t->slot[at] != 0 && t->hash[t->slot[at] - 1] != t->hash[i])
            at = (at + 1) & (t->size - 1);
        if (t->slot[at] == 0) t->slot[at] = (uint32_t)i + 1;
        s->first[position[i]] = position[t->slot[at] - 1];
    }
}

/* Every `workers`th part. False when out of memory. */
static bool search_parts(const DuplicateSearch *s, int worker, int workers)
{
    HashSet t = {.size = 1024};

    while (t.size < 2 * (uint64_t)s->parts.greatest)
        t.size *= 2;
    t.slot = malloc(t.size * sizeof *t.slot);
    t.hash = malloc(t.size / 2 * sizeof *t.hash);
    bool ok = t.slot && t.hash;
    for (int64_t p = worker; ok && p < part_count(s); p += workers)
        search_part(s, p, &t);
    free(t.slot);
    free(t.hash);
    return ok;
}

static bool search_all(DuplicateSearch *s, int workers)
{
    const char *scratch = s->data->scratch;
    size_t positions = (size_t)s->data->positions;
    bool ok = true;

    while (s->parts.bits < MAX_PART_BITS && positions >> s->parts.bits > PART_POSITIONS)
        s->parts.bits++;
    s->parts.end = calloc((size_t)part_count(s), sizeof *s->parts.end);
    s->parts.position = scratch_resize(scratch, NULL, (positions + 1) * sizeof *s->parts.position);
    s->first = scratch_resize(scratch, NULL, (positions + 1) * sizeof *s->first);
    if (!s->parts.end || !s->parts.position || !s->first) {
        ok = false;
    } else {
        size_parts(s);
        fill_parts(s);
#pragma omp parallel for default(none) shared(s, workers) num_threads(workers)                     \
    reduction(&& : ok) schedule(static, 1)
        for (int w = 0; w < workers; w++)
            ok = search_parts(s, w, workers) && ok;
    }
    free(s->parts.end);
    scratch_free(scratch, s->parts.position);
    return ok;
}

Status dataset_duplicates(const Dataset *data, const uint64_t *hash, const uint8_t *take,
                          uint8_t which, int threads, int32_t **first, Error *err)
{
    uint64_t *own = NULL;

    *first = NULL;
    if (!hash && fingerprint_positions(data, threads, &own, err) != STATUS_OK) return err->status;
    DuplicateSearch s = {data, hash ? hash : own, take, which, .parts.bits = 1};
    bool ok = search_all(&s, threads);
    scratch_free(data->scratch, own);
    *first = s.first;
    if (ok) return STATUS_OK;
    Status status = scratch_error(data->scratch, "the search for duplicates", err);
    scratch_free(data->scratch, s.first);
    *first = NULL;
    return status;
}
