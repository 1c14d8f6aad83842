/* SPDX-License-Identifier: MIT
 * Sets of keys. */
#include "selfplay/openings/key_set.h"

#include <stdlib.h>

/* *slot: the key's slot, or the free slot for it. */
static bool holds(const KeySet *set, uint64_t key, size_t *slot)
{
    *slot = key & (set->room - 1);
    while (set->keys[*slot] != 0 && set->keys[*slot] != key)
        *slot = (*slot + 1) & (set->room - 1);
    return set->keys[*slot] == key;
}

static bool grow(KeySet *set)
{
    KeySet larger = {.room = set->room ? 2 * set->room : 1024, .count = set->count};
    size_t slot;

    larger.keys = calloc(larger.room, sizeof *larger.keys);
    if (!larger.keys) return false;
    for (size_t i = 0; i < set->room; i++)
        if (set->keys[i] && !holds(&larger, set->keys[i], &slot)) larger.keys[slot] = set->keys[i];
    free(set->keys);
    *set = larger;
    return true;
}

Status key_set_add(KeySet *set, uint64_t key, bool *added, Error *err)
{
    size_t slot;

    if (2 * (set->count + 1) > set->room && !grow(set))
        return error_set(err, STATUS_FAILED, "out of memory for the set of positions");
    if (key == 0) key = 1;
    *added = !holds(set, key, &slot);
    set->keys[slot] = key;
    set->count += *added;
    return STATUS_OK;
}
