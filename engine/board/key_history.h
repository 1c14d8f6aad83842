/* SPDX-License-Identifier: MIT
 * The keys of the positions a game has been through, for the repetition rule. */
#ifndef TABIA_ENGINE_BOARD_KEY_HISTORY_H
#define TABIA_ENGINE_BOARD_KEY_HISTORY_H

#include "engine/board/position.h"

enum { KEY_HISTORY_MAX = 256 }; /* more than rule50 can reach */

/* Keys of earlier positions, oldest first, of the current reversible stretch; not the present one.
 */
typedef struct KeyHistory {
    int count;
    uint64_t keys[KEY_HISTORY_MAX];
} KeyHistory;

/* Appends the key of `pos`, which is about to be left by a move; forgets everything before an
 * irreversible move (pos->rule50 == 0 forgets all before pos). The oldest key goes when full. */
void key_history_push(KeyHistory *history, const Position *pos);

/* How many earlier times the present position occurred (2 means a draw by threefold repetition). */
int key_history_repetitions(const KeyHistory *history, const Position *pos);

#endif
