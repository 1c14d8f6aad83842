/* SPDX-License-Identifier: MIT
 * An engine built from a revision of a git repository. */
#ifndef TABIA_CLI_MATCH_REVISION_H
#define TABIA_CLI_MATCH_REVISION_H

#include <stdatomic.h>
#include <stdbool.h>

#include "engine/base/status.h"

/* What makes the program: a shell command in the top folder of the revision's tree, with the path
 * that is wanted in $EXE. */
#define REVISION_BUILD_COMMAND "make -j EXE=\"$EXE\""

typedef struct RevisionSetup {
    const char *repo;    /* a folder in the repository; NULL: here */
    const char *command; /* NULL: REVISION_BUILD_COMMAND */
    bool quiet;          /* not a word on standard error */
    const atomic_int *interrupted;
} RevisionSetup;

typedef struct RevisionBuild {
    char *program; /* malloc'ed path */
    char name[64]; /* "v1.2-4f3e2d1": the revision as it was named, and its commit */
} RevisionBuild;

/* Builds `rev` in a temporary worktree, which is removed whatever happens, into
 * $XDG_CACHE_HOME/tabia/builds (~/.cache), where it is found the next time: a commit and a command
 * give one program. Errors: STATUS_BAD_INPUT for a revision or repository that is not there,
 * STATUS_FAILED with the last words of a build that fails, STATUS_INTERRUPTED. */
MUST_CHECK Status revision_build(const RevisionSetup *setup, const char *rev, RevisionBuild *build,
                                 Error *err);

#endif
