/* SPDX-License-Identifier: MIT
 * Hashes of positions, and the digest of a data set. */
#include "tuner/data/fingerprint.h"

#include <sha2.h>
#include <stdlib.h>

#include "engine/base/byte_order.h"
#include "engine/base/pcg.h"
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

Status fingerprint_positions(const Dataset *data, int threads, uint64_t **hash, Error *err)
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
    return STATUS_OK;
}

/* ---- The set */

typedef struct Leaf {
    uint8_t hash[SHA256_DIGEST_LENGTH];
} Leaf;

static void digest_block(const Dataset *data, int64_t block, const uint64_t *hash, Leaf *leaf)
{
    uint8_t stretch[8];
    uint64_t sum = 0;
    SHA2_CTX sha;
    int64_t end = block_end(data, block);

    SHA256Init(&sha);
    for (int64_t i = block * BLOCK; i < end; i++) {
        sum = mix64(sum + hash[i] + ((uint64_t)data->result[i] << 16 | (uint16_t)data->score[i]));
        if (i + 1 < end && data->game[i + 1] == data->game[i]) continue;
        put_le(stretch, mix64(sum + (uint32_t)data->game[i]), 8);
        SHA256Update(&sha, stretch, sizeof stretch);
        sum = 0;
    }
    SHA256Final(leaf->hash, &sha);
}

/* The SHA-256 of the blocks' SHA-256: blocks can be hashed side by side, and the digest still
 * depends on the positions and their order alone. */
Status fingerprint_digest(Dataset *data, const uint64_t *hash, int threads, Error *err)
{
    int64_t blocks = blocks_of(data);
    Leaf *leaves = calloc((size_t)blocks + 1, sizeof *leaves);

    if (!leaves) return error_set(err, STATUS_FAILED, "out of memory for the digest of a data set");
#pragma omp parallel for default(none) shared(data, hash, leaves, blocks) num_threads(threads)     \
    schedule(dynamic)
    for (int64_t b = 0; b < blocks; b++)
        digest_block(data, b, hash, &leaves[b]);
    sha256_hex(leaves, (uint64_t)blocks * sizeof *leaves, data->digest);
    free(leaves);
    return STATUS_OK;
}
