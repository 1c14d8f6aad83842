/* SPDX-License-Identifier: MIT
 * Names and their numbers, in order of first appearance. */
#ifndef TABIA_ENGINE_BASE_NAME_TABLE_H
#define TABIA_ENGINE_BASE_NAME_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "engine/base/status.h"

typedef struct NameEntry {
    uint64_t hash;
    char *name;
    int32_t number;
} NameEntry;

/* Zero-initialised it is empty. */
typedef struct NameTable {
    int32_t count;
    size_t size; /* a power of two, more than half of it free */
    NameEntry *entries;
} NameTable;

/* The number of name[0, length); a new name gets *next, which is then incremented. */
MUST_CHECK Status name_table_number(NameTable *table, const char *name, size_t length,
                                    int32_t *next, int32_t *number, Error *err);
void name_table_free(NameTable *table);

#endif
