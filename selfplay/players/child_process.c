/* SPDX-License-Identifier: MIT
 * Child processes connected by sockets. */
#define _GNU_SOURCE /* SOCK_CLOEXEC: two threads may start children at the same time */
#include "selfplay/players/child_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include "engine/base/clock.h"

enum {
    PROGRAM_MAX = 4096,
    ARGUMENTS_MAX = 256,
    SEND_TIMEOUT_MS = 5000,
    FAREWELL_MS = 500,      /* from the farewell to the kill */
    EOF_MS = 100,           /* from the end of its input to the kill */
    EXIT_WAIT_MS = 200,     /* from the end of its output to the end of the process */
    POLL_MS = 100,          /* between checks of the process and the cancel flag */
    RUN_POLL_NS = 20000000, /* the same in child_run() */
    SLICE_NS = 100000,      /* the shortest scheduler slice */
    TAIL_MAX = 160          /* bytes of the last output that are kept */
};

/* Sockets, not pipes: writing to a closed socket fails with an errno, without a signal. */
typedef enum Channel { INPUT, OUTPUT, ERRORS, LIFELINE, CHANNELS } Channel;

struct ChildProcess {
    ChildSetup setup;
    int number; /* in the log */
    pid_t pid, guard;
    int fds[CHANNELS];   /* our ends, -1 when closed */
    siginfo_t exit;      /* si_pid is 0 while it runs */
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
 * has no effect. Child processes get usual slices. */
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
    (void)syscall(SYS_sched_setattr, 0, &attributes, 0);
#endif
}

/* Orphaned descendants become our children, so that they are reaped with their group. Where the
 * system cannot do this, init reaps them. */
static void adopt_orphans(void)
{
#ifdef PR_SET_CHILD_SUBREAPER
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
}

/* Starts `program` in the process group `group` (0: its own), with `files` as its standard input,
 * output and error, -1 meaning /dev/null. Returns 0 or an errno. */
static int spawn(const char *program, const char *const *argv, const char *dir, const int files[3],
                 pid_t group, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t all, none;
    char *const *arguments;
    int failed = 0;

    memcpy(&arguments, &argv, sizeof arguments); /* posix_spawn() takes no const */
    (void)sigfillset(&all);
    (void)sigemptyset(&none);
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawnattr_init(&attributes);
    for (int i = 0; !failed && i < 3; i++)
        failed = files[i] >= 0 ? posix_spawn_file_actions_adddup2(&actions, files[i], i)
                               : posix_spawn_file_actions_addopen(&actions, i, "/dev/null",
                                                                  i ? O_WRONLY : 0, 0);
    if (!failed && dir) failed = posix_spawn_file_actions_addchdir_np(&actions, dir);
    /* The child gets default signal handling, whatever we ignore. */
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
                                                    POSIX_SPAWN_SETSIGMASK);
    (void)posix_spawnattr_setpgroup(&attributes, group);
    (void)posix_spawnattr_setsigdefault(&attributes, &all);
    (void)posix_spawnattr_setsigmask(&attributes, &none);
    if (!failed) failed = posix_spawnp(pid, program, &actions, &attributes, arguments, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)posix_spawnattr_destroy(&attributes);
    return failed;
}

/* The guard leads the group, so that it exists before the program does. It also receives the
 * program's pid, in case the program leaves the group. */
static int spawn_guard(ChildProcess *child, int lifeline)
{
    static const char script[] =
        "trap '' HUP INT QUIT TERM; read -r pid; read -r line; kill -9 $pid 0";
    const char *const argv[] = {"sh", "-c", script, NULL};
    const int files[3] = {lifeline, -1, -1};
    return spawn("/bin/sh", argv, NULL, files, 0, &child->guard);
}

