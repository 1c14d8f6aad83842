/* SPDX-License-Identifier: MIT
 * Play at a given rating, for people: fewer nodes a move. */
#ifndef TABIA_ENGINE_UCI_STRENGTH_H
#define TABIA_ENGINE_UCI_STRENGTH_H

#include <stdint.h>

/* The range of the UCI option UCI_Elo. */
enum { STRENGTH_ELO_MIN = 1150, STRENGTH_ELO_MAX = 2150 };

/* Soft limit of nodes for a move at this rating. */
uint64_t strength_nodes(int elo);

#endif
