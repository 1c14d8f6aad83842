/* SPDX-License-Identifier: MIT
 * Names and their numbers: an open-addressed hash table, at most half full. */
#include "engine/base/name_table.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The name's slot, or the free one where it belongs. Hash: FNV-1a. */
static int find_slot(const NameTable *table, const char *name)
{
    uint64_t hash = 14695981039346656037U;

    for (const char *c = name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 1099511628211U;
    int slot = (int)(hash & (uint64_t)(table->room - 1));
    while (table->names[slot] && strcmp(table->names[slot], name) != 0)
        slot = (slot + 1) & (table->room - 1);
    return slot;
}

static bool grow(NameTable *table)
{
    NameTable larger = {.room = table->room ? 2 * table->room : 64, .count = table->count};

    larger.names = calloc((size_t)larger.room, sizeof *larger.names);
    larger.numbers = calloc((size_t)larger.room, sizeof *larger.numbers);
    if (!larger.names || !larger.numbers) {
        free(larger.names);
        free(larger.numbers);
        return false;
    }
    for (int i = 0; i < table->room; i++) {
        if (!table->names[i]) continue;
        int slot = find_slot(&larger, table->names[i]);
        larger.names[slot] = table->names[i];
        larger.numbers[slot] = table->numbers[i];
    }
    free(table->names);
    free(table->numbers);
    *table = larger;
    return true;
}

Status name_table_number(NameTable *table, const char *name, int *number, bool *added, Error *err)
{
    if (2 * (table->count + 1) > table->room && !grow(table))
        return error_set(err, STATUS_FAILED, "out of memory");
    int slot = find_slot(table, name);
    *added = table->names[slot] == NULL;
    if (*added) {
        table->names[slot] = strdup(name);
        if (!table->names[slot]) return error_set(err, STATUS_FAILED, "out of memory");
        table->numbers[slot] = table->count++;
    }
    *number = table->numbers[slot];
    return STATUS_OK;
}

void name_table_free(NameTable *table)
{
    for (int i = 0; i < table->room; i++)
        free(table->names[i]);
    free(table->names);
    free(table->numbers);
    *table = (NameTable){0};
}
