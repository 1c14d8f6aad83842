/* SPDX-License-Identifier: MIT
 * Building revisions: git makes the worktree, a shell runs the build command. */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "cli/match/revision.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output/process.h"
#include "db/files/sha256.h"
#include "selfplay/players/child_process.h"

enum { PATH_BYTES = 4096, COMMIT_BYTES = 72, LINE_BYTES = 512 };

/* Paths of one build. */
typedef struct Workshop {
    char commit[COMMIT_BYTES];
    char program[PATH_BYTES]; /* in the cache */
    char part[PATH_BYTES];    /* the program's path until the build is complete */
    char log[PATH_BYTES];     /* output of the build */
    char folder[PATH_BYTES];  /* temporary */
    char tree[PATH_BYTES];    /* the worktree in it */
} Workshop;

/* ---- Files */

/* The first line of a log with "error:" or "error[", else the last line that is not blank; "" for
 * none. */
static void find_error_line(const char *path, char line[LINE_BYTES])
{
    char text[LINE_BYTES];
    bool found = false;
    FILE *file = fopen(path, "r");

    line[0] = '\0';
    if (!file) return;
    while (!found && fgets(text, sizeof text, file)) {
        text[strcspn(text, "\r\n")] = '\0';
        found = strstr(text, "error:") || strstr(text, "error[");
        if (text[strspn(text, " \t")]) memcpy(line, text, sizeof text);
    }
    (void)fclose(file);
}

/* Makes a folder and those above it. */
static Status make_folders(const char *path, Error *err)
{
    char part[PATH_BYTES];

    (void)snprintf(part, sizeof part, "%s", path);
    for (char *slash = part + 1; slash; slash++) {
        slash = strchr(slash, '/');
        if (slash) *slash = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return error_set(err, STATUS_FAILED, "%s: cannot be made: %s", part, strerror(errno));
        if (!slash) break;
        *slash = '/';
    }
    return STATUS_OK;
}

static Status find_cache(char folder[PATH_BYTES], Error *err)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

    if (cache && cache[0] == '/')
        (void)snprintf(folder, PATH_BYTES, "%s/tabia/builds", cache);
    else if (home && home[0] == '/')
        (void)snprintf(folder, PATH_BYTES, "%s/.cache/tabia/builds", home);
    else
        return error_set(err, STATUS_FAILED, "no folder for builds; set HOME or XDG_CACHE_HOME");
    return make_folders(folder, err);
}

/* ---- Steps */

static const char *repo_of(const RevisionSetup *setup)
{
    return setup->repo ? setup->repo : ".";
}

static Status make_folder(Workshop *w, Error *err)
{
    (void)snprintf(w->folder, sizeof w->folder, "%.1024s/tabia-rev-XXXXXX", cli_temp_folder());
    if (!mkdtemp(w->folder))
        return error_set(err, STATUS_FAILED, "%s: cannot be made: %s", w->folder, strerror(errno));
    /* git and the shell run in other folders. */
    char *absolute = realpath(w->folder, NULL);
    if (!absolute || strlen(absolute) > PATH_BYTES / 2) {
        free(absolute);
        (void)rmdir(w->folder);
        return error_set(err, STATUS_FAILED, "%s: no short absolute path", w->folder);
    }
    strcpy(w->folder, absolute);
    free(absolute);
    (void)snprintf(w->tree, sizeof w->tree, "%.2048s/tree", w->folder);
    (void)snprintf(w->log, sizeof w->log, "%.2048s/log", w->folder);
    return STATUS_OK;
}

/* Sets w->commit. */
static Status find_commit(const RevisionSetup *setup, const char *rev, Workshop *w, Error *err)
{
    char wanted[LINE_BYTES], line[LINE_BYTES];
    int code;

    (void)snprintf(wanted, sizeof wanted, "%s^{commit}", rev);
    const char *const argv[] = {
        "git", "-C", repo_of(setup), "rev-parse", "--verify", "--end-of-options", wanted, NULL};
    Status status = child_run(argv, w->log, setup->interrupted, &code, err);
    if (status != STATUS_OK) return status;
    find_error_line(w->log, line);
    if (code != 0)
        return error_set(err, STATUS_BAD_INPUT, "revision %s of %s: %s", rev, repo_of(setup),
                         line[0] ? line : "git fails");
    (void)snprintf(w->commit, sizeof w->commit, "%.*s", COMMIT_BYTES - 1, line);
    return STATUS_OK;
}

