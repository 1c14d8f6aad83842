/* SPDX-License-Identifier: MIT
 * `tabia gauntlet --compliance`: steps of the UCI protocol tried on an engine. */
#ifndef TABIA_CLI_MATCH_COMPLIANCE_H
#define TABIA_CLI_MATCH_COMPLIANCE_H

#include <stdbool.h>

#include "engine/base/status.h"

/* command: the program and its arguments, quoted as for a shell. Prints a line for each step, or
 * one JSON object. log_dir: as --log; or NULL. STATUS_FAILED when a step fails; STATUS_ENGINE when
 * the program cannot be started. */
MUST_CHECK Status compliance_command(const char *command, const char *log_dir, bool json,
                                     Error *err);

#endif
