/* SPDX-License-Identifier: MIT
 * Guards: the side of our process, which starts them, and the guard itself. */
#define _GNU_SOURCE /* SOCK_CLOEXEC: two threads may start children at the same time */
#include "selfplay/players/child_guard.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include "engine/base/system.h"

/* Where no call opens files that are closed on exec, a second thread could leave one open. */
#ifdef POSIX_SPAWN_CLOEXEC_DEFAULT
#define SPAWN_CLOSES_FILES POSIX_SPAWN_CLOEXEC_DEFAULT /* macOS */
#else
#define SPAWN_CLOSES_FILES 0
#endif

#ifndef __linux__ /* where _GNU_SOURCE declares it */
extern char **environ;
#endif

/* In the list of processes. No kill by the name `tabia` or by the name of an engine is to end it.
 */
#define GUARD_NAME "engine-guard"

enum {
    CONTROL_FD = 3, /* in the guard */
    DIR_ARGUMENT = 1,
    PROGRAM_ARGUMENT = 2, /* and the program's own arguments */
    ARGUMENTS_MAX = 256,
    KILL_TRIES = 20,      /* in a row without a process that may be killed */
    KILL_WAIT_NS = 500000 /* from a kill to the next search for processes */
};

/* What a guard sends: first whether the program was started, then how it ended. */
typedef struct GuardReport {
    int error; /* errno of the start, 0 for success */
    int state; /* as waitpid() reports it */
} GuardReport;

/* ---- In our process */

static void close_on_exec(int fd)
{
    (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
}

static bool open_pair(int ends[2])
{
#ifdef __linux__
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0;
#else
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return false;
    for (int i = 0; i < 2; i++) {
        close_on_exec(ends[i]);
#ifdef SO_NOSIGPIPE
        (void)setsockopt(ends[i], SOL_SOCKET, SO_NOSIGPIPE, &(int){1}, sizeof(int));
#endif
    }
    return true;
#endif
}

int guard_socket_pair(int ends[2])
{
    bool opened =
        open_pair(ends) || (errno == EMFILE && system_raise_file_limit() && open_pair(ends));
    return opened ? 0 : errno;
}

/* Starts the guard, in its own process group. Returns 0 or an errno. */
static int spawn_guard(const char *const *argv, const int files[3], int control, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t all, none;
    char *const *arguments;
#ifdef __APPLE__
    char program[GUARD_PATH_MAX];
    int failed = system_executable(program, sizeof program) ? 0 : ENOENT;
#else
    static const char program[] = "/proc/self/exe"; /* also when the file has been replaced */
    int failed = 0;
#endif

    memcpy(&arguments, &argv, sizeof arguments); /* posix_spawn() takes no const */
    (void)sigfillset(&all);
    (void)sigemptyset(&none);
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawnattr_init(&attributes);
    for (int i = 0; !failed && i < 3; i++)
        failed = files[i] >= 0 ? posix_spawn_file_actions_adddup2(&actions, files[i], i)
                               : posix_spawn_file_actions_addopen(&actions, i, "/dev/null",
                                                                  i ? O_WRONLY : 0, 0);
    if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, control, CONTROL_FD);
    /* The program gets default signal handling, whatever we ignore. */
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
                                                    POSIX_SPAWN_SETSIGMASK | SPAWN_CLOSES_FILES);
    (void)posix_spawnattr_setpgroup(&attributes, 0);
    (void)posix_spawnattr_setsigdefault(&attributes, &all);
    (void)posix_spawnattr_setsigmask(&attributes, &none);
    if (!failed) failed = posix_spawn(pid, program, &actions, &attributes, arguments, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)posix_spawnattr_destroy(&attributes);
    return failed;
}

/* The next report of the guard; false when there is none within wait_ms, -1 meaning no limit. A
 * guard that was killed has reported that its program was killed. */
static bool receive_report(const ChildGuard *guard, int wait_ms, GuardReport *report)
{
    struct pollfd p = {.fd = guard->control, .events = POLLIN};
    ssize_t got;

    while ((got = poll(&p, 1, wait_ms)) < 0 && errno == EINTR)
        ;
    if (got <= 0) return false;
    while ((got = recv(guard->control, report, sizeof *report, MSG_WAITALL)) < 0 && errno == EINTR)
        ;
    if (got != (ssize_t)sizeof *report) *report = (GuardReport){.error = ESRCH, .state = SIGKILL};
    return true;
}

int guard_start(const ProgramCommand *command, const int files[3], ChildGuard *guard)
{
    const char *argv[PROGRAM_ARGUMENT + ARGUMENTS_MAX + 2] = {
        GUARD_NAME, command->dir ? command->dir : "", command->program};
    int ends[2];
    GuardReport report = {0};

#ifdef __linux__
    /* A program whose main() lacks the call of guard_main() would start itself for ever. */
    if (strcmp(program_invocation_name, GUARD_NAME) == 0) abort();
#endif
    for (int i = 0; command->args && command->args[i]; i++) {
        if (i == ARGUMENTS_MAX) return E2BIG;
        argv[PROGRAM_ARGUMENT + 1 + i] = command->args[i];
    }
    int failed = guard_socket_pair(ends);
    if (failed) return failed;
    failed = spawn_guard(argv, files, ends[1], &guard->pid);
    (void)close(ends[1]);
    if (failed) {
        (void)close(ends[0]);
        *guard = (ChildGuard){0};
        return failed;
    }
    *guard = (ChildGuard){.pid = guard->pid, .control = ends[0]};
    (void)receive_report(guard, -1, &report);
    if (report.error) guard_end(guard);
    return report.error;
}

