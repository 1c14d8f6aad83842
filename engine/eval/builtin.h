/* SPDX-License-Identifier: MIT
 * The evaluation that is compiled in: engine/eval_weights.h, or the file of `make EVALFILE=path`.
 */
#ifndef TABIA_ENGINE_EVAL_BUILTIN_H
#define TABIA_ENGINE_EVAL_BUILTIN_H

#include "engine/base/status.h"
#include "engine/eval/evaluation.h"

/* STATUS_BAD_INPUT when EVALFILE is neither a weights header nor a network. */
MUST_CHECK Status evaluation_builtin(Evaluation *e, Error *err);

#endif
