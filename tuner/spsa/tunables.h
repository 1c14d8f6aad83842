/* SPDX-License-Identifier: MIT
 * What `tabia spsa` tunes: constants of the search, and weights of the evaluation as factors; or
 * options of another engine. */
#ifndef TABIA_TUNER_SPSA_TUNABLES_H
#define TABIA_TUNER_SPSA_TUNABLES_H

#include <stdio.h>

#include "engine/eval/weights.h"
#include "engine/search/params.h"

enum { TUNABLES_MAX = 1024, TUNABLE_NAME_MAX = 64, TUNABLE_OPTION_MAX = 80, WEIGHT_UNIT = 1000 };

/* A constant of the search or a UCI option, whose value is its own; or the weights `first` to
 * `first + count - 1` of a phase, which are multiplied by value / WEIGHT_UNIT. */
typedef struct Tunable {
    char name[TUNABLE_NAME_MAX];
    const SearchParamInfo *constant; /* NULL: weights, unless the list is of options */
    int first, count, phase;
    double start, value, least, most;
    double width; /* how far both sides are from the value in the last iteration (c_end) */
    double rate;  /* step by a won game in it, in units of its width (r_end) */
} Tunable;

typedef struct Tunables {
    bool options; /* UCI options of another engine */
    int count;
    Tunable *items; /* owned */
} Tunables;

/* Reads lines "NAME, int, value, least, most, c_end, r_end", as `tabia-engine spsa` prints them and
 * OpenBench reads them; NAME is a constant of the search, or TERM.mg, TERM[i].mg, TERM[i-j].mg
 * (.eg) for weights; or with `option` a UCI option of an external engine. Empty lines and those
 * that begin with # count for nothing. STATUS_BAD_INPUT names file and line; STATUS_FAILED when the
 * file cannot be read. Free it in any case. */
MUST_CHECK Status tunables_load(const char *path, bool option, Tunables *list, Error *err);

/* The scales of all terms that the weights have: material by piece, the others by term; middle game
 * and end game, one after the other, each unless all its weights are 0. STATUS_BAD_INPUT when all
 * are. Free it in any case. */
MUST_CHECK Status tunables_scales(const EvalWeights *weights, Tunables *list, Error *err);

void tunables_free(Tunables *list);

/* Values, rounded to integers, into constants and weights, which hold what is not tuned. `values`
 * [list->count] replaces the values of the list. */
void tunables_apply(const Tunables *list, const double *values, SearchParams *params,
                    EvalWeights *weights);

/* A UCI option as "NAME=value", rounded to an integer. */
void tunables_option(const Tunable *tunable, double value, char text[TUNABLE_OPTION_MAX]);

bool tunables_have_weights(const Tunables *list);

/* STATUS_BAD_INPUT for a factor of weights that are all 0. */
MUST_CHECK Status tunables_check(const Tunables *list, const EvalWeights *weights, Error *err);

/* The list in the form that tunables_load() reads. */
void tunables_print(FILE *out, const Tunables *list);

#endif