bool guard_wait(ChildGuard *guard, int wait_ms)
{
    GuardReport report;

    if (!guard->ended && receive_report(guard, wait_ms, &report)) {
        guard->ended = true;
        guard->state = report.state;
    }
    return guard->ended;
}

enum { RETRY_MS = 20 };

void guard_end(ChildGuard *guard)
{
    if (guard->pid == 0) return;
    (void)close(guard->control);
    /* The program may have stopped it, and may do so again until it is killed. */
    for (long wait_ms = 1; kill(guard->pid, SIGCONT) == 0; wait_ms += wait_ms < RETRY_MS) {
        pid_t ended = waitpid(guard->pid, NULL, WNOHANG);
        if (ended == guard->pid || (ended < 0 && errno != EINTR)) break;
        (void)nanosleep(&(struct timespec){.tv_nsec = wait_ms * 1000000}, NULL);
    }
    *guard = (ChildGuard){0};
}

/* ---- In either */

/* 0, or the errno of a file that is not a program. */
static int check_program(const char *path)
{
    struct stat file;

    if (stat(path, &file) != 0 || access(path, X_OK) != 0) return errno;
    return S_ISREG(file.st_mode) ? 0 : EACCES;
}

int guard_find_program(const char *program, const char *dir, char path[GUARD_PATH_MAX])
{
    const char *from = getenv("PATH");
    int reason = ENOENT, n;

    if (strchr(program, '/')) {
        bool below = dir && program[0] != '/';
        n = snprintf(path, GUARD_PATH_MAX, "%s%s%s", below ? dir : "", below ? "/" : "", program);
        return n >= 0 && n < GUARD_PATH_MAX ? 0 : ENAMETOOLONG;
    }
    n = dir ? snprintf(path, GUARD_PATH_MAX, "%s/%s", dir, program) : -1;
    if (n >= 0 && n < GUARD_PATH_MAX && check_program(path) == 0) return 0;
    for (from = from ? from : "/bin:/usr/bin"; from;) {
        int length = (int)strcspn(from, ":");
        n = snprintf(path, GUARD_PATH_MAX, "%.*s%s%s", length, from, length ? "/" : "", program);
        from = from[length] ? from + length + 1 : NULL;
        if (n < 0 || n >= GUARD_PATH_MAX) continue;
        int failed = check_program(path);
        if (!failed) return 0;
        if (failed != ENOENT && failed != ENOTDIR) reason = failed;
    }
    return reason;
}

/* ---- In the guard, which has one thread */

static void on_child(int number)
{
    (void)number;
}

/* Terminals and users end the program and our process, never the guard. */
static void handle_signals(void (*handler)(int))
{
    static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE};
    struct sigaction action = {.sa_handler = handler};

    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        (void)sigaction(signals[i], &action, NULL);
}

/* A child that ends interrupts pselect(), which alone lets the signal pass. */
static void catch_children(void)
{
    struct sigaction action = {.sa_handler = on_child};
    sigset_t child;

    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGCHLD, &action, NULL);
    (void)sigemptyset(&child);
    (void)sigaddset(&child, SIGCHLD);
    (void)sigprocmask(SIG_BLOCK, &child, NULL);
}

/* The program's side of the fork. Returns the errno of the failure. */
static int become_program(char **argv, pid_t guard)
{
    char path[GUARD_PATH_MAX];
    const char *dir = argv[DIR_ARGUMENT];
    sigset_t none;

    (void)setpgid(0, 0);
    handle_signals(SIG_DFL);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
#ifdef __linux__
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != guard) return ESRCH;
    if (*dir && chdir(dir) != 0) return errno;
    int failed = guard_find_program(argv[PROGRAM_ARGUMENT], *dir ? "." : NULL, path);
    if (failed) return failed;
    (void)execv(
        path,
        argv + PROGRAM_ARGUMENT); /* unlike execvp(), no shell runs a file that is not a program */
    return errno;
}

/* Starts the program. Returns 0 or an errno. */
static int start_program(char **argv, pid_t *program)
{
    const pid_t guard = getpid();
    int ends[2], reason = 0;

    if (pipe(ends) != 0) return errno;
    close_on_exec(ends[0]);
    close_on_exec(ends[1]);
    *program = fork();
    if (*program == 0) {
        reason = become_program(argv, guard);
        (void)!write(ends[1], &reason, sizeof reason);
        _exit(127);
    }
    if (*program < 0) reason = errno;
    (void)close(ends[1]);
    /* A successful exec closes the pipe, without data. */
    ssize_t got;
    while (*program > 0 && (got = read(ends[0], &reason, sizeof reason)) < 0 && errno == EINTR)
        ;
    (void)close(ends[0]);
    return reason;
}

