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

typedef struct Peer Peer;

/* All borrowed until peer_stop(). */
typedef struct PeerSetup {
    const char *name;        /* for errors and the log */
    const char *program;     /* a path, which is relative to `dir`; or a name in `dir` or PATH */
    const char *const *args; /* its arguments, ended by NULL; may be NULL */
    const char *dir;         /* its working directory; NULL: ours */
    PeerLog *log;            /* may be NULL */
    bool heed_input;         /* peer_receive() also ends when our own standard input can be read */
} PeerSetup;

typedef enum PeerEvent {
    PEER_LINE,      /* a line arrived */
    PEER_TIMEOUT,   /* none did in time */
    PEER_GONE,      /* the process ended or closed its output */
    PEER_FLOOD,     /* it wrote more than PEER_ANSWER_MAX since it was last spoken to */
    PEER_CANCELLED, /* the caller's flag was set */
    PEER_INPUT      /* there is something on our standard input, or its end */
} PeerEvent;

enum {
    PEER_ANSWER_MAX = 64 << 20, /* bytes */
    PEER_LINE_MAX = 1 << 16,    /* a longer line is no message: it is left out */
    PEER_WORDS_MAX = 400
};

/* Starts it; its input, output and standard error are ours. Writing to a dead process raises no
 * signal. NULL and an Error (STATUS_PEER) on failure. */
Peer *peer_start(const PeerSetup *setup, Error *err);

/* Asks by a last line `farewell` and waits half a second, or with NULL gives it a moment to end
 * with its input, as one must that has children of its own; then kills its process group; reaps.
 * NULL-safe. */
void peer_stop(Peer *peer, const char *farewell);

/* Kills its process group at once; reaps. NULL-safe. */
void peer_kill(Peer *peer);

/* Sends whole lines, each with its newline. False when the process is gone or does not take them
 * within 5 s. */
bool peer_send(Peer *peer, const char *lines, size_t length);
bool peer_send_line(Peer *peer, const char *line); /* without its newline */

/* The next line without its end, valid until the next call; a NUL in it ends it. Waits until
 * `deadline_ms` on the monotonic clock (engine/base/clock.h). cancelled may be NULL. */
PeerEvent peer_receive(Peer *peer, int64_t deadline_ms, const atomic_int *cancelled,
                       const char **line);

/* Changes the setup's heed_input: the end of the input, say, would be told again and again. */
void peer_heed_input(Peer *peer, bool heed);

/* Drops what it has said and nobody asked for. */
void peer_drain(Peer *peer);

/* When the end of the last line was read, clock_us(): before anything else was done with it. */
int64_t peer_received_us(const Peer *peer);

/* What became of it after an event that is not PEER_LINE, and its last words: `ended with exit code
 * 1; it said last "info depth 3"; on standard error "assertion failed"`. After PEER_TIMEOUT, which
 * is the caller's affair, it begins with `timeout`. */
void peer_last_words(Peer *peer, PeerEvent event, const char *timeout, char out[PEER_WORDS_MAX]);

#endif
