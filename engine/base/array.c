/* SPDX-License-Identifier: MIT
 * Arrays on the heap that grow. */
#include "engine/base/array.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM_MIN = 64 };

Status array_reserve(void *array, size_t size, int64_t *room, int64_t count, Error *err)
{
    int64_t larger = count < ROOM_MIN ? ROOM_MIN : count;
    void *block;

    memcpy(&block, array, sizeof block); /* pointers of any type */
    if (block && count <= *room) return STATUS_OK;
    if (larger < 2 * *room) larger = 2 * *room;
    block = realloc(block, (size_t)larger * size);
    if (!block)
        return error_set(err, STATUS_FAILED, "out of memory for %lld bytes",
                         (long long)larger * (long long)size);
    memcpy(array, &block, sizeof block);
    *room = larger;
    return STATUS_OK;
}
