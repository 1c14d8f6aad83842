/* SPDX-License-Identifier: MIT
 * The stacks of threads, whatever limits the process was started with. */
#ifndef TABIA_ENGINE_BASE_STACK_H
#define TABIA_ENGINE_BASE_STACK_H

#include "engine/base/status.h"

enum {
    STACK_BYTES = 8 << 20, /* of the threads that we create; some C libraries give too little */
    STACK_LEAST = 1 << 20  /* a search to the greatest depth needs less than half of it */
};

/* Raises the limit of the main thread's stack to STACK_BYTES, as far as the hard limit permits, and
 * where the C library can, the default of threads to the same. To be called before threads start.
 * STATUS_FAILED when the main thread's limit stays below STACK_LEAST. */
MUST_CHECK Status stack_prepare(Error *err);

#endif
