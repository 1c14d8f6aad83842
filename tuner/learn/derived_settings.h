/* SPDX-License-Identifier: MIT
 * The settings of one generation, derived from those of the run; all processes derive the same. */
#ifndef TABIA_TUNER_LEARN_DERIVED_SETTINGS_H
#define TABIA_TUNER_LEARN_DERIVED_SETTINGS_H

#include "db/store/run_record.h"
#include "tuner/learn/settings.h"

/* A seed is derived for each of these. */
typedef enum SeedPurpose {
    SEED_SELFPLAY,
    SEED_TUNE,
    SEED_GAUNTLET,
    SEED_FINAL,
    SEED_STRENGTH
} SeedPurpose;

uint64_t learn_derive_seed(uint64_t seed, SeedPurpose purpose, int generation);

/* Is it the self-play of a generation of the run with these LearnSettings? A merge may have brought
 * games of another run. */
bool learn_owns_run(const void *settings, const RunRecord *run);

/* The seed of all fits, so that a held-out game stays held out. */
uint64_t learn_fit_seed(const LearnSettings *settings);

/* Does it train a network instead of a fit? */
bool learn_trains(const LearnSettings *settings, int generation);

/* Hidden units of the network that it trains. */
int learn_hidden(const LearnSettings *settings, int generation);

/* The families that its fit changes. */
EvalFamilies learn_terms(const LearnSettings *settings, int generation);

/* By which self-play of `generation` is dearer than that of `from`, since nodes grow. */
double learn_play_factor(const LearnSettings *settings, int from, int generation);

/* Number of latest generations in its fit. */
int learn_window(const LearnSettings *settings, int generation);

/* The first generation whose games its fit uses. */
int learn_window_start(const LearnSettings *settings, int generation);

/* The generation that its match of strength is against; 0: it has none. Generations 2, 3, 4, 6, 8,
 * 12 … meet the one before in this list: the nearer two are, the more a game says. */
int learn_strength_anchor(int generation);

/* The settings of its self-play. Random moves make the imbalances and the decided games from which
 * the values of pieces are learned. */
SelfplaySettings learn_selfplay_settings(const LearnSettings *settings, int generation);

/* Those of a match, and of its players, whose weights and names are set. */
void learn_match_settings(const LearnSettings *settings, int generation, uint64_t seed,
                          GauntletSettings *match, GauntletPlayer players[2]);

#endif
