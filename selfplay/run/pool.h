/* SPDX-License-Identifier: MIT
 * The weights from which self-play draws opponents: --pool. */
#ifndef TABIA_SELFPLAY_RUN_POOL_H
#define TABIA_SELFPLAY_RUN_POOL_H

#include "db/store/connection.h"
#include "selfplay/run/cluster.h"
#include "selfplay/run/selfplay.h"

/* Zeroed: empty. Functions add to it; free it also after a failure. */
typedef struct Pool {
    int count;
    SelfplayOpponent *members; /* [count], owned */
} Pool;

/* Reads "last:K", the K latest different best weights of the generations in a database: *last
 * becomes K, STATUS_USAGE when K is out of range. *last becomes 0 for any other text. */
MUST_CHECK Status pool_parse_last(const char *spec, int *last, Error *err);

/* "W,W,…", each builtin, zero, material, a weights header or a network. */
MUST_CHECK Status pool_load(const char *spec, Pool *pool, Error *err);

/* The `last` latest best weights of the store's generations, newest first; fewer if the store has
 * fewer. STATUS_BAD_INPUT when there are none. */
MUST_CHECK Status pool_load_last(Store *store, int last, Pool *pool, Error *err);

/* Sends the pool of rank 0 to all other ranks. */
MUST_CHECK Status pool_share(const Cluster *cluster, Pool *pool, Error *err);

void pool_free(Pool *pool);

#endif
