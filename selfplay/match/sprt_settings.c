/* SPDX-License-Identifier: MIT
 * The settings of a sequential test. */
#include "selfplay/match/sprt_settings.h"

#include <math.h>
#include <string.h>

/* Most of a bound. */
enum {
    NELO_MAX = 200, /* beyond, no distribution of pairs has such a mean and variance */
    ELO_MAX = 2000  /* beyond, the expected score is 0 or 1 but for rounding */
};

static const Setting pairs[] = {
    {"elo0", FIELD(SprtSettings, elo0), .preset = NAN},
    {"elo1", FIELD(SprtSettings, elo1), .preset = NAN},
    {"alpha", FIELD(SprtSettings, alpha), .preset = 0.05},
    {"beta", FIELD(SprtSettings, beta), .preset = 0.05},
    {"model", FIELD(SprtSettings, model), .words = "logistic|normalized",
     .preset = SPRT_NORMALIZED},
    {0},
};

/* In the configuration of a run. */
static const Setting in_run[] = {{.kind = FIELD_OTHER, .rows = pairs, .prefix = "sprt-"}, {0}};

Status sprt_parse(void *sprt, const char *text, Error *err)
{
    SprtSettings s = {.enabled = true};

    settings_default(pairs, &s);
    if (!strchr(text, '='))
        return error_set(err, STATUS_USAGE, "\"%s\" has no keys; write elo0=X,elo1=Y", text);
    Status status = settings_set_pairs(pairs, &s, text, err);
    if (status != STATUS_OK) return status;
    if (isnan(s.elo0) || isnan(s.elo1))
        return error_set(err, STATUS_USAGE, "both elo0=X and elo1=Y are needed, joined by a comma");
    if (s.elo0 >= s.elo1) return error_set(err, STATUS_USAGE, "elo0 must be below elo1");
    int most = s.model == SPRT_NORMALIZED ? NELO_MAX : ELO_MAX;
    if (fmax(fabs(s.elo0), fabs(s.elo1)) > most)
        return error_set(err, STATUS_USAGE, "%s bounds must be within ±%d",
                         s.model == SPRT_NORMALIZED ? "normalized" : "logistic", most);
    if (!(s.alpha > 0 && s.beta > 0 && s.alpha < 0.5 && s.beta < 0.5))
        return error_set(err, STATUS_USAGE, "alpha and beta must be between 0 and 0.5");
    *(SprtSettings *)sprt = s;
    return STATUS_OK;
}

void sprt_json(JsonWriter *w, const SprtSettings *sprt)
{
    static const char names[] = "sprt-elo0 sprt-elo1 sprt-alpha sprt-beta sprt-model";

    if (sprt->enabled) settings_json(w, in_run, names, SETTINGS_IDENTITY, sprt);
}
