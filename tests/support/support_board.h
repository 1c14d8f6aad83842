/* SPDX-License-Identifier: MIT
 * Positions for tests: a hand-picked list, random games from it, and the mirror image. */
#ifndef TABIA_TESTS_SUPPORT_SUPPORT_BOARD_H
#define TABIA_TESTS_SUPPORT_SUPPORT_BOARD_H

#include "engine/board/movegen.h"
#include "engine/board/position.h"

/* FENs that between them show every rule: pins, double checks, en passant, promotions, castling of
 * chess and of Chess960. Ended by NULL. */
extern const char *const board_fens[];

/* Reads a FEN or fails the test. */
void board_from_fen(Position *pos, const char *fen);

/* What board_walk calls for every position of a game, the first one included; `list` holds its
 * legal moves. */
typedef void (*BoardVisit)(const Position *pos, const MoveList *list, void *context);

/* Plays `games` random games of at most `plies` plies from each of board_fens; always the same ones
 * for a seed. psq is kept from `table` unless that is NULL. */
void board_walk(uint64_t seed, int games, int plies, const PsqTable *table, BoardVisit visit,
                void *context);

/* *out = the same position with colours exchanged and the board turned upside down. */
void board_mirror(Position *out, const Position *pos);

/* Piece-square values from a seed, all different for practical purposes. */
void board_random_psq(uint64_t seed, PsqTable *table);

#endif
