/* SPDX-License-Identifier: MIT
 * Counting equal positions: their keys, sorted. */
#include "cli/db/duplicates.h"

#include <stdlib.h>

#include "db/chess/replay.h"
#include "db/store/store.h"
#include "db/tables/cursor.h"
#include "engine/base/array.h"

enum { RESULT_BITS = 2 }; /* the lowest bits of a key hold the result */

typedef struct Keys {
    uint64_t *keys;
    int64_t count, capacity;
} Keys;

static Status add_game(Keys *keys, const GameRecord *game, Error *err)
{
    Replay replay;

    Status status = ARRAY_RESERVE(keys->keys, keys->capacity, keys->count + game->ply_count, err);
    if (status == STATUS_OK) status = replay_start(&replay, game, err);
    while (status == STATUS_OK && replay.ply < game->ply_count) {
        keys->keys[keys->count++] =
            replay_position(&replay)->key >> RESULT_BITS << RESULT_BITS | (uint64_t)game->result;
        status = replay_next(&replay, err);
    }
    return status;
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void count_keys(Keys *keys, PositionDuplicates *counts)
{
    bool contradicts = false;

    *counts = (PositionDuplicates){.positions = keys->count};
    if (keys->count > 0) qsort(keys->keys, (size_t)keys->count, sizeof *keys->keys, by_key);
    for (int64_t i = 0; i < keys->count; i++) {
        bool same = i > 0 && keys->keys[i] >> RESULT_BITS == keys->keys[i - 1] >> RESULT_BITS;
        if (!same) {
            counts->different++;
            contradicts = false;
        } else if (!contradicts && keys->keys[i] != keys->keys[i - 1]) {
            counts->contradicting++;
            contradicts = true;
        }
    }
}

Status count_position_duplicates(const char *path, PositionDuplicates *counts, Error *err)
{
    const GameRecord *game;
    Keys keys = {0};

    Store *store = store_open(path, STORE_READ, err);
    GameCursor *cursor = store ? store_read_games(store, NULL, 0, 0, err) : NULL;
    Status status = cursor ? STATUS_OK : err->status;
    while (status == STATUS_OK) {
        status = game_cursor_next(cursor, &game, NULL, NULL, err);
        if (status || !game) break;
        status = add_game(&keys, game, err);
        if (status == STATUS_BAD_INPUT) status = error_prefix(err, "%s", path);
    }
    if (status == STATUS_OK) count_keys(&keys, counts);
    game_cursor_close(cursor);
    store_close(store);
    free(keys.keys);
    return status;
}
