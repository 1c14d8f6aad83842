/* SPDX-License-Identifier: MIT
 * Commands beyond the protocol. `line` is the words after the command. Private to engine/uci. */
#ifndef TABIA_ENGINE_UCI_TOOLS_H
#define TABIA_ENGINE_UCI_TOOLS_H

#include "engine/uci/session.h"

void uci_display(Uci *uci);
void uci_eval(Uci *uci);

/* The search's constants as OpenBench takes them for SPSA: name, type, value, least, most, step at
 * the end of the run (a twentieth of the range) and learning rate. */
void uci_spsa(Uci *uci);

/* "depth". */
void uci_perft(Uci *uci, char *line);

/* "[depth [threads [hash MiB]]]". */
void uci_bench(Uci *uci, char *line);

#endif
