/* SPDX-License-Identifier: MIT
 * Weights of the linear evaluation as data, and reference sets. */
#ifndef TABIA_ENGINE_EVAL_WEIGHTS_H
#define TABIA_ENGINE_EVAL_WEIGHTS_H

#include "engine/board/types.h"
#include "engine/eval/terms.h"

enum { MG, EG, PHASES };

/* Centipawns, [term][MG or EG], White's view of a White-minus-Black feature. */
typedef struct EvalWeights {
    int16_t term[EVAL_TERMS][PHASES];
} EvalWeights;

/* A non-zero coefficient of a term in a position, White minus Black. */
typedef struct EvalFeature {
    uint16_t term; /* 0 … EVAL_TERMS - 1 */
    int16_t count; /* not 0 */
} EvalFeature;

void weights_zero(EvalWeights *w);     /* every weight 0 */
void weights_material(EvalWeights *w); /* 100 300 300 500 900, squares 0: the reference */

bool weights_equal(const EvalWeights *a, const EvalWeights *b);

/* The families with a weight other than 0. */
EvalFamilies weights_families(const EvalWeights *w);

#endif
