/* SPDX-License-Identifier: MIT
 * Evaluations of either kind. */
#include "engine/eval/evaluation.h"

#include "engine/eval/eval.h"

void evaluation_zero(Evaluation *e)
{
    e->kind = EVALUATION_LINEAR;
    weights_zero(&e->weights);
}

void evaluation_material(Evaluation *e)
{
    e->kind = EVALUATION_LINEAR;
    weights_material(&e->weights);
}

const EvalWeights *evaluation_weights(const Evaluation *e)
{
    static const EvalWeights none = {0};
    return e->kind == EVALUATION_LINEAR ? &e->weights : &none;
}

bool evaluation_equal(const Evaluation *a, const Evaluation *b)
{
    if (a->kind != b->kind) return false;
    return a->kind == EVALUATION_NETWORK ? a->network == b->network
                                         : weights_equal(&a->weights, &b->weights);
}

int evaluation_white(const Position *pos, const Evaluation *e)
{
    if (e->kind == EVALUATION_LINEAR) return eval_white(pos, &e->weights);
    int value = network_evaluate(e->network, pos);
    return position_stm(pos) == WHITE ? value : -value;
}
