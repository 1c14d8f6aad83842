/* SPDX-License-Identifier: MIT
 * What differs between Linux, other POSIX systems and Windows. */
#define _GNU_SOURCE /* pthread_setattr_default_np(), sched_getaffinity() */
#include "engine/base/system.h"

#ifdef _WIN32

/* The linker gave the main thread its stack: 2 MiB. */
Status stack_prepare(Error *err)
{
    (void)err;
    return STATUS_OK;
}

bool system_must_end(void)
{
    return false;
}

bool system_is_device(const char *path)
{
    (void)path;
    return false;
}

bool system_find_config(const char *name, char *path, size_t size)
{
    (void)name, (void)path, (void)size;
    return false;
}

#else

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#include "engine/base/clock.h"

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

/* A signal handler reads and writes them. */
static atomic_bool may_wait, must_end;

/* Again and again: a single signal could come between the check of a flag and the wait. */
static void end_a_wait(int number)
{
    (void)number;
    (void)alarm(1);
}

bool system_is_device(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 && !S_ISREG(file.st_mode) && !S_ISDIR(file.st_mode);
}

void system_may_wait_for(const char *path)
{
    struct sigaction action = {.sa_handler = end_a_wait}; /* no SA_RESTART: hence EINTR */

    if (!system_is_device(path)) return;
    (void)sigemptyset(&action.sa_mask);
    if (sigaction(SIGALRM, &action, NULL) != 0) return;
    atomic_store(&may_wait, true);
    if (atomic_load(&must_end)) (void)alarm(1);
}

void system_end_waits(void)
{
    atomic_store(&must_end, true);
    if (atomic_load(&may_wait)) (void)alarm(1);
}

bool system_must_end(void)
{
    return atomic_load(&must_end);
}

enum {
    PAUSE_MS = 1000,
    CONTINUED_MS = 100 /* after SIGCONT, which may come without a stop: timeout(1) sends it */
};

/* A signal handler and any thread write them. */
static atomic_int pauses;
static _Atomic int64_t paused_ms = -PAUSE_MS; /* when the last one was noted */
static _Atomic int64_t continued_ms = -PAUSE_MS;

int system_pauses(void)
{
    return atomic_load(&pauses);
}

void system_note_continued(void)
{
    atomic_store(&continued_ms, clock_ms());
}

void system_note_pause(int64_t late_ms)
{
    int64_t now = clock_ms();
    int64_t least = now - atomic_load(&continued_ms) < PAUSE_MS ? CONTINUED_MS : PAUSE_MS;

    if (late_ms > least && now - atomic_exchange(&paused_ms, now) >= PAUSE_MS)
        (void)atomic_fetch_add(&pauses, 1);
}

/* The first number of a file below a folder, and a second one, or 0; false: none, as in
 * "max 100000". */
static bool read_quota(const char *folder, const char *name, double *first, double *second)
{
    char path[4096], line[64] = "", *end;

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (file && !fgets(line, sizeof line, file)) line[0] = '\0';
    if (file) (void)fclose(file);
    *first = strtod(line, &end);
    *second = strtod(end, NULL);
    return *first > 0;
}

/* Lowers *least to what the group of this folder grants. */
static void take_quota(const char *folder, double *least)
{
    double quota = 0, period = 0, ignored;

    if (!read_quota(folder, "cpu.max", &quota, &period) &&
        !(read_quota(folder, "cpu.cfs_quota_us", &quota, &ignored) &&
          read_quota(folder, "cpu.cfs_period_us", &period, &ignored)))
        return;
    if (period > 0 && (*least == 0 || quota / period < *least)) *least = quota / period;
}

/* Does the list "cpu,cpuacct" of a line of the groups have the processors? That of version 2 is
 * empty. */
static bool controls_processors(const char *list)
{
    return list[0] == '\0' || strcmp(list, "cpu") == 0 || strncmp(list, "cpu,", 4) == 0 ||
           strstr(list, ",cpu,") ||
           (strlen(list) > 4 && strcmp(list + strlen(list) - 4, ",cpu") == 0);
}

