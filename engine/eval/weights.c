/* SPDX-License-Identifier: MIT
 * Reference weights, and what weights have in common. */
#include "engine/eval/weights.h"

#include <string.h>

bool weights_equal(const EvalWeights *a, const EvalWeights *b)
{
    return memcmp(a->term, b->term, sizeof a->term) == 0;
}

EvalFamilies weights_families(const EvalWeights *w)
{
    EvalFamilies families = 0;

    for (const EvalTermInfo *term = eval_term_info; term->name; term++) {
        const int16_t(*value)[PHASES] = w->term + term->first; /* all zero: like the first */
        const size_t others = (size_t)(term->count - 1) * sizeof *value;
        if (value[0][MG] || value[0][EG] || memcmp(value, value + 1, others) != 0)
            families |= eval_family(term->family);
    }
    return families;
}

void weights_zero(EvalWeights *w)
{
    memset(w, 0, sizeof *w);
}

void weights_material(EvalWeights *w)
{
    static const int16_t value[EVAL_MATERIAL_COUNT] = {100, 300, 300, 500, 900};

    weights_zero(w);
    for (int i = 0; i < EVAL_MATERIAL_COUNT; i++)
        w->term[EVAL_MATERIAL + i][MG] = w->term[EVAL_MATERIAL + i][EG] = value[i];
}
