/* SPDX-License-Identifier: MIT
 * An engine that speaks the xboard protocol (version 2, or 1), looking like one that speaks UCI. */
#ifndef TABIA_CLI_XBOARD_XBOARD_H
#define TABIA_CLI_XBOARD_XBOARD_H

#include <stdatomic.h>
#include <stdbool.h>

#include "engine/base/status.h"

typedef struct XboardSetup {
    const char *program;
    const char *const *args; /* ended by NULL */
    bool white_scores;       /* its scores are White's, not its own */
    const char *log;         /* file for what is said to it and by it; NULL: none */
    const atomic_int *interrupted;
} XboardSetup;

/* Starts the engine and serves UCI on standard input and output until `quit` or the end of the
 * input; then the engine and whatever it started is gone. STATUS_ENGINE says what became of an
 * engine that ended before, or cannot do what it is asked to; STATUS_INTERRUPTED.
 *
 * A limit of nodes, which the protocol does not have, and one of depth are kept also against an
 * engine that does not know them: as soon as its thinking shows that it has passed them it is told
 * to move. An engine that resigns, or says that it has lost, answers "bestmove resign" (as shogi's
 * USI has it); whose other claims come instead of a move, or who takes a legal move for an illegal
 * one, answers a bestmove that is no move and says why. */
MUST_CHECK Status xboard_serve(const XboardSetup *setup, Error *err);

#endif
