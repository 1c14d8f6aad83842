/* SPDX-License-Identifier: MIT
 * Sorting positions into the layout of the loss kernel. */
#include "tuner/batch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Positions a chunk, at least; more on big sets, so that there are never many more chunks than
 * MAX_CHUNKS (each has a gradient of its own). */
enum { CHUNK_POSITIONS = 8192, MAX_CHUNKS = 256 };
enum { BUCKETS = BATCH_PHASES * (OCCURRENCES_MAX + 1) };

typedef struct Bucket {
    int64_t count;
    int64_t first, occurrence; /* where the next position goes */
} Bucket;

static int bucket_of(const Dataset *data, int64_t i)
{
    return data->phase[i] * (OCCURRENCES_MAX + 1) + data->count[i];
}

void batch_destroy(Batch *batch)
{
    if (!batch) return;
    free(batch->occurrence);
    free(batch->index);
    free(batch->target);
    free(batch->runs);
    free(batch->chunks);
    free(batch);
}

/* Counts the chosen positions by bucket and lays the buckets out one after the other. */
static void size_buckets(const Dataset *data, const uint8_t *take, uint8_t which, Bucket *buckets,
                         Batch *batch, int64_t *occurrences)
{
    for (int64_t i = 0; i < data->positions; i++)
        if (!take || take[data->game[i]] == which) buckets[bucket_of(data, i)].count++;

    *occurrences = 0;
    for (int b = 0; b < BUCKETS; b++) {
        buckets[b].first = batch->positions;
        buckets[b].occurrence = *occurrences;
        batch->positions += buckets[b].count;
        *occurrences += buckets[b].count * (b % (OCCURRENCES_MAX + 1));
    }
}

static void fill_buckets(const Dataset *data, const uint8_t *take, uint8_t which, Bucket *buckets,
                         Batch *batch)
{
    for (int64_t i = 0, from = 0; i < data->positions; from += data->count[i++]) {
        if (take && take[data->game[i]] != which) continue;
        Bucket *bucket = &buckets[bucket_of(data, i)];
        memcpy(batch->occurrence + bucket->occurrence, data->occurrence + from,
               data->count[i] * sizeof(Occurrence));
        batch->index[bucket->first++] = (int32_t)i;
        bucket->occurrence += data->count[i];
    }
}

/* Cuts the (filled) buckets into runs and gathers runs into chunks of about `size` positions. */
static void cut_chunks(const Bucket *buckets, int64_t size, Batch *batch)
{
    int64_t room = 0;

    for (int b = 0; b < BUCKETS; b++) {
        int phase = b / (OCCURRENCES_MAX + 1), occurrences = b % (OCCURRENCES_MAX + 1);
        if (occurrences == 0) { /* a new phase: a new chunk */
            batch->phase_chunk[phase] = batch->chunk_count;
            room = 0;
        }
        int64_t left = buckets[b].count, first = buckets[b].first - left,
                occurrence = buckets[b].occurrence - left * occurrences;
        while (left > 0) {
            if (room == 0) {
                batch->chunks[batch->chunk_count++] = (BatchChunk){phase, batch->run_count, 0};
                room = size;
            }
            int64_t count = left < room ? left : room;
            batch->runs[batch->run_count++] = (BatchRun){occurrences, first, count, occurrence};
            batch->chunks[batch->chunk_count - 1].run_count++;
            first += count;
            occurrence += count * occurrences;
            left -= count;
            room -= count;
        }
    }
    batch->phase_chunk[BATCH_PHASES] = batch->chunk_count;
}

static void count_games(const Dataset *data, uint8_t *seen, Batch *batch)
{
    for (int64_t i = 0; i < batch->positions; i++) {
        int32_t game = data->game[batch->index[i]];
        batch->games += !seen[game];
        seen[game] = 1;
    }
}

Status batch_create(const Dataset *data, const uint8_t *take, uint8_t which, Batch **out,
                    Error *err)
{
    int64_t occurrences = 0, size = CHUNK_POSITIONS;
    Bucket *buckets = calloc(BUCKETS, sizeof *buckets);
    uint8_t *seen = calloc((size_t)data->games + 1, 1);
    Batch *batch = calloc(1, sizeof *batch);
    Status status = STATUS_FAILED;

    *out = NULL;
    if (!buckets || !seen || !batch) goto out_of_memory;
    size_buckets(data, take, which, buckets, batch, &occurrences);
    if (batch->positions > (int64_t)MAX_CHUNKS * size) size = batch->positions / MAX_CHUNKS + 1;

    size_t chunks = (size_t)(batch->positions / size) + BATCH_PHASES;
    batch->occurrence = malloc(((size_t)occurrences + 1) * sizeof *batch->occurrence);
    batch->index = malloc(((size_t)batch->positions + 1) * sizeof *batch->index);
    batch->target = malloc(((size_t)batch->positions + 1) * sizeof *batch->target);
    batch->chunks = malloc(chunks * sizeof *batch->chunks);
    batch->runs = malloc((chunks + BUCKETS) * sizeof *batch->runs);
    if (!batch->occurrence || !batch->index || !batch->target || !batch->chunks || !batch->runs)
        goto out_of_memory;

    fill_buckets(data, take, which, buckets, batch);
    cut_chunks(buckets, size, batch);
    count_games(data, seen, batch);
    batch_set_targets(batch, data, 1, 0);
    *out = batch;
    batch = NULL;
    status = STATUS_OK;
    goto cleanup;

out_of_memory:
    (void)error_set(err, status, "out of memory for %lld positions", (long long)data->positions);
cleanup:
    free(buckets);
    free(seen);
    batch_destroy(batch);
    return status;
}

void batch_set_targets(Batch *batch, const Dataset *data, double lambda, double k)
{
    for (int64_t i = 0; i < batch->positions; i++) {
        int32_t at = batch->index[i];
        double target = data->result[at] / 2.0;
        if (lambda < 1 && data->score[at] != SCORE_UNKNOWN)
            target = lambda * target + (1 - lambda) / (1 + exp(-k * data->score[at] / 400));
        batch->target[i] = (float)target;
    }
}
