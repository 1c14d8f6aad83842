/* SPDX-License-Identifier: MIT
 * The score of every pairing of a match, each player's forfeits, and games that repeat.
 *
 * A game repeats if another game of the pairing, counted before it, has the same opening and the
 * same moves, with these colours or reversed; forfeits are left out. Players that play alike (an
 * engine that ignores its limit of nodes) repeat the first game of each pair in the second one.
 * Players without chance repeat both games when their opening comes again. Neither happens to
 * engines that differ, from different openings. */
#ifndef TABIA_SELFPLAY_MATCH_SCOREBOARD_H
#define TABIA_SELFPLAY_MATCH_SCOREBOARD_H

#include <stdbool.h>

#include "db/store/game_record.h"
#include "engine/base/status.h"
#include "selfplay/match/schedule.h"
#include "selfplay/match/stats.h"
#include "selfplay/openings/book.h"

/* Games forfeited, by reason. */
typedef struct Forfeits {
    int64_t time, crashes, stalls, illegal;
} Forfeits;

/* The score of a pairing, from its first player's view. */
typedef struct PairingScore {
    int players[2];
    MatchScore score;
    int64_t white_games[2], white_points2[2]; /* with [0] and [1] as White; half points of [0] */
    int64_t repeated;                         /* games that repeat */
    bool repeats; /* they were once REPEATED_LEAST or more, and a quarter of the games or more */
} PairingScore;

enum { REPEATED_LEAST = 10 };

typedef struct Scoreboard {
    Schedule schedule;
    int pairing_count;
    PairingScore *pairings; /* owned */
    Forfeits *forfeits;     /* [players], owned */
    KeySet seen;            /* games of the pairings, owned */
} Scoreboard;

MUST_CHECK Status scoreboard_init(Scoreboard *board, const Schedule *schedule, Error *err);
void scoreboard_free(Scoreboard *board);

/* The outcome of a game in half points of the pairing's first player. */
typedef struct GameOutcome {
    uint8_t known, points; /* points: 0, 1 or 2 */
    uint8_t fault;         /* reason of a forfeit: REASON_TIME to REASON_STALL; or 0 */
    uint64_t game;         /* game_record_hash(); 0: not known */
} GameOutcome;

GameOutcome game_outcome(const Schedule *schedule, const GameRecord *game);

/* Adds the two games of a pair; game_no is that of the first. True when it makes the pairing one
 * that repeats. Without memory fewer repeated games are counted. */
bool scoreboard_add_pair(Scoreboard *board, int64_t game_no, const GameOutcome outcomes[2]);

/* Adds a game in which the player [side] of the pairing has White; points: half points of the first
 * player. */
void pairing_add_game(PairingScore *pairing, int side, int points);

/* All games of a player, from its view. */
MatchScore scoreboard_player(const Scoreboard *board, int player);

/* All games, from White's view; a pair has no such view. */
MatchScore scoreboard_white(const Scoreboard *board);

/* The games of a player against an opponent, from its view; false when they do not meet. */
bool scoreboard_meeting(const Scoreboard *board, int player, int opponent, MatchScore *score);

int64_t forfeits_total(const Forfeits *forfeits);

#endif
