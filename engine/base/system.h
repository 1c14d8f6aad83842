/* SPDX-License-Identifier: MIT
 * What systems do in different ways: stacks, processors, the running program, disk space,
 * conditions. Each function has a form for Linux and one for other POSIX systems, such as macOS. */
#ifndef TABIA_ENGINE_BASE_SYSTEM_H
#define TABIA_ENGINE_BASE_SYSTEM_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "engine/base/status.h"

enum {
    STACK_BYTES = 8 << 20, /* of the threads that we create; some C libraries give too little */
    STACK_LEAST = 1 << 20  /* a search to the greatest depth needs less than half of it */
};

/* Raises the limit of the main thread's stack to STACK_BYTES, as far as the hard limit permits, and
 * where the C library can, the default of threads to the same. To be called before threads start.
 * STATUS_FAILED when the main thread's limit stays below STACK_LEAST. */
MUST_CHECK Status stack_prepare(Error *err);

/* Has system_end_waits() been called? Every loop over data that may take longer than a fraction of
 * a second ends then. Never on Windows. */
bool system_must_end(void);
/* STATUS_INTERRUPTED then. */
MUST_CHECK Status system_check_end(Error *err);

/* A pipe, a socket or a device, which may wait for its other end; false also when it is absent.
 * Never on Windows. */
bool system_is_device(const char *path);

/* A file that comes with the program, such as "weights/classical.h": below share/tabia/configs of
 * the installation, or configs of the sources that hold the program. False when there is none, and
 * on Windows. */
bool system_find_config(const char *name, char *path, size_t size);

#ifndef _WIN32

/* Pauses of this process so far: it was stopped and continued, or the machine was. */
int system_pauses(void);

/* To be called with how late a wait has ended, in milliseconds: more than a second is a pause, or a
 * tenth of it after SIGCONT, whose handler calls the second function. Several calls within a second
 * are about the same pause. */
void system_note_pause(int64_t late_ms);
void system_note_continued(void);

/* Number of processors that this process may use, at least 1: OMP_NUM_THREADS, or the processors of
 * its affinity, no more than the quota of its control groups grants whole; and no more than
 * OMP_THREAD_LIMIT. */
int system_processors(void);
/* The same, and which of them decides, such as "OMP_NUM_THREADS" or "affinity". */
int system_processors_by(const char **by);

/* Processors that the quotas of control groups (version 1 and 2) grant, the least of a group and
 * those above it; 0: no quota. groups: the file /proc/self/cgroup; mount: /sys/fs/cgroup. */
double system_processor_quota(const char *groups, const char *mount);

/* To be called before a file that the user named is opened. With a pipe or a device,
 * system_end_waits() then ends each wait for the other end, in opening, reading and writing, with
 * EINTR within a second, called before or during the wait. Uses SIGALRM. */
void system_may_wait_for(const char *path);

/* For the handler of the signal that requests the end of the program. */
void system_end_waits(void);

/* The path of the running program; false when the system does not give it. */
bool system_executable(char *path, size_t size);

/* Reserves the disk space of the first `bytes` of an open file, whose contents stay. Returns 0 or
 * an errno. */
int system_reserve(int fd, off_t bytes);

/* Raises the soft limit of open files to the hard one; false when it cannot be raised. */
bool system_raise_file_limit(void);

/* A condition whose timed waits end at a time of SYSTEM_COND_CLOCK. */
void system_cond_init(pthread_cond_t *condition);

#ifdef __linux__
#define SYSTEM_COND_CLOCK CLOCK_MONOTONIC
#else
#define SYSTEM_COND_CLOCK CLOCK_REALTIME /* macOS has no other */
#endif

#endif

#endif
