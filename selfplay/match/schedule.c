/* SPDX-License-Identifier: MIT
 * Pairings and their games by number. */
#include "selfplay/match/schedule.h"

#include <assert.h>

int schedule_pairings(const Schedule *schedule)
{
    int n = schedule->players, s = schedule->seeds;
    return s * n - s * (s + 1) / 2;
}

void schedule_pairing(const Schedule *schedule, int pairing, int players[2])
{
    int first = 0, opponents = schedule->players - 1;

    assert(pairing >= 0 && pairing < schedule_pairings(schedule));
    for (; pairing >= opponents; pairing -= opponents--)
        first++;
    players[0] = first;
    players[1] = first + 1 + pairing;
}

int64_t schedule_games(const Schedule *schedule, int64_t rounds)
{
    return 2 * rounds * schedule_pairings(schedule);
}

int64_t schedule_openings(const Schedule *schedule, int64_t rounds)
{
    int64_t pairs = schedule->shared_openings ? rounds : rounds * schedule_pairings(schedule);
    return schedule->single_openings ? 2 * pairs : pairs;
}

ScheduledGame schedule_game(const Schedule *schedule, int64_t game_no)
{
    int64_t pair = game_no / 2;
    int pairings = schedule_pairings(schedule);
    ScheduledGame game = {
        .round = pair / pairings, .pairing = (int)(pair % pairings), .white = (int)(game_no % 2)};

    game.opening = schedule->shared_openings ? game.round : pair;
    if (schedule->single_openings) game.opening = 2 * game.opening + game.white;
    schedule_pairing(schedule, game.pairing, game.players);
    return game;
}
