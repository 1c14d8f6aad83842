/* SPDX-License-Identifier: MIT
 * The log of an engine's input and output, line by line with times: one file for all its processes.
 *
 *     2026-11-21T08:41:16.123456Z stockfish#2 > go nodes 1000
 *
 * The number is that of the engine's process. After it: `>` a line sent, `<` a line received, `!` a
 * line on its standard error, `*` an event of the process. */
#ifndef TABIA_SELFPLAY_PLAYERS_ENGINE_LOG_H
#define TABIA_SELFPLAY_PLAYERS_ENGINE_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/status.h"

typedef struct EngineLog EngineLog;

/* Appends to the file. NULL and an error of file_failed() when it cannot be opened, STATUS_FAILED
 * when it is another file than a log. */
EngineLog *engine_log_open(const char *path, Error *err);
void engine_log_close(EngineLog *log); /* NULL-safe */

/* The number of a new process: 1, 2, … */
int engine_log_number(EngineLog *log);

/* Writes one line. Thread-safe. `text` may have any bytes: it is cut at a line end, and control
 * characters become '?'. A line that cannot be written is lost, so that a full disk does not end a
 * match. */
void engine_log_line(EngineLog *log, const char *name, int number, char mark, const char *text,
                     size_t length);

/* Once, after lines were lost: true, with the file and the cause of the first. Thread-safe. log may
 * be NULL. */
enum { ENGINE_LOG_WARNING_MAX = 512 };
bool engine_log_warning(EngineLog *log, char out[ENGINE_LOG_WARNING_MAX]);

#endif
