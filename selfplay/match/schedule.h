/* SPDX-License-Identifier: MIT
 * Who plays whom: a match as a list of games known in advance.
 *
 * A round lets every pairing play an opening twice, with colours reversed: one of its own, or the
 * one that all pairings of the round share. So game number i follows from i and the players alone,
 * whatever the number of rounds: a match can be prolonged, interrupted and split. Pairings go
 * (0,1), (0,2), …, (1,2), …: of a gauntlet those whose first player is one of the seeds, of a round
 * robin all. */
#ifndef TABIA_SELFPLAY_MATCH_SCHEDULE_H
#define TABIA_SELFPLAY_MATCH_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

enum { PLAYERS_MAX = 256 };

typedef struct Schedule {
    int players; /* at least 2 */
    int seeds;   /* the first so many play against all others: 1 for a gauntlet, players - 1 for a
                    round robin */
    bool shared_openings; /* by all pairings of a round */
} Schedule;

typedef struct ScheduledGame {
    int64_t round;   /* from 0 */
    int64_t opening; /* from 0 */
    int pairing;
    int players[2]; /* of the pairing, first < second; [0] has White in the first game */
    int white;      /* index into players */
} ScheduledGame;

int schedule_pairings(const Schedule *schedule);

/* The players of a pairing. */
void schedule_pairing(const Schedule *schedule, int pairing, int players[2]);

/* Games and openings of so many rounds. */
int64_t schedule_games(const Schedule *schedule, int64_t rounds);
int64_t schedule_openings(const Schedule *schedule, int64_t rounds);

ScheduledGame schedule_game(const Schedule *schedule, int64_t game_no);

#endif
