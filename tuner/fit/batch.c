/* SPDX-License-Identifier: MIT
 * Sorting positions into the layout of the loss kernel. */
#include "tuner/fit/batch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/system.h"
#include "tuner/data/fingerprint.h"
#include "tuner/data/scratch.h"

/* Least number of positions of a chunk. Large sets have larger chunks, so that there are about
 * MAX_CHUNKS at most: each has a gradient of its own. */
enum { CHUNK_POSITIONS = 8192, MAX_CHUNKS = 256 };
enum { BUCKETS = BATCH_PHASES * (OCCURRENCES_MAX + 1) };

typedef struct FeatureBucket {
    int64_t count;
    int64_t first, occurrence; /* where its positions start, those of a part: where the next goes */
} FeatureBucket;

/* Consecutive positions of the data set, the work of a thread. */
typedef struct Part {
    int64_t first, end;
    int64_t occurrence, occurrences; /* of the data set: where its own start, how many */
    uint8_t used[UINT16_MAX + 1];    /* 1: an occurrence of chosen positions */
    FeatureBucket buckets[BUCKETS];
} Part;

/* Working memory of a layout. */
typedef struct Layout {
    const Dataset *data;
    const BatchOptions *options;
    int32_t *first; /* [positions] the first of its duplicates; NULL: all are kept */
    Part *part;
    int parts;
    FeatureBucket buckets[BUCKETS];  /* of all parts */
    Occurrence code[UINT16_MAX + 1]; /* the batch's code for a data set's occurrence */
} Layout;

void batch_destroy(Batch *batch)
{
    if (!batch) return;
    free(batch->column);
    free(batch->code_of);
    free(batch->code_value);
    scratch_free(batch->scratch, batch->occurrence);
    scratch_free(batch->scratch, batch->index);
    scratch_free(batch->scratch, batch->target);
    scratch_free(batch->scratch, batch->weight);
    free(batch->runs);
    free(batch->chunks);
    scratch_free(batch->scratch, batch->stands_for);
    free(batch);
}

static bool is_taken(const Layout *l, int64_t i)
{
    const BatchOptions *o = l->options;
    if (l->first) return l->first[i] == i;
    return !o->take || o->take[l->data->game[i]] == o->which;
}

/* ---- Parts */

typedef void PartStep(const Layout *l, Part *part, Batch *batch);

static void each_part(const Layout *l, PartStep *step, Batch *batch)
{
#pragma omp parallel for default(none) shared(l, step, batch) num_threads(l->parts)                \
    schedule(static, 1)
    for (int p = 0; p < l->parts; p++)
        step(l, &l->part[p], batch);
}

static int bucket_of(const Dataset *data, int64_t i)
{
    return data->phase[i] * (OCCURRENCES_MAX + 1) + data->count[i];
}

static void count_occurrences(const Layout *l, Part *part, Batch *batch)
{
    (void)batch;
    for (int64_t i = part->first; i < part->end && !system_must_end(); i++)
        part->occurrences += l->data->count[i];
}

/* Marks the occurrences of the chosen positions and counts these by bucket. */
static void survey(const Layout *l, Part *part, Batch *batch)
{
    const Occurrence *at = l->data->occurrence + part->occurrence;

    (void)batch;
    for (int64_t i = part->first; i < part->end && !system_must_end(); at += l->data->count[i++]) {
        if (!is_taken(l, i)) continue;
        part->buckets[bucket_of(l->data, i)].count++;
        for (int j = 0; j < l->data->count[i]; j++)
            part->used[at[j]] = 1;
    }
}

static Status divide(Layout *l, Error *err)
{
    int64_t positions = l->data->positions, occurrence = 0;

    l->parts = l->options->threads > 1 ? l->options->threads : 1;
    l->part = calloc((size_t)l->parts, sizeof *l->part);
    if (!l->part) return error_set(err, STATUS_FAILED, "out of memory for the layout of positions");
    for (int p = 0; p < l->parts; p++) {
        l->part[p].first = positions * p / l->parts;
        l->part[p].end = positions * (p + 1) / l->parts;
    }
    each_part(l, count_occurrences, NULL);
    for (int p = 0; p < l->parts; occurrence += l->part[p++].occurrences)
        l->part[p].occurrence = occurrence;
    if (system_must_end()) return system_check_end(err); /* the sums are not whole */
    each_part(l, survey, NULL);
    return system_check_end(err);
}

