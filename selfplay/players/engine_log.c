/* SPDX-License-Identifier: MIT
 * Engine logs. The stream is line-buffered and appends. Each line is one write, so that logs may
 * share a file and a kill loses nothing. */
#include "selfplay/players/engine_log.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "engine/base/new_file.h"
#include "engine/base/system.h"
#include "selfplay/players/child_process.h"

struct EngineLog {
    FILE *file;
    char *buffer; /* a line's */
    char *path;
    atomic_int processes;
    int failure; /* errno of the first line that was lost; 0: none */
    bool warned; /* by engine_log_warning() */
};

enum { STAMP_MAX = 32, BUFFER_BYTES = 2 * CHILD_LINE_MAX };

/* Does a file begin as logs do, with a time? */
static bool is_log(const char *path)
{
    int end = 0;
    FILE *file = fopen(path, "rb");

    if (!file) return false;
    bool begins = fscanf(file, "%*4d-%*2d-%*2dT%*2d:%*2d:%*2d.%*6dZ %n", &end) == 0 && end > 0;
    (void)fclose(file);
    return begins;
}

EngineLog *engine_log_open(const char *path, Error *err)
{
    EngineLog *log = calloc(1, sizeof *log);
    const char *slash = strrchr(path, '/');
    char folder[4096] = "";

    if (file_is_database(path) || (file_size(path) > 0 && !is_log(path))) {
        free(log);
        (void)error_set(err, STATUS_FAILED, "%s is no log of an engine; name a new file", path);
        return NULL;
    }
    if (slash) (void)snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
    if (*folder) (void)mkdir(folder, 0777); /* it may exist; opening the file reports errors */
    system_may_wait_for(path);
    if (log) log->buffer = malloc(BUFFER_BYTES);
    if (log) log->path = strdup(path);
    if (log && log->buffer && log->path) log->file = fopen(path, "ae");
    if (!log || !log->file) {
        (void)file_failed(path, "written", err);
        engine_log_close(log);
        return NULL;
    }
    (void)setvbuf(log->file, log->buffer, _IOLBF, BUFFER_BYTES);
    return log;
}

void engine_log_close(EngineLog *log)
{
    if (!log) return;
    if (log->file) (void)fclose(log->file);
    free(log->buffer);
    free(log->path);
    free(log);
}

int engine_log_number(EngineLog *log)
{
    return atomic_fetch_add(&log->processes, 1) + 1;
}

static void write_stamp(char out[STAMP_MAX])
{
    struct timespec now;
    struct tm utc;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    (void)gmtime_r(&now.tv_sec, &utc);
    size_t n = strftime(out, STAMP_MAX, "%Y-%m-%dT%H:%M:%S", &utc);
    (void)snprintf(out + n, STAMP_MAX - n, ".%06ldZ", now.tv_nsec / 1000);
}

void engine_log_line(EngineLog *log, const char *name, int number, char mark, const char *text,
                     size_t length)
{
    char stamp[STAMP_MAX];

    write_stamp(stamp);
    flockfile(log->file);
    (void)fprintf(log->file, "%s %s#%d %c ", stamp, name, number, mark);
    for (size_t i = 0; i < length && text[i] != '\n'; i++) {
        unsigned char c = (unsigned char)text[i];
        (void)putc_unlocked(c < ' ' || c == 0x7f ? '?' : c, log->file);
    }
    (void)putc_unlocked('\n', log->file);
    if (ferror(log->file)) { /* the C library has dropped the line */
        if (!log->failure) log->failure = errno;
        clearerr(log->file);
    }
    funlockfile(log->file);
}

bool engine_log_warning(EngineLog *log, char out[ENGINE_LOG_WARNING_MAX])
{
    if (!log) return false;
    flockfile(log->file);
    int failure = log->warned ? 0 : log->failure;
    log->warned |= failure != 0;
    funlockfile(log->file);
    if (failure)
        (void)snprintf(out, ENGINE_LOG_WARNING_MAX, "%.300s: lines of the log are lost: %s",
                       log->path, strerror(failure));
    return failure != 0;
}
