/* SPDX-License-Identifier: MIT
 * The process as all commands see it: its signals and its folder of temporary files. */
#ifndef TABIA_CLI_OUTPUT_PROCESS_H
#define TABIA_CLI_OUTPUT_PROCESS_H

#include <stdatomic.h>

#include "engine/base/status.h"

/* Gives all threads enough stack, as stack_prepare() does (engine/base/system.h). STATUS_FAILED
 * when a limit or OMP_STACKSIZE is too small. To be called once, before the command runs. */
MUST_CHECK Status cli_prepare_stacks(Error *err);

/* Where standard input, output or error is closed, no file that is opened later takes its place:
 * using it fails as before. To be called first. */
void cli_open_standard_streams(void);

/* Catches Ctrl-C, SIGTERM and, unless nohup ignores it, SIGHUP; notes SIGCONT as a pause; makes
 * closed pipes and file size limits ordinary errors (EPIPE, EFBIG). To be called once, before the
 * command runs. */
void cli_catch_signals(void);

/* A closed pipe on standard output ends the process silently by SIGPIPE, as it ends other filters:
 * for work without any effect but its output. */
void cli_end_with_reader(void);

/* Non-zero after a caught signal: long work checks it and ends with STATUS_INTERRUPTED. Another
 * Ctrl-C or SIGTERM, at least a second after the first, kills the process. */
const atomic_int *cli_interrupted(void);

/* "note: <text>" on standard error, if there is text, as position_from_fen() leaves it. */
void cli_print_note(const Error *note);

/* "note: FILE: <what>: N, the first: …" on standard error, if there are any. */
void cli_print_faults(const char *path, const char *what, const FaultCount *faults);

/* Where temporary files go: $TMPDIR or /tmp. */
const char *cli_temp_folder(void);

#endif
