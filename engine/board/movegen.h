/* SPDX-License-Identifier: MIT
 * Strictly legal move generation. */
#ifndef TABIA_ENGINE_BOARD_MOVEGEN_H
#define TABIA_ENGINE_BOARD_MOVEGEN_H

#include "engine/board/position.h"
#include "engine/board/vector_moves.h"

/* Positions that games lead to have at most 218 moves; position_from_fen() lets any sixteen men
 * pass, and fifteen queens of 27 moves at most with a king of 8 make 413. */
enum { MAX_MOVES = 416 };

typedef struct MoveList {
    int count;
    Move moves[MAX_MOVES + VECTOR_MOVES];
} MoveList;

/* All legal moves; noisy ones only (captures and promotions; all evasions are NOT included when in
 * check, only the noisy ones); quiet ones only. Noisy and quiet together are exactly all. The order
 * is fixed, for determinism. */
void movegen_all(const Position *pos, MoveList *list);
void movegen_noisy(const Position *pos, MoveList *list);
void movegen_quiet(const Position *pos, MoveList *list);

/* The number of legal moves, without listing them: perft's last ply. */
int movegen_count(const Position *pos);

/* Is this 16-bit pattern, from a hash table or a file, a legal move here? Any pattern is allowed.
 */
bool movegen_is_legal(const Position *pos, Move m);

/* Does the legal move m give check? */
bool movegen_gives_check(const Position *pos, Move m);

#endif
