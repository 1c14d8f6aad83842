/* SPDX-License-Identifier: MIT
 * Numbers of games and played games as messages between rank 0 and the workers of the others. */
#include "selfplay/run/remote_workers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "db/chess/replay.h"

/* Its messages have its thread's number as their tag. */
typedef struct RemoteWorker {
    int rank, thread;
} RemoteWorker;

static const int64_t no_more_games = -1;

/* ---- Opening */

/* Of `threads` those that a parallel region starts: fewer where OpenMP has a limit
 * (OMP_THREAD_LIMIT), and 1 without OpenMP. Ends OMP_DYNAMIC for the calling thread, which could
 * start fewer. */
static int threads_started(int threads)
{
#ifdef _OPENMP
    int limit = omp_get_thread_limit();

    omp_set_dynamic(0);
    return threads < limit ? threads : limit;
#else
    (void)threads;
    return 1;
#endif
}

/* On rank 0: the workers of the other ranks, which have so many threads. */
static Status list_workers(RemoteWorkers *remote, const int64_t *threads, int ranks, Error *err)
{
    int count = 0;

    for (int rank = 1; rank < ranks; rank++)
        count += (int)threads[rank];
    remote->places = calloc((size_t)count + 1, sizeof *remote->places);
    if (!remote->places) return error_set(err, STATUS_FAILED, "out of memory for the workers");
    for (int rank = 1; rank < ranks; rank++)
        for (int thread = 0; thread < (int)threads[rank]; thread++)
            remote->places[remote->count++] = (RemoteWorker){rank, thread};
    return STATUS_OK;
}

Status remote_workers_open(RemoteWorkers *remote, const Cluster *cluster, int threads, Error *err)
{
    int64_t *all = calloc((size_t)cluster->size, sizeof *all);
    Status status = STATUS_OK;

    *remote = (RemoteWorkers){0};
    if (!all) return error_set(err, STATUS_FAILED, "out of memory for the processes");
    all[cluster->rank] = threads_started(threads);
    cluster_sum(cluster, all, cluster->size);
    if (cluster->rank == 0) status = list_workers(remote, all, cluster->size, err);
    free(all);
    return status;
}

void remote_workers_close(RemoteWorkers *remote)
{
    free(remote->places);
    *remote = (RemoteWorkers){0};
}

/* ---- Rank 0 */

static bool is_text(const char *text, size_t size)
{
    return memchr(text, '\0', size) != NULL;
}

/* Are these values in the ranges that the table of games allows? */
static bool is_in_range(const GameMessage *message)
{
    const GameRecord *game = &message->game;

    return is_text(game->start_fen, sizeof game->start_fen) &&
           is_text(game->note, sizeof game->note) && game->opening_no >= 0 && game->nodes >= 0 &&
           game->varied >= 0 && game->white >= 0 && game->black >= 0 && game->ply_count >= 0 &&
           game->ply_count <= GAME_PLIES_MAX && isfinite(message->cpu) && message->cpu >= 0;
}

Status game_message_take(const GameMessage *message, int64_t index, GameRecord *game, double *cpu,
                         Error *err)
{
    GamePly *plies = game->plies;
    PlyClock *clock = game->clock;
    const Error *sent = &message->error;

    if (sent->status != STATUS_OK && is_text(sent->text, sizeof sent->text))
        return error_set(err, sent->status, "%s", sent->text);
    if (sent->status != STATUS_OK || !is_in_range(message))
        return error_set(err, STATUS_FAILED, "game %lld came damaged from another process",
                         (long long)index);
    *cpu = message->cpu;
    *game = message->game;
    game->game_no = index;
    game->plies = plies;
    game->clock = clock;
    game->search = NULL;
    memcpy(plies, message->plies, (size_t)game->ply_count * sizeof *plies);
    if (clock) memcpy(clock, message->clock, (size_t)game->ply_count * sizeof *clock);
    if (replay_check(game, err) == STATUS_OK) return STATUS_OK;
    (void)error_prefix(err, "from another process");
    err->status = STATUS_FAILED;
    return STATUS_FAILED;
}

Status remote_workers_play(RemoteWorkers *remote, int worker, int64_t index, GameRecord *game,
                           double *cpu, Error *err)
{
    const RemoteWorker *place = &remote->places[worker];
    GameMessage *message = malloc(sizeof *message);

    if (!message) return error_set(err, STATUS_FAILED, "out of memory for a game");
    cluster_send(place->rank, place->thread, &index, sizeof index);
    cluster_receive(place->rank, place->thread, message, sizeof *message);
    Status status = game_message_take(message, index, game, cpu, err);
    if (status == STATUS_OK) atomic_fetch_add(&remote->cpu_ns, (long long)(1e9 * *cpu));
    free(message);
    return status;
}

void remote_workers_dismiss(const RemoteWorkers *remote)
{
    for (int i = 0; i < remote->count; i++)
        cluster_send(remote->places[i].rank, remote->places[i].thread, &no_more_games,
                     sizeof no_more_games);
}

/* ---- The other ranks */

int64_t remote_workers_next(int thread)
{
    int64_t index;

    cluster_receive(0, thread, &index, sizeof index);
    return index;
}

void remote_workers_answer(int thread, const GameMessage *message)
{
    cluster_send(0, thread, message, sizeof *message);
}
