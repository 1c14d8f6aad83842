/* SPDX-License-Identifier: MIT
 * Seats for a run on rank 0: the workers of all other processes of an MPI job.
 *
 * Each worker of another rank waits for the number of a game, plays it and sends it back. So rank 0
 * alone has the database, and commits, judges and stops as a single process does. When a process
 * is lost, MPI ends the job, and its unfinished games are played by the next one. */
#ifndef TABIA_CLI_CLUSTER_CLUSTER_SEATS_H
#define TABIA_CLI_CLUSTER_CLUSTER_SEATS_H

#include "cli/cluster/cluster.h"
#include "selfplay/run/seats.h"

typedef struct ClusterSeats {
    Seats seats;         /* on rank 0: those of all others */
    Orders orders;       /* on the others: what rank 0 sends */
    struct Seat *places; /* owned */
    atomic_llong cpu_ns; /* CPU time of the games that came from there */
} ClusterSeats;

/* A call of all processes together: `threads` are the workers of this one. The struct must stay
 * where it is while it is used. Close it also after a failure. */
MUST_CHECK Status cluster_seats_open(const Cluster *cluster, int threads, ClusterSeats *seats,
                                     Error *err);

/* On rank 0, after a run: tells all workers that there are no more games. */
void cluster_seats_dismiss(ClusterSeats *seats);

void cluster_seats_close(ClusterSeats *seats);

#endif
