/* SPDX-License-Identifier: MIT
 * Building, joining and identifying sets of positions. */
#include "tuner/dataset_internal.h"

#include <assert.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/resolve.h"
#include "tuner/scratch.h"

void dataset_filter_defaults(DatasetFilter *filter)
{
    *filter = (DatasetFilter){
        .min_ply = 4, .max_score = 2000, .max_phase = EVAL_PHASE_MAX, .terms = EVAL_MATERIAL_PST};
}

Status dataset_create_columns(int columns, Dataset **data, Error *err)
{
    *data = calloc(1, sizeof **data);
    if (!*data) return error_set(err, STATUS_FAILED, "out of memory for a data set");
    (*data)->columns = columns;
    (*data)->reading = -1;
    return STATUS_OK;
}

Status dataset_create(Dataset **data, Error *err)
{
    Status status = dataset_create_columns(COLUMNS, data, err);
    if (status == STATUS_OK) (*data)->terms = EVAL_MATERIAL_PST;
    return status;
}

void dataset_destroy(Dataset *data)
{
    if (!data) return;
    scratch_free(data->scratch, data->occurrence);
    scratch_free(data->scratch, data->count);
    scratch_free(data->scratch, data->phase);
    scratch_free(data->scratch, data->result);
    scratch_free(data->scratch, data->score);
    scratch_free(data->scratch, data->game);
    scratch_free(data->scratch, data->generation);
    free(data);
}

int64_t dataset_positions(const Dataset *data)
{
    return data->positions;
}
int64_t dataset_games(const Dataset *data)
{
    return data->games;
}
const DatasetStats *dataset_stats(const Dataset *data)
{
    return &data->stats;
}
void dataset_digest(const Dataset *data, char out[HASH_HEX_MAX])
{
    memcpy(out, data->digest, HASH_HEX_MAX);
}

/* The array resized; where memory is short the array as it was, and *ok false. */
static void *resized(const Dataset *data, void *array, int64_t count, size_t size, bool *ok)
{
    void *grown = scratch_resize(data->scratch, array, (size_t)(count > 0 ? count : 1) * size);
    if (!grown) *ok = false;
    return grown ? grown : array;
}

static bool resize_positions(Dataset *data, int64_t capacity)
{
    bool ok = true;
    data->count = resized(data, data->count, capacity, sizeof *data->count, &ok);
    data->phase = resized(data, data->phase, capacity, sizeof *data->phase, &ok);
    data->result = resized(data, data->result, capacity, sizeof *data->result, &ok);
    data->score = resized(data, data->score, capacity, sizeof *data->score, &ok);
    data->game = resized(data, data->game, capacity, sizeof *data->game, &ok);
    data->generation = resized(data, data->generation, capacity, sizeof *data->generation, &ok);
    if (ok) data->positions_capacity = capacity;
    return ok;
}

static bool resize_occurrences(Dataset *data, int64_t capacity)
{
    bool ok = true;
    data->occurrence = resized(data, data->occurrence, capacity, sizeof *data->occurrence, &ok);
    if (ok) data->occurrences_capacity = capacity;
    return ok;
}

static Status reserve(Dataset *data, int64_t positions, int64_t occurrences, Error *err)
{
    bool ok = true;

    positions += data->positions;
    occurrences += data->occurrences;
    if (positions > data->positions_capacity)
        ok = resize_positions(data, positions + positions / 2);
    if (ok && occurrences > data->occurrences_capacity)
        ok = resize_occurrences(data, occurrences + occurrences / 2);
    if (!ok)
        return error_set(err, STATUS_FAILED, "out of memory for %lld positions",
                         (long long)positions);
    return STATUS_OK;
}

int occurrences_add(Occurrence *out, int count, int column, int value, int columns)
{
    int most = occurrence_value_max(columns);

    while (value != 0) {
        int part = value > most ? most : value < -most ? -most : value;
        if (count == OCCURRENCES_MAX) return -1;
        out[count++] = occurrence_make(column, part, columns);
        value -= part;
    }
    return count;
}

/* The position's occurrences; returns their number. */
static int occurrences_of(const Position *pos, EvalFamilies terms, Occurrence *out)
{
    EvalFeature features[EVAL_FEATURES_MAX];
    int n = eval_features(pos, terms, features), count = 0;

    for (int i = 0; i < n; i++) {
        if (features[i].term < EVAL_MATERIAL_COUNT) continue; /* told by the squares */
        count = occurrences_add(out, count, column_of_term(features[i].term), features[i].count,
                                COLUMNS);
        assert(count >= 0);
    }
    return count;
}

