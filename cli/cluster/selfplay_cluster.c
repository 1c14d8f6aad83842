/* SPDX-License-Identifier: MIT
 * Dividing a self-play run among processes, and merging their games. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "cli/cluster/selfplay_cluster.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/chess/stored_weights.h"
#include "db/files/sha256.h"
#include "db/store/new_store.h"
#include "db/tables/check.h"
#include "db/tables/merge.h"
#include "db/tables/runs.h"
#include "engine/base/text.h"

enum { PATH_BYTES = 4096, JOB_ID_CHARS = 16 };

/* Games of the job that are not stored yet. */
typedef struct Missing {
    int64_t *games; /* owned */
    int64_t count;
} Missing;

/* Who a shard belongs to: the run, and the database that its games are for. */
typedef struct Identity {
    char uuid[UUID_MAX];    /* of the run */
    char job[HASH_HEX_MAX]; /* the first JOB_ID_CHARS of SHA-256(uuid, database's full path) */
} Identity;

/* Rank 0 makes the run and its identity and sends that to all. */
static Status share_identity(const SelfplayJob *job, Identity *id, Error *err)
{
    char text[UUID_MAX + PATH_BYTES];

    if (job->cluster->rank == 0) {
        Status status =
            selfplay_open(job->store, job->weights, job->label, job->settings, id->uuid, err);
        if (status != STATUS_OK) return status;
        char *full = realpath(job->db, NULL);
        if (!full)
            return error_set(err, STATUS_FAILED, "%s: no full path: %s", job->db, strerror(errno));
        (void)snprintf(text, sizeof text, "%s %s", id->uuid, full);
        free(full);
        sha256_hex(text, strlen(text), id->job);
        id->job[JOB_ID_CHARS] = '\0';
    }
    cluster_share(job->cluster, id, sizeof *id);
    return STATUS_OK;
}

/* The name of a shard without its rank. */
static void shard_stem(const SelfplayJob *job, const Identity *id, char out[PATH_BYTES])
{
    (void)snprintf(out, PATH_BYTES, "%s.%s.rank", text_file_name(job->db), id->job);
}

static void shard_path(const SelfplayJob *job, const Identity *id, char out[PATH_BYTES])
{
    char stem[PATH_BYTES];

    shard_stem(job, id, stem);
    (void)snprintf(out, PATH_BYTES, "%s/%s%d", job->shards, stem, job->cluster->rank);
}

/* Refuses a shard that holds anything but games of this run, whatever its name says. Merging copies
 * rows by statements, so their values are looked at before. */
static Status check_shard(Store *shard, const Identity *id, Error *err)
{
    RunRecord *runs = NULL;
    int count = 0;

    Status status = store_check_values(shard, err);
    if (status == STATUS_OK) status = stored_weights_check(shard, err);
    if (status == STATUS_OK) status = store_list_runs(shard, 0, &runs, &count, err);
    for (int i = 0; i < count && status == STATUS_OK; i++)
        if (strcmp(runs[i].uuid, id->uuid) != 0)
            status = error_set(err, STATUS_BAD_INPUT,
                               "%s: holds games of another run than its name says; it was left as "
                               "it is; move it away",
                               store_path(shard));
    store_free_runs(runs, count);
    return status;
}

/* Only the main file is sent: the WAL of a killed process is written into it first. A process that
 * was killed early may have left an empty file. */
static Status settle_shard(const char *path, const Identity *id, Error *err)
{
    Store *shard = store_open(path, STORE_CREATE, err);
    if (!shard) return err ? err->status : STATUS_DATABASE;
    Status status = check_shard(shard, id, err);
    if (status == STATUS_OK) status = store_settle(shard, err);
    store_close(shard);
    return status;
}

/* Brings the games of a shard to rank 0. The shard stays. */
static Status deliver_shard(const SelfplayJob *job, const char *path, const Identity *id,
                            Error *err)
{
    MergeCounts counts;

    Status status = settle_shard(path, id, err);
    if (status != STATUS_OK) return status;
    return job->cluster->rank == 0 ? store_merge(job->store, path, NULL, &counts, err)
                                   : cluster_send_file(path, err);
}

