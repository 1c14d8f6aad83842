/* SPDX-License-Identifier: MIT
 * Binding threads to processors. */
#define _GNU_SOURCE /* CPU_SET */
#include "selfplay/run/affinity.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <sched.h>

static Status add_range(Affinity *a, const cpu_set_t *allowed, long first, long last, Error *err)
{
    for (long cpu = first; cpu <= last; cpu++) {
        if (cpu >= CPU_SETSIZE || !CPU_ISSET((size_t)cpu, allowed))
            return error_set(err, STATUS_USAGE, "processor %ld is not available to this process",
                             cpu);
        for (int i = 0; i < a->count; i++)
            if (a->cpus[i] == cpu)
                return error_set(err, STATUS_USAGE, "processor %ld is listed twice", cpu);
        a->cpus[a->count++] = (int)cpu;
    }
    return STATUS_OK;
}

static Status add_list(Affinity *a, const cpu_set_t *allowed, const char *text, Error *err)
{
    for (const char *at = text;; at++) {
        char *end = NULL;
        long first = isdigit((unsigned char)*at) ? strtol(at, &end, 10) : -1, last = first;
        if (first >= 0 && *end == '-' && isdigit((unsigned char)end[1]))
            last = strtol(end + 1, &end, 10);
        if (first < 0 || last < first || (*end && *end != ','))
            return error_set(err, STATUS_USAGE,
                             "\"%s\" is neither \"all\" nor a list of processors like 0-3,8", text);
        Status status = add_range(a, allowed, first, last, err);
        if (status != STATUS_OK || !*end) return status;
        at = end;
    }
}

Status affinity_parse(const char *text, Affinity *affinity, Error *err)
{
    cpu_set_t allowed;

    *affinity = (Affinity){.width = 1};
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return error_set(err, STATUS_USAGE, "the processors of this process cannot be read");
    if (strcmp(text, "all") != 0) return add_list(affinity, &allowed, text, err);
    for (int cpu = 0; cpu < CPU_SETSIZE && affinity->count < AFFINITY_CPUS_MAX; cpu++)
        if (CPU_ISSET((size_t)cpu, &allowed)) affinity->cpus[affinity->count++] = cpu;
    return STATUS_OK;
}

/* Binds this thread to `count` processors from the one at `first`. */
static void use(const Affinity *a, int first, int count)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    for (int i = 0; i < count; i++)
        CPU_SET((size_t)a->cpus[(first + i) % a->count], &set);
    (void)sched_setaffinity(0, sizeof set, &set);
}

#else

Status affinity_parse(const char *text, Affinity *affinity, Error *err)
{
    (void)text;
    *affinity = (Affinity){0};
    return error_set(err, STATUS_USAGE, "affinity is supported on Linux only");
}

static void use(const Affinity *a, int first, int count)
{
    (void)a, (void)first, (void)count;
}

#endif

void affinity_bind(const Affinity *affinity, int number)
{
    if (affinity->width > 0) use(affinity, number * affinity->width, affinity->width);
}

void affinity_release(const Affinity *affinity)
{
    if (affinity->width > 0) use(affinity, 0, affinity->count);
}
