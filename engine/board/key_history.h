/* SPDX-License-Identifier: MIT
 * The keys of the earlier positions of a game, for the repetition rule. */
#ifndef TABIA_ENGINE_BOARD_KEY_HISTORY_H
#define TABIA_ENGINE_BOARD_KEY_HISTORY_H

#include "engine/board/position.h"

enum { KEY_HISTORY_MAX = 256 }; /* more than rule50 can reach */

/* Keys of the positions since the last irreversible move, oldest first, without the present one. */
typedef struct KeyHistory {
    int count;
    uint64_t keys[KEY_HISTORY_MAX];
} KeyHistory;

/* Appends the key of `pos`, before a move is made on it. Drops all earlier keys when pos->rule50 is
 * 0, and the oldest key when full. */
void key_history_push(KeyHistory *history, const Position *pos);

/* How many earlier times the present position occurred (2 means a draw by threefold repetition). */
int key_history_repetitions(const KeyHistory *history, const Position *pos);

#endif
