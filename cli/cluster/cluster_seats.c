/* SPDX-License-Identifier: MIT
 * Numbers of games and played games as messages between rank 0 and the workers of the others. */
#include "cli/cluster/cluster_seats.h"

#include <stdlib.h>
#include <string.h>

#include "selfplay/game/game.h"

/* A worker of another rank. Its messages have its number as their tag. */
typedef struct Seat {
    int rank, worker;
} Seat;

/* All processes run the same program, so a struct can travel as it is. */
typedef struct PlayedGame {
    Error error;
    double cpu;      /* seconds */
    GameRecord game; /* its pointers mean nothing here */
    GamePly plies[GAME_PLIES_MAX];
    PlyClock clock[GAME_PLIES_MAX];
} PlayedGame;

static const int64_t no_more_games = -1;

/* ---- Rank 0 */

static Status play_at_seat(void *context, int number, int64_t index, GameRecord *game, double *cpu,
                           Error *err)
{
    ClusterSeats *seats = context;
    const Seat *seat = &seats->places[number];
    PlayedGame *played = malloc(sizeof *played);
    GamePly *plies = game->plies;
    PlyClock *clock = game->clock;

    if (!played) return error_set(err, STATUS_FAILED, "out of memory for a game");
    cluster_send(seat->rank, seat->worker, &index, sizeof index);
    cluster_receive(seat->rank, seat->worker, played, sizeof *played);
    Status status = played->error.status;
    *cpu = played->cpu;
    atomic_fetch_add(&seats->cpu_ns, (long long)(1e9 * played->cpu));
    if (status == STATUS_OK) {
        *game = played->game;
        game->plies = plies;
        game->clock = clock;
        memcpy(plies, played->plies, (size_t)game->ply_count * sizeof *plies);
        if (clock) memcpy(clock, played->clock, (size_t)game->ply_count * sizeof *clock);
    } else {
        *err = played->error;
    }
    free(played);
    return status;
}

void cluster_seats_dismiss(ClusterSeats *seats)
{
    for (int i = 0; i < seats->seats.count; i++)
        cluster_send(seats->places[i].rank, seats->places[i].worker, &no_more_games,
                     sizeof no_more_games);
}

/* ---- The other ranks */

static int64_t next_order(void *context, int worker)
{
    int64_t index;

    (void)context;
    cluster_receive(0, worker, &index, sizeof index);
    return index;
}

static void send_game(void *context, int worker, const GameRecord *game, double cpu,
                      const Error *error)
{
    PlayedGame *played = calloc(1, sizeof *played);

    (void)context;
    if (!played) abort(); /* rank 0 waits for an answer: MPI must end the job */
    played->error = *error;
    played->cpu = cpu;
    if (game && error->status == STATUS_OK) {
        played->game = *game;
        memcpy(played->plies, game->plies, (size_t)game->ply_count * sizeof *game->plies);
        if (game->clock)
            memcpy(played->clock, game->clock, (size_t)game->ply_count * sizeof *game->clock);
    }
    cluster_send(0, worker, played, sizeof *played);
    free(played);
}

/* ---- Opening */

/* Rank 0 learns how many workers each rank has. */
static Status gather(const Cluster *cluster, int threads, ClusterSeats *seats, Error *err)
{
    int64_t *workers = calloc((size_t)cluster->size, sizeof *workers);

    if (!workers) return error_set(err, STATUS_FAILED, "out of memory for the processes");
    workers[cluster->rank] = threads;
    cluster_sum(cluster, workers, cluster->size);
    if (cluster->rank == 0) {
        int count = 0;
        for (int rank = 1; rank < cluster->size; rank++)
            count += (int)workers[rank];
        seats->places = calloc((size_t)count + 1, sizeof *seats->places);
        for (int rank = 1; seats->places && rank < cluster->size; rank++)
            for (int worker = 0; worker < (int)workers[rank]; worker++)
                seats->places[seats->seats.count++] = (Seat){rank, worker};
    }
    free(workers);
    if (cluster->rank == 0 && !seats->places)
        return error_set(err, STATUS_FAILED, "out of memory for the workers");
    return STATUS_OK;
}

Status cluster_seats_open(const Cluster *cluster, int threads, ClusterSeats *seats, Error *err)
{
    *seats = (ClusterSeats){.seats = {.context = seats, .play = play_at_seat},
                            .orders = {.context = seats, .next = next_order, .answer = send_game}};
    return gather(cluster, threads, seats, err);
}

void cluster_seats_close(ClusterSeats *seats)
{
    free(seats->places);
    *seats = (ClusterSeats){0};
}