/* ---- Codes */

static bool is_used(const Layout *l, int occurrence)
{
    for (int p = 0; p < l->parts; p++)
        if (l->part[p].used[occurrence]) return true;
    return false;
}

static int tied_column(const Layout *l, Occurrence o)
{
    int column = occurrence_column(o, l->data->columns);
    return l->options->space ? l->options->space->tied_to[column] : column;
}

typedef struct CodeKey {
    int column, value;
    Occurrence occurrence;
} CodeKey;

static int compare_keys(const void *a, const void *b)
{
    const CodeKey *x = a, *y = b;
    if (x->column != y->column) return x->column < y->column ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

/* Gives equal keys, which are neighbours, one code, and numbers the columns. */
static void number_codes(const CodeKey *keys, int count, Layout *l, Batch *batch)
{
    for (int n = 0; n < count; n++) {
        const CodeKey *key = &keys[n];
        if (n == 0 || compare_keys(key, key - 1) != 0) {
            if (n == 0 || key->column != key[-1].column)
                batch->column[batch->columns++] = (uint16_t)key->column;
            batch->code_of[batch->codes] = (uint16_t)(batch->columns - 1);
            batch->code_value[batch->codes++] = (int8_t)key->value;
        }
        l->code[key->occurrence] = (Occurrence)(batch->codes - 1);
    }
}

static Status find_codes(Layout *l, Batch *batch, Error *err)
{
    enum { ALL = UINT16_MAX + 1 };
    CodeKey *keys = malloc(ALL * sizeof *keys);
    int count = 0;
    Status status = STATUS_FAILED;

    if (!keys) goto cleanup;
    for (int o = 0; o < ALL; o++)
        if (is_used(l, o))
            keys[count++] =
                (CodeKey){tied_column(l, (Occurrence)o),
                          occurrence_value((Occurrence)o, l->data->columns), (Occurrence)o};
    qsort(keys, (size_t)count, sizeof *keys, compare_keys);
    batch->column = malloc(((size_t)count + 1) * sizeof *batch->column);
    batch->code_of = malloc(((size_t)count + 1) * sizeof *batch->code_of);
    batch->code_value = malloc((size_t)count + 1);
    if (!batch->column || !batch->code_of || !batch->code_value) goto cleanup;
    number_codes(keys, count, l, batch);
    status = STATUS_OK;

cleanup:
    if (status != STATUS_OK) error_set(err, status, "out of memory for the features");
    free(keys);
    return status;
}

/* ---- Buckets */

/* Lays the buckets out one after the other, and in each the parts. */
static void size_buckets(Layout *l, Batch *batch, int64_t *occurrences)
{
    *occurrences = 0;
    for (int b = 0; b < BUCKETS; b++) {
        FeatureBucket *whole = &l->buckets[b];
        *whole = (FeatureBucket){0, batch->positions, *occurrences};
        for (int p = 0; p < l->parts; p++) {
            FeatureBucket *bucket = &l->part[p].buckets[b];
            bucket->first = batch->positions;
            bucket->occurrence = *occurrences;
            whole->count += bucket->count;
            batch->positions += bucket->count;
            *occurrences += bucket->count * (b % (OCCURRENCES_MAX + 1));
        }
    }
}

/* Translates into codes in ascending order, which ties may have changed. */
static void write_codes(const Layout *l, const Occurrence *from, int count, Occurrence *to)
{
    for (int j = 0; j < count; j++) {
        Occurrence code = l->code[from[j]];
        int at = j;
        for (; at > 0 && to[at - 1] > code; at--)
            to[at] = to[at - 1];
        to[at] = code;
    }
}

static void fill_buckets(const Layout *l, Part *part, Batch *batch)
{
    const Dataset *data = l->data;
    const Occurrence *from = data->occurrence + part->occurrence;

    for (int64_t i = part->first; i < part->end && !system_must_end(); from += data->count[i++]) {
        if (!is_taken(l, i)) continue;
        FeatureBucket *bucket = &part->buckets[bucket_of(data, i)];
        write_codes(l, from, data->count[i], batch->occurrence + bucket->occurrence);
        batch->index[bucket->first++] = (int32_t)i;
        bucket->occurrence += data->count[i];
    }
}

/* Cuts the buckets into runs and gathers runs into chunks of about `size` positions. */
static void cut_chunks(const FeatureBucket *buckets, int64_t size, Batch *batch)
{
    int64_t room = 0;

    for (int b = 0; b < BUCKETS; b++) {
        int phase = b / (OCCURRENCES_MAX + 1), occurrences = b % (OCCURRENCES_MAX + 1);
        if (occurrences == 0) { /* a new phase: a new chunk */
            batch->phase_chunk[phase] = batch->chunk_count;
            room = 0;
        }
        int64_t left = buckets[b].count, first = buckets[b].first,
                occurrence = buckets[b].occurrence;
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

static Status lay_out(Layout *l, Batch *batch, Error *err)
{
    int64_t occurrences = 0, size = CHUNK_POSITIONS;

    size_buckets(l, batch, &occurrences);
    if (batch->positions > (int64_t)MAX_CHUNKS * size) size = batch->positions / MAX_CHUNKS + 1;
    size_t chunks = (size_t)(batch->positions / size) + BATCH_PHASES;
    batch->occurrence =
        scratch_resize(batch->scratch, NULL, ((size_t)occurrences + 1) * sizeof *batch->occurrence);
    batch->index =
        scratch_resize(batch->scratch, NULL, ((size_t)batch->positions + 1) * sizeof *batch->index);
    batch->target = scratch_resize(batch->scratch, NULL,
                                   ((size_t)batch->positions + 1) * sizeof *batch->target);
    batch->chunks = malloc(chunks * sizeof *batch->chunks);
    batch->runs = malloc((chunks + BUCKETS) * sizeof *batch->runs);
    if (!batch->occurrence || !batch->index || !batch->target || !batch->chunks || !batch->runs)
        return scratch_error(batch->scratch, "the layout of positions", err);
    each_part(l, fill_buckets, batch);
    Status status = system_check_end(err);
    if (status == STATUS_OK) cut_chunks(l->buckets, size, batch);
    return status;
}

/* ---- Weights of positions */

static Status count_games(const Dataset *data, Batch *batch, Error *err)
{
    uint8_t *seen = calloc((size_t)data->games + 1, 1);

    if (!seen) return error_set(err, STATUS_FAILED, "out of memory to count games");
    for (int64_t i = 0; i < batch->positions && !system_must_end(); i++) {
        int32_t game = data->game[batch->index[i]];
        batch->games += !seen[game];
        seen[game] = 1;
    }
    free(seen);
    return STATUS_OK;
}

const Weighing weighing_none = {DUPLICATES_KEEP, 1, 1};

bool weighing_is_none(const Weighing *weighing)
{
    return weighing->duplicates == weighing_none.duplicates &&
           weighing->draw_weight == weighing_none.draw_weight &&
           weighing->decay == weighing_none.decay;
}

static int newest_generation(const Dataset *data)
{
    int newest = -1;
    for (int64_t i = 0; i < data->positions; i++)
        if (data->generation[i] > newest) newest = data->generation[i];
    return newest;
}

static double weight_of(const Batch *batch, const Dataset *data, int64_t i)
{
    double weight = data->result[i] == RESULT_DRAW ? batch->weighing.draw_weight : 1;
    if (batch->newest >= 0)
        weight *= pow(batch->weighing.decay, batch->newest - data->generation[i]);
    return weight;
}

static Status weigh(const Layout *l, Batch *batch, Error *err)
{
    const Dataset *data = l->data;
    const Weighing *o = &l->options->weighing;
    int newest = o->decay != 1 ? newest_generation(data) : -1;

    batch->weighing = *o;
    batch->newest = newest;
    batch->weight_sum = (double)batch->positions;
    if (o->draw_weight == 1 && newest < 0) return STATUS_OK;
    batch->weight = scratch_resize(batch->scratch, NULL,
                                   ((size_t)batch->positions + 1) * sizeof *batch->weight);
    if (!batch->weight) return scratch_error(batch->scratch, "the weights of positions", err);
    batch->weight_sum = 0;
    for (int64_t i = 0; i < batch->positions && !system_must_end(); i++) {
        batch->weight[i] = (float)weight_of(batch, data, batch->index[i]);
        batch->weight_sum += (double)batch->weight[i];
    }
    return STATUS_OK;
}

/* ---- The whole */

Status batch_create(const Dataset *data, const BatchOptions *options, Batch **out, Error *err)
{
    Layout *l = calloc(1, sizeof *l);
    Batch *batch = calloc(1, sizeof *batch);
    Status status = STATUS_OK;

    *out = NULL;
    if (!batch || !l)
        status = error_set(err, STATUS_FAILED, "out of memory for %lld positions",
                           (long long)data->positions);
    if (batch) batch->scratch = data->scratch;
    if (l) {
        l->data = data;
        l->options = options;
    }
    if (status == STATUS_OK && options->weighing.duplicates != DUPLICATES_KEEP)
        status = dataset_duplicates(data, options->take, options->which, 1, &l->first, err);
    if (status == STATUS_OK) status = divide(l, err);
    if (status == STATUS_OK) status = find_codes(l, batch, err);
    if (status == STATUS_OK) status = lay_out(l, batch, err);
    if (status == STATUS_OK) status = count_games(data, batch, err);
    if (status == STATUS_OK) status = weigh(l, batch, err);
    if (status == STATUS_OK) {
        batch->space_columns = data->columns;
        batch->threads = l->parts;
        if (options->weighing.duplicates == DUPLICATES_MEAN) {
            batch->stands_for = l->first;
            l->first = NULL;
        }
        status = batch_set_targets(batch, data, 1, 0, err);
    }
    if (status == STATUS_OK) {
        *out = batch;
        batch = NULL;
    }
    if (l) scratch_free(data->scratch, l->first);
    if (l) free(l->part);
    free(l);
    batch_destroy(batch);
    return status;
}

/* ---- Targets */

static double target_of(const Dataset *data, int64_t i, double lambda, double k)
{
    double target = (double)data->result[i] / 2;
    if (lambda < 1 && data->score[i] != SCORE_UNKNOWN)
        target = lambda * target + (1 - lambda) / (1 + exp(-k * data->score[i] / 400));
    return target;
}

/* Each position of the batch gets the weighted mean target and mean weight of its duplicates. */
static Status set_means(Batch *batch, const Dataset *data, double lambda, double k, Error *err)
{
    typedef struct Sum {
        double target, weight;
        int64_t count;
    } Sum;
    Sum *sums = calloc((size_t)data->positions + 1, sizeof *sums);

    if (!sums) return error_set(err, STATUS_FAILED, "out of memory for the means of duplicates");
    for (int64_t i = 0; i < data->positions && !system_must_end(); i++) {
        if (batch->stands_for[i] < 0) continue;
        Sum *sum = &sums[batch->stands_for[i]];
        double weight = weight_of(batch, data, i);
        sum->target += weight * target_of(data, i, lambda, k);
        sum->weight += weight;
        sum->count++;
    }
    if (batch->weight) batch->weight_sum = 0;
    for (int64_t i = 0; i < batch->positions && !system_must_end(); i++) {
        const Sum *sum = &sums[batch->index[i]];
        batch->target[i] = sum->weight > 0 ? (float)(sum->target / sum->weight) : 0.5F;
        if (!batch->weight) continue;
        batch->weight[i] = (float)(sum->weight / (double)sum->count);
        batch->weight_sum += (double)batch->weight[i];
    }
    free(sums);
    return system_check_end(err);
}

Status batch_set_targets(Batch *batch, const Dataset *data, double lambda, double k, Error *err)
{
    if (batch->stands_for) return set_means(batch, data, lambda, k, err);
#pragma omp parallel for default(none) shared(batch, data, lambda, k) num_threads(batch->threads)  \
    schedule(static)
    for (int64_t i = 0; i < batch->positions; i++)
        if (!system_must_end())
            batch->target[i] = (float)target_of(data, batch->index[i], lambda, k);
    return system_check_end(err);
}
