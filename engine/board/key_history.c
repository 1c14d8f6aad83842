/* SPDX-License-Identifier: MIT
 * Keys of earlier positions, and counting repetitions. */
#include "engine/board/key_history.h"

#include <string.h>

void key_history_push(KeyHistory *history, const Position *pos)
{
    if (pos->rule50 == 0) history->count = 0;
    if (history->count == KEY_HISTORY_MAX) {
        history->count--;
        memmove(history->keys, history->keys + 1, (KEY_HISTORY_MAX - 1) * sizeof history->keys[0]);
    }
    history->keys[history->count++] = pos->key;
}

int key_history_repetitions(const KeyHistory *history, const Position *pos)
{
    int reach = pos->rule50 < history->count ? pos->rule50 : history->count;
    int found = 0;

    /* The last key is one ply back. A position can recur after 4, 6, 8 … plies. */
    for (int back = 4; back <= reach; back += 2)
        found += history->keys[history->count - back] == pos->key;
    return found;
}
