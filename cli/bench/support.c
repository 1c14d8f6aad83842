/* SPDX-License-Identifier: MIT
 * What benches share. */
#include "cli/bench/support.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/output/process.h"

static double cpu_seconds(int who)
{
    struct rusage usage;
    if (getrusage(who, &usage) != 0) return 0;
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

double bench_cpu_seconds(void)
{
    return cpu_seconds(RUSAGE_SELF) + cpu_seconds(RUSAGE_CHILDREN);
}

static void remove_folder(const char *folder)
{
    char path[1024];
    DIR *dir = opendir(folder);

    for (const struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.') (void)unlink(path);
    }
    if (dir) (void)closedir(dir);
    (void)rmdir(folder);
}

Status bench_in_scratch(Status (*work)(void *context, const char *folder, Error *err),
                        void *context, Error *err)
{
    char folder[512];

    (void)snprintf(folder, sizeof folder, "%s/tabia-bench-XXXXXX", cli_temp_folder());
    if (!mkdtemp(folder))
        return error_set(err, STATUS_FAILED, "%s: cannot be made: %s", folder, strerror(errno));
    Status status = work(context, folder, err);
    remove_folder(folder);
    return status;
}

const char *bench_stockfish(void)
{
    static const char *const places[] = {"/usr/games/stockfish", "/usr/bin/stockfish",
                                         "/usr/local/bin/stockfish"};

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (access(places[i], X_OK) == 0) return places[i];
    return NULL;
}

FILE *bench_stockfish_open(const char *input, const char *arguments)
{
    const char *path = bench_stockfish();
    char command[1024];

    if (!path) return NULL;
    (void)fflush(stdout);
    (void)snprintf(command, sizeof command, "%s %s %s 2>&1", input, path, arguments);
    return popen(command, "r");
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double values[], int count)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
    return values[(count - 1) / 2];
}
