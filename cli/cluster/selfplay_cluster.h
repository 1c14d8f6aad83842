/* SPDX-License-Identifier: MIT
 * One self-play run by all processes of an MPI job. */
#ifndef TABIA_CLI_CLUSTER_SELFPLAY_CLUSTER_H
#define TABIA_CLI_CLUSTER_SELFPLAY_CLUSTER_H

#include "cli/cluster/cluster.h"
#include "db/store/connection.h"
#include "selfplay/run/selfplay.h"

/* As selfplay_run(), on every process of the job; store is open on rank 0 only, and totals, which
 * are those of all, matter there.
 *
 * Rank 0 finds what is missing and tells the others; each takes a contiguous part of it. Rank 0
 * plays its part into the store, the others into a file of their own in the folder `shards`, which
 * should be on a local disk: NAME.rankR for a database NAME. When it is played it travels to rank
 * 0, which merges it; then it is removed. A job that was killed left such files: a job on the same
 * machines begins with merging them, so that no whole game is played twice. */
MUST_CHECK Status selfplay_cluster_run(const Cluster *cluster, Store *store, const char *db,
                                       const char *shards, const EvalWeights *weights,
                                       const char *label, const SelfplaySettings *settings,
                                       const atomic_int *interrupted, SelfplayProgressFn progress,
                                       void *context, SelfplayProgress *totals, Error *err);

#endif
