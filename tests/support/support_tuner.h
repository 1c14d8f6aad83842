/* SPDX-License-Identifier: MIT
 * Data sets and weights for the tuner's tests. */
#ifndef TABIA_TESTS_SUPPORT_SUPPORT_TUNER_H
#define TABIA_TESTS_SUPPORT_SUPPORT_TUNER_H

#include "engine/base/pcg.h"
#include "tuner/data/dataset.h"
#include "tuner/job/tune.h"

/* Positions of random games, `games` from each of the tests' FENs, with random results and scores.
 * Always the same for a seed. dataset_destroy() it. */
Dataset *tuner_random_data(uint64_t seed, int games);
/* The same with the features of these families. */
Dataset *tuner_random_terms(uint64_t seed, int games, EvalFamilies terms);

/* Draws every position's result, win or loss, with the chance that `value` ([DIMENSIONS]) and k
 * give White. */
void tuner_plant_results(Dataset *data, const double *value, double k, uint64_t seed);

/* value[DIMENSIONS] in ±limit centipawns. */
void tuner_random_values(double *value, double limit, uint64_t seed);

/* Evaluation of each position of the set, straight from the definition: cp[positions],
 * centipawns, White's view, untruncated. */
void tuner_evaluate(const Dataset *data, const double *value, double *cp);

/* A small evaluation, for tests that fit often. */
enum { TUNER_SMALL_COLUMNS = 6, TUNER_SMALL_DIMENSIONS = 2 * TUNER_SMALL_COLUMNS };
extern const double tuner_small_planted[TUNER_SMALL_DIMENSIONS];

/* Games of 1 to 12 equal positions that share one result, drawn with the chance that the planted
 * weights give White at K = 1: as dependent as positions can be. */
Dataset *tuner_small_games(int games, uint64_t seed);

/* Draws results by 100-300-300-500-900. */
void tuner_plant_material(Dataset *data);

/* Material of one side in the start position by value[DIMENSIONS], centipawns, mean of mg and eg.
 */
double tuner_start_material(const double *value);

/* All positions as they are. */
extern const BatchOptions tuner_plain_batch;

/* The defaults without a prior. */
TuneSettings tuner_plain_settings(void);

/* tune_fit(), which must succeed. */
TuneResult tuner_fit(const Dataset *data, const EvalWeights *start, const TuneSettings *settings);

#endif
