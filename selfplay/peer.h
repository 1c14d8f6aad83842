/* SPDX-License-Identifier: MIT
 * A child process that talks in lines: started, listened to with deadlines, and never left behind.
 */
#ifndef TABIA_SELFPLAY_PEER_H
#define TABIA_SELFPLAY_PEER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/status.h"

typedef struct Peer Peer;

typedef enum PeerEvent {
    PEER_LINE,     /* a line arrived */
    PEER_TIMEOUT,  /* none did in time */
    PEER_GONE,     /* the process closed its end, or a line passed all bounds */
    PEER_CANCELLED /* the caller's flag was set */
} PeerEvent;

/* Starts `program` (looked up in PATH) without arguments, in a process group of its own so that
 * Ctrl-C does not reach it; its standard error is dropped. One socket is its input and output, so
 * that writing to a dead process raises no signal. NULL and an Error (STATUS_PEER) on failure. */
Peer *peer_start(const char *program, Error *err);

/* Asks by a last line `farewell` (may be NULL), waits a moment, then kills; reaps. NULL-safe. */
void peer_stop(Peer *peer, const char *farewell);

/* Sends a line; the newline is added. False when the process is gone or does not take it. */
bool peer_send(Peer *peer, const char *format, ...) PRINTF_LIKE(2, 3);

/* The next line without its end, valid until the next call; waits until `deadline_ms` on the
 * monotonic clock (engine/clock.h). cancelled may be NULL. */
PeerEvent peer_receive(Peer *peer, int64_t deadline_ms, const atomic_int *cancelled,
                       const char **line);

/* When the end of the last line was read, clock_us(): before anything else was done with it. */
int64_t peer_received_us(const Peer *peer);

#endif
