/* SPDX-License-Identifier: MIT
 * OpenBench's `genfens`: random openings. Private to engine/uci.
 * Source: the OpenBench wiki, "Data generation". */
#ifndef TABIA_ENGINE_UCI_GENFENS_H
#define TABIA_ENGINE_UCI_GENFENS_H

#include "engine/uci/session.h"

/* The words after `genfens`: "N seed S book <None|file> [frc|dfrc]". Prints N lines `info string
 * genfens <fen>` of random, roughly balanced openings of chess, Chess960 or double Chess960; a
 * function of its arguments. */
void uci_genfens(Uci *uci, char *line);

#endif
