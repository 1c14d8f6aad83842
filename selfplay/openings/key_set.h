/* SPDX-License-Identifier: MIT
 * A growing set of 64-bit keys, of positions that were seen. */
#ifndef TABIA_SELFPLAY_OPENINGS_KEY_SET_H
#define TABIA_SELFPLAY_OPENINGS_KEY_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/status.h"

/* Zeroed: empty. Open addressing, at most half full; 0 and 1 are the same key. */
typedef struct KeySet {
    uint64_t *keys; /* owned; release with free(); 0: a free slot */
    size_t room, count;
} KeySet;

/* *added: whether the key is new. */
MUST_CHECK Status key_set_add(KeySet *set, uint64_t key, bool *added, Error *err);

#endif
