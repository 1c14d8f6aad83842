/* SPDX-License-Identifier: MIT
 * Threads that are created once and wait between jobs: a mutex, a round number, two conditions. */
#include "engine/base/thread_pool.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/system.h"

typedef struct PoolThread {
    ThreadPool *pool;
    pthread_t id;
    int number;
} PoolThread;

struct ThreadPool {
    pthread_mutex_t lock; /* guards the fields up to `context` */
    pthread_cond_t wake;  /* a new round, or the end */
    pthread_cond_t idle;  /* all threads have finished */
    unsigned round;       /* jobs started so far, modulo its range */
    int busy;             /* threads that have not finished the present job */
    bool ending;
    ThreadPoolJob job;
    void *context;

    int count; /* of workers that exist */
    PoolThread workers[];
};

static void *run_jobs(void *pointer)
{
    PoolThread *self = pointer;
    ThreadPool *pool = self->pool;
    unsigned done = 0; /* rounds */

    (void)pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->round == done && !pool->ending)
            (void)pthread_cond_wait(&pool->wake, &pool->lock);
        if (pool->ending) break;
        done = pool->round;
        (void)pthread_mutex_unlock(&pool->lock);
        pool->job(pool->context, self->number);
        (void)pthread_mutex_lock(&pool->lock);
        if (--pool->busy == 0) (void)pthread_cond_signal(&pool->idle);
    }
    (void)pthread_mutex_unlock(&pool->lock);
    return NULL;
}

int thread_pool_create_thread(pthread_t *id, void *(*run)(void *context), void *context)
{
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);

    if (error != 0) return error;
    error = pthread_attr_setstacksize(&attributes, STACK_BYTES);
    if (error == 0) error = pthread_create(id, &attributes, run, context);
    (void)pthread_attr_destroy(&attributes);
    return error;
}

ThreadPool *thread_pool_create(int threads, Error *err)
{
    ThreadPool *pool = calloc(1, sizeof *pool + (size_t)threads * sizeof pool->workers[0]);

    if (!pool) return ERROR_NULL(err, STATUS_FAILED, "out of memory for %d threads", threads);
    if (pthread_mutex_init(&pool->lock, NULL) != 0 || pthread_cond_init(&pool->wake, NULL) != 0 ||
        pthread_cond_init(&pool->idle, NULL) != 0) {
        (void)error_set(err, STATUS_FAILED, "cannot create a lock");
        free(pool);
        return NULL;
    }
    for (; pool->count < threads; pool->count++) {
        PoolThread *next = &pool->workers[pool->count];
        *next = (PoolThread){.pool = pool, .number = pool->count + 1};
        int error = thread_pool_create_thread(&next->id, run_jobs, next);
        if (error == 0) continue;
        (void)error_set(err, STATUS_FAILED, "cannot create thread %d of %d: %s", next->number,
                        threads, strerror(error));
        thread_pool_destroy(pool);
        return NULL;
    }
    return pool;
}

void thread_pool_destroy(ThreadPool *pool)
{
    if (!pool) return;
    (void)pthread_mutex_lock(&pool->lock);
    pool->ending = true;
    (void)pthread_cond_broadcast(&pool->wake);
    (void)pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->count; i++)
        (void)pthread_join(pool->workers[i].id, NULL);
    (void)pthread_cond_destroy(&pool->idle);
    (void)pthread_cond_destroy(&pool->wake);
    (void)pthread_mutex_destroy(&pool->lock);
    free(pool);
}

void thread_pool_start(ThreadPool *pool, ThreadPoolJob job, void *context)
{
    (void)pthread_mutex_lock(&pool->lock);
    pool->job = job;
    pool->context = context;
    pool->busy = pool->count;
    pool->round++;
    (void)pthread_cond_broadcast(&pool->wake);
    (void)pthread_mutex_unlock(&pool->lock);
}

void thread_pool_wait(ThreadPool *pool)
{
    (void)pthread_mutex_lock(&pool->lock);
    while (pool->busy > 0)
        (void)pthread_cond_wait(&pool->idle, &pool->lock);
    (void)pthread_mutex_unlock(&pool->lock);
}
