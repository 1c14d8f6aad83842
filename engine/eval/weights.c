/* SPDX-License-Identifier: MIT
 * The built-in and reference weights. */
#include "engine/eval/weights.h"

#include <string.h>

/* make EXE=path EVALFILE=file: the bytes of a header or network, as numbers. */
#ifdef TABIA_EVALFILE
#include <stdio.h>
#include <stdlib.h>

#include "engine/eval/weights_file.h"

static const unsigned char evalfile[] = {
#include TABIA_EVALFILE
};

void weights_builtin(EvalWeights *w)
{
    Error err;

    if (evaluation_parse(evalfile, sizeof evalfile, "EVALFILE", w, NULL, &err) == STATUS_OK) return;
    (void)fprintf(stderr, "%s\n", err.text);
    exit(EXIT_FAILURE);
}
#else
/* The compiler reads a header as designated initialisers: terms may come in any order, and an
 * absent one is zero. A wrong count is an array of negative size, which does not compile. */
#define EVAL_TERM(NAME, n) [EVAL_##NAME + 0 * sizeof(char[(n) == EVAL_##NAME##_COUNT ? 1 : -1])] =
#define S(mg, eg)          {(mg), (eg)},
static const int16_t builtin_weights[EVAL_TERMS][PHASES] = {
#include "engine/eval_weights.h"
};
#undef EVAL_TERM
#undef S

void weights_builtin(EvalWeights *w)
{
    weights_zero(w);
    memcpy(w->term, builtin_weights, sizeof w->term);
}
#endif

bool weights_equal(const EvalWeights *a, const EvalWeights *b)
{
    return a->network == b->network && memcmp(a->term, b->term, sizeof a->term) == 0;
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
