/* SPDX-License-Identifier: MIT
 * Running another program to its end. */
#ifndef TABIA_CLI_MATCH_CHILD_H
#define TABIA_CLI_MATCH_CHILD_H

#include <stdatomic.h>

#include "engine/base/status.h"

/* Runs argv[0] (looked up in PATH) with these arguments, NULL-terminated, its input empty and all
 * that it prints in the file `output`, made anew. It is a process group of its own; when
 * *interrupted (may be NULL) becomes non-zero the group is killed and STATUS_INTERRUPTED returned.
 * *exit_code is what it ended with, 128 + signal if by one. STATUS_FAILED when it cannot be run. */
MUST_CHECK Status child_run(const char *const argv[], const char *output,
                            const atomic_int *interrupted, int *exit_code, Error *err);

#endif
