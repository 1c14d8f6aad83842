/* SPDX-License-Identifier: MIT
 * `tabia learn` as several processes: rank 0 has the directory, fits and decides; the others play
 * for it. */
#include "cli/learn/internal.h"

static bool is_alone(const Cluster *cluster)
{
    return !cluster || cluster->size == 1;
}

/* On all ranks. */
static Status share_order(const Cluster *cluster, LearnOrder *order, Error *err)
{
    Status status = STATUS_OK;

    cluster_share(cluster, order, sizeof *order);
    if (order->kind != ORDER_END)
        status = cluster_share_weights(cluster, &order->weights, "the weights", err);
    if (status == STATUS_OK && order->kind == ORDER_MATCH)
        status = cluster_share_weights(cluster, &order->opponent, "the opponent", err);
    return status;
}

Status learn_give_order(const Learn *l, const LearnOrder *order, Pool *pool, Error *err)
{
    LearnOrder copy = *order;

    if (is_alone(l->settings->cluster)) return STATUS_OK;
    Status status = share_order(l->settings->cluster, &copy, err);
    return status == STATUS_OK && pool ? pool_share(l->settings->cluster, pool, err) : status;
}

/* ---- The other ranks */

typedef struct Server {
    const LearnSettings *settings;
    const atomic_int *interrupted;
} Server;

static Status serve_selfplay(const Server *s, const LearnOrder *order, Error *err)
{
    SelfplaySettings settings = learn_selfplay_settings(s->settings, order->generation);
    Pool pool = {0};

    Status status = pool_share(s->settings->cluster, &pool, err);
    settings.pool = pool.members;
    settings.pool_count = pool.count;
    if (status == STATUS_OK)
        status = selfplay_serve(&order->weights, &settings, s->interrupted, err);
    pool_free(&pool);
    return status;
}

static Status serve_match(const Server *s, const LearnOrder *order, Error *err)
{
    GauntletSettings match;
    GauntletPlayer players[2] = {{.name = "a", .weights = &order->weights},
                                 {.name = "b", .weights = &order->opponent}};

    learn_match_settings(s->settings, order->generation, order->seed, &match, players);
    return gauntlet_serve(players, 2, &match, s->interrupted, err);
}

Status learn_serve(const LearnSettings *settings, const atomic_int *interrupted, Error *err)
{
    RemoteWorkers remote;
    LearnOrder order;

    Status status = remote_workers_open(&remote, settings->cluster, settings->threads, err);
    const Server server = {settings, interrupted};
    while (status == STATUS_OK) {
        status = share_order(settings->cluster, &order, err);
        if (status != STATUS_OK || order.kind == ORDER_END) break;
        status = (order.kind == ORDER_PLAY ? serve_selfplay : serve_match)(&server, &order, err);
    }
    remote_workers_close(&remote);
    return status;
}
