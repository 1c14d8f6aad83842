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

    for (const EvalTermInfo *term = eval_term_info; term->name; term++)
        for (int i = term->first; i < term->first + term->count; i++)
            if (w->term[i][MG] || w->term[i][EG]) families |= eval_family(term->family);
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
