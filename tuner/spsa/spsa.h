/* SPDX-License-Identifier: MIT
 * Tuning by matches: simultaneous perturbation stochastic approximation.
 * Sources: J. C. Spall, "Multivariate Stochastic Approximation Using a Simultaneous Perturbation
 * Gradient Approximation", 1992; the gains as fishtest's documentation of SPSA has them.
 *
 * In iteration k of N, every value v has a random sign s. One player has all values v + c s, the
 * other v - c s; they play some games, and v moves by (a / c) s (wins - losses), where
 *
 *     c = c_end (N / k)^gamma,    a = a_end ((A + N) / (A + k))^alpha,
 *     a_end = r_end c_end²,       A = stability N.
 *
 * Signs and games follow from the seed and k; values from the results before. So the state of a
 * tuning is its games: a resumed one reads them and gets the same values. */
#ifndef TABIA_TUNER_SPSA_SPSA_H
#define TABIA_TUNER_SPSA_SPSA_H

#include "selfplay/match/gauntlet.h"
#include "tuner/spsa/tunables.h"

typedef struct SpsaSettings {
    uint64_t seed;
    int iterations;
    double alpha, gamma, stability;
} SpsaSettings;

/* All but the seed. The gains are Spall's. */
extern const Setting spsa_settings[];

/* The values of both players in iteration k, from 1, in plus and minus [list->count]; within their
 * limits. */
void spsa_probe(const SpsaSettings *settings, const Tunables *list, int k, double *plus,
                double *minus);

/* Moves the values by the result of iteration k: the plus player's wins minus its losses. */
void spsa_step(const SpsaSettings *settings, Tunables *list, int k, int64_t result);

typedef struct SpsaProgress {
    int iteration; /* in progress, from 1 */
    int finished;  /* iterations whose step is made */
    int64_t done, total, resumed;
    int64_t forfeits; /* games lost on time, by a crash, ... */
    const Tunables *list;
} SpsaProgress;

/* The start of the players, and how they play. */
typedef struct SpsaMatch {
    GauntletPlayer player; /* name, weights and params are set here; or .uci, and values are options
                              after its own ones, UCI_OPTIONS_MAX in all */
    Evaluation evaluation; /* linear weights where the list names some */
    SearchParams params;
    GauntletSettings settings; /* games: of an iteration, an even number; seed: is set here */
    OpeningBook *book;         /* NULL: none; its start, that of the first iteration, is moved on */
} SpsaMatch;

/* Starts the program of match->player.uci with the values of the list, then with all their least
 * values and with all their most, at most UCI_OPTIONS_MAX options in all. STATUS_ENGINE when it
 * does not work or lacks an option. */
MUST_CHECK Status spsa_try(const SpsaMatch *match, const Tunables *list, Error *err);

/* Called with every progress of a match; the values are those before its iteration's step. */
typedef void (*SpsaProgressFn)(void *context, const SpsaProgress *progress);

/* Tunes the values of the list. Games of earlier processes in the store count. *last receives
 * what is done, those included, also after a failure. */
MUST_CHECK Status spsa_run(Store *store, const SpsaSettings *settings, const SpsaMatch *match,
                           Tunables *list, SpsaProgressFn progress, void *context,
                           const atomic_int *interrupted, SpsaProgress *last, Error *err);

#endif
