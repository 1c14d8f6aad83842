/* SPDX-License-Identifier: MIT
 * The comment of a weights header: the origin of the weights. */
#include <math.h>

#include "engine/base/text.h"
#include "engine/base/version.h"
#include "tuner/job/tune.h"

void tune_describe_filter(const DatasetFilter *f, bool stored, char *out, size_t size)
{
    if (stored) {
        if (f->generations.last >= 0)
            text_append(out, size, ", generations %lld to %lld", (long long)f->generations.first,
                        (long long)f->generations.last);
        if (f->runs.last > 0)
            text_append(out, size, ", runs %lld to %lld", (long long)f->runs.first,
                        (long long)f->runs.last);
        text_append(out, size, "; from ply %d", f->positions.min_ply);
        if (f->positions.max_ply > 0) text_append(out, size, " to %d", f->positions.max_ply);
        if (f->positions.max_score > 0)
            text_append(out, size, ", scores to %d", f->positions.max_score);
        if (f->positions.keep_checks) text_append(out, size, ", with checks");
        if (f->positions.keep_noisy) text_append(out, size, ", with noisy moves");
        if (f->positions.keep_unscored) text_append(out, size, ", with random moves");
        if (f->positions.drop_drawn) text_append(out, size, ", without draws");
        if (f->positions.require_quiet) text_append(out, size, ", no winning captures");
    }
    if (f->leaf_weights) text_append(out, size, ", resolved");
    if (f->positions.min_phase > 0 || f->positions.max_phase < EVAL_PHASE_MAX)
        text_append(out, size, ", phase %d to %d", f->positions.min_phase, f->positions.max_phase);
    if (!stored && f->positions.drop_drawn) text_append(out, size, ", without draws");
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

/* Settings that differ from the defaults are named. */
static void add_settings(char out[TUNE_COMMENT_MAX], const TuneSettings *s,
                         const TuneSettings *defaults, const TuneResult *result)
{
    static const char *const losses[] = {"squared error", "cross-entropy", "noise floor"};
    static const char *const methods[] = {"", ", by L-BFGS", ", by Adam"};
    static const char *const duplicates[] = {"", ", duplicates to their mean",
                                             ", first of duplicates"};

    text_append(out, TUNE_COMMENT_MAX, "settings: %s", losses[s->fit.loss.kind]);
    if (s->fit.loss.kind == LOSS_NOISE_FLOOR)
        text_append(out, TUNE_COMMENT_MAX, " %g", s->fit.loss.floor);
    text_append(out, TUNE_COMMENT_MAX, ", lambda %g, prior %g%s%s, ", s->fit.lambda,
                result->fit.prior, s->fit.prior_auto ? " (chosen)" : "",
                s->fit.prior_zero ? " toward zero" : "");
    if (s->fit.folds > 0)
        text_append(out, TUNE_COMMENT_MAX, "%d folds", s->fit.folds);
    else
        text_append(out, TUNE_COMMENT_MAX, "validation %g", s->fit.validation);
    text_append(out, TUNE_COMMENT_MAX, ", seed %llu%s%s", (unsigned long long)s->fit.seed,
                methods[s->fit.method], duplicates[s->fit.duplicates]);
    if (s->fit.draw_weight != 1)
        text_append(out, TUNE_COMMENT_MAX, ", draws weigh %g", s->fit.draw_weight);
    if (s->fit.decay != 1) text_append(out, TUNE_COMMENT_MAX, ", decay %g", s->fit.decay);
    if (s->mirror) text_append(out, TUNE_COMMENT_MAX, ", mirrored squares tied");
    if (s->terms != EVAL_MATERIAL_PST) {
        char terms[EVAL_FAMILIES_TEXT_MAX];
        eval_families_text(s->terms, terms);
        text_append(out, TUNE_COMMENT_MAX, ", terms %s", terms);
    }
    if (s->fit.k > 0) text_append(out, TUNE_COMMENT_MAX, ", K given");
    if (s->start_material != defaults->start_material && (result->scaled || s->start_material == 0))
        text_append(out, TUNE_COMMENT_MAX, ", army %g", s->start_material);
    if (s->fit.max_iterations != defaults->fit.max_iterations)
        text_append(out, TUNE_COMMENT_MAX, ", iterations to %d", s->fit.max_iterations);
    if (s->fit.patience != defaults->fit.patience)
        text_append(out, TUNE_COMMENT_MAX, ", patience %d", s->fit.patience);
    if (s->freeze) text_append(out, TUNE_COMMENT_MAX, ", frozen: %s", s->freeze);
    text_append(out, TUNE_COMMENT_MAX, "\n");
}

void tune_provenance(const Dataset *data, const char *source, const char *start,
                     const char *start_hash, const TuneSettings *settings,
                     const TuneSettings *defaults, const TuneResult *result,
                     char out[TUNE_COMMENT_MAX])
{
    out[0] = '\0';
    text_append(out, TUNE_COMMENT_MAX, "Evaluation weights fitted by tabia tune %s.\n",
                TABIA_VERSION);
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
