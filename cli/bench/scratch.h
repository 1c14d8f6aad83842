/* SPDX-License-Identifier: MIT
 * What benches need beside what they measure: a folder to throw away, and processor time. */
#ifndef TABIA_CLI_BENCH_SCRATCH_H
#define TABIA_CLI_BENCH_SCRATCH_H

#include "engine/base/status.h"

/* Calls `work` with a folder that is made below $TMPDIR (/tmp) and removed afterwards, files and
 * all. */
MUST_CHECK Status bench_in_scratch(Status (*work)(void *context, const char *folder, Error *err),
                                   void *context, Error *err);

/* User and system time of this process and its threads so far. */
double bench_cpu_seconds(void);

#endif
