/* SPDX-License-Identifier: MIT
 * The UCI options. Private to engine/uci. */
#ifndef TABIA_ENGINE_UCI_OPTIONS_H
#define TABIA_ENGINE_UCI_OPTIONS_H

#include "engine/uci/session.h"

/* Creates uci->search with uci->evaluation and sets every option to its default. */
MUST_CHECK Status uci_options_init(Uci *uci, Error *err);

/* Prints the `option` lines, the answer to `uci`. */
void uci_options_print(Uci *uci);

/* The words after `setoption`: "name <words> [value <words>]"; both may contain blanks. Also sets
 * the search's constants, which are not printed (see `spsa`). */
void uci_set_option(Uci *uci, char *line);

#endif
