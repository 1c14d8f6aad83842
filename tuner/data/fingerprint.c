/* SPDX-License-Identifier: MIT
 * Hashes of positions, and what follows from them. */
#include "tuner/data/fingerprint.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/byte_order.h"
#include "engine/base/pcg.h"
#include "engine/base/system.h"
#include "tuner/data/scratch.h"

enum { BLOCK = 1 << 16 }; /* positions that one thread takes at a time */

static int64_t blocks_of(const Dataset *data)
{
    return (data->positions + BLOCK - 1) / BLOCK;
}

static int64_t block_end(const Dataset *data, int64_t block)
{
    int64_t end = (block + 1) * BLOCK;
    return end < data->positions ? end : data->positions;
}

/* ---- Positions */

/* Four occurrences a time. */
static uint64_t features_hash(const Occurrence *at, int count, int phase)
{
    uint64_t hash = mix64((uint64_t)count << 8 | (uint64_t)phase);

    for (; count >= 4; count -= 4, at += 4)
        hash = mix64(hash + ((uint64_t)at[0] | (uint64_t)at[1] << 16 | (uint64_t)at[2] << 32 |
                             (uint64_t)at[3] << 48));
    uint64_t rest = 0;
    for (int i = 0; i < count; i++)
        rest = rest << 16 | at[i];
    return mix64(hash + rest);
}

static void hash_block(const Dataset *data, int64_t block, const Occurrence *at, uint64_t *hash)
{
    int64_t end = block_end(data, block);

    if (system_must_end()) return;
    for (int64_t i = block * BLOCK; i < end; at += data->count[i++])
        hash[i] = features_hash(at, data->count[i], data->phase[i]);
}

/* malloc'ed: where the occurrences of each block begin; NULL when out of memory. */
static const Occurrence **block_starts(const Dataset *data)
{
    const Occurrence *at = data->occurrence;
    const Occurrence **start = malloc(((size_t)blocks_of(data) + 1) * sizeof *start);

    for (int64_t b = 0; start && b < blocks_of(data); b++) {
        start[b] = at;
        for (int64_t i = b * BLOCK; i < block_end(data, b); i++)
            at += data->count[i];
    }
    return start;
}

/* (*hash)[positions], in data->scratch: 64 bits for the phase and the features of each position. */
static Status hash_positions(const Dataset *data, int threads, uint64_t **hash, Error *err)
{
    int64_t blocks = blocks_of(data);
    const Occurrence **start = block_starts(data);
    uint64_t *out =
        scratch_resize(data->scratch, NULL, ((size_t)data->positions + 1) * sizeof *out);

    *hash = out;
    if (!start || !out) {
        Status status = scratch_error(data->scratch, "the hashes of positions", err);
        free(start);
        scratch_free(data->scratch, out);
        *hash = NULL;
        return status;
    }
#pragma omp parallel for default(none) shared(data, blocks, start, out) num_threads(threads)       \
    schedule(dynamic)
    for (int64_t b = 0; b < blocks; b++)
        hash_block(data, b, start[b], out);
    free(start);
    return system_check_end(err);
}

/* ---- Duplicates */

enum { PART_POSITIONS = 1 << 14, MAX_PART_BITS = 14 }; /* of a part, about */

/* Working memory of a thread. Open addressing: a slot holds one plus the place in the part of the
 * first position with its hash. */
typedef struct HashSet {
    uint64_t size; /* of slots, a power of two; half of them stay free */
    uint32_t *slot;
    uint64_t *hash; /* [size / 2] of the positions of the part */
} HashSet;

/* The positions that are searched are sorted by the first bits of their hashes into parts that fit
 * into a cache; each part is searched with a small hash set. */
typedef struct DuplicateSearch {
    const Dataset *data;
    const uint64_t *hash; /* [positions] */
    const uint8_t *take;
    uint8_t which;
    int bits;          /* of a hash that choose its part */
    int64_t *end;      /* [1 << bits] of each part */
    int32_t *position; /* part by part, in reading order within each; of scratch */
    int64_t greatest;  /* positions of a part */
    int32_t *first;    /* [positions] */
} DuplicateSearch;

static bool is_taken(const DuplicateSearch *s, int64_t i)
{
    return !s->take || s->take[s->data->game[i]] == s->which;
}

static uint64_t part_of(const DuplicateSearch *s, int64_t i)
{
    return s->hash[i] >> (64 - s->bits);
}

