/* SPDX-License-Identifier: MIT
 * A sequential test as a text, "elo0=0,elo1=5,model=normalized", and as JSON. */
#ifndef TABIA_SELFPLAY_MATCH_SPRT_SETTINGS_H
#define TABIA_SELFPLAY_MATCH_SPRT_SETTINGS_H

#include "engine/values/setting.h"
#include "selfplay/match/stats.h"

/* A SettingParseFn of SprtSettings, which are enabled then. Both elo0 and elo1 are needed; alpha
 * and beta are 0.05 and the model is normalized unless they are given. */
MUST_CHECK Status sprt_parse(void *sprt, const char *text, Error *err);

/* The keys sprt_elo0, sprt_elo1, sprt_alpha, sprt_beta and sprt_model; none if it is disabled. */
void sprt_json(JsonWriter *w, const SprtSettings *sprt);

#endif
