/* SPDX-License-Identifier: MIT
 * Commands that all processes of an MPI job run together. */
#ifndef TABIA_CLI_COMMANDS_CLUSTER_COMMAND_H
#define TABIA_CLI_COMMANDS_CLUSTER_COMMAND_H

#include "cli/options/options.h"
#include "selfplay/run/cluster.h"

/* options_run() for such a command: joins the job, and leaves it after success (a failure ends the
 * whole job). The others read the options when rank 0, in `run`, calls cluster_go(cluster, true)
 * after its checks. */
MUST_CHECK Status cluster_command_run(Cluster *cluster, const OptionSpec *spec, int argc,
                                      char **argv, OptionRunFn run, void *command, Error *err);

/* Threads of this process by --threads, as cluster_threads() has them. A call of all processes
 * together. Warns when each is bound to one processor. */
int cluster_command_threads(const Cluster *cluster, const CommonOptions *common);

#endif
