/* SPDX-License-Identifier: MIT
 * Strictly legal move generation. */
#ifndef TABIA_ENGINE_BOARD_MOVEGEN_H
#define TABIA_ENGINE_BOARD_MOVEGEN_H

#include "engine/board/position.h"

/* Positions of games have at most 218 moves. position_from_fen() allows any sixteen pieces: fifteen
 * queens with at most 27 moves each and a king with 8 make 413. */
enum { MAX_MOVES = 416 };

/* Written or read at once (vector_moves.h): a list has room for as many after the last. */
enum { VECTOR_MOVES = 16 };

typedef struct MoveList {
    int count;
    Move moves[MAX_MOVES + VECTOR_MOVES];
} MoveList;

/* All legal moves; the noisy ones (captures and promotions); the quiet ones. Every legal move is
 * either noisy or quiet, in check too. The order is fixed, for determinism. */
void movegen_all(const Position *pos, MoveList *list);
void movegen_noisy(const Position *pos, MoveList *list);
void movegen_quiet(const Position *pos, MoveList *list);

/* The number of legal moves, without a list: the last ply of perft. */
int movegen_count(const Position *pos);

/* Is this 16-bit pattern a legal move? Any pattern is allowed, as a hash table or a file may have
 * it. */
bool movegen_is_legal(const Position *pos, Move m);

/* Does the legal move m give check? */
bool movegen_gives_check(const Position *pos, Move m);

#endif
