/* SPDX-License-Identifier: MIT
 * What evaluates positions: linear weights or a network. Everything that plays takes either kind;
 * fits and tables of terms need EvalWeights. */
#ifndef TABIA_ENGINE_EVAL_EVALUATION_H
#define TABIA_ENGINE_EVAL_EVALUATION_H

#include "engine/eval/network.h"
#include "engine/eval/weights.h"

typedef enum EvaluationKind { EVALUATION_LINEAR, EVALUATION_NETWORK } EvaluationKind;

typedef struct Evaluation {
    EvaluationKind kind;
    union {
        EvalWeights weights;    /* EVALUATION_LINEAR */
        const Network *network; /* EVALUATION_NETWORK; lives as long as the process */
    };
} Evaluation;

static inline Evaluation evaluation_of_weights(const EvalWeights *w)
{
    return (Evaluation){.kind = EVALUATION_LINEAR, .weights = *w};
}
/* The network must be kept: network_keep(). */
static inline void evaluation_set_network(Evaluation *e, const Network *network)
{
    e->kind = EVALUATION_NETWORK;
    e->network = network;
}

/* NULL for linear weights. */
static inline const Network *evaluation_network(const Evaluation *e)
{
    return e->kind == EVALUATION_NETWORK ? e->network : NULL;
}

/* Borrowed from *e; all 0 for a network. */
const EvalWeights *evaluation_weights(const Evaluation *e);

void evaluation_zero(Evaluation *e);     /* weights_zero() */
void evaluation_material(Evaluation *e); /* weights_material() */

bool evaluation_equal(const Evaluation *a, const Evaluation *b);

/* Centipawns, White's view, from scratch. */
int evaluation_white(const Position *pos, const Evaluation *e);

#endif
