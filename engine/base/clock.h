/* SPDX-License-Identifier: MIT
 * The monotonic clock, for durations; its zero is arbitrary. Processor time of the process. */
#ifndef TABIA_ENGINE_BASE_CLOCK_H
#define TABIA_ENGINE_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t clock_us(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static inline int64_t clock_ms(void)
{
    return clock_us() / 1000;
}

static inline double clock_seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Processor seconds of this process so far, all its threads together. */
static inline double clock_cpu_seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#endif
