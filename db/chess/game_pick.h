/* SPDX-License-Identifier: MIT
 * Games of a database that become parts, which are new databases.
 *
 * A game is picked by a hash of its start and its moves. So the choice depends on nothing else, and
 * copies of a game can be known. */
#ifndef TABIA_DB_CHESS_GAME_PICK_H
#define TABIA_DB_CHESS_GAME_PICK_H

#include <stdatomic.h>

#include "db/store/game_record.h"
#include "engine/base/status.h"

typedef struct PickedGame {
    uint64_t hash;           /* game_record_hash() */
    uint64_t rank;           /* games are in ascending order of it; equal for copies of a game */
    int64_t number, game_id; /* number: in canonical order, runs by uuid, games by number */
    int plies, part;         /* part: 0, 1, …; -1: in none */
    GameResult result;
} PickedGame;

typedef struct GamePick {
    PickedGame *games;
    int64_t count, capacity;
    int64_t *positions; /* keys and results of all that were moved from */
    int64_t position_count, position_capacity;
} GamePick;

/* Reads the games of the database `path`, in random order by the seed, all of them in no part. The
 * pick is zeroed before; game_pick_free() in any case. with_positions: 8 bytes for each. */
MUST_CHECK Status game_pick_read(GamePick *pick, const char *path, uint64_t seed,
                                 bool with_positions, const atomic_int *interrupted, Error *err);
void game_pick_free(GamePick *pick);

/* Each game to the part that its hash says, by shares above 0 of a finite sum: whatever other games
 * there are, it goes to the same part. */
void game_pick_shares(GamePick *pick, const double *shares, int parts);

/* counts[k] games to part k, in their order, and copies of its last one with it; with `rest` the
 * last part also takes what is left. */
void game_pick_counts(GamePick *pick, const double *counts, int parts, bool rest);

/* Whole games to part 0 while it has fewer games and fewer positions than these. */
void game_pick_sample(GamePick *pick, double games, double positions);

typedef struct DuplicateGames {
    int64_t games, duplicates, contradicting;
    int64_t positions;           /* that were moved from */
    int64_t different_positions; /* by placement, side to move, castling and en passant rights */
    int64_t contradicting_positions; /* of these, in games of different results */
} DuplicateGames;

/* The first of each game to part 0. Counts the positions if they were read, and sorts them. */
void game_pick_different(GamePick *pick, DuplicateGames *found);

typedef struct GamePart {
    const char *file;
    int64_t games, plies;
} GamePart;

/* Writes the parts made[0 … parts - 1] of the database `from` to their files: all of them appear,
 * or none; a kill between their names can leave the first ones, each whole. Sets games and plies.
 * Reorders the games. */
MUST_CHECK Status game_pick_write(GamePick *pick, const char *from, GamePart *made, int parts,
                                  const atomic_int *interrupted, Error *err);

#endif
