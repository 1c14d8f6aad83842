/* SPDX-License-Identifier: MIT
 * The calls of MPI, or their replacements for one process. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "selfplay/run/cluster.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/fnv.h"
#include "engine/base/system.h"
#include "engine/eval/evaluation_load.h"
#include "engine/eval/evaluation_write.h"

#ifdef TABIA_MPI

#include <mpi.h>

enum { CHUNK_BYTES = 1 << 22, POLL_MS = 20 };

/* MPI is not started for a single process: its start is slow and has no use then. */
static bool is_part_of_job(void)
{
    static const char *const signs[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK",
                                        "PMI_SIZE"};

    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (getenv(signs[i])) return true;
    return false;
}

Status cluster_join(Cluster *cluster, Error *err)
{
    int provided;

    *cluster = (Cluster){.size = 1};
    if (!is_part_of_job()) return STATUS_OK;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS ||
        provided < MPI_THREAD_SERIALIZED)
        return error_set(err, STATUS_FAILED, "MPI does not start");
    cluster->joined = true;
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &cluster->rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &cluster->size);
    return STATUS_OK;
}

void cluster_leave(Cluster *cluster)
{
    if (cluster->joined) (void)MPI_Finalize();
    cluster->joined = false;
}

/* Of threads that send and receive at the same time, one is in MPI. */
static pthread_mutex_t in_mpi = PTHREAD_MUTEX_INITIALIZER;

/* Sleeps until the operation is complete: a sixteenth of the time that has passed, so that a wait
 * costs little and is seldom much longer than it must be. MPI's own wait keeps a processor busy. */
static void wait_asleep(MPI_Request *request)
{
    double started = clock_seconds();

    for (int done = 0;;) {
        (void)pthread_mutex_lock(&in_mpi);
        (void)MPI_Test(request, &done, MPI_STATUS_IGNORE);
        (void)pthread_mutex_unlock(&in_mpi);
        if (done) return;
        double pause = (clock_seconds() - started) / 16;
        pause = pause < 50e-6 ? 50e-6 : pause > 1e-3 * POLL_MS ? 1e-3 * POLL_MS : pause;
        (void)nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * pause)}, NULL);
    }
}

/* In chunks, since MPI counts in int. */
void cluster_share(const Cluster *cluster, void *data, size_t size)
{
    char *at = data;

    for (size_t part; cluster->size > 1 && size > 0; at += part, size -= part) {
        part = size < CHUNK_BYTES ? size : CHUNK_BYTES;
        MPI_Request request;
        (void)MPI_Ibcast(at, (int)part, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
        wait_asleep(&request);
    }
}

void cluster_sum(const Cluster *cluster, int64_t *values, int count)
{
    if (cluster->size == 1) return;
    (void)MPI_Reduce(cluster->rank == 0 ? MPI_IN_PLACE : values, values, count, MPI_INT64_T,
                     MPI_SUM, 0, MPI_COMM_WORLD);
}

#ifdef __linux__

/* The processors that the job's processes on this machine may use together; returns the number of
 * processes. */
static int processors_of_node(const cpu_set_t *own, cpu_set_t *all)
{
    MPI_Comm node;
    int processes;

    (void)MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    (void)MPI_Comm_size(node, &processes);
    (void)MPI_Allreduce(own, all, (int)sizeof *own, MPI_BYTE, MPI_BOR, node);
    (void)MPI_Comm_free(&node);
    return processes;
}

int cluster_threads(const Cluster *cluster, int wanted, bool *bound)
{
    cpu_set_t own, all;
    int threads = wanted > 0 ? wanted : system_processors();

    *bound = false;
    if (!cluster->joined || sched_getaffinity(0, sizeof own, &own) != 0) return threads;
    int processes = processors_of_node(&own, &all);
    *bound = CPU_COUNT(&all) == processes && CPU_COUNT(&own) == 1 && wanted != 1 &&
             sysconf(_SC_NPROCESSORS_ONLN) > processes;
    if (wanted > 0 || !CPU_EQUAL(&own, &all)) return threads;
    return threads / processes > 1 ? threads / processes : 1;
}

#endif

void cluster_send(int to, int tag, const void *data, size_t size)
{
    MPI_Request request;

    (void)pthread_mutex_lock(&in_mpi);
    (void)MPI_Isend(data, (int)size, MPI_BYTE, to, tag, MPI_COMM_WORLD, &request);
    (void)pthread_mutex_unlock(&in_mpi);
    wait_asleep(&request);
}

void cluster_receive(int from, int tag, void *data, size_t size)
{
    MPI_Request request;

    (void)pthread_mutex_lock(&in_mpi);
    (void)MPI_Irecv(data, (int)size, MPI_BYTE, from, tag, MPI_COMM_WORLD, &request);
    (void)pthread_mutex_unlock(&in_mpi);
    wait_asleep(&request);
}

#else /* one process */

/* Processes of one job that know nothing of each other would all do the same work. */
Status cluster_join(Cluster *cluster, Error *err)
{
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};

    *cluster = (Cluster){.size = 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *size = getenv(sizes[i]);
        if (size && strtol(size, NULL, 10) > 1)
            return error_set(err, STATUS_USAGE,
                             "a job of %s processes, but this program was built without MPI", size);
    }
    return STATUS_OK;
}

