/* SPDX-License-Identifier: MIT
 * Who plays whom: a match as a list of games known in advance.
 *
 * A round lets every pairing play one opening twice, with colours reversed; all pairings of a round
 * share its opening. So game number i follows from i and the players alone, whatever the number of
 * rounds: a match can be prolonged, interrupted and split. Pairings go (0,1), (0,2), …, (1,2), …:
 * of a gauntlet those whose first player is one of the seeds, of a round robin all. */
#ifndef TABIA_SELFPLAY_SCHEDULE_H
#define TABIA_SELFPLAY_SCHEDULE_H

#include <stdint.h>

enum { PLAYERS_MAX = 256 };

typedef struct Schedule {
    int players; /* at least 2 */
    int seeds;   /* the first so many play against all others: 1 for a gauntlet, players - 1 for a
                    round robin */
} Schedule;

typedef struct ScheduledGame {
    int64_t round; /* from 0: also the number of the opening */
    int pairing;
    int players[2]; /* of the pairing, first < second; [0] has White in the first game */
    int white;      /* index into players */
} ScheduledGame;

int schedule_pairings(const Schedule *schedule);

/* The players of a pairing. */
void schedule_pairing(const Schedule *schedule, int pairing, int players[2]);

/* Games of so many rounds. */
int64_t schedule_games(const Schedule *schedule, int64_t rounds);

ScheduledGame schedule_game(const Schedule *schedule, int64_t game_no);

#endif
