/* SPDX-License-Identifier: MIT
 * Positions for tests: a hand-picked list, random games from it, and the mirror image. */
#ifndef TABIA_TESTS_SUPPORT_SUPPORT_BOARD_H
#define TABIA_TESTS_SUPPORT_SUPPORT_BOARD_H

#include "engine/board/movegen.h"
#include "engine/board/position.h"
#include "tests/support/support.h"

/* FENs that together use every rule: pins, double checks, en passant, promotions, castling of chess
 * and of Chess960. Ended by NULL. */
extern const char *const board_fens[];

/* Reads a FEN or fails the test. */
Position board_from_fen(const char *fen);

/* Called by board_walk() for every position of a game, the first one included; `list` holds its
 * legal moves. */
typedef void (*BoardVisit)(const Position *pos, const MoveList *list, void *context);

enum { BOARD_GAMES = SANITIZED ? 1 : 4 }; /* enough random games from each of board_fens */

/* Plays `games` random games of at most `plies` plies from each of board_fens; a seed gives always
 * the same games. Positions keep psq by `table` unless that is NULL. */
void board_walk(uint64_t seed, int games, int plies, const PsqTable *table, BoardVisit visit,
                void *context);

/* *out = the same position with colours exchanged and the board turned upside down. */
void board_mirror(Position *out, const Position *pos);

/* Random piece-square values from a seed. */
void board_random_psq(uint64_t seed, PsqTable *table);

#endif
