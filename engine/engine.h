/* SPDX-License-Identifier: MIT
 * The engine library's front step. */
#ifndef TABIA_ENGINE_ENGINE_H
#define TABIA_ENGINE_ENGINE_H

#define TABIA_VERSION "0.1.0"

/* Fills every lookup table of the library (attacks, keys, reductions). Call once before anything
 * else and before threads start; calling it again does nothing. Thread-safe. */
void engine_init(void);

#endif
