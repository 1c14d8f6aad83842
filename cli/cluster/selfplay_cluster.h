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
 * into the store, the others into a file NAME.rankR for a database NAME, in the folder `shards`,
 * which should be on a local disk. The complete file is sent to rank 0, merged there, and then
 * removed. A killed job leaves such files: the next job on the same machines merges them first, so
 * that no complete game is played twice. */
MUST_CHECK Status selfplay_cluster_run(const SelfplayJob *job, Error *err);

#endif
