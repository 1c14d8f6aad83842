/* SPDX-License-Identifier: MIT
 * Which search this program plays with. */
#ifndef TABIA_SELFPLAY_RUN_SEARCH_SIGNATURE_H
#define TABIA_SELFPLAY_RUN_SEARCH_SIGNATURE_H

#include <stdint.h>

/* The nodes of `tabia-engine bench`, as tests/bench.signature had them when this was built: the
 * same on every machine and compiler, another number as soon as the search or the built-in weights
 * play otherwise. It is part of what identifies a run, so that none goes on in a build that would
 * play other games. What was changed without its signature goes unnoticed. */
int64_t search_signature(void);

#endif