double system_processor_quota(const char *groups, const char *mount)
{
    char line[4096], folder[8192];
    double least = 0;
    FILE *file = fopen(groups, "r");

    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        char *list = strchr(line, ':'), *group = list ? strchr(list + 1, ':') : NULL;
        if (!group) continue;
        *group++ = '\0';
        if (!controls_processors(list + 1)) continue;
        /* The group as the process sees it, then all above: a container's mount is the group. */
        for (char *end = group + strlen(group); end; end = strrchr(group, '/')) {
            *end = '\0';
            (void)snprintf(folder, sizeof folder, "%s%s%s%s", mount, list[1] ? "/" : "", list + 1,
                           group);
            take_quota(folder, &least);
        }
    }
    if (file) (void)fclose(file);
    return least;
}

/* The first number of a list in the environment; 0: none. */
static int number_of(const char *variable)
{
    const char *text = getenv(variable);
    long number = text ? strtol(text, NULL, 10) : 0;

    return number > 0 && number < INT_MAX ? (int)number : 0;
}

int system_processors_by(const char **by)
{
    int count = number_of("OMP_NUM_THREADS"), limit = number_of("OMP_THREAD_LIMIT");

    *by = "OMP_NUM_THREADS";
    if (count == 0) {
        long online = sysconf(_SC_NPROCESSORS_ONLN);
        count = online > 0 ? (int)online : 1;
        *by = "processors";
#ifdef __linux__
        cpu_set_t cpus;
        if (sched_getaffinity(0, sizeof cpus, &cpus) == 0 && CPU_COUNT(&cpus) != count) {
            count = CPU_COUNT(&cpus);
            *by = "affinity";
        }
        double quota = system_processor_quota("/proc/self/cgroup", "/sys/fs/cgroup");
        if (quota > 0 && quota < count) {
            count = quota < 1 ? 1 : (int)quota;
            *by = "control group";
        }
#endif
    }
    if (limit == 0 || limit >= count) return count;
    *by = "OMP_THREAD_LIMIT";
    return limit;
}

int system_processors(void)
{
    const char *by;

    return system_processors_by(&by);
}

bool system_executable(char *path, size_t size)
{
#ifdef __APPLE__
    uint32_t room = (uint32_t)size;

    return _NSGetExecutablePath(path, &room) == 0;
#else
    ssize_t length = readlink("/proc/self/exe", path, size - 1);

    path[length > 0 ? length : 0] = '\0';
    return length > 0;
#endif
}

bool system_find_config(const char *name, char *path, size_t size)
{
    /* Of an installation, a build below build/, and `make EXE=engine`. */
    static const char *const folders[] = {"../share/tabia/configs", "../../configs", "configs"};
    char program[PATH_MAX];

    if (!system_executable(program, sizeof program) || !strrchr(program, '/')) return false;
    *strrchr(program, '/') = '\0';
    for (int i = 0; i < 3; i++) {
        int length = snprintf(path, size, "%s/%s/%s", program, folders[i], name);
        if (length > 0 && (size_t)length < size && access(path, R_OK) == 0) return true;
    }
    return false;
}

bool system_raise_file_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return false;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

int system_reserve(int fd, off_t bytes)
{
#ifdef __linux__
    return posix_fallocate(fd, 0, bytes);
#else
    static const char zeros[1 << 16];
    struct stat info;

    if (fstat(fd, &info) != 0) return errno;
    for (off_t at = info.st_size; at < bytes;) {
        off_t left = bytes - at;
        size_t part = left < (off_t)sizeof zeros ? (size_t)left : sizeof zeros;
        ssize_t written = pwrite(fd, zeros, part, at);
        if (written < 0 && errno != EINTR) return errno;
        if (written > 0) at += written;
    }
    return 0;
#endif
}

void system_cond_init(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;

    (void)pthread_condattr_init(&attributes);
#ifdef __linux__
    (void)pthread_condattr_setclock(&attributes, SYSTEM_COND_CLOCK);
#endif
    (void)pthread_cond_init(condition, &attributes);
    (void)pthread_condattr_destroy(&attributes);
}

#endif

Status system_check_end(Error *err)
{
    return system_must_end() ? error_set(err, STATUS_INTERRUPTED, "interrupted") : STATUS_OK;
}
