/* SPDX-License-Identifier: MIT
 * The workers of all other processes of an MPI job, for a run on rank 0.
 *
 * Each of them waits for the number of a game, plays it and sends it back. So rank 0 alone has the
 * database, and commits, judges and stops as a single process does. When a process is lost, MPI
 * ends the job, and its unfinished games are played by the next one. */
#ifndef TABIA_SELFPLAY_RUN_REMOTE_WORKERS_H
#define TABIA_SELFPLAY_RUN_REMOTE_WORKERS_H

#include <stdatomic.h>

#include "db/store/game_record.h"
#include "selfplay/game/game.h"
#include "selfplay/run/cluster.h"

/* A played game as a message to rank 0. All processes run the same program, so a struct can travel
 * as it is; its pointers mean nothing to the receiver. */
typedef struct GameMessage {
    Error error; /* why there is no game, or STATUS_OK */
    double cpu;  /* seconds */
    GameRecord game;
    GamePly plies[GAME_PLIES_MAX];
    PlyClock clock[GAME_PLIES_MAX];
} GameMessage;

typedef struct RemoteWorkers {
    int count;                   /* on rank 0: of all other ranks; elsewhere 0 */
    struct RemoteWorker *places; /* [count], owned */
    atomic_llong cpu_ns;         /* CPU time of the games that came from there */
} RemoteWorkers;

/* A call of all processes together: `threads` are the workers of this one. Close it also after a
 * failure. */
MUST_CHECK Status remote_workers_open(RemoteWorkers *remote, const Cluster *cluster, int threads,
                                      Error *err);
void remote_workers_close(RemoteWorkers *remote);

/* ---- On rank 0 */

/* Has worker number `worker`, from 0, play game `index`: the same as RunnerJob.play. *cpu: the CPU
 * seconds that it took there. One thread at a time calls it for each worker. */
MUST_CHECK Status remote_workers_play(RemoteWorkers *remote, int worker, int64_t index,
                                      GameRecord *game, double *cpu, Error *err);

/* Copies game number `index` out of a message to *game, whose plies and clock have room for
 * GAME_PLIES_MAX; clock may be NULL, search becomes NULL. Returns the error of the message if it
 * has one. Another process is not trusted: STATUS_FAILED when the game breaks the rules or has
 * values that no game has. */
MUST_CHECK Status game_message_take(const GameMessage *message, int64_t index, GameRecord *game,
                                    double *cpu, Error *err);

/* After a run: sends all workers the message that there are no more games. */
void remote_workers_dismiss(const RemoteWorkers *remote);

/* ---- On the other ranks */

/* The next game that rank 0 requests from thread number `thread`, from 0; -1: there are no more. */
int64_t remote_workers_next(int thread);

/* Sends rank 0 that game, or why there is none. */
void remote_workers_answer(int thread, const GameMessage *message);

#endif