/* The program's path in the cache depends on commit and command. */
static Status name_program(const char *command, Workshop *w, Error *err)
{
    char folder[PATH_BYTES], hash[HASH_HEX_MAX];

    Status status = find_cache(folder, err);
    if (status != STATUS_OK) return status;
    sha256_hex(command, strlen(command), hash);
    (void)snprintf(w->program, sizeof w->program, "%.3072s/%s-%.8s", folder, w->commit, hash);
    (void)snprintf(w->part, sizeof w->part, "%.3840s.%ld.part", w->program, (long)getpid());
    return STATUS_OK;
}

static Status check_out(const RevisionSetup *setup, Workshop *w, Error *err)
{
    const char *const argv[] = {"git",      "-C",      repo_of(setup), "worktree", "add",
                                "--detach", "--quiet", w->tree,        w->commit,  NULL};
    char line[LINE_BYTES];
    int code;

    Status status = child_run(argv, w->log, setup->interrupted, &code, err);
    if (status != STATUS_OK || code == 0) return status;
    find_error_line(w->log, line);
    return error_set(err, STATUS_FAILED, "git worktree add %.12s: %s", w->commit, line);
}

static Status make_program(const RevisionSetup *setup, const char *rev, const char *command,
                           const Workshop *w, Error *err)
{
    const char *const argv[] = {
        "sh",    "-c",    "cd -- \"$1\" && EXE=$2 && export EXE && eval \"$3\"",
        "sh",    w->tree, w->part,
        command, NULL};
    char line[LINE_BYTES];
    int code;

    Status status = child_run(argv, w->log, setup->interrupted, &code, err);
    if (status != STATUS_OK) return status;
    find_error_line(w->log, line);
    if (code != 0)
        return error_set(err, STATUS_FAILED, "building %s (%.12s) by '%s' failed: %s", rev,
                         w->commit, command, line[0] ? line : "no output");
    if (access(w->part, X_OK) != 0)
        return error_set(err, STATUS_FAILED,
                         "building %s (%.12s) by '%s' made no program at $EXE (--build-command)",
                         rev, w->commit, command);
    if (rename(w->part, w->program) != 0)
        return error_set(err, STATUS_FAILED, "%s: cannot be made: %s", w->program, strerror(errno));
    return STATUS_OK;
}

/* Best effort: cannot be interrupted, errors are ignored. */
static void run_anyway(const char *const argv[])
{
    int code;
    Status status = child_run(argv, "/dev/null", NULL, &code, &(Error){0});
    (void)status;
}

/* Runs after Ctrl-C too. */
static void clean_up(const RevisionSetup *setup, const Workshop *w)
{
    /* Twice: also when it is locked, because it was being made. */
    const char *const remove[] = {"git",     "-C",      repo_of(setup), "worktree", "remove",
                                  "--force", "--force", w->tree,        NULL};
    const char *const rest[] = {"rm", "-rf", w->folder, NULL};

    run_anyway(remove);
    run_anyway(rest);
    if (w->part[0]) (void)unlink(w->part);
}

/* ---- The build */

/* "HEAD~3-1a2b3c4", or the commit alone when `rev` is its hash; characters that file names cannot
 * have become underscores. */
static void name_build(const char *rev, const char *commit, char *name, size_t size)
{
    size_t length = strlen(rev);

    if (length >= 7 && strncmp(rev, commit, length) == 0)
        (void)snprintf(name, size, "%.10s", commit);
    else
        (void)snprintf(name, size, "%.40s-%.7s", rev, commit);
    for (char *c = name; *c; c++)
        if (*c == '/' || iscntrl((unsigned char)*c)) *c = '_';
}

static Status build_in(const RevisionSetup *setup, const char *rev, Workshop *w, Error *err)
{
    const char *command = setup->command ? setup->command : REVISION_BUILD_COMMAND;

    Status status = find_commit(setup, rev, w, err);
    if (status == STATUS_OK) status = name_program(command, w, err);
    if (status != STATUS_OK || access(w->program, X_OK) == 0) return status;
    if (!setup->quiet) fprintf(stderr, "building %s (%.12s)\n", rev, w->commit);
    status = check_out(setup, w, err);
    return status == STATUS_OK ? make_program(setup, rev, command, w, err) : status;
}

Status revision_build(const RevisionSetup *setup, const char *rev, RevisionBuild *build, Error *err)
{
    Workshop w = {0};

    *build = (RevisionBuild){0};
    Status status = make_folder(&w, err);
    if (status != STATUS_OK) return status;
    status = build_in(setup, rev, &w, err);
    clean_up(setup, &w);
    if (status != STATUS_OK) return status;
    build->program = strdup(w.program);
    if (!build->program) return error_set(err, STATUS_FAILED, "out of memory");
    name_build(rev, w.commit, build->name, sizeof build->name);
    return STATUS_OK;
}