static int64_t part_count(const DuplicateSearch *s)
{
    return (int64_t)1 << s->bits;
}

/* Sets end[p] to the begin of part p, and greatest. */
static void size_parts(DuplicateSearch *s)
{
    int64_t at = 0;

    for (int64_t i = 0; i < s->data->positions && !system_must_end(); i++)
        if (is_taken(s, i)) s->end[part_of(s, i)]++;
    for (int64_t p = 0; p < part_count(s); p++) {
        int64_t count = s->end[p];
        if (count > s->greatest) s->greatest = count;
        s->end[p] = at;
        at += count;
    }
}

/* Sorts the positions into their parts; end[p] becomes the end of part p. */
static void fill_parts(DuplicateSearch *s)
{
    for (int64_t i = 0; i < s->data->positions && !system_must_end(); i++) {
        if (is_taken(s, i))
            s->position[s->end[part_of(s, i)]++] = (int32_t)i;
        else
            s->first[i] = -1;
    }
}

static void search_part(const DuplicateSearch *s, int64_t part, HashSet *t)
{
    int64_t begin = part > 0 ? s->end[part - 1] : 0, count = s->end[part] - begin;
    const int32_t *position = s->position + begin;

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

    while (t.size < 2 * (uint64_t)s->greatest)
        t.size *= 2;
    t.slot = malloc(t.size * sizeof *t.slot);
    t.hash = malloc(t.size / 2 * sizeof *t.hash);
    bool ok = t.slot && t.hash;
    for (int64_t p = worker; ok && p < part_count(s) && !system_must_end(); p += workers)
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

    while (s->bits < MAX_PART_BITS && positions >> s->bits > PART_POSITIONS)
        s->bits++;
    s->end = calloc((size_t)part_count(s), sizeof *s->end);
    s->position = scratch_resize(scratch, NULL, (positions + 1) * sizeof *s->position);
    s->first = scratch_resize(scratch, NULL, (positions + 1) * sizeof *s->first);
    if (!s->end || !s->position || !s->first) {
        ok = false;
    } else {
        size_parts(s);
        fill_parts(s);
#pragma omp parallel for default(none) shared(s, workers) num_threads(workers)                     \
    reduction(&& : ok) schedule(static, 1)
        for (int w = 0; w < workers; w++)
            ok = search_parts(s, w, workers) && ok;
    }
    free(s->end);
    scratch_free(scratch, s->position);
    return ok;
}

/* dataset_duplicates(), with the hashes. */
static Status find_duplicates(const Dataset *data, const uint64_t *hash, const uint8_t *take,
                              uint8_t which, int threads, int32_t **first, Error *err)
{
    DuplicateSearch s = {data, hash, take, which, .bits = 1};

    bool ok = search_all(&s, threads);
    *first = s.first;
    Status status =
        ok ? system_check_end(err) : scratch_error(data->scratch, "the search for duplicates", err);
    if (status == STATUS_OK) return STATUS_OK;
    scratch_free(data->scratch, s.first);
    *first = NULL;
    return status;
}

Status dataset_duplicates(const Dataset *data, const uint8_t *take, uint8_t which, int threads,
                          int32_t **first, Error *err)
{
    uint64_t *hash;

    *first = NULL;
    Status status = hash_positions(data, threads, &hash, err);
    if (status == STATUS_OK) status = find_duplicates(data, hash, take, which, threads, first, err);
    scratch_free(data->scratch, hash);
    return status;
}

/* ---- The digest */

typedef struct Leaf {
    uint8_t hash[SHA256_DIGEST_SIZE];
} Leaf;

/* A GameResult as it is, a soft label as the bits of the float. */
static uint64_t result_code(float result)
{
    uint32_t bits;

    memcpy(&bits, &result, sizeof bits);
    return result == (float)(int)result ? (uint64_t)result : bits;
}

static void digest_block(const Dataset *data, int64_t block, const uint64_t *hash, Leaf *leaf)
{
    uint8_t stretch[8];
    uint64_t sum = 0;
    struct sha256_ctx sha;
    int64_t end = block_end(data, block);

    sha256_init(&sha);
    for (int64_t i = block * BLOCK; i < end; i++) {
        sum =
            mix64(sum + hash[i] + (result_code(data->result[i]) << 16 | (uint16_t)data->score[i]));
        if (i + 1 < end && data->game[i + 1] == data->game[i]) continue;
        put_le(stretch, mix64(sum + (uint32_t)data->game[i]), 8);
        sha256_update(&sha, sizeof stretch, stretch);
        sum = 0;
    }
    sha256_end(&sha, leaf->hash);
}

