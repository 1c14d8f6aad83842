/* SPDX-License-Identifier: MIT
 * Child processes connected by sockets. */
#define _GNU_SOURCE /* syscall() */
#include "selfplay/players/child_process.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#endif

#include "engine/base/clock.h"
#include "engine/base/system.h"
#include "engine/base/text.h"

enum {
    SEND_TIMEOUT_MS = 5000,
    QUIT_MS = 500,      /* from the last message to the kill */
    EOF_MS = 100,       /* from the end of its input to the kill */
    EXIT_WAIT_MS = 200, /* from the end of its output to the end of the process */
    POLL_MS = 100,      /* between checks of the process and the cancel flag */
    RUN_POLL_MS = 20,   /* the same in child_run() */
    SLICE_NS = 100000,  /* the shortest scheduler slice */
    TAIL_MAX = 160,     /* bytes of the last output that are kept */
    FILES_SPARE = 8     /* descriptors of a start and of files that are opened later */
};

/* Sockets, not pipes: writing to a closed socket fails with an errno, without a signal. In the
 * order in which guard_start() takes them. */
typedef enum Channel { INPUT, OUTPUT, ERRORS, CHANNELS } Channel;

struct ChildProcess {
    ChildSetup setup;
    int number; /* in the log */
    ChildGuard guard;
    int fds[CHANNELS];   /* our ends, -1 when closed */
    bool ended;          /* there is no more output */
    bool skipping;       /* in a line that is too long */
    int64_t output_left; /* output budget left, in bytes */
    int64_t received_us;
    char last_line[TAIL_MAX], last_errors[TAIL_MAX]; /* of its output and standard error */
    size_t last_line_length, last_errors_length;
    size_t start, end; /* buffer[start … end-1] is received and not yet returned */
    char buffer[CHILD_LINE_MAX + 1];
};

/* ---- Starting */

/* Gives this thread a short scheduler slice, so that it is woken before threads that compute: its
 * own wait for a processor would be charged to an engine's clock. Linux since 6.12; elsewhere this
 * has no effect. Child processes get usual slices. A policy or a negative nice value that the user
 * chose stays: child processes would lose it. */
static void request_short_slice(void)
{
#if defined(__linux__) && defined(SYS_sched_setattr)
    /* The kernel's struct sched_attr, whose header conflicts with <sched.h>. */
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } attributes = {.size = sizeof attributes,
                    .policy = SCHED_OTHER,
                    .flags = 1, /* SCHED_FLAG_RESET_ON_FORK */
                    .nice = getpriority(PRIO_PROCESS, 0),
                    .runtime = SLICE_NS};
    if (syscall(SYS_sched_getscheduler, 0) == SCHED_OTHER && attributes.nice >= 0)
        (void)syscall(SYS_sched_setattr, 0, &attributes, 0);
#endif
}

static void close_all(int fds[CHANNELS])
{
    for (int i = 0; i < CHANNELS; i++) {
        if (fds[i] >= 0) (void)close(fds[i]);
        fds[i] = -1;
    }
}

static int open_channels(int ours[CHANNELS], int theirs[CHANNELS])
{
    for (int i = 0; i < CHANNELS; i++)
        ours[i] = theirs[i] = -1;
    for (int i = 0; i < CHANNELS; i++) {
        int ends[2];
        int failed = guard_socket_pair(ends);
        if (failed) return failed;
        ours[i] = ends[0];
        theirs[i] = ends[1];
        (void)fcntl(ours[i], F_SETFL, O_NONBLOCK);
    }
    return 0;
}

static void log_line(const ChildProcess *child, char mark, const char *text, size_t length)
{
    if (child->setup.log)
        engine_log_line(child->setup.log, child->setup.name, child->number, mark, text, length);
}

static void log_event(const ChildProcess *child, const char *text)
{
    log_line(child, '*', text, strlen(text));
}

/* Ends the process and all that it started. */
static void destroy(ChildProcess *child)
{
    close_all(child->fds);
    guard_end(&child->guard);
    free(child);
}

/* Starts the guard and the program. Returns 0 or an errno. */
static int start(ChildProcess *child)
{
    int theirs[CHANNELS];

    int failed = open_channels(child->fds, theirs);
    if (!failed) failed = guard_start(&child->setup.command, theirs, &child->guard);
    close_all(theirs);
    return failed;
}