static int spawn_program(ChildProcess *child, const int theirs[CHANNELS])
{
    const ChildSetup *s = &child->setup;
    const char *argv[ARGUMENTS_MAX + 2] = {s->program};
    char path[PROGRAM_MAX];

    for (int i = 0; s->args && s->args[i]; i++) {
        if (i == ARGUMENTS_MAX) return E2BIG;
        argv[i + 1] = s->args[i];
    }
    if (s->dir && !strchr(s->program, '/')) {
        (void)snprintf(path, sizeof path, "%s/%s", s->dir, s->program);
        bool there = access(path, X_OK) == 0;
        (void)snprintf(path, sizeof path, "./%s", s->program);
        if (there) argv[0] = path;
    }
    int failed = spawn(argv[0], argv, s->dir, theirs, child->guard, &child->pid);
    if (failed) return failed;
    int n = snprintf(path, sizeof path, "%ld\n", (long)child->pid);
    (void)send(child->fds[LIFELINE], path, (size_t)n, MSG_NOSIGNAL);
    return 0;
}

static void close_all(int fds[CHANNELS])
{
    for (int i = 0; i < CHANNELS; i++) {
        if (fds[i] >= 0) (void)close(fds[i]);
        fds[i] = -1;
    }
}

/* Many engines need more descriptors than the default soft limit. */
static bool raise_file_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return false;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

static bool open_pair(int ends[2])
{
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0;
}

