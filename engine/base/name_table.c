/* SPDX-License-Identifier: MIT
 * Numbers for names, by open addressing. */
#include "engine/base/name_table.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/fnv.h"

static Status grow(NameTable *table, Error *err)
{
    size_t size = table->size ? 2 * table->size : 1024;
    NameEntry *entries = calloc(size, sizeof *entries);
    if (!entries) return error_set(err, STATUS_FAILED, "out of memory for names");
    for (size_t i = 0; i < table->size; i++) {
        if (!table->entries[i].name) continue;
        size_t slot = table->entries[i].hash & (size - 1);
        while (entries[slot].name)
            slot = (slot + 1) & (size - 1);
        entries[slot] = table->entries[i];
    }
    free(table->entries);
    table->entries = entries;
    table->size = size;
    return STATUS_OK;
}

Status name_table_number(NameTable *table, const char *name, size_t length, int32_t *next,
                         int32_t *number, Error *err)
{
    if (2 * (size_t)(table->count + 1) > table->size) {
        Status status = grow(table, err);
        if (status != STATUS_OK) return status;
    }
    uint64_t hash = fnv_add_bytes(FNV_START, name, length);
    size_t slot = hash & (table->size - 1);
    for (; table->entries[slot].name; slot = (slot + 1) & (table->size - 1)) {
        const NameEntry *entry = &table->entries[slot];
        if (entry->hash == hash && strlen(entry->name) == length &&
            memcmp(entry->name, name, length) == 0) {
            *number = entry->number;
            return STATUS_OK;
        }
    }
    char *copy = strndup(name, length);
    if (!copy) return error_set(err, STATUS_FAILED, "out of memory for names");
    *number = (*next)++;
    table->entries[slot] = (NameEntry){hash, copy, *number};
    table->count++;
    return STATUS_OK;
}

void name_table_free(NameTable *table)
{
    for (size_t i = 0; i < table->size; i++)
        free(table->entries[i].name);
    free(table->entries);
}
