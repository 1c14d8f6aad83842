/* SPDX-License-Identifier: MIT
 * Limits and defaults of stacks. */
#define _GNU_SOURCE /* pthread_setattr_default_np() */
#include "engine/base/stack.h"

#include <pthread.h>
#include <sys/resource.h>

/* OpenMP's threads have the default size. The C library took it from the limit when the process
 * started. */
static void raise_default(void)
{
#ifdef __linux__
    pthread_attr_t attributes;
    size_t size;

    if (pthread_getattr_default_np(&attributes) != 0) return;
    if (pthread_attr_getstacksize(&attributes, &size) == 0 && size < STACK_BYTES &&
        pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0)
        (void)pthread_setattr_default_np(&attributes);
    (void)pthread_attr_destroy(&attributes);
#endif
}

Status stack_prepare(Error *err)
{
    struct rlimit limit;

    raise_default();
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= STACK_BYTES) return STATUS_OK;
    limit.rlim_cur = limit.rlim_max < STACK_BYTES ? limit.rlim_max : STACK_BYTES;
    (void)setrlimit(RLIMIT_STACK, &limit);
    (void)getrlimit(RLIMIT_STACK, &limit);
    if (limit.rlim_cur >= STACK_LEAST) return STATUS_OK;
    return error_set(
        err, STATUS_FAILED, "a stack of %llu KiB is too small; allow %d (ulimit -s %d)",
        (unsigned long long)limit.rlim_cur >> 10, STACK_LEAST >> 10, STACK_LEAST >> 10);
}
