/* SPDX-License-Identifier: MIT
 * Names of games, numbered by first appearance. */
#ifndef TABIA_TUNER_DATA_ID_TABLE_H
#define TABIA_TUNER_DATA_ID_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "engine/base/status.h"

typedef struct IdEntry {
    uint64_t hash;
    char *name;
    int32_t number;
} IdEntry;

/* All zero is an empty one. */
typedef struct IdTable {
    int32_t count;
    size_t size; /* a power of two, more than half of it free */
    IdEntry *entries;
} IdTable;

/* The number of a name; a new name is given *next, which is counted on. */
MUST_CHECK Status id_table_number(IdTable *table, const char *name, size_t length, int32_t *next,
                                  int32_t *number, Error *err);
void id_table_free(IdTable *table);

#endif
