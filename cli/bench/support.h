/* SPDX-License-Identifier: MIT
 * What benches share: a temporary folder, processor time, medians, the path of stockfish. */
#ifndef TABIA_CLI_BENCH_SUPPORT_H
#define TABIA_CLI_BENCH_SUPPORT_H

#include <stdio.h>

#include "engine/base/status.h"

/* Calls `work` with a folder made below $TMPDIR (/tmp); removes it with its files afterwards. */
MUST_CHECK Status bench_in_scratch(Status (*work)(void *context, const char *folder, Error *err),
                                   void *context, Error *err);

/* User and system time so far of this process, its threads and its children that have ended. */
double bench_cpu_seconds(void);

/* The median of `count` values, which are sorted here; of an even number the lower middle one. */
double bench_median(double values[], int count);

/* Path of Debian's stockfish, or NULL where it is not installed. */
const char *bench_stockfish(void);

/* What it prints with these arguments, for pclose(), or NULL. `input`: "" or a command and "|". */
FILE *bench_stockfish_open(const char *input, const char *arguments);

#endif
