/* SPDX-License-Identifier: MIT
 * The built-in evaluation. */
#include "engine/eval/builtin.h"

#ifdef TABIA_EVALFILE
#include "engine/eval/evaluation_parse.h"

/* make EXE=path EVALFILE=file: the bytes of a header or network, as numbers. */
static const unsigned char evalfile[] = {
#include TABIA_EVALFILE
};

Status evaluation_builtin(Evaluation *e, Error *err)
{
    return evaluation_parse(evalfile, sizeof evalfile, "EVALFILE", e, NULL, err);
}
#else
/* The compiler reads a header as designated initialisers: terms may come in any order, and an
 * absent one is zero. A wrong count is an array of negative size, which does not compile. */
#define EVAL_TERM(NAME, n) [EVAL_##NAME + 0 * sizeof(char[(n) == EVAL_##NAME##_COUNT ? 1 : -1])] =
#define S(mg, eg)          {(mg), (eg)},
static const EvalWeights builtin_weights = {{
#include "engine/eval_weights.h"
}};
#undef EVAL_TERM
#undef S

Status evaluation_builtin(Evaluation *e, Error *err)
{
    (void)err;
    *e = evaluation_of_weights(&builtin_weights);
    return STATUS_OK;
}
#endif
