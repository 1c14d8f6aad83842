/* SPDX-License-Identifier: MIT
 * A child process that talks in lines: started, listened to with deadlines, and never left behind.
 *
 * It and whatever it starts are a process group of their own, so that Ctrl-C does not reach them. A
 * shell in that group, its guard, only waits for us to end: then, also after kill -9, it kills the
 * group. A child of the program that leaves the group on purpose (setsid) is out of our reach. */
#ifndef TABIA_SELFPLAY_PLAYERS_CHILD_PROCESS_H
#define TABIA_SELFPLAY_PLAYERS_CHILD_PROCESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/base/status.h"
#include "selfplay/players/engine_log.h"

typedef struct ChildProcess ChildProcess;

/* All borrowed until child_stop(). */
typedef struct ChildSetup {
    const char *name;        /* for errors and the log */
    const char *program;     /* a path, which is relative to `dir`; or a name in `dir` or PATH */
    const char *const *args; /* its arguments, ended by NULL; may be NULL */
    const char *dir;         /* its working directory; NULL: ours */
    EngineLog *log;          /* may be NULL */
    bool watch_input;        /* child_receive() also ends when our own standard input can be read */
} ChildSetup;

typedef enum ChildEvent {
    CHILD_LINE,      /* a line arrived */
    CHILD_TIMEOUT,   /* none did in time */
    CHILD_GONE,      /* the process ended or closed its output */
    CHILD_FLOOD,     /* it wrote more than CHILD_ANSWER_MAX since it was last spoken to */
    CHILD_CANCELLED, /* the caller's flag was set */
    CHILD_INPUT      /* there is something on our standard input, or its end */
} ChildEvent;

enum {
    CHILD_ANSWER_MAX = 64 << 20, /* bytes */
    CHILD_LINE_MAX = 1 << 16,    /* a longer line is no message: it is left out */
    CHILD_WORDS_MAX = 400
};

/* Starts it; its input, output and standard error are ours. Writing to a dead process raises no
 * signal. NULL and an Error (STATUS_ENGINE) on failure. */
ChildProcess *child_start(const ChildSetup *setup, Error *err);

/* Asks by a last line `farewell` and waits half a second, or with NULL gives it a moment to end
 * with its input, as one must that has children of its own; then kills its process group; reaps.
 * NULL-safe. */
void child_stop(ChildProcess *child, const char *farewell);

/* Kills its process group at once; reaps. NULL-safe. */
void child_kill(ChildProcess *child);

/* Sends whole lines, each with its newline. False when the process is gone or does not take them
 * within 5 s. */
bool child_send(ChildProcess *child, const char *lines, size_t length);
bool child_send_line(ChildProcess *child, const char *line); /* without its newline */

/* The next line without its end, valid until the next call; a NUL in it ends it. Waits until
 * `deadline_ms` on the monotonic clock (engine/base/clock.h). cancelled may be NULL. */
ChildEvent child_receive(ChildProcess *child, int64_t deadline_ms, const atomic_int *cancelled,
                         const char **line);

/* Changes the setup's watch_input: the end of the input, say, would be told again and again. */
void child_watch_input(ChildProcess *child, bool heed);

/* Drops what it has said and nobody asked for. */
void child_drain(ChildProcess *child);

/* When the end of the last line was read, clock_us(): before anything else was done with it. */
int64_t child_received_us(const ChildProcess *child);

/* What became of it after an event that is not CHILD_LINE, and its last words: `ended with exit
 * code 1; it said last "info depth 3"; on standard error "assertion failed"`. After CHILD_TIMEOUT,
 * which is the caller's affair, it begins with `timeout`. */
void child_last_words(ChildProcess *child, ChildEvent event, const char *timeout,
                      char out[CHILD_WORDS_MAX]);

/* Runs argv[0] (looked up in PATH) with these arguments, ended by NULL, to its end: its input is
 * empty, and all that it prints goes into the file `output`, made anew. It is a process group of
 * its own; when *interrupted (may be NULL) becomes non-zero the group is killed and
 * STATUS_INTERRUPTED returned. *exit_code is 128 + signal when a signal ended it. STATUS_FAILED
 * when it cannot be run. */
MUST_CHECK Status child_run(const char *const argv[], const char *output,
                            const atomic_int *interrupted, int *exit_code, Error *err);

#endif