/* Does this process lack something, or is it the program? ESRCH: the guard ended before it. */
static bool is_our_failure(int failed)
{
    static const int ours[] = {EMFILE, ENFILE, EAGAIN, ENOMEM, ESRCH};

    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (failed == ours[i]) return true;
    return false;
}

/* Threads of all processes of this user, as the limit of processes counts them: those that /proc
 * shows. */
static int64_t user_threads(void)
{
    DIR *all = opendir("/proc");
    struct stat info;
    int64_t threads = 0;
    char path[64];

    for (struct dirent *entry; all && (entry = readdir(all));) {
        if (!isdigit((unsigned char)entry->d_name[0])) continue;
        (void)snprintf(path, sizeof path, "/proc/%.20s/task", entry->d_name);
        if (stat(path, &info) == 0 && info.st_uid == getuid())
            threads += (int64_t)info.st_nlink - 2;
    }
    if (all) (void)closedir(all);
    return threads;
}

Status child_check_limits(int64_t children, int64_t processes, Error *err)
{
    int used = open("/dev/null", O_RDONLY | O_CLOEXEC); /* the lowest number that is free */
    const int64_t files = used + (CHANNELS + 1) * children + FILES_SPARE;
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};

    if (used >= 0) (void)close(used);
    (void)getrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_max != RLIM_INFINITY && (int64_t)limit.rlim_max < files)
        return error_set(err, STATUS_FAILED,
                         "%lld engines at once need %lld file descriptors, and the limit is %lld;"
                         " play fewer games at once, or raise it (ulimit -n)",
                         (long long)children, (long long)files, (long long)limit.rlim_max);
    if (limit.rlim_cur != RLIM_INFINITY && (int64_t)limit.rlim_cur < files)
        (void)system_raise_file_limit();
#ifdef RLIMIT_NPROC
    if (getuid() == 0 || getrlimit(RLIMIT_NPROC, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return STATUS_OK; /* root has no such limit */
    const int64_t threads = user_threads();
    if ((int64_t)limit.rlim_cur < threads + processes)
        return error_set(
            err, STATUS_FAILED,
            "%lld engines at once need %lld processes besides the %lld of this user,"
            " and the limit is %lld; play fewer games at once, or raise it (ulimit -u)",
            (long long)children, (long long)processes, (long long)threads,
            (long long)limit.rlim_cur);
#endif
    return STATUS_OK;
}

ChildProcess *child_start(const ChildSetup *setup, Error *err)
{
    ChildProcess *child = calloc(1, sizeof *child);

    if (!child) return ERROR_NULL(err, STATUS_FAILED, "out of memory for a child process");
    child->setup = *setup;
    child->output_left = CHILD_ANSWER_MAX;
    if (setup->log) child->number = engine_log_number(setup->log);
    request_short_slice();
    int failed = start(child);
    if (failed) {
        const ProgramCommand *command = &setup->command;
        (void)error_set(err, is_our_failure(failed) ? STATUS_FAILED : STATUS_ENGINE,
                        "%s: cannot start %s%s%s: %s%s", setup->name, command->program,
                        command->dir ? " in " : "", command->dir ? command->dir : "",
                        strerror(failed),
                        strchr(command->program, ' ') ? "; its arguments belong to args=" : "");
        destroy(child);
        return NULL;
    }
    log_event(child, "started");
    return child;
}

/* ---- Ending */

void child_close_input(ChildProcess *child)
{
    (void)shutdown(child->fds[INPUT], SHUT_WR);
}

void child_stop(ChildProcess *child, const char *last_message)
{
    if (!child) return;
    bool asked = last_message && child_send_line(child, last_message);
    child_close_input(child);
    bool exited = guard_wait(&child->guard, asked ? QUIT_MS : EOF_MS);
    log_event(child, exited ? "ended" : "killed");
    destroy(child);
}

void child_kill(ChildProcess *child)
{
    if (!child) return;
    log_event(child, "killed");
    destroy(child);
}

/* ---- Sending */

static void log_lines(const ChildProcess *child, char mark, const char *text, size_t length)
{
    for (const char *end = text + length, *next; child->setup.log && text < end; text = next) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        next = newline ? newline + 1 : end;
        log_line(child, mark, text, (size_t)((newline ? newline : end) - text));
    }
}

