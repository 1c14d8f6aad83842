/* SPDX-License-Identifier: MIT
 * Evaluations by name, from files, and the one that is compiled in. */
#ifndef TABIA_ENGINE_EVAL_EVALUATION_LOAD_H
#define TABIA_ENGINE_EVAL_EVALUATION_LOAD_H

#include "engine/eval/evaluation_parse.h"
#include "engine/eval/network_file.h"

/* The names that weights_load() and evaluation_load() know. */
#define WEIGHTS_NAMES    "builtin|classical|tables|pesto|zero|material"
#define EVALUATION_NAMES WEIGHTS_NAMES "|network"

/* The evaluation that is compiled in: engine/eval_weights.h, or the file of `make EVALFILE=path`;
 * STATUS_BAD_INPUT when that is neither a weights header nor a network. */
MUST_CHECK Status evaluation_builtin(Evaluation *e, Error *err);

/* `spec` is one of the names, or the path of a weights header or network. Errors as of
 * evaluation_parse(). info may be NULL. *e is unchanged on error. */
MUST_CHECK Status evaluation_load(const char *spec, Evaluation *e, WeightsInfo *info, Error *err);

/* The same for fits and tables: a network is STATUS_BAD_INPUT. */
MUST_CHECK Status weights_load(const char *spec, EvalWeights *w, WeightsInfo *info, Error *err);

/* Is it one of the names, whose file, if it has one, is there? */
bool evaluation_is_name(const char *spec);

/* The refusal of weights_load() where *e, loaded from `spec`, is a network. */
MUST_CHECK Status evaluation_require_weights(const Evaluation *e, const char *spec, Error *err);

/* Reads a network without a header, of that layout; errors as of network_parse_bare(). */
MUST_CHECK Status network_load_bare(const char *path, const NetworkLayout *layout,
                                    Network **network, Error *err);

#endif
