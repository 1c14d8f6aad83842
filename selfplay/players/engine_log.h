/* SPDX-License-Identifier: MIT
 * What was said to an engine and by it, line by line with times: one file for all its processes.
 *
 *     2026-11-21T08:41:16.123456Z stockfish#2 > go nodes 1000
 *
 * The number tells the processes of one engine apart. Behind it: `>` said to it, `<` said by it,
 * `!` written to its standard error, `*` what happened to it. */
#ifndef TABIA_SELFPLAY_PLAYERS_ENGINE_LOG_H
#define TABIA_SELFPLAY_PLAYERS_ENGINE_LOG_H

#include <stddef.h>

#include "engine/base/status.h"

typedef struct EngineLog EngineLog;

/* Appends to the file. STATUS_FAILED when it cannot be opened. */
EngineLog *engine_log_open(const char *path, Error *err);
void engine_log_close(EngineLog *log); /* NULL-safe */

/* The number of a new process: 1, 2, … */
int engine_log_number(EngineLog *log);

/* Writes one line; threads may do so at the same time. `text` may have any bytes: a line end is
 * left out with what follows, control characters become '?'. A full disk is not noticed: the log is
 * not worth a match. */
void engine_log_line(EngineLog *log, const char *name, int number, char mark, const char *text,
                     size_t length);

#endif
