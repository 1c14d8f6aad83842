/* SPDX-License-Identifier: MIT
 * The UCI commands that start and end a search. Private to engine/uci. */
#ifndef TABIA_ENGINE_UCI_GO_H
#define TABIA_ENGINE_UCI_GO_H

#include "engine/uci/session.h"

/* The words after `go`; the search runs in its own thread. */
void uci_go(Uci *uci, char *line);
void uci_stop(Uci *uci);
void uci_ponderhit(Uci *uci);

/* Waits for a running search that ends by itself; stops any other, one for a mate alone too. */
void uci_settle(Uci *uci);

/* The same, but waits for a search for a mate. */
void uci_await(Uci *uci);

/* At the end of the input: waits for a search on the clock, stops any other. */
void uci_finish(Uci *uci);

#endif