/* The position whose `count` occurrences stand behind those of the others. */
static void add_row(Dataset *data, int count, int phase, GameResult result, int score, int32_t game)
{
    int64_t i = data->positions++;

    data->occurrences += count;
    data->count[i] = (uint8_t)count;
    data->phase[i] = (uint8_t)(phase < EVAL_PHASE_MAX ? phase : EVAL_PHASE_MAX);
    data->result[i] = (uint8_t)result;
    data->score[i] = (int16_t)score;
    data->game[i] = game;
    data->generation[i] = data->reading;
    if (game >= data->games) data->games = game + 1;
    data->stats.results[result]++;
}

Status dataset_add(Dataset *data, const Position *pos, GameResult result, int score, int32_t game,
                   Error *err)
{
    assert(data->columns == COLUMNS);
    Status status = reserve(data, 1, OCCURRENCES_MAX, err);
    if (status != STATUS_OK) return status;
    int count = occurrences_of(pos, data->terms, data->occurrence + data->occurrences);
    add_row(data, count, pos->phase, result, score, game);
    return STATUS_OK;
}

Status dataset_add_filtered(Dataset *data, const Position *pos, const DatasetFilter *filter,
                            GameResult result, int score, int32_t game, Error *err)
{
    Position leaf;
    int phase = pos->phase < EVAL_PHASE_MAX ? pos->phase : EVAL_PHASE_MAX;

    if (phase < filter->min_phase || phase > filter->max_phase) {
        data->stats.dropped_phase++;
        return STATUS_OK;
    }
    if (!filter->resolve) return dataset_add(data, pos, result, score, game, err);
    resolve_quiescent(pos, filter->resolve, &leaf);
    return dataset_add(data, &leaf, result, score, game, err);
}

Status dataset_add_features(Dataset *data, const Occurrence *occurrence, int count, int phase,
                            GameResult result, int score, int32_t game, Error *err)
{
    assert(count >= 0 && count <= OCCURRENCES_MAX);
    Status status = reserve(data, 1, OCCURRENCES_MAX, err);
    if (status != STATUS_OK) return status;
    memcpy(data->occurrence + data->occurrences, occurrence, (size_t)count * sizeof *occurrence);
    add_row(data, count, phase, result, score, game);
    return STATUS_OK;
}

static void add_stats(DatasetStats *sum, const DatasetStats *part)
{
    sum->games_read += part->games_read;
    sum->positions_read += part->positions_read;
    sum->dropped_drawn += part->dropped_drawn;
    sum->dropped_ply += part->dropped_ply;
    sum->dropped_unscored += part->dropped_unscored;
    sum->dropped_score += part->dropped_score;
    sum->dropped_check += part->dropped_check;
    sum->dropped_noisy += part->dropped_noisy;
    sum->dropped_unquiet += part->dropped_unquiet;
    sum->dropped_phase += part->dropped_phase;
    for (int r = 0; r < 3; r++)
        sum->results[r] += part->results[r];
}

Status dataset_append(Dataset *data, const Dataset *part, int32_t game_offset, Error *err)
{
    Status status = reserve(data, part->positions, part->occurrences, err);
    if (status != STATUS_OK) return status;
    if (data->positions + part->positions > INT32_MAX)
        return error_set(err, STATUS_BAD_INPUT, "more than %ld positions", (long)INT32_MAX);

    int64_t at = data->positions, n = part->positions;
    if (part->occurrences > 0)
        memcpy(data->occurrence + data->occurrences, part->occurrence,
               (size_t)part->occurrences * sizeof *part->occurrence);
    if (n > 0) {
        memcpy(data->count + at, part->count, (size_t)n);
        memcpy(data->phase + at, part->phase, (size_t)n);
        memcpy(data->result + at, part->result, (size_t)n);
        memcpy(data->score + at, part->score, (size_t)n * sizeof *part->score);
        memcpy(data->generation + at, part->generation, (size_t)n * sizeof *part->generation);
    }
    for (int64_t i = 0; i < n; i++)
        data->game[at + i] = part->game[i] + game_offset;
    data->positions += n;
    data->occurrences += part->occurrences;
    if (game_offset + part->games > data->games) data->games = game_offset + part->games;
    add_stats(&data->stats, &part->stats);
    return STATUS_OK;
}

