/* SPDX-License-Identifier: MIT
 * Threads that are made once and sleep between jobs. */
#ifndef TABIA_ENGINE_BASE_THREAD_POOL_H
#define TABIA_ENGINE_BASE_THREAD_POOL_H

#include <pthread.h>

#include "engine/base/status.h"

/* Makes a thread whose stack is deep enough for a search, whatever the system gives others. Returns
 * 0 or the system's error number. */
int thread_pool_create_thread(pthread_t *id, void *(*run)(void *context), void *context);

typedef struct ThreadPool ThreadPool;

/* A job is called once by every thread of the pool, with the thread's number from 1: the caller may
 * do a share of the work as number 0. */
typedef void (*ThreadPoolJob)(void *context, int thread);

/* `threads` ≥ 1 sleeping threads. NULL and an Error when the system has no more of them. */
ThreadPool *thread_pool_create(int threads, Error *err);
/* No job may be running. NULL-safe. */
void thread_pool_destroy(ThreadPool *pool);

/* Wakes all threads for the job and returns at once. What the caller wrote before is seen by them;
 * `context` must live until thread_pool_wait() has returned. */
void thread_pool_start(ThreadPool *pool, ThreadPoolJob job, void *context);
/* Returns when every thread has finished its job; what they wrote is seen by the caller. */
void thread_pool_wait(ThreadPool *pool);

#endif
