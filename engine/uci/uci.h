/* SPDX-License-Identifier: MIT
 * The Universal Chess Interface on a pair of streams. */
#ifndef TABIA_ENGINE_UCI_UCI_H
#define TABIA_ENGINE_UCI_UCI_H

#include <stdio.h>

/* Runs a UCI session on `in` and `out` until `quit` or end of input. With arguments (`argc`, `argv`
 * without the program's name) it runs these instead of `in`, each as one line: `tabia-engine
 * bench`, `tabia-engine "genfens 5 seed 1 book None" quit`. Returns the process's exit code:
 * STATUS_FAILED if output was lost or, with arguments, one of them printed an error. */
int uci_main(FILE *in, FILE *out, int argc, char **argv);

#endif
