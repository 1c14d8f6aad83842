/* SPDX-License-Identifier: MIT
 * Arrays on the heap that grow. */
#ifndef TABIA_ENGINE_BASE_ARRAY_H
#define TABIA_ENGINE_BASE_ARRAY_H

#include <stddef.h>
#include <stdint.h>

#include "engine/base/status.h"

/* Gives `array`, a pointer that is NULL or from malloc, room for at least `count` elements; `room`,
 * an int64_t variable, is the number it has room for. It at least doubles when it grows.
 * STATUS_FAILED when memory is short; both are then unchanged. */
#define ARRAY_RESERVE(array, room, count, err)                                                     \
    array_reserve(&(array), sizeof *(array), &(room), count, err)

/* The same with the address of the pointer and the size of an element. */
MUST_CHECK Status array_reserve(void *array, size_t size, int64_t *room, int64_t count, Error *err);

#endif
