/* SPDX-License-Identifier: MIT
 * The comment of a weights header: the origin of the weights. */
#include <math.h>

#include "engine/base/text.h"
#include "engine/base/version.h"
#include "tuner/job/tune.h"

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
                         const TuneResult *result)
{
    static const char *const losses[] = {"squared error", "cross-entropy", "noise floor"};
    static const char *const methods[] = {"", ", by L-BFGS", ", by Adam"};
    static const char *const duplicates[] = {"", ", duplicates to their mean",
                                             ", first of duplicates"};

    text_append(out, TUNE_COMMENT_MAX, "settings: %s, lambda %g, prior %g%s%s, ",
                losses[s->fit.loss.kind], s->fit.lambda, result->fit.prior,
                s->fit.prior_auto ? " (chosen)" : "", s->fit.prior_zero ? " toward zero" : "");
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
    if (s->freeze) text_append(out, TUNE_COMMENT_MAX, ", frozen: %s", s->freeze);
    text_append(out, TUNE_COMMENT_MAX, "\n");
}

void tune_provenance(const Dataset *data, const char *source, const char *start,
                     const char *start_hash, const TuneSettings *settings, const TuneResult *result,
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
    add_settings(out, settings, result);
    text_append(out, TUNE_COMMENT_MAX, "k: %.6f (expected score = 1 / (1 + exp(-k * cp / 400)))\n",
                result->k);
    add_score(out, "train", &result->train);
    add_score(out, "held out by game", &result->validation);
    text_append(out, TUNE_COMMENT_MAX, "iterations: %d, best %d%s\n", result->fit.iterations,
                result->fit.best_iteration, result->fit.converged ? ", converged" : "");
}
