/* SPDX-License-Identifier: MIT
 * Children that run to their end. */
#include "cli/match/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

enum { POLL_NS = 20000000 };

/* posix_spawn's wish for strings that may be written to; it does not write. */
static char *const *spawn_arguments(const char *const argv[])
{
    char *const *arguments;
    memcpy(&arguments, &argv, sizeof arguments);
    return arguments;
}

/* Returns 0 or an errno. */
static int spawn(const char *const argv[], const char *output, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t all;

    int code = posix_spawn_file_actions_init(&files);
    if (code != 0) return code;
    code = posix_spawnattr_init(&attributes);
    if (code != 0) {
        (void)posix_spawn_file_actions_destroy(&files);
        return code;
    }
    code = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    if (code == 0)
        code =
            posix_spawn_file_actions_addopen(&files, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (code == 0) code = posix_spawn_file_actions_adddup2(&files, 1, 2);
    /* What we ignore the child must not: a build may have pipes that are closed early. */
    (void)sigfillset(&all);
    if (code == 0) code = posix_spawnattr_setsigdefault(&attributes, &all);
    if (code == 0)
        code = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    if (code == 0)
        code = posix_spawnp(pid, argv[0], &files, &attributes, spawn_arguments(argv), environ);
    (void)posix_spawnattr_destroy(&attributes);
    (void)posix_spawn_file_actions_destroy(&files);
    return code;
}

Status child_run(const char *const argv[], const char *output, const atomic_int *interrupted,
                 int *exit_code, Error *err)
{
    const struct timespec nap = {.tv_nsec = POLL_NS};
    bool killed = false;
    int ended, state;
    pid_t pid;

    int code = spawn(argv, output, &pid);
    if (code != 0)
        return error_set(err, STATUS_FAILED, "cannot run %s: %s", argv[0], strerror(code));
    while ((ended = waitpid(pid, &state, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
        if (!killed && interrupted && atomic_load(interrupted)) killed = kill(-pid, SIGKILL) == 0;
        (void)nanosleep(&nap, NULL);
    }
    if (ended < 0)
        return error_set(err, STATUS_FAILED, "cannot wait for %s: %s", argv[0], strerror(errno));
    if (killed) return error_set(err, STATUS_INTERRUPTED, "interrupted");
    *exit_code = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    return STATUS_OK;
}
