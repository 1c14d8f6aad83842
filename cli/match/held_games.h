/* SPDX-License-Identifier: MIT
 * What a file of an earlier part of a match holds already, so that a resumed match adds only the
 * rest: counts of equal games or lines, kept as hashes; and a game at its end that a kill or a full
 * disk has cut. */
#ifndef TABIA_CLI_MATCH_HELD_GAMES_H
#define TABIA_CLI_MATCH_HELD_GAMES_H

#include <stdint.h>

#include "db/store/game_record.h"
#include "engine/base/status.h"

/* Zero-initialised it is empty. */
typedef struct HeldGames {
    uint64_t *keys; /* owned, ascending */
    int64_t *taken; /* owned: at the first of equal keys, how many of them were taken */
    int64_t count, capacity;
} HeldGames;

/* Of players, start, moves and result: without comments and tags that differ between runs. */
uint64_t held_game_key(const char *white, const char *black, const GameRecord *game);
uint64_t held_line_key(const char *line);

/* Reads the games of a PGN file, or the lines of a text file, each plain or compressed; damaged
 * games are passed over. STATUS_BAD_INPUT when the file cannot be
 * read to its end. */
MUST_CHECK Status held_games_read_pgn(HeldGames *held, const char *path, Error *err);
MUST_CHECK Status held_games_read_lines(HeldGames *held, const char *path, Error *err);

/* Is the key there, once more than it was taken? Then takes it. */
bool held_games_take(HeldGames *held, uint64_t key);

void held_games_free(HeldGames *held);

/* Removes the last game of a plain PGN file if it is of this event and was cut: it has no result,
 * or a comment that does not end, which would swallow the next game. So it is with a game of which
 * there is only a part of its first line. event NULL: an EPD file; removes a last line without its
 * result and newline if the line before has one. STATUS_FAILED when the file cannot be read or
 * shortened. */
MUST_CHECK Status torn_game_remove(const char *path, const char *event, Error *err);

#endif
