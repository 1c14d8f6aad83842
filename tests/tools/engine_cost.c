/* SPDX-License-Identifier: MIT
 * Our cost of a move of a UCI engine: an engine plays itself through pipes, and this process's own
 * processor time a ply is measured.
 *   engine_cost ENGINE [GAMES [NODES]]    prints `us_per_ply user system plies wall` on one line */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "engine/base/clock.h"
#include "engine/board/bitboard.h"
#include "engine/notation/fen.h"
#include "selfplay/game/game.h"
#include "selfplay/players/child_guard.h"
#include "selfplay/players/player_uci.h"

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

/* Plies of the games, -1 on failure. */
static long play(Player *const players[2], int games, uint64_t nodes, Error *err)
{
    static GamePly plies[GAME_PLIES_MAX];
    GameRecord game = {.plies = plies};
    const SearchLimits limits = {.nodes_soft = nodes, .nodes_hard = nodes};
    GameSetup setup = {.players = {players[0], players[1]},
                       .start_fen = START_FEN,
                       .limits = {limits, limits},
                       .adjudication = {.max_plies = 200}};
    long sum = 0;

    for (int i = 0; i < games; i++) {
        setup.white = i % 2;
        if (game_play(&setup, &game, err) != STATUS_OK) return -1;
        sum += game.ply_count;
    }
    return sum;
}

int main(int argc, char **argv)
{
    Error err = {0};
    Player *players[2] = {NULL, NULL};
    struct rusage before, after;
    const UciSetup setup = {.name = "engine",
                            .command.program = argc > 1 ? argv[1] : "stockfish",
                            .stall_ms = 10000,
                            .init_ms = 10000};
    int games = argc > 2 ? atoi(argv[2]) : 100;
    uint64_t nodes = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    long plies = -1;

    guard_main(argv);
    bitboard_init();
    for (int i = 0; i < 2; i++)
        players[i] = player_create_uci(&setup, &err);
    int64_t started = clock_us();
    (void)getrusage(RUSAGE_SELF, &before);
    if (players[0] && players[1]) plies = play(players, games, nodes, &err);
    (void)getrusage(RUSAGE_SELF, &after);
    double wall = (double)(clock_us() - started);
    player_destroy(players[0]);
    player_destroy(players[1]);
    if (plies <= 0) {
        fprintf(stderr, "engine_cost: %s\n", err.text);
        return 1;
    }
    double user = 1e6 * (seconds(after.ru_utime) - seconds(before.ru_utime));
    double system = 1e6 * (seconds(after.ru_stime) - seconds(before.ru_stime));
    double n = (double)plies;
    printf("%.1f %.1f %.1f %ld %.1f\n", (user + system) / n, user / n, system / n, plies, wall / n);
    return 0;
}