/* Waits until more can be sent; false at the deadline. */
static bool wait_for_room(const ChildProcess *child, int64_t deadline_ms)
{
    int64_t left = deadline_ms - clock_ms();
    struct pollfd p = {.fd = child->fds[INPUT], .events = POLLOUT};
    int ready = poll(&p, 1, left > 0 ? (int)left : 0);
    return ready > 0 || (ready < 0 && errno == EINTR); /* EINTR: try again */
}

bool child_send(ChildProcess *child, const char *lines, size_t length)
{
    const int64_t deadline = clock_ms() + SEND_TIMEOUT_MS;

    log_lines(child, '>', lines, length);
    child->output_left = CHILD_ANSWER_MAX;
    for (size_t sent = 0; sent < length;) {
        ssize_t got = send(child->fds[INPUT], lines + sent, length - sent, MSG_NOSIGNAL);
        if (got >= 0)
            sent += (size_t)got;
        else if (errno != EINTR &&
                 ((errno != EAGAIN && errno != EWOULDBLOCK) || !wait_for_room(child, deadline)))
            return false;
    }
    return true;
}

bool child_send_line(ChildProcess *child, const char *line)
{
    char text[1024];
    int n = snprintf(text, sizeof text, "%s\n", line);
    return n > 0 && (size_t)n < sizeof text && child_send(child, text, (size_t)n);
}

/* ---- Receiving */

/* Takes a whole line from the buffer, or returns NULL. */
static char *take_line(ChildProcess *child)
{
    bool skipped;
    char *line, *end;

    do {
        line = child->buffer + child->start;
        end = memchr(line, '\n', child->end - child->start);
        if (!end) return NULL;
        child->start = (size_t)(end + 1 - child->buffer);
        skipped = child->skipping;
        child->skipping = false;
    } while (skipped);
    while (end > line && end[-1] == '\r')
        end--; /* two, where a program ends its lines so and its system once more */
    *end = '\0';
    size_t length = (size_t)(end - line);
    log_line(child, '<', line, length);
    child->last_line_length = length < TAIL_MAX ? length : TAIL_MAX;
    memcpy(child->last_line, line, child->last_line_length);
    return line;
}

/* Reads available output; false when there is none. */
static bool fill_buffer(ChildProcess *child)
{
    memmove(child->buffer, child->buffer + child->start, child->end - child->start);
    child->end -= child->start;
    child->start = 0;
    if (child->end == CHILD_LINE_MAX) {
        log_event(child, "a line that is too long was dropped");
        child->skipping = true;
        child->end = 0;
    }
    ssize_t got =
        recv(child->fds[OUTPUT], child->buffer + child->end, CHILD_LINE_MAX - child->end, 0);
    if (got <= 0) {
        child->ended |= got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
        return false;
    }
    child->received_us = clock_us();
    child->end += (size_t)got;
    child->output_left -= got;
    return true;
}

/* Reads some of its standard error and keeps the end; false when there is none. */
static bool read_errors(ChildProcess *child)
{
    char text[4096];
    ssize_t got = recv(child->fds[ERRORS], text, sizeof text, 0);

    if (got <= 0) {
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return false;
        (void)close(child->fds[ERRORS]);
        child->fds[ERRORS] = -1;
        return false;
    }
    size_t length = (size_t)got, kept = child->last_errors_length;
    log_lines(child, '!', text, length);
    child->output_left -= got;
    size_t taken = length < TAIL_MAX ? length : TAIL_MAX;
    if (kept > TAIL_MAX - taken) kept = TAIL_MAX - taken;
    memmove(child->last_errors, child->last_errors + child->last_errors_length - kept, kept);
    memcpy(child->last_errors + kept, text + length - taken, taken);
    child->last_errors_length = kept + taken;
    return true;
}

/* Waits for output and reads it; true when our standard input is readable. A process of another
 * user may keep the output open after the program has exited; that case is detected here. */
static bool wait_and_read(ChildProcess *child, int64_t wait_ms)
{
    struct pollfd p[3] = {{.fd = child->fds[OUTPUT], .events = POLLIN},
                          {.fd = child->fds[ERRORS], .events = POLLIN},
                          {.fd = child->setup.watch_input ? STDIN_FILENO : -1, .events = POLLIN}};
    const int64_t asked = clock_ms();
    int ready = poll(p, 3, (int)wait_ms);

    system_note_pause(clock_ms() - asked - wait_ms);
    if (ready == 0 && guard_wait(&child->guard, 0) && !fill_buffer(child)) child->ended = true;
    if (ready > 0 && p[1].revents) (void)read_errors(child);
    if (ready > 0 && p[0].revents) (void)fill_buffer(child);
    return ready > 0 && p[2].revents;
}

