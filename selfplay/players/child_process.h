/* SPDX-License-Identifier: MIT
 * A child process that exchanges lines of text: reads have deadlines, and the process is always
 * ended.
 *
 * It has a process group of its own, so that Ctrl-C does not reach it. A guard ends it with
 * everything that it started, also after kill -9 of our process (child_guard.h, which also says
 * what main() has to call). */
#ifndef TABIA_SELFPLAY_PLAYERS_CHILD_PROCESS_H
#define TABIA_SELFPLAY_PLAYERS_CHILD_PROCESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/base/status.h"
#include "selfplay/players/child_guard.h"
#include "selfplay/players/engine_log.h"

typedef struct ChildProcess ChildProcess;

/* Borrowed until child_stop() or child_kill(). */
typedef struct ChildSetup {
    const char *name; /* for errors and the log */
    ProgramCommand command;
    EngineLog *log;   /* may be NULL */
    bool watch_input; /* child_receive() also returns when our standard input is readable */
} ChildSetup;

typedef enum ChildEvent {
    CHILD_LINE,      /* a line was received */
    CHILD_TIMEOUT,   /* the deadline passed */
    CHILD_GONE,      /* the process ended or closed its output */
    CHILD_FLOOD,     /* it wrote more than CHILD_ANSWER_MAX since the last child_send() */
    CHILD_CANCELLED, /* the caller's flag was set */
    CHILD_INPUT      /* our standard input is readable or at its end */
} ChildEvent;

enum {
    CHILD_ANSWER_MAX = 64 << 20, /* bytes */
    CHILD_LINE_MAX = 1 << 16,    /* longer lines are dropped */
    CHILD_END_MAX = 400
};

/* Starts it, with its input, output and standard error connected to us. Writing to a dead process
 * raises no signal. NULL and an Error on failure: STATUS_ENGINE when the program is absent or
 * cannot be run, STATUS_FAILED when this process lacks memory, descriptors or processes. */
ChildProcess *child_start(const ChildSetup *setup, Error *err);

/* Whether the limits of this process permit so many children at once, and so many processes and
 * threads more. STATUS_FAILED with the limit when they do not. */
MUST_CHECK Status child_check_limits(int64_t children, int64_t processes, Error *err);

/* Ends its input: nothing can be sent any more. */
void child_close_input(ChildProcess *child);

/* Sends a last message, or nothing for NULL, and closes its input. Waits for its end half a second,
 * or 0.1 s without a message. Then kills it with everything that it started. NULL-safe. */
void child_stop(ChildProcess *child, const char *last_message);

/* Kills it with everything that it started. NULL-safe. */
void child_kill(ChildProcess *child);

/* Sends whole lines, each with its newline. False when the process is gone or does not read them
 * within 5 s. */
bool child_send(ChildProcess *child, const char *lines, size_t length);
bool child_send_line(ChildProcess *child, const char *line); /* without its newline */

/* The next line without its newline, valid until the next call and open to changes; cut at a NUL.
 * Waits until `deadline_ms` on the monotonic clock (engine/base/clock.h). cancelled may be NULL. */
ChildEvent child_receive(ChildProcess *child, int64_t deadline_ms, const atomic_int *cancelled,
                         char **line);

/* Changes the setup's watch_input: switch it off at the end of the input, which stays readable. */
void child_watch_input(ChildProcess *child, bool watch);

/* Drops the output that was not read yet. */
void child_drain(ChildProcess *child);

/* When the last line was read, in clock_us(), before it was parsed. */
int64_t child_received_us(const ChildProcess *child);

/* Describes an event that is not CHILD_LINE, with the last output: `ended with exit code 1; last
 * line "info depth 3"; standard error "assertion failed"`. After CHILD_TIMEOUT the text begins with
 * `timeout`. */
void child_describe_end(ChildProcess *child, ChildEvent event, const char *timeout,
                        char out[CHILD_END_MAX]);

/* Runs argv[0] (looked up in PATH) with these arguments, ended by NULL, until it exits. Its input
 * is empty; its output and standard error replace the file `output`. What it started ends with it.
 * It is killed with STATUS_INTERRUPTED when *interrupted (may be NULL) becomes non-zero. *exit_code
 * is 128 + signal when a signal ended it. STATUS_FAILED when it cannot be run. */
MUST_CHECK Status child_run(const char *const argv[], const char *output,
                            const atomic_int *interrupted, int *exit_code, Error *err);

#endif
