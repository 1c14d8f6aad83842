/* SPDX-License-Identifier: MIT
 * Numbers of games and played games as messages between rank 0 and the workers of the others. */
#include "cli/cluster/cluster_seats.h"

#include <stdlib.h>

#include "cli/cluster/played_game.h"
#include "selfplay/run/runner.h"

/* A worker of another rank. Its messages have its number as their tag. */
typedef struct Seat {
    int rank, worker;
} Seat;

static const int64_t no_more_games = -1;

/* ---- Rank 0 */

static Status play_at_seat(void *context, int number, int64_t index, GameRecord *game, double *cpu,
                           Error *err)
{
    ClusterSeats *seats = context;
    const Seat *seat = &seats->places[number];
    PlayedGame *played = malloc(sizeof *played);

    if (!played) return error_set(err, STATUS_FAILED, "out of memory for a game");
    cluster_send(seat->rank, seat->worker, &index, sizeof index);
    cluster_receive(seat->rank, seat->worker, played, sizeof *played);
    Status status = played_game_take(played, index, game, cpu, err);
    if (status == STATUS_OK) atomic_fetch_add(&seats->cpu_ns, (long long)(1e9 * *cpu));
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
    PlayedGame *played = malloc(sizeof *played);

    (void)context;
    if (!played) abort(); /* rank 0 waits for an answer: MPI must end the job */
    played_game_make(played, game, cpu, error);
    cluster_send(0, worker, played, sizeof *played);
    free(played);
}

/* ---- Opening */

/* Rank 0 learns how many workers each rank has. */
static Status gather(const Cluster *cluster, int threads, ClusterSeats *seats, Error *err)
{
    int64_t *workers = calloc((size_t)cluster->size, sizeof *workers);

    if (!workers) return error_set(err, STATUS_FAILED, "out of memory for the processes");
    workers[cluster->rank] = runner_workers(threads);
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