void cluster_leave(Cluster *cluster)
{
    (void)cluster;
}

void cluster_share(const Cluster *cluster, void *data, size_t size)
{
    (void)cluster, (void)data, (void)size;
}

void cluster_sum(const Cluster *cluster, int64_t *values, int count)
{
    (void)cluster, (void)values, (void)count;
}

void cluster_send(int to, int tag, const void *data, size_t size)
{
    (void)to, (void)tag, (void)data, (void)size;
}

void cluster_receive(int from, int tag, void *data, size_t size)
{
    (void)from, (void)tag;
    memset(data, 0, size);
}

#endif

#if !defined(TABIA_MPI) || !defined(__linux__)

int cluster_threads(const Cluster *cluster, int wanted, bool *bound)
{
    (void)cluster;
    *bound = false;
    return wanted > 0 ? wanted : system_processors();
}

#endif

bool cluster_go(const Cluster *cluster, bool go)
{
    char word = go;

    cluster_share(cluster, &word, 1);
    return word != 0;
}

Status cluster_agree(const Cluster *cluster, const char *text, Error *err)
{
    uint64_t own = fnv_add_bytes(FNV_START, text, strlen(text)), first = own;
    int64_t *differs = calloc((size_t)cluster->size, sizeof *differs);
    int rank = 0;

    if (!differs) return error_set(err, STATUS_FAILED, "out of memory for the processes");
    cluster_share(cluster, &first, sizeof first);
    differs[cluster->rank] = first != own;
    cluster_sum(cluster, differs, cluster->size);
    while (cluster->rank == 0 && rank < cluster->size && !differs[rank])
        rank++;
    free(differs);
    if (cluster->rank > 0 || rank == cluster->size) return STATUS_OK;
    return error_set(
        err, STATUS_USAGE,
        "process %d of the job has another command, settings, weights or openings than process 0",
        rank);
}

Status cluster_share_weights(const Cluster *cluster, Evaluation *weights, const char *what,
                             Error *err)
{
    char *text = cluster->rank == 0 ? evaluation_text(weights, NULL) : NULL;
    size_t length = text ? strlen(text) : 0;

    cluster_share(cluster, &length, sizeof length);
    if (cluster->rank != 0 && length > 0) text = malloc(length);
    if (!text) return error_set(err, STATUS_FAILED, "out of memory for %s", what);
    cluster_share(cluster, text, length);
    Status status =
        cluster->rank == 0 ? STATUS_OK : evaluation_parse(text, length, what, weights, NULL, err);
    free(text);
    return status;
}
