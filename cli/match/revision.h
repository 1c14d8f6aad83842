/* SPDX-License-Identifier: MIT
 * An engine built from a revision of a git repository. */
#ifndef TABIA_CLI_MATCH_REVISION_H
#define TABIA_CLI_MATCH_REVISION_H

#include <stdbool.h>

#include "engine/base/status.h"

/* The build command: runs in a shell in the top folder of the revision's tree, and must make the
 * program at the path $EXE. */
#define REVISION_BUILD_COMMAND "make -j EXE=\"$EXE\""

enum { REVISION_PATH_MAX = 4096 };

typedef struct RevisionSetup {
    const char *repo;    /* a folder in the repository; NULL: here */
    const char *command; /* NULL: REVISION_BUILD_COMMAND */
} RevisionSetup;

typedef struct RevisionBuild {
    char program[REVISION_PATH_MAX];
    char name[64]; /* "v1.2-4f3e2d1": the revision as given, and its commit */
} RevisionBuild;

/* STATUS_BAD_INPUT for an unknown revision or repository. */
MUST_CHECK Status revision_check(const RevisionSetup *setup, const char *rev, Error *err);

/* Builds `rev` in a temporary worktree, which is always removed. The program goes into
 * $XDG_CACHE_HOME/tabia/builds (~/.cache) and is reused: a commit and a command give one program.
 * Errors: STATUS_BAD_INPUT for an unknown revision or repository, STATUS_FAILED with a line of
 * output when the build fails, STATUS_INTERRUPTED. quiet: no messages on standard error. */
MUST_CHECK Status revision_build(const RevisionSetup *setup, const char *rev, bool quiet,
                                 RevisionBuild *build, Error *err);

#endif