/* Only the program keeps its channels, so that their end is seen when it closes them. */
static void drop_files(void)
{
    int null = open("/dev/null", O_RDWR);

    for (int i = 0; i < 3; i++)
        (void)dup2(null, i);
    if (null > CONTROL_FD) (void)close(null);
}

/* So that a search of all command lines finds an engine once. */
static void hide_arguments(char **argv)
{
    for (char **word = argv + 1; *word; word++)
        memset(*word, 0, strlen(*word));
}

static void send_report(GuardReport report)
{
    (void)send(CONTROL_FD, &report, sizeof report, MSG_NOSIGNAL);
}

/* Reaps what has ended, and reports it when the program has. False when no child is left. */
static bool reap(pid_t program, bool *ended)
{
    int state;
    pid_t pid;

    while ((pid = waitpid(-1, &state, WNOHANG)) > 0) {
        if (pid != program) continue;
        *ended = true;
        send_report((GuardReport){.state = state});
    }
    return pid == 0;
}

/* Reads a file of /proc as text of at most size - 1 bytes; false when there is none. */
static bool read_proc(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, text, size - 1);

    if (fd >= 0) (void)close(fd);
    text[got > 0 ? got : 0] = '\0';
    return got >= 0;
}

static bool is_our_child(const char *pid)
{
    char path[64], text[512];

    (void)snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
    if (!read_proc(path, text, sizeof text)) return false;
    const char *name_end = strrchr(text, ')'); /* PID (NAME) STATE PARENT … */
    return name_end && strlen(name_end) > 4 && strtol(name_end + 4, NULL, 10) == getpid();
}

/* Kills a child of ours, whose number is reserved until we reap it; with its whole group, so that
 * none of it escapes by forking. A group of our session may have members that are not below us. */
static bool kill_child(pid_t pid, pid_t program)
{
    pid_t group = getpgid(pid);
    bool whole = group > 0 && (group == program || getsid(pid) != getsid(0));
    return kill(whole ? -group : pid, SIGKILL) == 0;
}

/* For kernels without a list of children; without /proc, only the program's group. */
static bool kill_found_children(pid_t program)
{
    bool killed = false;
    DIR *all = opendir("/proc");

    if (!all) return program > 0 && kill(-program, SIGKILL) == 0;
    for (struct dirent *entry; (entry = readdir(all));)
        if (isdigit((unsigned char)entry->d_name[0]) && is_our_child(entry->d_name))
            killed |= kill_child((pid_t)strtol(entry->d_name, NULL, 10), program);
    (void)closedir(all);
    return killed;
}

/* Kills our children; theirs then become ours. False when none may be killed. */
static bool kill_children(pid_t program)
{
    char text[GUARD_PATH_MAX], *end;
    bool killed = false;

    if (!read_proc("/proc/thread-self/children", text, sizeof text))
        return kill_found_children(program);
    /* "PID PID PID "; what does not fit is read the next time. */
    for (char *at = text; *at; at = end + 1) {
        pid_t pid = (pid_t)strtol(at, &end, 10);
        if (*end != ' ' || pid <= 0) break;
        killed |= kill_child(pid, program);
    }
    return killed;
}

/* Waits until the program ends, or our process closes its end of the sockets. */
static void watch(pid_t program)
{
    bool ended = false;
    sigset_t none;
    fd_set control;

    (void)sigemptyset(&none);
    do {
        (void)reap(program, &ended);
        FD_ZERO(&control);
        FD_SET(CONTROL_FD, &control);
    } while (!ended && pselect(CONTROL_FD + 1, &control, NULL, NULL, NULL, &none) <= 0);
}

/* Ends everything below us that may be killed. */
static void end_all(pid_t program)
{
    bool ended;

    for (int refused = 0; reap(program, &ended) && refused < KILL_TRIES;) {
        refused = kill_children(program) ? 0 : refused + 1;
        (void)nanosleep(&(struct timespec){.tv_nsec = KILL_WAIT_NS}, NULL);
    }
}

/* What our process, or the one that started it, has left open is not for the program. */
static void close_inherited(void)
{
    enum { FILES_MOST = 1024 };

#ifdef SYS_close_range
    if (syscall(SYS_close_range, CONTROL_FD + 1U, ~0U, 0) == 0) return;
#endif
    for (int fd = CONTROL_FD + 1; fd < FILES_MOST; fd++)
        (void)close(fd);
}

void guard_main(char **argv)
{
    pid_t program = 0;

    if (!argv[0] || strcmp(argv[0], GUARD_NAME) != 0) return;
#ifdef __linux__
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
    (void)prctl(PR_SET_NAME, GUARD_NAME);
#endif
    close_on_exec(CONTROL_FD);
    close_inherited();
    handle_signals(SIG_IGN);
    catch_children();
    int failed = start_program(argv, &program);
    drop_files();
    hide_arguments(argv);
    send_report((GuardReport){.error = failed});
    if (!failed) watch(program);
    end_all(program);
    _exit(0);
}
