/* SPDX-License-Identifier: MIT
 * The comment of a weights header: the origin of the weights. */
#include <math.h>

#include "engine/base/text.h"
#include "engine/base/version.h"
#include "tuner/job/tune.h"

void tune_describe_filter(const DatasetFilter *f, bool stored, char *out, size_t size)
{
    DatasetFilter none = {
        .generations.last = -1, .runs.last = -1, .positions.max_phase = EVAL_PHASE_MAX};

    settings_append(
        dataset_filter_settings,
        stored ? dataset_filter_reported
               : "drop-drawn min-phase max-phase max-against skip pieces-32 pieces-17 pieces-2",
        f, &none, out, size);
    if (f->leaf_weights) text_append(out, size, ", resolve");
}

static void add_score(char out[TUNE_COMMENT_MAX], const char *name, const FitChange *change)
{
    const FitScore *before = &change->before, *after = &change->after;

    if (after->n == 0) return;
    text_append(out, TUNE_COMMENT_MAX,
                "%s: %lld positions of %lld games, mean squared error %.6f -> %.6f", name,
                (long long)after->n, (long long)after->games, before->mse, after->mse);
    if (isfinite(after->accuracy))
        text_append(out, TUNE_COMMENT_MAX, ", accuracy %.4f", after->accuracy);
    text_append(out, TUNE_COMMENT_MAX, "\n");
}

/* The main settings, and the others that differ from the defaults. */
static void add_settings(char out[TUNE_COMMENT_MAX], const TuneSettings *s,
                         const TuneSettings *defaults, const TuneResult *result)
{
    char text[TUNE_COMMENT_MAX / 2] = "";

    settings_append(tune_settings, "loss noise-floor lambda prior", s, NULL, text, sizeof text);
    if (s->fit.prior == FIT_PRIOR_AUTO) text_append(text, sizeof text, " (%g)", result->fit.prior);
    settings_append(tune_settings, s->fit.folds > 0 ? "folds seed" : "validation seed", s, NULL,
                    text, sizeof text);
    settings_append(tune_settings, tune_remarked, s, defaults, text, sizeof text);
    if (result->scaled || s->start_material == 0)
        settings_append(tune_settings, "army", s, defaults, text, sizeof text);
    text_append(out, TUNE_COMMENT_MAX, "settings: %s\n", text);
}

void tune_provenance(const Dataset *data, const char *source, const char *start,
                     const char *start_hash, const TuneSettings *settings,
                     const TuneSettings *defaults, const TuneResult *result,
                     char out[TUNE_COMMENT_MAX])
{
    out[0] = '\0';
    text_append(out, TUNE_COMMENT_MAX, "Evaluation weights fitted by tabia tune %s.\n",
                TABIA_FIT_VERSION);
    text_append(out, TUNE_COMMENT_MAX, "source: %s\n", source);
    text_append(out, TUNE_COMMENT_MAX, "dataset: %lld positions of %lld games, sha256 %s\n",
                (long long)data->positions, (long long)data->games, data->digest);
    text_append(out, TUNE_COMMENT_MAX, "start: %s%s%s\n", start, start_hash ? ", sha256 " : "",
                start_hash ? start_hash : "");
    add_settings(out, settings, defaults, result);
    text_append(out, TUNE_COMMENT_MAX, "k: %.6f (expected score = 1 / (1 + exp(-k * cp / 400)))\n",
                result->k);
    add_score(out, "train", &result->train);
    add_score(out, "held out by game", &result->validation);
    text_append(out, TUNE_COMMENT_MAX, "iterations: %d, best %d%s\n", result->fit.iterations,
                result->fit.best_iteration, result->fit.converged ? ", converged" : "");
}
