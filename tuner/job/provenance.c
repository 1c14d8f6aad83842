/* SPDX-License-Identifier: MIT
 * The comment of a weights header: the origin of the weights. */
#include <math.h>
#include <stdio.h>

#include "engine/base/version.h"
#include "tuner/job/tune.h"

static void add_score(FILE *out, const char *name, const FitChange *change)
{
    const FitScore *before = &change->before, *after = &change->after;

    if (after->n == 0) return;
    fprintf(out, "%s: %lld positions of %lld games, mean squared error %.6f -> %.6f", name,
            (long long)after->n, (long long)after->games, before->mse, after->mse);
    if (isfinite(after->accuracy)) fprintf(out, ", accuracy %.4f", after->accuracy);
    fputc('\n', out);
}

/* Settings that differ from the defaults are named. */
static void add_settings(FILE *out, const TuneSettings *s, const TuneResult *result)
{
    static const char *const losses[] = {"squared error", "cross-entropy", "noise floor"};
    static const char *const methods[] = {"", ", by L-BFGS", ", by Adam"};
    static const char *const duplicates[] = {"", ", duplicates to their mean",
                                             ", first of duplicates"};

    fprintf(out, "settings: %s, lambda %g, prior %g%s%s, ", losses[s->fit.loss.kind], s->fit.lambda,
            result->fit.prior, s->fit.prior_auto ? " (chosen)" : "",
            s->fit.prior_zero ? " toward zero" : "");
    if (s->fit.folds > 0)
        fprintf(out, "%d folds", s->fit.folds);
    else
        fprintf(out, "validation %g", s->fit.validation);
    fprintf(out, ", seed %llu%s%s", (unsigned long long)s->fit.seed, methods[s->fit.method],
            duplicates[s->fit.duplicates]);
    if (s->fit.draw_weight != 1) fprintf(out, ", draws weigh %g", s->fit.draw_weight);
    if (s->fit.decay != 1) fprintf(out, ", decay %g", s->fit.decay);
    if (s->mirror) fprintf(out, ", mirrored squares tied");
    if (s->terms != EVAL_MATERIAL_PST) {
        char terms[EVAL_FAMILIES_TEXT_MAX];
        eval_families_text(s->terms, terms);
        fprintf(out, ", terms %s", terms);
    }
    if (s->freeze) fprintf(out, ", frozen: %s", s->freeze);
    fputc('\n', out);
}

void tune_provenance(const Dataset *data, const char *source, const char *start,
                     const char *start_hash, const TuneSettings *settings, const TuneResult *result,
                     char out[TUNE_COMMENT_MAX])
{
    FILE *text = fmemopen(out, TUNE_COMMENT_MAX, "w"); /* text that does not fit is cut */

    out[0] = '\0';
    if (!text) return;
    fprintf(text, "Evaluation weights fitted by tabia tune %s.\n", TABIA_VERSION);
    fprintf(text, "source: %s\n", source);
    fprintf(text, "dataset: %lld positions of %lld games, sha256 %s\n", (long long)data->positions,
            (long long)data->games, data->digest);
    fprintf(text, "start: %s%s%s\n", start, start_hash ? ", sha256 " : "",
            start_hash ? start_hash : "");
    add_settings(text, settings, result);
    fprintf(text, "k: %.6f (expected score = 1 / (1 + exp(-k * cp / 400)))\n", result->k);
    add_score(text, "train", &result->train);
    add_score(text, "held out by game", &result->validation);
    fprintf(text, "iterations: %d, best %d%s\n", result->fit.iterations, result->fit.best_iteration,
            result->fit.converged ? ", converged" : "");
    (void)fclose(text);
}