static int open_channels(int ours[CHANNELS], int theirs[CHANNELS])
{
    for (int i = 0; i < CHANNELS; i++)
        ours[i] = theirs[i] = -1;
    for (int i = 0; i < CHANNELS; i++) {
        int ends[2];
        if (!open_pair(ends) && (errno != EMFILE || !raise_file_limit() || !open_pair(ends)))
            return errno;
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

/* Kills what is left of the group. Its number stays reserved until all of it is reaped. */
static void end_group(ChildProcess *child)
{
    bool reaped = child->pid == 0;
    pid_t pid;

    close_all(child->fds);
    if (child->guard == 0) return;
    (void)kill(-child->guard, SIGKILL);
    while ((pid = waitpid(-child->guard, NULL, 0)) > 0 || errno == EINTR)
        reaped |= pid == child->pid;
    if (reaped) return;
    (void)kill(child->pid, SIGKILL); /* it left the group */
    while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

ChildProcess *child_start(const ChildSetup *setup, Error *err)
{
    int theirs[CHANNELS];
    ChildProcess *child = calloc(1, sizeof *child);

    if (!child) {
        (void)error_set(err, STATUS_FAILED, "out of memory for a child process");
        return NULL;
    }
    child->setup = *setup;
    child->output_left = CHILD_ANSWER_MAX;
    if (setup->log) child->number = engine_log_number(setup->log);
    request_short_slice();
    adopt_orphans();
    int failed = open_channels(child->fds, theirs);
    if (!failed) failed = spawn_guard(child, theirs[LIFELINE]);
    if (!failed) failed = spawn_program(child, theirs);
    close_all(theirs);
    if (failed) {
        (void)error_set(err, STATUS_ENGINE, "%s: cannot start %s%s%s: %s", setup->name,
                        setup->program, setup->dir ? " in " : "", setup->dir ? setup->dir : "",
                        strerror(failed));
        end_group(child);
        free(child);
        return NULL;
    }
    log_event(child, "started");
    return child;
}

/* ---- Ending */

static bool has_exited(ChildProcess *child)
{
    while (child->exit.si_pid == 0 &&
           waitid(P_PID, (id_t)child->pid, &child->exit, WEXITED | WNOHANG | WNOWAIT) != 0 &&
           errno == EINTR)
        ;
    return child->exit.si_pid != 0;
}

static bool wait_for_exit(ChildProcess *child, int64_t deadline_ms)
{
    while (!has_exited(child)) {
        if (clock_ms() >= deadline_ms) return false;
        (void)nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    return true;
}

void child_stop(ChildProcess *child, const char *farewell)
{
    if (!child) return;
    bool asked = farewell && child_send_line(child, farewell);
    (void)shutdown(child->fds[INPUT], SHUT_WR);
    bool exited = wait_for_exit(child, clock_ms() + (asked ? FAREWELL_MS : EOF_MS));
    log_event(child, exited ? "ended" : "killed");
    end_group(child);
    free(child);
}

void child_kill(ChildProcess *child)
{
    if (!child) return;
    log_event(child, "killed");
    end_group(child);
    free(child);
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
    if (end > line && end[-1] == '\r') end--;
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

/* Waits for output and reads it; true when our standard input is readable. A descendant may keep
 * the output open after the process has exited; that case is detected here. */
static bool wait_and_read(ChildProcess *child, int64_t wait_ms)
{
    struct pollfd p[3] = {{.fd = child->fds[OUTPUT], .events = POLLIN},
                          {.fd = child->fds[ERRORS], .events = POLLIN},
                          {.fd = child->setup.watch_input ? STDIN_FILENO : -1, .events = POLLIN}};
    int ready = poll(p, 3, (int)wait_ms);

    if (ready == 0 && has_exited(child) && !fill_buffer(child)) child->ended = true;
    if (ready > 0 && p[1].revents) (void)read_errors(child);
    if (ready > 0 && p[0].revents) (void)fill_buffer(child);
    return ready > 0 && p[2].revents;
}

ChildEvent child_receive(ChildProcess *child, int64_t deadline_ms, const atomic_int *cancelled,
                         const char **line)
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

void child_watch_input(ChildProcess *child, bool heed)
{
    child->setup.watch_input = heed;
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

static void append(char out[CHILD_WORDS_MAX], const char *format, ...) PRINTF_LIKE(2, 3);

static void append(char out[CHILD_WORDS_MAX], const char *format, ...)
{
    size_t used = strlen(out);
    va_list args;

    va_start(args, format);
    (void)vsnprintf(out + used, CHILD_WORDS_MAX - used, format, args);
    va_end(args);
}

/* Appends the last line of `text` in quotes. */
static void append_quoted(char out[CHILD_WORDS_MAX], const char *what, const char *text,
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
    if (n > 0) append(out, "; %s \"%s\"", what, line);
}

static void append_end(ChildProcess *child, char out[CHILD_WORDS_MAX])
{
    if (!wait_for_exit(child, clock_ms() + EXIT_WAIT_MS))
        append(out, child->ended ? "closed its output" : "does not read its input");
    else if (child->exit.si_code == CLD_EXITED)
        append(out, "ended with exit code %d", child->exit.si_status);
    else
        append(out, "was killed by signal %d (%s)", child->exit.si_status,
               strsignal(child->exit.si_status));
}

void child_last_words(ChildProcess *child, ChildEvent event, const char *timeout,
                      char out[CHILD_WORDS_MAX])
{
    out[0] = '\0';
    if (event == CHILD_GONE)
        append_end(child, out);
    else if (event == CHILD_FLOOD)
        append(out, "wrote more than %d MiB without an answer", CHILD_ANSWER_MAX >> 20);
    else
        append(out, "%s", timeout);
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
    bool killed = false;
    int ended, state;
    pid_t pid;

    int fd = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    const int files[3] = {-1, fd, fd};
    int failed = fd < 0 ? errno : spawn(argv[0], argv, NULL, files, 0, &pid);
    if (fd >= 0) (void)close(fd);
    if (failed)
        return error_set(err, STATUS_FAILED, "cannot run %s: %s", argv[0], strerror(failed));
    while ((ended = waitpid(pid, &state, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
        if (!killed && interrupted && atomic_load(interrupted)) killed = kill(-pid, SIGKILL) == 0;
        (void)nanosleep(&(struct timespec){.tv_nsec = RUN_POLL_NS}, NULL);
    }
    if (ended < 0)
        return error_set(err, STATUS_FAILED, "cannot wait for %s: %s", argv[0], strerror(errno));
    if (killed) return error_set(err, STATUS_INTERRUPTED, "interrupted");
    *exit_code = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    return STATUS_OK;
}
