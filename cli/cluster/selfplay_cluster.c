/* SPDX-License-Identifier: MIT
 * Dividing a self-play run among processes, and merging their games. */
#include "cli/cluster/selfplay_cluster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/store/store.h"
#include "db/tables/merge.h"

enum { PATH_BYTES = 4096, RANKS_MAX = 4096 };

/* Games of the job that are not stored yet. */
typedef struct Missing {
    int64_t *games; /* owned */
    int64_t count;
} Missing;

static void shard_path(const SelfplayJob *job, int rank, char out[PATH_BYTES])
{
    const char *slash = strrchr(job->db, '/');
    (void)snprintf(out, PATH_BYTES, "%s/%s.rank%d", job->shards, slash ? slash + 1 : job->db, rank);
}

/* Only the main file is sent: the WAL of a killed process is written into it first. */
static Status settle_shard(const char *path, Error *err)
{
    Store *shard = store_open(path, STORE_WRITE, err);
    if (!shard) return err ? err->status : STATUS_DATABASE;
    Status status = store_settle(shard, err);
    store_close(shard);
    return status;
}

static Status merge_shard(const SelfplayJob *job, const char *path, Error *err)
{
    MergeCounts counts;
    Status status = settle_shard(path, err);

    if (status == STATUS_OK) status = store_merge(job->store, path, NULL, &counts, err);
    if (status == STATUS_OK) store_remove(path);
    return status;
}

/* On rank 0: receives and merges what the others send. */
static Status gather_shards(const SelfplayJob *job, Error *err)
{
    char path[PATH_BYTES];
    Status status = STATUS_OK;

    (void)snprintf(path, sizeof path, "%s.incoming", job->db);
    for (int rank = 1; rank < job->cluster->size && status == STATUS_OK; rank++) {
        bool got = true;
        while (status == STATUS_OK && got) {
            status = cluster_receive_file(rank, path, job->interrupted, &got, err);
            if (status == STATUS_OK && got) status = merge_shard(job, path, err);
        }
    }
    return status;
}

/* The file stays until rank 0 has merged everything. */
static Status send_shard(const SelfplayJob *job, const char *path, Error *err)
{
    (void)job;
    Status status = settle_shard(path, err);
    return status == STATUS_OK ? cluster_send_file(path, err) : status;
}

/* Calls fn for each file left by processes of this rank, or of ranks that this job lacks: a job of
 * 4 may follow one of 8. */
static Status for_each_shard(const SelfplayJob *job,
                             Status (*fn)(const SelfplayJob *, const char *, Error *), Error *err)
{
    char path[PATH_BYTES];
    Status status = STATUS_OK;

    for (int rank = job->cluster->rank; rank < RANKS_MAX && status == STATUS_OK;
         rank += job->cluster->size) {
        shard_path(job, rank, path);
        if (access(path, F_OK) == 0) status = fn(job, path, err);
    }
    return status;
}

static Status forget_shard(const SelfplayJob *job, const char *path, Error *err)
{
    (void)job, (void)err;
    store_remove(path);
    return STATUS_OK;
}

/* Merges all files in the folders into the store. */
static Status gather(const SelfplayJob *job, Error *err)
{
    char merged = 1;
    Status status = for_each_shard(job, job->cluster->rank == 0 ? merge_shard : send_shard, err);

    if (status != STATUS_OK) return status;
    if (job->cluster->rank == 0)
        status = gather_shards(job, err);
    else
        status = cluster_send_file(NULL, err); /* no more of them */
    if (status != STATUS_OK) return status;
    cluster_share(job->cluster, &merged, 1);
    return job->cluster->rank == 0 ? STATUS_OK : for_each_shard(job, forget_shard, err);
}

/* Rank 0 lists the missing games and sends the list to all. */
static Status share_missing(const SelfplayJob *job, Missing *missing, Error *err)
{
    const Cluster *c = job->cluster;

    if (c->rank == 0) {
        Status status = selfplay_list_missing(job->store, job->weights, job->label, job->settings,
                                              &missing->games, &missing->count, err);
        if (status != STATUS_OK) return status;
    }
    cluster_share(c, &missing->count, sizeof missing->count);
    size_t size = (size_t)missing->count * sizeof *missing->games;
    if (c->rank != 0) missing->games = malloc(size + 1);
    if (!missing->games)
        return error_set(err, STATUS_FAILED, "out of memory for the list of games");
    cluster_share(c, missing->games, size);
    return STATUS_OK;
}

static Status play(const SelfplayJob *job, const Missing *missing, Error *err)
{
    const Cluster *c = job->cluster;
    int64_t first = missing->count * c->rank / c->size;
    SelfplaySettings settings = *job->settings;
    char path[PATH_BYTES];

    settings.only = missing->games + first;
    settings.only_count = missing->count * (c->rank + 1) / c->size - first;
    shard_path(job, c->rank, path);
    Store *shard = c->rank == 0 ? NULL : store_open(path, STORE_CREATE, err);
    if (c->rank != 0 && !shard) return err ? err->status : STATUS_DATABASE;
    Status status = selfplay_run(shard ? shard : job->store, job->weights, job->label, &settings,
                                 job->interrupted, job->progress, job->context, job->totals, err);
    store_close(shard);
    return status;
}

static void add_up(const SelfplayJob *job, int64_t missing)
{
    SelfplayProgress *t = job->totals;
    int64_t sums[] = {t->positions, t->nodes, t->wins, t->draws, t->losses};

    cluster_sum(job->cluster, sums, 5);
    t->positions = sums[0];
    t->nodes = sums[1];
    t->wins = sums[2];
    t->draws = sums[3];
    t->losses = sums[4];
    t->done = t->total = job->settings->games;
    t->resumed = job->settings->games - missing;
}

Status selfplay_cluster_run(const SelfplayJob *job, Error *err)
{
    Missing missing = {0};

    *job->totals = (SelfplayProgress){.total = job->settings->games};
    Status status = gather(job, err);
    if (status == STATUS_OK) status = share_missing(job, &missing, err);
    if (status == STATUS_OK) status = play(job, &missing, err);
    if (status == STATUS_OK) status = gather(job, err);
    if (status == STATUS_OK) add_up(job, missing.count);
    free(missing.games);
    return status;
}
