/* SPDX-License-Identifier: MIT
 * Evaluation weights as data: the built-in ones and reference sets. */
#ifndef TABIA_ENGINE_EVAL_WEIGHTS_H
#define TABIA_ENGINE_EVAL_WEIGHTS_H

#include "engine/board/types.h"
#include "engine/eval/network.h"
#include "engine/eval/terms.h"

enum { MG, EG, PHASES };

/* Centipawns, [term][MG or EG], White's view of a White-minus-Black feature. */
typedef struct EvalWeights {
    int16_t term[EVAL_TERMS][PHASES];
    const Network *network; /* evaluates instead of the terms, which are 0; NULL: none. Lives as
                               long as the process (network_keep()) */
} EvalWeights;

void weights_builtin(EvalWeights *w);
void weights_zero(EvalWeights *w);     /* every weight 0 */
void weights_material(EvalWeights *w); /* 100 300 300 500 900, squares 0: the reference */

bool weights_equal(const EvalWeights *a, const EvalWeights *b);

/* The families with a weight other than 0. */
EvalFamilies weights_families(const EvalWeights *w);

#endif
