/* SPDX-License-Identifier: MIT
 * An adapter that makes an engine of the xboard protocol (version 2 or 1) a UCI engine. */
#ifndef TABIA_CLI_XBOARD_XBOARD_H
#define TABIA_CLI_XBOARD_XBOARD_H

#include <stdatomic.h>
#include <stdbool.h>

#include "engine/base/status.h"

typedef struct XboardSetup {
    const char *program;
    const char *const *args; /* ended by NULL */
    bool white_scores;       /* its scores are White's, not the side to move's */
    const char *log;         /* file for all lines to and from it; NULL: none */
    const atomic_int *interrupted;
} XboardSetup;

/* Starts the engine and serves UCI on standard input and output until `quit` or the end of the
 * input; then the engine and its child processes are ended. STATUS_ENGINE when the engine ended
 * earlier or cannot do what is asked; STATUS_INTERRUPTED.
 *
 * The protocol has no node limit, and some engines ignore the depth limit. The adapter enforces
 * both: it sends "?" (move now) when the engine's thinking shows that a limit is passed. When the
 * engine resigns, or says that it has lost, the answer is "bestmove resign" (as in shogi's USI).
 * When it makes another claim instead of a move, or calls a legal move illegal, the answer is a
 * bestmove that is no move and gives the reason. */
MUST_CHECK Status xboard_serve(const XboardSetup *setup, Error *err);

#endif
