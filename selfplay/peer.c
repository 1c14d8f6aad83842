/* SPDX-License-Identifier: MIT
 * Child processes behind a socket. */
#define _GNU_SOURCE /* SOCK_CLOEXEC: two threads may start children at the same time */
#include "selfplay/peer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/resource.h>
#include <sys/syscall.h>
#endif

#include "engine/clock.h"

extern char **environ;

enum {
    SEND_MAX = 1 << 15, /* a position command of 1,024 moves has 6,000 characters */
    BUFFER_MAX = 1 << 16,
    SEND_TIMEOUT_MS = 5000,
    FAREWELL_MS = 500, /* between the farewell and the kill */
    CANCEL_POLL_MS = 100,
    SLICE_NS = 100000 /* the shortest there is */
};

struct Peer {
    pid_t pid;
    int fd;
    int64_t received_us; /* when something was last read */
    size_t start, end;   /* what is read and not yet taken: buffer[start … end-1] */
    char buffer[BUFFER_MAX + 1];
};

/* Asks to be woken before those that compute: this thread only notes when an answer comes and
 * sleeps again, and its own waiting for a processor would be taken off somebody's clock. Linux
 * (since 6.12) lets a thread have a short slice, which is the earlier due; elsewhere nothing
 * happens. The peers it starts have slices as usual. */
static void wake_promptly(void)
{
#if defined(__linux__) && defined(SYS_sched_setattr)
    /* The kernel's struct sched_attr: its header cannot be included beside <sched.h>. */
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

/* Returns 0 or an errno. */
static int spawn(const char *program, int child_end, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t all, none;
    char *copy = strdup(program);
    char *argv[] = {copy, NULL};

    if (!copy) return ENOMEM;
    (void)sigfillset(&all);
    (void)sigemptyset(&none);
    (void)posix_spawn_file_actions_init(&files);
    (void)posix_spawnattr_init(&attributes);
    int failed = posix_spawn_file_actions_adddup2(&files, child_end, STDIN_FILENO);
    if (!failed) failed = posix_spawn_file_actions_adddup2(&files, child_end, STDOUT_FILENO);
    if (!failed)
        failed = posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    /* The child starts with default signals: we may ignore some that it must not. */
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
                                                    POSIX_SPAWN_SETSIGMASK);
    (void)posix_spawnattr_setpgroup(&attributes, 0);
    (void)posix_spawnattr_setsigdefault(&attributes, &all);
    (void)posix_spawnattr_setsigmask(&attributes, &none);
    if (!failed) failed = posix_spawnp(pid, program, &files, &attributes, argv, environ);
    (void)posix_spawn_file_actions_destroy(&files);
    (void)posix_spawnattr_destroy(&attributes);
    free(copy);
    return failed;
}

Peer *peer_start(const char *program, Error *err)
{
    int ends[2];
    Peer *peer = calloc(1, sizeof *peer);

    if (!peer) {
        (void)error_set(err, STATUS_FAILED, "out of memory for a peer");
        return NULL;
    }
    wake_promptly();
    int failed = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0 ? 0 : errno;
    if (!failed) {
        failed = spawn(program, ends[1], &peer->pid);
        (void)close(ends[1]);
        peer->fd = ends[0];
        if (failed) (void)close(ends[0]);
    }
    if (failed) {
        (void)error_set(err, STATUS_PEER, "cannot start %s: %s", program, strerror(failed));
        free(peer);
        return NULL;
    }
    (void)fcntl(peer->fd, F_SETFL, O_NONBLOCK);
    return peer;
}

/* Did the process end by `deadline_ms`? Reaps it then. */
static bool wait_for_exit(Peer *peer, int64_t deadline_ms)
{
    for (;;) {
        pid_t reaped = waitpid(peer->pid, NULL, WNOHANG);
        if (reaped == peer->pid || (reaped < 0 && errno != EINTR)) return true;
        if (clock_ms() >= deadline_ms) return false;
        (void)nanosleep(&(struct timespec){0, 2000000}, NULL);
    }
}

void peer_stop(Peer *peer, const char *farewell)
{
    if (!peer) return;
    bool asked = farewell && peer_send(peer, "%s", farewell);
    (void)shutdown(peer->fd, SHUT_WR);
    if (!wait_for_exit(peer, clock_ms() + (asked ? FAREWELL_MS : 0))) {
        (void)kill(-peer->pid, SIGKILL); /* with whatever it started */
        while (waitpid(peer->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    (void)close(peer->fd);
    free(peer);
}

/* Waits until the socket is ready for `events`; false at the deadline. */
static bool wait_ready(const Peer *peer, short events, int64_t deadline_ms)
{
    int64_t left = deadline_ms - clock_ms();
    struct pollfd p = {.fd = peer->fd, .events = events};
    return poll(&p, 1, left > 0 ? (int)left : 0) > 0;
}

bool peer_send(Peer *peer, const char *format, ...)
{
    char line[SEND_MAX];
    va_list args;

    va_start(args, format);
    int n = vsnprintf(line, sizeof line - 1, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof line - 1) return false;
    line[n++] = '\n';
    int64_t deadline = clock_ms() + SEND_TIMEOUT_MS;
    for (ssize_t sent = 0, got; sent < n; sent += got) {
        got = send(peer->fd, line + sent, (size_t)(n - sent), MSG_NOSIGNAL);
        if (got >= 0) continue;
        got = 0;
        if (errno == EINTR) continue;
        if ((errno != EAGAIN && errno != EWOULDBLOCK) || !wait_ready(peer, POLLOUT, deadline))
            return false;
    }
    return true;
}

/* A whole line out of the buffer, or NULL. */
static const char *take_line(Peer *peer)
{
    char *line = peer->buffer + peer->start;
    char *end = memchr(line, '\n', peer->end - peer->start);

    if (!end) return NULL;
    peer->start = (size_t)(end + 1 - peer->buffer);
    *end = '\0';
    if (end > line && end[-1] == '\r') end[-1] = '\0';
    return line;
}

/* Reads what is there; false at the end of the stream or when the buffer holds one endless line. */
static bool fill_buffer(Peer *peer)
{
    memmove(peer->buffer, peer->buffer + peer->start, peer->end - peer->start);
    peer->end -= peer->start;
    peer->start = 0;
    if (peer->end == BUFFER_MAX) return false;
    ssize_t got = recv(peer->fd, peer->buffer + peer->end, BUFFER_MAX - peer->end, 0);
    if (got > 0) {
        peer->received_us = clock_us();
        peer->end += (size_t)got;
    }
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR));
}

PeerEvent peer_receive(Peer *peer, int64_t deadline_ms, const atomic_int *cancelled,
                       const char **line)
{
    for (;;) {
        *line = take_line(peer);
        if (*line) return PEER_LINE;
        if (cancelled && atomic_load(cancelled)) return PEER_CANCELLED;
        int64_t now = clock_ms();
        if (now >= deadline_ms) return PEER_TIMEOUT;
        int64_t until = deadline_ms - now < CANCEL_POLL_MS ? deadline_ms : now + CANCEL_POLL_MS;
        if (wait_ready(peer, POLLIN, until) && !fill_buffer(peer)) return PEER_GONE;
    }
}

int64_t peer_received_us(const Peer *peer)
{
    return peer->received_us;
}
