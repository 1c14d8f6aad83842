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
#include "engine/base/new_file.h"
#include "selfplay/players/child_process.h"

enum { PATH_BYTES = REVISION_PATH_MAX, COMMIT_BYTES = 72, LINE_BYTES = 512 };

/* One build. */
typedef struct Build {
    const RevisionSetup *setup;
    const char *rev;
    char commit[COMMIT_BYTES];
    char *program;           /* its path in the cache, [PATH_BYTES] */
    char part[PATH_BYTES];   /* the program's path until the build is complete */
    char log[PATH_BYTES];    /* output of the build */
    char folder[PATH_BYTES]; /* temporary */
    char tree[PATH_BYTES];   /* the worktree in it */
} Build;

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

static bool is_program(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 && S_ISREG(file.st_mode) && access(path, X_OK) == 0;
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

static const char *repo_of(const Build *b)
{
    return b->setup->repo ? b->setup->repo : ".";
}

/* Runs a program. line: of its output; *code: its exit code. */
static Status run(const Build *b, const char *const argv[], char line[LINE_BYTES], int *code,
                  Error *err)
{
    Status status = child_run(argv, b->log, cli_interrupted(), code, err);
    if (status == STATUS_OK) find_error_line(b->log, line);
    return status;
}

static Status make_folder(Build *b, Error *err)
{
    (void)snprintf(b->folder, sizeof b->folder, "%.1024s/tabia-rev-XXXXXX", cli_temp_folder());
    if (!mkdtemp(b->folder))
        return error_set(err, STATUS_FAILED, "%s: cannot be made: %s", b->folder, strerror(errno));
    /* git and the shell run in other folders. */
    char *absolute = realpath(b->folder, NULL);
    if (!absolute || strlen(absolute) > PATH_BYTES / 2) {
        free(absolute);
        (void)rmdir(b->folder);
        return error_set(err, STATUS_FAILED, "%s: no short absolute path", b->folder);
    }
    strcpy(b->folder, absolute);
    free(absolute);
    (void)snprintf(b->tree, sizeof b->tree, "%.2048s/tree", b->folder);
    (void)snprintf(b->log, sizeof b->log, "%.2048s/log", b->folder);
    return STATUS_OK;
}

/* Sets b->commit. */
static Status find_commit(Build *b, Error *err)
{
    char wanted[LINE_BYTES], line[LINE_BYTES];
    int code;

    (void)snprintf(wanted, sizeof wanted, "%s^{commit}", b->rev);
    const char *const argv[] = {
        "git", "-C", repo_of(b), "rev-parse", "--verify", "--end-of-options", wanted, NULL};
    Status status = run(b, argv, line, &code, err);
    if (status != STATUS_OK) return status;
    if (code != 0 && strstr(line, "not a git repository"))
        return error_set(err, STATUS_BAD_INPUT,
                         "%s is not in a git repository; --repo DIR names one", repo_of(b));
    if (code != 0)
        return error_set(err, STATUS_BAD_INPUT, "no revision %s in %s%s%s", b->rev, repo_of(b),
                         line[0] ? ": " : "", line);
    (void)snprintf(b->commit, sizeof b->commit, "%.*s", COMMIT_BYTES - 1, line);
    return STATUS_OK;
}

/* The program's path in the cache depends on commit and command. */
static Status name_program(const char *command, Build *b, Error *err)
{
    char folder[PATH_BYTES], hash[HASH_HEX_MAX];

    Status status = find_cache(folder, err);
    if (status != STATUS_OK) return status;
    sha256_hex(command, strlen(command), hash);
    (void)snprintf(b->program, PATH_BYTES, "%.3072s/%s-%.8s", folder, b->commit, hash);
    (void)snprintf(b->part, sizeof b->part, "%.3840s.%ld.part", b->program, (long)getpid());
    return STATUS_OK;
}

static Status check_out(const Build *b, Error *err)
{
    const char *const argv[] = {"git",      "-C",      repo_of(b), "worktree", "add",
                                "--detach", "--quiet", b->tree,    b->commit,  NULL};
    char line[LINE_BYTES];
    int code;

    Status status = run(b, argv, line, &code, err);
    if (status != STATUS_OK || code == 0) return status;
    return error_set(err, STATUS_FAILED, "git worktree add %.12s: %s", b->commit, line);
}

static Status make_program(const Build *b, const char *command, Error *err)
{
    const char *const argv[] = {
        "sh",    "-c",    "cd -- \"$1\" && EXE=$2 && export EXE && eval \"$3\"",
        "sh",    b->tree, b->part,
        command, NULL};
    char line[LINE_BYTES];
    int code;

    Status status = run(b, argv, line, &code, err);
    if (status != STATUS_OK) return status;
    if (code != 0)
        return error_set(err, STATUS_FAILED, "building %s (%.12s) by '%s' failed: %s", b->rev,
                         b->commit, command, line[0] ? line : "no output");
    if (!is_program(b->part))
        return error_set(err, STATUS_FAILED,
                         "building %s (%.12s) by '%s' made no program at $EXE (--build-command)",
                         b->rev, b->commit, command);
    if (rename(b->part, b->program) != 0)
        return error_set(err, STATUS_FAILED, "%s: cannot be made: %s", b->program, strerror(errno));
    folder_sync(b->program);
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
static void clean_up(const Build *b)
{
    /* Twice: also when it is locked, because it was being made. */
    const char *const remove[] = {"git",     "-C",      repo_of(b), "worktree", "remove",
                                  "--force", "--force", b->tree,    NULL};
    const char *const rest[] = {"rm", "-rf", b->folder, b->part[0] ? b->part : NULL, NULL};

    run_anyway(remove);
    run_anyway(rest);
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

static Status build_in(Build *b, bool quiet, Error *err)
{
    const char *command = b->setup->command ? b->setup->command : REVISION_BUILD_COMMAND;

    Status status = find_commit(b, err);
    if (status == STATUS_OK) status = name_program(command, b, err);
    if (status != STATUS_OK || is_program(b->program)) return status;
    if (!quiet) fprintf(stderr, "building %s (%.12s)\n", b->rev, b->commit);
    status = check_out(b, err);
    return status == STATUS_OK ? make_program(b, command, err) : status;
}

Status revision_check(const RevisionSetup *setup, const char *rev, Error *err)
{
    char program[REVISION_PATH_MAX];
    Build b = {.setup = setup, .rev = rev, .program = program};

    Status status = make_folder(&b, err);
    if (status != STATUS_OK) return status;
    status = find_commit(&b, err);
    (void)unlink(b.log);
    (void)rmdir(b.folder);
    return status;
}

Status revision_build(const RevisionSetup *setup, const char *rev, bool quiet, RevisionBuild *build,
                      Error *err)
{
    Build b = {.setup = setup, .rev = rev, .program = build->program};

    Status status = make_folder(&b, err);
    if (status != STATUS_OK) return status;
    status = build_in(&b, quiet, err);
    clean_up(&b);
    if (status == STATUS_OK) name_build(rev, b.commit, build->name, sizeof build->name);
    return status;
}