static Status forget_shard(const SelfplayJob *job, const char *path, const Identity *id, Error *err)
{
    (void)job, (void)id, (void)err;
    store_remove(path);
    return STATUS_OK;
}

/* A note on a shard of another job. */
static Status name_shard(const SelfplayJob *job, const char *path, const Identity *id, Error *err)
{
    (void)job, (void)id, (void)err;
    fprintf(stderr,
            "note: %s: games of another run or database; left as they are (the same job takes "
            "them, or tabia db merge)\n",
            path);
    return STATUS_OK;
}

/* "games.db.0123456789abcdef.rank7": does the name end as that of a shard does? */
static bool is_shard(const char *name)
{
    const char *rank = NULL;

    for (const char *at = name; (at = strstr(at, ".rank")) != NULL; at++)
        rank = at + strlen(".rank");
    return rank && *rank && rank[strspn(rank, "0123456789")] == '\0';
}

typedef Status ShardFn(const SelfplayJob *, const char *path, const Identity *, Error *);

/* Calls `own` for each shard of this job in the folder, `other` (may be NULL) for those of other
 * jobs. */
static Status for_each_shard(const SelfplayJob *job, const Identity *id, ShardFn *own,
                             ShardFn *other, Error *err)
{
    char stem[PATH_BYTES], path[PATH_BYTES];
    DIR *folder = opendir(job->shards);
    Status status = STATUS_OK;

    if (!folder)
        return error_set(err, STATUS_FAILED, "%s: the folder cannot be read: %s", job->shards,
                         strerror(errno));
    shard_stem(job, id, stem);
    for (const struct dirent *e; status == STATUS_OK && (e = readdir(folder)) != NULL;) {
        if (!is_shard(e->d_name)) continue;
        ShardFn *fn = strncmp(e->d_name, stem, strlen(stem)) == 0 ? own : other;
        (void)snprintf(path, sizeof path, "%s/%s", job->shards, e->d_name);
        if (fn) status = fn(job, path, id, err);
    }
    (void)closedir(folder);
    return status;
}

/* On rank 0: receives and merges what the others send. */
static Status receive_shards(const SelfplayJob *job, const Identity *id, Error *err)
{
    MergeCounts counts;
    char path[PATH_BYTES];
    Status status = STATUS_OK;

    new_store_sweep(job->db);
    (void)snprintf(path, sizeof path, "%s.new-%ld", job->db, (long)getpid());
    for (int rank = 1; rank < job->cluster->size && status == STATUS_OK; rank++) {
        for (bool got = true; status == STATUS_OK && got;) {
            status = cluster_receive_file(rank, path, job->interrupted, &got, err);
            if (status == STATUS_OK && got) status = settle_shard(path, id, err);
            if (status == STATUS_OK && got)
                status = store_merge(job->store, path, NULL, &counts, err);
        }
    }
    store_remove(path);
    return status;
}

/* After this process has delivered its shards: waits until rank 0 has committed the games of all.
 * Only then a shard may be removed. */
static Status finish_delivery(const SelfplayJob *job, const Identity *id, Error *err)
{
    Status status = job->cluster->rank == 0 ? receive_shards(job, id, err)
                                            : cluster_send_file(NULL, err); /* no more of them */
    if (status == STATUS_OK) cluster_meet(job->cluster);
    return status;
}

/* Before the games: takes the shards that a killed job has left. One process does it for its
 * machine, whichever rank it had then; it also names the shards of other jobs. No process begins to
 * play, and so to write a shard, before all this is done. */
static Status take_leftovers(const SelfplayJob *job, const Identity *id, Error *err)
{
    bool leads = cluster_leads_machine(job->cluster);
    Status status = STATUS_OK;

    if (leads) status = for_each_shard(job, id, deliver_shard, name_shard, err);
    if (status == STATUS_OK) status = finish_delivery(job, id, err);
    if (status == STATUS_OK && leads) status = for_each_shard(job, id, forget_shard, NULL, err);
    if (status == STATUS_OK) cluster_meet(job->cluster);
    return status;
}

