/* SPDX-License-Identifier: MIT
 * Joining a job around the parsing of options. */
#include "cli/commands/cluster_command.h"

#include <stdio.h>

Status cluster_command_run(Cluster *cluster, const OptionSpec *spec, int argc, char **argv,
                           OptionRunFn run, void *command, Error *err)
{
    OptionParser *parser = NULL;
    bool done = false;

    Status status = cluster_join(cluster, err);
    if (status == STATUS_OK) status = cluster_agree(cluster, spec->command, err);
    if (status != STATUS_OK) return status;
    if (cluster->rank > 0 && !cluster_go(cluster, false)) {
        cluster_leave(cluster);
        return STATUS_OK;
    }
    status = options_parse(spec, command, argc, argv, &parser, &done, err);
    if (status == STATUS_OK && !done) status = run(command, parser, err);
    if (done) (void)cluster_go(cluster, false);
    if (status == STATUS_OK) cluster_leave(cluster);
    options_destroy(parser);
    return status;
}

int cluster_command_threads(const Cluster *cluster, const CommonOptions *common)
{
    bool bound;
    int threads = cluster_threads(cluster, common->threads, &bound);

    if (bound && cluster->rank == 0)
        fprintf(
            stderr,
            "warning: each process is bound to one of several processors; start mpirun with --bind-to none, or --map-by ppr:1:node:PE=N for N processors\n");
    return threads;
}
