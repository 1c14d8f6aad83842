/* SPDX-License-Identifier: MIT
 * Finding positions that look the same to the evaluation. */
#include <string.h>

#include "tuner/dataset_internal.h"
#include "tuner/scratch.h"

/* Mixes 64 bits; D. Stafford's variant 13 of the finaliser of MurmurHash3. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
    return x ^ x >> 31;
}

static uint64_t features_hash(const Dataset *data, int64_t i, int64_t first_occurrence)
{
    uint64_t hash = mix((uint64_t)data->count[i] << 8 | data->phase[i]);
    for (int j = 0; j < data->count[i]; j++)
        hash = mix(hash + data->occurrence[first_occurrence + j] + 1);
    return hash;
}

/* Open addressing; a slot holds a position's number plus one. */
typedef struct Table {
    uint64_t size; /* a power of two, half of it free */
    uint32_t *slot;
    uint64_t *hash; /* [positions], of those in the table */
} Table;

/* The first position with the hash of position i, which is entered where there is none. */
static int32_t find_first(Table *table, int64_t i, uint64_t hash)
{
    uint64_t at = hash >> 20 & (table->size - 1);

    while (table->slot[at] != 0 && table->hash[table->slot[at] - 1] != hash)
        at = (at + 1) & (table->size - 1);
    if (table->slot[at] == 0) {
        table->slot[at] = (uint32_t)i + 1;
        table->hash[i] = hash;
    }
    return (int32_t)(table->slot[at] - 1);
}

Status dataset_twins(const Dataset *data, const uint8_t *take, uint8_t which, int32_t **first,
                     Error *err)
{
    size_t positions = (size_t)data->positions;
    Table table = {.size = 1024};

    while (table.size < 2 * positions)
        table.size *= 2;
    table.slot = scratch_resize(data->scratch, NULL, table.size * sizeof *table.slot);
    table.hash = scratch_resize(data->scratch, NULL, (positions + 1) * sizeof *table.hash);
    *first = scratch_resize(data->scratch, NULL, (positions + 1) * sizeof **first);
    if (!table.slot || !table.hash || !*first) {
        scratch_free(data->scratch, *first);
        *first = NULL;
    }
    if (*first) memset(table.slot, 0, table.size * sizeof *table.slot);
    for (int64_t i = 0, at = 0; *first && i < data->positions; at += data->count[i++]) {
        bool taken = !take || take[data->game[i]] == which;
        (*first)[i] = taken ? find_first(&table, i, features_hash(data, i, at)) : -1;
    }
    scratch_free(data->scratch, table.slot);
    scratch_free(data->scratch, table.hash);
    return *first ? STATUS_OK : error_set(err, STATUS_FAILED, "out of memory to find duplicates");
}