/* After the games: each process brings its own shard. */
static Status bring_games(const SelfplayJob *job, const Identity *id, Error *err)
{
    char path[PATH_BYTES];
    bool mine = job->cluster->rank > 0;
    Status status = STATUS_OK;

    shard_path(job, id, path);
    if (mine) status = deliver_shard(job, path, id, err);
    if (status == STATUS_OK) status = finish_delivery(job, id, err);
    if (status == STATUS_OK && mine) store_remove(path);
    return status;
}

/* On rank 0: the database itself says that all games have arrived. */
static Status check_complete(const SelfplayJob *job, Error *err)
{
    Missing left = {0};

    if (job->cluster->rank != 0) return STATUS_OK;
    Status status = selfplay_list_missing(job->store, job->weights, job->label, job->settings,
                                          &left.games, &left.count, err);
    free(left.games);
    if (status == STATUS_OK && left.count > 0)
        return error_set(err, STATUS_FAILED,
                         "%s: %lld games did not arrive; the same command plays them", job->db,
                         (long long)left.count);
    return status;
}

/* On rank 0, when all games are there. */
static Status finish_run(const SelfplayJob *job, const Identity *id, int64_t played, Error *err)
{
    const SelfplaySettings *s = job->settings;
    int64_t run_id;

    if (job->cluster->rank != 0) return STATUS_OK;
    Status status = store_find_run(job->store, id->uuid, &run_id, err);
    if (status != STATUS_OK) return status;
    return played > 0 ? store_finish_run(job->store, run_id, err)
                      : store_finish_range(job->store, run_id, s->first_game, s->games, err);
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

/* Would this process play the games of rank 0's run? */
static Status check_own(const SelfplayJob *job, const SelfplaySettings *settings, Store *shard,
                        const Identity *id, Error *err)
{
    char uuid[UUID_MAX];

    Status status = selfplay_open(shard, job->weights, job->label, settings, uuid, err);
    if (status != STATUS_OK || strcmp(uuid, id->uuid) == 0) return status;
    store_remove(store_path(shard));
    return error_set(err, STATUS_USAGE,
                     "process %d of the job has other settings, weights or openings than process 0",
                     job->cluster->rank);
}

static Status play(const SelfplayJob *job, const Identity *id, const Missing *missing, Error *err)
{
    const Cluster *c = job->cluster;
    int64_t first = missing->count * c->rank / c->size;
    SelfplaySettings settings = *job->settings;
    char path[PATH_BYTES];

    settings.only = missing->games + first;
    settings.only_count = missing->count * (c->rank + 1) / c->size - first;
    shard_path(job, id, path);
    Store *shard = c->rank == 0 ? NULL : store_open(path, STORE_CREATE, err);
    if (c->rank != 0 && !shard) return err ? err->status : STATUS_DATABASE;
    Status status = shard ? store_own(shard, err) : STATUS_OK;
    if (status == STATUS_OK && shard) status = check_own(job, &settings, shard, id, err);
    if (status == STATUS_OK) cluster_meet(c); /* nobody plays before all are checked */
    if (status == STATUS_OK)
        status = selfplay_run(shard ? shard : job->store, job->weights, job->label, &settings,
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
    Identity id = {0};
    Missing missing = {0};

    *job->totals = (SelfplayProgress){.total = job->settings->games};
    if (job->store) store_watch(job->store, job->interrupted); /* selfplay_run() ends it */
    Status status = share_identity(job, &id, err);
    if (status == STATUS_OK) status = take_leftovers(job, &id, err);
    if (status == STATUS_OK) status = share_missing(job, &missing, err);
    if (status == STATUS_OK) status = play(job, &id, &missing, err);
    if (status == STATUS_OK) status = bring_games(job, &id, err);
    if (status == STATUS_OK) status = check_complete(job, err);
    if (status == STATUS_OK) status = finish_run(job, &id, missing.count, err);
    if (status == STATUS_OK) add_up(job, missing.count);
    free(missing.games);
    return status;
}
