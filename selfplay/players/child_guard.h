/* SPDX-License-Identifier: MIT
 * The guard of a child process: a process between us and the program that we start. It is the
 * parent of that program and ends everything that the program started.
 *
 * The guard is this executable under another name (/proc/self/exe), so main() has to call
 * guard_main() first. On Linux it is a child subreaper: whatever descendants do (setsid, fork
 * twice), they become its children when their parents end, so it can kill and reap them all. It
 * does so when the program ends, when guard_end() asks for it, and when our process is gone,
 * also after kill -9. The program itself is killed when the guard is (PR_SET_PDEATHSIG).
 *
 * Not ended: what other processes start for the program (at, cron, systemd-run, docker), processes
 * of another user (sudo), and daemons of a program that kills its guard. Systems without
 * subreapers: daemons, and what a program leaves behind when it ends by itself. */
#ifndef TABIA_SELFPLAY_PLAYERS_CHILD_GUARD_H
#define TABIA_SELFPLAY_PLAYERS_CHILD_GUARD_H

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/types.h>

/* What is started; everything is borrowed. */
typedef struct ProgramCommand {
    const char *program;     /* a path relative to `dir`; or a name in `dir` or PATH */
    const char *const *args; /* ended by NULL; may be NULL */
    const char *dir;         /* working directory; NULL: ours */
} ProgramCommand;

/* Zero: no guard. One thread at a time. */
typedef struct ChildGuard {
    pid_t pid;
    int control; /* our end of a socket pair; the guard ends when it is closed */
    bool ended;  /* the program has ended */
    int state;   /* how, as waitpid() reports it */
} ChildGuard;

/* To be called first in main() of a program that starts others: returns unless this process was
 * started to be a guard. */
void guard_main(char **argv);

/* The file of a program and its working directory (ProgramCommand). Returns 0; or an errno, when a
 * name is not found. */
enum { GUARD_PATH_MAX = 4096 };
int guard_find_program(const char *program, const char *dir, char path[GUARD_PATH_MAX]);

/* Starts the program with these standard input, output and error (-1: /dev/null); it and the guard
 * have process groups of their own. Returns 0, or an errno with no process left. */
int guard_start(const ProgramCommand *command, const int files[3], ChildGuard *guard);

/* Whether the program has ended, after at most wait_ms. */
bool guard_wait(ChildGuard *guard, int wait_ms);

/* Kills the program and everything that it started, and reaps the guard. Does nothing for a zero
 * *guard, which is zero after it. */
void guard_end(ChildGuard *guard);

/* Systems without it have SO_NOSIGPIPE, which guard_socket_pair() sets. */
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

/* A pair of connected sockets that are closed on exec. Raises the soft limit of file descriptors
 * when it is reached: many engines need more than its default. Returns 0 or an errno. */
int guard_socket_pair(int ends[2]);

#endif
