/* SPDX-License-Identifier: MIT
 * Threads that are created once and wait between jobs. */
#ifndef TABIA_ENGINE_BASE_THREAD_POOL_H
#define TABIA_ENGINE_BASE_THREAD_POOL_H

#include <pthread.h>

#include "engine/base/status.h"

/* Creates a thread with a stack large enough for a search, independent of the system's default.
 * Returns 0 or the system's error number. */
int thread_pool_create_thread(pthread_t *id, void *(*run)(void *context), void *context);

typedef struct ThreadPool ThreadPool;

/* Every thread of the pool calls a job once, with its number from 1. The caller may do a share of
 * the work as number 0. */
typedef void (*ThreadPoolJob)(void *context, int thread);

/* Creates `threads` ≥ 1 waiting threads. NULL with an Error when the system cannot. */
ThreadPool *thread_pool_create(int threads, Error *err);
/* No job may be running. NULL-safe. */
void thread_pool_destroy(ThreadPool *pool);

/* Wakes all threads for the job and returns at once. They see what the caller wrote before.
 * `context` must live until thread_pool_wait() has returned. */
void thread_pool_start(ThreadPool *pool, ThreadPoolJob job, void *context);
/* Returns when every thread has finished its job. The caller sees what they wrote. */
void thread_pool_wait(ThreadPool *pool);

#endif
