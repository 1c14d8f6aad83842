/* SPDX-License-Identifier: MIT
 * The schedule of a match: a list of games known in advance.
 *
 * In a round every pairing plays one opening twice, with colours reversed, or two openings with
 * reversed colours. They are the pairing's own or shared by all pairings of the round. Game number
 * i depends on i and the Schedule, not on the number of rounds, so that a match can be extended,
 * resumed and split. Pairings are ordered (0,1), (0,2), …, (1,2), …. A gauntlet has those whose
 * first player is a seed, a round robin all. */
#ifndef TABIA_SELFPLAY_MATCH_SCHEDULE_H
#define TABIA_SELFPLAY_MATCH_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

enum { PLAYERS_MAX = 256 };

typedef struct Schedule {
    int players; /* at least 2 */
    int seeds;   /* the first `seeds` players play all others; players - 1 for a round robin */
    bool shared_openings; /* by all pairings of a round */
    bool single_openings; /* the second game of a pair has another opening than the first */
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

/* Games and openings of `rounds` rounds. */
int64_t schedule_games(const Schedule *schedule, int64_t rounds);
int64_t schedule_openings(const Schedule *schedule, int64_t rounds);

ScheduledGame schedule_game(const Schedule *schedule, int64_t game_no);

#endif