ChildEvent child_receive(ChildProcess *child, int64_t deadline_ms, const atomic_int *cancelled,
                         char **line)
{
    for (;;) {
        if (child->output_left < 0) return CHILD_FLOOD;
        *line = take_line(child);
        if (*line) return CHILD_LINE;
        if (child->ended) return CHILD_GONE;
        if (cancelled && atomic_load(cancelled)) return CHILD_CANCELLED;
        int64_t left = deadline_ms - clock_ms();
        if (left <= 0) return CHILD_TIMEOUT;
        if (wait_and_read(child, left < POLL_MS ? left : POLL_MS)) return CHILD_INPUT;
    }
}

void child_watch_input(ChildProcess *child, bool watch)
{
    child->setup.watch_input = watch;
}

void child_drain(ChildProcess *child)
{
    do
        while (take_line(child))
            ;
    while (child->output_left >= 0 && fill_buffer(child));
}

int64_t child_received_us(const ChildProcess *child)
{
    return child->received_us;
}

/* ---- Describing its end */

/* Appends the last line of `text` in quotes. */
static void append_quoted(char out[CHILD_END_MAX], const char *what, const char *text,
                          size_t length)
{
    char line[TAIL_MAX + 1];
    size_t start, n = 0;

    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
        length--;
    for (start = length; start > 0 && text[start - 1] != '\n'; start--)
        ;
    for (; start < length; start++)
        line[n++] = (char)(text[start] >= ' ' && text[start] <= '~' ? text[start] : '?');
    line[n] = '\0';
    if (n > 0) text_append(out, CHILD_END_MAX, "; %s \"%s\"", what, line);
}

static void append_end(ChildProcess *child, char out[CHILD_END_MAX])
{
    bool exited = guard_wait(&child->guard, EXIT_WAIT_MS);
    const int state = child->guard.state;

    if (!exited)
        text_append(out, CHILD_END_MAX,
                    child->ended ? "closed its output" : "does not read its input");
    else if (WIFEXITED(state))
        text_append(out, CHILD_END_MAX, "ended with exit code %d", WEXITSTATUS(state));
    else
        text_append(out, CHILD_END_MAX, "was killed by signal %d (%s)", WTERMSIG(state),
                    strsignal(WTERMSIG(state)));
}

void child_describe_end(ChildProcess *child, ChildEvent event, const char *timeout,
                        char out[CHILD_END_MAX])
{
    out[0] = '\0';
    if (event == CHILD_GONE)
        append_end(child, out);
    else if (event == CHILD_FLOOD)
        text_append(out, CHILD_END_MAX, "wrote more than %d MiB without an answer",
                    CHILD_ANSWER_MAX >> 20);
    else
        text_append(out, CHILD_END_MAX, "%s", timeout);
    while (child->output_left >= 0 && child->fds[ERRORS] >= 0 && read_errors(child))
        ;
    append_quoted(out, "last line", child->last_line, child->last_line_length);
    append_quoted(out, "standard error", child->last_errors, child->last_errors_length);
    log_event(child, out);
}

/* ---- Running until the exit */

Status child_run(const char *const argv[], const char *output, const atomic_int *interrupted,
                 int *exit_code, Error *err)
{
    ChildGuard guard = {0};
    bool stop = false;

    int fd = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    const ProgramCommand command = {.program = argv[0], .args = argv + 1};
    int failed = fd < 0 ? errno : guard_start(&command, (const int[3]){-1, fd, fd}, &guard);
    if (fd >= 0) (void)close(fd);
    if (failed)
        return error_set(err, STATUS_FAILED, "cannot run %s: %s", argv[0], strerror(failed));
    while (!guard_wait(&guard, RUN_POLL_MS) && !stop)
        stop = interrupted && atomic_load(interrupted);
    const int state = guard.state;
    guard_end(&guard);
    if (stop) return error_set(err, STATUS_INTERRUPTED, "interrupted");
    *exit_code = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    return STATUS_OK;
}
