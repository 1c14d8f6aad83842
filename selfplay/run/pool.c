/* SPDX-License-Identifier: MIT
 * Pools of opponents. */
#include "selfplay/run/pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/chess/stored_weights.h"
#include "db/tables/learning.h"
#include "engine/base/new_file.h"
#include "engine/values/value.h"

/* Adds a member, which is to be put into *place. */
static Status add_member(Pool *pool, SelfplayOpponent **place, Error *err)
{
    if (pool->count == SELFPLAY_POOL_MAX)
        return error_set(err, STATUS_USAGE, "a pool has at most %d weights", SELFPLAY_POOL_MAX);
    if (!pool->members) pool->members = malloc(SELFPLAY_POOL_MAX * sizeof *pool->members);
    if (!pool->members) return error_set(err, STATUS_FAILED, "out of memory for the pool");
    *place = &pool->members[pool->count++];
    return STATUS_OK;
}

void pool_free(Pool *pool)
{
    free(pool->members);
    *pool = (Pool){0};
}

Status pool_parse_last(const char *spec, int *last, Error *err)
{
    int64_t number;

    *last = 0;
    if (strncmp(spec, "last:", 5) != 0) return STATUS_OK;
    if (!value_parse_int(spec + 5, &number) || number < 1 || number > SELFPLAY_POOL_MAX)
        return error_set(err, STATUS_USAGE, "K of last:K must be from 1 to %d, not \"%s\"",
                         SELFPLAY_POOL_MAX, spec + 5);
    *last = (int)number;
    return STATUS_OK;
}

Status pool_load(const char *spec, Pool *pool, Error *err)
{
    SelfplayOpponent *place = NULL;
    char *copy = strdup(spec);
    Status status = copy ? STATUS_OK : error_set(err, STATUS_FAILED, "out of memory");

    for (char *name = copy, *next; status == STATUS_OK && name; name = next) {
        next = strchr(name, ',');
        if (next) *next++ = '\0';
        for (const char *earlier = copy; earlier < name; earlier += strlen(earlier) + 1)
            if (strcmp(earlier, name) == 0 || file_is_same(earlier, name))
                status = error_set(err, STATUS_USAGE, "%s: named twice", name);
        if (status == STATUS_OK) status = add_member(pool, &place, err);
        if (status == STATUS_OK) status = evaluation_load(name, &place->weights, &place->info, err);
    }
    free(copy);
    return status;
}

Status pool_load_last(Store *store, int last, Pool *pool, Error *err)
{
    char hashes[SELFPLAY_POOL_MAX][HASH_HEX_MAX];
    SelfplayOpponent *place = NULL;
    int count = 0;

    Status status = store_list_best(store, last, hashes, &count, err);
    if (status == STATUS_OK && count == 0)
        status = error_set(err, STATUS_BAD_INPUT,
                           "%s: --pool last:%d: no generations of tabia learn in it",
                           store_path(store), last);
    for (int i = 0; status == STATUS_OK && i < count; i++) {
        status = add_member(pool, &place, err);
        if (status != STATUS_OK) break;
        status = stored_weights_get(store, hashes[i], &place->weights, &place->info, err);
        (void)snprintf(place->info.label, sizeof place->info.label, "%.12s", hashes[i]);
    }
    return status;
}

Status pool_share(const Cluster *cluster, Pool *pool, Error *err)
{
    SelfplayOpponent *place = NULL;
    int count = pool->count;

    cluster_share(cluster, &count, sizeof count);
    for (int i = 0; i < count; i++) {
        Status status = cluster->rank != 0 ? add_member(pool, &place, err) : STATUS_OK;
        if (status != STATUS_OK) return status;
        cluster_share(cluster, &pool->members[i].info, sizeof pool->members[i].info);
        status = cluster_share_weights(cluster, &pool->members[i].weights, "the pool", err);
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}