/* ---- Identity */

enum { DIGEST_BLOCK = 1 << 16 }; /* positions a leaf of the digest */

typedef struct Leaf {
    uint8_t hash[SHA256_DIGEST_LENGTH];
} Leaf;

static void put16(uint8_t *to, unsigned value)
{
    to[0] = (uint8_t)(value & 0xff);
    to[1] = (uint8_t)(value >> 8);
}

/* One position: count, phase, result, whether its game is the one of the position before, score,
 * occurrences; little-endian. Returns how many bytes. */
static size_t canonical_bytes(const Dataset *data, int64_t i, int64_t first_occurrence,
                              uint8_t *out)
{
    uint32_t game = (uint32_t)data->game[i];
    int count = data->count[i];

    out[0] = data->count[i];
    out[1] = data->phase[i];
    out[2] = data->result[i];
    put16(out + 3, (uint16_t)data->score[i]);
    put16(out + 5, game & 0xffff);
    put16(out + 7, game >> 16);
    for (int j = 0; j < count; j++)
        put16(out + 9 + 2 * j, occurrence_canonical(data->occurrence[first_occurrence + j], data));
    return 9 + 2 * (size_t)count;
}

static void hash_block(const Dataset *data, int64_t first, int64_t first_occurrence, Leaf *leaf)
{
    enum { RECORD_MAX = 9 + 2 * OCCURRENCES_MAX, BUFFER = 1 << 14 };
    uint8_t buffer[BUFFER];
    size_t used = 0;
    SHA2_CTX sha;
    int64_t end = first + DIGEST_BLOCK < data->positions ? first + DIGEST_BLOCK : data->positions;

    SHA256Init(&sha);
    for (int64_t i = first; i < end; i++) {
        if (used + RECORD_MAX > BUFFER) {
            SHA256Update(&sha, buffer, used);
            used = 0;
        }
        used += canonical_bytes(data, i, first_occurrence, buffer + used);
        first_occurrence += data->count[i];
    }
    SHA256Update(&sha, buffer, used);
    SHA256Final(leaf->hash, &sha);
}

/* The SHA-256 of the blocks' SHA-256: blocks can be hashed side by side, and the digest still
 * depends on the positions and their order alone. */
static Status take_digest(Dataset *data, int threads, Error *err)
{
    int64_t blocks = (data->positions + DIGEST_BLOCK - 1) / DIGEST_BLOCK;
    Leaf *leaves = calloc((size_t)blocks + 1, sizeof *leaves);
    int64_t *starts = calloc((size_t)blocks + 1, sizeof *starts);
    Status status = STATUS_FAILED;

    if (!leaves || !starts) {
        (void)error_set(err, status, "out of memory for the digest of a data set");
        goto cleanup;
    }
    for (int64_t i = 0, occurrence = 0; i < data->positions; i++) {
        if (i % DIGEST_BLOCK == 0) starts[i / DIGEST_BLOCK] = occurrence;
        occurrence += data->count[i];
    }
#pragma omp parallel for default(none) shared(data, leaves, starts, blocks) num_threads(threads)   \
    schedule(dynamic)
    for (int64_t b = 0; b < blocks; b++)
        hash_block(data, b * DIGEST_BLOCK, starts[b], &leaves[b]);
    sha256_hex(leaves, (uint64_t)blocks * sizeof *leaves, data->digest);
    status = STATUS_OK;

cleanup:
    free(leaves);
    free(starts);
    return status;
}

static Status count_duplicates(Dataset *data, Error *err)
{
    int32_t *first;

    Status status = dataset_twins(data, NULL, 0, &first, err);
    if (status != STATUS_OK) return status;
    for (int64_t i = 0; i < data->positions; i++) {
        if (first[i] == i) continue;
        data->stats.duplicates++;
        data->stats.contradicting += data->result[i] != data->result[first[i]];
    }
    scratch_free(data->scratch, first);
    return STATUS_OK;
}

Status dataset_finish(Dataset *data, int threads, Error *err)
{
    Status status = take_digest(data, threads, err);
    if (status == STATUS_OK) status = count_duplicates(data, err);
    if (status != STATUS_OK) return status;
    if (!resize_positions(data, data->positions) || !resize_occurrences(data, data->occurrences))
        return error_set(err, STATUS_FAILED, "out of memory for a data set");
    return STATUS_OK;
}
