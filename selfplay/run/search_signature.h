/* SPDX-License-Identifier: MIT
 * The search's signature. */
#ifndef TABIA_SELFPLAY_RUN_SEARCH_SIGNATURE_H
#define TABIA_SELFPLAY_RUN_SEARCH_SIGNATURE_H

#include <stdint.h>

/* The nodes of `tabia-engine bench`, from tests/bench.signature at build time: the same on every
 * machine and compiler, different as soon as the search or the built-in weights play differently.
 * It is part of a run's identity, so that a build that plays different games cannot resume the run.
 * A change of the search without an update of that file is not detected. */
int64_t search_signature(void);

#endif
