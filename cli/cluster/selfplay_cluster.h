/* SPDX-License-Identifier: MIT
 * One self-play run by all processes of an MPI job. */
#ifndef TABIA_CLI_CLUSTER_SELFPLAY_CLUSTER_H
#define TABIA_CLI_CLUSTER_SELFPLAY_CLUSTER_H

#include "cli/cluster/cluster.h"
#include "db/store/connection.h"
#include "selfplay/run/selfplay.h"

/* One self-play run; everything is borrowed. */
typedef struct SelfplayJob {
    const Cluster *cluster;
    Store *store;       /* on rank 0; else NULL */
    const char *db;     /* its file */
    const char *shards; /* folder */
    const EvalWeights *weights;
    const char *label; /* of the weights */
    const SelfplaySettings *settings;
    const atomic_int *interrupted;
    SelfplayProgressFn progress;
    void *context;
    SelfplayProgress *totals; /* on rank 0 summed over all processes */
} SelfplayJob;

/* As selfplay_run(), on every process of the job.
 *
 * Rank 0 lists the missing games; each process plays a contiguous part of the list. Rank 0 plays
 * into the store, the others into a shard NAME.ID.rankR for a database NAME, in the folder
 * `shards`, which should be on a local disk. ID stands for the run and the database's full path.
 * While a process plays, no other can open its shard. The complete shard is sent to rank 0, and
 * removed when rank 0 has committed its games. A killed job leaves shards: the next job of the same
 * run and database merges them first, so that no complete game is played twice. Shards of other
 * jobs are named on standard error and stay. STATUS_BAD_INPUT for a shard that holds another run
 * than its name says. */
MUST_CHECK Status selfplay_cluster_run(const SelfplayJob *job, Error *err);

#endif
