/* SPDX-License-Identifier: MIT
 * The processes of an MPI job: which one we are, what all have to know, files on their way to the
 * first.
 *
 * Without MPI, or for a program that nobody started as part of a job, there is one process, of rank
 * 0, and all of this does nothing. A process that fails just ends: MPI then ends the job. The calls
 * come from one thread. */
#ifndef TABIA_CLI_CLUSTER_CLUSTER_H
#define TABIA_CLI_CLUSTER_CLUSTER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "cli/options/options.h"

typedef struct Cluster {
    int rank, size; /* of the job; rank 0 is the one that speaks */
    bool joined;    /* MPI is at work */
} Cluster;

/* Joins the job that mpirun, or Slurm by PMI, started this process in. */
MUST_CHECK Status cluster_join(Cluster *cluster, Error *err);

/* Waits for all others, and leaves. */
void cluster_leave(Cluster *cluster);

/* On rank 0: whether the others shall go on, which is returned; there: waits for its word. */
bool cluster_go(const Cluster *cluster, bool go);

/* Rank 0 gives, all others get: bytes of a size that all know. */
void cluster_share(const Cluster *cluster, void *data, size_t size);

/* The sums over all processes, on rank 0. */
void cluster_sum(const Cluster *cluster, int64_t *values, int count);

/* Threads for this process: options_threads(), but where several processes of a machine may use the
 * same processors, which are all it has, each takes its share. *trap becomes true when the job was
 * started so that each process has one processor only though the machine has more: what mpirun does
 * with up to two of them unless told otherwise. */
int cluster_threads(const Cluster *cluster, const CommonOptions *common, bool *trap);

/* Sends rank 0 the file, which stays; NULL: there is none. */
MUST_CHECK Status cluster_send_file(const Cluster *cluster, const char *path, Error *err);

/* On rank 0: waits for the file of another rank, and writes it to `path`; *got is false when it had
 * none. STATUS_INTERRUPTED when *interrupted became non-zero meanwhile. */
MUST_CHECK Status cluster_receive_file(const Cluster *cluster, int from, const char *path,
                                       const atomic_int *interrupted, bool *got, Error *err);

#endif
