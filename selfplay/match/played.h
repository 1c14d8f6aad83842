/* SPDX-License-Identifier: MIT
 * Games from anywhere as a scoreboard: players by name, pairs found by opening. */
#ifndef TABIA_SELFPLAY_MATCH_PLAYED_H
#define TABIA_SELFPLAY_MATCH_PLAYED_H

#include "db/store/game_record.h"
#include "engine/base/name_table.h"
#include "selfplay/match/scoreboard.h"

enum { PLAYED_PLAYERS_MAX = 2000 };

typedef struct PlayedGame {
    int32_t players[2]; /* first < second */
    int32_t points;     /* half points of the first */
    bool first_white;
    uint64_t opening; /* equal for games of one opening; 0: unknown */
    int64_t number;   /* in order of adding, from 0 */
} PlayedGame;

/* Zero-initialised it is empty. Owns everything. */
typedef struct PlayedGames {
    NameTable names;
    int32_t player_count;
    PlayedGame *games;
    int64_t count, room;
} PlayedGames;

/* Adds a game of two players. STATUS_BAD_INPUT: too many players; out of memory. */
MUST_CHECK Status played_add(PlayedGames *played, const char *white, const char *black,
                             GameResult result, uint64_t opening, Error *err);
void played_free(PlayedGames *played);

/* A number for an opening by the tags of PGN: the start position if there is one, else the round
 * ("12", or "12.1" of cutechess), else 0. */
uint64_t played_opening(const char *fen, const char *round);

/* Names by number, [player_count], borrowed from `played`. */
void played_names(const PlayedGames *played, const char **names);

/* Sorts the games and fills a scoreboard without forfeits; its schedule has only the number of
 * players. Two games are a pair if the same players had the same opening (if it is unknown, any)
 * with reversed colours; the n-th of one colour goes with the n-th of the other. What remains
 * counts as single games. Free with scoreboard_free(). Errors: out of memory. */
MUST_CHECK Status played_board(PlayedGames *played, Scoreboard *board, Error *err);

#endif
