/* SPDX-License-Identifier: MIT
 * The settings of a fit of Tabia's evaluation, a row each. */
#include "tuner/job/settings.h"

#include <math.h>

#include "tuner/data/columns.h"

static Status parse_terms(void *families, const char *text, Error *err)
{
    return eval_families_parse(text, families, err);
}

static void print_terms(const void *families, char out[SETTING_TEXT_MAX])
{
    eval_families_text(*(const EvalFamilies *)families, out);
}

static Status parse_freeze(void *freeze, const char *text, Error *err)
{
    if (!*text) return error_set(err, STATUS_USAGE, "no term is named");
    *(const char **)freeze = text;
    return STATUS_OK;
}

const Setting tune_settings[] = {
    {FIELD(TuneSettings, fit), .rows = fit_settings},
    {"mirror", FIELD(TuneSettings, mirror), "HOW",
     "free, or tied: squares that mirror each other share a weight", .words = "free|tied",
     .not_with = "features score-only"},
    {"terms", FIELD(TuneSettings, terms), "SET",
     "families of terms that are fitted: material-pst, squares (tables by the kings' squares, too), classical (all others), or a list as in docs/eval-terms.md",
     .parse = parse_terms, .print = print_terms, .preset = EVAL_MATERIAL_PST,
     .neutral = EVAL_MATERIAL_PST, .optional = true, .first = true,
     .not_with = "features score-only"},
    {"king-prior", FIELD(TuneSettings, king_prior), "N",
     "strength of the pull of king squares toward 0, as of --prior; with --prior auto it is that one",
     FIT_PRIOR_MIN, 1e12, .preset = 100, .neutral = 100, .optional = true,
     .not_with = "features score-only"},
    {"army", FIELD(TuneSettings, start_material), "CP",
     "value of the start position's pieces, centipawns: fixes the scale; 0: that of the start weights",
     0, 1e5, .preset = COLUMNS_START_MATERIAL, .not_with = "features score-only"},
    {"freeze", FIELD(TuneSettings, freeze), "GLOBS",
     "terms that are not fitted: 'KING_PST,PAWN_PST.?2', or MATERIAL", .parse = parse_freeze,
     .not_with = "score-only"},
    {"checkpoint", FIELD(TuneSettings, checkpoint), "FILE",
     "file that saves the state of a long fit, which a later run continues",
     .not_with = "score-only"},
    {"errors", FIELD(TuneSettings, diagnostics), NULL,
     "compute standard errors, calibration and warnings; --no-errors: the fit alone",
     .not_with = "score-only"},
    {0},
};

/* Each list names the settings that it lacks, so that a new one is in all of them. */
const char tune_reported[] = "-checkpoint errors";
const char tune_identity[] = "-terms k army prior freeze iterations patience checkpoint errors";
const char tune_remarked[] = "-loss noise-floor lambda prior validation folds seed army checkpoint "
                             "errors";

/* Experiments: l160 to l274 of docs/data/learning.csv. The noise of the targets, which the prior
 * keeps out of the weights, is that of the results, so its variance grows with the square of
 * lambda, and what games tell with their number. */
void tune_settle(TuneSettings *settings, const Dataset *data)
{
    static const double with_scores = 0.2, noise = 2.5e6;
    FitSettings *fit = &settings->fit;
    int64_t scored = 0;

    if (fit->lambda == FIT_LAMBDA_GAMES) {
        for (int64_t i = 0; i < data->positions; i++)
            scored += data->score[i] != SCORE_UNKNOWN;
        fit->lambda = 2 * scored > data->positions ? with_scores : 1;
    }
    if (fit->prior == FIT_PRIOR_GAMES)
        fit->prior =
            fmax(FIT_PRIOR_LEAST, round(noise * fit->lambda * fit->lambda / fmax(data->games, 1)));
}

void tune_defaults(TuneSettings *settings)
{
    *settings = (TuneSettings){.fit.threads = 1};
    settings_default(tune_settings, settings);
}