/* The SHA-256 of the blocks' SHA-256: blocks can be hashed side by side, and the digest still
 * depends on the positions and their order alone. */
static Status set_digest(Dataset *data, const uint64_t *hash, int threads, Error *err)
{
    int64_t blocks = blocks_of(data);
    Leaf *leaves = calloc((size_t)blocks + 1, sizeof *leaves);

    if (!leaves) return error_set(err, STATUS_FAILED, "out of memory for the digest of a data set");
#pragma omp parallel for default(none) shared(data, hash, leaves, blocks) num_threads(threads)     \
    schedule(dynamic)
    for (int64_t b = 0; b < blocks; b++)
        if (!system_must_end()) digest_block(data, b, hash, &leaves[b]);
    sha256_hex(leaves, (uint64_t)blocks * sizeof *leaves, data->digest);
    free(leaves);
    return system_check_end(err);
}

/* ---- The end of reading */

static void count_duplicates(Dataset *data, const int32_t *first)
{
    for (int64_t i = 0; i < data->positions && !system_must_end(); i++) {
        if (first[i] == i) continue;
        data->stats.duplicates++;
        data->stats.contradicting += data->result[i] != data->result[first[i]];
        data->stats.shared += data->game[i] != data->game[first[i]];
    }
}

Status dataset_finish(Dataset *data, int threads, Error *err)
{
    uint64_t *hash;
    int32_t *first = NULL;

    Status status = dataset_trim(data, err);
    if (status != STATUS_OK) return status;
    status = hash_positions(data, threads, &hash, err);
    if (status == STATUS_OK) status = set_digest(data, hash, threads, err);
    if (status == STATUS_OK) status = find_duplicates(data, hash, NULL, 0, threads, &first, err);
    if (status == STATUS_OK) count_duplicates(data, first);
    scratch_free(data->scratch, first);
    scratch_free(data->scratch, hash);
    return status == STATUS_OK ? system_check_end(err) : status;
}

static Status check(const Dataset *data, const char *source, Error *err)
{
    const DatasetStats *s = &data->stats;
    char left_out[DROPPED_TEXT_MAX];

    if (data->positions > 0) return STATUS_OK;
    if (s->positions_read == 0) return error_set(err, STATUS_BAD_INPUT, "%s: no positions", source);
    dropped_text(s->dropped, left_out);
    return error_set(err, STATUS_BAD_INPUT, "%s: no position passes the filters; left out: %s%s",
                     source, left_out,
                     s->dropped[DROP_UNSCORED] == s->positions_read ? "; --keep-unscored reads them"
                                                                    : "");
}

/* Reads the source to count, and makes the filter follow its curve. */
static Status follow_curve(DatasetReadFn *read, const void *source, const char *name,
                           DatasetFilter *filter, int threads, Dataset *data, Error *err)
{
    if (system_is_device(name))
        return error_set(err, STATUS_USAGE,
                         "%s: --pieces-32, --pieces-17 and --pieces-2 read their source twice, "
                         "which only a file allows; write it to one",
                         name);
    filter->counting = true;
    Status status = read(source, filter, threads, data, err);
    filter->counting = false;
    filter->linked = true; /* of a store: the first reading checked it */
    position_filter_follow_curve(&filter->positions, data->stats.pieces);
    dataset_clear(data);
    return status;
}

Status dataset_read_source(DatasetReadFn *read, const void *source, const char *name,
                           const DatasetFilter *filter, int threads, Dataset **data, Error *err)
{
    DatasetFilter f = *filter;

    Status status = dataset_create(dataset_columns(filter), data, err);
    if (status != STATUS_OK) return status;
    (*data)->terms = filter->terms;
    (*data)->scratch = filter->scratch;
    if (position_filter_has_curve(&f.positions))
        status = follow_curve(read, source, name, &f, threads, *data, err);
    if (status == STATUS_OK) status = read(source, &f, threads, *data, err);
    if (status == STATUS_OK) status = check(*data, name, err);
    if (status == STATUS_OK) status = dataset_finish(*data, threads, err);
    if (status == STATUS_OK) return STATUS_OK;
    dataset_destroy(*data);
    *data = NULL;
    return status;
}
