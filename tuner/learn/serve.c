/* SPDX-License-Identifier: MIT
 * Requests of rank 0 to the other processes. */
#include "tuner/learn/serve.h"

#include "tuner/learn/derived_settings.h"

static bool is_alone(const Cluster *cluster)
{
    return !cluster || cluster->size == 1;
}

/* On all ranks. */
static Status share_request(const Cluster *cluster, LearnRequest *request, Error *err)
{
    Status status = STATUS_OK;

    cluster_share(cluster, request, sizeof *request);
    if (request->kind != REQUEST_END)
        status = cluster_share_weights(cluster, &request->weights, "the weights", err);
    if (status == STATUS_OK && request->kind == REQUEST_MATCH)
        status = cluster_share_weights(cluster, &request->opponent, "the opponent", err);
    return status;
}

Status learn_request(const LearnSettings *settings, const LearnRequest *request, Pool *pool,
                     Error *err)
{
    LearnRequest copy = *request;

    if (is_alone(settings->cluster)) return STATUS_OK;
    Status status = share_request(settings->cluster, &copy, err);
    return status == STATUS_OK && pool ? pool_share(settings->cluster, pool, err) : status;
}

/* ---- The other ranks */

static Status serve_selfplay(const LearnSettings *settings, const LearnRequest *request,
                             const atomic_int *interrupted, Error *err)
{
    SelfplaySettings s = learn_selfplay_settings(settings, request->generation);
    Pool pool = {0};

    Status status = pool_share(settings->cluster, &pool, err);
    s.pool = pool.members;
    s.pool_count = pool.count;
    if (status == STATUS_OK) status = selfplay_serve(&request->weights, &s, interrupted, err);
    pool_free(&pool);
    return status;
}

static Status serve_match(const LearnSettings *settings, const LearnRequest *request,
                          const atomic_int *interrupted, Error *err)
{
    GauntletSettings match;
    GauntletPlayer players[2] = {{.name = "a", .engine.weights = &request->weights},
                                 {.name = "b", .engine.weights = &request->opponent}};

    learn_match_settings(settings, request->generation, request->seed, &match, players);
    return gauntlet_serve(&match, interrupted, err);
}

Status learn_serve(const LearnSettings *settings, const atomic_int *interrupted, Error *err)
{
    RemoteWorkers remote;
    LearnRequest request;

    Status status = remote_workers_open(&remote, settings->cluster, settings->threads, err);
    while (status == STATUS_OK) {
        status = share_request(settings->cluster, &request, err);
        if (status != STATUS_OK || request.kind == REQUEST_END) break;
        bool selfplay = request.kind == REQUEST_SELFPLAY;
        status = (selfplay ? serve_selfplay : serve_match)(settings, &request, interrupted, err);
    }
    remote_workers_close(&remote);
    return status;
}
