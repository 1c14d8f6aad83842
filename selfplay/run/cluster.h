/* SPDX-License-Identifier: MIT
 * The processes of an MPI job: rank and size, data for all ranks, messages between two.
 *
 * Without MPI, or for a program that is no part of a job, there is one process, of rank 0, and
 * these functions do nothing. A process that fails ends: MPI then ends the job. Calls come from one
 * thread at a time, but for cluster_send() and cluster_receive(). */
#ifndef TABIA_SELFPLAY_RUN_CLUSTER_H
#define TABIA_SELFPLAY_RUN_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/status.h"
#include "engine/eval/weights.h"

typedef struct Cluster {
    int rank, size; /* of the job; only rank 0 prints */
    bool joined;    /* MPI is initialised */
} Cluster;

/* Makes this process a part of its job. STATUS_USAGE when it is one of several processes, but was
 * built without MPI. */
MUST_CHECK Status cluster_join(Cluster *cluster, Error *err);

/* After success: a process that ends without it ends the whole job. */
void cluster_leave(Cluster *cluster);

/* Rank 0 decides by `go` whether all continue; the others wait for that. Returns the decision. */
bool cluster_go(const Cluster *cluster, bool go);

/* Copies `size` bytes of rank 0 to all others. */
void cluster_share(const Cluster *cluster, void *data, size_t size);

/* The same for weights, whose network is a pointer; `what` they are, for errors. */
MUST_CHECK Status cluster_share_weights(const Cluster *cluster, EvalWeights *weights,
                                        const char *what, Error *err);

/* The sums over all processes, on rank 0. */
void cluster_sum(const Cluster *cluster, int64_t *values, int count);

/* A call of all processes together. On rank 0: STATUS_USAGE with the first rank whose text is
 * another. The others go on, and end with rank 0. */
MUST_CHECK Status cluster_agree(const Cluster *cluster, const char *text, Error *err);

/* Threads for this process: `wanted`; 0: as many as there are processors, but if several processes
 * of a machine may use the same processors, each takes its share. *bound: each process is bound to
 * one processor though the machine has more, which is mpirun's default for up to two processes. */
int cluster_threads(const Cluster *cluster, int wanted, bool *bound);

/* Sends `size` bytes to another rank, or waits asleep for as many from there. Any number of threads
 * may call these, each with tags of its own, from 0. */
void cluster_send(int to, int tag, const void *data, size_t size);
void cluster_receive(int from, int tag, void *data, size_t size);

#endif
