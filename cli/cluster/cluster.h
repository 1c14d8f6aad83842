/* SPDX-License-Identifier: MIT
 * The processes of an MPI job: rank and size, data for all ranks, files sent to rank 0.
 *
 * Without MPI, or for a program that is no part of a job, there is one process, of rank 0, and
 * these functions do nothing. A process that fails ends: MPI then ends the job. Calls come from one
 * thread at a time, but for cluster_send() and cluster_receive(). */
#ifndef TABIA_CLI_CLUSTER_CLUSTER_H
#define TABIA_CLI_CLUSTER_CLUSTER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "cli/options/options.h"
#include "engine/eval/weights.h"

typedef struct Cluster {
    int rank, size; /* of the job; only rank 0 prints */
    bool joined;    /* MPI is initialised */
} Cluster;

/* Rank 0 decides by `go` whether all continue; the others wait for that. Returns the decision. */
bool cluster_go(const Cluster *cluster, bool go);

/* options_run() for a command that all processes run together: joins the job, and leaves it after
 * success (a failure ends the whole job). The others read the options when rank 0, in `run`, calls
 * cluster_go(cluster, true) after its checks. */
MUST_CHECK Status cluster_run(Cluster *cluster, const OptionSpec *spec, int argc, char **argv,
                              OptionRunFn run, void *command, Error *err);

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

/* True for one process of each machine. A call of all processes together. */
bool cluster_leads_machine(const Cluster *cluster);

/* Waits until all processes have come here. */
void cluster_meet(const Cluster *cluster);

/* Threads for this process: options_threads(), but if several processes of a machine may use the
 * same processors, each takes its share. Warns when each process is bound to one processor though
 * the machine has more: mpirun's default for up to two processes. */
int cluster_threads(const Cluster *cluster, const CommonOptions *common);

/* Sends `size` bytes to another rank, or waits asleep for as many from there. Any number of threads
 * may call these, each with tags of its own, from 0 to CLUSTER_TAGS - 1. */
enum { CLUSTER_TAGS = 30000 };
void cluster_send(int to, int tag, const void *data, size_t size);
void cluster_receive(int from, int tag, void *data, size_t size);

/* Sends a copy of the file to rank 0; NULL: no more files. */
MUST_CHECK Status cluster_send_file(const char *path, Error *err);

/* On rank 0: waits for the file of another rank and writes it to `path`; *got is false when that
 * rank has no more. STATUS_INTERRUPTED when *interrupted became non-zero. */
MUST_CHECK Status cluster_receive_file(int from, const char *path, const atomic_int *interrupted,
                                       bool *got, Error *err);

#endif
